/** What changed, in a line. Pure. */

import type { Purged } from "../../forest/Forest.ts"
import type { Change } from "../../forest/JournalEntry.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import type { Reverted, Summary } from "../../forest/Operation.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { plural } from "../../message/Plural.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type { Style } from "../terminal/Style.ts"

/** `deleted 3 nodes (with 2 answers to its calls) and the bookmark here` */
export const removed = ({
  answers,
  bookmarks,
  nodes,
}: {
  readonly nodes: ReadonlyArray<Node>
  readonly answers: ReadonlyArray<Node>
  readonly bookmarks: ReadonlyArray<string>
}): string =>
  sanitizeLine(
    [
      `deleted ${plural(nodes.length, "node")}`,
      ...(answers.length === 0 ? [] : [`(with ${plural(answers.length, "answer")} to its calls)`]),
      ...named(bookmarks),
    ].join(" "),
  )

export const isNothing = ({ nodes, texts, trees }: Purged): boolean => nodes + texts + trees === 0

/** `purged 3 nodes, 1 earlier text and the bookmark here` */
export const purged = (purged: Purged): string => sanitizeLine(`purged ${counted(purged)}`)

/** `Remove 3 nodes for good? Nothing brings them back` */
export const question = (purged: Purged): string =>
  sanitizeLine(`Remove ${counted(purged)} for good? Nothing can bring it back`)

const counted = ({ bookmarks, nodes, texts, trees }: Purged): string => {
  const counts = [
    ...(trees === 0 ? [] : [plural(trees, "tree")]),
    ...(nodes === 0 && trees + texts > 0 ? [] : [plural(nodes, "node")]),
    ...(texts === 0 ? [] : [plural(texts, "earlier text")]),
  ]
  return [counts.join(", "), ...named(bookmarks)].join(" ")
}

/** `and the bookmarks here, there` */
const named = (bookmarks: ReadonlyArray<string>): ReadonlyArray<string> =>
  bookmarks.length === 0 ? [] : [`and the ${bookmarks.length === 1 ? "bookmark" : "bookmarks"} ${bookmarks.join(", ")}`]

/** `undone: 12 loom append (1 node taken away) in the tree 01jx…` */
export const undone = (operation: Reverted): string =>
  reverted("undone", operation, { added: "taken away", removed: "brought back", changed: "put back" })

/** `redone: 12 loom append (1 node brought back) in the tree 01jx…` */
export const redone = (operation: Reverted): string =>
  reverted("redone", operation, { added: "brought back", removed: "taken away", changed: "changed again" })

/** `12  2026-11-23 01:50:00Z  loom append  1 node in 01jx…  undone` */
export const row = (operation: Summary, short: (id: NodeId) => string, { quiet, strong }: Style): string => {
  const { at, author = "unknown", id, isUnderWay, isUndone, kinds, nodes, of, trees } = operation
  const [tree, ...others] = trees
  const what = of === undefined ? kinds.join(", ") : `${kinds.join(", ")} of ${of}`
  const where = tree === undefined || others.length > 0 ? plural(trees.length, "tree") : short(tree)
  const facts = [author, what, `${plural(nodes, "node")} in ${where}`]
  const state = [...(isUnderWay ? ["under way"] : []), ...(isUndone ? ["undone"] : [])]
  return [strong(String(id)), quiet(NodeText.time(at)), sanitizeLine([...facts, ...state].join("  "))].join("  ")
}

interface Verbs {
  readonly added: string
  readonly removed: string
  readonly changed: string
}

const reverted = (what: string, { author, changes, id, kinds, trees }: Reverted, verbs: Verbs): string => {
  const count = (type: Change["type"]) => changes.filter((change) => change.type === type).length
  const facts = [
    ...some(count("added"), "node", verbs.added),
    ...some(count("removed"), "node", verbs.removed),
    ...some(count("changed"), "node", verbs.changed),
    ...some(count("bookmarked"), "bookmark", verbs.changed),
    ...some(count("planted"), "tree", verbs.added),
    ...some(count("uprooted"), "tree", verbs.removed),
  ]
  const [tree, ...others] = trees
  const where = others.length === 0 ? `the tree ${tree}` : plural(trees.length, "tree")
  return sanitizeLine(`${what}: ${id} ${author ?? kinds.join(", ")} (${facts.join(", ")}) in ${where}`)
}

const some = (count: number, noun: string, verb: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${plural(count, noun)} ${verb}`]
