/** What changed, in a line. Pure. */
import type { Change, Entry } from "../../forest/Entry.ts"
import type { Purged } from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import { printableLine } from "../../message/Printable.ts"
import { plural } from "../Plural.ts"

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
  printableLine(
    [
      `deleted ${plural(nodes.length, "node")}`,
      ...(answers.length === 0 ? [] : [`(with ${plural(answers.length, "answer")} to its calls)`]),
      ...named(bookmarks),
    ].join(" "),
  )

export const isNothing = ({ nodes, texts, trees }: Purged): boolean => nodes + texts + trees === 0

/** `purged 3 nodes, 1 earlier text and the bookmark here` */
export const purged = (purged: Purged): string => printableLine(`purged ${counted(purged)}`)

/** `Remove 3 nodes for good? Nothing brings them back` */
export const question = (purged: Purged): string =>
  printableLine(`Remove ${counted(purged)} for good? Nothing can bring it back`)

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

/** `undone: append (1 node taken away) in the tree 01jx…` */
export const undone = ({ changes, operation, root }: Entry): string => {
  const count = (type: Change["type"]) => changes.filter((change) => change.type === type).length
  const facts = [
    ...some(count("added"), "node", "taken away"),
    ...some(count("removed"), "node", "brought back"),
    ...some(count("changed"), "node", "put back"),
    ...some(count("bookmarked"), "bookmark", "put back"),
    ...some(count("planted"), "tree", "taken away"),
    ...some(count("uprooted"), "tree", "brought back"),
  ]
  return printableLine(`undone: ${operation} (${facts.join(", ")}) in the tree ${root}`)
}

const some = (count: number, noun: string, verb: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${plural(count, noun)} ${verb}`]
