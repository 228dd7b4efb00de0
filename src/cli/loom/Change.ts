/** What changed, in a line. Pure. */
import type { Change, Entry } from "../../forest/Entry.ts"
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
      ...(bookmarks.length === 0
        ? []
        : [`and the ${bookmarks.length === 1 ? "bookmark" : "bookmarks"} ${bookmarks.join(", ")}`]),
    ].join(" "),
  )

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
