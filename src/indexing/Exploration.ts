/** What a run of `vibe index` has come to so far, read off the events of the loop and told on as index events. */
import * as Effect from "effect/Effect"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type { GenerateEvent } from "../loom/GenerateEvent.ts"
import type { TurnObserver } from "../loom/TurnObserver.ts"
import * as Message from "../message/Message.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import type { Watch } from "./IndexObserver.ts"
import type { Report } from "./Report.ts"

export interface Exploration {
  readonly iterations: number
  readonly toolCalls: number
  /** Results that wait to be sent back. */
  readonly results: number
  readonly usage: Usage.Usage
  readonly asked: LanguageModel.Service
  /** Of `usage`, in US dollars; none where a price is unknown. */
  readonly cost: number | undefined
  /** The model that answered last, `provider/name`. */
  readonly model: string
  readonly outcome: Report["outcome"]
  /** The model's last words. */
  readonly summary: string
  readonly failure: ModelError | ForestError | undefined
}

export const start = (asked: LanguageModel.Service): Exploration => ({
  asked,
  iterations: 0,
  toolCalls: 0,
  results: 0,
  usage: Usage.none,
  cost: 0,
  model: String(asked.id),
  outcome: "complete",
  summary: "",
  failure: undefined,
})

/** Takes the next event in, and tells what it means for the index. `limit` is the number of iterations there may be. */
export const follow =
  (watch: Watch, limit: number) =>
  (exploration: Exploration, event: GenerateEvent): Effect.Effect<Exploration> =>
    Effect.as(
      Effect.forEach(meaning(exploration, event, limit), (event) => watch(event), { discard: true }),
      step(exploration, event),
    )

/** What happens between the events of the loop. */
export const observer = (watch: Watch): TurnObserver => ({
  toolStarted: ({ name, parameters }) => watch(IndexEvent.ToolStarted({ name, parameters })),
  toolFinished: ({ name }, { isError = false, text }) => watch(IndexEvent.ToolFinished({ name, text, isError })),
  retry: ({ attempt, delay, error }) => watch(IndexEvent.Retrying({ attempt, delay, reason: error.message })),
  replaced: (by, error) => watch(IndexEvent.Replaced({ by: String(by), reason: error.message })),
  compacted: (leftOut, error) => watch(IndexEvent.Compacted({ leftOut, reason: error.message })),
})

const isWhole = ({ source }: Node): boolean => source.type !== "model" || source.finish === "stop"

const meaning = (exploration: Exploration, event: GenerateEvent, limit: number): ReadonlyArray<IndexEvent> => {
  switch (event.type) {
    case "provider_request": {
      const asked = IndexEvent.Asked({ iteration: exploration.iterations + 1, limit })
      return exploration.results > 0 ? [IndexEvent.ResultsSent({ count: exploration.results }), asked] : [asked]
    }
    case "assistant_node": {
      const answered = IndexEvent.Answered({ text: Message.text(event.node.message), total: exploration.usage })
      const called = Message.toolUses(event.node.message).map(({ name, parameters }) =>
        IndexEvent.ToolCalled({ name, parameters }),
      )
      return [answered, ...called]
    }
    default:
      return []
  }
}

const step = (exploration: Exploration, event: GenerateEvent): Exploration => {
  switch (event.type) {
    case "provider_request":
      return { ...exploration, iterations: exploration.iterations + 1, results: 0 }
    case "provider_response":
      return {
        ...exploration,
        usage: Usage.add(exploration.usage, event.reply.usage),
        cost: Cost.total([exploration.cost, Cost.ofReply(exploration.asked, event.reply)]),
        model: String(event.reply.model),
      }
    case "assistant_node": {
      const calls = Message.toolUses(event.node.message).length
      return {
        ...exploration,
        toolCalls: exploration.toolCalls + calls,
        results: calls,
        summary: Message.text(event.node.message),
      }
    }
    case "tool_result_node":
      return exploration
    case "done":
      return { ...exploration, outcome: event.final.every(isWhole) ? "complete" : "truncated" }
    case "error": {
      const { error } = event
      switch (error._tag) {
        case "ToolIterationLimitExceededError":
          return { ...exploration, outcome: "limit" }
        case "GenerationAbortedError":
        case "RepeatedCallsError":
        case "ToolNotFoundError":
        case "ToolsOnlySupportNSingletonError":
          // Nobody holds a signal to this run, it may repeat itself, chooses no tool, and asks for one answer.
          throw error
        case "ModelError":
          return error.reason._tag === "BudgetReached"
            ? { ...exploration, outcome: "budget", iterations: exploration.iterations - 1 }
            : { ...exploration, failure: error }
        default:
          return { ...exploration, failure: error }
      }
    }
  }
}
