/** The turns of a session: each starts in a fiber of its own, and its end is shown. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import { broadcast } from "../agent/TurnEvent.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Picture from "../message/Picture.ts"
import * as Mentions from "./Mentions.ts"
import type { OpenSession } from "./OpenSession.ts"
import * as Pictures from "./Pictures.ts"
import { AnswerNotKept, type SessionFailure } from "./SessionFailure.ts"
import type { Reply, SessionMode } from "./SessionMode.ts"
import type { QueuedMessage } from "./SessionState.ts"
import type { StartingServers } from "./StartingServers.ts"
import * as Turn from "./Turn.ts"
import type { Unsent } from "./Unsent.ts"
import * as View from "./View.ts"

/** A turn that runs. */
export interface Running {
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  /** The message of the user. */
  readonly text: string
  readonly state: Ref.Ref<Turn.State>
  /** The start of the turn in milliseconds since the epoch. */
  readonly startedAt: number
  /** The position before the message. */
  readonly before: NodeId | undefined
  /** Returns true if the message is in the forest. */
  readonly isStored: () => boolean
}

export type Outcome = Exit.Exit<Reply, SessionFailure>

export interface Options {
  readonly mode: SessionMode
  readonly open: OpenSession
  readonly servers: StartingServers
  readonly unsent: Unsent
  readonly view: View.Opened
  readonly workspace: Workspace
  /** Takes the queued messages that may go to the model in the middle of an answer. */
  readonly takeForModel: Effect.Effect<ReadonlyArray<QueuedMessage>>
  /** Queues messages before those that wait. */
  readonly prepend: (...messages: ReadonlyArray<QueuedMessage>) => Effect.Effect<void>
  /** Called with the end of each answer, be it complete, stopped or failed. */
  readonly ended: (outcome: Outcome) => Effect.Effect<unknown>
  readonly noteNotPersisted: (error: AnswerNotKept) => Effect.Effect<void>
}

export const make = (options: Options) => {
  const { mode, noteNotPersisted, prepend, servers, unsent, view, workspace } = options
  const { addServed, backend, leave, session } = options.open

  const note = (text: string) => view.show(View.Entry.Noted({ text }))
  const noteMissing = (expanded: Mentions.Expanded) => {
    const text = Mentions.missingText(expanded)
    return text === undefined ? Effect.void : note(text)
  }

  /** Text that the backend sends to the model in the middle of an answer: the queued messages, if a user watches. */
  const meanwhile = Effect.suspend(() => (view.isInteractive ? options.takeForModel : Effect.succeed([]))).pipe(
    Effect.flatMap((messages) =>
      Effect.forEach(messages, ({ text }) => Pictures.expandText(workspace, text)).pipe(
        Effect.tap(() => Effect.forEach(messages, ({ text }) => view.show(View.Entry.Steered({ text })))),
        Effect.tap((expanded) => Effect.forEach(expanded, noteMissing)),
        Effect.map(Turn.joinTexts),
        // A message with a picture, or with a file that cannot be shown, waits until the answer is complete.
        Effect.catchAll(() => Effect.as(prepend(...messages), "")),
      ),
    ),
  )

  const start = Effect.fnUntraced(function* (queued: QueuedMessage) {
    const { at, text } = queued
    const answering = yield* session.model
    const expanded = yield* Pictures.expand(queued, workspace)
    const { pictures, text: message } = expanded
    if (pictures.length > 0) yield* Pictures.requireReader(mode, answering, pictures)
    if (at !== undefined) yield* session.moveTo(at)
    const before = yield* session.cursor
    const startedAt = yield* Clock.currentTimeMillis
    const model = String(answering.id)
    let isStored = false
    const messageStored = (node: NodeId) => {
      isStored = true
      const shown = pictures.length === 0 ? {} : { pictures: pictures.map(Picture.describe) }
      const asked = View.Entry.Asked({ text: Mentions.withoutFiles(text), model, node, ...shown })
      return Effect.zipRight(view.show(asked), noteMissing(expanded))
    }
    const state = yield* Ref.make(Turn.initial)
    const onEvent = broadcast((event) => Ref.update(state, (state) => Turn.step(state, event)), view.onEvent)
    const answer = Effect.flatMap(backend, ({ send }) =>
      session.forest.operation(send(message, { onEvent, messageStored, meanwhile, pictures })),
    )
    const fiber = yield* Effect.fork(Effect.onExit(Effect.zipRight(addServed, answer), options.ended))
    yield* leave(before)
    const turn: Running = { fiber, text, state, startedAt, before, isStored: () => isStored }
    return turn
  })

  /** Shows how a turn has ended. Returns its outcome, or undefined if the user has stopped it. */
  const finish = Effect.fnUntraced(function* (turn: Running, outcome: Outcome, wasStopped: boolean) {
    const { before, isStored, startedAt, state, text } = turn
    const ended = yield* Ref.get(state)
    const durationMs = (yield* Clock.currentTimeMillis) - startedAt
    const { isEstimated, spending } = Turn.charge(ended, { price: (yield* session.model).price, wasStopped })
    const { total } = yield* options.open.charge({ spending, durationMs, isEstimated })
    const account: View.Account = {
      durationMs,
      usage: spending.usage,
      cost: spending.cost,
      sessionCost: total.cost,
      // If the forest cannot be read, the answer is reported without its context use.
      context: yield* Effect.orElseSucceed(session.contextUse, () => undefined),
      ...(isEstimated && { isEstimated }),
    }
    if (Exit.isSuccess(outcome)) {
      yield* view.show(View.Entry.Answered({ text: outcome.value.text, node: ended.reply, account }))
      return outcome
    }
    const failure = taggedFailure(outcome)
    if (failure?._tag === "ForestError") {
      return yield* reportNotPersisted(turn, failure, (yield* session.cursor) !== before)
    }
    if (!wasStopped || !Exit.isInterrupted(outcome)) return outcome
    yield* view.show(View.Entry.Stopped({ account }))
    // If the message was stopped before it was stored, the user gets its text back.
    if (!isStored()) yield* unsent.restore(text)
    const names = yield* servers.skipped
    if (names.length > 0) yield* note(`messages no longer wait for tool server ${names.join(", ")}: send yours again`)
    return undefined
  })

  /** Shows an answer that cannot be stored. A message that cannot be stored is queued again, and so kept as a draft. */
  const reportNotPersisted = Effect.fnUntraced(function* (turn: Running, cause: ForestError, isAsked: boolean) {
    const { replyText: answer } = yield* Ref.get(turn.state)
    if (answer.trim() === "") {
      if (!isAsked && !view.isInteractive) yield* prepend({ text: turn.text, at: undefined, hasFiles: false })
      return yield* cause
    }
    const failure = new AnswerNotKept({ cause })
    yield* noteNotPersisted(failure)
    yield* view.show(View.Entry.NotPersisted({ text: answer }))
    return yield* failure
  })

  return { start, finish }
}

const taggedFailure = (outcome: Outcome) => {
  const failure = Exit.isFailure(outcome) ? Option.getOrUndefined(Cause.failureOption(outcome.cause)) : undefined
  return failure !== undefined && "_tag" in failure ? failure : undefined
}
