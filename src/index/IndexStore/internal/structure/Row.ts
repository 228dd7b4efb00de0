/** Decodes rows of an index. Everything from the disk is validated; a row that does not decode is damage. */
import * as Shape from "../../../../base/Shape.ts"
import * as FileClass from "../../../../code/FileClass.ts"
import { IndexEntry, kinds, origins } from "../../../IndexEntry.ts"
import type { FileSize, IndexedFile } from "../../../IndexStore.ts"
import type { Line } from "../../../Purposes.ts"

/** Columns and tables of a query for `entry`. */
export const ENTRY = `
  f.path, s.name, s.container, s.kind, s.start_line as startLine, s.end_line as endLine, s.signature, s.doc,
  s.exported, s.used_by as usedBy, s.major, s.hash, s.tokens, s.purpose, s.origin, s.model, s.node, s.stale,
  s.weak, s.confirmed, s.lines
  from symbol s join file f on f.id = s.file`

const flag = Shape.oneOf(0, 1)

/** Columns with the findings of the check of a purpose. */
const findings = {
  weak: Shape.nullOr(Shape.filledText),
  confirmed: Shape.nullOr(flag),
  lines: Shape.nullOr(Shape.text),
}

/** A row as it is in the database. */
const entryRow = Shape.struct({
  path: Shape.text,
  name: Shape.text,
  container: Shape.nullOr(Shape.text),
  kind: Shape.oneOf(...kinds),
  startLine: Shape.number,
  endLine: Shape.number,
  signature: Shape.text,
  doc: Shape.nullOr(Shape.text),
  exported: flag,
  usedBy: Shape.number,
  major: flag,
  hash: Shape.text,
  tokens: Shape.nullOr(Shape.text),
  purpose: Shape.nullOr(Shape.filledText),
  origin: Shape.nullOr(Shape.oneOf(...origins)),
  model: Shape.nullOr(Shape.text),
  node: Shape.nullOr(Shape.text),
  stale: Shape.nullOr(flag),
  ...findings,
})

export const entry = (row: unknown): IndexEntry => {
  const symbol = entryRow(row)
  const { model, node, origin, purpose, stale, tokens } = symbol
  // A purpose without an origin is `NOTHING`, so that no query takes it for the purpose of a model.
  const isSelfExplanatory = purpose !== null && origin === null
  const hasPurpose = purpose !== null && origin !== null && stale !== null
  const author = model !== null && node !== null ? { model, node } : undefined
  const fields = {
    path: symbol.path,
    name: symbol.name,
    kind: symbol.kind,
    startLine: symbol.startLine,
    endLine: symbol.endLine,
    signature: symbol.signature,
    usedBy: symbol.usedBy,
    hash: symbol.hash,
    container: symbol.container ?? undefined,
    doc: symbol.doc ?? undefined,
    ...(tokens !== null && { tokens }),
    exported: symbol.exported === 1,
    isMajor: symbol.major === 1,
    ...(isSelfExplanatory && { isSelfExplanatory }),
    ...(hasPurpose && {
      purpose: { text: purpose, origin, ...author, stale: stale === 1, ...review(symbol) },
    }),
  }
  return new IndexEntry(fields)
}

const review = ({ confirmed, lines, weak }: Pick<Shape.TypeOf<typeof entryRow>, keyof typeof findings>) => ({
  ...(weak !== null && { weak }),
  ...(confirmed === 1 && { confirmed: true }),
  ...(lines !== null && { lines: linesJson(lines) }),
})

const linesJson = Shape.json(Shape.list(Shape.number))

const purposeRow = Shape.struct({
  path: Shape.text,
  symbol: Shape.text,
  kind: Shape.oneOf(...kinds),
  hash: Shape.text,
  tokens: Shape.nullOr(Shape.text),
  purpose: Shape.filledText,
  model: Shape.text,
  node: Shape.text,
  ...findings,
})

/** A row of the table `purpose`. */
export const purpose = (row: unknown): Line => {
  const { confirmed, lines, tokens, weak, ...line } = purposeRow(row)
  return { ...line, ...(tokens !== null && { tokens }), ...review({ weak, confirmed, lines }) }
}

const sizeFields = {
  path: Shape.text,
  class: Shape.oneOf(...FileClass.all),
  symbols: Shape.number,
}

export const size: (row: unknown) => FileSize = Shape.struct(sizeFields)

const fileRow = Shape.struct({
  ...sizeFields,
  language: Shape.nullOr(Shape.text),
  major: Shape.number,
  open: Shape.number,
  importance: Shape.number,
  note: Shape.nullOr(Shape.text),
  cut: Shape.nullOr(Shape.oneOf("work", "time", "syntax")),
})

export const file = (row: unknown): IndexedFile => {
  const { cut, language, note, ...counts } = fileRow(row)
  return { ...counts, cut: cut ?? undefined, language: language ?? undefined, note: note ?? undefined }
}
