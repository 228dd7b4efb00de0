/**
 * A conversation that pages have open: its messages, the text beside it, and the answers that are in progress, which go
 * on without any page. Changes are made one at a time; an answer runs beside them.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as LoomEngine from "../agent/LoomEngine.ts"
import { makeCriticalSection } from "../base/mutex.ts"
import type * as ConversationManager from "../conversation/engines/ConversationManager.ts"
import type { SessionError } from "../conversation/engines/SessionError.ts"
import * as Turn from "../conversation/Turn.ts"
import type { DiskError } from "../disk/DiskError.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node, Root } from "../forest/Node.ts"
import type * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import {
  type Answer,
  type Document,
  type NotKept,
  type Outdated,
  Refused,
  type SayResult,
  type SentPicture,
  type Waiting,
} from "./api/Conversations.ts"
import * as DraftStore from "./DraftStore.ts"
import * as EventHub from "./EventHub.ts"
import * as Answers from "./internal/answers.ts"
import * as RepeatedMessage from "./internal/repeatedMessage.ts"
import * as Sending from "./internal/sending.ts"
import * as SentPictures from "./internal/sentPictures.ts"
import * as SharedDocument from "./internal/sharedDocument.ts"
import * as WaitingMessages from "./internal/waitingMessages.ts"
import * as Messages from "./Messages.ts"
import type { Served } from "./Served.ts"

export type Failure = DiskError | ForestError | Refused | SessionError

export interface LiveConversation {
  /** The root of its tree, or its first message if several conversations share the tree. */
  readonly id: NodeId
  readonly root: NodeId
  readonly leaf: Effect.Effect<NodeId>
  readonly document: Effect.Effect<Document, DiskError>
  /** The answers in progress, and the latest ones that have failed. */
  readonly answers: Effect.Effect<ReadonlyArray<Answer>>
  readonly waiting: Effect.Effect<ReadonlyArray<Waiting>, DiskError>
  /**
   * Stores a message after `parent`, and has it answered by each of the models. While an answer is in progress the
   * message waits instead. With a `key`, sending it again has no further effect.
   */
  readonly say: (message: NewMessage) => Effect.Effect<SayResult, Failure>
  /** Requests more answers to a message of the user, beside the answers that are there. */
  readonly answer: (
    after: NodeId,
    models: ReadonlyArray<LanguageModel.Service>,
  ) => Effect.Effect<ReadonlyArray<Answer>, Failure>
  /**
   * Stops one answer, or all. The part that has arrived is kept. Messages that wait for it go on waiting, until the
   * user sends one or asks for an answer. Returns how many were in progress.
   */
  readonly stop: (answer?: string) => Effect.Effect<number>
  readonly move: (leaf: NodeId) => Effect.Effect<void, Failure>
  /** Returns the pictures of a message that waits; none if no such message waits. */
  readonly waitingPictures: (id: string) => Effect.Effect<ReadonlyArray<Block.Image>, DiskError>
  readonly unqueue: (id: string) => Effect.Effect<ReadonlyArray<Waiting>, DiskError>
  readonly versions: Effect.Effect<ReadonlyArray<ConversationManager.Version>, ForestError>
  readonly edit: (text: string, version: number) => Effect.Effect<Document, DiskError | NotKept | Outdated>
}

/** A message of the user, as a page sends it. */
interface NewMessage {
  readonly parent: NodeId
  readonly text: string
  readonly pictures: ReadonlyArray<SentPicture>
  readonly models: ReadonlyArray<LanguageModel.Service>
  readonly key?: string | undefined
}

/** The most messages that wait. */
const MAX_WAITING = 100

export interface Options {
  readonly id: NodeId
  readonly root: Root
  readonly manager: ConversationManager.Service
  /** Makes the text beside the conversation if that is a file. */
  readonly document?:
    | ((
        changed: (document: Document) => Effect.Effect<void>,
      ) => Effect.Effect<SharedDocument.SharedDocument, never, Scope.Scope>)
    | undefined
  /** Called when the title or the last message may have changed, or an answer has begun or ended. */
  readonly changed: (isRunning: boolean) => Effect.Effect<void>
}

/** Answers end with the scope. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { changed: onChange, id: conversation, manager, root } = options
  const forest = yield* Forest.Forest
  const hub = yield* EventHub.EventHub
  const drafts = yield* DraftStore.DraftStore
  const scope = yield* Effect.scope
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine | Served>()
  const exclusively = makeCriticalSection()
  const waiting = yield* WaitingMessages.make(conversation)

  /** The answers in progress, by their ids. */
  const running = new Map<string, Answers.Running>()

  const changed = Effect.suspend(() => onChange(running.size > 0))
  const publishMessage = (node: Node) =>
    Messages.ofNode(node).pipe(
      Effect.provide(context),
      Effect.tap((message) => hub.publish({ type: "message", conversation, message })),
    )
  /** Publishes those of the last few messages on the path to `id` that come after `before`. */
  const publishSince = (id: NodeId, before: NodeId) =>
    Effect.map(forest.path(id, { last: 8 }), ({ nodes }) =>
      nodes.slice(nodes.findIndex((node) => node.id === before) + 1),
    ).pipe(
      Effect.flatMap((nodes) => Effect.forEach(nodes, publishMessage, { discard: true })),
      Effect.ignoreLogged,
    )

  const documentChanged = (document: Document) =>
    Effect.zipRight(
      hub.publish({ type: "document", conversation, document }),
      // The answers in progress beside the conversation's own get the new text too.
      Effect.forEach(
        [...running.values()].filter(({ isMain }) => !isMain),
        ({ manager }) => manager.updatePrompt(document.text),
        { discard: true },
      ),
    )
  const document = yield* options.document?.(documentChanged) ??
    SharedDocument.make({ conversation, manager, drafts, changed: documentChanged })

  const leave = Effect.flatMap(manager.cursor, (leaf) => Effect.ignoreLogged(drafts.leave(conversation, leaf)))

  /** Sends the next of the messages that wait, after the change that is in progress. */
  const advanceLater = Effect.suspend(() => Effect.forkIn(Effect.ignoreLogged(exclusively(advance)), scope))

  const { all, forgetFailed, main, start, stop } = yield* Answers.make({
    conversation,
    manager,
    document,
    running,
    publishMessage,
    publishSince,
    publishWaiting: waiting.publish,
    leave,
    changed,
    advance: advanceLater,
  })
  const { answerAgain, moveTo, requireOwn, send } = yield* Sending.make({
    root,
    manager,
    document,
    start,
    publishSince,
    leave,
    changed,
  })

  /**
   * Sends the next of the messages that wait. Those for the end of the answer come before those for another branch,
   * which would move the end that they are for.
   */
  const advance: Effect.Effect<void, Failure> = Effect.gen(function* () {
    const rows = yield* waiting.rows
    const next = rows.find(({ parent }) => parent === undefined) ?? rows[0]
    if (next === undefined || waiting.isHeld() || main() !== undefined) return
    const models = yield* waiting.modelsOf(next)
    const pictures = next.pictures ?? []
    yield* SentPictures.requireReaders(models, pictures)
    yield* send(next.parent ?? (yield* manager.cursor), { text: next.text, pictures }, models)
    yield* waiting.remove(next.id)
    yield* waiting.publish
  })

  const refuseTooMany = (count: number) =>
    running.size + count > Answers.MAX_ANSWERS
      ? new Refused({ message: `${Answers.MAX_ANSWERS} answers at the same time are the limit: stop some, or wait` })
      : Effect.void

  const findResult = (request: DraftStore.Request, parent: NodeId, text: string) =>
    RepeatedMessage.findResult(conversation, request, { parent, text }).pipe(
      Effect.provideService(DraftStore.DraftStore, drafts),
      Effect.provide(context),
    )

  const say: LiveConversation["say"] = ({ key, models, parent, pictures, text }) =>
    Effect.gen(function* () {
      yield* requireOwn(parent)
      const shown = yield* Effect.provide(SentPictures.read(root.id, pictures), context)
      if (key !== undefined) {
        const known = Option.getOrUndefined(
          yield* drafts.begin(RepeatedMessage.keyOf(conversation, key), yield* Clock.currentTimeMillis),
        )
        const done = known === undefined ? undefined : yield* findResult(known, parent, text)
        if (done !== undefined) return done
      }
      const result = yield* sayOnce(parent, { text, pictures: shown }, models)
      const id = result.message?.id ?? result.waiting?.id
      if (key !== undefined && id !== undefined) yield* drafts.finish(RepeatedMessage.keyOf(conversation, key), id)
      return result
    })

  const sayOnce = Effect.fnUntraced(function* (
    parent: NodeId,
    said: Answers.Said,
    models: ReadonlyArray<LanguageModel.Service>,
  ) {
    yield* SentPictures.requireReaders(models, said.pictures)
    waiting.release()
    const rows = yield* waiting.rows
    const current = main()
    if (current !== undefined || rows.length > 0) {
      if (rows.length >= MAX_WAITING) return yield* new Refused({ message: `${MAX_WAITING} messages wait already` })
      yield* SentPictures.requireRoom(rows, said.pictures)
      const isAtEnd = current === undefined ? false : yield* isOnPath(parent, current.run.answer().after)
      const added = yield* waiting.add({ parent: isAtEnd ? undefined : parent, ...said, models })
      yield* advanceLater
      const result: SayResult = { waiting: added }
      return result
    }
    yield* refuseTooMany(models.length)
    const node = yield* send(parent, said, models)
    const message = yield* Effect.provide(Effect.flatMap(forest.node(node), Messages.ofNode), context)
    const result: SayResult = { message }
    return result
  })

  /** Returns true if a page that sends a message after `parent` means the end of the answer that is in progress. */
  const isOnPath = (parent: NodeId, after: NodeId) =>
    Effect.gen(function* () {
      if (parent === after) return true
      const { nodes } = yield* forest.path(yield* manager.cursor, { last: 2 * Turn.LIMITS.maxToolIterations + 2 })
      const first = nodes.findIndex(({ id }) => id === after)
      return first !== -1 && nodes.slice(first).some(({ id }) => id === parent)
    })

  const answer: LiveConversation["answer"] = (after, models) =>
    Effect.gen(function* () {
      yield* requireOwn(after)
      const node = yield* forest.node(after)
      if (node.source.type !== "user") {
        return yield* new Refused({ message: "only a message of yours can be answered again" })
      }
      yield* refuseTooMany(models.length)
      const pictures = node.message.content.flatMap((block) => (block.type === "image" ? [block] : []))
      yield* SentPictures.requireReaders(models, pictures)
      const said = { text: Message.text(node.message), pictures }
      waiting.release()
      forgetFailed(after)
      return yield* answerAgain(after, said, models, main() !== undefined)
    })

  const live: LiveConversation = {
    id: conversation,
    root: root.id,
    leaf: manager.cursor,
    document: document.current,
    answers: Effect.sync(all),
    waiting: waiting.all,
    say: (message) => exclusively(say(message)),
    answer: (after, models) => exclusively(answer(after, models)),
    stop: (answer) =>
      Effect.suspend(() => {
        const own = main()
        if (own !== undefined && (answer === undefined || answer === own.run.answer().id)) waiting.hold()
        return stop(answer)
      }),
    move: (leaf) =>
      exclusively(
        Effect.gen(function* () {
          if (main() !== undefined && leaf !== (yield* manager.cursor)) {
            return yield* new Refused({ message: "an answer is in progress: stop it first, or wait for it" })
          }
          yield* moveTo(leaf)
        }),
      ),
    waitingPictures: (id) => Effect.map(waiting.rows, (rows) => rows.find((row) => row.id === id)?.pictures ?? []),
    unqueue: (id) =>
      exclusively(
        Effect.gen(function* () {
          yield* waiting.remove(id)
          // The removed message may have held up the others, because no model answers it.
          yield* advanceLater
          return yield* waiting.publish
        }),
      ),
    versions: manager.versions,
    edit: document.edit,
  }
  // Messages may have waited when an earlier server ended.
  yield* advanceLater
  return live
})
