/**
 * The forest of conversations: trees of messages that are appended to, branched, cut and searched, and in which nothing
 * is ever lost but by a purge. Every operation is one step: it is kept whole, or fails and leaves everything as it was.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Ids from "../message/Ids.ts"
import type { Message } from "../message/Message.ts"
import { NodeId } from "../message/NodeId.ts"
import { withSpan } from "../message/Tracing.ts"
import { type Bookmark, Title } from "./Bookmark.ts"
import { BadTitle, Bookmarked, ForestError, IsRoot, NoBookmark, NotFound } from "./ForestError.ts"
import * as ForestStore from "./ForestStore.ts"
import * as Append from "./internal/append.ts"
import * as Edit from "./internal/edit.ts"
import * as Purge from "./internal/purge.ts"
import * as Recording from "./internal/recording.ts"
import * as Remove from "./internal/remove.ts"
import * as Undo from "./internal/undo.ts"
import { validateRoot } from "./internal/validate.ts"
import type { Change, Operation as Kind } from "./JournalEntry.ts"
import type { Draft, Node } from "./Node.ts"
import * as Operation from "./Operation.ts"
import type { Query } from "./Query.ts"
import type { Root } from "./Root.ts"

export class Forest extends Context.Tag("vibe/forest/Forest")<Forest, Service>() {}

export interface Service {
  /** The owner's tree with this system prompt, made where there is none. */
  readonly root: (tree: Pick<Root, "owner" | "systemPrompt">) => Effect.Effect<Root, ForestError>
  /** Oldest first; all of them where no owner is named. */
  readonly roots: (owner?: string) => Effect.Effect<ReadonlyArray<Root>, ForestError>
  readonly node: (id: NodeId) => Effect.Effect<Node, ForestError>
  /**
   * The only definition of history: the root, and the nodes from it down to `id`; `last`: only so many of them, and no
   * more are read, however long the path is.
   */
  readonly path: (id: NodeId, options?: { readonly last?: number | undefined }) => Effect.Effect<Path, ForestError>
  /** Oldest first. */
  readonly children: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** The other children of its parent, oldest first. */
  readonly siblings: (id: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** The nodes that say the same as the messages already, each below the one before, as far as there are any. */
  readonly prefix: (parent: NodeId, messages: ReadonlyArray<Message>) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** What is at and below a node, nearest first; of a root, what is below. */
  readonly subtree: (
    id: NodeId,
    options?: { readonly depth?: number | undefined },
  ) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** The ends of conversations, newest first; of one tree where it is given. */
  readonly leaves: (limit: number, root?: NodeId) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Newest first. */
  readonly search: (query: Query) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /** Ids of roots and nodes that begin like this, in order. */
  readonly beginning: (prefix: string, limit: number) => Effect.Effect<ReadonlyArray<NodeId>, ForestError>

  /**
   * Adds messages, each under the one before; `parent` is a node or a root. What is there already is not added again:
   * the nodes of all of them are returned, but for messages that say nothing, which are left out. An argument of a tool
   * call that is named `__proto__` is left out, too. Fails with `Invalid` where one of them could not be read again.
   */
  readonly append: (
    parent: NodeId,
    drafts: ReadonlyArray<Draft>,
    options?: {
      /** The last of them becomes a node of its own, even beside one that says the same: what a model says twice. */
      readonly distinct?: boolean | undefined
    },
  ) => Effect.Effect<ReadonlyArray<Node>, ForestError>
  /**
   * The node at whose end the path reads `text` instead. A leaf is changed in place unless a bookmark stands on it;
   * else the new text branches off, the old one stays, and its bookmarks move to the new one.
   */
  readonly edit: (id: NodeId, text: string) => Effect.Effect<Node, ForestError>
  /** Two nodes for one, cut at `position` (1 to length - 1). The right one keeps the id, and what is below. */
  readonly split: (id: NodeId, position: number) => Effect.Effect<Edit.Halves, ForestError>
  /**
   * Takes a node away, with what is below (`cascade`) or without (`reparent`). Then calls take their answers along, and
   * an answer alone is refused (`Answering`): no provider takes the one without the other.
   */
  readonly remove: (
    id: NodeId,
    strategy: Remove.Strategy,
    options?: {
      /** Whether bookmarks that would go are meant to. Else it fails with `Bookmarked`. */
      readonly bookmarks?: boolean | undefined
    },
  ) => Effect.Effect<Remove.Removed, ForestError>

  /** Names a node, or moves the bookmark of that title to it. */
  readonly bookmark: (title: string, id: NodeId) => Effect.Effect<Bookmark, ForestError>
  readonly unbookmark: (title: string) => Effect.Effect<Bookmark, ForestError>
  /** By title. */
  readonly bookmarks: Effect.Effect<ReadonlyArray<Bookmark>, ForestError>

  /** What `purge` would remove. Fails as it would. */
  readonly purgeable: (
    target: Purge.Target,
    options?: { readonly bookmarks?: boolean | undefined },
  ) => Effect.Effect<Purge.Purged, ForestError>
  /**
   * Removes a node with all that is below it, or a tree, for good, though it was deleted before; or all that was deleted,
   * and the words that edits replaced (`removed`). Nothing brings it back, and no file of the forest has any of it. What
   * was done before stays undoable as far as it is about something else.
   */
  readonly purge: (
    target: Purge.Target,
    options?: {
      /** Whether bookmarks that would go are meant to. Else it fails with `Bookmarked`. */
      readonly bookmarks?: boolean | undefined
    },
  ) => Effect.Effect<Purge.Purged, ForestError>
  /** Ids of deleted nodes and trees that begin like this, in order. */
  readonly removed: (prefix: string, limit: number) => Effect.Effect<ReadonlyArray<NodeId>, ForestError>

  /** All that `effect` changes is one operation, under way until it ends; inside of another it is part of that one. */
  readonly operation: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The same in parts: what the function is given until the scope closes belongs to one operation. */
  readonly begin: Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, never, Scope.Scope>
  /**
   * Takes back the latest operation that stands and is not under way: of one tree, and by one command and those below it
   * (`loom`), where they are given. Fails with `Conflict` where later changes stand on it. Where a call would be left
   * without its answer, the operation of the call is taken back, too, or it fails with `OpenCall`: `by` holds for both.
   */
  readonly undo: (root?: NodeId, by?: string) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** The same for the operation that is named by its number, of any command. */
  readonly undoOperation: (id: number) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** Puts back what the latest undo took back, unless changes since stand in the way (`Conflict`); `by` one command. */
  readonly redo: (by?: string) => Effect.Effect<ReadonlyArray<Operation.Reverted>, ForestError>
  /** The operations that were at work last, the latest first. */
  readonly history: (limit: number) => Effect.Effect<ReadonlyArray<Operation.Summary>, ForestError>
}

export type { Purged } from "./internal/purge.ts"

export interface Path {
  readonly root: Root
  /** Oldest first; empty where the path is the root alone, or none of it was asked for. */
  readonly nodes: ReadonlyArray<Node>
}

export const make = Effect.gen(function* () {
  const store = yield* ForestStore.ForestStore
  const ids = yield* Ids.Ids

  /** Changes a tree, and writes that down. */
  const change = <A>(
    operation: Kind,
    body: (recording: Recording.Recording, fresh: Recording.IdsAndTime) => readonly [root: NodeId, result: A],
  ): Effect.Effect<A, ForestError> =>
    Effect.gen(function* () {
      const next = yield* ids.source
      const now = yield* Clock.currentTimeMillis
      const author = yield* FiberRef.get(Operation.author)
      const current = yield* FiberRef.get(Operation.current)
      return yield* store.write((rows) => {
        const recording = Recording.make(rows)
        const [root, result] = body(recording, { now, id: () => NodeId.make(next()) })
        const { changes } = recording
        if (changes.length === 0) return result
        rows.journal({ root, operation, at: now, changes, author, ...(current && { operationId: current.id }) })
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
  const ended = (begun: Operation.Begun | undefined) =>
    begun?.isWritten === true ? store.endOperation(begun.id) : Effect.void
  const within =
    (begun: Operation.Begun | undefined) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      begun === undefined ? effect : Effect.locally(effect, Operation.current, begun)

  const begin: Service["begin"] = Effect.map(Effect.acquireRelease(started, ended), within)

  const operation: Service["operation"] = (effect) =>
    Effect.acquireUseRelease(started, (begun) => within(begun)(effect), ended)

  const root = Effect.fn("Forest.root")(function* ({ owner, systemPrompt }: Pick<Root, "owner" | "systemPrompt">) {
    return yield* change("root", ({ plant, rows }, { id, now }) => {
      validateRoot({ owner, systemPrompt })
      const known = rows.roots(owner).find((root) => root.systemPrompt === systemPrompt)
      const root = known ?? plant({ id: id(), owner, systemPrompt, createdAt: now })
      return [root.id, root]
    })
  })

  const append: Service["append"] = (parent, drafts, { distinct = false } = {}) =>
    change("append", (recording, fresh) => {
      const root = treeOf(recording.rows, parent)
      return [root, Append.append(recording, { root, parent }, drafts, fresh, distinct)]
    })

  const path: Service["path"] = (id, { last } = {}) =>
    store
      .read((rows) => {
        const nodes = rows.path(id, last)
        return { root: rootOf(rows, treeOf(rows, id)), nodes }
      })
      .pipe(withSpan("Forest.path", { node: id }))

  const edit = Effect.fn("Forest.edit")((id: NodeId, text: string) =>
    change("edit", (recording, fresh) => {
      const node = nodeOf(recording.rows, id, "edit")
      return [node.root, Edit.edit(recording, node, text, fresh)]
    }),
  )

  const split = Effect.fn("Forest.split")((id: NodeId, position: number) =>
    change("split", (recording, fresh) => {
      const node = nodeOf(recording.rows, id, "split")
      return [node.root, Edit.split(recording, node, position, fresh)]
    }),
  )

  const remove: Service["remove"] = Effect.fn("Forest.remove")((id, strategy, { bookmarks = false } = {}) =>
    change("delete", (recording) => {
      const node = nodeOf(recording.rows, id, "delete")
      return [node.root, Remove.remove(recording, node, strategy, bookmarks)]
    }),
  )

  const bookmark = Effect.fn("Forest.bookmark")((title: string, id: NodeId) =>
    change("bookmark", ({ mark, rows }, { now }) => {
      if (!isTitle(title)) throw new ForestError({ reason: new BadTitle({ title }) })
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
  const reverting = <A>(body: (rows: ForestStore.Writer, stamp: Undo.Stamp) => A): Effect.Effect<A, ForestError> =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const author = yield* FiberRef.get(Operation.author)
      const { id } = yield* Operation.begin
      return yield* store.write((rows) => body(rows, { at, author, operationId: id }))
    })

  const undo = Effect.fn("Forest.undo")((tree?: NodeId, by?: string) =>
    reverting((rows, stamp) => Undo.undo(rows, Undo.latest(rows, tree, by), stamp, by)),
  )

  const undoOperation = Effect.fn("Forest.undoOperation")((id: number) =>
    reverting((rows, stamp) => Undo.undo(rows, id, stamp)),
  )

  const redo = Effect.fn("Forest.redo")((by?: string) => reverting((rows, stamp) => Undo.redo(rows, stamp, by)))

  const purgeable: Service["purgeable"] = (target, { bookmarks = false } = {}) =>
    store.read((rows) => planned(rows, target, bookmarks).purged)

  const purge: Service["purge"] = Effect.fn("Forest.purge")(function* (target, { bookmarks = false } = {}) {
    const at = yield* Clock.currentTimeMillis
    const author = yield* FiberRef.get(Operation.author)
    const { id: operationId } = yield* Operation.begin
    return yield* store.erase((rows) => {
      const plan = planned(rows, target, bookmarks)
      rows.purge(plan)
      for (const root of plan.touched) {
        const changes: ReadonlyArray<Change> = plan.uprooted.has(root) ? [{ type: "uprooted", root }] : []
        rows.journal({ root, operation: "purge", at, author, operationId, changes: [...changes, Purge.PURGED] })
      }
      return plan.purged
    })
  })

  return Forest.of({
    root,
    roots: (owner) => store.read((rows) => rows.roots(owner)),
    node: (id) => store.read((rows) => rows.node(id) ?? missing(id)),
    path,
    children: (id) => store.read((rows) => rows.children(id)),
    siblings: (id) =>
      store.read((rows) => {
        const { parent } = rows.node(id) ?? missing(id)
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
    leaves: (limit, root) => store.read((rows) => rows.leaves(limit, root)),
    search: (query) => store.read((rows) => rows.search(query)),
    beginning: (prefix, limit) => store.read((rows) => rows.beginning(prefix, limit)),
    append,
    edit,
    split,
    remove,
    bookmark,
    unbookmark,
    bookmarks: store.read((rows) => rows.bookmarks()),
    operation,
    begin,
    purgeable,
    purge,
    removed: (prefix, limit) => store.read((rows) => rows.removed(prefix, limit)),
    undo,
    undoOperation,
    redo,
    history: (limit) => store.read((rows) => rows.recent(limit).map((entries) => Undo.summary(rows, entries))),
  })
})

export const layer: Layer.Layer<Forest, never, ForestStore.ForestStore | Ids.Ids> = Layer.effect(Forest, make)

const isTitle = Schema.is(Title)

/** Of a purge: throws where there is nothing of that name, or a bookmark would go that is not meant to. */
const planned = (rows: ForestStore.Reader, target: Purge.Target, isMeant: boolean): Purge.Plan => {
  const plan = Purge.plan(rows.inventory(), target)
  if (plan === undefined) return missing(NodeId.make(target))
  const titles = plan.purged.bookmarks
  if (titles.length > 0 && !isMeant) {
    throw new ForestError({ reason: new Bookmarked({ id: NodeId.make(target), titles }) })
  }
  return plan
}

/** The tree that a node or a root is of. */
const treeOf = (rows: ForestStore.Reader, id: NodeId): NodeId => rows.node(id)?.root ?? rootOf(rows, id).id

const rootOf = (rows: ForestStore.Reader, id: NodeId): Root => rows.root(id) ?? missing(id)

const nodeOf = (rows: ForestStore.Reader, id: NodeId, operation: IsRoot["operation"]): Node => {
  const node = rows.node(id)
  if (node !== undefined) return node
  if (rows.root(id) === undefined) return missing(id)
  throw new ForestError({ reason: new IsRoot({ id, operation }) })
}

const missing = (id: NodeId): never => {
  throw new ForestError({ reason: new NotFound({ id }) })
}
