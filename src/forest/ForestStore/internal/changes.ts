/**
 * Encodes the changes of a journal entry. Consecutive added nodes, the most frequent case, become a range of numbers,
 * and nodes that were moved together become a list.
 */
import * as Schema from "effect/Schema"
import { NodeId } from "../../../message/NodeId.ts"
import { Change } from "../../JournalEntry.ts"

/** Encodes changes; `numberOf` returns the row number of a node. */
export const write = (changes: ReadonlyArray<Change>, numberOf: (id: NodeId) => number): string => {
  const numbers = changes.flatMap((change) => (change.type === "added" ? [numberOf(change.node)] : []))
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  const isRange =
    numbers.length > 0 && numbers.length === changes.length && numbers.every((number, at) => number === first + at)
  return isRange ? `${first} ${last}` : encode(joinMoves(changes))
}

/**
 * Decodes changes. `nameOf` returns the id of a node, even if it was removed, and throws for a number that no node can
 * have.
 */
export const read = (text: string, nameOf: (number: number) => NodeId): ReadonlyArray<Change> => {
  const range = /^(\d+) (\d+)$/.exec(text)
  if (range === null) return decode(text).flatMap(splitMoves)
  const [first, last] = [Number(range[1]), Number(range[2])]
  // The end is checked first, so that a damaged range is not expanded.
  nameOf(last)
  if (last < first) throw new RangeError(`no range of nodes: ${text}`)
  return Array.from({ length: last - first + 1 }, (_, at) => ({ type: "added", node: nameOf(first + at) }))
}

/** The nodes that were moved from one parent to another, one after the other. */
const Moves = Schema.Struct({
  type: Schema.Literal("moved"),
  nodes: Schema.Array(NodeId),
  from: NodeId,
  to: NodeId,
})

type Stored = Change | typeof Moves.Type

const joinMoves = (changes: ReadonlyArray<Change>): ReadonlyArray<Stored> => {
  const stored: Array<Change | { type: "moved"; nodes: Array<NodeId>; from: NodeId; to: NodeId }> = []
  for (const change of changes) {
    const last = stored.at(-1)
    if (change.type !== "moved") stored.push(change)
    else if (last?.type === "moved" && "nodes" in last && last.from === change.from && last.to === change.to) {
      last.nodes.push(change.node)
    } else stored.push({ type: "moved", nodes: [change.node], from: change.from, to: change.to })
  }
  return stored
}

const splitMoves = (stored: Stored): ReadonlyArray<Change> =>
  "nodes" in stored ? stored.nodes.map((node) => ({ type: "moved", node, from: stored.from, to: stored.to })) : [stored]

const Json = Schema.parseJson(Schema.Array(Schema.Union(Moves, Change)))
const encode = Schema.encodeSync(Json)
const decode = Schema.decodeUnknownSync(Json)
