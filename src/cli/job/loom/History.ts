/** The work of `vibe loom history`. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import type * as Operation from "../../../forest/Operation.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Change from "../../loom/Change.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly limit: Option.Option<number>
  readonly json: boolean
}

/** Operations that are listed unless more are asked for. */
const USUAL = 20

export const run = Effect.fn("cli.loom.history")(function* ({ json, limit }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const operations = yield* forest.history(Option.getOrElse(limit, () => USUAL))
  if (json) return yield* Screen.line(out, sanitizeJson({ operations: operations.map(object) }))
  const short = yield* NodeName.shortNames(operations.flatMap(({ trees }) => trees))
  for (const operation of operations) yield* Screen.line(out, Change.row(operation, short, out.style))
})

/** What is not known is null. */
const object = ({ author, of, ...operation }: Operation.Summary): object => ({
  ...operation,
  author: author ?? null,
  of: of ?? null,
})
