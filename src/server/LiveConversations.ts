/** The conversations that pages have open, each once, whatever the number of pages. They stay until the server ends. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as ConversationManager from "../chat/ConversationManager.ts"
import type { SessionError } from "../chat/SessionError.ts"
import * as SessionManager from "../chat/SessionManager.ts"
import type { DiskError } from "../disk/DiskError.ts"
import { makeMutex } from "../disk/mutex.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Root } from "../forest/Root.ts"
import type * as LoomEngine from "../loom/LoomEngine.ts"
import * as Ids from "../message/Ids.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Summary } from "./api/Conversations.ts"
import * as DraftStore from "./DraftStore.ts"
import * as EventHub from "./EventHub.ts"
import * as Answer from "./internal/answerText.ts"
import * as LiveConversation from "./LiveConversation.ts"
import type { Served } from "./Served.ts"
import * as Summaries from "./Summaries.ts"

export class LiveConversations extends Context.Tag("vibe/server/LiveConversations")<LiveConversations, Service>() {}

export type Failure = DiskError | ForestError | SessionError

export interface Service {
  /** The conversation of this root; opened where it is not open yet. Fails with `NotFound` where there is none. */
  readonly get: (root: NodeId) => Effect.Effect<LiveConversation.LiveConversation, Failure>
  /** The conversation of a session, made where there is none. */
  readonly session: (id: string) => Effect.Effect<NodeId, Failure>
  readonly create: Effect.Effect<Summary, Failure>
  readonly list: (options: {
    readonly before?: number | undefined
    readonly search?: string | undefined
  }) => Effect.Effect<ReadonlyArray<Summary>, ForestError>
  readonly summary: (root: Root) => Effect.Effect<Summary, ForestError>
}

const make = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const drafts = yield* DraftStore.DraftStore
  const hub = yield* EventHub.EventHub
  const sessions = yield* SessionManager.SessionManager
  const ids = yield* Ids.Ids
  const scope = yield* Effect.scope
  const context = yield* Effect.context<
    DraftStore.DraftStore | EventHub.EventHub | Forest.Forest | Ids.Ids | LoomEngine.LoomEngine | Served
  >()
  const exclusively = makeMutex()
  const open = new Map<NodeId, LiveConversation.LiveConversation>()
  const runningIn = new Set<NodeId>()

  const summary = (root: Root) =>
    Effect.provideService(Summaries.of(root, runningIn.has(root.id)), Forest.Forest, forest)

  const openWith = (root: Root, manager: ConversationManager.Service) =>
    Effect.gen(function* () {
      const leaf = yield* drafts.leaf(root.id)
      if (Option.isSome(leaf)) yield* Effect.ignore(manager.moveTo(leaf.value))
      let live: LiveConversation.LiveConversation | undefined
      const changed = Effect.gen(function* () {
        const answers = live === undefined ? [] : yield* live.answers
        if (answers.some(({ state }) => state === "running")) runningIn.add(root.id)
        else runningIn.delete(root.id)
        yield* hub.publish({ type: "conversation", conversation: root.id, summary: yield* summary(root) })
      }).pipe(Effect.ignoreLogged)
      live = yield* LiveConversation.make(root, manager, changed).pipe(Scope.extend(scope), Effect.provide(context))
      open.set(root.id, live)
      return live
    })

  const openSession = (id: string) =>
    Effect.gen(function* () {
      const manager = yield* sessions.getOrCreate(id)
      const { root } = yield* forest.path(yield* manager.cursor, { last: 0 })
      return open.get(root.id) ?? (yield* openWith(root, manager))
    })

  const openRoot = (id: NodeId) =>
    Effect.gen(function* () {
      const { root } = yield* forest.path(id, { last: 0 })
      const known = open.get(root.id)
      if (known !== undefined) return known
      const session = /^session:(.+)$/s.exec(root.owner)?.[1]
      if (session !== undefined) {
        const live = yield* openSession(session)
        if (live.root.id === root.id) return live
      }
      const [last] = yield* forest.leaves(1, root.id)
      const manager = yield* ConversationManager.make({
        owner: root.owner,
        systemPrompt: root.systemPrompt,
        from: last?.id ?? root.id,
        resumes: true,
        extract: Answer.findDocument,
      }).pipe(Effect.provide(context))
      return yield* openWith(root, manager)
    })

  const whole = <A, E>(effect: Effect.Effect<A, E>) => exclusively(Effect.uninterruptible(effect))

  return LiveConversations.of({
    get: (id) =>
      Effect.suspend(() => {
        const known = open.get(id)
        return known === undefined ? whole(openRoot(id)) : Effect.succeed(known)
      }),
    session: (id) => Effect.map(whole(openSession(id)), ({ root }) => root.id),
    create: Effect.gen(function* () {
      const next = yield* ids.source
      const live = yield* whole(openSession(next()))
      const made = yield* summary(live.root)
      yield* hub.publish({ type: "conversation", conversation: live.root.id, summary: made })
      return made
    }),
    list: (options) =>
      Effect.provideService(
        Summaries.newest(options, (root) => runningIn.has(root)),
        Forest.Forest,
        forest,
      ),
    summary,
  })
})

export const layer: Layer.Layer<
  LiveConversations,
  never,
  | DraftStore.DraftStore
  | EventHub.EventHub
  | Forest.Forest
  | Ids.Ids
  | LoomEngine.LoomEngine
  | Served
  | SessionManager.SessionManager
> = Layer.scoped(LiveConversations, make)
