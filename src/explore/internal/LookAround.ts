/** The look around: a model explores the code by hand, through tools in a bounded loop, and writes a map of it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import type { GenerateError } from "../../agent/GenerateError.ts"
import { EXPLORATION_ROUNDS, LOOK_AROUND_ROUNDS } from "../../agent/rounds.ts"
import type { TurnEvent } from "../../agent/TurnEvent.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import type { Index, IndexedFile } from "../../index/IndexStore.ts"
import * as ProjectMap from "../../index/ProjectMap.ts"
import * as ProjectOverview from "../../index/ProjectOverview.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { BudgetReached, ModelError } from "../../model/ModelError.ts"
import * as RunBudget from "../../model/RunBudget.ts"
import * as BatchRun from "../BatchRun.ts"
import * as Estimate from "../Estimate.ts"
import { IndexEvent } from "../IndexEvent.ts"
import type * as IndexObserver from "../IndexObserver.ts"
import * as Instruction from "../Instruction.ts"
import type { Report } from "../Report.ts"
import { type ExplorationRun, sinkOf } from "./ExplorationRun.ts"
import * as RunTotals from "./RunTotals.ts"

export interface Explored {
  readonly outcome: Report["outcome"]
  /** The text of the last reply. */
  readonly summary: string
}

interface Options {
  /** The root of the conversation. */
  readonly root: NodeId
  readonly files: ReadonlyArray<IndexedFile>
  readonly earlierMap: string | undefined
  /** True if symbols are to be explained in batches afterwards. */
  readonly hasBatches: boolean
}

/**
 * Returns how the look around ended, and the map of the project then. Undefined if the budget of the run is too small
 * for the map and a batch, since a map explains no symbol.
 */
export const lookAround = Effect.fnUntraced(function* (
  run: ExplorationRun,
  { earlierMap, files, hasBatches, root }: Options,
) {
  const { index, loom, model, recording, rootPath, thinking, toolsOver, totals, watch, workspace } = run
  const { followsInstructions = true } = model
  const tools = toolsOver(workspace, recording)
  const limits = { ...BatchRun.limitsFor(model), rootPath, maxRequests: EXPLORATION_ROUNDS }
  const isLimited = hasBatches && model.affords !== undefined
  const { firstBatch, lookAround } = isLimited
    ? yield* Estimate.make(workspace, index, tools.tools, limits)
    : Estimate.none
  if (isLimited && !(yield* affords(model, Estimate.add(lookAround, firstBatch)))) return undefined

  const limit = hasBatches ? LOOK_AROUND_ROUNDS : EXPLORATION_ROUNDS
  const overview = followsInstructions ? yield* ProjectOverview.read(workspace, files) : undefined
  const options = {
    tools,
    model: isLimited ? keeping(model, firstBatch) : model,
    thinking,
    onEvent: (event: TurnEvent) =>
      Effect.zipRight(
        Ref.update(totals, (before) => RunTotals.noteMapEvent(before, event)),
        sinkOf(run, 0)(event),
      ),
  }
  const text = Instruction.opening(
    rootPath,
    files,
    yield* index.landmarks(Instruction.MAX_LANDMARKS),
    limit,
    overview && { overview, map: earlierMap, hasBatches },
  )
  // If a model still calls tools in the last request, it writes no map, and the batches go without one.
  const ended = loom.generate(root, { ...options, text, maxToolIterations: limit, concludes: hasBatches })
  // A model that says nothing after its tools has looked around, too. Its requests cost what they cost.
  const silent = Effect.catchIf(ended, isEmpty, (error) =>
    Effect.flatMap(Ref.get(totals), ({ ofMap }) => {
      if (ofMap.requests < 2) return error
      const wasted = { usage: error.usage, cost: Cost.of(error.usage, model.price) }
      return Effect.as(
        Ref.update(totals, (before) => RunTotals.spendOnMap(before, wasted)),
        [],
      )
    }),
  )
  // How the loop ended is part of the exploration.
  const explored = yield* outcomeOf(yield* Effect.either(silent))
  const map = followsInstructions ? yield* recordMap(index, explored.summary, earlierMap, watch) : undefined
  return { ...explored, map }
})

const isEmpty = (error: GenerateError): error is ModelError =>
  error._tag === "ModelError" && error.reason._tag === "Empty"

/** Returns how the loop ended: with a text, at its limit, or at the budget. Other ends are failures of the run. */
const outcomeOf = (
  ended: Either.Either<ReadonlyArray<Node>, GenerateError>,
): Effect.Effect<Explored, ModelError | ForestError> => {
  if (Either.isRight(ended)) {
    const [node] = ended.right
    const isWhole = node?.source.type !== "model" || node.source.finish === "stop"
    return Effect.succeed({
      outcome: isWhole ? "complete" : "truncated",
      summary: node === undefined ? "" : Message.text(node.message),
    })
  }
  const error = ended.left
  switch (error._tag) {
    case "ToolIterationLimitExceededError":
      return Effect.succeed({ outcome: "limit", summary: "" })
    case "GenerationAbortedError":
    case "InvalidOptionError":
    case "RepeatedCallsError":
    case "ToolNotFoundError":
    case "ToolsOnlySupportNSingletonError":
      // These cannot happen: the run has no signal and no limit for repetitions, requires no tool, and requests one
      // reply.
      return Effect.die(error)
    case "ModelError":
      return error.reason._tag === "BudgetReached"
        ? Effect.succeed({ outcome: "budget", summary: "" })
        : Effect.fail(error)
    default:
      return Effect.fail(error)
  }
}

/** Records what the model has answered as the map, unless it says that the earlier one holds. Returns the map. */
const recordMap = Effect.fnUntraced(function* (
  index: Pick<Index, "recordMap">,
  answer: string,
  earlier: string | undefined,
  watch: IndexObserver.Watch,
) {
  const written = ProjectMap.isUnchanged(answer) ? undefined : ProjectMap.parse(answer)
  if (written !== undefined) yield* index.recordMap(written)
  const map = written ?? earlier
  if (map !== undefined) yield* watch(IndexEvent.Mapped({ map }))
  return map
})

/** Returns whether the rest of the budget of the run covers a call of so many tokens. */
const affords = ({ affords }: LanguageModel.Service, tokens: LanguageModel.TokenCount): Effect.Effect<boolean> =>
  affords === undefined ? Effect.succeed(true) : affords(tokens)

/** Returns a model that refuses a request if the rest of the budget would then not cover these tokens any more. */
const keeping = (model: LanguageModel.Service, kept: LanguageModel.TokenCount): LanguageModel.Service => ({
  ...model,
  generate: (request, observer) =>
    Effect.flatMap(
      affords(model, {
        inputTokens: RunBudget.estimate(request) + kept.inputTokens,
        outputTokens: RunBudget.MIN_ANSWER_TOKENS + kept.outputTokens,
      }),
      (isAfforded) =>
        isAfforded
          ? model.generate(request, observer)
          : new ModelError({
              model: String(model.id),
              reason: new BudgetReached({ message: "what is left of the run's limit is kept for the batches" }),
            }),
    ),
})
