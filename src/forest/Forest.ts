/**
 * The forest of conversations: trees of messages that can be appended to, branched, edited and searched. Only a purge
 * removes anything for good. Every operation is atomic: it is stored whole, or fails and changes nothing.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Ids from "../message/Ids.ts"
import type { Message } from "../message/Message.ts"
import { NodeId } from "../message/NodeId.ts"
import { withSpan } from "../message/Tracing.ts"
import { type Bookmark, Title } from "./Bookmark.ts"
import type * as Conversation from "./Conversation.ts"
import { BadTitle, Bookmarked, ForestError, IsRoot, NoBookmark, NotFound } from "./ForestError.ts"
import * as ForestStore from "./ForestStore.ts"
import * as Append from "./internal/append.ts"
import * as AppendTree from "./internal/appendTree.ts"
import * as ChangeRecorder from "./internal/changeRecorder.ts"
import * as Edit from "./internal/edit.ts"
import * as Join from "./internal/join.ts"
import * as Move from "./internal/move.ts"
import * as Purge from "./internal/purge.ts"
import * as Remove from "./internal/remove.ts"
import * as Undo from "./internal/undo.ts"
import { validateRoot } from "./internal/validate.ts"
import type { Change, Operation as Kind } from "./JournalEntry.ts"
import type { Draft, Node } from "./Node.ts"
import * as Operation from "./Operation.ts"
import * as Position from "./Position.ts"
import type { Query } from "./Query.ts"
import type { Root } from "./Root.ts"

export class Forest extends Context.Tag("vibe/forest/Forest")<Forest, Service>() {}

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
  /** Oldest first. */
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
   * Appends a tree of messages at once, such as a transcript. Those that are there already are not added again; of equal
   * children of one parent each has its own node, but for those of the user unless `exact`. Returns the nodes in the same
   * order, and how many of them were there. Fails like `append`.
   */
  readonly appendTree: (
    parent: NodeId,
    messages: ReadonlyArray<AppendTree.Placed>,
    options?: { readonly exact?: boolean | undefined },
  ) => Effect.Effect<AppendTree.Appended, ForestError>
  /**
   * Replaces the text of a node, and returns the node at which the path ends with `text`. A leaf without bookmarks is
   * changed in place. Otherwise the new text is a branch, the old text stays, and its bookmarks move to the new node.
   */
  readonly edit: (id: NodeId, text: string) => Effect.Effect<Node, ForestError>
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

  /** The position of `Position.holder`; undefined where that has none. */
  readonly position: Effect.Effect<NodeId | undefined, ForestError>
  /** Moves it. Appending, editing and copying do that too. Without a node there is none any more. */
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

export type { Appended, Placed } from "./internal/appendTree.ts"
export type { Copied } from "./internal/move.ts"
export type { PurgeSummary as Purged } from "./internal/purge.ts"

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

export const make = Effect.gen(function* () {
  const store = yield* ForestStore.ForestStore
  const ids = yield* Ids.Ids

  /** Changes a tree, and adds an entry to the journal. */
  const change = <A>(
    operation: Kind,
    body: (
      recorder: ChangeRecorder.ChangeRecorder,
      fresh: ChangeRecorder.IdsAndTime,
    ) => readonly [root: NodeId, result: A, position?: NodeId | undefined],
  ): Effect.Effect<A, ForestError> =>
    Effect.gen(function* () {
      const next = yield* ids.source
      const now = yield* Clock.currentTimeMillis
      const author = yield* FiberRef.get(Operation.author)
      const current = yield* FiberRef.get(Operation.current)
      const holder = yield* FiberRef.get(Position.holder)
      const folder = yield* FiberRef.get(Operation.folder)
      return yield* store.write((rows) => {
        rows.setFolder(folder)
        const recorder = ChangeRecorder.make(rows)
        const [root, result, position] = body(recorder, { now, id: () => NodeId.make(next()) })
        const { changes } = recorder
        if (holder !== undefined && position !== undefined) rows.setPosition(holder, position, now)
        if (changes.length === 0) return result
        rows.appendEntry({ root, operation, at: now, changes, author, ...(current && { operationId: current.id }) })
        if (current !== undefined) {
          rows.startOperation(current.id)
          current.isWritten = true
        }
        return result
      })
    })

  const started = Effect.flatMap(FiberRef.get(Operation.current), (outer) =>
    outer === undefined ? Operation.begin : Effect.succeed(undefined),
  )
  const end = (begun: Operation.ActiveOperation | undefined) =>
    begun?.isWritten === true ? store.endOperation(begun.id) : Effect.void
  const within =
    (begun: Operation.ActiveOperation | undefined) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      begun === undefined ? effect : Effect.locally(effect, Operation.current, begun)

  const begin: Service["begin"] = Effect.map(Effect.acquireRelease(started, end), within)

  const operation: Service["operation"] = (effect) =>
    Effect.acquireUseRelease(started, (begun) => within(begun)(effect), end)

  const root = Effect.fn("Forest.root")(function* (tree: Pick<Root, "owner" | "systemPrompt" | "key">) {
    return yield* change("root", ({ insertRoot, rows }, { id, now }) => {
      validateRoot(tree)
      const { key, owner, systemPrompt } = tree
      const root =
        rows.findRoot(tree) ??
        insertRoot({ id: id(), owner, systemPrompt, createdAt: now, ...(key !== undefined && { key }) })
      return [root.id, root]
    })
  })

  const startConversation: Service["startConversation"] = Effect.fn("Forest.startConversation")((tree) =>
    change("root", ({ insertRoot, rows }, { id, now }) => {
      validateRoot(tree)
      const { folder, owner, systemPrompt } = tree
      if (folder !== undefined) rows.setFolder(folder)
      const own = id()
      const root = insertRoot({ id: own, owner, systemPrompt, createdAt: now, key: own })
      return [root.id, root]
    }),
  )

  /** Not in the journal: it changes no message, and nothing depends on it. */
  const describe = (root: NodeId, what: { readonly title?: string; readonly folder?: string }) =>
    store.write((rows) => {
      if (rows.conversation(root)?.root !== root) throwMissing(root)
      rows.describe(root, what)
      return rows.conversation(root) ?? throwMissing(root)
    })

  const rename: Service["rename"] = Effect.fn("Forest.rename")(function* (root, title) {
    const line = title.replaceAll(/\s+/g, " ").trim()
    if (!isTitle(line)) return yield* new ForestError({ reason: new BadTitle({ title, of: "conversation" }) })
    return yield* describe(root, { title: line })
  })

  const append: Service["append"] = (parent, drafts, { distinct = false } = {}) =>
    change("append", (recorder, fresh) => {
      const root = treeOf(recorder.rows, parent)
      const nodes = Append.append(recorder, { root, parent }, drafts, fresh, distinct)
      return [root, nodes, nodes.at(-1)?.id]
    })

  const appendTree: Service["appendTree"] = Effect.fn("Forest.appendTree")((parent, messages, { exact = false } = {}) =>
    change("append", (recorder, fresh) => {
      const root = treeOf(recorder.rows, parent)
      const appended = AppendTree.appendTree(recorder, { root, parent }, messages, fresh, exact)
      return [root, appended, appended.nodes.at(-1)?.id]
    }),
  )

  const path: Service["path"] = (id, { last } = {}) =>
    store
      .read((rows) => {
        const nodes = rows.path(id, last)
        return { root: rootOf(rows, treeOf(rows, id)), nodes }
      })
      .pipe(withSpan("Forest.path", { node: id }))

  const edit = Effect.fn("Forest.edit")((id: NodeId, text: string) =>
    change("edit", (recorder, fresh) => {
      const node = nodeOf(recorder.rows, id, "edit")
      const edited = Edit.edit(recorder, node, text, fresh)
      return [node.root, edited, edited.id]
    }),
  )

  const split = Effect.fn("Forest.split")((id: NodeId, position: number) =>
    change("split", (recorder, fresh) => {
      const node = nodeOf(recorder.rows, id, "split")
      return [node.root, Edit.split(recorder, node, position, fresh)]
    }),
  )

  const join = Effect.fn("Forest.join")((id: NodeId) =>
    change("join", (recorder, fresh) => {
      const node = nodeOf(recorder.rows, id, "join")
      return [node.root, Join.join(recorder, node, fresh)]
    }),
  )

  const move = Effect.fn("Forest.move")((id: NodeId, parent: NodeId) =>
    change("move", (recorder) => {
      treeOf(recorder.rows, parent)
      const node = nodeOf(recorder.rows, id, "move")
      return [node.root, Move.move(recorder, node, parent)]
    }),
  )

  const copy: Service["copy"] = Effect.fn("Forest.copy")((id, parent, what) =>
    change("copy", (recorder, fresh) => {
      const { rows } = recorder
      const root = treeOf(rows, parent)
      treeOf(rows, id)
      const nodes = what === "path" ? rows.path(id) : rows.subtree(id)
      const copied = Move.copy(recorder, id, nodes, { root, parent }, fresh)
      return [root, copied, copied.id]
    }),
  )

  const position = Effect.flatMap(FiberRef.get(Position.holder), (holder) =>
    holder === undefined ? Effect.succeed(undefined) : store.read((rows) => rows.position(holder)),
  )

  const switchTo: Service["switchTo"] = Effect.fn("Forest.switchTo")(function* (id) {
    const holder = yield* FiberRef.get(Position.holder)
    const now = yield* Clock.currentTimeMillis
    yield* store.write((rows) => {
      if (id !== undefined) treeOf(rows, id)
      if (holder !== undefined) rows.setPosition(holder, id, now)
    })
  })

  const remove: Service["remove"] = Effect.fn("Forest.remove")((id, strategy, { bookmarks = false } = {}) =>
    change("delete", (recorder) => {
      const node = nodeOf(recorder.rows, id, "delete")
      return [node.root, Remove.remove(recorder, node, strategy, bookmarks)]
    }),
  )

  const bookmark = Effect.fn("Forest.bookmark")((title: string, id: NodeId) =>
    change("bookmark", ({ mark, rows }, { now }) => {
      if (!isTitle(title)) throw new ForestError({ reason: new BadTitle({ title, of: "bookmark" }) })
      const node = nodeOf(rows, id, "bookmark")
      const before = rows.bookmark(title)
      if (before?.node === id) return [node.root, before]
      const after: Bookmark = { title, node: id, createdAt: before?.createdAt ?? now, updatedAt: now }
      mark(before, after)
      return [node.root, after]
    }),
  )

  const unbookmark = Effect.fn("Forest.unbookmark")((title: string) =>
    change("bookmark", ({ mark, rows }) => {
      const before = rows.bookmark(title)
      if (before === undefined) throw new ForestError({ reason: new NoBookmark({ title }) })
      mark(before, undefined)
      return [treeOf(rows, before.node), before]
    }),
  )

  /** An undo or a redo: an operation by itself, also within another. */
  const revert = <A>(body: (rows: ForestStore.Writer, stamp: Undo.Stamp) => A): Effect.Effect<A, ForestError> =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const author = yield* FiberRef.get(Operation.author)
      const { id } = yield* Operation.begin
      return yield* store.write((rows) => body(rows, { at, author, operationId: id }))
    })

  const undo = Effect.fn("Forest.undo")((tree?: NodeId, by?: string) =>
    revert((rows, stamp) => Undo.undo(rows, Undo.latest(rows, tree, by), stamp, by)),
  )

  const undoOperation = Effect.fn("Forest.undoOperation")((id: number) =>
    revert((rows, stamp) => Undo.undo(rows, id, stamp)),
  )

  const redo = Effect.fn("Forest.redo")((by?: string) => revert((rows, stamp) => Undo.redo(rows, stamp, by)))

  const purgeable: Service["previewPurge"] = (target, { bookmarks = false } = {}) =>
    store.read((rows) => planPurge(rows, target, bookmarks).purged)

  const purge: Service["purge"] = Effect.fn("Forest.purge")(function* (target, { bookmarks = false } = {}) {
    const at = yield* Clock.currentTimeMillis
    const author = yield* FiberRef.get(Operation.author)
    const { id: operationId } = yield* Operation.begin
    return yield* store.erase((rows) => {
      const plan = planPurge(rows, target, bookmarks)
      rows.purge(plan)
      for (const root of plan.touched) {
        const changes: ReadonlyArray<Change> = plan.uprooted.has(root) ? [{ type: "uprooted", root }] : []
        rows.appendEntry({ root, operation: "purge", at, author, operationId, changes: [...changes, Purge.PURGED] })
      }
      return plan.purged
    })
  })

  return Forest.of({
    root,
    startConversation,
    conversations: (filter) => store.read((rows) => rows.conversations(filter)),
    conversation: (id) => store.read((rows) => Option.fromNullable(rows.conversation(id))),
    rename,
    setFolder: (root, folder) => describe(root, { folder }),
    roots: (owner) => store.read((rows) => rows.roots(owner)),
    node: (id) => store.read((rows) => rows.node(id) ?? throwMissing(id)),
    path,
    depth: (id) =>
      store.read((rows) => {
        treeOf(rows, id)
        return rows.depth(id)
      }),
    children: (id) => store.read((rows) => rows.children(id)),
    outline: outlineOf(store),
    siblings: (id) =>
      store.read((rows) => {
        const { parent } = rows.node(id) ?? throwMissing(id)
        return rows.children(parent).filter((node) => node.id !== id)
      }),
    prefix: (parent, messages) =>
      store.read((rows) => {
        treeOf(rows, parent)
        return rows.prefix(parent, messages)
      }),
    subtree: (id, { depth } = {}) =>
      store.read((rows) => {
        treeOf(rows, id)
        return rows.subtree(id, depth)
      }),
    newestBelow: (id, limit, { depth } = {}) =>
      store.read((rows) => {
        treeOf(rows, id)
        return rows.newestBelow(id, limit, depth)
      }),
    leaves: (limit, root) => store.read((rows) => rows.leaves(limit, root)),
    search: (query) => store.read((rows) => rows.search(query)),
    idsByPrefix: (prefix, limit) => store.read((rows) => rows.idsByPrefix(prefix, limit)),
    append,
    appendTree,
    edit,
    split,
    join,
    move,
    copy,
    position,
    switchTo,
    remove,
    bookmark,
    unbookmark,
    bookmarks: store.read((rows) => rows.bookmarks()),
    operation,
    begin,
    previewPurge: purgeable,
    purge,
    removedIdsByPrefix: (prefix, limit) => store.read((rows) => rows.removedIdsByPrefix(prefix, limit)),
    undo,
    undoOperation,
    redo,
    history: (limit) => store.read((rows) => rows.recent(limit).map((entries) => Undo.summary(rows, entries))),
  })
})

export const layer: Layer.Layer<Forest, never, ForestStore.ForestStore | Ids.Ids> = Layer.effect(Forest, make)

const outlineOf = ({ read }: ForestStore.Service): Outline => {
  const count =
    (rows: ForestStore.Reader) =>
    (node: Node): Counted => ({ node, children: rows.childCount(node.id) })
  return {
    children: (id, part) =>
      read((rows) => {
        treeOf(rows, id)
        const { nodes, total } = rows.childrenFrom(id, part)
        return { nodes: nodes.map(count(rows)), total }
      }),
    run: (id, limit) =>
      read((rows) => {
        treeOf(rows, id)
        return rows.onlyDescendants(id, limit).map(count(rows))
      }),
    path: (id, limit) =>
      read((rows) =>
        rows.path(id, limit).map((node): OnPath => {
          const siblings = rows.childCount(node.parent)
          return { ...count(rows)(node), position: siblings === 1 ? 0 : rows.childIndex(node.id), siblings }
        }),
      ),
    count: (id) =>
      read((rows) => {
        treeOf(rows, id)
        return rows.childCount(id)
      }),
  }
}

const isTitle = Schema.is(Title)

/** Plans a purge. Throws where the target does not exist, or where bookmarks would be removed without permission. */
const planPurge = (rows: ForestStore.Reader, target: Purge.Target, isMeant: boolean): Purge.Plan => {
  const plan = Purge.plan(rows.inventory(), target)
  if (plan === undefined) return throwMissing(NodeId.make(target))
  const titles = plan.purged.bookmarks
  if (titles.length > 0 && !isMeant) {
    throw new ForestError({ reason: new Bookmarked({ id: NodeId.make(target), titles }) })
  }
  return plan
}

/** The tree of a node or a root. */
const treeOf = (rows: ForestStore.Reader, id: NodeId): NodeId => rows.node(id)?.root ?? rootOf(rows, id).id

const rootOf = (rows: ForestStore.Reader, id: NodeId): Root => rows.root(id) ?? throwMissing(id)

const nodeOf = (rows: ForestStore.Reader, id: NodeId, operation: IsRoot["operation"]): Node => {
  const node = rows.node(id)
  if (node !== undefined) return node
  if (rows.root(id) === undefined) return throwMissing(id)
  throw new ForestError({ reason: new IsRoot({ id, operation }) })
}

const throwMissing = (id: NodeId): never => {
  throw new ForestError({ reason: new NotFound({ id }) })
}
