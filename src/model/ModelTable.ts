/**
 * Catalogue entries as text: a line with the origin, then one JSON object per line. A lookup parses one line only, so
 * that a run that uses one model does not parse thousands.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssues from "../base/SchemaIssues.ts"
import * as ModelEntry from "./ModelEntry.ts"

export type ModelTable = string

export const Origin = Schema.Struct({
  source: Schema.String,
  /** The day of the data, such as `2026-07-02`. */
  date: Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/)),
})
export type Origin = typeof Origin.Type

/** An entry with its id, which is its first field. */
const Line = Schema.Struct({ id: Schema.NonEmptyString, ...ModelEntry.ModelEntry.fields })
export type Line = typeof Line.Type

/** Returns `None` if the text is not a table. */
export const origin = (table: ModelTable): Option.Option<Origin> =>
  decodeOrigin(table.slice(0, Math.max(0, table.indexOf("\n"))))

/** Finds the entry of a model id. A line that cannot be parsed counts as missing. */
export const find = (table: ModelTable, id: string): Option.Option<ModelEntry.ModelEntry> => {
  const start = table.indexOf(`\n{"id":${JSON.stringify(id)},`)
  if (start === -1) return Option.none()
  const end = table.indexOf("\n", start + 1)
  return Option.map(decodeLine(table.slice(start + 1, end === -1 ? undefined : end)), ({ id: _, ...entry }) => entry)
}

/** Returns all lines that can be parsed. */
export const all = (table: ModelTable): ReadonlyArray<Line> =>
  table
    .split("\n")
    .slice(1)
    .flatMap((line) => Option.toArray(decodeLine(line)))

export const make = (origin: Origin, lines: ReadonlyArray<Line>): ModelTable =>
  [origin, ...lines.map(({ id, ...entry }) => ({ id, ...entry }))].map((line) => `${JSON.stringify(line)}\n`).join("")

/**
 * Converts the `api.json` of models.dev. Models of another shape are left out. Returns `Left` with the problem if
 * nothing can be converted.
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

const recordOf = <A, I>(value: Schema.Schema<A, I>) => Schema.Record({ key: Schema.String, value })

const decodeCatalogue = Schema.decodeUnknownEither(recordOf(Schema.Struct({ models: recordOf(Schema.Unknown) })))

/** The part of a model of models.dev that is needed here. 0 stands for unknown. */
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
