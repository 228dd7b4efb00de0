/** `vibe loom show`: prints one message in full, with its metadata. */
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ShowInput } from "./readCommands.ts"

export const run = Effect.fn("cli.loom.show")(function* ({ json, node, noPager }: ShowInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const place = yield* NodeFormat.findPlace(node)
  const children = yield* MessageParts.children(forest, place.id)
  const labels = yield* NodeFormat.loadLabels(children)
  if (json) {
    const object = { node: NodeFormat.toObject(place, labels.titles), children: children.map(({ id }) => id) }
    return yield* Screen.line(out, sanitizeJson(object))
  }
  yield* Pager.print(out, NodeFormat.details(place, children, labels), { noPager })
})
