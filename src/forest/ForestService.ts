/** What a forest of conversations can do. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Bookmark } from "./Bookmark.ts"
import type * as Conversation from "./Conversation.ts"
import type { ForestError } from "./ForestError.ts"
import type * as AppendTree from "./internal/appendTree.ts"
import type * as Edit from "./internal/edit.ts"
import type * as Move from "./internal/move.ts"
import type * as Purge from "./internal/purge.ts"
import type * as Remove from "./internal/remove.ts"
import type { Draft, Node } from "./Node.ts"
import type * as Operation from "./Operation.ts"
import type { Query } from "./Query.ts"
import type { Root } from "./Root.ts"

export interface Service {
  /** The owner's tree with this system prompt and key; created where there is none. */
  readonly root: (tree: Pick<Root, "owner" | "systemPrompt" | "key">) => Effect.Effect<Root, ForestError>
  /**
   * A new tree for a new conversation, in `folder`, or in `Operation.folder`. It is in lists from its first message on,
   * which gives it its title.
   */
  readonly startConversation: (
    tree: Pick<Root, "owner" | "systemPrompt"> & { readonly folder?: string | undefined },
  ) => Effect.Effect<Root, ForestError>
  /** Conversations with messages, the one with the latest message first: found by an index, however many there are. */
  readonly conversations: (
    filter: Conversation.Filter,
  ) => Effect.Effect<ReadonlyArray<Conversation.Conversation>, ForestError>
  /** The conversation of a node or of a root. None for the root of a tree that conversations share. */
  readonly conversation: (id: NodeId) => Effect.Effect<Option.Option<Conversation.Conversation>, ForestError>
  /** Names a conversation: `root` is that of the conversation. The name is not part of what can be undone. */
  readonly rename: (root: NodeId, title: string) => Effect.Effect<Conversation.Conversation, ForestError>
  /** Moves a conversation to another folder, of lists alone: where its own was moved or removed. */
  readonly setFolder: (root: NodeId, folder: string) => Effect.Effect<Conversation.Conversation, ForestError>
  /** Oldest first; those of one owner where it is given. */
  readonly roots: (owner?: string) => Effect.Effect<ReadonlyArray<Root>, ForestError>
  readonly node: (id: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * The only definition of history: the root, and the nodes from it down to `id`. `last` reads only that many nodes from
   * the end, however long the path is.
   */
  readonly path: (id: NodeId, options?: { readonly last?: number | undefined }) => Effect.Effect<Path, ForestError>
  /** The number of nodes on the path to a node, itself included; 0 for a root. 50 ms for 100,000. */
  readonly depth: (id: NodeId) => Effect.Effect<number, ForestError>
  /**
   * Returns the nodes below a node as they are stored, oldest first. A message that an edit has divided is several nodes;
   * `MessageParts.children` returns whole messages.
   */
  readonly children: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** What an outline shows, a part at a time. */
  readonly outline: Outline
  /** The other children of its parent, oldest first. */
  readonly siblings: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** The nodes of the longest prefix of `messages` that exists below `parent`. */
  readonly prefix: (parent: NodeId, messages: ReadonlyArray<Message>) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** A node and its descendants by level, nearest first; of a root its descendants. */
  readonly subtree: (
    id: NodeId,
    options?: { readonly depth?: number | undefined },
  ) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /**
   * The newest `limit` descendants of a node or a root, oldest first, and how many descendants there are. Reads no others,
   * however large the tree is.
   */
  readonly newestBelow: (
    id: NodeId,
    limit: number,
    options?: { readonly depth?: number | undefined },
  ) => Effect.Effect<{ readonly nodes: ReadonlyArray<Node>; readonly count: number }, ForestError>
  /** The ends of conversations, newest first; of one tree where `root` is given. */
  readonly leaves: (limit: number, root?: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Newest first. */
  readonly search: (query: Query) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Ids of roots and nodes with this prefix, sorted. */
  readonly idsByPrefix: (prefix: string, limit: number) => Effect.Effect<ReadonlyArray<NodeId>, ForestError>

  /**
   * Appends messages, each below the one before; `parent` is a node or a root. A prefix that exists is not added again.
   * Returns the nodes of all messages. Empty messages are left out, and so are arguments of tool calls that are named
   * `__proto__`. Fails with `Invalid` where a message could not be read again.
   */
  readonly append: (
    parent: NodeId,
    drafts: ReadonlyArray<Draft>,
    options?: {
      /** Adds a node for the last message even where an equal one exists: a model may give the same answer twice. */
      readonly distinct?: boolean | undefined
    },
  ) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /**
   * Appends a tree of messages at once, such as a transcript, below a node or a root. A tree that is given as for `root` is created
   * with its messages where there is none, in one step, so that an interrupted import leaves no empty tree. Messages that are there already are not added again; of equal
   * children of one parent each has its own node, but for those of the user unless `exact`. Returns the nodes in the same
   * order, and how many of them were there. Fails like `append`.
   */
  readonly appendTree: (
    parent: NodeId | Pick<Root, "owner" | "systemPrompt" | "key">,
    messages: ReadonlyArray<AppendTree.Placed>,
    options?: { readonly exact?: boolean | undefined },
  ) => Effect.Effect<AppendTree.Appended, ForestError>
  /**
   * Replaces the text of a node, and returns the node at which the path ends with `text`, with the whole of it: what it has in
   * common with other versions is stored in a node above it, which `MessageParts` joins for readers. A leaf without bookmarks is
   * changed in place. Otherwise the new text is a branch, the old text stays, and its bookmarks move to the new node, or
   * those of the node `bookmarksOf`: the last one of a message that an edit has divided.
   */
  readonly edit: (
    id: NodeId,
    text: string,
    options?: { readonly bookmarksOf?: NodeId | undefined },
  ) => Effect.Effect<Node, ForestError>
  /** Splits a node in two at `position` (1 to length - 1). The right one keeps the id and the children. */
  readonly split: (id: NodeId, position: number) => Effect.Effect<Edit.Halves, ForestError>
  /**
   * Joins a message with its only child, the inverse of a split. The child keeps its id and its children, and gets the
   * bookmarks. Fails with `NotJoinable` where it is not the only child, or of another speaker.
   */
  readonly join: (id: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * Moves a node with its descendants below `parent`, another node of its tree or the root. Fails with `OtherTree` for one
   * of another tree, with `BelowItself` for a descendant, and with `Answering` or `AwaitsAnswer` where a tool call would be
   * left without its answer.
   */
  readonly move: (id: NodeId, parent: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * Copies messages below `parent`, a node or a root of any tree: a `branch` is a node with its descendants, or the
   * descendants of a root; a `path` is that to the node. Messages that are there already are not copied again, and
   * unreadable ones are left out. Fails like `move`.
   */
  readonly copy: (id: NodeId, parent: NodeId, what: "branch" | "path") => Effect.Effect<Move.Copied, ForestError>
  /**
   * Removes a node with its descendants (`cascade`), or moves its children to its parent (`reparent`). With `reparent`
   * the answers to its tool calls are removed too, and removing an answer alone fails with `Answering`: providers refuse
   * a call without its answer, and an answer without its call.
   */
  readonly remove: (
    id: NodeId,
    strategy: Remove.Strategy,
    options?: {
      /** Whether bookmarks on the nodes may be removed. By default it fails with `Bookmarked` where there are any. */
      readonly bookmarks?: boolean | undefined
    },
  ) => Effect.Effect<Remove.Removed, ForestError>

  /**
   * The position of `Position.holder`, which is one for the whole program unless that sets another one for each user; undefined
   * where the holder has none yet. The last node that was added or switched to.
   */
  readonly position: Effect.Effect<NodeId | undefined, ForestError>
  /**
   * Moves the position of `Position.holder`. Appending, editing and copying do that too. Without a node there is none any more.
   * Without a holder (`undefined`) it only fails where there is no such node.
   */
  readonly switchTo: (id: NodeId | undefined) => Effect.Effect<void, ForestError>

  /** Adds a bookmark, or moves the one of that title to the node. */
  readonly bookmark: (title: string, id: NodeId) => Effect.Effect<Bookmark, ForestError>
  readonly unbookmark: (title: string) => Effect.Effect<Bookmark, ForestError>
  /** By title. */
  readonly bookmarks: Effect.Effect<ReadonlyArray<Bookmark>, ForestError>

  /** A preview of `purge`: the nodes and bookmarks that it would remove. Fails as `purge` does. */
  readonly previewPurge: (
    target: Purge.Target,
    options?: { readonly bookmarks?: boolean | undefined },
  ) => Effect.Effect<Purge.PurgeSummary, ForestError>
  /**
   * Removes for good: a node with its descendants, a tree, or (`removed`) everything that was deleted and the texts that
   * edits replaced. It cannot be undone, and no file of the forest holds any of it afterwards. Earlier operations can be
   * undone as far as they changed other nodes.
   */
  readonly purge: (
    target: Purge.Target,
    options?: {
      /** Whether bookmarks on the nodes may be removed. By default it fails with `Bookmarked` where there are any. */
      readonly bookmarks?: boolean | undefined
    },
  ) => Effect.Effect<Purge.PurgeSummary, ForestError>
  /** Ids of deleted nodes and trees with this prefix, sorted. */
  readonly removedIdsByPrefix: (prefix: string, limit: number) => Effect.Effect<ReadonlyArray<NodeId>, ForestError>

  /** Makes all changes of `effect` one operation, which runs until `effect` ends. Inside another it is part of that one. */
  readonly operation: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The same for several effects: all that the returned function is applied to belong to one operation, until the scope closes. */
  readonly begin: Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, never, Scope.Scope>
  /**
   * Undoes the latest operation that is neither undone nor running: of one tree, and by one command and its subcommands
   * (`loom`), where they are given. Fails with `Conflict` where later changes depend on it. Where a tool call would be left
   * without its answer, the operation of the call is undone too; where that is not by `by`, it fails with `OpenCall`.
   */
  readonly undo: (root?: NodeId, by?: string) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** Undoes the operation with this number, of any command. */
  readonly undoOperation: (id: number) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** Redoes what the latest undo undid, of one command where `by` is given. Fails with `Conflict` after other changes. */
  readonly redo: (by?: string) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** The latest operations, the latest first. */
  readonly history: (limit: number) => Effect.Effect<ReadonlyArray<Operation.Summary>, ForestError>
}

export interface Path {
  readonly root: Root
  /** Oldest first; empty for a path of the root alone, and for `last: 0`. */
  readonly nodes: ReadonlyArray<Node>
}

/** Each takes the time of what it returns, however large the tree is. */
export interface Outline {
  /** The children of a node or a root from `offset` on, oldest first, and how many there are. */
  readonly children: (
    id: NodeId,
    part: { readonly offset: number; readonly limit: number },
  ) => Effect.Effect<{ readonly nodes: ReadonlyArray<Counted>; readonly total: number }, ForestError>
  /** What follows a node without a branch: at most `limit` nodes, each the only child of the one before it. */
  readonly run: (id: NodeId, limit: number) => Effect.Effect<ReadonlyArray<Counted>, ForestError>
  /** The last `limit` nodes of a path. */
  readonly path: (id: NodeId, limit: number) => Effect.Effect<ReadonlyArray<OnPath>, ForestError>
  /** How many children a node or a root has. */
  readonly count: (id: NodeId) => Effect.Effect<number, ForestError>
}

export interface Counted {
  readonly node: Node
  /** How many it has. */
  readonly children: number
}

export interface OnPath extends Counted {
  /** How many older siblings it has, and how many children its parent has. */
  readonly position: number
  readonly siblings: number
}
