/** The work of `vibe loom redo`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Change from "../../loom/Change.ts"
import * as Screen from "../../terminal/Screen.ts"
import { own } from "./Undo.ts"

export interface Input {
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.redo")(function* ({ json }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const redone = yield* forest.redo(own)
  if (json) return yield* Screen.line(out, sanitizeJson({ redone }))
  for (const each of redone) yield* Screen.line(out, Change.redone(each))
})
