/** A chat with any model or agent. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as LoomEngine from "../../agent/LoomEngine.ts"
import * as Forest from "../../forest/Forest.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as ChatEngine from "../engines/ChatEngine.ts"
import type { ChatEvent } from "../engines/ChatEvent.ts"
import { type Backend, openOnFirstMessage, type Reply, type SessionMode } from "../SessionMode.ts"
import * as Turn from "../Turn.ts"

export interface Options {
  readonly owner: string
  readonly systemPrompt: string
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const mode: SessionMode = {
    owner: options.owner,
    open: yield* openBackend(options),
    takesPictures: true,
    commands: [],
    onReply: () => Effect.succeed("continue"),
    handleInput: () => Effect.succeed(undefined),
  }
  return mode
})

/** Opens a `ChatEngine` at a place. */
export const openBackend = (
  options: Options,
): Effect.Effect<SessionMode["open"], never, Forest.Forest | LoomEngine.LoomEngine> =>
  Effect.map(Effect.context<Forest.Forest | LoomEngine.LoomEngine>(), (context) => ({ from, model, tools }) => {
    const open = (from: NodeId) =>
      ChatEngine.make({
        ...options,
        agent: model,
        from,
        tools,
        ...Turn.LIMITS,
        // The context window decides what the model forgets, and the user is told.
        maxHistoryMessages: Number.POSITIVE_INFINITY,
        timeout: 0,
      }).pipe(Effect.provide(context), Effect.map(backendOf))
    const forest = Context.get(context, Forest.Forest)
    return from === undefined ? openOnFirstMessage(forest, options, open) : open(from)
  })

const backendOf = ({ cursor, sendMessage }: ChatEngine.Service): Backend => ({
  cursor,
  send: (text, options) => Stream.runFoldEffect(sendMessage(text, options), noReply, addEvent),
})

const noReply: Reply = { text: "", filesWritten: [], isComplete: false }

const addEvent = (reply: Reply, event: ChatEvent) => {
  switch (event.type) {
    case "message:received":
      return Effect.succeed({ ...reply, text: event.message.content })
    case "error:occurred":
      return Effect.fail(event.cause)
    default:
      return Effect.succeed(reply)
  }
}
