/** `/export`: the conversation so far as a file. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Output } from "../../code/Output.ts"
import * as Export from "../../forest/Export.ts"
import * as NodeText from "../../forest/NodeText.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as View from "../View.ts"
import { noMessage } from "./lastUserMessage.ts"
import type { SlashCommand } from "./SlashCommand.ts"

const formats: ReadonlyMap<string, Export.Format> = new Map([
  ["", "markdown"],
  [".md", "markdown"],
  [".json", "json"],
  [".jsonl", "jsonl"],
  [".html", "html"],
])

/** Writes to the output folder. An existing file is not overwritten. */
export const exportTo = (output: Output): SlashCommand => ({
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
      if ((yield* output.read(file)) !== undefined)
        return yield* new UsageError({ message: `${file} is there already: name another file` })
      const { nodes, root } = yield* forest.path(at)
      const ids = new Set(nodes.map(({ id }) => id))
      const bookmarks = (yield* forest.bookmarks).filter(({ node }) => ids.has(node))
      const conversations = Export.describe(Option.toArray(yield* forest.conversation(at)))
      const { exported, left } = Export.readable({ root, nodes, bookmarks, conversations })
      const { path } = yield* output.write(file, `${Export.text(exported, format)}\n`)
      const without = left.length === 0 ? "" : `, without ${NodeText.unreadable(left)}`
      yield* view.show(View.Entry.Noted({ text: `wrote ${path}${without}` }))
      return "continue" as const
    }),
})
