/** The slash commands for one message of the conversation. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import { readTail } from "../../forest/ForestService.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import * as Mentions from "../Mentions.ts"
import * as View from "../View.ts"
import { lastUserMessage, noMessage, pickChoice, type SlashCommand } from "./SlashCommand.ts"
import { goTo } from "./Tree.ts"

/** `/edit`: replaces the last message on a new branch. */
export const edit: SlashCommand = {
  name: "edit",
  argument: "[TEXT]",
  summary: "Edit your last message and send it again; the old one stays on the tree",
  run: (session, text) =>
    Effect.gen(function* () {
      const node = yield* lastUserMessage(session)
      if (text === "") yield* goTo(session, node)
      else
        yield* session.send(
          text,
          node.parent,
          node.message.content.flatMap((block) => (block.type === "image" ? [block] : [])),
        )
      return "continue" as const
    }),
}

/** `/retry`: requests another answer to the last message, each a branch of its own. */
export const retry: SlashCommand = {
  name: "retry",
  argument: "[-n N]",
  summary: "Request another answer to your last message, or N answers",
  run: (session, words) =>
    Effect.gen(function* () {
      const times = Number(/^(?:-n\s*)?(\d+)$/.exec(words)?.[1] ?? (words === "" ? 1 : Number.NaN))
      if (!(times >= 1 && times <= MAX_ANSWERS)) {
        return yield* new UsageError({ message: `/retry takes -n and a number from 1 to ${MAX_ANSWERS}` })
      }
      const node = yield* lastUserMessage(session)
      // Each answer starts from the message itself, so that it is one question with several answers.
      for (let time = 0; time < times; time++) yield* session.answerAgain(node)
      return "continue" as const
    }),
}

const MAX_ANSWERS = 20

/** `/undo`: goes back to before the last message. The message and its answer stay on the tree. */
export const undo: SlashCommand = {
  name: "undo",
  argument: undefined,
  summary: "Go back to before your last message; /tree still has it",
  run: (session) =>
    Effect.gen(function* () {
      const node = yield* lastUserMessage(session)
      yield* session.moveTo(node.parent)
      yield* session.view.show(View.Entry.Noted({ text: "back before your last message; /tree still has it" }))
      return "continue" as const
    }),
}

/** `/fork`: goes back to an earlier message, to branch off before it. */
export const fork: SlashCommand = {
  name: "fork",
  argument: "[N]",
  summary: "Go back to one of your messages, and branch off there",
  run: (session, words) =>
    Effect.gen(function* () {
      const at = yield* session.cursor
      const nodes = at === undefined ? [] : (yield* session.forest.path(at, { last: MAX_MESSAGES })).nodes
      const own = MessageParts.joinAll(nodes).filter(({ message }) => message.role === "user")
      if (own.length === 0) return yield* noMessage
      const picked = yield* pickChoice(session, words, {
        title: "Where to branch off?",
        command: "/fork N",
        preselected: own.length - 1,
        choices: own.map(({ message }) => ({ label: Mentions.withoutFiles(Message.text(message)), about: undefined })),
      })
      const node = own[Option.getOrElse(picked, () => -1)]
      if (node !== undefined) yield* goTo(session, node)
      return "continue" as const
    }),
}

/** The number of nodes that are searched for messages. */
const MAX_MESSAGES = 400

/** The number of nodes of the path that are read at first. */
const STEP = 20

/** `/copy`: copies the last answer. */
export const copy: SlashCommand = {
  name: "copy",
  argument: undefined,
  summary: "Copy the last answer to the clipboard",
  run: ({ cursor, forest, view }) =>
    Effect.gen(function* () {
      const { copy } = view
      if (copy === undefined)
        return yield* new UsageError({
          message: "there is no clipboard here; /export writes the conversation to a file",
        })
      const at = yield* cursor
      const nodes = at === undefined ? [] : (yield* readTail(forest, at, STEP, (nodes) => nodes.some(isAnswer))).nodes
      const answer = nodes.findLast(isAnswer)
      if (answer === undefined) return yield* new UsageError({ message: "there is no answer yet" })
      const { message } = MessageParts.join(yield* MessageParts.read(forest, answer.id))
      yield* view.show(View.Entry.Noted({ text: yield* copy(Message.text(message)) }))
      return "continue" as const
    }),
}

const isAnswer = ({ message }: Node): boolean => message.role === "assistant" && Message.text(message).trim() !== ""
