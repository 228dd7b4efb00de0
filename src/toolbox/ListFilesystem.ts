/** `list_filesystem`: the entries of a folder, with the number of symbols that are open. */
import { posix } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import * as FileClass from "../code/FileClass.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { Index, IndexedFile } from "../index/IndexStore.ts"
import * as Tool from "../tool/Tool.ts"

/** Shows a line for each entry: its path from the root, a slash after a folder, and its counts in the index. */
export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "list_filesystem",
    description:
      "Lists the direct contents of a folder, sorted, as paths relative to the root; folders end in a slash. Behind a path stand the number of its symbols and how many are open, that is, have no purpose yet; of the code before tests and other files.",
    parameters: Schema.Struct({
      path: Schema.String.annotations({ description: 'The folder, relative to the root; "." is the root' }),
    }),
    readOnly: true,
    run: ({ path }) => list(workspace, index, path).pipe(Tool.orFail),
  })

/** Lists a folder. Fails if the path is none. */
export const list = Effect.fnUntraced(function* (workspace: Workspace, index: Index, path: string) {
  const { entries, hidden } = yield* workspace.list(path)
  const folder = posix.dirname(entries[0]?.path ?? ".")
  const files = yield* Effect.map(index.filesIn(folder), (files) => byEntry(files, entries))
  const lines = entries.map(({ kind, path }) => line(kind === "folder" ? `${path}/` : path, files.get(path) ?? []))
  const notes = hidden === 0 ? [] : [`(${hidden} more not shown: ignored, private, or no files)`]
  return { text: [...lines, ...notes].join("\n"), data: entries }
})

/** Groups the indexed files by the entry that they are at or below, in one pass over the files. */
const byEntry = (
  files: ReadonlyArray<IndexedFile>,
  entries: ReadonlyArray<{ readonly path: string }>,
): ReadonlyMap<string, ReadonlyArray<IndexedFile>> => {
  const depth = entries[0]?.path.split("/").length ?? 0
  return Map.groupBy(files, ({ path }) => path.split("/", depth).join("/"))
}

/** Counts the code, and after it the other classes of files. A line break in a name begins no line of the list. */
const line = (path: string, files: ReadonlyArray<IndexedFile>): string => {
  const counts = FileClass.all.flatMap((name) => count(name, files))
  const name = sanitizeLine(path)
  return counts.length === 0 ? name : `${name} (${counts.join("; ")})`
}

/** Returns nothing for a class without symbols. */
const count = (name: FileClass.FileClass, files: ReadonlyArray<IndexedFile>): ReadonlyArray<string> => {
  const ofClass = files.filter((file) => file.class === name)
  const symbols = sum(ofClass, (file) => file.symbols)
  if (symbols === 0) return []
  const where = name === "code" ? "" : ` of ${FileClass.nounOf(name)}`
  const open = sum(ofClass, (file) => file.open)
  return [`${plural(symbols, "symbol")}${where}${open === 0 ? "" : `, ${open} open`}`]
}

const sum = (files: ReadonlyArray<IndexedFile>, of: (file: IndexedFile) => number): number =>
  files.reduce((total, file) => total + of(file), 0)
