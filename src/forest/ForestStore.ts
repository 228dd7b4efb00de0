/**
 * Storage of trees. An operation is plain synchronous code over rows, passed to `read` or `write`. It reads one consistent
 * state of the forest, and its writes are stored all or none, whatever other fibers and processes do.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Bookmark } from "./Bookmark.ts"
import type * as Conversation from "./Conversation.ts"
import type { ForestError } from "./ForestError.ts"
import type { Inventory, Plan } from "./internal/purge.ts"
import type { Change, EntrySummary, JournalEntry } from "./JournalEntry.ts"
import type { Node } from "./Node.ts"
import type { Holder } from "./Position.ts"
import type { Query } from "./Query.ts"
import type { Root } from "./Root.ts"
import type { Verification } from "./Verification.ts"

export type { Inventory, Plan, StoredEntry, StoredNode, StoredTree } from "./internal/purge.ts"
export type { DecodedEntry } from "./internal/replay.ts"
export type { Holder }

export class ForestStore extends Context.Tag("vibe/forest/ForestStore")<ForestStore, Service>() {}

export interface Service {
  readonly read: <A>(body: (rows: Reader) => A) => Effect.Effect<A, ForestError>
  /** Where `body` throws a `ForestError`, `write` fails with it and stores nothing. */
  readonly write: <A>(body: (rows: Writer) => A) => Effect.Effect<A, ForestError>
  /**
   * Like `write`, for a `body` that purges: afterwards no file of the forest holds any of the bytes that it removed. Fails
   * with `Uncompacted` where that is not certain.
   */
  readonly erase: <A>(body: (rows: Writer) => A) => Effect.Effect<A, ForestError>
  /** Checks everything that is stored, removed nodes too, and repairs nothing. */
  readonly verify: Effect.Effect<Verification, ForestError>
  /** Ends an operation; see `Writer.startOperation`. Nothing depends on it, so it does not fail. */
  readonly endOperation: (operationId: string) => Effect.Effect<void>
  /** Rebuilds everything that is derived from the rows: indices, the search index, and counts. */
  readonly mend: Effect.Effect<void, ForestError>
}

/** Reads nodes and roots. Removed ones are not found until they are added again. */
export interface Reader {
  readonly root: (id: NodeId) => Root | undefined
  /** Oldest first; those of one owner where it is given. */
  readonly roots: (owner?: string) => ReadonlyArray<Root>
  /** The oldest tree with this owner, system prompt and key. */
  readonly findRoot: (tree: Pick<Root, "owner" | "systemPrompt" | "key">) => Root | undefined
  /** The conversations with messages, the one with the latest message first: found by an index, however many there are. */
  readonly conversations: (filter: Conversation.Filter) => ReadonlyArray<Conversation.Conversation>
  /** The conversation of a node, or of the root of its own tree. Before its first message its leaf is its root. */
  readonly conversation: (id: NodeId) => Conversation.Conversation | undefined
  readonly node: (id: NodeId) => Node | undefined
  /**
   * The nodes from below the root down to `id`, oldest first; the last `limit` of them where it is given, reading at most
   * one more. Throws where one is missing, or where they form a circle.
   */
  readonly path: (id: NodeId, limit?: number) => ReadonlyArray<Node>
  /** The number of nodes on the path to a node, itself included; 0 for a root. 50 ms for 100,000. */
  readonly depth: (id: NodeId) => number
  /** Oldest first. */
  readonly children: (parent: NodeId) => ReadonlyArray<Node>
  /** A part of them, and how many there are: reads no other nodes. */
  readonly childrenFrom: (
    parent: NodeId,
    part: { readonly offset: number; readonly limit: number },
  ) => { readonly nodes: ReadonlyArray<Node>; readonly total: number }
  /** Counts the children of a node or a root without reading them. */
  readonly childCount: (parent: NodeId) => number
  /** The nodes below one, each the only child of the one before it, at most `limit`. */
  readonly onlyDescendants: (id: NodeId, limit: number) => ReadonlyArray<Node>
  /** How many older siblings a node has. */
  readonly childIndex: (id: NodeId) => number
  /** The nodes of the longest prefix of `messages` that exists below `parent`; of equal nodes the oldest. */
  readonly prefix: (parent: NodeId, messages: ReadonlyArray<Message>) => ReadonlyArray<Node>
  /** `id` and its descendants by level, nearest first; `depth` levels of them where it is given. */
  readonly subtree: (id: NodeId, depth?: number) => ReadonlyArray<Node>
  /**
   * The newest `limit` descendants of a node or a root, oldest first, and how many descendants there are; down to `depth`
   * levels where it is given. Reads no other nodes.
   */
  readonly newestBelow: (
    top: NodeId,
    limit: number,
    depth?: number,
  ) => { readonly nodes: ReadonlyArray<Node>; readonly count: number }
  /** Nodes without children, newest first; of one tree where `root` is given. */
  readonly leaves: (limit: number, root?: NodeId) => ReadonlyArray<Node>
  /** Newest first. */
  readonly search: (query: Query) => ReadonlyArray<Node>
  /** Ids of roots and nodes with this prefix, sorted. */
  readonly idsByPrefix: (prefix: string, limit: number) => ReadonlyArray<NodeId>
  /** The same for removed roots and nodes. */
  readonly removedIdsByPrefix: (prefix: string, limit: number) => ReadonlyArray<NodeId>
  /** Everything that a purge may choose from. */
  readonly inventory: () => Inventory
  /** Where a person is; undefined where there is no such position. Of a removed node its nearest ancestor that is there. */
  readonly position: (holder: Holder) => NodeId | undefined
  readonly bookmark: (title: string) => Bookmark | undefined
  /** Sorted by title. */
  readonly bookmarks: () => ReadonlyArray<Bookmark>
  /**
   * The latest entry of the journal that passes the filter, is not undone, and has not lost changes to a purge.
   */
  readonly latest: (which?: EntryFilter) => JournalEntry | undefined
  readonly entry: (entry: number) => EntrySummary | undefined
  /** The entry that undid this one. */
  readonly undoOf: (entry: number) => EntrySummary | undefined
  /** All entries of the operation of this entry, oldest first; empty where there is no such entry. */
  readonly operation: (entry: number) => ReadonlyArray<JournalEntry>
  /** The entries of the latest `limit` operations: the latest operation first, its oldest entry first. */
  readonly recent: (limit: number) => ReadonlyArray<ReadonlyArray<EntrySummary>>
  /** The entry that added a node, if the journal has it. */
  readonly entryThatAdded: (node: NodeId) => number | undefined
  /** The entries after this one that changed an existing node and are not undone; without entries of kind `undo`. */
  readonly changedSince: (entry: number) => ReadonlyArray<JournalEntry>
  /** Ids of the running operations: started, not ended, and of a process that is alive. */
  readonly runningOperations: () => ReadonlyArray<string>
}

/** By default every entry but those of kind `undo`. */
export interface EntryFilter {
  /** Only entries of this tree. */
  readonly root?: NodeId | undefined
  /** By this command or a subcommand of it; see `Operation.isBy`. */
  readonly by?: string | undefined
  /** Only an `undo`. */
  readonly isUndo?: boolean | undefined
  /** No entries of the operations with these ids. */
  readonly except?: ReadonlyArray<string> | undefined
}

export interface Writer extends Reader {
  /** Removes for good what the plan lists, from the journal too. */
  readonly purge: (plan: Plan) => void
  /** The folder of the conversations that this step begins; by default the one that their owner names, if it does. */
  readonly setFolder: (folder: string | undefined) => void
  /** Gives a conversation a name, or another folder. `root` is that of the conversation. */
  readonly describe: (root: NodeId, what: { readonly title?: string; readonly folder?: string }) => void
  /** Throws where the id exists, also that of a removed node. */
  readonly insertRoot: (root: Root) => void
  /** Throws like `insertRoot`. */
  readonly insert: (node: Node) => void
  /** `added` and `planted` restore what was removed. Throws `Changed` where the forest is not in the state before the change. */
  readonly apply: (change: Change) => void
  readonly appendEntry: (entry: Omit<JournalEntry, "id">) => void
  /** Records that this process runs an operation. Changes nothing where it is recorded already. */
  readonly startOperation: (operationId: string) => void
  /** `at` in milliseconds since the epoch. Without a node there is no position any more. */
  readonly setPosition: (holder: Holder, node: NodeId | undefined, at: number) => void
}

/** Opens a store in memory, for what cannot be written to the file. It lasts as long as the layer. */
export class Fallback extends Context.Tag("vibe/forest/ForestStore/Fallback")<Fallback, Effect.Effect<Service>>() {}
