/**
 * Keeps the conversations that pages have open, each once, however many pages show it. They stay until the server ends.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type * as LoomEngine from "../agent/LoomEngine.ts"
import { makeCriticalSection } from "../base/mutex.ts"
import type { FileError } from "../code/FileError.ts"
import * as Revision from "../conversation/document/Revision.ts"
import * as Saves from "../conversation/document/Saves.ts"
import * as SharedText from "../conversation/document/SharedText.ts"
import type { TextFile } from "../conversation/document/TextFile.ts"
import * as ConversationManager from "../conversation/engines/ConversationManager.ts"
import type { SessionError } from "../conversation/engines/SessionError.ts"
import * as SessionManager from "../conversation/engines/SessionManager.ts"
import * as Prompt from "../conversation/Prompt.ts"
import type { DiskError } from "../disk/DiskError.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Root } from "../forest/Node.ts"
import type * as Ids from "../message/Ids.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Summary } from "./api/Conversations.ts"
import * as DraftStore from "./DraftStore.ts"
import * as EventHub from "./EventHub.ts"
import * as FileDocument from "./internal/fileDocument.ts"
import * as LiveConversation from "./LiveConversation.ts"
import { Served } from "./Served.ts"
import * as Summaries from "./Summaries.ts"

export class LiveConversations extends Context.Tag("vibe/server/LiveConversations")<LiveConversations, Service>() {}

type Failure = DiskError | FileError | ForestError | SessionError

export interface Service {
  /**
   * Returns the conversation of a root or a node, and opens it if it is not open yet. Fails with `NotFound` if there is
   * none.
   */
  readonly get: (id: NodeId) => Effect.Effect<LiveConversation.LiveConversation, Failure>
  /** Returns the conversation that a session has visited last, or else its own, which is made if there is none. */
  readonly session: (id: string) => Effect.Effect<NodeId, Failure>
  readonly create: Effect.Effect<Summary, Failure>
  readonly rename: (id: NodeId, title: string) => Effect.Effect<Summary, Failure>
  readonly list: (options: Summaries.Options) => Effect.Effect<ReadonlyArray<Summary>, ForestError>
  readonly summary: (id: NodeId) => Effect.Effect<Summary, ForestError>
}

/** Matches the owners of the trees of a session. A session gets one more tree each time it is cleared. */
const SESSION = /^session(?:#\d+(?: cleared)?)?:(.+)$/s

const make = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const drafts = yield* DraftStore.DraftStore
  const hub = yield* EventHub.EventHub
  const sessions = yield* SessionManager.SessionManager
  const served = yield* Served
  const scope = yield* Effect.scope
  const context = yield* Effect.context<
    DraftStore.DraftStore | EventHub.EventHub | Forest.Forest | Ids.Ids | LoomEngine.LoomEngine | Served
  >()
  const saves = yield* Saves.Saves
  const fileOwner = served.file === undefined ? undefined : `document:${served.file.path}`
  const open = new Map<NodeId, LiveConversation.LiveConversation>()
  const runningIn = new Set<NodeId>()

  const summary = (id: NodeId) => Summaries.of(id, runningIn.has(id)).pipe(Effect.provideService(Forest.Forest, forest))

  const openWith = (
    id: NodeId,
    root: Root,
    manager: ConversationManager.Service,
    document?: LiveConversation.Options["document"],
  ) =>
    Effect.gen(function* () {
      const leaf = yield* drafts.leaf(id)
      // The message may have been removed since.
      if (Option.isSome(leaf)) yield* Effect.ignore(manager.moveTo(leaf.value))
      const changed = (isRunning: boolean) =>
        Effect.gen(function* () {
          if (isRunning) runningIn.add(id)
          else runningIn.delete(id)
          yield* hub.publish({ type: "conversation", conversation: id, summary: yield* summary(id) })
        }).pipe(Effect.ignoreLogged)
      const live = yield* LiveConversation.make({ id, root, manager, changed, document }).pipe(
        Scope.extend(scope),
        Effect.provide(context),
      )
      open.set(id, live)
      return live
    })

  /** Opens a conversation about the file that is served. */
  const openFile = (id: NodeId, root: Root, file: TextFile, from: NodeId) =>
    Effect.gen(function* () {
      // Pages receive changes by events, so nothing is reported here.
      const shared = yield* SharedText.make(file, () => Effect.void)
      const { owner, systemPrompt } = root
      const manager = yield* shared.attach((prompt) =>
        // The model changes the document with its tool; the text of its answer may contain anything.
        ConversationManager.make({ owner, systemPrompt, prompt, from, extract: () => undefined }).pipe(
          Effect.provide(context),
        ),
      )
      return yield* openWith(id, root, manager, (changed) =>
        FileDocument.make({ file, shared, saves, manager, changed }),
      )
    })

  /** Opens the newest conversation about the file that is served, or starts the first one. */
  const ofFile = (owner: string) =>
    Effect.gen(function* () {
      const [newest] = yield* forest.conversations({ owner, limit: 1 })
      if (newest !== undefined) return yield* openNode(newest.root)
      const { filePrompt: systemPrompt, folder } = served
      // An earlier page may have started a conversation that has no message yet.
      const empty = (yield* forest.roots(owner)).findLast((root) => root.systemPrompt === systemPrompt)
      const root = empty ?? (yield* forest.startConversation({ owner, systemPrompt, folder }))
      return yield* openNode(root.id)
    })

  const openSession = (session: string) =>
    Effect.gen(function* () {
      const manager = yield* sessions.getOrCreate(session)
      const { root } = yield* forest.path(yield* manager.cursor, { last: 0 })
      return open.get(root.id) ?? (yield* openWith(root.id, root, manager))
    })

  const openNode = (id: NodeId): Effect.Effect<LiveConversation.LiveConversation, Failure> =>
    Effect.gen(function* () {
      const { root } = yield* forest.path(id, { last: 0 })
      const found = Option.getOrUndefined(yield* forest.conversation(id))
      const own = found?.root ?? root.id
      const known = open.get(own) ?? open.get(root.id)
      if (known !== undefined) return known
      const session = SESSION.exec(root.owner)?.[1]
      if (session !== undefined) {
        const live = yield* openSession(session)
        if (live.root === root.id) return live
      }
      const from = found?.leaf ?? root.id
      if (served.file !== undefined && root.owner === fileOwner) {
        return yield* openFile(own, root, served.file, from)
      }
      const manager = yield* ConversationManager.make({
        owner: root.owner,
        systemPrompt: root.systemPrompt,
        from,
        resumes: true,
        extract: findDocument,
      }).pipe(Effect.provide(context))
      return yield* openWith(own, root, manager)
    })

  const openLastOf = (session: string) =>
    Effect.gen(function* () {
      const visited = yield* drafts.visited(session, served.folder)
      if (Option.isNone(visited)) return yield* openSession(session)
      return yield* Effect.catchIf(
        openNode(visited.value),
        (failure) => failure._tag === "ForestError" && failure.reason._tag === "NotFound",
        // The conversation has been removed since.
        () => openSession(session),
      )
    })

  const exclusively = makeCriticalSection()

  return LiveConversations.of({
    get: (id) =>
      Effect.suspend(() => {
        const known = open.get(id)
        return known === undefined ? exclusively(openNode(id)) : Effect.succeed(known)
      }),
    session: (id) =>
      Effect.map(exclusively(fileOwner === undefined ? openLastOf(id) : ofFile(fileOwner)), (live) => live.id),
    create: Effect.gen(function* () {
      const { folder, systemPrompt } = served
      const root = yield* fileOwner === undefined
        ? forest.startConversation({ owner: "chat", systemPrompt, folder })
        : forest.startConversation({ owner: fileOwner, systemPrompt: served.filePrompt, folder })
      yield* exclusively(openNode(root.id))
      const made = yield* summary(root.id)
      yield* hub.publish({ type: "conversation", conversation: root.id, summary: made })
      return made
    }),
    rename: (id, title) =>
      Effect.gen(function* () {
        const live = yield* exclusively(openNode(id))
        yield* forest.rename(live.id, title)
        const renamed = yield* summary(live.id)
        yield* hub.publish({ type: "conversation", conversation: live.id, summary: renamed })
        return renamed
      }),
    list: (options) =>
      Effect.provideService(
        Summaries.newest(options, served.folder, (id) => runningIn.has(id)),
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
  | Saves.Saves
  | Served
  | SessionManager.SessionManager
> = Layer.scoped(LiveConversations, make)

/**
 * Returns the new text of the document in an answer: between the lines `<document>` and
 * `</document>`, or after `Prompt:`.
 */
export const findDocument = (answer: string): string | undefined =>
  Revision.findInAnswer(answer) ?? Prompt.extract(answer)
