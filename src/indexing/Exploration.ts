/** The state of a run of `vibe index`: a fold of the events of the loop, which also produces the index events. */
import * as Effect from "effect/Effect"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import * as Spending from "../loom/Spending.ts"
import type { TurnEvent } from "../loom/TurnEvent.ts"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { ModelError } from "../model/ModelError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import type { Watch } from "./IndexObserver.ts"
import type { Report } from "./Report.ts"

export interface Exploration {
  readonly iterations: number
  readonly toolCalls: number
  /** Calls of the latest reply, in their order. */
  readonly calls: ReadonlyArray<Call>
  readonly spending: Spending.Spending
  /** The model of the latest reply, `provider/name`. */
  readonly model: string
  readonly outcome: Report["outcome"]
  /** The text of the latest reply. */
  readonly summary: string
  readonly failure: ModelError | ForestError | undefined
}

interface Call {
  readonly id: string
  /** Its `ToolFinished` event, until that is reported. */
  readonly result: IndexEvent | undefined
  readonly isReported: boolean
}

export const start = (model: ModelId): Exploration => ({
  iterations: 0,
  toolCalls: 0,
  calls: [],
  spending: Spending.zero,
  model: String(model),
  outcome: "complete",
  summary: "",
  failure: undefined,
})

/** Adds the next event, and reports what follows from it. `limit` is the most iterations that the run may have. */
export const follow =
  (watch: Watch, limit: number) =>
  (exploration: Exploration, event: TurnEvent): Effect.Effect<Exploration> =>
    Effect.suspend(() => {
      const [next, events] = step(exploration, event, limit)
      return Effect.as(
        Effect.forEach(events, (event) => watch(event), { discard: true }),
        next,
      )
    })

type Step = readonly [exploration: Exploration, events: ReadonlyArray<IndexEvent>]

/** Pure. */
export const step = (exploration: Exploration, event: TurnEvent, limit: number): Step => {
  switch (event._tag) {
    case "RequestSent": {
      const { calls, iterations } = exploration
      const asked = IndexEvent.Asked({ iteration: iterations + 1, limit })
      return [
        { ...exploration, iterations: iterations + 1, calls: [] },
        calls.length > 0 ? [IndexEvent.ResultsSent({ count: calls.length }), asked] : [asked],
      ]
    }
    case "ReplyReceived": {
      const spending = Spending.step(exploration.spending, event)
      return [{ ...exploration, spending, model: String(event.reply.model) }, []]
    }
    case "NodeStored":
      return event.kind === "reply" ? withReply(exploration, event.node) : [exploration, []]
    case "ToolStarted": {
      const { name, parameters } = event.call
      return [exploration, [IndexEvent.ToolStarted({ name, parameters })]]
    }
    case "ToolFinished": {
      const { isError = false, text } = event.result
      return withResult(exploration, event.call.id, IndexEvent.ToolFinished({ name: event.call.name, text, isError }))
    }
    case "RetryScheduled": {
      const { attempt, delay, error } = event
      return [exploration, [IndexEvent.Retrying({ attempt, delay, reason: error.message })]]
    }
    case "ModelReplaced":
      return [exploration, [IndexEvent.Replaced({ by: String(event.by), reason: event.error.message })]]
    case "HistoryCompacted":
      return [exploration, [IndexEvent.Compacted({ leftOut: event.leftOut, reason: event.error.message })]]
    case "RunCompleted":
      return [{ ...exploration, outcome: event.final.every(isWhole) ? "complete" : "truncated" }, []]
    case "RunFailed":
      return [withFailure(exploration, event.error), []]
    case "PartReceived":
    case "AgentOutput":
      return [exploration, []]
  }
}

const isWhole = ({ source }: Node): boolean => source.type !== "model" || source.finish === "stop"

const withReply = (exploration: Exploration, { message }: Node): Step => {
  const calls = Message.toolUses(message)
  const text = Message.text(message)
  return [
    {
      ...exploration,
      toolCalls: exploration.toolCalls + calls.length,
      calls: calls.map(({ id }) => ({ id, result: undefined, isReported: false })),
      summary: text,
    },
    [
      IndexEvent.Answered({ text, total: exploration.spending.usage }),
      ...calls.map(({ name, parameters }) => IndexEvent.ToolCalled({ name, parameters })),
    ],
  ]
}

/** Tools run concurrently. Their results are reported in the order of the calls, as the model receives them. */
const withResult = (exploration: Exploration, id: string, result: IndexEvent): Step => {
  const calls = exploration.calls.map((call) => (call.id === id ? { ...call, result } : call))
  const firstRunning = calls.findIndex((call) => call.result === undefined)
  const done = firstRunning === -1 ? calls : calls.slice(0, firstRunning)
  return [
    { ...exploration, calls: [...done.map((call) => ({ ...call, isReported: true })), ...calls.slice(done.length)] },
    done.flatMap((call) => (call.isReported || call.result === undefined ? [] : [call.result])),
  ]
}

const withFailure = (exploration: Exploration, error: GenerateError): Exploration => {
  switch (error._tag) {
    case "ToolIterationLimitExceededError":
      return { ...exploration, outcome: "limit" }
    case "GenerationAbortedError":
    case "RepeatedCallsError":
    case "ToolNotFoundError":
    case "ToolsOnlySupportNSingletonError":
      // Cannot happen: the run has no signal and no limit for repetitions, requires no tool, and requests one reply.
      throw error
    case "ModelError":
      return error.reason._tag === "BudgetReached"
        ? { ...exploration, outcome: "budget", iterations: exploration.iterations - 1 }
        : { ...exploration, failure: error }
    default:
      return { ...exploration, failure: error }
  }
}
