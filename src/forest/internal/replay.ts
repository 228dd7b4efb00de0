/** The journal, read again from its beginning to its end: what it has made of the forest. Pure. */
import type { Change, JournalEntry } from "../JournalEntry.ts"
import type { Node } from "../Node.ts"
import { digest } from "./messageDigest.ts"

/** As far as it can be read. */
export interface DecodedEntry {
  readonly id: number
  /** None where it cannot be decoded. */
  readonly entry: JournalEntry | undefined
}

/** Takes in what is wrong, and with what. */
export type Report = (subject: string, what: string) => void

/** What the journal tells of a node or a root. */
export interface JournalState {
  readonly isThere: boolean
  /** The tree that it is in; of a root itself. */
  readonly root: string
}

/** What is there at its end, what was changed last, and where bookmarks stand. */
export const replayJournal = (entries: Iterable<DecodedEntry>, wrong: Report) => {
  const there = new Map<string, JournalState>()
  const changed = new Map<string, Node>()
  const marks = new Map<string, string>()
  const known = new Map<number, JournalEntry["operation"]>()
  const undone = new Set<number>()
  let last = 0

  /** An operation changes what it has found, and an undoing what was there then. */
  const replay = (subject: string, change: Change, root: string): void => {
    switch (change.type) {
      case "planted":
      case "uprooted":
        toggle(subject, change.root, change.type === "planted", change.root)
        return
      case "added":
      case "removed":
        toggle(subject, change.node, change.type === "added", root)
        return
      case "changed": {
        const { after, before } = change
        const isSame = after.id === before.id && after.root === root && before.root === root
        if (!isSame || there.get(before.id)?.isThere !== true) wrong(subject, "changes what was not there")
        else if (differsFrom(changed.get(before.id), before)) wrong(subject, "changes what was not so")
        changed.set(after.id, after)
        return
      }
      case "bookmarked": {
        const { after, before } = change
        const title = after?.title ?? before?.title ?? ""
        if (marks.get(title) !== before?.node) wrong(subject, "moves a bookmark from where it was not")
        if (after === undefined) marks.delete(title)
        else marks.set(title, after.node)
        return
      }
      case "purged":
        return
    }
  }

  const toggle = (subject: string, id: string, isThere: boolean, root: string): void => {
    const before = there.get(id)
    if ((before?.isThere ?? false) === isThere) {
      wrong(subject, isThere ? "adds what was there" : "removes what was not there")
    }
    there.set(id, { isThere, root: before?.root ?? root })
  }

  for (const { entry, id } of entries) {
    const subject = `entry ${id}`
    if (id !== last + 1) wrong(`entry ${last + 1}`, "is missing")
    last = id
    if (entry === undefined) {
      wrong(subject, "cannot be read")
      continue
    }
    known.set(id, entry.operation)
    const isRedo = entry.operation === "redo"
    if ((entry.operation === "undo" || isRedo) !== (entry.undoes !== undefined)) {
      wrong(subject, "does not say what it has undone")
    }
    if (entry.undoes !== undefined) {
      const operation = known.get(entry.undoes)
      const isMeant = (operation === "undo") === isRedo && !undone.has(entry.undoes)
      if (entry.undoes >= id || operation === undefined) wrong(subject, "has undone what was not done before")
      else if (!isMeant) wrong(subject, "has undone what cannot be undone")
      undone.add(entry.undoes)
    }
    for (const change of entry.changes) replay(subject, change, entry.root)
  }
  return { there, changed, marks, entries: known.size }
}

/** Whether it says something else, or stands elsewhere, than the journal has made of it last, where it tells of that. */
export const differsFrom = (last: Node | undefined, node: Node): boolean =>
  last !== undefined && (last.parent !== node.parent || !digest(last.message).equals(digest(node.message)))
