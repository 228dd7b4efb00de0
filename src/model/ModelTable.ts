/**
 * Models and what is known of them, as text: a line on where it is from, then a JSON object a line. One of them is
 * found without reading the others, so that a run that asks for one model does not pay for thousands.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssues from "../message/SchemaIssues.ts"
import * as ModelEntry from "./ModelEntry.ts"

export type ModelTable = string

export const Origin = Schema.Struct({
  source: Schema.String,
  /** The day of what it says: `2026-07-02`. */
  date: Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/)),
})
export type Origin = typeof Origin.Type

/** A model with its id, which comes first in its line. */
const Line = Schema.Struct({ id: Schema.NonEmptyString, ...ModelEntry.ModelEntry.fields })
export type Line = typeof Line.Type

/** None where the text is no table. */
export const origin = (table: ModelTable): Option.Option<Origin> =>
  decodeOrigin(table.slice(0, Math.max(0, table.indexOf("\n"))))

/** `id` as users write it. A line that cannot be read is a model that nothing is known of. */
export const find = (table: ModelTable, id: string): Option.Option<ModelEntry.ModelEntry> => {
  const start = table.indexOf(`\n{"id":${JSON.stringify(id)},`)
  if (start === -1) return Option.none()
  const end = table.indexOf("\n", start + 1)
  return Option.map(decodeLine(table.slice(start + 1, end === -1 ? undefined : end)), ({ id: _, ...entry }) => entry)
}

/** Every line that can be read. */
export const all = (table: ModelTable): ReadonlyArray<Line> =>
  table
    .split("\n")
    .slice(1)
    .flatMap((line) => Option.toArray(decodeLine(line)))

export const make = (origin: Origin, lines: ReadonlyArray<Line>): ModelTable =>
  [origin, ...lines.map(({ id, ...entry }) => ({ id, ...entry }))].map((line) => `${JSON.stringify(line)}\n`).join("")

/**
 * From models.dev's `api.json`: every provider, every model. What is not of the expected shape is left out; `Left`
 * says what is wrong where it is no such catalogue at all.
 */
export const fromModelsDev = (catalogue: unknown, origin: Origin): Either.Either<ModelTable, string> =>
  decodeCatalogue(catalogue).pipe(
    Either.mapLeft((error) => SchemaIssues.fromParseError(error)[0] ?? "is no catalogue"),
    Either.map((providers) =>
      Object.entries(providers).flatMap(([provider, { models }]) =>
        Object.entries(models).flatMap(([name, model]) =>
          Option.toArray(Option.map(decodeModel(model), (model) => line(`${provider}/${name}`, model))),
        ),
      ),
    ),
    Either.filterOrLeft(
      (lines) => lines.length > 0,
      () => "names no model",
    ),
    Either.map((lines) => make(origin, lines)),
  )

const decodeOrigin = Schema.decodeUnknownOption(Schema.parseJson(Origin))
const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(Line))

const named = <A, I>(value: Schema.Schema<A, I>) => Schema.Record({ key: Schema.String, value })

const decodeCatalogue = Schema.decodeUnknownEither(named(Schema.Struct({ models: named(Schema.Unknown) })))

/** What models.dev says of a model, as far as it matters here. 0 stands for unknown there. */
const Model = Schema.Struct({
  limit: Schema.Struct({ context: Schema.NonNegative, output: Schema.NonNegative }),
  cost: Schema.optional(
    Schema.Struct({
      input: Schema.NonNegative,
      output: Schema.NonNegative,
      cache_read: Schema.optional(Schema.NonNegative),
    }),
  ),
  modalities: Schema.optional(ModelEntry.Modalities),
  status: Schema.optional(Schema.String),
})

const decodeModel = Schema.decodeUnknownOption(Model)

const line = (id: string, { cost, limit, modalities, status }: typeof Model.Type): Line => ({
  id,
  context: tokens(limit.context),
  output: tokens(limit.output),
  price: cost && { input: cost.input, output: cost.output, cached: cost.cache_read },
  modalities,
  deprecation: status === "deprecated" ? {} : undefined,
})

const tokens = (count: number): number | undefined => (count >= 1 ? Math.floor(count) : undefined)
