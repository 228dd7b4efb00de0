/** Encodes the changes of a journal entry: consecutive added nodes, the most frequent case, as a range of numbers. */
import * as Schema from "effect/Schema"
import type { NodeId } from "../../../message/NodeId.ts"
import { Change } from "../../JournalEntry.ts"

/** `numberOf`: the row number of a node. */
export const write = (changes: ReadonlyArray<Change>, numberOf: (id: NodeId) => number): string => {
  const numbers = changes.flatMap((change) => (change.type === "added" ? [numberOf(change.node)] : []))
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  const isRange =
    numbers.length > 0 && numbers.length === changes.length && numbers.every((number, at) => number === first + at)
  return isRange ? `${first} ${last}` : encode(changes)
}

/** `nameOf`: the id of a node, also of a removed one; throws for a number that no node can have. */
export const read = (text: string, nameOf: (number: number) => NodeId): ReadonlyArray<Change> => {
  const range = /^(\d+) (\d+)$/.exec(text)
  if (range === null) return decode(text)
  const [first, last] = [Number(range[1]), Number(range[2])]
  // Checks the end first, so that a damaged range is not expanded.
  nameOf(last)
  if (last < first) throw new RangeError(`no range of nodes: ${text}`)
  return Array.from({ length: last - first + 1 }, (_, at) => ({ type: "added", node: nameOf(first + at) }))
}

const Json = Schema.parseJson(Schema.Array(Change))
const encode = Schema.encodeSync(Json)
const decode = Schema.decodeUnknownSync(Json)
