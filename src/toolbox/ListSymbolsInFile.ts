/** `list_symbols_in_file`: the symbols that a file defines. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "../indexing/IndexEntry.ts"
import type { Index } from "../indexing/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"

/** A line of JSON for each symbol, so that a truncated result can still be read. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "list_symbols_in_file",
    description:
      "Lists the symbols that a file defines, a JSON object a line: symbol (its qualified name), kind, startLine, endLine, signature, doc, exported, major, usedBy (how many other files use it), and purpose where it has one: derived where it was only read off the name, stale where the symbol has changed since.",
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: "The file, relative to the root" }),
    }),
    readOnly: true,
    run: ({ path }) =>
      Effect.gen(function* () {
        const file = yield* workspace.read(path)
        const entries = yield* index.symbolsIn(file.path)
        if (entries.length > 0)
          return { text: entries.map((entry) => JSON.stringify(summary(entry))).join("\n"), data: entries }
        const note = (yield* index.filesIn(file.path)).at(0)?.note
        return note === undefined ? "(no symbols)" : `(no symbols: ${note})`
      }).pipe(Tool.orFail),
  })

/** The description of a symbol for a model. False and empty properties are left out. */
export const summary = (entry: IndexEntry) => ({
  symbol: entry.qualifiedName,
  kind: entry.kind,
  startLine: entry.startLine,
  endLine: entry.endLine,
  signature: entry.signature,
  doc: entry.doc === undefined ? undefined : firstParagraph(entry.doc),
  exported: entry.exported || undefined,
  major: entry.isMajor || undefined,
  usedBy: entry.usedBy === 0 ? undefined : entry.usedBy,
  purpose: entry.purpose?.text,
  derived: entry.purpose?.origin === "derived" || undefined,
  stale: entry.purpose?.stale || undefined,
})

const firstParagraph = (doc: string): string => {
  const paragraph = (doc.trim().split(/\n\s*\n/)[0] ?? "").replaceAll(/\s+/g, " ")
  return paragraph.length <= 400 ? paragraph : `${paragraph.slice(0, 400).toWellFormed()}…`
}
