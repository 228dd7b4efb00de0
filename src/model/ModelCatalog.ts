/**
 * The catalogue of models: limits, prices, modalities and deprecations. Its sources in order of precedence are the
 * user's configuration, our own deprecations, the newer of the two tables of models.dev (fetched by the user, or
 * shipped with the program), the older one, and our own other entries.
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
  /** Returns an empty entry for an unknown model. The first call loads the tables. */
  readonly find: (id: ModelId.ModelId) => Effect.Effect<ModelEntry.ModelEntry>
  /** Returns conservative limits for an unknown model. */
  readonly limits: (id: ModelId.ModelId) => Effect.Effect<Limits.Limits>
  /** Every known model, sorted by id. */
  readonly all: Effect.Effect<ReadonlyArray<ModelInfo>>
  /** The origin of the newest table. */
  readonly origin: Effect.Effect<ModelTable.Origin>
  /** Fetches and stores a newer table, and returns its origin. On failure the old table is kept. */
  readonly refresh: Effect.Effect<ModelTable.Origin, ConfigError | ModelError>
}

export interface ModelInfo {
  readonly id: ModelId.ModelId
  readonly entry: ModelEntry.ModelEntry
}

/** Fetches and stores a table other than the shipped one. */
export interface CatalogSource {
  /** The stored table, or `None` if none is stored. An invalid table is treated like none. */
  readonly stored: Effect.Effect<Option.Option<ModelTable.ModelTable>>
  readonly store: (table: ModelTable.ModelTable) => Effect.Effect<void, ModelError>
  /** The decoded `api.json` of models.dev, and the day it was fetched. */
  readonly fetch: Effect.Effect<Fetched, ConfigError | ModelError>
}

export interface Fetched {
  readonly catalogue: unknown
  readonly origin: ModelTable.Origin
}

export interface Options {
  /** The entries of the user's configuration, by id. */
  readonly entries: ReadonlyMap<string, ModelEntry.ModelEntry>
  readonly supply: CatalogSource
}

/** The model to use once this one is no longer available; only deprecated models have one. */
export const successor = (id: ModelId.ModelId): ModelId.ModelId | undefined => {
  const name = ours[String(id)]?.deprecation?.successor
  return name === undefined ? undefined : new ModelId.ModelId({ provider: id.provider, name })
}

export const make = ({ entries, supply }: Options): Effect.Effect<Service> =>
  Effect.gen(function* () {
    const [tables, forget] = yield* Effect.cachedInvalidateWithTTL(load(supply), Duration.infinity)

    // Our own entries take precedence for deprecations, and come last for everything else.
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
        yield* supply.store(table)
        yield* forget
        return origin
      }),
    }
  })

/** Returns the names of one model, its own first. OpenAI has the same models in both of its APIs. */
const namesOf = (id: ModelId.ModelId): ReadonlyArray<string> =>
  id.provider === "openai-responses" ? [String(id), `openai/${id.name}`] : [String(id)]

/** Returns the error for a catalogue that is unreachable or invalid. `source` is its address. */
export const unreachable = (source: string, message: string): ModelError =>
  new ModelError({ model: source, reason: new Unreachable({ message }) })

/** The catalogue with the shipped table alone. */
export const layer: Layer.Layer<ModelCatalog> = Layer.effect(
  ModelCatalog,
  Effect.suspend(() =>
    make({
      entries: new Map(),
      supply: {
        stored: Effect.succeed(Option.none()),
        store: () => Effect.void,
        fetch: Effect.fail(unreachable("models.dev", "this program does not fetch it")),
      },
    }),
  ),
)

/** The loaded tables, newest first. */
interface Tables {
  /** The origin of the newest table. */
  readonly origin: ModelTable.Origin
  readonly find: (id: string) => ReadonlyArray<ModelEntry.ModelEntry>
  readonly all: () => ReadonlyArray<ModelTable.Line>
}

/** The reader of tables. It is loaded with the first table, since a run may never use one. */
const reader = Effect.promise(() => import("./ModelTable.ts"))

const load = ({ stored }: CatalogSource): Effect.Effect<Tables> =>
  Effect.gen(function* () {
    const { all, find, origin } = yield* reader
    const { table } = yield* Effect.promise(() => import("./internal/modelsDev.ts"))
    const withOrigin = (table: ModelTable.ModelTable) => Option.map(origin(table), (origin) => ({ table, origin }))
    const own = Option.getOrThrow(withOrigin(table))
    // If both tables have the same day, the fetched one counts as newer, since it has more providers.
    const [newest, ...older] = Option.match(Option.flatMap(yield* stored, withOrigin), {
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

/** Parses an id. An id without a slash is a provider with one model. */
const fromText = (id: string): ModelId.ModelId =>
  Either.getOrElse(ModelId.parse(id), () => new ModelId.ModelId({ provider: id, name: id }))
