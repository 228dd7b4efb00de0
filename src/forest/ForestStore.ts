/**
 * Where trees are kept. An operation is plain synchronous code over rows, handed to `read` or `write`: it sees one state
 * of the forest, and what it writes is kept whole or not at all, whoever else reads and writes.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Bookmark } from "./Bookmark.ts"
import type { ForestError } from "./ForestError.ts"
import type { Inventory, Plan } from "./internal/purge.ts"
import type { Brief, Change, JournalEntry } from "./JournalEntry.ts"
import type { Node } from "./Node.ts"
import type { Query } from "./Query.ts"
import type { Root } from "./Root.ts"
import type { Verification } from "./Verification.ts"

export class ForestStore extends Context.Tag("vibe/forest/ForestStore")<ForestStore, Service>() {}

export interface Service {
  readonly read: <A>(body: (rows: Reader) => A) => Effect.Effect<A, ForestError>
  /** Where `body` throws a `ForestError`, that is the failure, and nothing of what was written is kept. */
  readonly write: <A>(body: (rows: Writer) => A) => Effect.Effect<A, ForestError>
  /**
   * Like `write`, for a `body` that purges: afterwards none of the bytes that it removes is in any file of the forest. Fails
   * with `Uncompacted` where that is not known.
   */
  readonly erase: <A>(body: (rows: Writer) => A) => Effect.Effect<A, ForestError>
  /** Looks at everything that is kept, also at what was removed, and repairs nothing. */
  readonly verify: Effect.Effect<Verification, ForestError>
  /** An operation is no longer under way; see `Writer.startOperation`. Nothing else depends on it, so it does not fail. */
  readonly endOperation: (operationId: string) => Effect.Effect<void>
  /** Makes anew what follows from the rest: indices, the one for the search among them, and what is counted. */
  readonly mend: Effect.Effect<void, ForestError>
}

/** What is there. What was removed is not, until it is added again. */
export interface Reader {
  readonly root: (id: NodeId) => Root | undefined
  /** Oldest first; all of them where no owner is named. */
  readonly roots: (owner?: string) => ReadonlyArray<Root>
  readonly node: (id: NodeId) => Node | undefined
  /**
   * The nodes from below the root down to `id`, oldest first; the last `limit` of them where it is given, and then no
   * more than one above them is looked at. Throws where one is missing, or they go in a circle.
   */
  readonly path: (id: NodeId, limit?: number) => ReadonlyArray<Node>
  /** Oldest first. */
  readonly children: (parent: NodeId) => ReadonlyArray<Node>
  /** The nodes that say the same as the messages, each below the one before, as far as there are any; the oldest of several. */
  readonly prefix: (parent: NodeId, messages: ReadonlyArray<Message>) => ReadonlyArray<Node>
  /** `id` and what is below it, nearest first; `depth` levels of that where it is given. */
  readonly subtree: (id: NodeId, depth?: number) => ReadonlyArray<Node>
  /** Nodes without children, newest first; of one tree where it is given. */
  readonly leaves: (limit: number, root?: NodeId) => ReadonlyArray<Node>
  /** Newest first. */
  readonly search: (query: Query) => ReadonlyArray<Node>
  /** Ids of roots and nodes that begin like this, in order. */
  readonly beginning: (prefix: string, limit: number) => ReadonlyArray<NodeId>
  /** The same, of what was removed. */
  readonly removed: (prefix: string, limit: number) => ReadonlyArray<NodeId>
  /** What a purge chooses from. */
  readonly inventory: () => Inventory
  readonly bookmark: (title: string) => Bookmark | undefined
  /** By title. */
  readonly bookmarks: () => ReadonlyArray<Bookmark>
  /**
   * The latest entry of the journal of those that are meant, that no other has undone, and that has lost nothing to a purge
   * that it would need.
   */
  readonly latest: (which?: Which) => JournalEntry | undefined
  readonly entry: (entry: number) => Brief | undefined
  /** The entry that has undone this one. */
  readonly undoing: (entry: number) => Brief | undefined
  /** All entries of the operation that this one is of, oldest first; none where there is no such entry. */
  readonly operation: (entry: number) => ReadonlyArray<JournalEntry>
  /** The entries of the operations that were at work last, the latest operation first, of each the oldest entry first. */
  readonly recent: (limit: number) => ReadonlyArray<ReadonlyArray<Brief>>
  /** The entry that made a node; none where the journal has none. */
  readonly madeBy: (node: NodeId) => number | undefined
  /** The entries after this one that hold a change of a node that was there, and were not undone; no `undo` among them. */
  readonly changedSince: (entry: number) => ReadonlyArray<JournalEntry>
  /** The operations under way, by `Entry.operationId`: begun, not ended, and of a process that is alive. */
  readonly underWay: () => ReadonlyArray<string>
}

/** By default any entry but an `undo`. */
export interface Which {
  /** Of this tree. */
  readonly root?: NodeId | undefined
  /** By this command, or one below it; see `Operation.isBy`. */
  readonly by?: string | undefined
  /** Only an `undo`. */
  readonly isUndo?: boolean | undefined
  /** Of none of these operations, by `Entry.operationId`. */
  readonly except?: ReadonlyArray<string> | undefined
}

export interface Writer extends Reader {
  /** Removes for good what a plan says, from the journal too. */
  readonly purge: (plan: Plan) => void
  /** Throws where there is one of this id already, though it be removed. */
  readonly plant: (root: Root) => void
  /** The same, for a node. */
  readonly insert: (node: Node) => void
  /** `added` and `planted` bring back what was removed. Throws where the forest is not in the state that is changed. */
  readonly apply: (change: Change) => void
  readonly journal: (entry: Omit<JournalEntry, "id">) => void
  /** This process has begun an operation, by `Entry.operationId`; changes nothing where it is under way. */
  readonly startOperation: (operationId: string) => void
}

/** Opens a store in memory, for what cannot be written to the file. It lasts as long as the layer. */
export class Fallback extends Context.Tag("vibe/forest/ForestStore/Fallback")<Fallback, Effect.Effect<Service>>() {}
