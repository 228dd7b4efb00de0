/**
 * The state of an open session: its model and tools, the backend at its position of the tree, and what it has spent.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as ContextUse from "../agent/ContextUse.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Session, Settings } from "./Session.ts"
import type { SessionFailure } from "./SessionFailure.ts"
import type { Backend, SessionMode } from "./SessionMode.ts"
import type { QueuedMessage } from "./SessionState.ts"
import * as Spent from "./Spent.ts"
import type { StartingServers } from "./StartingServers.ts"
import * as UserMessages from "./UserMessages.ts"
import * as View from "./View.ts"

export interface OpenSession {
  readonly session: Session
  readonly backend: Effect.Effect<Backend>
  /** Adds an answer to the spending of the session, and returns the sum. */
  readonly charge: (answer: Spent.Answer) => Effect.Effect<Spent.Spent>
  /** Gives the model the tools of the servers that have started, and waits for those that are starting. */
  readonly addServed: Effect.Effect<void, SessionFailure>
  /** Notes a position that the conversation has left by a message. */
  readonly leave: (position: NodeId | undefined) => Effect.Effect<void>
  /** Moves from a deleted position to the last earlier one that still exists, or to the beginning. */
  readonly recoverPosition: Effect.Effect<void, ForestError>
}

export interface Options {
  readonly mode: SessionMode
  readonly settings: Settings
  /** The node to continue from. Undefined for a new conversation. */
  readonly from: NodeId | undefined
  readonly view: View.Opened
  readonly servers: StartingServers
  /** Queues a message before those that wait. */
  readonly prepend: (message: QueuedMessage) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* ({ from, mode, prepend, servers, view, ...options }: Options) {
  const forest = yield* Forest.Forest
  const settings = yield* Ref.make(options.settings)
  const openBackend = (from: NodeId | undefined) =>
    Effect.flatMap(Ref.get(settings), (settings) => mode.open({ ...settings, from, show: view.show }))
  const backend = yield* Ref.make(yield* openBackend(from))
  const spent = yield* Ref.make(Spent.none)
  /** The earlier positions of the conversation, oldest first. */
  const positions = yield* Ref.make<ReadonlyArray<NodeId>>(from === undefined ? [] : [from])

  const cursor = Effect.flatMap(Ref.get(backend), ({ cursor }) => cursor)
  const moveTo = (to: NodeId | undefined) => Effect.flatMap(openBackend(to), (opened) => Ref.set(backend, opened))
  const tools = Effect.flatMap(Ref.get(settings), ({ tools }) => servers.addTo(tools))
  const model = Effect.map(Ref.get(settings), ({ model }) => model)

  const session: Session = {
    owner: mode.owner,
    forest,
    view,
    cursor,
    lastUserMessage: Effect.flatMap(cursor, (from) => UserMessages.last(forest, from)),
    model,
    tools,
    spent: Ref.get(spent),
    contextUse: Effect.gen(function* () {
      const at = yield* cursor
      if (at === undefined) return undefined
      const { limits } = yield* model
      return yield* ContextUse.at(forest, at, { limits, tools: (yield* tools).tools })
    }),
    recordSpending: (spending) => Ref.update(spent, (sum) => Spent.addOther(sum, spending)),
    serve: servers.start,
    moveTo,
    change: (change) =>
      Effect.flatMap(cursor, (at) =>
        Effect.zipRight(
          Ref.update(settings, (settings) => ({ ...settings, ...change })),
          moveTo(at),
        ),
      ),
    send: (text, at, pictures) => prepend({ text, at, hasFiles: false, ...(pictures?.length && { pictures }) }),
    // This takes the text of the stored node. A whole message that an edit has divided would be stored as another one
    // below it.
    answerAgain: ({ id }) =>
      Effect.flatMap(forest.node(id), ({ message }) =>
        prepend({ text: Message.text(message), at: id, hasFiles: true }),
      ),
  }

  const addServed = Effect.gen(function* () {
    if (!(yield* servers.wait)) return
    const own = (yield* Ref.get(settings)).tools
    const joined = yield* servers.addTo(own)
    yield* servers.forget
    yield* session.change({ tools: joined })
    const unshown = joined.notes.slice(own.notes.length)
    if (unshown.length > 0) yield* view.show(View.Entry.Noted({ text: unshown.join("\n") }))
  })

  const recoverPosition = Effect.gen(function* () {
    const exists = (node: NodeId) => Effect.isSuccess(forest.path(node, { last: 0 }))
    const to = Option.getOrUndefined(yield* Effect.findFirst((yield* Ref.get(positions)).toReversed(), exists))
    yield* Ref.update(positions, (positions) => positions.slice(0, to === undefined ? 0 : positions.lastIndexOf(to)))
    yield* moveTo(to)
    yield* view.show(View.Entry.Noted({ text: deletedNote }))
  })

  const open: OpenSession = {
    session,
    backend: Ref.get(backend),
    charge: (answer) => Ref.updateAndGet(spent, (sum) => Spent.add(sum, answer)),
    addServed,
    leave: (position) =>
      position === undefined ? Effect.void : Ref.update(positions, (positions) => [...positions, position]),
    recoverPosition,
  }
  return open
})

const deletedNote = "The last messages were deleted or undone elsewhere; the conversation continues before them"
