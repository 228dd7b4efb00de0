/**
 * An identity map: a cache of the nodes and roots that were read from a database, by row number, and of the row numbers
 * by id. Rows rarely change; a revision number shows whether another process has changed any.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import { ForestError, Unreadable } from "../../ForestError.ts"
import type { Node, Root } from "../../Node.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"

export interface IdentityMap {
  /**
   * Called at the beginning of each step. Clears the cache if another process has changed a row, and returns whether it
   * has.
   */
  readonly beginStep: () => boolean
  /** Called after a step that failed. */
  readonly clear: () => void
  /** Called before an existing row is changed, so that other processes notice. */
  readonly revise: () => void

  /** Returns the row number, or undefined if there is no such node or root. */
  readonly numberOf: (id: NodeId) => number | undefined
  /** Returns the row number, and throws if there is no such node or root. */
  readonly numberIn: (id: NodeId) => number
  /** Returns the id of a node or a root, even if it was removed. Throws if its row is damaged. */
  readonly nameOf: (number: number) => NodeId
  /** Returns the row number of a tree, null for all trees, and -1, which no tree has, for one that does not exist. */
  readonly numberOfTree: (tree: NodeId | undefined) => number | null
  readonly node: (id: NodeId) => Node | undefined
  readonly root: (id: NodeId) => Root | undefined
  readonly find: (id: NodeId) => Node | Root | undefined
  /** Does the same from the cache alone. */
  readonly findCached: (id: NodeId) => Node | Root | undefined
  /**
   * Returns the nodes in the same order. Nodes that are not cached are read with one query. Throws if one is missing.
   */
  readonly nodes: (numbers: ReadonlyArray<number>) => ReadonlyArray<Node>
  /**
   * Returns the node of a row that was read with its seal. The node is unreadable if the row is damaged; throws if the
   * seal does not confirm its parent.
   */
  readonly nodeOf: (row: Row.Row) => Node
  /** Does the same for a known parent. */
  readonly nodeUnder: (parent: NodeId, number: number, row: Row.Row) => Node
  /** Does the same for callers to which its place does not matter: returns an unreadable node instead of throwing. */
  readonly nodeOrUnreadable: (row: Row.Row) => Node
  /** Returns the root of a row, and throws if the row is damaged. */
  readonly rootOf: (row: Row.Row) => Root

  /** Caches a node that was just written. */
  readonly put: (number: number, node: Node) => void
  /** Caches the child with which a path continued: the oldest of equal children. */
  readonly setNextOnPath: (parent: number, child: number) => void
  /** Returns the child with which a path continued the last time. */
  readonly nextOnPath: (parent: number) => readonly [number: number, node: Node] | undefined
  readonly remove: (id: NodeId) => void
}

/** The cache is cleared when it has more nodes than this. */
const MAX_CACHED_NODES = 20_000

export const make = (sql: Statements): IdentityMap => {
  const nodes = new Map<number, Node>()
  const roots = new Map<number, Root>()
  const numbers = new Map<NodeId, number>()
  /** The ids of nodes and roots from which nothing else was read. */
  const names = new Map<number, NodeId>()
  /**
   * The next child on a path by the number of its parent. A new child is never the oldest, so only changes of rows
   * clear this.
   */
  const next = new Map<number, number>()
  let revision = -1

  const forget = () => {
    next.clear()
    nodes.clear()
    roots.clear()
    numbers.clear()
    names.clear()
  }

  /** Returns whether the whole row is intact. */
  const isIntact = (number: number): boolean => {
    const row = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id = ?`).get(number)
    return row !== undefined && Seal.isIntact(row)
  }

  const nameOf = (number: number): NodeId => {
    const known = nodes.get(number)?.id ?? roots.get(number)?.id ?? names.get(number)
    if (known !== undefined) return known
    const row = sql("select id, name, parent, root from node where id = ?").get(number)
    if (row === undefined) return failDamaged(`no node has the number ${number}`)
    const name = NodeId.make(String(row.name))
    if (!Seal.isBelow(sql, row, row.parent) && !isIntact(number)) return failDamaged(`the row of ${name} is damaged`)
    names.set(number, name)
    return name
  }

  const recall = (id: NodeId): Node | Root | undefined => {
    const number = numbers.get(id)
    return number === undefined ? undefined : (nodes.get(number) ?? roots.get(number))
  }

  const numberOf = (id: NodeId): number | undefined => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    const row = sql("select id from node where name = ? and not removed").get(id)
    if (row === undefined) return undefined
    const number = Number(row.id)
    numbers.set(id, number)
    return number
  }

  const put = (number: number, node: Node) => {
    nodes.set(number, node)
    numbers.set(node.id, number)
  }

  const nodeUnder = (parent: NodeId, parentNumber: number, row: Row.Row): Node => {
    const number = Number(row.id)
    const id = NodeId.make(String(row.name))
    const known = nodes.get(number)
    if (known !== undefined) return known.parent === parent ? known : failDamaged(`where ${id} stands is damaged`)
    const isIntact = Seal.isIntact(row)
    if (isIntact ? row.parent !== parentNumber : !Seal.isBelow(sql, row, parentNumber)) {
      return failDamaged(`where ${id} stands is damaged`)
    }
    const root = nameOf(Number(row.root))
    const node = isIntact ? Row.read(row, id, parent, root) : Row.unreadable(row, id, parent, root, DAMAGED)
    put(number, node)
    return node
  }

  const nodeOf = (row: Row.Row): Node => {
    const known = nodes.get(Number(row.id))
    if (known !== undefined) return known
    const parent = Number(row.parent)
    return nodeUnder(nameOf(parent), parent, row)
  }

  const nodeAnywhere = (row: Row.Row): Node => {
    try {
      return nodeOf(row)
    } catch (cause) {
      if (!(cause instanceof ForestError)) throw cause
      const id = NodeId.make(String(row.name))
      return Row.unreadable(row, id, id, id, DAMAGED)
    }
  }

  const rootOf = (row: Row.Row): Root => {
    const number = Number(row.id)
    const known = roots.get(number)
    if (known !== undefined) return known
    if (!Seal.isIntact(row)) return failDamaged(`the row of the tree ${row.name} is damaged`)
    const root = Row.root(row)
    roots.set(number, root)
    numbers.set(root.id, number)
    return root
  }

  /** Reads all missing nodes with one query. */
  const load = (missing: ReadonlyArray<number>): void => {
    if (missing.length === 0) return
    const rows = sql(
      `select ${Seal.columns} from json_each(?) j join node n on n.id = j.value left join seal s on s.id = n.id`,
    ).all(JSON.stringify(missing))
    rows.forEach(nodeOf)
  }

  const find = (id: NodeId): Node | Root | undefined => {
    const known = recall(id)
    if (known !== undefined) return known
    const number = numberOf(id)
    if (number === undefined) return undefined
    const row = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id = ? and not n.removed`).get(number)
    if (row === undefined) return undefined
    if (row.name !== id) return failDamaged(`${id} is found where ${row.name} stands`)
    return row.parent === null ? rootOf(row) : nodeOf(row)
  }

  return {
    beginStep: () => {
      const current = Number(sql("select revision from state").get()?.revision)
      const isChanged = current !== revision
      if (isChanged || nodes.size > MAX_CACHED_NODES) forget()
      revision = current
      return isChanged
    },
    clear: forget,
    revise: () => {
      sql("update state set revision = revision + 1").run()
      revision += 1
      next.clear()
    },
    numberOf,
    numberIn: (id) => numberOf(id) ?? failDamaged(`${id} is not there`),
    nameOf,
    numberOfTree: (tree) => (tree === undefined ? null : (numberOf(tree) ?? -1)),
    findCached: recall,
    node: (id) => {
      const found = find(id)
      return found !== undefined && "parent" in found ? found : undefined
    },
    root: (id) => {
      const found = find(id)
      return found !== undefined && "systemPrompt" in found ? found : undefined
    },
    find,
    nodes: (wanted) => {
      load(wanted.filter((number) => !nodes.has(number)))
      return wanted.map((number) => nodes.get(number) ?? failDamaged(`no node has the number ${number}`))
    },
    nodeOf,
    nodeUnder,
    nodeOrUnreadable: nodeAnywhere,
    rootOf,
    put,
    setNextOnPath: (parent, child) => void next.set(parent, child),
    nextOnPath: (parent) => {
      const number = next.get(parent)
      const node = number === undefined ? undefined : nodes.get(number)
      return number === undefined || node === undefined ? undefined : [number, node]
    },
    remove: (id) => {
      const number = numbers.get(id)
      if (number === undefined) return
      numbers.delete(id)
      nodes.delete(number)
      roots.delete(number)
    },
  }
}

/** The reason why a node is unreadable if its row does not match its digest. */
const DAMAGED = "its row is damaged"

/** Throws for a state that no operation produces. */
export const failDamaged = (message: string): never => {
  throw new ForestError({ reason: new Unreadable({ cause: new Error(message) }) })
}
