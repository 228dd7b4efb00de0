/** `/copy`: copies the last answer. */
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import { readTail } from "../../forest/readTail.ts"
import * as Message from "../../message/Message.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

/** The number of nodes of the path that are read at first. */
const STEP = 20

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
