/** How rows become what the rest of vibe knows. Nothing that was on a disk is taken on trust. */
import * as Schema from "effect/Schema"
import type { Statements } from "../../../disk/Sqlite.ts"
import { IndexEntry, Kind, Origin } from "../../IndexEntry.ts"
import type { IndexedFile } from "../../IndexStore.ts"
import { type Known, Line } from "../../Purposes.ts"

/**
 * The values of each row, in the order of the columns: for what a search reads many of. To make an object for each
 * takes as long as to read them.
 */
export const values = (
  sql: Statements,
  text: string,
  parameter: string | number,
): ReadonlyArray<ReadonlyArray<unknown>> => {
  const statement = sql(text)
  statement.setReturnArrays(true)
  const rows: ReadonlyArray<unknown> = statement.all(parameter)
  return rows.filter(Array.isArray)
}

/** Where and what to select for `entry`. */
export const ENTRY = `
  f.path, s.name, s.container, s.kind, s.start_line as startLine, s.end_line as endLine, s.signature, s.doc,
  s.exported, s.used_by as usedBy, s.hash, s.purpose, s.origin, s.model, s.node, s.stale
  from symbol s join file f on f.id = s.file`

/** `null` of the database is our `undefined`. */
const orNone = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.transform(Schema.NullOr(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    strict: true,
    decode: (value) => value ?? undefined,
    encode: (value) => value ?? null,
  })

/** As the database has it. Without transformations, which would take most of the time of a search for five. */
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
  hash: Schema.String,
  purpose: Schema.NullOr(Schema.NonEmptyString),
  origin: Schema.NullOr(Origin),
  model: Schema.NullOr(Schema.String),
  node: Schema.NullOr(Schema.String),
  stale: Schema.NullOr(Schema.Literal(0, 1)),
})
const decodeEntry = Schema.decodeUnknownSync(Entry)

export const entry = (row: unknown): IndexEntry => {
  const { container, doc, exported, model, node, origin, purpose, stale, ...symbol } = decodeEntry(row)
  const isKnown = purpose !== null && origin !== null && model !== null && node !== null && stale !== null
  const known = {
    ...symbol,
    container: container ?? undefined,
    doc: doc ?? undefined,
    exported: exported === 1,
    ...(isKnown && { purpose: { text: purpose, origin, model, node, stale: stale === 1 } }),
  }
  // It was all looked at above.
  return new IndexEntry(known, { disableValidation: true })
}

const decodePurpose = Schema.decodeUnknownSync(
  Schema.Struct({ ...Line.fields, origin: Origin, doc: orNone(Schema.String) }),
)

/** A row of the table `purpose`. */
export const purpose = (row: unknown): Known => decodePurpose(row)

const decodeFile = Schema.decodeUnknownSync(
  Schema.Struct({
    path: Schema.String,
    language: orNone(Schema.String),
    symbols: Schema.Number,
    major: Schema.Number,
    open: Schema.Number,
    derived: Schema.Number,
    note: orNone(Schema.String),
    cut: orNone(Schema.Literal("work", "time")),
  }),
)

export const file = (row: unknown): IndexedFile => decodeFile(row)
