/** Checks the invariants of a forest on everything that is stored. Pure. */
import * as Message from "../../message/Message.ts"
import type { Bookmark } from "../Bookmark.ts"
import type { Problem, Verification } from "../ForestStore.ts"
import type { Node } from "../Node.ts"
import { type DecodedEntry, differsFrom, type JournalState, type Report, replayJournal } from "./replay.ts"

/** The content of a store, as far as it can be read. */
export interface StoredForest {
  readonly roots: Iterable<CheckedRoot>
  readonly nodes: Iterable<CheckedNode>
  readonly bookmarks: Iterable<Bookmark>
  readonly entries: Iterable<DecodedEntry>
  /** The problems of the storage of anything but roots and nodes. */
  readonly flaws: Iterable<Problem>
}

export interface CheckedRoot {
  readonly id: string
  readonly removed: boolean
  /** The problems of its storage. */
  readonly flaws: ReadonlyArray<string>
}

export interface CheckedNode {
  readonly id: string
  /** The parent; undefined if it is missing from the row, or not stored. */
  readonly parent: string | undefined
  readonly root: string | undefined
  readonly removed: boolean
  /** The node; undefined if it cannot be decoded. */
  readonly node: Node | undefined
  /** The other problems of its storage. */
  readonly flaws: ReadonlyArray<string>
  /** True if the search index has its words; undefined if that is not known. */
  readonly isFound?: boolean | undefined
}

export const verify = (kept: StoredForest): Verification => {
  const problems: Array<Problem> = []
  const notes: Array<Problem> = []
  const report = (subject: string, what: string) => void problems.push({ subject, what })

  const journal = replayJournal(kept.entries, report)
  const roots = new Map(Array.from(kept.roots, (root) => [root.id, root]))
  for (const { flaws, id, removed } of roots.values()) {
    const subject = `tree ${id}`
    for (const flaw of flaws) report(subject, flaw)
    compareWithJournal(subject, journal.there.get(id), { root: id, removed }, report)
  }

  const nodes = new Map<string, NodeFacts>()
  for (const { flaws, id, isFound = true, node, parent, removed, root } of kept.nodes) {
    const subject = `node ${id}`
    if (!isFound) problems.push({ subject, what: "is not found by its words", isMendable: true })
    for (const flaw of flaws) report(subject, flaw)
    if (node === undefined) report(subject, "holds no message")
    else if (differsFrom(journal.changed.get(id), node)) report(subject, "is not what the journal has made of it")
    compareWithJournal(subject, journal.there.get(id), { root, removed }, report)
    nodes.set(id, {
      parent,
      root,
      removed,
      splitFrom: node?.splitFrom,
      ...(node !== undefined && callsOf(node.message)),
    })
  }

  const grounded = new Set<string>()
  for (const [id, { parent, removed, root, splitFrom }] of nodes) {
    const subject = `node ${id}`
    if (splitFrom !== undefined && !nodes.has(splitFrom)) report(subject, "was split off something that is not kept")
    if (root === undefined || !roots.has(root)) report(subject, "is in no tree")
    else if (!removed && roots.get(root)?.removed === true) report(subject, "is in a tree that was removed")
    const above = parent === undefined ? undefined : (roots.get(parent) ?? nodes.get(parent))
    if (parent === undefined || above === undefined) report(subject, "has no parent")
    else {
      if (!removed && above.removed) report(subject, "has a parent that was removed")
      if ((nodes.get(parent)?.root ?? parent) !== root) report(subject, "has a parent in another tree")
      if (!pathEnds(id, nodes, roots, grounded)) report(subject, "has a path without end")
    }
  }

  for (const [id, node] of nodes) {
    if (node.removed || node.answers === undefined || answersItsCall(node, nodes)) continue
    notes.push({ subject: `node ${id}`, what: "answers a call that was not made before it" })
  }

  let bookmarks = 0
  for (const bookmark of kept.bookmarks) {
    bookmarks++
    const subject = `bookmark ${bookmark.title}`
    if (nodes.get(bookmark.node)?.removed !== false) report(subject, "names a node that is not there")
    if (journal.marks.get(bookmark.title) !== bookmark.node) report(subject, "is not where the journal has put it")
    journal.marks.delete(bookmark.title)
  }
  for (const title of journal.marks.keys()) report(`bookmark ${title}`, "is missing")
  problems.push(...kept.flaws)
  for (const id of journal.there.keys()) {
    if (!nodes.has(id) && !roots.has(id)) report(`node ${id}`, "is missing, although the journal has it")
  }
  return {
    roots: countOf(roots.values()),
    nodes: countOf(nodes.values()),
    bookmarks,
    entries: journal.entries,
    problems,
    notes,
  }
}

interface NodeFacts {
  readonly parent: string | undefined
  readonly root: string | undefined
  readonly removed: boolean
  readonly splitFrom: string | undefined
  /** The id of the tool call that it answers. */
  readonly answers?: string | undefined
  readonly calls?: ReadonlyArray<string> | undefined
}

const callsOf = (message: Message.Message): Pick<NodeFacts, "answers" | "calls"> => {
  if (message.role === "tool") return { answers: message.tool_call_id }
  const calls = Message.toolUses(message)
  return calls.length === 0 ? {} : { calls: calls.map(({ id }) => id) }
}

const compareWithJournal = (
  subject: string,
  state: JournalState | undefined,
  { removed, root }: { readonly removed: boolean; readonly root: string | undefined },
  report: Report,
): void => {
  if (state === undefined) {
    report(subject, "is not in the journal")
    return
  }
  if (state.root !== root) report(subject, "is not in the tree that the journal has put it in")
  if (state.isThere === removed) {
    report(subject, removed ? "is missing, and the journal has it" : "is there, and the journal has removed it")
  }
}

/**
 * Returns whether the path of a node ends, at a root or a missing node. `grounded` caches the nodes for which it does.
 */
const pathEnds = (
  id: string,
  nodes: ReadonlyMap<string, NodeFacts>,
  roots: ReadonlyMap<string, CheckedRoot>,
  grounded: Set<string>,
): boolean => {
  const path = new Set<string>()
  let cursor: string | undefined = id
  while (cursor !== undefined && !roots.has(cursor) && !grounded.has(cursor)) {
    if (path.has(cursor)) return false
    path.add(cursor)
    cursor = nodes.get(cursor)?.parent
  }
  for (const each of path) grounded.add(each)
  return true
}

/** Returns whether only other answers are between an answer and its call. */
const answersItsCall = (node: NodeFacts, nodes: ReadonlyMap<string, NodeFacts>): boolean => {
  const seen = new Set<NodeFacts>()
  for (let above = node; above.answers !== undefined && !seen.has(above); ) {
    seen.add(above)
    const next = above.parent === undefined ? undefined : nodes.get(above.parent)
    if (next === undefined) return false
    if (next.answers === undefined) return node.answers !== undefined && (next.calls?.includes(node.answers) ?? false)
    above = next
  }
  return false
}

const countOf = (all: Iterable<{ readonly removed: boolean }>): number =>
  Array.from(all).filter(({ removed }) => !removed).length
