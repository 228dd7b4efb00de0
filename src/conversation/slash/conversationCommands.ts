/** The slash commands for the conversation as a whole. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { timeOf } from "../../base/Prose.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Conversations from "../Conversations.ts"
import * as Resume from "../Resume.ts"
import * as View from "../View.ts"
import { noMessage, type SlashCommand } from "./SlashCommand.ts"
import { goTo } from "./Tree.ts"

/** `/new`: starts a new conversation. The current one stays in the forest. */
export const newConversation: SlashCommand = {
  name: "new",
  argument: undefined,
  summary: "Begin a new conversation; this one stays in the forest",
  run: ({ moveTo: move, view }) =>
    Effect.as(
      Effect.zipRight(move(undefined), view.show(View.Entry.Noted({ text: "a new conversation" }))),
      "continue",
    ),
}

/**
 * `/clear`: clears the screen and begins a new conversation, as in other chat programs. The current one stays in the
 * forest.
 */
export const clear: SlashCommand = {
  name: "clear",
  argument: undefined,
  summary: "Clear the screen and begin a new conversation; this one stays in the forest",
  run: (session, words) =>
    Effect.zipRight(session.view.show(View.Entry.Cleared()), newConversation.run(session, words)),
}

/** `/resume`: continues another conversation. */
export const resume = (files: Files.Service, place: Resume.Place): SlashCommand => ({
  name: "resume",
  argument: "[--all] [N or NODE]",
  summary: "Continue another conversation of this folder, or of all",
  run: (session, words) =>
    Effect.gen(function* () {
      const [, all, name = ""] = /^(--all\b\s*)?(.*)$/s.exec(words) ?? []
      const scope = Conversations.scopeOf(session.owner, place.folder, all !== undefined)
      const isNumber = /^\d{1,4}$/.test(name)
      if (name === "" || isNumber) {
        const picked = yield* Resume.pick(session, scope, place, isNumber ? Number(name) : undefined)
        if (picked !== undefined) yield* Resume.goTo(session, picked.last.id, place)
        return "continue" as const
      }
      const node = yield* Effect.provideService(NodeName.resolve(name), Forest.Forest, session.forest)
      yield* Resume.goTo(session, node, place)
      return "continue" as const
    }).pipe(Effect.provideService(Files.Files, files)),
})

/** `/title`: shows or changes the title of the conversation. */
export const title: SlashCommand = {
  name: "title",
  argument: "[TEXT]",
  summary: "Show the title of this conversation, or give it one",
  isImmediate: true,
  run: ({ cursor, forest, view }, text) =>
    Effect.gen(function* () {
      const at = yield* cursor
      const conversation = at === undefined ? Option.none() : yield* forest.conversation(at)
      if (Option.isNone(conversation)) return yield* noMessage
      const { title } = text === "" ? conversation.value : yield* forest.rename(conversation.value.root, text)
      // The conversation has only notices so far, such as an edit of the document.
      if (title === "") return yield* noMessage
      yield* view.show(View.Entry.Noted({ text: text === "" ? title : `The title is now: ${title}` }))
      return "continue" as const
    }),
}

/**
 * `/save`: bookmarks the position of the conversation. `program` is the command that continues from the bookmark, such
 * as `vibe chat`.
 */
export const save = (program: string): SlashCommand => ({
  name: "save",
  argument: "TITLE",
  summary: "Bookmark this place",
  run: ({ cursor, forest, view }, title) =>
    Effect.gen(function* () {
      const at = yield* cursor
      if (title === "") return yield* new UsageError({ message: "/save takes a title" })
      if (at === undefined) return yield* noMessage
      const { nodes } = yield* forest.path(at, { last: 1 })
      if (nodes.length === 0) return yield* noMessage
      yield* forest.bookmark(title, at)
      yield* view.show(
        View.Entry.Noted({ text: `saved: ${program} --resume=${JSON.stringify(title)} continues from here` }),
      )
      return "continue" as const
    }),
})

/** `/search`: finds messages in all conversations of the mode, and goes to one. */
export const search: SlashCommand = {
  name: "search",
  argument: "WORDS",
  summary: "Search all of your conversations, and go to a result",
  run: (session, words) =>
    Effect.gen(function* () {
      const { forest, owner, view } = session
      if (words === "") return yield* new UsageError({ message: "/search takes words to look for" })
      const hits = yield* Effect.provideService(Conversations.search(owner, words, LIMIT), Forest.Forest, forest)
      const found = (yield* MessageParts.readAll(forest, hits)).map(MessageParts.join)
      if (found.length === 0) return yield* new UsageError({ message: `no conversation says: ${words}` })
      const picked = yield* view.choose({
        title: words,
        command: "/tree ID",
        preselected: 0,
        choices: found.map((node) => ({
          label: NodeText.line(node),
          about: `${node.id.slice(0, 10)} ${timeOf(node.createdAt)}`,
        })),
      })
      const node = found[Option.getOrElse(picked, () => -1)]
      if (node !== undefined) yield* goTo(session, node)
      return "continue" as const
    }),
}

/** The most choices in the menu. */
const LIMIT = 50

/** Lists the other commands and itself. */
export const help = (others: ReadonlyArray<SlashCommand>, keys: string): SlashCommand => {
  const self: SlashCommand = {
    name: "help",
    argument: undefined,
    summary: "This list",
    isImmediate: true,
    run: ({ view }) =>
      Effect.as(
        view.show(View.Entry.Noted({ text: [...listCommands([...others, self]), keys].join("\n") })),
        "continue",
      ),
  }
  return self
}

export const quit: SlashCommand = {
  name: "quit",
  aliases: ["exit", "q"],
  argument: undefined,
  summary: "Leave; everything is kept",
  isImmediate: true,
  run: () => Effect.succeed("exit"),
}

const listCommands = (commands: ReadonlyArray<SlashCommand>): ReadonlyArray<string> => {
  const named = commands.map(
    ({ name, summary, argument: takes }) => [`/${name}${takes === undefined ? "" : ` ${takes}`}`, summary] as const,
  )
  const width = Math.max(...named.map(([name]) => name.length))
  return named.map(([name, summary]) => `${name.padEnd(width)}  ${summary}`)
}
