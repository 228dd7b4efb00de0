/** Tokens and cost of answers, read from their nodes in the forest. */
import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import { tail } from "../forest/Tail.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"

export interface Spending {
  readonly usage: Usage.Usage
  /** In US dollars; none where a price is not known. */
  readonly cost: number | undefined
}

export const zero: Spending = { usage: Usage.none, cost: 0 }

export const add = (one: Spending, other: Spending): Spending => ({
  usage: Usage.add(one.usage, other.usage),
  cost: Cost.total([one.cost, other.cost]),
})

/** Of the nodes that a model made. */
export const spendingOf = (nodes: ReadonlyArray<Node>, { id, price }: LanguageModel.Service): Spending =>
  nodes.reduce<Spending>((sum, { source }) => {
    if (source.type !== "model") return sum
    const cost = source.model === String(id) ? Cost.of(source.usage, price) : undefined
    return add(sum, { usage: source.usage, cost })
  }, zero)

/** The nodes on the path from below `before` to `after`, in order: one turn. None where `before` is no ancestor. */
export const nodesBetween = (
  forest: Forest.Service,
  before: NodeId | undefined,
  after: NodeId,
): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
  Effect.map(
    tail(forest, after, FEW, (nodes) => nodes.length >= MOST || nodes.some(isFirst(before))),
    ({ nodes }) => {
      const at = nodes.findIndex(isFirst(before))
      return at === -1 ? [] : nodes.slice(at)
    },
  )

const isFirst =
  (before: NodeId | undefined) =>
  ({ parent, root }: Node): boolean =>
    parent === (before ?? root)

/** Nodes of most turns: a message, an answer, and some calls with their results. */
const FEW = 10

/** More than a turn has: each of 50 rounds leaves an answer, and a result for each of its calls. */
const MOST = 1000
