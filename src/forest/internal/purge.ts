/** Plans a purge: the nodes to remove, and the changes in the journal that hold them or their texts. Pure. */
import type { Message } from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Bookmark } from "../Bookmark.ts"
import type { Change } from "../JournalEntry.ts"
import { digest } from "./messageDigest.ts"
import type { DecodedEntry } from "./replay.ts"

/**
 * A target is a node or a tree, with its descendants, or `removed`: all deleted nodes, and all texts that edits have
 * replaced.
 */
export type Target = NodeId | "removed"

export interface PurgeSummary {
  readonly nodes: number
  readonly trees: number
  /** The number of earlier texts of nodes that stay. */
  readonly texts: number
  readonly bookmarks: ReadonlyArray<string>
}

/** Everything that is stored, including removed nodes, as far as it can be read. */
export interface Inventory {
  readonly trees: Iterable<StoredTree>
  readonly nodes: Iterable<StoredNode>
  readonly entries: Iterable<StoredEntry>
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** Returns the current message of a node, or undefined if it cannot be read. */
  readonly messageOf: (id: NodeId) => Message | undefined
}

export interface StoredTree {
  readonly id: NodeId
  readonly isRemoved: boolean
  /** True if it was purged before, so that only its id is left. */
  readonly isErased: boolean
}

export interface StoredNode {
  readonly id: NodeId
  /** The parent; undefined if the row is damaged. */
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
  /** The trees to purge. Only their ids stay, since the journal refers to them. */
  readonly trees: ReadonlySet<NodeId>
  /** The trees of `trees` that were not deleted before. */
  readonly uprooted: ReadonlySet<NodeId>
  /** The remaining changes of each entry that loses any. */
  readonly entries: ReadonlyMap<number, ReadonlyArray<Change>>
  /** The trees with anything to purge. */
  readonly touched: ReadonlySet<NodeId>
  readonly purged: PurgeSummary
}

/** Plans a purge; returns undefined if there is no such node or tree. */
export const plan = (inventory: Inventory, target: Target): Plan | undefined => {
  const trees = Array.from(inventory.trees)
  const nodes = new Map(Array.from(inventory.nodes, (node) => [node.id, node]))
  const entries = Array.from(inventory.entries)
  const named = target === "removed" ? chooseRemoved(trees, nodes) : chooseNode(trees, nodes, target)
  if (named === undefined) return undefined
  const chosen = { ...named, nodes: withJoined(nodes, named.nodes, entries) }
  const isGone = (id: NodeId) => chosen.nodes.has(id)
  const isRelated = target === "removed" ? () => true : splitRelatives(nodes, chosen.nodes)

  /**
   * Returns whether a change of a node that stays refers to a purged parent, or holds a text that is not the current
   * one.
   */
  const isCut = (change: Change): boolean => {
    if (change.type === "moved") return isGone(change.from) || isGone(change.to)
    if (change.type !== "changed") return false
    const { after, before } = change
    return (
      isGone(before.parent) ||
      isGone(after.parent) ||
      (isRelated(before.id) && !isCurrentText(inventory.messageOf(before.id), [before.message, after.message]))
    )
  }

  // The earlier changes of a node cannot be undone if one of its changes is missing, so they are cut as well.
  const cut = new Map<NodeId, number>()
  for (const { entry, id } of entries) {
    for (const change of entry?.changes ?? []) {
      const changed = changedNode(change)
      if (changed !== undefined && !isGone(changed) && isCut(change)) cut.set(changed, id)
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
    const isOfCut = (change: Change) => {
      const changed = changedNode(change)
      return changed !== undefined && id <= (cut.get(changed) ?? 0)
    }
    const changes = entry.changes.filter((change) => !isOfCut(change))
    const count = entry.changes.length - changes.length
    texts += entry.changes.filter((change) => change.type === "changed" && isOfCut(change)).length
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

/** Replaces purged changes, so that their entry cannot be undone any more. */
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

/** Chooses everything that was removed, except removed ancestors of existing nodes, which no operation produces. */
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

/**
 * Returns the same nodes, and the removed ones whose texts were joined with theirs, with all that was removed below
 * them before: its place is gone, so that no undo can bring it back.
 */
const withJoined = (
  nodes: Nodes,
  gone: ReadonlySet<NodeId>,
  entries: ReadonlyArray<StoredEntry>,
): ReadonlySet<NodeId> => {
  const found = new Set(gone)
  const removedBelow = Map.groupBy(
    Array.from(nodes.values()).filter(({ isRemoved }) => isRemoved),
    ({ parent }) => parent,
  )
  const add = (id: NodeId): void => {
    const joined = new Set([id])
    for (const above of joined) for (const below of removedBelow.get(above) ?? []) joined.add(below.id)
    for (const each of joined) found.add(each)
  }
  // The latest entry comes first, since a joined message may be joined again.
  for (const { entry } of entries.toReversed()) {
    if (entry?.operation !== "join") continue
    if (!entry.changes.some((change) => change.type === "changed" && found.has(change.before.id))) continue
    for (const change of entry.changes) {
      if (change.type === "removed" && nodes.get(change.node)?.isRemoved === true) add(change.node)
    }
  }
  return found
}

/** Returns the node that a change has changed, and neither added nor removed. */
const changedNode = (change: Change): NodeId | undefined =>
  change.type === "changed" ? change.before.id : change.type === "moved" ? change.node : undefined

const nodesBelow = (nodes: Nodes, id: NodeId): ReadonlySet<NodeId> => {
  const children = Map.groupBy(nodes.values(), ({ parent }) => parent)
  const found = new Set([id])
  for (const above of found) for (const child of children.get(above) ?? []) found.add(child.id)
  return found
}

/**
 * Returns a function that says whether a node was split from a purged one, or a purged one from it: the journal holds
 * the text of both halves.
 */
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

/** Returns a change without purged nodes: one element, or none. */
const withoutNodes = (change: Change, isGone: (id: NodeId) => boolean): ReadonlyArray<Change> => {
  switch (change.type) {
    case "added":
    case "removed":
      return isGone(change.node) ? [] : [change]
    case "changed":
      return isGone(change.before.id) ? [] : [change]
    case "moved":
      return isGone(change.node) ? [] : [change]
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
