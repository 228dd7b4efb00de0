/** Runs `vibe index`. */

import * as Effect from "effect/Effect"
import * as Selection from "../../code/Selection.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as IndexingOrchestrator from "../../indexing/IndexingOrchestrator.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

/** Prints the report with `--json`; the `IndexObserver` prints everything else. */
export const run = Effect.fn("cli.index")(function* ({ exclude, include, json, path, refreshWeak, verbose }: Input) {
  const { out } = yield* Screen.Screen
  yield* Project.requireOwn(path)
  const configured = yield* Effect.provide(AppConfig.selection, Sources.layer(path))
  const report = yield* IndexingOrchestrator.runGuidedExploration(path, verbose, {
    selection: Selection.concat(configured, { exclude, include }),
    refreshWeak,
  })
  if (json) yield* Screen.line(out, sanitizeJson(report))
})
