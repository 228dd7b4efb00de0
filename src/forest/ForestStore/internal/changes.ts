/** The changes of an entry as a text: nodes that were added one after the other, as most are, by their numbers. */
import * as Schema from "effect/Schema"
import type { NodeId } from "../../../message/NodeId.ts"
import { Change } from "../../Entry.ts"

/** `numberOf`: of a node that is there. */
export const write = (changes: ReadonlyArray<Change>, numberOf: (id: NodeId) => number): string => {
  const numbers = changes.flatMap((change) => (change.type === "added" ? [numberOf(change.node)] : []))
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  const isRange =
    numbers.length > 0 && numbers.length === changes.length && numbers.every((number, at) => number === first + at)
  return isRange ? `${first} ${last}` : encode(changes)
}

/** `nameOf`: of a node, though it be removed; throws for what cannot be one. */
export const read = (text: string, nameOf: (number: number) => NodeId): ReadonlyArray<Change> => {
  const range = /^(\d+) (\d+)$/.exec(text)
  if (range === null) return decode(text)
  const [first, last] = [Number(range[1]), Number(range[2])]
  // First the last: a range that goes far beyond what there is is not to be written out.
  nameOf(last)
  if (last < first) throw new RangeError(`no range of nodes: ${text}`)
  return Array.from({ length: last - first + 1 }, (_, at) => ({ type: "added", node: nameOf(first + at) }))
}

const Json = Schema.parseJson(Schema.Array(Change))
const encode = Schema.encodeSync(Json)
const decode = Schema.decodeUnknownSync(Json)
