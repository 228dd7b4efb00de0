/**
 * `vibe index --estimate`: makes the structure, and prints what an exploration would cost. It asks no model and needs
 * none.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { wikiEstimate } from "../../app/wikiEstimate.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import type * as Selection from "../../code/Selection.ts"
import * as Workspace from "../../code/Workspace.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as KnownProviders from "../../config/KnownProviders.ts"
import * as Sources from "../../config/Sources.ts"
import * as BatchRun from "../../explore/BatchRun.ts"
import * as Estimate from "../../explore/Estimate.ts"
import { IndexEvent } from "../../explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../explore/IndexObserver.ts"
import * as Reopened from "../../explore/Reopened.ts"
import { IndexError, NothingToIndex } from "../../index/IndexError.ts"
import * as IndexStore from "../../index/IndexStore.ts"
import * as ProjectMap from "../../index/ProjectMap.ts"
import * as RunProgress from "../../index/RunProgress.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as Limits from "../../model/Limits.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import * as ModelEntry from "../../model/ModelEntry.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as IndexTools from "../../toolbox/IndexTools.ts"
import * as ChosenModel from "../conversation/ChosenModel.ts"
import * as Screen from "../terminal/Screen.ts"
import * as EstimateText from "./EstimateText.ts"

interface Options {
  readonly path: string
  readonly model: Option.Option<ModelId>
  readonly liteModel: Option.Option<ModelId>
  readonly selection: Selection.Selection
  /** True if weak purposes count as open. */
  readonly refreshWeak: boolean
  /** True if documented symbols count as open. */
  readonly documented: boolean
  readonly json: boolean
  /** True if a run would write the wiki. */
  readonly writesWiki: boolean
  /** The model that embeds symbols; undefined if nothing is embedded. */
  readonly embedding: AppConfig.Embedding | undefined
}

/** Prints the estimate once the progress line is erased. */
export const run = Effect.fn("cli.index.estimate")(function* (options: Options) {
  const { out } = yield* Screen.Screen
  const shown = yield* measure(options)
  const { embedding, ...explained } = shown
  if (options.json) {
    return yield* Screen.line(out, sanitizeJson({ ...EstimateText.object(explained), ...(embedding && { embedding }) }))
  }
  yield* Screen.line(out, EstimateText.text(explained, out.style))
  if (embedding === undefined) return
  const { estimateLine } = yield* loadEmbed
  yield* Screen.line(out, estimateLine(embedding))
})

const loadEmbed = Effect.promise(() => import("./embed.ts"))

const measure = Effect.fnUntraced(function* (options: Options) {
  const { documented, liteModel, model, path, refreshWeak, selection, writesWiki } = options
  const chosen = yield* Effect.provide(choose(model), Sources.layer(path))
  const lite = Option.getOrUndefined(yield* Effect.transposeMapOption(liteModel, lookUp))
  const observer = yield* IndexObserver.IndexObserver
  const watch = yield* observer.watch({ verbose: false })
  const store = yield* IndexStore.IndexStore
  const workspace = yield* Workspace.open(path, selection)
  const empty = new IndexError({ path: workspace.root, reason: new NothingToIndex() })
  if ((yield* workspace.list(".")).entries.length === 0) return yield* empty
  yield* store.claim(workspace)
  const opened = yield* store.open(workspace)
  const models = [chosen, ...(lite ? [lite] : [])].map(({ id }) => String(id))
  const index = yield* Reopened.reopen(opened, { weak: refreshWeak ? { models } : undefined, documented })
  const { files, parsed } = yield* Effect.locally(index.refresh, RunProgress.refreshObserver, (progress) =>
    watch(IndexEvent.Refreshing(progress)),
  )
  if (files === 0) return yield* empty
  const estimate = yield* Estimate.make(workspace, index, IndexTools.make(workspace, index).tools, {
    ...BatchRun.limitsFor(chosen),
    lite: lite && BatchRun.limitsFor(lite),
    rootPath: path,
    // Weak purposes and comments say nothing about the map.
    isMapDue: ProjectMap.isDue(yield* index.map, yield* opened.files, parsed),
    maxRequests: IndexingOrchestrator.MAX_ITERATIONS,
  })
  const shown: EstimateText.Shown = {
    root: workspace.root,
    estimate,
    models: [{ ...chosen, lite }, ...(yield* others(chosen.id))],
    wiki: writesWiki ? yield* wikiEstimate(workspace, opened, chosen) : undefined,
  }
  const { embedding } = options
  if (embedding === undefined) return { ...shown, embedding }
  const Embed = yield* loadEmbed
  return { ...shown, embedding: yield* Embed.estimate(workspace, index, embedding) }
}, Effect.scoped)

/** The model of a run, or the default one if none is available. */
const choose = Effect.fnUntraced(function* (named: Option.Option<ModelId>) {
  const { id } = yield* ChosenModel.choose(named)
  return yield* lookUp(id.provider === KnownProviders.offline.provider ? KnownProviders.defaultModels[0] : id)
})

/** Looks up a model. One that cannot be opened, since it has no key, has the limits and the price of the catalogue. */
const lookUp = Effect.fnUntraced(function* (id: ModelId) {
  const registry = yield* ModelRegistry.ModelRegistry
  const opened = yield* Effect.option(registry.open(id))
  if (Option.isSome(opened)) {
    const { isLocal, limits, price } = opened.value
    return { id, isLocal, limits, price }
  }
  const entry = yield* (yield* ModelCatalog.ModelCatalog).find(id)
  return { id, limits: ModelEntry.limits(entry, Limits.unknown), price: entry.price }
})

/**
 * Picks three models to compare: a cheap one, a usual one and a strong one. Each is the first of its row that has a
 * price, is not deprecated, and is not the chosen model.
 */
const others = Effect.fnUntraced(function* (chosen: ModelId) {
  const catalog = yield* ModelCatalog.ModelCatalog
  const all = new Map((yield* catalog.all).map(({ entry, id }) => [String(id), { id, entry }]))
  return COMPARED.flatMap((names) =>
    names
      .flatMap((name) => all.get(name) ?? [])
      .filter(
        ({ entry, id }) =>
          String(id) !== String(chosen) && entry.price !== undefined && entry.deprecation === undefined,
      )
      .slice(0, 1)
      .map(({ entry, id }): EstimateText.Model => ({ id, price: entry.price })),
  )
})

const COMPARED = [
  ["google/gemini-flash-lite-latest", "openai/gpt-5.4-nano"],
  ["openai/gpt-5.4-mini", "google/gemini-flash-latest"],
  ["anthropic/claude-sonnet-5", "openai/gpt-5.4"],
]
