/** The state of a run of `vibe index`: a fold of the events of the loop, which also produces the index events. */
import * as Spending from "../agent/Spending.ts"
import type { TurnEvent } from "../agent/TurnEvent.ts"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import { IndexEvent } from "./IndexEvent.ts"

export interface Exploration {
  /** Explorations of the run: 1, or more with `all`. */
  readonly explorations: number
  /** The requests of this exploration, and of those before it. */
  readonly iterations: number
  readonly earlierIterations: number
  readonly toolCalls: number
  /** Calls of the latest reply of each branch, in their order. */
  readonly calls: ReadonlyMap<number, ReadonlyArray<Call>>
  readonly spending: Spending.Spending
  /** The model of the latest reply, as `provider/name`. */
  readonly model: string
}

interface Call {
  readonly id: string
  /** Its `ToolFinished` event, until that is reported. */
  readonly result: IndexEvent | undefined
  readonly isReported: boolean
}

export const start = (model: ModelId): Exploration => ({
  explorations: 1,
  iterations: 0,
  earlierIterations: 0,
  toolCalls: 0,
  calls: new Map(),
  spending: Spending.zero,
  model: String(model),
})

/** Begins a further exploration of the same run. */
export const startNext = (exploration: Exploration): Exploration => ({
  ...exploration,
  explorations: exploration.explorations + 1,
  iterations: 0,
  earlierIterations: allIterations(exploration),
})

/** Counts the requests of the whole run. */
export const allIterations = ({ earlierIterations, iterations }: Exploration): number => earlierIterations + iterations

type Step = readonly [exploration: Exploration, events: ReadonlyArray<IndexEvent>]

/**
 * Adds the next event, and returns the new state and the index events that follow. `limit` is the most iterations that
 * an exploration may have. `branch` is the number of a batch, or 0 for the look around; several run at the same time.
 * Pure.
 */
export const step = (exploration: Exploration, event: TurnEvent, limit: number, branch = 0): Step => {
  const ofBatch = branch === 0 ? {} : { batch: branch }
  switch (event._tag) {
    case "RequestSent": {
      const calls = exploration.calls.get(branch) ?? []
      const iterations = exploration.iterations + 1
      const asked = IndexEvent.Asked({ iteration: iterations, limit })
      return [
        withCalls({ ...exploration, iterations }, branch, []),
        calls.length > 0 ? [IndexEvent.ResultsSent({ count: calls.length }), asked] : [asked],
      ]
    }
    case "ReplyReceived": {
      const spending = Spending.step(exploration.spending, event)
      return [{ ...exploration, spending, model: String(event.reply.model) }, []]
    }
    case "NodeStored": {
      if (event.kind !== "reply") return [exploration, []]
      const { message } = event.node
      const calls = Message.toolUses(message)
      return [
        withCalls(
          { ...exploration, toolCalls: exploration.toolCalls + calls.length },
          branch,
          calls.map(({ id }) => ({ id, result: undefined, isReported: false })),
        ),
        [
          IndexEvent.Answered({
            text: Message.text(message),
            total: exploration.spending.usage,
            cost: exploration.spending.cost,
          }),
          ...calls.map(({ name, parameters }) => IndexEvent.ToolCalled({ name, parameters, ...ofBatch })),
        ],
      ]
    }
    case "ToolStarted": {
      const { name, parameters } = event.call
      return [exploration, [IndexEvent.ToolStarted({ name, parameters, ...ofBatch })]]
    }
    case "ToolFinished": {
      const { isError = false, text } = event.result
      const result = IndexEvent.ToolFinished({ name: event.call.name, text, isError, ...ofBatch })
      return withResult(exploration, branch, event.call.id, result)
    }
    case "RetryScheduled": {
      const { attempt, delay, error } = event
      return [exploration, [IndexEvent.Retrying({ attempt, delay, reason: error.message })]]
    }
    case "ModelReplaced":
      return [exploration, [IndexEvent.Replaced({ by: String(event.by), reason: event.error.message })]]
    case "HistoryCompacted":
      return [exploration, [IndexEvent.Compacted({ leftOut: event.leftOut, reason: event.error.message })]]
    case "RunFailed": {
      // The request was not sent.
      const isUnsent = event.error._tag === "ModelError" && event.error.reason._tag === "BudgetReached"
      return [isUnsent ? { ...exploration, iterations: exploration.iterations - 1 } : exploration, []]
    }
    case "RunCompleted":
    case "SummaryRequested":
    case "HistorySummarized":
    case "PartReceived":
    case "AgentOutput":
    case "AgentReported":
      return [exploration, []]
  }
}

const withCalls = (exploration: Exploration, branch: number, calls: ReadonlyArray<Call>): Exploration => ({
  ...exploration,
  calls: new Map(exploration.calls).set(branch, calls),
})

/** Tools run concurrently. Their results are reported in the order of the calls, as the model receives them. */
const withResult = (exploration: Exploration, branch: number, id: string, result: IndexEvent): Step => {
  const calls = (exploration.calls.get(branch) ?? []).map((call) => (call.id === id ? { ...call, result } : call))
  const firstRunning = calls.findIndex((call) => call.result === undefined)
  const done = firstRunning === -1 ? calls : calls.slice(0, firstRunning)
  return [
    withCalls(exploration, branch, [
      ...done.map((call) => ({ ...call, isReported: true })),
      ...calls.slice(done.length),
    ]),
    done.flatMap((call) => (call.isReported || call.result === undefined ? [] : [call.result])),
  ]
}
