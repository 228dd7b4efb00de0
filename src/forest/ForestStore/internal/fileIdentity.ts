/**
 * Checks before each write that the file of a store was neither removed nor replaced, since SQLite itself would go on
 * writing into a file that has no name any more. If it was, the file is created again, or the other one is opened. The
 * paths of the nodes that this run has read by id or written are copied to it first.
 */
import * as fs from "node:fs"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { makeMutex } from "../../../base/mutex.ts"
import * as AtomicFile from "../../../disk/AtomicFile.ts"
import { DiskError } from "../../../disk/DiskError.ts"
import { identityOf } from "../../../disk/FileSystem.ts"
import * as Sqlite from "../../../disk/Sqlite.ts"
import type { NodeId } from "../../../message/NodeId.ts"
import type { Conversation } from "../../Conversation.ts"
import { ForestError, Removed } from "../../ForestError.ts"
import type { Reader, Service, Writer } from "../../ForestStore.ts"
import type { Change } from "../../JournalEntry.ts"
import type { Node, Root } from "../../Node.ts"

export interface FileStore extends Service {
  /** Writes the write-ahead log into the file as far as possible. */
  readonly settle: Effect.Effect<void>
}

interface Connection {
  readonly store: FileStore
  readonly scope: Scope.CloseableScope
  readonly identity: string | undefined
}

/** Guards the store in `file`, which `open` opens, and creates if there is none. */
export const guardFile = (
  file: string,
  open: Effect.Effect<FileStore, ForestError, Scope.Scope>,
): Effect.Effect<Service, ForestError, Scope.Scope> =>
  Effect.gen(function* () {
    const connections = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const connect: Effect.Effect<Connection, ForestError> = Effect.gen(function* () {
      const scope = yield* Scope.fork(connections, ExecutionStrategy.sequential)
      const store = yield* Scope.extend(open, scope)
      return { store, scope, identity: identityOf(file) }
    })
    let current = yield* connect
    const exclusively = makeMutex()
    const known = new Set<NodeId>()
    const isInPlace = () => identityOf(file) === current.identity

    const renewed = Effect.gen(function* () {
      const what = fs.existsSync(file) ? "replaced" : "removed"
      const trees = yield* current.store.read((rows) => readTrees(rows, known))
      if (what === "removed") yield* Effect.zipRight(current.store.settle, removeLeftovers(file))
      const at = yield* Clock.currentTimeMillis
      const next = yield* Effect.tap(connect, ({ scope, store }) =>
        Effect.onError(
          store.write((rows) => insertTrees(rows, trees, at)),
          (cause) => Scope.close(scope, Exit.failCause(cause)),
        ),
      )
      yield* Scope.close(current.scope, Exit.void)
      current = next
      yield* Effect.annotateLogs(
        Effect.logWarning(`the conversations were ${what} while they were in use; this one is kept all the same`),
        { path: file },
      )
    }).pipe(
      Effect.mapError((error) => new ForestError({ reason: new Removed({ path: file, cause: rootCause(error) }) })),
    )

    const placed = Effect.suspend(() =>
      isInPlace()
        ? Effect.void
        : Effect.uninterruptible(exclusively(Effect.suspend(() => (isInPlace() ? Effect.void : renewed)))),
    )

    return {
      read: (body) => Effect.suspend(() => current.store.read((rows) => body(noteReads(rows, known)))),
      write: (body) =>
        Effect.zipRight(
          placed,
          Effect.suspend(() => current.store.write((rows) => body(noteWrites(rows, known)))),
        ),
      erase: (body) =>
        Effect.zipRight(
          placed,
          Effect.suspend(() => current.store.erase((rows) => body(noteWrites(rows, known)))),
        ),
      verify: Effect.suspend(() => current.store.verify),
      mend: Effect.suspend(() => current.store.mend),
      endOperation: (id) => Effect.suspend(() => (isInPlace() ? current.store.endOperation(id) : Effect.void)),
    }
  })

/** Removes the files that SQLite left beside the removed file, which must not be taken for those of the new one. */
const removeLeftovers = (file: string): Effect.Effect<void, DiskError> =>
  Sqlite.attempt(file, () => {
    for (const left of [`${file}-wal`, `${file}-shm`]) if (fs.existsSync(left)) AtomicFile.remove(left)
  })

const noteReads = <R extends Reader>(rows: R, known: Set<NodeId>): R => {
  const by =
    <A extends ReadonlyArray<unknown>, B>(read: (id: NodeId, ...more: A) => B) =>
    (id: NodeId, ...more: A): B => {
      known.add(id)
      return read(id, ...more)
    }
  return { ...rows, root: by(rows.root), node: by(rows.node), path: by(rows.path) }
}

const noteWrites = (rows: Writer, known: Set<NodeId>): Writer => ({
  ...noteReads(rows, known),
  insertRoot: (root) => {
    rows.insertRoot(root)
    known.add(root.id)
  },
  // The path of a node includes its ancestors.
  insert: (node) => {
    rows.insert(node)
    known.delete(node.parent)
    known.add(node.id)
  },
})

interface Tree {
  readonly root: Root
  /** Each node comes after its parent. */
  readonly nodes: Map<NodeId, Node>
  readonly conversations: Map<NodeId, Conversation>
}

const readTrees = (rows: Reader, known: ReadonlySet<NodeId>): ReadonlyArray<Tree> => {
  const trees = new Map<NodeId, Tree>()
  for (const id of known) {
    const root = rows.root(rows.node(id)?.root ?? id)
    if (root === undefined) continue
    const tree = trees.get(root.id) ?? { root, nodes: new Map(), conversations: new Map() }
    trees.set(root.id, tree)
    for (const node of rows.path(id)) tree.nodes.set(node.id, node)
    const conversation = rows.conversation(id)
    if (conversation !== undefined) tree.conversations.set(conversation.root, conversation)
  }
  return Array.from(trees.values())
}

/** Inserts the roots and nodes that are missing. */
const insertTrees = (rows: Writer, trees: ReadonlyArray<Tree>, at: number): void => {
  for (const { conversations, nodes, root } of trees) {
    const entry = { root: root.id, at, author: AUTHOR }
    if (rows.root(root.id) === undefined) {
      rows.insertRoot(root)
      rows.appendEntry({ ...entry, operation: "root", changes: [{ type: "planted", root: root.id }] })
    }
    const added: Array<Change> = []
    for (const { splitFrom, ...node } of nodes.values()) {
      if (rows.node(node.id) !== undefined) continue
      const isThere = splitFrom !== undefined && (nodes.has(splitFrom) || rows.node(splitFrom) !== undefined)
      rows.insert(isThere ? { ...node, splitFrom } : node)
      added.push({ type: "added", node: node.id })
    }
    if (added.length > 0) rows.appendEntry({ ...entry, operation: "append", changes: added })
    for (const { folder, isNamed, root, title } of conversations.values()) {
      rows.describe(root, { ...(folder !== undefined && { folder }), ...(isNamed && { title }) })
    }
  }
}

/** The author of copied paths in the journal, since no command wrote them. */
const AUTHOR = "recovered"

const rootCause = (error: DiskError | ForestError): Error => {
  if (error instanceof DiskError) return error
  const { reason } = error
  return "cause" in reason && reason.cause instanceof DiskError ? reason.cause : reason
}
