/** The work of `vibe status`. */

import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { printableJson } from "../../message/Printable.ts"
import * as Answer from "../Answer.ts"
import * as Project from "../Project.ts"
import * as Screen from "../Screen.ts"

export interface Input {
  readonly root: Option.Option<string>
  readonly json: boolean
}

export const run = Effect.fn("cli.status")(function* ({ json, root }: Input) {
  const { out } = yield* Screen.Screen
  const { index, workspace } = yield* Project.open(root)
  const status = yield* index.status
  yield* Screen.line(
    out,
    json ? printableJson(Answer.status(workspace.root, status)) : Answer.statusText(workspace.root, status),
  )
}, Effect.scoped)
