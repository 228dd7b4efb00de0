/**
 * Stores what users have sent to the server and the forest does not have (yet): the text beside a conversation, the
 * message at which each conversation was left, the conversation that was visited last, messages that wait, and the
 * requests that have been carried out. A port. Several servers may have the same store open.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { DiskError } from "../disk/DiskError.ts"
import type * as Block from "../message/Block.ts"
import type { NodeId } from "../message/NodeId.ts"

export class DraftStore extends Context.Tag("vibe/server/DraftStore")<DraftStore, Service>() {}

/** Once an effect succeeds, its data is stored durably. `root` is the root of a conversation. */
export interface Service {
  readonly draft: (root: NodeId) => Effect.Effect<Option.Option<Draft>, DiskError>
  /**
   * Stores a draft in place of the one with the version `over`, which is 0 if there is none yet. Returns false and
   * stores nothing if another server has stored one since.
   */
  readonly save: (root: NodeId, draft: Draft, over: number) => Effect.Effect<boolean, DiskError>
  /** The message at which a conversation was left. */
  readonly leaf: (root: NodeId) => Effect.Effect<Option.Option<NodeId>, DiskError>
  readonly leave: (root: NodeId, leaf: NodeId) => Effect.Effect<void, DiskError>
  /** The conversation that the session of a browser has visited last in this folder. */
  readonly visited: (session: string, folder: string) => Effect.Effect<Option.Option<NodeId>, DiskError>
  readonly visit: (session: string, folder: string, conversation: NodeId) => Effect.Effect<void, DiskError>
  /** Oldest first. */
  readonly waiting: (root: NodeId) => Effect.Effect<ReadonlyArray<Waiting>, DiskError>
  readonly wait: (root: NodeId, waiting: Waiting) => Effect.Effect<void, DiskError>
  /** Returns true if the message was there. */
  readonly unwait: (root: NodeId, id: string) => Effect.Effect<boolean, DiskError>
  /** Records that a request with this key is carried out from now on. Returns the record that is there already. */
  readonly begin: (key: string, at: number) => Effect.Effect<Option.Option<Request>, DiskError>
  /** Records what the request with this key has stored: a message of the forest, or one that waits. */
  readonly finish: (key: string, result: string) => Effect.Effect<void, DiskError>
}

/** A text that the user has edited, and the version that it was made from. */
interface Draft {
  readonly text: string
  /** The version that the model has. */
  readonly known: string
  /** Counts the changes of the text, from 1. */
  readonly version: number
}

export interface Waiting {
  readonly id: string
  readonly text: string
  readonly pictures?: ReadonlyArray<Block.Image> | undefined
  /** The message that it comes after; undefined for the end of the answer that was in progress. */
  readonly parent: NodeId | undefined
  /**
   * The models that were chosen to answer it, as `provider/name`. Empty if an earlier version of vibe has stored the
   * message.
   */
  readonly models: ReadonlyArray<string>
}

export interface Request {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Undefined if the request was not finished, for example because the server was killed. */
  readonly result: string | undefined
}
