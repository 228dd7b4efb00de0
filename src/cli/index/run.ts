/** Runs `vibe index`. */

import { resolve } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Indexing from "../../app/Indexing.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import type * as RunStore from "../../cluster/RunStore.ts"
import * as Files from "../../code/Files.ts"
import * as Selection from "../../code/Selection.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Sources from "../../config/Sources.ts"
import * as IndexingOrchestrator from "../../explore/IndexingOrchestrator.ts"
import { describeFailures } from "../../explore/Report.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as LeftOut from "../../review/LeftOut.ts"
import { NothingExplained } from "../CommandError.ts"
import { DetailedFailure } from "../Failure.ts"
import * as Project from "../project/Project.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import type { Options as EmbedOptions } from "./embed.ts"

/** The runs of the cluster, for `--status` and `--cancel`; `None` if neither is asked for. */
export class Cluster extends Context.Tag("vibe/cli/index/Cluster")<Cluster, Option.Option<RunStore.Service>>() {}

/** Prints the report with `--json`; the `IndexObserver` prints everything else. */
export const run = Effect.fn("cli.index")(function* (input: Input) {
  const { all, documented, exclude, include, json, liteModel, parallel, path, refreshWeak, thinking, verbose } = input
  const { err, out } = yield* Screen.Screen
  const runs = yield* Cluster
  if (Option.isSome(runs)) {
    const { cancel, status } = yield* Effect.promise(() => import("./status.ts"))
    return yield* Option.match(input.cancel, {
      onNone: () =>
        status(
          runs.value,
          Option.getOrElse(input.status, () => ""),
          json,
        ),
      onSome: (id) => cancel(runs.value, id, json),
    })
  }
  yield* Project.requireOwn(path)
  if (!input.estimate) yield* requirePurposes(path)
  const settings = Effect.all({
    selection: AppConfig.selection,
    parallel: AppConfig.parallel,
    thinking: AppConfig.thinking,
    embedding: AppConfig.embedding,
    wiki: AppConfig.wiki,
  })
  const configured = yield* Effect.provide(settings, Sources.layer(path))
  const selection = Selection.concat(configured.selection, {
    exclude: Selection.toPatterns(exclude),
    include: Selection.toPatterns(include),
  })
  const embedding = chooseEmbedding(input, configured.embedding)
  const writesWiki = !input.noWiki && Option.getOrElse(configured.wiki, () => true)
  if (input.estimate) {
    const { run } = yield* Effect.promise(() => import("./estimate.ts"))
    return yield* run({
      documented,
      json,
      model: input.model,
      liteModel,
      path,
      refreshWeak,
      selection,
      embedding,
      writesWiki,
    })
  }
  const embed = embedding === undefined ? undefined : yield* openEmbedding(embedding)
  const report = yield* IndexingOrchestrator.runGuidedExploration(path, verbose, {
    selection,
    liteModel: Option.getOrUndefined(yield* Effect.transposeMapOption(liteModel, openLiteModel)),
    all: all || input.cluster,
    refreshWeak,
    documented,
    parallel: Option.getOrUndefined(Option.orElse(parallel, () => configured.parallel)),
    thinking: Option.getOrUndefined(Option.orElse(thinking, () => configured.thinking)),
    afterRun: writesWiki ? yield* Indexing.wikiAfterRun({ asksModel: !input.cluster }) : undefined,
  })
  const unexplained =
    report.outcome === "unexplained" ? new NothingExplained({ message: describeFailures(report) }) : undefined
  if (embed === undefined) {
    if (unexplained !== undefined) {
      return yield* new DetailedFailure({ failure: unexplained, others: [], object: report })
    }
    if (json) yield* Screen.line(out, sanitizeJson(report))
    return
  }
  const embedded = yield* embed({
    path,
    selection,
    parallel: Option.getOrUndefined(Option.orElse(parallel, () => configured.parallel)),
  })
  const object = { ...report, embedding: embedded.object }
  const [failure, ...others] = [embedded.outcome.failure, unexplained].filter((failure) => failure !== undefined)
  if (Option.isNone(configured.embedding)) {
    yield* Screen.line(
      err,
      "To search with them, set embedding.model in your own configuration file, or VIBE_EMBEDDING_MODEL",
    )
  }
  if (failure !== undefined) return yield* new DetailedFailure({ failure, others, object })
  if (json) yield* Screen.line(out, sanitizeJson(object))
})

/**
 * Fails if files of purposes are not checked out: new purposes would go to files that lack the earlier ones, and Git
 * would take those for removed. Says how many other files are not checked out.
 */
const requirePurposes = Effect.fnUntraced(function* (folder: string) {
  const { err } = yield* Screen.Screen
  const files = yield* Files.Files
  const root = yield* Effect.option(files.realPath(resolve(folder)))
  if (Option.isNone(root)) return
  const leftOut = yield* LeftOut.find(root.value)
  const [first] = leftOut.purposes
  if (first !== undefined) {
    return yield* new UsageError({
      message: `${first} is not checked out, and its purposes would be lost: 'git sparse-checkout add .vibe' in ${folder} brings it back`,
      command: "index",
    })
  }
  if (leftOut.files > 0) yield* Screen.line(err, `vibe: ${LeftOut.describe(leftOut)}; their purposes stay`)
})

/** The model of the command line, or else that of the settings; none with `--no-embed`. */
const chooseEmbedding = (
  { embed, noEmbed }: Pick<Input, "embed" | "noEmbed">,
  configured: Option.Option<AppConfig.Embedding>,
): AppConfig.Embedding | undefined => {
  const known = Option.getOrUndefined(configured)
  if (noEmbed) return undefined
  if (Option.isNone(embed)) return known
  const model = embed.value
  // The dimensions of one model may not be offered by another.
  return { model, dimensions: String(known?.model) === String(model) ? known?.dimensions : undefined }
}

/** The model is opened before the exploration, so that a missing key costs nothing. */
const openEmbedding = Effect.fnUntraced(function* (settings: AppConfig.Embedding) {
  const Embed = yield* Effect.promise(() => import("./embed.ts"))
  const embedder = yield* Embed.open(settings)
  return (options: Omit<EmbedOptions, "embedder">) => Embed.run({ ...options, embedder })
})

const openLiteModel = Effect.fnUntraced(function* (id: ModelId) {
  const registry = yield* ModelRegistry.ModelRegistry
  const model = yield* registry.open(id)
  if (model.followsInstructions === false) {
    return yield* new UsageError({ message: `--lite-model: ${String(id)} is no language model (vibe models)` })
  }
  return model
})
