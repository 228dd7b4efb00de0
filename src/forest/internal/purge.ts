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
  const stored = { nodes, entries, messageOf: inventory.messageOf }
  const { cut, gone } = withMerged(stored, named.nodes, target)
  const chosen = { ...named, nodes: gone }
  const isGone = (id: NodeId) => gone.has(id)

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
    nodes: nodesBelow(nodes, [id]),
    trees: new Set(),
    touched: new Set(node.root === undefined ? [] : [node.root]),
  }
}

/** Chooses everything that was removed, except removed ancestors of existing nodes. */
const chooseRemoved = (trees: ReadonlyArray<StoredTree>, nodes: Nodes): Chosen => {
  const needed = ancestorsOfExisting(nodes)
  const gone = Array.from(nodes.values()).filter(({ id, isRemoved }) => isRemoved && !needed.has(id))
  const uprooted = trees.filter(({ id, isErased, isRemoved }) => isRemoved && !isErased && !needed.has(id))
  return {
    nodes: new Set(gone.map(({ id }) => id)),
    trees: new Set(uprooted.map(({ id }) => id)),
    touched: new Set([...gone.flatMap(({ root }) => root ?? []), ...uprooted.map(({ id }) => id)]),
  }
}

/** Returns what existing nodes are below. No operation removes one of these alone, but a damaged file may say so. */
const ancestorsOfExisting = (nodes: Nodes): ReadonlySet<NodeId> => {
  const needed = new Set<NodeId>()
  for (const node of nodes.values()) {
    let above = node.isRemoved ? undefined : node.parent
    while (above !== undefined && !needed.has(above)) {
      needed.add(above)
      above = nodes.get(above)?.parent
    }
  }
  return needed
}

interface Stored extends Pick<Inventory, "messageOf"> {
  readonly nodes: Nodes
  readonly entries: ReadonlyArray<StoredEntry>
}

interface Erasure {
  readonly gone: ReadonlySet<NodeId>
  /** Maps a node that stays to the last of its changes that are purged. */
  readonly cut: ReadonlyMap<NodeId, number>
}

/**
 * Adds the removed nodes whose texts became part of purged ones, with all that was removed below them before. A node
 * is added too if the change that merged its text is purged: without that change no undo can restore the node, and a
 * later purge could not find that its text is part of another.
 */
const withMerged = (stored: Stored, named: ReadonlySet<NodeId>, target: Target): Erasure => {
  const needed = ancestorsOfExisting(stored.nodes)
  const merges = findMerges(stored).filter(({ from }) => !needed.has(from))
  const gone = new Set(named)
  for (;;) {
    const cut = findCuts(stored, gone, target)
    const merged = merges.filter(
      ({ entry, from, into }) => !gone.has(from) && (gone.has(into) || entry <= (cut.get(into) ?? 0)),
    )
    if (merged.length === 0) return { gone, cut }
    const below = nodesBelow(
      stored.nodes,
      merged.map(({ from }) => from),
    )
    for (const id of below) gone.add(id)
  }
}

/** A join, or an undo of a split: the text of a node that it removed became part of the node below. */
interface Merge {
  readonly from: NodeId
  readonly into: NodeId
  /** The entry of the journal that did so. */
  readonly entry: number
}

/** Finds the merges that are not undone: those by the entry that was the last to remove the node. */
const findMerges = ({ entries, nodes }: Stored): ReadonlyArray<Merge> => {
  const found: Array<Merge> = []
  const seen = new Set<NodeId>()
  for (const { entry, id } of entries.toReversed()) {
    const removed = new Set(
      entry?.changes.flatMap((change) =>
        change.type === "removed" && !seen.has(change.node) && nodes.get(change.node)?.isRemoved === true
          ? [change.node]
          : [],
      ),
    )
    for (const change of removed.size === 0 ? [] : (entry?.changes ?? [])) {
      if (change.type !== "changed" || !removed.has(change.before.parent)) continue
      // A deletion that keeps what is below changes only the parent.
      if (isSame(change.before.message, change.after.message)) continue
      found.push({ from: change.before.parent, into: change.after.id, entry: id })
    }
    for (const node of removed) seen.add(node)
  }
  return found
}

/**
 * Finds the changes to purge of nodes that stay: a change that refers to a purged parent, or holds a text that is not
 * the current one. The earlier changes of the node cannot be undone without it, so they are purged as well.
 */
const findCuts = (
  { entries, messageOf, nodes }: Stored,
  gone: ReadonlySet<NodeId>,
  target: Target,
): ReadonlyMap<NodeId, number> => {
  const isGone = (id: NodeId) => gone.has(id)
  const isRelated = target === "removed" ? () => true : splitRelatives(nodes, gone)
  const isCut = (change: Change): boolean => {
    if (change.type === "moved") return isGone(change.from) || isGone(change.to)
    if (change.type !== "changed") return false
    const { after, before } = change
    return (
      isGone(before.parent) ||
      isGone(after.parent) ||
      (isRelated(before.id) && !isCurrentText(messageOf(before.id), [before.message, after.message]))
    )
  }
  const cut = new Map<NodeId, number>()
  for (const { entry, id } of entries) {
    for (const change of entry?.changes ?? []) {
      const changed = changedNode(change)
      if (changed !== undefined && !isGone(changed) && isCut(change)) cut.set(changed, id)
    }
  }
  return cut
}

/** Returns the node that a change has changed, and neither added nor removed. */
const changedNode = (change: Change): NodeId | undefined =>
  change.type === "changed" ? change.before.id : change.type === "moved" ? change.node : undefined

/** Returns these nodes and all that are below them, including removed ones. */
const nodesBelow = (nodes: Nodes, ids: ReadonlyArray<NodeId>): ReadonlySet<NodeId> => {
  const children = Map.groupBy(nodes.values(), ({ parent }) => parent)
  const found = new Set(ids)
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
  now !== undefined && messages.every((message) => isSame(message, now))

const isSame = (one: Message, other: Message): boolean => digest(one).equals(digest(other))

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
