/**
 * The conversations of many people, each with a manager of its own by the id of the session: what a cookie of a browser
 * says, or whoever else holds one. Sessions share nothing, for each is the owner of its own tree.
 *
 * A session is never cleaned up by itself: its state is small, its messages are in the forest, and what counts as
 * abandoned is for those to say who hand out the ids, with `remove`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type * as LoomEngine from "../loom/LoomEngine.ts"
import * as ConversationManager from "./ConversationManager.ts"

export class SessionManager extends Context.Tag("vibe/chat/SessionManager")<SessionManager, Service>() {}

export interface Service {
  /** The manager of the session, a new one where there is none; the same for all who ask at once. */
  readonly getOrCreate: (sessionId: string) => Effect.Effect<ConversationManager.Service, ForestError>
  readonly get: (sessionId: string) => Effect.Effect<Option.Option<ConversationManager.Service>>
  /** Forgets the session, and whether there was one. A turn of it ends; what was said stays in the forest. */
  readonly remove: (sessionId: string) => Effect.Effect<boolean, ForestError>
}

/** What each conversation begins with; its owner is `session:<id>`. */
export type Options = Omit<ConversationManager.Options, "owner" | "from" | "known">

export const make = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const managers = new Map<string, ConversationManager.Service>()
  // To look and to make are one step; a session that could not be made is made the next time.
  const alone = (yield* Effect.makeSemaphore(1)).withPermits(1)

  const get: Service["get"] = (sessionId) => Effect.sync(() => Option.fromNullable(managers.get(sessionId)))

  const create = (sessionId: string) =>
    ConversationManager.make({ ...options, owner: `session:${sessionId}` }).pipe(
      Effect.provide(context),
      Effect.tap((manager) => Effect.sync(() => managers.set(sessionId, manager))),
    )

  return SessionManager.of({
    get,
    getOrCreate: (sessionId) =>
      alone(Effect.flatMap(get(sessionId), Option.match({ onNone: () => create(sessionId), onSome: Effect.succeed }))),
    remove: (sessionId) =>
      Effect.flatMap(
        get(sessionId),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (manager) => Effect.map(manager.clear(), () => managers.delete(sessionId)),
        }),
      ).pipe(alone),
  })
})

/** Needs a `Forest` and a `LoomEngine`, which all sessions share. */
export const layer = (options: Options): Layer.Layer<SessionManager, never, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(SessionManager, make(options))
