/** `list_symbols_in_file`: the outline of a file. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { plural } from "../base/Prose.ts"
import type { Workspace } from "../code/Workspace.ts"
import { type IndexEntry, isOpen } from "../index/IndexEntry.ts"
import type { Index } from "../index/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"
import * as ToolResult from "../tool/ToolResult.ts"
import { rowsOf } from "./internal/outline.ts"
import * as ListFilesystem from "./ListFilesystem.ts"

const path = Schema.String.annotations({ description: "The file, relative to the root" })

const offset = Schema.optional(Schema.Number.pipe(Schema.int(), Schema.nonNegative())).annotations({
  description: "How many symbols of the file to skip",
})

const all = Schema.optional(Schema.Boolean).annotations({ description: "Whether to list explained symbols too" })

const LINES =
  "indented by container: lines, kind, name, rest of the signature, how many other files use it, beginning of its purpose"

const PAGES = "A long outline says with which offset to go on."

/** Lists all symbols of a file. A long result is not cut in the middle: it ends with the offset to continue from. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "list_symbols_in_file",
    description: `Outlines a file, a line for each symbol, ${LINES}. ${PAGES}`,
    parameters: Schema.Struct({ path, offset }),
    readOnly: true,
    run: ({ offset, path }) => outline(workspace, index, { path, offset, isAll: true }),
  })

/**
 * Makes the same tool for an exploration, which asks for what is left to explain. Without `all`, it lists only open
 * symbols and counts the others. An offset counts all symbols of the file, so that it stays valid while purposes are
 * recorded.
 */
export const makeOpen = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "list_symbols_in_file",
    description: `Outlines the open symbols of a file, which have no purpose yet or a stale one, a line for each, ${LINES}. ${PAGES}`,
    parameters: Schema.Struct({ path, all, offset }),
    readOnly: true,
    run: ({ all = false, offset, path }) => outline(workspace, index, { path, offset, isAll: all }),
  })

interface View {
  readonly path: string
  readonly offset: number | undefined
  readonly isAll: boolean
}

const outline = (workspace: Workspace, index: Index, { isAll, offset = 0, path }: View) =>
  Effect.gen(function* () {
    const file = yield* workspace.read(path)
    const entries = yield* index.symbolsIn(file.path)
    if (entries.length > 0) return page(entries, offset, isAll)
    const note = (yield* index.filesIn(file.path)).at(0)?.note
    return ToolResult.text(note === undefined ? "(no symbols)" : `(no symbols: ${note})`)
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotAFile",
      (failure) => Effect.mapError(folder(workspace, index, path), () => failure),
    ),
    Tool.orFail,
  )

/** Answers for a folder with its entries and how many symbols they have, since that is what a model asks next. */
const folder = (workspace: Workspace, index: Index, path: string) =>
  Effect.map(ListFilesystem.list(workspace, index, path), ({ data, text }) => ({
    text: `(a folder: ask for one of its files)\n${text}`,
    data,
  }))

/** The most bytes of the listed symbols. The rest of the limit is for the lines at the end. */
const MAX_SHOWN_BYTES = ToolResult.limit - 400

const page = (entries: ReadonlyArray<IndexEntry>, offset: number, isAll: boolean): ToolResult.ToolResult => {
  if (offset >= entries.length) return ToolResult.text(`(the file has ${plural(entries.length, "symbol")})`)
  const wanted = entries.slice(offset).filter((entry) => isAll || isOpen(entry))
  const lines: Array<string> = []
  let size = 0
  let shown = 0
  for (const { entry, text } of rowsOf(wanted, entries)) {
    size += Buffer.byteLength(text) + 1
    if (size > MAX_SHOWN_BYTES) break
    lines.push(text)
    if (entry !== undefined) shown++
  }
  const next = wanted[shown]
  return {
    text: [
      ...lines,
      ...(next === undefined
        ? []
        : [
            `(${wanted.length - shown} of ${plural(entries.length, "symbol")} not shown: go on with offset ${entries.indexOf(next)})`,
          ]),
      ...(isAll ? [] : closing(entries)),
    ].join("\n"),
    data: wanted.slice(0, shown),
  }
}

/** Says how many symbols of the file an exploration does not see. */
const closing = (entries: ReadonlyArray<IndexEntry>): ReadonlyArray<string> => {
  const open = entries.filter(isOpen).length
  const others = plural(entries.length - open, open === 0 ? "symbol" : "other symbol")
  return open === entries.length ? [] : [`(${open === 0 ? "nothing is open; " : ""}${others}: all: true lists them)`]
}
