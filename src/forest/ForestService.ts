/** The operations of a forest of conversations. */

import * as Effect from "effect/Effect"
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
import type { Draft, Node, Root } from "./Node.ts"
import type * as Operation from "./Operation.ts"
import type { Query } from "./Query.ts"

export interface Service {
  /** Returns the owner's tree with this system prompt and key, and creates it if there is none. */
  readonly root: (tree: Pick<Root, "owner" | "systemPrompt" | "key">) => Effect.Effect<Root, ForestError>
  /**
   * Creates a tree for a new conversation, in `folder`, or in `Operation.folder`. Lists show it from its first message
   * on, which gives it its title.
   */
  readonly startConversation: (
    tree: Pick<Root, "owner" | "systemPrompt"> & { readonly folder?: string | undefined },
  ) => Effect.Effect<Root, ForestError>
  /**
   * Lists the conversations that have messages, the one with the latest message first. An index finds them, however
   * many there are.
   */
  readonly conversations: (
    filter: Conversation.Filter,
  ) => Effect.Effect<ReadonlyArray<Conversation.Conversation>, ForestError>
  /** Returns the conversation of a node or of a root. The root of a tree that conversations share has none. */
  readonly conversation: (id: NodeId) => Effect.Effect<Option.Option<Conversation.Conversation>, ForestError>
  /** Names a conversation, whose root is `root`. An undo does not take the name back. */
  readonly rename: (root: NodeId, title: string) => Effect.Effect<Conversation.Conversation, ForestError>
  /** Lists the conversation under another folder, for one whose own folder was moved or removed. */
  readonly setFolder: (root: NodeId, folder: string) => Effect.Effect<Conversation.Conversation, ForestError>
  /** Lists the roots of an owner, or of all owners, oldest first. */
  readonly roots: (owner?: string) => Effect.Effect<ReadonlyArray<Root>, ForestError>
  readonly node: (id: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * Returns the root, and the nodes from it down to `id`: the only definition of history. `last` reads only that many
   * nodes from the end, however long the path is.
   */
  readonly path: (id: NodeId, options?: { readonly last?: number | undefined }) => Effect.Effect<Path, ForestError>
  /** Counts the nodes on the path to a node, itself included; 0 for a root. A path of 100,000 nodes takes 50 ms. */
  readonly depth: (id: NodeId) => Effect.Effect<number, ForestError>
  /**
   * Returns the nodes below a node as they are stored, oldest first. A message that an edit has divided is several
   * nodes; `MessageParts.children` returns whole messages.
   */
  readonly children: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Reads for an outline a part of the tree at a time. */
  readonly outline: Outline
  /** Lists the other children of its parent, oldest first. */
  readonly siblings: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Returns the nodes of the longest prefix of `messages` that exists below `parent`. */
  readonly prefix: (parent: NodeId, messages: ReadonlyArray<Message>) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Lists a node and its descendants by level, nearest first. A root itself is not among them. */
  readonly subtree: (
    id: NodeId,
    options?: { readonly depth?: number | undefined },
  ) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /**
   * Returns the newest `limit` descendants of a node or a root, oldest first, and how many descendants there are. It
   * reads no others, however large the tree is.
   */
  readonly newestBelow: (
    id: NodeId,
    limit: number,
    options?: { readonly depth?: number | undefined },
  ) => Effect.Effect<{ readonly nodes: ReadonlyArray<Node>; readonly count: number }, ForestError>
  /** Lists the ends of conversations, newest first, in the tree of `root` if it is given. */
  readonly leaves: (limit: number, root?: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Lists the nodes that match, newest first. */
  readonly search: (query: Query) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Lists the ids of roots and nodes with this prefix, sorted. */
  readonly idsByPrefix: (prefix: string, limit: number) => Effect.Effect<ReadonlyArray<NodeId>, ForestError>

  /**
   * Appends messages, each below the one before; `parent` is a node or a root. A prefix that exists is not added again.
   * Returns the nodes of all messages. Empty messages are left out, and so are arguments of tool calls that are named
   * `__proto__`. Fails with `Invalid` if a message could not be read again.
   */
  readonly append: (
    parent: NodeId,
    drafts: ReadonlyArray<Draft>,
    options?: {
      /** Adds a node for the last message even if an equal one exists, since a model may give the same answer twice. */
      readonly distinct?: boolean | undefined
    },
  ) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /**
   * Appends a tree of messages at once, such as a transcript, below a node or a root. A `parent` as for `root` names a
   * tree; if there is none, it is created in the same step as its messages, so that an interrupted import leaves no
   * empty tree. Messages that exist are not added again. Equal children of one parent each get a node, but equal
   * messages of the user share one unless `exact`. Returns the nodes in the same order, and how many of them existed.
   * Fails like `append`.
   */
  readonly appendTree: (
    parent: NodeId | Pick<Root, "owner" | "systemPrompt" | "key">,
    messages: ReadonlyArray<AppendTree.Placed>,
    options?: { readonly exact?: boolean | undefined },
  ) => Effect.Effect<AppendTree.Appended, ForestError>
  /**
   * Replaces the text of a node, and returns the node at which the path ends with `text`, with the whole of it. The
   * part that the text shares with other versions is stored in a node above it; `MessageParts` joins the two for
   * readers. A leaf without bookmarks is changed in place. Otherwise the new text is a branch, the old text stays, and
   * its bookmarks move to the new node. If an edit has divided the message, `bookmarksOf` is its last node, and the
   * bookmarks of that node move instead.
   */
  readonly edit: (
    id: NodeId,
    text: string,
    options?: { readonly bookmarksOf?: NodeId | undefined },
  ) => Effect.Effect<Node, ForestError>
  /** Splits a node in two at `position` (1 to length - 1). The right half keeps the id and the children. */
  readonly split: (id: NodeId, position: number) => Effect.Effect<Edit.Halves, ForestError>
  /**
   * Joins a message with its only child, the inverse of a split. The child keeps its id and its children, and gets the
   * bookmarks. Fails with `NotJoinable` if the message has other children, or if the child is of another speaker.
   */
  readonly join: (id: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * Moves a node with its descendants below `parent`, another node of its tree or the root. Fails with `OtherTree` if
   * `parent` is in another tree, with `BelowItself` if it is a descendant, and with `Answering` or `AwaitsAnswer` if a
   * tool call would be left without its answer.
   */
  readonly move: (id: NodeId, parent: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * Copies messages below `parent`, a node or a root of any tree. A `branch` is a node with its descendants, or the
   * descendants of a root; a `path` is the path to the node. Messages that exist there are not copied again, and
   * unreadable ones are left out. Fails like `move`.
   */
  readonly copy: (id: NodeId, parent: NodeId, what: "branch" | "path") => Effect.Effect<Move.Copied, ForestError>
  /**
   * Removes a node with its descendants (`cascade`), or moves its children to its parent (`reparent`). With `reparent`
   * the answers to its tool calls are removed too, and removing an answer alone fails with `Answering`: providers
   * refuse a call without its answer, and an answer without its call.
   */
  readonly remove: (
    id: NodeId,
    strategy: Remove.Strategy,
    options?: {
      /**
       * True if bookmarks on the nodes may be removed. By default the call fails with `Bookmarked` if there are any.
       */
      readonly bookmarks?: boolean | undefined
    },
  ) => Effect.Effect<Remove.Removed, ForestError>

  /**
   * The position of `Position.holder`: the last node that was added or switched to; undefined if the holder has none
   * yet. There is one holder for the whole program, unless `Position.holder` is set for each user.
   */
  readonly position: Effect.Effect<NodeId | undefined, ForestError>
  /**
   * Moves the position of `Position.holder`, as appending, editing and copying also do. If `id` is undefined, the
   * holder has no position any more. If the holder is undefined, it only checks that the node exists.
   */
  readonly switchTo: (id: NodeId | undefined) => Effect.Effect<void, ForestError>

  /** Adds a bookmark, or moves the one with that title to the node. */
  readonly bookmark: (title: string, id: NodeId) => Effect.Effect<Bookmark, ForestError>
  readonly unbookmark: (title: string) => Effect.Effect<Bookmark, ForestError>
  /** Lists the bookmarks, sorted by title. */
  readonly bookmarks: Effect.Effect<ReadonlyArray<Bookmark>, ForestError>

  /** Returns the nodes and bookmarks that `purge` would remove. Fails as `purge` does. */
  readonly previewPurge: (
    target: Purge.Target,
    options?: { readonly bookmarks?: boolean | undefined },
  ) => Effect.Effect<Purge.PurgeSummary, ForestError>
  /**
   * Removes for good a node with its descendants, a tree, or (`removed`) everything that was deleted and the texts that
   * edits replaced. It cannot be undone, and no file of the forest holds any of it afterwards. Earlier operations can
   * be undone as far as they changed other nodes.
   */
  readonly purge: (
    target: Purge.Target,
    options?: {
      /**
       * True if bookmarks on the nodes may be removed. By default the call fails with `Bookmarked` if there are any.
       */
      readonly bookmarks?: boolean | undefined
    },
  ) => Effect.Effect<Purge.PurgeSummary, ForestError>
  /** Lists the ids of deleted nodes and trees with this prefix, sorted. */
  readonly removedIdsByPrefix: (prefix: string, limit: number) => Effect.Effect<ReadonlyArray<NodeId>, ForestError>

  /**
   * Makes all changes of `effect` one operation, which runs until `effect` ends. Within another operation they are part
   * of that one.
   */
  readonly operation: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Does the same for several effects: all effects to which the returned function is applied belong to one operation,
   * until the scope closes.
   */
  readonly begin: Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, never, Scope.Scope>
  /**
   * Undoes the latest operation that is neither undone nor running. `root` limits it to a tree, and `by` to a command
   * and its subcommands (`loom`). Fails with `Conflict` if later changes depend on it. If a tool call would be left
   * without its answer, the operation of the call is undone too; if that one is not by `by`, it fails with `OpenCall`.
   */
  readonly undo: (root?: NodeId, by?: string) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** Undoes the operation with this number, whichever command made it. */
  readonly undoOperation: (id: number) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** Redoes what the latest undo undid; `by` limits it to one command. Fails with `Conflict` after other changes. */
  readonly redo: (by?: string) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** Lists the latest operations, the latest first. */
  readonly history: (limit: number) => Effect.Effect<ReadonlyArray<Operation.Summary>, ForestError>
}

export interface Path {
  readonly root: Root
  /** The nodes, oldest first; empty for a path of the root alone, and for `last: 0`. */
  readonly nodes: ReadonlyArray<Node>
}

/** Each of these takes time only for what it returns, however large the tree is. */
export interface Outline {
  /** Lists the children of a node or a root from `offset` on, oldest first, and counts all of them. */
  readonly children: (
    id: NodeId,
    part: { readonly offset: number; readonly limit: number },
  ) => Effect.Effect<{ readonly nodes: ReadonlyArray<Counted>; readonly total: number }, ForestError>
  /** Lists the nodes that follow without a branch: at most `limit` nodes, each the only child of the one before it. */
  readonly run: (id: NodeId, limit: number) => Effect.Effect<ReadonlyArray<Counted>, ForestError>
  /** Lists the last `limit` nodes of a path. */
  readonly path: (id: NodeId, limit: number) => Effect.Effect<ReadonlyArray<OnPath>, ForestError>
  /** Counts the children of a node or a root. */
  readonly count: (id: NodeId) => Effect.Effect<number, ForestError>
}

export interface Counted {
  readonly node: Node
  /** The number of its children. */
  readonly children: number
}

export interface OnPath extends Counted {
  /** The number of its older siblings, and (`siblings`) the number of the children of its parent. */
  readonly position: number
  readonly siblings: number
}

/**
 * Reads the end of the path to `id`: `last` nodes (at least 1), then four times as many, and so on, until `isEnough`
 * returns true for the nodes read or the path is read whole.
 */
export const readTail = (
  forest: Service,
  id: NodeId,
  last: number,
  isEnough: (nodes: ReadonlyArray<Node>) => boolean,
): Effect.Effect<Path, ForestError> =>
  Effect.flatMap(forest.path(id, { last }), (path) =>
    path.nodes.length < last || isEnough(path.nodes) ? Effect.succeed(path) : readTail(forest, id, last * 4, isEnough),
  )
