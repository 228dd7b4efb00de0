/** Follows one answer in progress: computes its state, as pages see it, from the events of its run. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Summary from "../../agent/Summary.ts"
import { replyText, type Sink, type TurnEvent } from "../../agent/TurnEvent.ts"
import * as Turn from "../../conversation/Turn.ts"
import type { Node } from "../../forest/Node.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Price } from "../../model/ModelEntry.ts"
import type { Answer } from "../api/Conversations.ts"

export interface AnswerRun {
  readonly answer: () => Answer
  /** Receives the events of the run. */
  readonly onEvent: Sink
  readonly end: (state: "done" | "stopped" | "failed", error?: string) => Effect.Effect<Answer>
}

interface Listener {
  /** Called when the state has changed in another way than by more text. */
  readonly changed: (answer: Answer) => Effect.Effect<void>
  /** Called with more text, which begins at `at`. */
  readonly delta: (id: string, at: number, text: string) => Effect.Effect<void>
  readonly stored: (node: Node) => Effect.Effect<void>
}

/** Text is passed on at most 60 times a second. */
const DELTA_INTERVAL = "16 millis"

export const make = Effect.fnUntraced(function* (
  first: { readonly id: string; readonly after: NodeId; readonly model: string },
  { changed, delta, stored }: Listener,
  price: Price | undefined,
) {
  let answer: Answer = { ...first, state: "running", text: "", startedAt: yield* Clock.currentTimeMillis }
  let turn = Turn.initial
  /** The number of characters of the text that have been passed on. */
  let sent = 0
  let isScheduled = false

  const update = (change: Partial<Answer>) =>
    Effect.suspend(() => {
      answer = { ...answer, ...change }
      return changed(answer)
    })

  const flush = Effect.suspend(() => {
    isScheduled = false
    const [at, text] = [sent, answer.text.slice(sent)]
    sent = answer.text.length
    return text === "" ? Effect.void : delta(answer.id, at, text)
  })

  /** Passes on text in a separate fiber, so that the run does not wait for it. */
  const scheduleFlush = Effect.suspend(() => {
    if (isScheduled) return Effect.void
    isScheduled = true
    return Effect.forkDaemon(Effect.zipRight(Effect.sleep(DELTA_INTERVAL), flush))
  })

  const activityOf = (event: TurnEvent): string | undefined => {
    switch (event._tag) {
      case "ToolStarted":
        return `running ${event.call.name}`
      case "RetryScheduled":
        return `waits ${Duration.format(event.delay)} for attempt ${event.attempt + 1}: ${event.error.reason.message}`
      case "ModelReplaced":
        return `${event.by} answers instead`
      case "HistoryCompacted":
        return "leaving out old results of tools"
      case "SummaryRequested":
        return Summary.progress(event.messages)
      default:
        return undefined
    }
  }

  const onEvent: Sink = (event) =>
    Effect.suspend(() => {
      turn = Turn.step(turn, event)
      const text = replyText(answer.text, event)
      if (event._tag === "PartReceived") {
        if (text === answer.text) return Effect.void
        const wasIdle = answer.activity !== undefined
        answer = { ...answer, text }
        return wasIdle ? Effect.zipRight(update({ activity: undefined }), scheduleFlush) : scheduleFlush
      }
      if (event._tag === "ReplyReceived" || event._tag === "HistorySummarized") {
        answer = { ...answer, cost: turn.spending.cost }
        return Effect.void
      }
      if (event._tag === "NodeStored") {
        const { kind, node } = event
        const isOwn = kind !== "input"
        // This comes first, so that no text is passed on that the stored message already has.
        if (isOwn) sent = 0
        answer = { ...answer, ...(isOwn && { text: "", message: node.id }) }
        return Effect.zipRight(stored(node), update({}))
      }
      const activity = activityOf(event)
      const isReset = text.length < answer.text.length
      if (isReset) sent = 0
      const isNews =
        isReset || (activity !== undefined && activity !== answer.activity) || event._tag === "ToolFinished"
      answer = { ...answer, text }
      return isNews ? update({ activity }) : Effect.void
    })

  /** Returns the cost including the reply that was stopped: its provider charges for it, but has not counted it. */
  const stoppedCost = (): Partial<Answer> => {
    if (turn.pending === undefined) return {}
    const { isEstimated, spending } = Turn.charge(turn, { price, wasStopped: true })
    return { cost: spending.cost, ...(spending.cost !== undefined && isEstimated && { estimated: true }) }
  }

  const run: AnswerRun = {
    answer: () => answer,
    onEvent,
    end: (state, error) =>
      Effect.gen(function* () {
        const endedAt = yield* Clock.currentTimeMillis
        yield* update({
          state,
          endedAt,
          activity: undefined,
          ...(state === "stopped" && stoppedCost()),
          ...(error !== undefined && { error }),
        })
        return answer
      }),
  }
  return run
})
