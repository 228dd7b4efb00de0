/**
 * Undoes and redoes operations, each whole or not at all. A redo undoes the entries of an undo, so each entry of the
 * journal is undone at most once, and the end of that chain determines whether the entry is undone.
 */
import type { NodeId } from "../../message/NodeId.ts"
import {
  Changed,
  Conflict,
  ForestError,
  NoOperation,
  NothingToRedo,
  NothingToUndo,
  NotUndoable,
  OpenCall,
} from "../ForestError.ts"
import type { Reader, Writer } from "../ForestStore.ts"
import type { Change, EntrySummary, JournalEntry } from "../JournalEntry.ts"
import { inverse } from "../JournalEntry.ts"
import { continuesIn, type Node } from "../Node.ts"
import * as Operation from "../Operation.ts"
import { findOpenCall } from "./lookup.ts"
import { differsFrom } from "./replay.ts"

/** The fields that all entries of an undo or a redo share. */
export type Stamp = Pick<JournalEntry, "at" | "author" | "operationId">

/** Returns the latest operation that is not running, in the tree `root` and by the command `by` if they are given. */
export const latest = (rows: Reader, root: NodeId | undefined, by: string | undefined): number => {
  const entry = rows.latest({ root, by, except: rows.runningOperations() })
  if (entry === undefined) throw new ForestError({ reason: new NothingToUndo() })
  return original(rows, rows.entry(entry.id)).first
}

/**
 * Undoes the operation of the entry `named`. If that would leave a tool call without its answer, the operation of the
 * call is undone too; if `by` is given, only if that operation is of the same command. Returns the operations, the
 * latest first.
 */
export const undo = (
  rows: Writer,
  named: number,
  stamp: Stamp,
  by?: string | undefined,
): ReadonlyArray<Operation.Reverted> => {
  const undone: Array<Operation.Reverted> = []
  let next: number | undefined = named
  while (next !== undefined) {
    const { answers, operation } = undoOne(rows, next, stamp)
    undone.push(operation)
    const call = callLeftOpen(rows, answers)
    next = call === undefined ? undefined : rows.entryThatAdded(call)
    const of = next === undefined ? undefined : rows.entry(next)
    if (call !== undefined && (of === undefined || (by !== undefined && !Operation.isBy(of.author, by)))) {
      throw new ForestError({ reason: new OpenCall({ operation: operation.id, call, of: of?.first }) })
    }
  }
  return undone
}

/** Redoes what the latest undo undid; `by` limits it to one command. Returns the operations, the latest first. */
export const redo = (rows: Writer, stamp: Stamp, by: string | undefined): ReadonlyArray<Operation.Reverted> => {
  const latest = rows.latest({ by, isUndo: true })
  const undone = latest === undefined ? [] : rows.operation(latest.id).filter(({ id }) => rows.undoOf(id) === undefined)
  const [first] = undone
  if (first === undefined) throw new ForestError({ reason: new NothingToRedo() })
  const named = original(rows, rows.entry(first.id)).first
  const guard = makeGuard(rows, { operation: named, since: first.id, isRedo: true })
  const ids = new Set<number>()
  for (const { changes, id, root } of undone.toReversed()) {
    ids.add(original(rows, rows.entry(id)).first)
    revert(rows, changes, guard)
    rows.appendEntry({ ...stamp, root, operation: "redo", changes: inverse(changes), undoes: id })
  }
  return Array.from(ids, (id) => toReverted(rows, rows.operation(id))).reverse()
}

/** Summarises an operation from its entries, oldest first. */
export const summary = (rows: Reader, entries: ReadonlyArray<EntrySummary>): Operation.Summary => {
  const [first] = entries
  if (first === undefined) throw new Error("an operation has no entry")
  return {
    id: first.first,
    at: first.at,
    author: first.author,
    kinds: [...new Set(entries.map(({ operation }) => operation))],
    trees: [...new Set(entries.map(({ root }) => root))],
    nodes: entries.reduce((sum, { nodes }) => sum + nodes, 0),
    isUndone: entries.every((entry) => isUndone(rows, entry.id)),
    isUnderWay: isUnderWay(rows, first),
    of: first.undoes === undefined ? undefined : original(rows, first).first,
  }
}

const undoOne = (rows: Writer, named: number, stamp: Stamp) => {
  const entries = rows.operation(named)
  const [first] = entries
  if (first === undefined) throw new ForestError({ reason: new NoOperation({ operation: named }) })
  const refuse = (is: NotUndoable["is"]) => new ForestError({ reason: new NotUndoable({ operation: first.id, is }) })
  if (first.operation === "undo") throw refuse("an undo")
  if (first.operation === "redo") throw refuse("a redo")
  if (isUnderWay(rows, first)) throw refuse("still under way")
  const remaining = entries.filter(({ id }) => !isUndone(rows, id))
  if (remaining.length === 0) throw refuse("undone already")
  const guard = makeGuard(rows, { operation: first.id, since: first.id, isRedo: false })
  const answers: Array<Node> = []
  for (const { changes, id, root } of remaining.toReversed()) {
    answers.push(...changes.flatMap((change) => (change.type === "added" ? (rows.node(change.node) ?? []) : [])))
    revert(rows, changes, guard)
    rows.appendEntry({ ...stamp, root, operation: "undo", changes: inverse(changes), undoes: endOf(rows, id) })
  }
  return {
    operation: toReverted(rows, remaining),
    answers: answers.filter(({ message }) => message.role === "tool"),
  }
}

const toReverted = (rows: Reader, entries: ReadonlyArray<JournalEntry>): Operation.Reverted => ({
  ...summary(
    rows,
    entries.flatMap(({ id }) => rows.entry(id) ?? []),
  ),
  changes: entries.flatMap(({ changes }) => changes),
})

const isUnderWay = (rows: Reader, { operationId }: Pick<JournalEntry, "operationId">): boolean =>
  operationId !== undefined && rows.runningOperations().includes(operationId)

/** Returns the end of the chain of entries that each undo the one before. */
const endOf = (rows: Reader, entry: number): number => {
  let end = entry
  for (let next = rows.undoOf(end); next !== undefined; next = rows.undoOf(end)) end = next.id
  return end
}

const isUndone = (rows: Reader, entry: number): boolean => {
  let isUndone = false
  for (let next = rows.undoOf(entry); next !== undefined; next = rows.undoOf(next.id)) isUndone = !isUndone
  return isUndone
}

/** Returns the entry at the beginning of the chain of an undo or a redo, and any other entry itself. */
const original = (rows: Reader, entry: EntrySummary | undefined): EntrySummary => {
  if (entry === undefined) throw new Error("an entry of the journal is missing")
  return entry.undoes === undefined ? entry : original(rows, rows.entry(entry.undoes))
}

/** Returns whether what an entry does was done already at the entry `since`: it was undone and redone after that. */
const wasDoneAt = (rows: Reader, entry: Pick<JournalEntry, "id" | "undoes">, since: number): boolean => {
  let before = rows.entry(entry.id)
  while (before !== undefined && before.id > since) {
    before = before.undoes === undefined ? undefined : rows.entry(before.undoes)
  }
  return before !== undefined && before.operation !== "undo"
}

interface Guard {
  readonly refuse: (why: string, entry?: number) => never
  /** Maps a node to the entry that has changed it since. */
  readonly changed: ReadonlyMap<NodeId, number>
}

/** Collects the later changes: those after `since` that belong to other operations. */
const makeGuard = (
  rows: Reader,
  { isRedo, operation, since }: { readonly operation: number; readonly since: number; readonly isRedo: boolean },
): Guard => {
  const later = rows
    .changedSince(since)
    .filter((entry) => original(rows, rows.entry(entry.id)).first !== operation && !wasDoneAt(rows, entry, since))
  return {
    refuse: (why, entry) => {
      const by = entry === undefined ? undefined : original(rows, rows.entry(entry)).first
      throw new ForestError({ reason: new Conflict({ operation, isRedo, why, by }) })
    },
    changed: new Map(
      later.flatMap(({ changes, id }) =>
        changes.flatMap((change) =>
          change.type === "changed"
            ? [[change.before.id, id] as const]
            : change.type === "moved"
              ? [[change.node, id] as const]
              : [],
        ),
      ),
    ),
  }
}

/** Undoes changes, the last one first. Fails if later changes depend on them, so that every node keeps its parent. */
const revert = (rows: Writer, changes: ReadonlyArray<Change>, { changed, refuse }: Guard): void => {
  let bookmarks = rows.bookmarks()
  const removed = new Set(inverse(changes).flatMap((change) => (change.type === "removed" ? [change.node] : [])))
  for (const change of inverse(changes)) {
    switch (change.type) {
      case "removed": {
        const { node } = change
        const [child] = rows.children(node)
        if (child !== undefined) refuse(`${child.id} stands on it`, rows.entryThatAdded(child.id))
        const marked = bookmarks.find((bookmark) => bookmark.node === node)
        if (marked !== undefined) refuse(`the bookmark "${marked.title}" stands on it`)
        if (changed.has(node)) refuse(`${node} was changed since`, changed.get(node))
        break
      }
      case "uprooted": {
        const [child] = rows.children(change.root)
        if (child !== undefined) refuse(`${child.id} stands on it`, rows.entryThatAdded(child.id))
        break
      }
      case "changed": {
        const { id } = change.before
        const node = rows.node(id)
        if (node === undefined || differsFrom(change.before, node)) refuse(`${id} was changed since`, changed.get(id))
        if (change.before.splitFrom === undefined || change.after.splitFrom !== undefined) break
        // If the mark were undone, another end of the message would be read as a message of its own.
        const end = rows.children(id).find((child) => continuesIn(change.before, child) && !removed.has(child.id))
        if (end !== undefined) refuse(`${end.id} continues it`, rows.entryThatAdded(end.id))
        break
      }
    }
    if (change.type === "moved") {
      const { from, node, to } = change
      if (rows.node(node)?.parent !== from) refuse(`${node} was changed since`, changed.get(node))
      if (isBelow(rows, to, node)) refuse(`${to} stands below it`)
    }
    try {
      rows.apply(change)
    } catch (cause) {
      if (!(cause instanceof ForestError && cause.reason instanceof Changed)) throw cause
      refuse(`${cause.reason.what} is no longer as it was left`)
    }
    if (change.type === "bookmarked") bookmarks = rows.bookmarks()
    const node =
      change.type === "added" || change.type === "moved"
        ? rows.node(change.node)
        : change.type === "changed"
          ? change.after
          : undefined
    if (node !== undefined && rows.node(node.parent) === undefined && rows.root(node.parent) === undefined) {
      refuse(`${node.parent}, which it stands on, is gone`)
    }
  }
}

/** Returns whether `id` is `top` or below it. */
const isBelow = (rows: Reader, id: NodeId, top: NodeId): boolean => {
  for (let above: NodeId | undefined = id; above !== undefined; above = rows.node(above)?.parent) {
    if (above === top) return true
  }
  return false
}

/** Returns a node with a tool call that is answered by one of the removed nodes, and by no other. */
const callLeftOpen = (rows: Reader, gone: ReadonlyArray<Node>): NodeId | undefined => {
  for (const { parent } of gone) {
    if (rows.children(parent).some(({ message }) => message.role === "tool")) continue
    const call = findOpenCall(rows, parent)
    if (call !== undefined) return call.id
  }
  return undefined
}
