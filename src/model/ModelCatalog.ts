/**
 * What is known of models beforehand: limits, prices, what they take and give, which are on their way out. What the
 * user says of a model comes first, then our own word on deprecations, then models.dev: the newer of the table that the
 * user has fetched and the one that came with the program. For what those lack there is our own word again.
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ModelId from "../message/ModelId.ts"
import { ours } from "./internal/ours.ts"
import * as Limits from "./Limits.ts"
import * as ModelEntry from "./ModelEntry.ts"
import { ModelError, Unreachable } from "./ModelError.ts"
import type * as ModelTable from "./ModelTable.ts"

export class ModelCatalog extends Context.Tag("vibe/model/ModelCatalog")<ModelCatalog, Service>() {}

export interface Service {
  /** Empty for a model that nothing is known of. The first question loads the tables. */
  readonly find: (id: ModelId.ModelId) => Effect.Effect<ModelEntry.ModelEntry>
  /** Small ones for a model that nothing is known of. */
  readonly limits: (id: ModelId.ModelId) => Effect.Effect<Limits.Limits>
  /** Every model that anything is known of, by its id, sorted. */
  readonly all: Effect.Effect<ReadonlyArray<ModelInfo>>
  /** Of the newest table there is. */
  readonly origin: Effect.Effect<ModelTable.Origin>
  /** Fetches a newer table and keeps it. Fails with the old one untouched; says what it has now. */
  readonly refresh: Effect.Effect<ModelTable.Origin, ConfigError | ModelError>
}

export interface ModelInfo {
  readonly id: ModelId.ModelId
  readonly entry: ModelEntry.ModelEntry
}

/** Where another table than the program's own comes from, and where it is kept. */
export interface CatalogSource {
  /** None where none was ever kept. What is kept and is no table is as good as none. */
  readonly kept: Effect.Effect<Option.Option<ModelTable.ModelTable>>
  readonly keep: (table: ModelTable.ModelTable) => Effect.Effect<void, ModelError>
  /** models.dev's `api.json`, decoded, and the day it was fetched. */
  readonly fetch: Effect.Effect<Fetched, ConfigError | ModelError>
}

export interface Fetched {
  readonly catalogue: unknown
  readonly origin: ModelTable.Origin
}

export interface Options {
  /** The user's own entries, by id. */
  readonly entries: ReadonlyMap<string, ModelEntry.ModelEntry>
  readonly supply: CatalogSource
}

/** The model to use once this one is not found any more; only a deprecated model has one. */
export const successor = (id: ModelId.ModelId): ModelId.ModelId | undefined => {
  const name = ours[String(id)]?.deprecation?.successor
  return name === undefined ? undefined : new ModelId.ModelId({ provider: id.provider, name })
}

export const make = ({ entries, supply }: Options): Effect.Effect<Service> =>
  Effect.gen(function* () {
    const [tables, forget] = yield* Effect.cachedInvalidateWithTTL(load(supply), Duration.infinity)

    // Ours decides on deprecations; for the rest it stands in where no table knows, and yields once one does.
    const entryOf = (id: string, tabled: ReadonlyArray<ModelEntry.ModelEntry>) => {
      const own = ours[id] ?? {}
      return ModelEntry.over(entries.get(id) ?? {}, { deprecation: own.deprecation }, ...tabled, own)
    }

    const find: Service["find"] = (id) =>
      Effect.map(tables, ({ find }) => ModelEntry.over(...namesOf(id).map((name) => entryOf(name, find(name)))))

    const all = Effect.map(tables, ({ all }) => {
      const tabled = Map.groupBy(all(), ({ id }) => id)
      const ids = new Set([...tabled.keys(), ...Object.keys(ours), ...entries.keys()])
      return Array.from(ids, (text) => ({
        id: fromText(text),
        entry: entryOf(
          text,
          (tabled.get(text) ?? []).map(({ id: _, ...entry }) => entry),
        ),
      })).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    })

    return {
      find,
      limits: (id) => Effect.map(find(id), (entry) => ModelEntry.limits(entry, Limits.unknown)),
      all,
      origin: Effect.map(tables, ({ origin }) => origin),
      refresh: Effect.gen(function* () {
        const { catalogue, origin } = yield* supply.fetch
        const { fromModelsDev } = yield* reader
        const table = yield* Effect.mapError(fromModelsDev(catalogue, origin), (wrong) =>
          unreachable(origin.source, `its catalogue is not as expected: ${wrong}`),
        )
        yield* supply.keep(table)
        yield* forget
        return origin
      }),
    }
  })

/** What one model is known by, its own name first: OpenAI has one model behind both of its wires. */
const namesOf = (id: ModelId.ModelId): ReadonlyArray<string> =>
  id.provider === "openai-responses" ? [String(id), `openai/${id.name}`] : [String(id)]

/** A catalogue that could not be had, or is none: what is said of it names where it was to come from. */
export const unreachable = (source: string, message: string): ModelError =>
  new ModelError({ model: source, reason: new Unreachable({ message }) })

/** What came with the program, and nothing else. */
export const layer: Layer.Layer<ModelCatalog> = Layer.effect(
  ModelCatalog,
  Effect.suspend(() =>
    make({
      entries: new Map(),
      supply: {
        kept: Effect.succeed(Option.none()),
        keep: () => Effect.void,
        fetch: Effect.fail(unreachable("models.dev", "this program does not fetch it")),
      },
    }),
  ),
)

/** What the tables say, the newest first. */
interface Tables {
  /** Of the newest. */
  readonly origin: ModelTable.Origin
  readonly find: (id: string) => ReadonlyArray<ModelEntry.ModelEntry>
  readonly all: () => ReadonlyArray<ModelTable.Line>
}

/** What reads a table is loaded with the first one: a run may never ask. */
const reader = Effect.promise(() => import("./ModelTable.ts"))

const load = ({ kept }: CatalogSource): Effect.Effect<Tables> =>
  Effect.gen(function* () {
    const { all, find, origin } = yield* reader
    const { table } = yield* Effect.promise(() => import("./internal/modelsDev.ts"))
    const dated = (table: ModelTable.ModelTable) => Option.map(origin(table), (origin) => ({ table, origin }))
    const own = Option.getOrThrow(dated(table))
    // Of the same day, the fetched one is newer: it names more providers.
    const [newest, ...older] = Option.match(Option.flatMap(yield* kept, dated), {
      onNone: () => [own] as const,
      onSome: (fetched) =>
        fetched.origin.date >= own.origin.date ? ([fetched, own] as const) : ([own, fetched] as const),
    })
    const tables = [newest, ...older]
    return {
      origin: newest.origin,
      find: (id) => tables.flatMap(({ table }) => Option.toArray(find(table, id))),
      all: () => tables.flatMap(({ table }) => all(table)),
    }
  })

/** A word without a slash is a provider that has one model. */
const fromText = (id: string): ModelId.ModelId =>
  Either.getOrElse(ModelId.parse(id), () => new ModelId.ModelId({ provider: id, name: id }))
