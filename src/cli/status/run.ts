/** Runs `vibe status`. */

import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as Project from "../project/Project.ts"
import * as SymbolText from "../project/SymbolText.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.status")(function* ({ json, root }: Input) {
  const { out } = yield* Screen.Screen
  const { index, workspace } = yield* Project.open(root)
  const status = yield* index.status
  yield* Screen.line(
    out,
    json ? sanitizeJson(SymbolText.status(workspace.root, status)) : SymbolText.statusText(workspace.root, status),
  )
}, Effect.scoped)
