/**
 * An identity map: the nodes and roots that were read from a database, by their numbers in its table, and the numbers by
 * their names outside. They hardly ever change; what other processes change is noticed by the number of the revision.
 */
import type { Statements } from "../../../disk/Sqlite.ts"
import { NodeId } from "../../../message/NodeId.ts"
import { ForestError, Unreadable } from "../../ForestError.ts"
import type { Node } from "../../Node.ts"
import type { Root } from "../../Root.ts"
import * as Row from "./row.ts"
import * as Seal from "./seal.ts"

export interface IdentityMap {
  /** To be called at the beginning of each step: forgets all where another process has changed something. */
  readonly begin: () => void
  /** Forgets all: to be called where a step has failed. */
  readonly forget: () => void
  /** To be called before anything that is there is changed: others notice it by that. */
  readonly revise: () => void

  /** None for what is not there. */
  readonly numberOf: (id: NodeId) => number | undefined
  /** Throws for what is not there. */
  readonly numberIn: (id: NodeId) => number
  /** Of a node or a root, though it be removed. Throws where its row is damaged. */
  readonly nameOf: (number: number) => NodeId
  readonly find: (id: NodeId) => Node | Root | undefined
  /** The same, where it was read before. */
  readonly recall: (id: NodeId) => Node | Root | undefined
  /** In the same order, best parents first; those that are not known are read at once. Throws where one is missing. */
  readonly nodes: (numbers: ReadonlyArray<number>) => ReadonlyArray<Node>
  /**
   * One that cannot be read where its row, read with its seal, is damaged; throws where that says something else of where
   * it stands than the seal.
   */
  readonly nodeOf: (row: Row.Row) => Node
  /** The same, where its parent is known. */
  readonly nodeUnder: (parent: NodeId, number: number, row: Row.Row) => Node
  /** The same for what does not depend on where it stands: one that cannot be read, in place of throwing. */
  readonly nodeAnywhere: (row: Row.Row) => Node
  /** Throws where its row is damaged. */
  readonly rootOf: (row: Row.Row) => Root

  /** Remembers a node as it was just written. */
  readonly put: (number: number, node: Node) => void
  /** Remembers where a path goes on from a node or a root: to the oldest of the children that say the same. */
  readonly follow: (parent: number, child: number) => void
  /** Where a path went on from there when last it was followed, by its number. */
  readonly followed: (parent: number) => readonly [number: number, node: Node] | undefined
  readonly drop: (id: NodeId) => void
}

/** Nodes that are remembered at the most. */
const MOST = 20_000

export const make = (sql: Statements): IdentityMap => {
  const nodes = new Map<number, Node>()
  const roots = new Map<number, Root>()
  const numbers = new Map<NodeId, number>()
  /** Of nodes and roots of which no more was read. */
  const names = new Map<number, NodeId>()
  /** By the number of the parent. What is added is younger; only a change makes another child the oldest. */
  const next = new Map<number, number>()
  let revision = -1

  const forget = () => {
    next.clear()
    nodes.clear()
    roots.clear()
    numbers.clear()
    names.clear()
  }

  /** Looks at the whole row. */
  const isIntact = (number: number): boolean => {
    const row = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id = ?`).get(number)
    return row !== undefined && Seal.isIntact(row)
  }

  const nameOf = (number: number): NodeId => {
    const known = nodes.get(number)?.id ?? roots.get(number)?.id ?? names.get(number)
    if (known !== undefined) return known
    const row = sql("select id, name, parent, root from node where id = ?").get(number)
    if (row === undefined) return torn(`no node has the number ${number}`)
    const name = NodeId.make(String(row.name))
    if (!Seal.isBelow(sql, row, row.parent) && !isIntact(number)) return torn(`the row of ${name} is damaged`)
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
    if (known !== undefined) return known.parent === parent ? known : torn(`where ${id} stands is damaged`)
    const isIntact = Seal.isIntact(row)
    if (isIntact ? row.parent !== parentNumber : !Seal.isBelow(sql, row, parentNumber)) {
      return torn(`where ${id} stands is damaged`)
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
    if (!Seal.isIntact(row)) return torn(`the row of the tree ${row.name} is damaged`)
    const root = Row.root(row)
    roots.set(number, root)
    numbers.set(root.id, number)
    return root
  }

  /** Reads them all at once. */
  const load = (missing: ReadonlyArray<number>): void => {
    if (missing.length === 0) return
    const rows = sql(
      `select ${Seal.columns} from json_each(?) j join node n on n.id = j.value left join seal s on s.id = n.id`,
    ).all(JSON.stringify(missing))
    rows.forEach(nodeOf)
  }

  return {
    begin: () => {
      const current = Number(sql("select revision from state").get()?.revision)
      if (current !== revision || nodes.size > MOST) forget()
      revision = current
    },
    forget,
    revise: () => {
      sql("update state set revision = revision + 1").run()
      revision += 1
      next.clear()
    },
    numberOf,
    numberIn: (id) => numberOf(id) ?? torn(`${id} is not there`),
    nameOf,
    recall,
    find: (id) => {
      const known = recall(id)
      if (known !== undefined) return known
      const number = numberOf(id)
      if (number === undefined) return undefined
      const row = sql(`select ${Seal.columns} from ${Seal.nodes} where n.id = ? and not n.removed`).get(number)
      if (row === undefined) return undefined
      if (row.name !== id) return torn(`${id} is found where ${row.name} stands`)
      return row.parent === null ? rootOf(row) : nodeOf(row)
    },
    nodes: (wanted) => {
      load(wanted.filter((number) => !nodes.has(number)))
      return wanted.map((number) => nodes.get(number) ?? torn(`no node has the number ${number}`))
    },
    nodeOf,
    nodeUnder,
    nodeAnywhere,
    rootOf,
    put,
    follow: (parent, child) => void next.set(parent, child),
    followed: (parent) => {
      const number = next.get(parent)
      const node = number === undefined ? undefined : nodes.get(number)
      return number === undefined || node === undefined ? undefined : [number, node]
    },
    drop: (id) => {
      const number = numbers.get(id)
      if (number === undefined) return
      numbers.delete(id)
      nodes.delete(number)
      roots.delete(number)
    },
  }
}

/** Why a node cannot be read whose row is not what was written. */
const DAMAGED = "its row is damaged"

/** Throws for what no operation can have brought about. */
export const torn = (message: string): never => {
  throw new ForestError({ reason: new Unreadable({ cause: new Error(message) }) })
}
