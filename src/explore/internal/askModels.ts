/**
 * Asks models for all that a run needs, in this order: it joins a run that was begun elsewhere, has a map of the
 * project written if one is due, and has the open symbols explained in batches.
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { EXPLORATION_ROUNDS } from "../../agent/rounds.ts"
import { decorate } from "../../index/decorate.ts"
import type { IndexedFile, Refreshed } from "../../index/IndexStore.ts"
import * as ProjectMap from "../../index/ProjectMap.ts"
import * as WorkLeft from "../../index/WorkLeft.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as BatchRun from "../BatchRun.ts"
import * as Exploration from "../Exploration.ts"
import * as Instruction from "../Instruction.ts"
import type { Report } from "../Report.ts"
import { type ExplorationRun, sinkOf } from "./ExplorationRun.ts"
import { type Explored, lookAround } from "./LookAround.ts"

const nothingAsked: Explored = { outcome: "complete", summary: "" }

/** Returns how the run ended, its map, and how many batches it sent. */
export const askModels = Effect.fnUntraced(function* (run: ExplorationRun, { parsed }: Refreshed) {
  const { forest, index, model, opened, workspace } = run
  const explorer = yield* BatchRun.Explorer
  const files = yield* index.files
  const { followsInstructions = true } = model
  const hasBatches = followsInstructions && countOpen(files) > 0
  // A request could add nothing.
  if (followsInstructions && !hasBatches) {
    const map = yield* index.map
    if (map !== undefined) return { ...nothingAsked, map, batches: 0 }
  }

  const root = yield* forest.root({ owner: `index:${workspace.root}`, systemPrompt: Instruction.system })
  const resumed = hasBatches ? yield* explorer.resume(yield* settingsFor(run, root.id, yield* index.map)) : undefined
  const earlierMap = yield* index.map
  if (resumed !== undefined) return { ...resumed, summary: "", map: earlierMap }
  // Weak purposes say nothing about the map. To count the open symbols of all files takes a while.
  const isMapDue = !hasBatches || ProjectMap.isDue(earlierMap, yield* opened.files, parsed)
  const explored = isMapDue ? yield* lookAround(run, { root: root.id, files, earlierMap, hasBatches }) : undefined
  if (explored !== undefined && !hasBatches) return { ...explored, batches: 0 }
  return yield* explainAll(run, root.id, explored ?? { ...nothingAsked, map: earlierMap })
})

/** Sends the symbols that are still open in batches below `root`. */
const explainAll = Effect.fnUntraced(function* (
  run: ExplorationRun,
  root: NodeId,
  explored: Explored & { readonly map: string | undefined },
) {
  if (countOpen(yield* run.index.files) === 0) return { ...explored, batches: 0 }

  const left = EXPLORATION_ROUNDS - (yield* Ref.get(run.totals)).ofMap.requests
  if (left <= 0 && !run.all) return { ...explored, outcome: "limit" as const, batches: 0 }

  const explorer = yield* BatchRun.Explorer
  const ended = yield* explorer.explain(yield* settingsFor(run, root, explored.map))
  // The user should learn that the map was cut off.
  const outcome: Report["outcome"] =
    ended.outcome === "complete" && explored.outcome === "truncated" ? "truncated" : ended.outcome
  return { ...ended, outcome, summary: explored.summary, map: explored.map }
})

const settingsFor = Effect.fnUntraced(function* (run: ExplorationRun, root: NodeId, map: string | undefined) {
  const { all, index, liteModel, loom, model, parallel, recording, thinking, toolsOver, totals, watch, workspace } = run
  const { requests, spending } = (yield* Ref.get(totals)).ofMap
  const settings: BatchRun.Settings = {
    loom,
    workspace,
    index,
    root,
    map,
    model,
    liteModel,
    thinking,
    parallel,
    maxRequests: EXPLORATION_ROUNDS,
    requestsLeft: EXPLORATION_ROUNDS - requests,
    spent: spending.cost,
    startNext: all
      ? Ref.update(totals, (before) => ({ ...before, exploration: Exploration.startNext(before.exploration) }))
      : undefined,
    toolsFor: (batch, receivers) =>
      receivers === undefined
        ? toolsOver(workspace, recording, batch)
        : toolsOver(workspace, decorate(recording, { onRecorded: receivers.onRecord }), batch, receivers.onRefused),
    watch,
    onEvent: (branch) => sinkOf(run, branch),
  }
  return settings
})

/** Counts the open symbols of the files that count. */
const countOpen = (files: ReadonlyArray<IndexedFile>): number =>
  WorkLeft.of(files).files.reduce((sum, { open }) => sum + open, 0)
