/** Runs the commands of `vibe loom` that list operations, revert them, and put them back. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Change } from "../../forest/JournalEntry.ts"
import * as NodeName from "../../forest/NodeName.ts"
import type { Reverted, Summary } from "../../forest/Operation.ts"
import * as Operation from "../../forest/Operation.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ForestInput } from "./options.ts"
import type { HistoryInput } from "./readCommands.ts"
import type { UndoInput } from "./writeCommands.ts"

/** The author of operations by `vibe loom`, in contrast to `vibe index` or `vibe chat`. */
const LOOM_AUTHOR = "loom"

/** The number of recent operations among which those that are under way are looked for. */
const RECENT_OPERATIONS = 100

/**
 * Reverts an operation. If none is named, it is the latest by `vibe loom` that has ended, never one of an exploration
 * or a chat.
 */
export const undo = Effect.fn("cli.loom.undo")(function* ({ json, operation }: UndoInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const undone = yield* Option.match(operation, {
    onNone: () => forest.undo(undefined, LOOM_AUTHOR),
    onSome: (name) => (/^\d+$/.test(name) ? undoNumber(name) : undoInTreeOf(name)),
  })
  if (json) return yield* Screen.line(out, sanitizeJson({ undone }))
  for (const each of undone) yield* Screen.line(out, describeUndo(each))
  if (Option.isSome(operation)) return
  for (const { author, id, isUnderWay } of yield* forest.history(RECENT_OPERATIONS)) {
    if (!isUnderWay || !Operation.isBy(author, LOOM_AUTHOR) || undone.some((each) => each.id > id)) continue
    yield* Screen.line(err, sanitizeLine(`vibe: ${id} ${author} is still under way, and stays`))
  }
})

const undoInTreeOf = Effect.fnUntraced(function* (name: string) {
  const forest = yield* Forest.Forest
  const { root } = yield* forest.path(yield* NodeName.resolve(name), { last: 0 })
  return yield* forest.undo(root.id)
})

/** A number that names no operation may be a bookmark or the beginning of an id. */
const undoNumber = Effect.fnUntraced(function* (name: string) {
  const forest = yield* Forest.Forest
  const undone = forest.undoOperation(Number(name))
  return yield* Effect.catchIf(undone, isUnknownOperation, (error) =>
    Effect.mapError(undoInTreeOf(name), (other) => (other._tag === "NoSuchNode" ? error : other)),
  )
})

const isUnknownOperation = ({ reason }: ForestError): boolean => reason._tag === "NoOperation"

/** `undone: 12 loom append (1 node taken away) in the tree 01jx…` */
const describeUndo = (operation: Operation.Reverted): string =>
  describeReversal("undone", operation, {
    added: "taken away",
    removed: "brought back",
    changed: "put back",
    moved: "moved back",
  })

interface Verbs {
  readonly added: string
  readonly removed: string
  readonly changed: string
  readonly moved: string
}

/** A bookmark is added, moved or removed. */
const countBookmarks = (changes: ReadonlyArray<Change>, verbs: Verbs): ReadonlyArray<string> =>
  (["added", "removed", "moved"] as const).flatMap((kind) => {
    const number = changes.filter((change) => bookmarkChange(change) === kind).length
    return number === 0 ? [] : [`${plural(number, "bookmark")} ${verbs[kind]}`]
  })

const bookmarkChange = (change: Change): "added" | "removed" | "moved" | undefined => {
  if (change.type !== "bookmarked") return undefined
  return change.before === undefined ? "added" : change.after === undefined ? "removed" : "moved"
}

/** Describes a reversal in one line. `verbs` say what it does to what the operation added, removed and changed. */
const describeReversal = (
  what: string,
  { author, changes, id, kinds, trees }: Operation.Reverted,
  verbs: Verbs,
): string => {
  const count = (type: Change["type"], noun: string, verb: string, several = `${noun}s`): ReadonlyArray<string> => {
    const number = changes.filter((change) => change.type === type).length
    return number === 0 ? [] : [`${number} ${number === 1 ? noun : several} ${verb}`]
  }
  const facts = [
    ...count("added", "node", verbs.added),
    ...count("removed", "node", verbs.removed),
    ...count("changed", "node", verbs.changed),
    ...count("moved", "branch", verbs.moved, "branches"),
    ...countBookmarks(changes, verbs),
    ...count("planted", "tree", verbs.added),
    ...count("uprooted", "tree", verbs.removed),
  ]
  const [tree, ...others] = trees
  const where = others.length === 0 ? `the tree ${tree}` : plural(trees.length, "tree")
  return sanitizeLine(`${what}: ${id} ${author ?? kinds.join(", ")} (${facts.join(", ")}) in ${where}`)
}

/** `vibe loom redo`: restores the operation that `vibe loom undo` has reverted last. */
export const redo = Effect.fn("cli.loom.redo")(function* ({ json }: ForestInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const redone = yield* forest.redo(LOOM_AUTHOR)
  if (json) return yield* Screen.line(out, sanitizeJson({ redone }))
  for (const each of redone) yield* Screen.line(out, describeRedo(each))
})

/** `redone: 12 loom append (1 node brought back) in the tree 01jx…` */
const describeRedo = (operation: Reverted): string =>
  describeReversal("redone", operation, {
    added: "brought back",
    removed: "taken away",
    changed: "changed again",
    moved: "moved again",
  })

/** The number of operations that are listed by default. */
const DEFAULT_LIMIT = 20

/** `vibe loom history`: lists the operations on the forest, newest first. */
export const history = Effect.fn("cli.loom.history")(function* ({ json, limit, noPager }: HistoryInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const operations = yield* forest.history(Option.getOrElse(limit, () => DEFAULT_LIMIT))
  if (json) return yield* Screen.line(out, sanitizeJson({ operations: operations.map(toObject) }))
  if (operations.length === 0) return yield* Screen.line(err, "there are no operations")
  const shortId = yield* NodeName.shortNames(operations.flatMap(({ trees }) => trees))
  const width = yield* NodeFormat.lineWidth(out)
  const lines = operations.map((operation) => row(operation, shortId, out.style, width))
  yield* Pager.print(out, lines.join("\n"), { noPager })
})

/** Unknown values are null. */
const toObject = ({ author, of, ...operation }: Summary): object => ({
  ...operation,
  author: author ?? null,
  of: of ?? null,
})

/** `12  2026-11-23 01:50:00Z  loom append  append  1 node in 01jx…  undone` */
const row = (
  operation: Summary,
  shortId: (id: NodeId) => string,
  { quiet, strong }: Style,
  width: number | undefined,
): string => {
  const { at, author = "unknown", id, isUnderWay, isUndone, kinds, nodes, of, trees } = operation
  const [tree, ...others] = trees
  const kind = of === undefined ? kinds.join(", ") : `${kinds.join(", ")} of ${of}`
  const where = tree === undefined || others.length > 0 ? plural(trees.length, "tree") : shortId(tree)
  const facts = [author, kind, `${plural(nodes, "node")} in ${where}`]
  const state = [...(isUnderWay ? ["under way"] : []), ...(isUndone ? ["undone"] : [])]
  const time = NodeFormat.listTime(at, width)
  const line = sanitizeLine([...facts, ...state].join("  "))
  const most = width === undefined ? line.length : Math.max(1, width - String(id).length - time.length - 4)
  return [strong(String(id)), quiet(time), DisplayWidth.cut(line, most)].join("  ")
}
