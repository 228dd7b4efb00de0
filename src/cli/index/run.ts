/** Runs `vibe index`. */

import * as Effect from "effect/Effect"
import * as IndexingOrchestrator from "../../indexing/IndexingOrchestrator.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

/** Prints the report with `--json`; the `IndexObserver` prints everything else. */
export const run = Effect.fn("cli.index")(function* ({ json, path, verbose }: Input) {
  const { out } = yield* Screen.Screen
  yield* Project.requireOwn(path)
  const report = yield* IndexingOrchestrator.runGuidedExploration(path, verbose)
  if (json) yield* Screen.line(out, sanitizeJson(report))
})
