/**
 * The forest of conversations: trees of messages that can be appended to, branched, edited and searched. Only a purge
 * removes anything for good. Every operation is atomic: it is stored whole, or fails and changes nothing.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Ids from "../message/Ids.ts"
import { NodeId } from "../message/NodeId.ts"
import { type Bookmark, Title } from "./Bookmark.ts"
import { BadTitle, Bookmarked, ForestError, NoBookmark } from "./ForestError.ts"
import type { Service } from "./ForestService.ts"
import * as ForestStore from "./ForestStore.ts"
import * as Append from "./internal/append.ts"
import * as AppendTree from "./internal/appendTree.ts"
import * as ChangeRecorder from "./internal/changeRecorder.ts"
import * as Edit from "./internal/edit.ts"
import * as Join from "./internal/join.ts"
import { wholeMessage } from "./internal/joinMessages.ts"
import { nodeOf, throwMissing, treeOf } from "./internal/lookup.ts"
import * as Move from "./internal/move.ts"
import * as Purge from "./internal/purge.ts"
import { makeReads } from "./internal/reads.ts"
import * as Remove from "./internal/remove.ts"
import * as Undo from "./internal/undo.ts"
import { validateRoot } from "./internal/validate.ts"
import type * as JournalEntry from "./JournalEntry.ts"
import type { Root } from "./Node.ts"
import * as Operation from "./Operation.ts"
import * as Position from "./Position.ts"

/**
 * Keeps conversations as trees of messages: each path from a root is a history. Every change but a purge can be undone.
 *
 * When to use it: to read, search, branch or edit what was said, or to keep messages of your own. Engines such as
 * `LoomEngine` and `ChatEngine` add the messages of a conversation by themselves. `ForestStore` below it only stores
 * the nodes.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Forest, Ids, Message, SqliteForestStore } from "vibe-index"
 *
 * const program = Effect.gen(function* () {
 *   const forest = yield* Forest.Forest
 *   const root = yield* forest.root({ owner: "example", systemPrompt: "Be brief." })
 *   const ask = (text: string) => forest.append(root.id, [{ message: Message.user(text), source: { type: "user" } }])
 *   const print = Effect.flatMap(forest.children(root.id), (nodes) =>
 *     Console.log(nodes.map(({ message }) => Message.text(message)).join(" / ")),
 *   )
 *
 *   // Two messages below the same node are two branches of a conversation.
 *   yield* ask("What is a monad?")
 *   yield* ask("What is a functor?")
 *   yield* print
 *   yield* forest.undo()
 *   yield* print
 * })
 *
 * const vibe = Forest.layer.pipe(Layer.provide([SqliteForestStore.layerMemory, Ids.layer]))
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: What is a monad? / What is a functor?
 * // prints: What is a monad?
 * ```
 */
export class Forest extends Context.Tag("vibe/forest/Forest")<Forest, Service>() {}

export type { Counted, OnPath, Outline, Path, Service } from "./ForestService.ts"
export type { Appended, Placed } from "./internal/appendTree.ts"
export type { Halves } from "./internal/edit.ts"
export type { Copied } from "./internal/move.ts"
export type { PurgeSummary as Purged, Target as PurgeTarget } from "./internal/purge.ts"
export type { Removed, Strategy } from "./internal/remove.ts"

/** A change of one tree. It returns the root of the tree, the result, and the new position if there is one. */
type Change<A> = (
  recorder: ChangeRecorder.ChangeRecorder,
  fresh: ChangeRecorder.IdsAndTime,
) => readonly [root: NodeId, result: A, position?: NodeId | undefined]

type Step = <A>(operation: JournalEntry.Operation, change: Change<A>) => A

export const make = Effect.gen(function* () {
  const store = yield* ForestStore.ForestStore
  const ids = yield* Ids.Ids

  /** Changes trees in one transaction, and adds an entry to the journal for each step that changes anything. */
  const changeInSteps = <A>(body: (step: Step) => A): Effect.Effect<A, ForestError> =>
    Effect.gen(function* () {
      const next = yield* ids.source
      const now = yield* Clock.currentTimeMillis
      const author = yield* FiberRef.get(Operation.author)
      const current = yield* FiberRef.get(Operation.current)
      const holder = yield* FiberRef.get(Position.holder)
      const folder = yield* FiberRef.get(Operation.folder)
      return yield* store.write((rows) => {
        rows.setFolder(folder)
        return body((operation, change) => {
          const recorder = ChangeRecorder.make(rows)
          const [root, result, position] = change(recorder, { now, id: () => NodeId.make(next()) })
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
    })

  /** Changes a tree, and adds an entry to the journal. */
  const change = <A>(operation: JournalEntry.Operation, body: Change<A>): Effect.Effect<A, ForestError> =>
    changeInSteps((step) => step(operation, body))

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

  const findOrInsertRoot =
    (tree: Pick<Root, "owner" | "systemPrompt" | "key">): Change<Root> =>
    ({ insertRoot, rows }, { id, now }) => {
      validateRoot(tree)
      const { key, owner, systemPrompt } = tree
      const root =
        rows.findRoot(tree) ??
        insertRoot({ id: id(), owner, systemPrompt, createdAt: now, ...(key !== undefined && { key }) })
      return [root.id, root]
    }

  const root: Service["root"] = Effect.fn("Forest.root")((tree) => change("root", findOrInsertRoot(tree)))

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

  /**
   * Describes a conversation. The journal has no entry for it, since it changes no message and nothing depends on it.
   */
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
    changeInSteps((step) => {
      const above = typeof parent === "string" ? parent : step("root", findOrInsertRoot(parent)).id
      return step("append", (recorder, fresh) => {
        const root = treeOf(recorder.rows, above)
        const appended = AppendTree.appendTree(recorder, { root, parent: above }, messages, fresh, exact)
        return [root, appended, appended.nodes.at(-1)?.id]
      })
    }),
  )

  const edit = Effect.fn("Forest.edit")(
    (id: NodeId, text: string, options?: { readonly bookmarksOf?: NodeId | undefined }) =>
      change("edit", (recorder, fresh) => {
        const node = nodeOf(recorder.rows, id, "edit")
        const edited = Edit.edit(recorder, node, text, fresh, options)
        return [node.root, { ...edited, message: wholeMessage(edited, text, recorder.rows.node) }, edited.id]
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

  /** Runs an undo or a redo. It is an operation by itself, even within another one. */
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
        const changes: ReadonlyArray<JournalEntry.Change> = plan.uprooted.has(root) ? [{ type: "uprooted", root }] : []
        rows.appendEntry({ root, operation: "purge", at, author, operationId, changes: [...changes, Purge.PURGED] })
      }
      return plan.purged
    })
  })

  return Forest.of({
    ...makeReads(store),
    root,
    startConversation,
    rename,
    setFolder: (root, folder) => describe(root, { folder }),
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
    operation,
    begin,
    previewPurge: purgeable,
    purge,
    undo,
    undoOperation,
    redo,
  })
})

export const layer: Layer.Layer<Forest, never, ForestStore.ForestStore | Ids.Ids> = Layer.effect(Forest, make)

const isTitle = Schema.is(Title)

/** Plans a purge. Throws if the target does not exist, or if bookmarks would be removed without permission. */
const planPurge = (rows: ForestStore.Reader, target: Purge.Target, isMeant: boolean): Purge.Plan => {
  const plan = Purge.plan(rows.inventory(), target)
  if (plan === undefined) return throwMissing(NodeId.make(target))
  const titles = plan.purged.bookmarks
  if (titles.length > 0 && !isMeant) {
    throw new ForestError({ reason: new Bookmarked({ id: NodeId.make(target), titles }) })
  }
  return plan
}
