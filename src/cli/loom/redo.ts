/** `vibe loom redo`: restores the operation that `vibe loom undo` has reverted last. */
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import type { Reverted } from "../../forest/Operation.ts"
import * as Screen from "../terminal/Screen.ts"
import type { ForestInput } from "./options.ts"
import { describeReversal, LOOM_AUTHOR } from "./undo.ts"

export const run = Effect.fn("cli.loom.redo")(function* ({ json }: ForestInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const redone = yield* forest.redo(LOOM_AUTHOR)
  if (json) return yield* Screen.line(out, sanitizeJson({ redone }))
  for (const each of redone) yield* Screen.line(out, describeRedo(each))
})

/** `redone: 12 loom append (1 node brought back) in the tree 01jx…` */
const describeRedo = (operation: Reverted): string =>
  describeReversal("redone", operation, {
    added: "brought back",
    removed: "taken away",
    changed: "changed again",
    moved: "moved again",
  })
