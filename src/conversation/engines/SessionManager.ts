/**
 * The conversations of many users: a `ConversationManager` for each session id, such as the value of a browser cookie.
 * Sessions share no nodes, since each has trees of its own. A session that is in the forest from an earlier process
 * continues after its newest message. One that was cleared or removed begins a new tree, so that it does not come back.
 * Text that the user has typed into the prompt since the last notice is only in memory.
 *
 * Sessions do not expire: their state is small, and their messages are in the forest. A caller removes an abandoned
 * session with `remove`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as LoomEngine from "../../agent/LoomEngine.ts"
import { makeMutex } from "../../base/mutex.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as SessionTrees from "../internal/sessionTrees.ts"
import * as ConversationManager from "./ConversationManager.ts"
import { BadSessionId, SessionError } from "./SessionError.ts"

/**
 * Keeps a `ConversationManager` for each session, such as each browser that visits a page.
 *
 * When to use it: in a server whose users each have a conversation of their own, which goes on after a restart. A
 * program with one conversation makes a `ConversationManager` itself.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Forest, Ids, LoomEngine, SessionManager, SqliteForestStore } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const program = Effect.gen(function* () {
 *   const sessions = yield* SessionManager.SessionManager
 *   const ada = yield* sessions.getOrCreate("cookie-of-ada")
 *   const bob = yield* sessions.getOrCreate("cookie-of-bob")
 *   yield* ada.updatePrompt("a cat")
 *   yield* bob.updatePrompt("a dog")
 *   const again = yield* sessions.getOrCreate("cookie-of-ada")
 *   yield* Console.log(yield* again.getCurrentPrompt())
 * })
 *
 * const vibe = SessionManager.layer({ systemPrompt: "Write prompts for pictures." }).pipe(
 *   Layer.provide(LoomEngine.layer),
 *   Layer.provide(Forest.layer),
 *   Layer.provide([Scripted.layer([]), SqliteForestStore.layerMemory, Ids.layer]),
 * )
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: a cat
 * ```
 */
export class SessionManager extends Context.Tag("vibe/conversation/engines/SessionManager")<
  SessionManager,
  Service
>() {}

export interface Service {
  /** Returns the manager of the session, or a new one. Concurrent calls get the same one. Fails with `BadSessionId`. */
  readonly getOrCreate: (
    sessionId: string,
  ) => Effect.Effect<ConversationManager.Service, ConversationManager.ManagerError>
  readonly get: (sessionId: string) => Effect.Effect<Option.Option<ConversationManager.Service>>
  /** Removes the session, and returns whether it existed. A turn in progress ends; the forest keeps the messages. */
  readonly remove: (sessionId: string) => Effect.Effect<boolean, ForestError>
}

/** The options of every new conversation. */
export type Options = Omit<ConversationManager.Options, "owner" | "from" | "known" | "resumes" | "clearedRoot">

export const make = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const forest = Context.get(context, Forest.Forest)
  const trees = SessionTrees.make(forest, options.systemPrompt)
  const managers = new Map<string, ConversationManager.Service>()
  /** The sessions that `remove` is clearing. */
  const removing = new Set<string>()
  // Look-up and creation are one step. A failed creation is tried again by the next call.
  const exclusively = makeMutex()

  const get: Service["get"] = (sessionId) => Effect.sync(() => Option.fromNullable(managers.get(sessionId)))

  const create = (sessionId: string) =>
    Effect.gen(function* () {
      if (!isSessionId(sessionId)) return yield* new SessionError({ reason: new BadSessionId() })
      const { isCleared, last, owner, root } = yield* trees.current(sessionId)
      const manager = yield* ConversationManager.make({
        ...options,
        prompt: isCleared ? "" : options.prompt,
        owner,
        from: last ?? root,
        resumes: true,
        clearedRoot: Effect.suspend(() => trees.begin(sessionId, !removing.has(sessionId))),
      })
      managers.set(sessionId, manager)
      return manager
    }).pipe(Effect.provide(context))

  /** Ends the turn of a session, and begins a tree without its messages. */
  const clear = (sessionId: string, manager: ConversationManager.Service) =>
    Effect.acquireUseRelease(
      Effect.sync(() => removing.add(sessionId)),
      () => Effect.map(manager.clear(), () => managers.delete(sessionId)),
      () => Effect.sync(() => removing.delete(sessionId)),
    )

  return SessionManager.of({
    get,
    getOrCreate: (sessionId) =>
      exclusively(
        Effect.flatMap(get(sessionId), Option.match({ onNone: () => create(sessionId), onSome: Effect.succeed })),
      ),
    remove: (sessionId) =>
      Effect.flatMap(
        get(sessionId),
        Option.match({
          // The session may be of an earlier process, if nothing has asked for it since.
          onNone: () => (isSessionId(sessionId) ? trees.leave(sessionId) : Effect.succeed(false)),
          onSome: (manager) => clear(sessionId, manager),
        }),
      ).pipe(exclusively),
  })
})

/** Needs a `Forest` and a `LoomEngine`, which all sessions share. */
export const layer = (options: Options): Layer.Layer<SessionManager, never, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(SessionManager, make(options))

const MAX_ID_LENGTH = 256

/** Checks an id, since ids come from outside, such as from a cookie. */
const isSessionId = (id: string): boolean => id.length > 0 && id.length <= MAX_ID_LENGTH && !/\p{Cc}/u.test(id)
