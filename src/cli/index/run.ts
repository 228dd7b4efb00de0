/** Runs `vibe index`. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Selection from "../../code/Selection.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as IndexingOrchestrator from "../../indexing/IndexingOrchestrator.ts"
import type { ModelId } from "../../message/ModelId.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

/** Prints the report with `--json`; the `IndexObserver` prints everything else. */
export const run = Effect.fn("cli.index")(function* (input: Input) {
  const { all, documented, exclude, include, json, liteModel, parallel, path, refreshWeak, thinking, verbose } = input
  const { out } = yield* Screen.Screen
  yield* Project.requireOwn(path)
  const settings = Effect.all({
    selection: AppConfig.selection,
    parallel: AppConfig.parallel,
    thinking: AppConfig.thinking,
  })
  const configured = yield* Effect.provide(settings, Sources.layer(path))
  const selection = Selection.concat(configured.selection, { exclude, include })
  if (input.estimate) {
    const { run } = yield* Effect.promise(() => import("./estimate.ts"))
    return yield* run({ documented, json, model: input.model, liteModel, path, refreshWeak, selection })
  }
  const report = yield* IndexingOrchestrator.runGuidedExploration(path, verbose, {
    selection,
    liteModel: Option.getOrUndefined(yield* Effect.transposeMapOption(liteModel, openLiteModel)),
    all,
    refreshWeak,
    documented,
    parallel: Option.getOrUndefined(Option.orElse(parallel, () => configured.parallel)),
    thinking: Option.getOrUndefined(Option.orElse(thinking, () => configured.thinking)),
  })
  if (json) yield* Screen.line(out, sanitizeJson(report))
})

const openLiteModel = Effect.fnUntraced(function* (id: ModelId) {
  const registry = yield* ModelRegistry.ModelRegistry
  const model = yield* registry.open(id)
  if (model.followsInstructions === false) {
    return yield* new UsageError({ message: `--lite-model: ${String(id)} is no language model (vibe models)` })
  }
  return model
})
