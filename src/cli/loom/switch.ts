/** `vibe loom switch`: moves `@`, the user's position in this folder. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { SwitchInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.switch")(function* ({ json, newest, node }: SwitchInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (Option.isSome(node) === newest) {
    const message = newest
      ? "'loom switch' takes either NODE or --newest"
      : "'loom switch' needs the NODE to go to, or --newest"
    return yield* new UsageError({ message, command: "loom switch" })
  }
  yield* forest.switchTo(Option.isSome(node) ? yield* NodeName.resolve(node.value) : undefined)
  const place = yield* NodeFormat.findPlace("@")
  const parts = NodeText.isRoot(place) ? ([place] as const) : yield* MessageParts.read(forest, place.id)
  const labels = yield* NodeFormat.loadLabels(parts)
  if (json) return yield* Screen.line(out, sanitizeJson({ node: NodeFormat.toObject(place, labels.titles) }))
  yield* Screen.line(out, NodeFormat.row(parts, labels, out.style, { width: yield* NodeFormat.lineWidth(out) }))
})
