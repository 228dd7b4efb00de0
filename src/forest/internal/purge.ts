/**
 * What has to go so that nothing is left of some nodes: the nodes themselves, and whatever the journal tells of them and
 * their words. Pure.
 */
import type { Message } from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Bookmark } from "../Bookmark.ts"
import type { Change } from "../JournalEntry.ts"
import { digest } from "./messageDigest.ts"
import type { DecodedEntry } from "./replay.ts"

/** A node or a tree with all that is below it, or `removed`: all that was deleted, and the words that edits replaced. */
export type Target = NodeId | "removed"

export interface PurgeSummary {
  readonly nodes: number
  readonly trees: number
  /** Earlier words of nodes that stay. */
  readonly texts: number
  readonly bookmarks: ReadonlyArray<string>
}

/** All that is stored, also what was removed, as far as it can be read. */
export interface Inventory {
  readonly trees: Iterable<StoredTree>
  readonly nodes: Iterable<StoredNode>
  readonly entries: Iterable<StoredEntry>
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** What a node says now; none where that cannot be read. */
  readonly messageOf: (id: NodeId) => Message | undefined
}

export interface StoredTree {
  readonly id: NodeId
  readonly isRemoved: boolean
  /** Whether it was purged before: then nothing but its id is left. */
  readonly isErased: boolean
}

export interface StoredNode {
  readonly id: NodeId
  /** None where its row is damaged. */
  readonly parent: NodeId | undefined
  readonly root: NodeId | undefined
  readonly isRemoved: boolean
  readonly splitFrom: NodeId | undefined
}

export interface StoredEntry extends DecodedEntry {
  /** Its tree. */
  readonly root: NodeId
}

export interface Plan {
  readonly nodes: ReadonlySet<NodeId>
  /** Of each nothing but its id stays, for the journal to name. */
  readonly trees: ReadonlySet<NodeId>
  /** Those of them that were not deleted before. */
  readonly uprooted: ReadonlySet<NodeId>
  /** What is left of the changes of an entry, of all that lose any. */
  readonly entries: ReadonlyMap<number, ReadonlyArray<Change>>
  /** The trees that lose anything. */
  readonly touched: ReadonlySet<NodeId>
  readonly purged: PurgeSummary
}

/** None where there is no such node or tree. */
export const plan = (inventory: Inventory, target: Target): Plan | undefined => {
  const trees = Array.from(inventory.trees)
  const nodes = new Map(Array.from(inventory.nodes, (node) => [node.id, node]))
  const chosen = target === "removed" ? chooseRemoved(trees, nodes) : chooseNode(trees, nodes, target)
  if (chosen === undefined) return undefined
  const isGone = (id: NodeId) => chosen.nodes.has(id)
  const isRelated = target === "removed" ? () => true : splitRelatives(nodes, chosen.nodes)
  const entries = Array.from(inventory.entries)

  /** Of a node that stays: whether a change names a parent that goes, or has words that are not those of today. */
  const isCut = ({ after, before }: Extract<Change, { type: "changed" }>): boolean =>
    isGone(before.parent) ||
    isGone(after.parent) ||
    (isRelated(before.id) && !isCurrentText(inventory.messageOf(before.id), [before.message, after.message]))

  // What a node has become by a change that is cut is not known any more, nor what it was before.
  const cut = new Map<NodeId, number>()
  for (const { entry, id } of entries) {
    for (const change of entry?.changes ?? []) {
      if (change.type === "changed" && !isGone(change.before.id) && isCut(change)) cut.set(change.before.id, id)
    }
  }

  const left = new Map<number, ReadonlyArray<Change>>()
  const touched = new Set(chosen.touched)
  let texts = 0
  for (const { entry, id, root } of entries) {
    if (entry === undefined) {
      if (touched.has(root)) left.set(id, [PURGED])
      continue
    }
    const isOfCut = (change: Change) => change.type === "changed" && id <= (cut.get(change.before.id) ?? 0)
    const changes = entry.changes.filter((change) => !isOfCut(change))
    const count = entry.changes.length - changes.length
    texts += count
    const rest = [...changes.flatMap((change) => withoutNodes(change, isGone)), ...(count === 0 ? [] : [PURGED])]
    if (count === 0 && rest.length === entry.changes.length && rest.every((one, at) => one === entry.changes[at]))
      continue
    left.set(id, rest)
    touched.add(root)
  }
  return {
    nodes: chosen.nodes,
    trees: chosen.trees,
    uprooted: new Set(trees.filter(({ id, isRemoved }) => chosen.trees.has(id) && !isRemoved).map(({ id }) => id)),
    entries: left,
    touched,
    purged: {
      nodes: chosen.nodes.size,
      trees: chosen.trees.size,
      texts,
      bookmarks: inventory.bookmarks.filter(({ node }) => isGone(node)).map(({ title }) => title),
    },
  }
}

/** In place of changes that are gone: what is left of their entry cannot be undone. */
export const PURGED = { type: "purged" } as const

interface Chosen {
  readonly nodes: ReadonlySet<NodeId>
  readonly trees: ReadonlySet<NodeId>
  readonly touched: ReadonlySet<NodeId>
}

type Nodes = ReadonlyMap<NodeId, StoredNode>

const chooseNode = (trees: ReadonlyArray<StoredTree>, nodes: Nodes, id: NodeId): Chosen | undefined => {
  const tree = trees.find((tree) => tree.id === id && !tree.isErased)
  const node = nodes.get(id)
  if (tree !== undefined) {
    const all = Array.from(nodes.values()).filter(({ root }) => root === id)
    return { nodes: new Set(all.map(({ id }) => id)), trees: new Set([id]), touched: new Set([id]) }
  }
  if (node === undefined) return undefined
  return {
    nodes: nodesBelow(nodes, id),
    trees: new Set(),
    touched: new Set(node.root === undefined ? [] : [node.root]),
  }
}

/** But for what stands above what is there, which no operation brings about. */
const chooseRemoved = (trees: ReadonlyArray<StoredTree>, nodes: Nodes): Chosen => {
  const needed = new Set<NodeId>()
  for (const node of nodes.values()) {
    let above = node.isRemoved ? undefined : node.parent
    while (above !== undefined && !needed.has(above)) {
      needed.add(above)
      above = nodes.get(above)?.parent
    }
  }
  const gone = Array.from(nodes.values()).filter(({ id, isRemoved }) => isRemoved && !needed.has(id))
  const uprooted = trees.filter(({ id, isErased, isRemoved }) => isRemoved && !isErased && !needed.has(id))
  return {
    nodes: new Set(gone.map(({ id }) => id)),
    trees: new Set(uprooted.map(({ id }) => id)),
    touched: new Set([...gone.flatMap(({ root }) => root ?? []), ...uprooted.map(({ id }) => id)]),
  }
}

const nodesBelow = (nodes: Nodes, id: NodeId): ReadonlySet<NodeId> => {
  const children = Map.groupBy(nodes.values(), ({ parent }) => parent)
  const found = new Set([id])
  for (const above of found) for (const child of children.get(above) ?? []) found.add(child.id)
  return found
}

/** Whether a node was one with another that goes: of a node that is split the journal has the words of both halves. */
const splitRelatives = (nodes: Nodes, gone: ReadonlySet<NodeId>): ((id: NodeId) => boolean) => {
  const halves = new Map<NodeId, Array<NodeId>>()
  const join = (one: NodeId, other: NodeId) => halves.set(one, [...(halves.get(one) ?? []), other])
  for (const { id, splitFrom } of nodes.values()) {
    if (splitFrom === undefined) continue
    join(id, splitFrom)
    join(splitFrom, id)
  }
  const found = new Set(Array.from(gone).filter((id) => halves.has(id)))
  for (const id of found) for (const half of halves.get(id) ?? []) found.add(half)
  return (id) => found.has(id)
}

const isCurrentText = (now: Message | undefined, messages: ReadonlyArray<Message>): boolean =>
  now !== undefined && messages.every((message) => digest(message).equals(digest(now)))

/** What is left of a change where some nodes are gone. */
const withoutNodes = (change: Change, isGone: (id: NodeId) => boolean): ReadonlyArray<Change> => {
  switch (change.type) {
    case "added":
    case "removed":
      return isGone(change.node) ? [] : [change]
    case "changed":
      return isGone(change.before.id) ? [] : [change]
    case "bookmarked": {
      const there = (bookmark: Bookmark | undefined) =>
        bookmark === undefined || isGone(bookmark.node) ? undefined : bookmark
      const [before, after] = [there(change.before), there(change.after)]
      if (before === change.before && after === change.after) return [change]
      return before === undefined && after === undefined
        ? []
        : [{ type: "bookmarked", ...(before && { before }), ...(after && { after }) }]
    }
    case "planted":
    case "uprooted":
    case "purged":
      return [change]
  }
}
