/** The work of `vibe loom edit`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: string
  readonly words: ReadonlyArray<string>
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.edit")(function* ({ json, node, words }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const edited = yield* forest.edit(yield* NodeName.resolve(node), words.join(" "))
  const { titles } = yield* Naming.of([])
  yield* Screen.line(out, json ? sanitizeJson({ node: Conversation.object(edited, titles) }) : edited.id)
})
