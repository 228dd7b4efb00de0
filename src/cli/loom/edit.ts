/** `vibe loom edit`: replaces the text of a message. */
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import { editMessage } from "../../forest/editMessage.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { EditInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.edit")(function* ({ json, node, words }: EditInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const edited = yield* editMessage(forest, yield* NodeName.resolve(node), words.join(" "))
  const { titles } = yield* NodeFormat.loadLabels([])
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(edited, titles) }) : edited.id)
})
