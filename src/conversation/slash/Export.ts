/** `/export`: writes the conversation so far to a file. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"
import * as Output from "../../code/Output.ts"
import * as Export from "../../forest/Export.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"
import { noMessage } from "./SlashCommand.ts"

const formats: ReadonlyMap<string, Export.Format> = new Map([
  ["", "markdown"],
  [".md", "markdown"],
  [".json", "json"],
  [".jsonl", "jsonl"],
  [".html", "html"],
])

/**
 * Writes to the path that the user gives, relative to `folder`, which need not contain it. An existing file is not
 * overwritten.
 */
export const exportFrom = (folder: string, files: Files.Service): SlashCommand => ({
  name: "export",
  argument: "[FILE]",
  summary: "Write the conversation to a file: .md, .html, .json or .jsonl",
  run: ({ cursor, forest, view }, words) =>
    Effect.gen(function* () {
      const at = yield* cursor
      if (at === undefined) return yield* noMessage
      const file = words === "" ? `conversation-${at.slice(0, 10)}.md` : words
      const format = formats.get(Path.extname(file).toLowerCase())
      if (format === undefined) {
        return yield* new UsageError({ message: `${file}: the name has to end in .md, .html, .json or .jsonl` })
      }
      const target = Path.resolve(folder, file)
      const output = yield* openFolderOf(target, files)
      if ((yield* output.read(target)) !== undefined)
        return yield* new UsageError({ message: `${file} is there already: name another file` })
      const { nodes, root } = yield* forest.path(at)
      const ids = new Set(nodes.map(({ id }) => id))
      const bookmarks = (yield* forest.bookmarks).filter(({ node }) => ids.has(node))
      const conversations = Export.describe(Option.toArray(yield* forest.conversation(at)))
      const { exported, left } = Export.readable({ root, nodes, bookmarks, conversations })
      yield* output.write(target, `${Export.text(exported, format)}\n`)
      const without = left.length === 0 ? "" : `, without ${NodeText.unreadable(left)}`
      yield* view.show(View.Entry.Noted({ text: `wrote ${file}${without}` }))
      return "continue" as const
    }),
})

/** The folder of a file, which the first write makes if it does not exist. */
const openFolderOf = (target: string, files: Files.Service) =>
  Effect.gen(function* () {
    const folder = Path.dirname(target)
    return yield* Output.open(yield* Output.nearestFolder(folder), folder)
  }).pipe(Effect.provideService(Files.Files, files))
