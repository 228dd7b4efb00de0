/** The work of `vibe loom append`. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import { BlankText, ForestError } from "../../../forest/ForestError.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Block from "../../../message/Block.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Speech from "../../loom/Speech.ts"
import * as Screen from "../../terminal/Screen.ts"
import * as Stdin from "../../terminal/Stdin.ts"

export interface Input extends Speech.Typed {
  readonly role: "user" | "assistant"
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.append")(function* ({ json, role, ...typed }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const said = Effect.flatMap(Speech.of(typed, { text: piped }), ({ parent, text }) => {
    const draft: Draft = {
      message: { role, content: [Block.text(text)] },
      source: { type: "user" },
    }
    return forest.append(parent, [draft])
  })
  const [node] = yield* forest.operation(said)
  if (node === undefined) return yield* new ForestError({ reason: new BlankText() })
  const { titles } = yield* Naming.of([])
  yield* Screen.line(out, json ? sanitizeJson({ node: Conversation.object(node, titles) }) : node.id)
})

/** Without the line break that ends a file. */
const piped = Effect.flatMap(Stdin.Stdin, ({ text }) =>
  Effect.filterOrFail(
    Effect.map(text, (text) => Option.getOrElse(text, () => "").replace(/\r?\n$/, "")),
    (text) => text.trim() !== "",
    () => new ForestError({ reason: new BlankText() }),
  ),
)
