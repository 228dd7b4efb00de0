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
export const run = Effect.fn("cli.index")(function* (input: Input) {
  const { exclude, include, json, path, verbose } = input
  const { out } = yield* Screen.Screen
  yield* Project.requireOwn(path)
  const configured = yield* Effect.provide(AppConfig.selection, Sources.layer(path))
  const selection = Selection.concat(configured, { exclude, include })
  if (input.estimate) {
    const { run } = yield* Effect.promise(() => import("./estimate.ts"))
    return yield* run({ json, model: input.model, path, selection })
  }
  const report = yield* IndexingOrchestrator.runGuidedExploration(path, verbose, {
    selection,
  })
  if (json) yield* Screen.line(out, sanitizeJson(report))
})
