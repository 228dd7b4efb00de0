/** `get_symbol_details`: one symbol, with its source. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Index } from "../index/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"
import { locate } from "./internal/locate.ts"
import { marksOf, rangeOf } from "./internal/outline.ts"
import { withOtherName } from "./internal/renamedParameter.ts"
import { MAX_BYTES, shownLines } from "./internal/shownLines.ts"

interface Options {
  /** True if the lines of the source have numbers, as in `ReadFile`. */
  readonly isNumbered: boolean
}

/** Accepts the parameter name `symbol` too, as `create_index_entry` calls it. */
export const make = (workspace: Workspace, index: Index, options: Options): Tool.Tool =>
  withOtherName(declare(workspace, index, options), "symbolName", "symbol")

const declare = (workspace: Workspace, index: Index, { isNumbered }: Options): Tool.Tool =>
  Tool.make({
    name: "get_symbol_details",
    description: "Shows one symbol of a file: its purpose, its whole comment and its source.",
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: "The file, relative to the root" }),
      symbolName: Schema.String.annotations({ description: "Its name, or its qualified name: Container.name" }),
    }),
    readOnly: true,
    run: ({ path, symbolName }) =>
      Effect.gen(function* () {
        const file = yield* workspace.read(path)
        const entries = yield* locate(index, file.path, symbolName)
        const lines = file.text.split(/\r?\n/)
        const details = entries.map((entry) => ({
          ...summary(entry),
          path: entry.path,
          doc: entry.doc,
          content: lines.slice(entry.startLine - 1, entry.endLine).join("\n"),
        }))
        const limit = Math.floor(MAX_BYTES / entries.length)
        return { text: entries.map((entry) => describe(entry, lines, isNumbered, limit)).join("\n\n"), data: details }
      }).pipe(Tool.orFail),
  })

/** Summarizes a symbol for programs. False and empty properties are left out. */
const summary = (entry: IndexEntry) => ({
  symbol: entry.qualifiedName,
  kind: entry.kind,
  startLine: entry.startLine,
  endLine: entry.endLine,
  signature: entry.signature,
  exported: entry.exported || undefined,
  major: entry.isMajor || undefined,
  usedBy: entry.usedBy === 0 ? undefined : entry.usedBy,
  purpose: entry.purpose?.text,
  stale: entry.purpose?.stale || undefined,
})

/**
 * Shows `src/a.ts:10-20 function greet (used by 3)`, the purpose, the comment and the source. A comment in the source
 * is not repeated, nor is a purpose that is the beginning of the comment.
 */
const describe = (entry: IndexEntry, lines: ReadonlyArray<string>, isNumbered: boolean, limit: number): string => {
  const { doc, endLine, kind, path, purpose, qualifiedName, startLine } = entry
  const source = shownLines(lines, { start: startLine, end: endLine, isNumbered, limit })
  const text = lines.slice(startLine - 1, endLine).join("\n")
  const isInSource = doc === undefined || doc.split("\n").every((line) => text.includes(line.trim()))
  return (
    [
      [`${path}:${rangeOf(entry)} ${kind} ${qualifiedName}`, marksOf(entry)].filter((part) => part !== "").join(" "),
      ...(purpose === undefined || purpose.origin === "comment" ? [] : [`purpose: ${purpose.text}`]),
      ...(isInSource ? [] : [`comment: ${doc.trim()}`]),
      ...source,
    ]
      .join("\n")
      // `ToolResult.presentable` would take a text with a NUL for binary.
      .replaceAll("\0", "\ufffd")
  )
}
