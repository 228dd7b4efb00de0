/**
 * The storage of trees. An operation is plain synchronous code over rows, passed to `read` or `write`. It reads one
 * consistent state of the forest, and its writes are stored all or none, whatever other fibers and processes do.
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
import type { Node, Root } from "./Node.ts"
import type { Holder } from "./Position.ts"
import type { Query } from "./Query.ts"

export type { Inventory, Plan, StoredEntry, StoredNode, StoredTree } from "./internal/purge.ts"
export type { DecodedEntry } from "./internal/replay.ts"
export type { Holder }

export class ForestStore extends Context.Tag("vibe/forest/ForestStore")<ForestStore, Service>() {}

export interface Service {
  readonly read: <A>(body: (rows: Reader) => A) => Effect.Effect<A, ForestError>
  /** Runs `body` and stores what it writes. If `body` throws a `ForestError`, it fails with that and stores nothing. */
  readonly write: <A>(body: (rows: Writer) => A) => Effect.Effect<A, ForestError>
  /**
   * Does the same for a `body` that purges: afterwards no file of the forest holds any of the bytes that it removed.
   * Fails with `Uncompacted` if that is not certain.
   */
  readonly erase: <A>(body: (rows: Writer) => A) => Effect.Effect<A, ForestError>
  /** Checks everything that is stored, including removed nodes, and repairs nothing. */
  readonly verify: Effect.Effect<Verification, ForestError>
  /** Ends an operation; see `Writer.startOperation`. Nothing depends on it, so it does not fail. */
  readonly endOperation: (operationId: string) => Effect.Effect<void>
  /** Rebuilds everything that is derived from the rows: indices, the search index, and counts. */
  readonly mend: Effect.Effect<void, ForestError>
}

/** Reads nodes and roots. Removed ones are not found until they are added again. */
export interface Reader {
  readonly root: (id: NodeId) => Root | undefined
  /** Lists the roots of an owner, or of all owners, oldest first. */
  readonly roots: (owner?: string) => ReadonlyArray<Root>
  /** Returns the oldest tree with this owner, system prompt and key. */
  readonly findRoot: (tree: Pick<Root, "owner" | "systemPrompt" | "key">) => Root | undefined
  /**
   * Lists the conversations that have messages, the one with the latest message first. An index finds them, however
   * many there are.
   */
  readonly conversations: (filter: Conversation.Filter) => ReadonlyArray<Conversation.Conversation>
  /**
   * Returns the conversation of a node, or of the root of its own tree. Before its first message, its leaf is its root.
   */
  readonly conversation: (id: NodeId) => Conversation.Conversation | undefined
  readonly node: (id: NodeId) => Node | undefined
  /**
   * Lists the nodes from below the root down to `id`, oldest first, or only the last `limit` of them, for which it
   * reads at most one more. Throws if a node is missing, or if they form a circle.
   */
  readonly path: (id: NodeId, limit?: number) => ReadonlyArray<Node>
  /** Counts the nodes on the path to a node, itself included; 0 for a root. A path of 100,000 nodes takes 50 ms. */
  readonly depth: (id: NodeId) => number
  /** Lists the children of a node or a root, oldest first. */
  readonly children: (parent: NodeId) => ReadonlyArray<Node>
  /** Returns a part of the children, and how many there are. It reads no other nodes. */
  readonly childrenFrom: (
    parent: NodeId,
    part: { readonly offset: number; readonly limit: number },
  ) => { readonly nodes: ReadonlyArray<Node>; readonly total: number }
  /** Counts the children of a node or a root without reading them. */
  readonly childCount: (parent: NodeId) => number
  /** Lists at most `limit` nodes below a node, each the only child of the one before it. */
  readonly onlyDescendants: (id: NodeId, limit: number) => ReadonlyArray<Node>
  /** Counts the older siblings of a node. */
  readonly childIndex: (id: NodeId) => number
  /** Returns the nodes of the longest prefix of `messages` that exists below `parent`, the oldest of equal nodes. */
  readonly prefix: (parent: NodeId, messages: ReadonlyArray<Message>) => ReadonlyArray<Node>
  /** Lists `id` and its descendants by level, nearest first, down to `depth` levels. */
  readonly subtree: (id: NodeId, depth?: number) => ReadonlyArray<Node>
  /**
   * Returns the newest `limit` descendants of a node or a root, oldest first, and how many descendants there are, down
   * to `depth` levels. It reads no other nodes.
   */
  readonly newestBelow: (
    top: NodeId,
    limit: number,
    depth?: number,
  ) => { readonly nodes: ReadonlyArray<Node>; readonly count: number }
  /** Lists nodes without children, newest first, in the tree of `root` if it is given. */
  readonly leaves: (limit: number, root?: NodeId) => ReadonlyArray<Node>
  /** Lists the nodes that match, newest first. */
  readonly search: (query: Query) => ReadonlyArray<Node>
  /** Lists the ids of roots and nodes with this prefix, sorted. */
  readonly idsByPrefix: (prefix: string, limit: number) => ReadonlyArray<NodeId>
  /** Does the same for removed roots and nodes. */
  readonly removedIdsByPrefix: (prefix: string, limit: number) => ReadonlyArray<NodeId>
  /** Returns everything that a purge may choose from. */
  readonly inventory: () => Inventory
  /**
   * Returns the position of a person, or undefined if there is none. If its node was removed, it is the nearest
   * ancestor that exists.
   */
  readonly position: (holder: Holder) => NodeId | undefined
  readonly bookmark: (title: string) => Bookmark | undefined
  /** Lists the bookmarks, sorted by title. */
  readonly bookmarks: () => ReadonlyArray<Bookmark>
  /**
   * Returns the latest entry of the journal that passes the filter, is not undone, and has not lost changes to a purge.
   */
  readonly latest: (which?: EntryFilter) => JournalEntry | undefined
  readonly entry: (entry: number) => EntrySummary | undefined
  /** Returns the entry that undid this one. */
  readonly undoOf: (entry: number) => EntrySummary | undefined
  /** Lists all entries of the operation of this entry, oldest first; empty if there is no such entry. */
  readonly operation: (entry: number) => ReadonlyArray<JournalEntry>
  /** Lists the entries of the latest `limit` operations, the latest operation first, its oldest entry first. */
  readonly recent: (limit: number) => ReadonlyArray<ReadonlyArray<EntrySummary>>
  /** Returns the entry that added a node, if the journal has it. */
  readonly entryThatAdded: (node: NodeId) => number | undefined
  /** Lists the entries after this one that changed an existing node and are not undone, except those of kind `undo`. */
  readonly changedSince: (entry: number) => ReadonlyArray<JournalEntry>
  /**
   * Lists the ids of the running operations: those that have started, have not ended, and are of a process that is
   * alive.
   */
  readonly runningOperations: () => ReadonlyArray<string>
}

/** Selects entries of the journal; by default all entries but those of kind `undo`. */
export interface EntryFilter {
  /** Selects only entries of this tree. */
  readonly root?: NodeId | undefined
  /** Selects only entries by this command or a subcommand of it; see `Operation.isBy`. */
  readonly by?: string | undefined
  /** Selects only entries of kind `undo`. */
  readonly isUndo?: boolean | undefined
  /** Leaves out entries of the operations with these ids. */
  readonly except?: ReadonlyArray<string> | undefined
}

export interface Writer extends Reader {
  /** Removes for good everything that the plan lists, from the journal too. */
  readonly purge: (plan: Plan) => void
  /**
   * Sets the folder of the conversations that this step begins. By default it is the one that their owner names, if
   * any.
   */
  readonly setFolder: (folder: string | undefined) => void
  /** Gives a conversation, whose root is `root`, a name or another folder. */
  readonly describe: (root: NodeId, what: { readonly title?: string; readonly folder?: string }) => void
  /** Throws if the id exists, even if its node was removed. */
  readonly insertRoot: (root: Root) => void
  /** Inserts a node. Throws like `insertRoot`. */
  readonly insert: (node: Node) => void
  /**
   * Applies a change; `added` and `planted` restore what was removed. Throws `Changed` if the forest is not in the
   * state before the change.
   */
  readonly apply: (change: Change) => void
  readonly appendEntry: (entry: Omit<JournalEntry, "id">) => void
  /** Records that this process runs an operation. Changes nothing if that is recorded already. */
  readonly startOperation: (operationId: string) => void
  /** Sets the position of a holder, or removes it if there is no node. `at` is in milliseconds since the epoch. */
  readonly setPosition: (holder: Holder, node: NodeId | undefined, at: number) => void
}

/** Opens a store in memory, for conversations that cannot be written to the file. It lasts as long as the layer. */
export class Fallback extends Context.Tag("vibe/forest/ForestStore/Fallback")<Fallback, Effect.Effect<Service>>() {}

/** A violated invariant: no sequence of operations leads to it. */
export interface Problem {
  /** The object that has the problem: a node, a tree, a bookmark, an entry of the journal, or the storage itself. */
  readonly subject: string
  readonly what: string
  /** True if `ForestStore.mend` repairs it, since it concerns only what can be rebuilt from the rows. */
  readonly isMendable?: boolean
}

export interface Verification {
  /** The number of roots. Removed ones are checked, but not counted. */
  readonly roots: number
  readonly nodes: number
  readonly bookmarks: number
  readonly entries: number
  readonly problems: ReadonlyArray<Problem>
  /** Irregularities that deletions may leave. Providers refuse them, so `History.repair` corrects them in requests. */
  readonly notes: ReadonlyArray<Problem>
}
