/** Runs the answers of a conversation, each in a separate fiber, and keeps those that have failed. */

import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type { GenerateError } from "../../agent/GenerateError.ts"
import type * as ConversationManager from "../../conversation/engines/ConversationManager.ts"
import type { SessionError } from "../../conversation/engines/SessionError.ts"
import * as Turn from "../../conversation/Turn.ts"
import type { DiskError } from "../../disk/DiskError.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import type * as Block from "../../message/Block.ts"
import * as Ids from "../../message/Ids.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import type { Answer } from "../api/Conversations.ts"
import * as DraftStore from "../DraftStore.ts"
import * as EventHub from "../EventHub.ts"
import { Served } from "../Served.ts"
import * as AnswerRun from "./answerRun.ts"
import type * as SharedDocument from "./sharedDocument.ts"

/** An answer in progress. */
export interface Running {
  readonly run: AnswerRun.AnswerRun
  readonly manager: ConversationManager.Service
  /** True if the conversation's own manager answers, not that of one of several answers beside each other. */
  readonly isMain: boolean
}

/** A message of the user. */
export interface Said {
  readonly text: string
  readonly pictures: ReadonlyArray<Block.Image>
}

/** The most answers of a conversation at the same time. */
export const MAX_ANSWERS = 16

export interface Answers {
  /** Returns the answers in progress, and the latest ones that have failed. */
  readonly all: () => ReadonlyArray<Answer>
  /** Returns the conversation's own answer if it is in progress. */
  readonly main: () => Running | undefined
  /**
   * Starts an answer of one model in a separate fiber. Returns the run and the node of the message, once the message is
   * stored.
   */
  readonly start: (
    answering: ConversationManager.Service,
    said: Said,
    model: LanguageModel.Service,
  ) => Effect.Effect<readonly [AnswerRun.AnswerRun, NodeId], ForestError | SessionError>
  /** Stops one answer, or all, and returns how many were in progress. */
  readonly stop: (id?: string) => Effect.Effect<number>
  /** Forgets the failed answers to a message. */
  readonly forgetFailed: (after: NodeId) => void
}

export interface Options {
  readonly conversation: NodeId
  /** The conversation's own manager. */
  readonly manager: ConversationManager.Service
  readonly document: SharedDocument.SharedDocument
  /** The answers in progress, by their ids. */
  readonly running: Map<string, Running>
  readonly publishMessage: (node: Node) => Effect.Effect<unknown, ForestError>
  /** Publishes the messages on the way to `id` that come after `before`. */
  readonly publishSince: (id: NodeId, before: NodeId) => Effect.Effect<void>
  readonly publishWaiting: Effect.Effect<unknown, DiskError>
  /** Stores the message at which the conversation ends. */
  readonly leave: Effect.Effect<void>
  /** Called when an answer has ended. */
  readonly changed: Effect.Effect<void>
  /** Called when the conversation's own answer has ended well. */
  readonly advance: Effect.Effect<void>
}

/** Answers end with the scope. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { conversation, document, leave, manager, publishMessage, publishSince, publishWaiting, running } = options
  const hub = yield* EventHub.EventHub
  const drafts = yield* DraftStore.DraftStore
  const served = yield* Served
  const ids = yield* Ids.Ids
  const scope = yield* Effect.scope

  /** No message of a failed answer is stored, so the reason is kept here alone. */
  let failed: ReadonlyArray<Answer> = []

  const start: Answers["start"] = Effect.fnUntraced(function* (answering, { pictures, text }, model) {
    const isMain = answering === manager
    const before = yield* answering.cursor
    const begun = yield* Deferred.make<readonly [AnswerRun.AnswerRun, NodeId], ForestError | SessionError>()
    const id = (yield* ids.source)()
    const offered = yield* served.tools ?? Effect.succeed(ToolRegistry.make([]))
    // One of several answers must not change the text before it is chosen.
    const tools = isMain ? ToolRegistry.join(offered, ToolRegistry.make(document.tools)) : offered
    /** The messages that `meanwhile` has taken and no node holds yet. */
    let taken: { readonly text: string; readonly ids: ReadonlyArray<string> } | undefined

    const meanwhile = Effect.gen(function* () {
      if (!isMain) return ""
      const next = (yield* drafts.waiting(conversation)).filter(({ parent }) => parent === undefined)
      // A message with pictures waits until the answer is complete, and so do those after it.
      const rows = Arr.takeWhile(next, ({ pictures = [] }) => pictures.length === 0)
      if (rows.length === 0) return ""
      taken = { text: Turn.joinTexts(rows), ids: rows.map(({ id }) => id) }
      return taken.text
    }).pipe(Effect.orElseSucceed(() => ""))

    const dropTaken = (node: Node) =>
      Effect.gen(function* () {
        if (taken === undefined || node.source.type !== "user" || Message.text(node.message) !== taken.text) return
        const { ids } = taken
        taken = undefined
        yield* Effect.forEach(ids, (id) => drafts.unwait(conversation, id), { discard: true })
        yield* publishWaiting
      }).pipe(Effect.ignoreLogged)

    const messageStored = (node: NodeId) =>
      Effect.gen(function* () {
        const run = yield* AnswerRun.make(
          { id, after: node, model: String(model.id) },
          {
            changed: (answer) => hub.publish({ type: "answer", conversation, answer }),
            delta: (answer, at, text) => hub.publish({ type: "delta", conversation, answer, at, text }),
            stored: (stored) =>
              Effect.gen(function* () {
                yield* Effect.ignoreLogged(publishMessage(stored))
                if (!isMain) return
                const { message, source } = stored
                if (source.type === "model" && source.finish === "stop") yield* document.answered(Message.text(message))
                yield* document.sync
                yield* dropTaken(stored)
                yield* leave
              }),
          },
          model.price,
        )
        running.set(id, { run, manager: answering, isMain })
        yield* publishSince(node, before)
        if (isMain) {
          yield* leave
          yield* document.sync
        }
        yield* hub.publish({ type: "answer", conversation, answer: run.answer() })
        yield* Deferred.succeed(begun, [run, node] as const)
      })

    let failure: GenerateError | undefined
    const answered = answering
      .respond(text, {
        pictures,
        model,
        tools,
        ...Turn.LIMITS,
        meanwhile,
        messageStored,
        onEvent: (event) =>
          Effect.suspend(() => {
            if (event._tag === "RunFailed") failure = event.error
            return running.get(id)?.run.onEvent(event) ?? Effect.void
          }),
      })
      // The answer is started within a change, which cannot be interrupted; the answer itself can.
      .pipe(Stream.runDrain, Effect.interruptible, Effect.exit)

    yield* Effect.forkIn(
      Effect.onExit(answered, (exit) =>
        Effect.gen(function* () {
          const ended = Exit.flatten(exit)
          const started = running.get(id)
          if (started === undefined) {
            return yield* Deferred.failCause(begun, Exit.isFailure(ended) ? ended.cause : Cause.empty)
          }
          yield* endRun(id, started, failure, ended)
        }),
      ),
      scope,
    )
    return yield* Deferred.await(begun)
  })

  const endRun = Effect.fnUntraced(function* (
    id: string,
    { isMain, run }: Running,
    failure: GenerateError | undefined,
    exit: Exit.Exit<void, ForestError | SessionError>,
  ) {
    const isStopped = failure?._tag === "GenerationAbortedError" || Exit.isInterrupted(exit)
    const error = Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : failure
    running.delete(id)
    const answer =
      isStopped || (error === undefined && Exit.isSuccess(exit))
        ? yield* run.end(isStopped ? "stopped" : "done")
        : yield* run.end("failed", error === undefined ? "a mistake in vibe itself" : served.describe(error))
    if (answer.state === "failed") failed = [...failed, answer].slice(-MAX_ANSWERS)
    if (isMain) {
      yield* document.sync
      yield* leave
    }
    yield* options.changed
    if (isMain && answer.state !== "failed" && !Exit.isInterrupted(exit)) yield* options.advance
  })

  const answers: Answers = {
    all: () => [...failed, ...[...running.values()].map(({ run }) => run.answer())],
    main: () => [...running.values()].find(({ isMain }) => isMain),
    start,
    stop: (id) =>
      Effect.map(
        Effect.forEach(
          [...running].filter(([own]) => id === undefined || own === id),
          ([, { manager }]) => manager.stop,
        ),
        (stopped) => stopped.filter((wasRunning) => wasRunning).length,
      ),
    forgetFailed: (after) => {
      failed = failed.filter((answer) => answer.after !== after)
    },
  }
  return answers
})
