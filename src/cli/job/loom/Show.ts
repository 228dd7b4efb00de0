/** The work of `vibe loom show`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: string
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.show")(function* ({ json, node }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const place = yield* Naming.place(node)
  const children = yield* forest.children(place.id)
  const names = yield* Naming.of(children)
  if (json) {
    const shown = { node: Conversation.object(place, names.titles), children: children.map(({ id }) => id) }
    return yield* Screen.line(out, sanitizeJson(shown))
  }
  yield* Screen.line(out, Conversation.details(place, children, names))
})
