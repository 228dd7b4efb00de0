/** Decodes rows of an index. Everything from the disk is validated; a row that does not decode is damage. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as FileClass from "../../../../code/FileClass.ts"
import { IndexEntry, Kind, Origin } from "../../../IndexEntry.ts"
import type { IndexedFile } from "../../../IndexStore.ts"
import { Line } from "../../../Purposes.ts"

/** Columns and tables of a query for `entry`. */
export const ENTRY = `
  f.path, s.name, s.container, s.kind, s.start_line as startLine, s.end_line as endLine, s.signature, s.doc,
  s.exported, s.used_by as usedBy, s.major, s.hash, s.tokens, s.purpose, s.origin, s.model, s.node, s.stale,
  s.weak, s.confirmed, s.lines
  from symbol s join file f on f.id = s.file`

/** Converts `null` in the database to `undefined` in the program. */
const orUndefined = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.transform(Schema.NullOr(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    strict: true,
    decode: (value) => value ?? undefined,
    encode: (value) => value ?? null,
  })

/**
 * A row as it is in the database, without transformations: they would take most of the time of a search for five
 * symbols.
 */
const Entry = Schema.Struct({
  path: Schema.String,
  name: Schema.String,
  container: Schema.NullOr(Schema.String),
  kind: Kind,
  startLine: Schema.Number,
  endLine: Schema.Number,
  signature: Schema.String,
  doc: Schema.NullOr(Schema.String),
  exported: Schema.Literal(0, 1),
  usedBy: Schema.Number,
  major: Schema.Literal(0, 1),
  hash: Schema.String,
  tokens: Schema.NullOr(Schema.String),
  purpose: Schema.NullOr(Schema.NonEmptyString),
  origin: Schema.NullOr(Origin),
  model: Schema.NullOr(Schema.String),
  node: Schema.NullOr(Schema.String),
  stale: Schema.NullOr(Schema.Literal(0, 1)),
  weak: Schema.NullOr(Schema.NonEmptyString),
  confirmed: Schema.NullOr(Schema.Literal(0, 1)),
  lines: Schema.NullOr(Schema.String),
})
const decodeEntry = Schema.decodeUnknownSync(Entry)

export const entry = (row: unknown): IndexEntry => {
  const {
    confirmed,
    container,
    doc,
    exported,
    lines,
    major,
    model,
    node,
    origin,
    purpose,
    stale,
    tokens,
    weak,
    ...symbol
  } = decodeEntry(row)
  const hasPurpose = purpose !== null && origin !== null && stale !== null
  const author = model !== null && node !== null ? { model, node } : undefined
  const fields = {
    ...symbol,
    container: container ?? undefined,
    doc: doc ?? undefined,
    ...(tokens !== null && { tokens }),
    exported: exported === 1,
    isMajor: major === 1,
    ...(hasPurpose && {
      purpose: { text: purpose, origin, ...author, stale: stale === 1, ...review({ weak, confirmed, lines }) },
    }),
  }
  // The fields were validated above.
  return new IndexEntry(fields, { disableValidation: true })
}

/** The findings of the check of a purpose. */
const review = ({ confirmed, lines, weak }: Pick<typeof Entry.Type, "weak" | "confirmed" | "lines">) => ({
  ...(weak !== null && { weak }),
  ...(confirmed === 1 && { confirmed: true }),
  ...(lines !== null && { lines: decodeLines(lines) }),
})

const decodeLines = Schema.decodeSync(Schema.parseJson(Schema.Array(Schema.Number)))

const decodePurpose = Schema.decodeUnknownSync(
  Schema.Struct({ ...Line.fields, ...Struct.pick(Entry.fields, "tokens", "weak", "confirmed", "lines") }),
)

/** A row of the table `purpose`. */
export const purpose = (row: unknown): Line => {
  const { confirmed, lines, tokens, weak, ...line } = decodePurpose(row)
  return { ...line, ...(tokens !== null && { tokens }), ...review({ weak, confirmed, lines }) }
}

const decodeFile = Schema.decodeUnknownSync(
  Schema.Struct({
    path: Schema.String,
    language: orUndefined(Schema.String),
    class: Schema.Literal(...FileClass.all),
    symbols: Schema.Number,
    major: Schema.Number,
    open: Schema.Number,
    importance: Schema.Number,
    note: orUndefined(Schema.String),
    cut: orUndefined(Schema.Literal("work", "time", "syntax")),
  }),
)

export const file = (row: unknown): IndexedFile => decodeFile(row)
