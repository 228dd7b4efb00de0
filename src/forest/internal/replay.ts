/** Replays the journal from its beginning, for comparison with the stored nodes. Pure. */
import type { Message } from "../../message/Message.ts"
import type { Change, JournalEntry } from "../JournalEntry.ts"
import type { Node } from "../Node.ts"
import { digest } from "./messageDigest.ts"

/** An entry as far as it can be read. */
export interface DecodedEntry {
  readonly id: number
  /** The entry; undefined if it cannot be decoded. */
  readonly entry: JournalEntry | undefined
}

/** Receives a problem, and the object that has it. */
export type Report = (subject: string, what: string) => void

/** The state of a node or a root after the replay. */
export interface JournalState {
  readonly isThere: boolean
  /** The id of its tree; for a root its own id. */
  readonly root: string
}

/**
 * Replays the journal. Returns the nodes and roots at the end, the last version of each changed node, and the nodes of
 * bookmarks.
 */
export const replayJournal = (entries: Iterable<DecodedEntry>, report: Report) => {
  const there = new Map<string, JournalState>()
  const changed = new Map<string, LastVersion>()
  const marks = new Map<string, string>()
  const known = new Map<number, JournalEntry["operation"]>()
  const undone = new Set<number>()
  let last = 0

  /** Applies a change, and reports if the state is not the one that the change records as the state before. */
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
        if (!isSame || there.get(before.id)?.isThere !== true) report(subject, "changes what was not there")
        else if (differsFrom(changed.get(before.id), before)) report(subject, "changes what was not so")
        changed.set(after.id, after)
        return
      }
      case "moved": {
        const { from, node, to } = change
        const before = changed.get(node)
        if (there.get(node)?.isThere !== true) report(subject, "changes what was not there")
        else if ((before?.parent ?? from) !== from) report(subject, "changes what was not so")
        changed.set(node, { ...before, parent: to })
        return
      }
      case "bookmarked": {
        const { after, before } = change
        const title = after?.title ?? before?.title ?? ""
        if (marks.get(title) !== before?.node) report(subject, "moves a bookmark from where it was not")
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
      report(subject, isThere ? "adds what was there" : "removes what was not there")
    }
    there.set(id, { isThere, root: before?.root ?? root })
  }

  for (const { entry, id } of entries) {
    const subject = `entry ${id}`
    if (id !== last + 1) report(`entry ${last + 1}`, "is missing")
    last = id
    if (entry === undefined) {
      report(subject, "cannot be read")
      continue
    }
    known.set(id, entry.operation)
    const isRedo = entry.operation === "redo"
    if ((entry.operation === "undo" || isRedo) !== (entry.undoes !== undefined)) {
      report(subject, "does not say what it has undone")
    }
    if (entry.undoes !== undefined) {
      const operation = known.get(entry.undoes)
      const isMeant = (operation === "undo") === isRedo && !undone.has(entry.undoes)
      if (entry.undoes >= id || operation === undefined) report(subject, "has undone what was not done before")
      else if (!isMeant) report(subject, "has undone what cannot be undone")
      undone.add(entry.undoes)
    }
    for (const change of entry.changes) replay(subject, change, entry.root)
  }
  return { there, changed, marks, entries: known.size }
}

/** The last state of a changed node according to the journal. */
export interface LastVersion extends Pick<Node, "parent"> {
  /** The message; undefined if the node was only moved. */
  readonly message?: Message | undefined
}

/** Returns whether message or parent differ from the last version in the journal, if there is one. */
export const differsFrom = (last: LastVersion | undefined, node: Node): boolean =>
  last !== undefined &&
  (last.parent !== node.parent || (last.message !== undefined && !digest(last.message).equals(digest(node.message))))
