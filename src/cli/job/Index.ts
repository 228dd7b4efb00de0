/** The work of `vibe index`. */

import * as Effect from "effect/Effect"
import * as IndexingOrchestrator from "../../indexing/IndexingOrchestrator.ts"
import { printableJson } from "../../message/Printable.ts"
import * as Project from "../Project.ts"
import * as Screen from "../Screen.ts"

export interface Input {
  readonly path: string
  readonly verbose: boolean
  readonly json: boolean
}

/** The `IndexObserver` prints all but the report. */
export const run = Effect.fn("cli.index")(function* ({ json, path, verbose }: Input) {
  const { out } = yield* Screen.Screen
  yield* Project.requireOwn(path)
  const report = yield* IndexingOrchestrator.runGuidedExploration(path, verbose)
  if (json) yield* Screen.line(out, printableJson(report))
})
