/**
 * The conversations of many users: a `ConversationManager` for each session id, such as the value of a browser cookie.
 * Sessions share no nodes, since each has a tree owner of its own.
 *
 * Sessions do not expire: their state is small, and their messages are in the forest. A caller removes an abandoned
 * session with `remove`.
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
  /** The manager of the session, or a new one. Concurrent calls get the same one. */
  readonly getOrCreate: (sessionId: string) => Effect.Effect<ConversationManager.Service, ForestError>
  readonly get: (sessionId: string) => Effect.Effect<Option.Option<ConversationManager.Service>>
  /** Removes the session, and returns whether it existed. A turn in progress ends; the forest keeps the messages. */
  readonly remove: (sessionId: string) => Effect.Effect<boolean, ForestError>
}

/** The options of every new conversation; its owner is `session:<id>`. */
export type Options = Omit<ConversationManager.Options, "owner" | "from" | "known">

export const make = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Effect.context<Forest.Forest | LoomEngine.LoomEngine>()
  const managers = new Map<string, ConversationManager.Service>()
  // Look-up and creation are one step. A failed creation is tried again by the next call.
  const exclusively = (yield* Effect.makeSemaphore(1)).withPermits(1)

  const get: Service["get"] = (sessionId) => Effect.sync(() => Option.fromNullable(managers.get(sessionId)))

  const create = (sessionId: string) =>
    ConversationManager.make({ ...options, owner: `session:${sessionId}` }).pipe(
      Effect.provide(context),
      Effect.tap((manager) => Effect.sync(() => managers.set(sessionId, manager))),
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
          onNone: () => Effect.succeed(false),
          onSome: (manager) => Effect.map(manager.clear(), () => managers.delete(sessionId)),
        }),
      ).pipe(exclusively),
  })
})

/** Needs a `Forest` and a `LoomEngine`, which all sessions share. */
export const layer = (options: Options): Layer.Layer<SessionManager, never, Forest.Forest | LoomEngine.LoomEngine> =>
  Layer.effect(SessionManager, make(options))
