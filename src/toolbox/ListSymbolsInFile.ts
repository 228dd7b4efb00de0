/** `list_symbols_in_file`: the symbols that a file defines. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "../indexing/IndexEntry.ts"
import type { Index } from "../indexing/IndexStore.ts"
import { plural } from "../message/Plural.ts"
import * as Tool from "../tool/Tool.ts"
import * as ToolResult from "../tool/ToolResult.ts"

/** A line of JSON for each symbol. A long result is not cut in the middle: it ends with the offset to continue from. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "list_symbols_in_file",
    description:
      "Lists the symbols that a file defines, a JSON object a line: symbol (its qualified name), kind, startLine, endLine, signature, doc, exported, major, usedBy (how many other files use it), and purpose where it has one, from its comment or by a model: stale where the symbol has changed since. Of a file with many symbols it lists the first ones, and says with which offset to go on.",
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: "The file, relative to the root" }),
      offset: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.nonNegative())).annotations({
        description: "How many symbols of the file to leave out at the beginning",
      }),
    }),
    readOnly: true,
    run: ({ offset = 0, path }) =>
      Effect.gen(function* () {
        const file = yield* workspace.read(path)
        const entries = yield* index.symbolsIn(file.path)
        if (entries.length > 0) return page(entries, offset)
        const note = (yield* index.filesIn(file.path)).at(0)?.note
        return note === undefined ? "(no symbols)" : `(no symbols: ${note})`
      }).pipe(Tool.orFail),
  })

/** In bytes. The rest of the limit is for the line with the offset to continue from. */
const MAX_SHOWN_BYTES = ToolResult.limit - 200

const page = (entries: ReadonlyArray<IndexEntry>, offset: number): ToolResult.ToolResult => {
  if (offset >= entries.length) return ToolResult.text(`(the file has ${plural(entries.length, "symbol")})`)
  const lines: Array<string> = []
  let size = 0
  for (const entry of entries.slice(offset)) {
    const line = JSON.stringify(summary(entry))
    size += Buffer.byteLength(line) + 1
    if (size > MAX_SHOWN_BYTES) break
    lines.push(line)
  }
  const next = offset + lines.length
  const left = entries.length - next
  const more =
    left === 0 ? [] : [`(${left} of ${plural(entries.length, "symbol")} not shown: go on with offset ${next})`]
  return { text: [...lines, ...more].join("\n"), data: entries.slice(offset, next) }
}

/** The description of a symbol for a model. False and empty properties are left out. */
export const summary = (entry: IndexEntry) => ({
  symbol: entry.qualifiedName,
  kind: entry.kind,
  startLine: entry.startLine,
  endLine: entry.endLine,
  signature: entry.signature,
  // A purpose from the comment is the beginning of it.
  doc: entry.doc === undefined || entry.purpose?.origin === "comment" ? undefined : firstParagraph(entry.doc),
  exported: entry.exported || undefined,
  major: entry.isMajor || undefined,
  usedBy: entry.usedBy === 0 ? undefined : entry.usedBy,
  purpose: entry.purpose?.text,
  stale: entry.purpose?.stale || undefined,
})

const firstParagraph = (doc: string): string => {
  const paragraph = (doc.trim().split(/\n\s*\n/)[0] ?? "").replaceAll(/\s+/g, " ")
  return paragraph.length <= 400 ? paragraph : `${paragraph.slice(0, 400).toWellFormed()}…`
}
