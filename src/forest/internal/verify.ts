/** Everything that holds of a forest, looked at in all that is kept of it. Pure. */
import * as Message from "../../message/Message.ts"
import type { Bookmark } from "../Bookmark.ts"
import type { Entry } from "../Entry.ts"
import type { Node } from "../Node.ts"
import type { Problem, Verification } from "../Verification.ts"
import { digest } from "./likeness.ts"

/** What a storage has, as far as it can be read. */
export interface Kept {
  readonly roots: Iterable<KeptRoot>
  readonly nodes: Iterable<KeptNode>
  readonly bookmarks: Iterable<Bookmark>
  readonly entries: Iterable<KeptEntry>
}

export interface KeptRoot {
  readonly id: string
  readonly removed: boolean
}

export interface KeptNode {
  readonly id: string
  /** None where it names none, or one that is not kept. */
  readonly parent: string | undefined
  readonly root: string | undefined
  readonly removed: boolean
  /** None where it cannot be decoded. */
  readonly node: Node | undefined
  /** What else is wrong with how it is kept. */
  readonly flaws: ReadonlyArray<string>
  /** Whether the search finds it by its words; none where that is not known, or does not hang on anything kept. */
  readonly isFound?: boolean | undefined
}

export interface KeptEntry {
  readonly id: number
  /** None where it cannot be decoded. */
  readonly entry: Entry | undefined
}

export const verify = (kept: Kept): Verification => {
  const problems: Array<Problem> = []
  const notes: Array<Problem> = []
  const wrong = (subject: string, what: string) => void problems.push({ subject, what })

  const journal = replayed(kept.entries, wrong)
  const roots = new Map(Array.from(kept.roots, (root) => [root.id, root]))
  for (const { id, removed } of roots.values()) told(`tree ${id}`, journal.there.get(id), removed, wrong)

  const nodes = new Map<string, Known>()
  for (const { flaws, id, isFound = true, node, parent, removed, root } of kept.nodes) {
    const subject = `node ${id}`
    if (!isFound) problems.push({ subject, what: "is not found by its words", isMendable: true })
    for (const flaw of flaws) wrong(subject, flaw)
    if (node === undefined) wrong(subject, "holds no message")
    else if (isOtherThan(journal.changed.get(id), node)) wrong(subject, "is not what the journal has made of it")
    told(subject, journal.there.get(id), removed, wrong)
    nodes.set(id, { parent, root, removed, ...(node !== undefined && spoken(node.message)) })
  }

  const grounded = new Set<string>()
  for (const [id, { parent, removed, root }] of nodes) {
    const subject = `node ${id}`
    if (root === undefined || !roots.has(root)) wrong(subject, "is in no tree")
    else if (!removed && roots.get(root)?.removed === true) wrong(subject, "is in a tree that was removed")
    const above = parent === undefined ? undefined : (roots.get(parent) ?? nodes.get(parent))
    if (parent === undefined || above === undefined) wrong(subject, "has no parent")
    else {
      if (!removed && above.removed) wrong(subject, "has a parent that was removed")
      if ((nodes.get(parent)?.root ?? parent) !== root) wrong(subject, "has a parent in another tree")
      if (!isGrounded(id, nodes, roots, grounded)) wrong(subject, "has a path without end")
    }
  }

  for (const [id, node] of nodes) {
    if (node.removed || node.answers === undefined || isAsked(node, nodes)) continue
    notes.push({ subject: `node ${id}`, what: "answers a call that was not made before it" })
  }

  let bookmarks = 0
  for (const bookmark of kept.bookmarks) {
    bookmarks++
    const subject = `bookmark ${bookmark.title}`
    if (nodes.get(bookmark.node)?.removed !== false) wrong(subject, "names a node that is not there")
    if (journal.marks.get(bookmark.title) !== bookmark.node) wrong(subject, "is not where the journal has put it")
    journal.marks.delete(bookmark.title)
  }
  for (const title of journal.marks.keys()) wrong(`bookmark ${title}`, "is missing")
  for (const id of journal.there.keys()) {
    if (!nodes.has(id) && !roots.has(id)) wrong(`node ${id}`, "is missing, and the journal tells of it")
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

interface Known {
  readonly parent: string | undefined
  readonly root: string | undefined
  readonly removed: boolean
  /** The call that it answers. */
  readonly answers?: string | undefined
  readonly calls?: ReadonlyArray<string> | undefined
}

const spoken = (message: Message.Message): Pick<Known, "answers" | "calls"> => {
  if (message.role === "tool") return { answers: message.tool_call_id }
  const calls = Message.toolUses(message)
  return calls.length === 0 ? {} : { calls: calls.map(({ id }) => id) }
}

type Wrong = (subject: string, what: string) => void

/** What the journal has made of the forest, from its beginning to its end. */
const replayed = (entries: Iterable<KeptEntry>, wrong: Wrong) => {
  const there = new Map<string, boolean>()
  const changed = new Map<string, Node>()
  const marks = new Map<string, string>()
  const known = new Map<number, Entry["operation"]>()
  const undone = new Set<number>()
  for (const { entry, id } of entries) {
    const subject = `entry ${id}`
    if (entry === undefined) {
      wrong(subject, "cannot be read")
      continue
    }
    known.set(id, entry.operation)
    if ((entry.operation === "undo") !== (entry.undoes !== undefined)) wrong(subject, "does not say what it has undone")
    if (entry.undoes !== undefined) {
      const operation = known.get(entry.undoes)
      if (entry.undoes >= id || operation === undefined) wrong(subject, "has undone what was not done before")
      else if (operation === "undo" || undone.has(entry.undoes)) wrong(subject, "has undone what cannot be undone")
      undone.add(entry.undoes)
    }
    for (const change of entry.changes) {
      switch (change.type) {
        case "planted":
        case "uprooted":
          there.set(change.root, change.type === "planted")
          break
        case "added":
        case "removed":
          there.set(change.node, change.type === "added")
          break
        case "changed":
          changed.set(change.after.id, change.after)
          break
        case "bookmarked":
          if (change.after !== undefined) marks.set(change.after.title, change.after.node)
          else if (change.before !== undefined) marks.delete(change.before.title)
      }
    }
  }
  return { there, changed, marks, entries: known.size }
}

const told = (subject: string, there: boolean | undefined, removed: boolean, wrong: Wrong): void => {
  if (there === undefined) wrong(subject, "is not in the journal")
  else if (there === removed)
    wrong(subject, there ? "is missing, and the journal has it" : "is there, and the journal has removed it")
}

const isOtherThan = (last: Node | undefined, node: Node): boolean =>
  last !== undefined && (last.parent !== node.parent || !digest(last.message).equals(digest(node.message)))

/** Whether its path ends, at a root or at what is missing. `grounded`: those of which that is known. */
const isGrounded = (
  id: string,
  nodes: ReadonlyMap<string, Known>,
  roots: ReadonlyMap<string, KeptRoot>,
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

/** Between an answer and its call there is nothing but other answers. */
const isAsked = (node: Known, nodes: ReadonlyMap<string, Known>): boolean => {
  const seen = new Set<Known>()
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
