/**
 * What people have sent to the server and the forest does not have (yet): the text beside a conversation, where each
 * conversation was left, which was visited last, messages that wait, and which requests have been carried out. A port.
 * Several servers may have the same store open.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { DiskError } from "../disk/DiskError.ts"
import type { NodeId } from "../message/NodeId.ts"

export class DraftStore extends Context.Tag("vibe/server/DraftStore")<DraftStore, Service>() {}

/** An effect that succeeds has stored, durably. `root` is that of a conversation. */
export interface Service {
  readonly draft: (root: NodeId) => Effect.Effect<Option.Option<Draft>, DiskError>
  /**
   * Stores a draft in place of the one with the version `over`; of none for 0. Returns false, and stores nothing, where
   * another server has stored one since.
   */
  readonly save: (root: NodeId, draft: Draft, over: number) => Effect.Effect<boolean, DiskError>
  /** Where a conversation was left. */
  readonly leaf: (root: NodeId) => Effect.Effect<Option.Option<NodeId>, DiskError>
  readonly leave: (root: NodeId, leaf: NodeId) => Effect.Effect<void, DiskError>
  /** The conversation that the session of a browser has visited last in this folder. */
  readonly visited: (session: string, folder: string) => Effect.Effect<Option.Option<NodeId>, DiskError>
  readonly visit: (session: string, folder: string, conversation: NodeId) => Effect.Effect<void, DiskError>
  /** Oldest first. */
  readonly waiting: (root: NodeId) => Effect.Effect<ReadonlyArray<Waiting>, DiskError>
  readonly wait: (root: NodeId, waiting: Waiting) => Effect.Effect<void, DiskError>
  /** Returns whether it was there. */
  readonly unwait: (root: NodeId, id: string) => Effect.Effect<boolean, DiskError>
  /** Records that a request with this key is carried out from now on. Returns the record that is there already. */
  readonly begin: (key: string, at: number) => Effect.Effect<Option.Option<Request>, DiskError>
  /** What the request with this key has stored: a message of the forest, or one that waits. */
  readonly finish: (key: string, result: string) => Effect.Effect<void, DiskError>
}

/** A text that the user has edited, and the version that it was made from. */
export interface Draft {
  readonly text: string
  /** The version that the model has. */
  readonly known: string
  /** Counts the changes of the text, from 1. */
  readonly version: number
}

export interface Waiting {
  readonly id: string
  readonly text: string
  /** The message that it comes after; undefined for the end of the answer that was in progress. */
  readonly parent: NodeId | undefined
  /** Those that were chosen to answer it, as `provider/name`; none of a message that an earlier version of vibe has stored. */
  readonly models: ReadonlyArray<string>
}

export interface Request {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** None where it was not finished: the server was killed, say. */
  readonly result: string | undefined
}
