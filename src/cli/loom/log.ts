/** `vibe loom log`: prints a conversation, the newest message last, with its tokens and cost. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Spending from "../../agent/Spending.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import { type Node, repliesIn } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as ModelId from "../../message/ModelId.ts"
import type { Usage } from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import { ModelCatalog } from "../../model/ModelCatalog.ts"
import type { Price } from "../../model/ModelEntry.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import { DEFAULT_MESSAGES, type LogInput } from "./readCommands.ts"
import { printTree } from "./trees.ts"

export const run = Effect.fn("cli.loom.log")(function* ({ graph, json, limit, node, noPager }: LogInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const id = yield* NodeName.resolve(node)
  if (graph) {
    const { root: top } = yield* forest.path(id, { last: 0 })
    return yield* printTree({ top, depth: Option.none(), json, limit, noPager }, Graph.graph)
  }
  const count = Option.getOrElse(limit, () => (json ? undefined : DEFAULT_MESSAGES))
  const { nodes, root } = yield* forest.path(id, { last: count })
  const earlier = nodes[0] === undefined || nodes[0].parent === root.id ? 0 : (yield* forest.depth(nodes[0].id)) - 1
  const places = [root, ...nodes]
  const last = earlier > 0 ? nodes : Option.isSome(limit) ? places.slice(-limit.value) : places
  const labels = yield* NodeFormat.loadLabels(last)
  // The sum covers the printed messages only: a conversation may be too long to read all of it.
  const spending = yield* spendingOf(nodes)
  if (json) {
    const { cost, usage } = Option.getOrElse(spending, () => Spending.zero)
    const object = {
      root,
      nodes: last.filter((place) => !NodeText.isRoot(place)).map((place) => NodeFormat.toObject(place, labels.titles)),
      usage,
      cost: cost ?? null,
    }
    return yield* Screen.line(out, sanitizeJson(object))
  }
  const entries = MessageParts.group(last).map((parts) => NodeFormat.entry(parts, labels, out.style))
  yield* Pager.print(out, entries.join("\n\n"), { noPager })
  const part = earlier > 0 ? ` (of the last ${plural(MessageParts.group(nodes).length, "message")})` : ""
  if (Option.isSome(spending)) yield* Screen.line(err, `${describeSpending(spending.value)}${part}`)
  if (earlier > 0 && Option.isNone(limit)) {
    const all = earlier + nodes.length + 1
    yield* Screen.notice(err, `${plural(earlier, "earlier message")} not printed; --limit ${all} prints all of them`)
  }
})

/**
 * Sums the tokens that the nodes record, and their cost by the prices of the catalogue. `None` if no model has used
 * any; the cost is undefined if a model has no price.
 */
export const spendingOf = Effect.fn("cli.loom.spendingOf")(function* (nodes: ReadonlyArray<Node>) {
  const catalog = yield* ModelCatalog
  const answers = nodes.flatMap(({ source }) => repliesIn(source)).filter(({ usage }) => hasTokens(usage))
  if (answers.length === 0) return Option.none<Spending.Spending>()
  const prices = new Map<string, Price | undefined>()
  for (const model of new Set(answers.map(({ model }) => model))) {
    const id = ModelId.parse(model)
    prices.set(model, Either.isRight(id) ? (yield* catalog.find(id.right)).price : undefined)
  }
  const spent = answers.map(({ model, usage }) => ({ usage, cost: Cost.of(usage, prices.get(model)) }))
  return Option.some(spent.reduce(Spending.add, Spending.zero))
})

/** `1204 tokens in (1000 cached), 312 out, about $0.0021` */
export const describeSpending = ({ cost, usage }: Spending.Spending): string =>
  [
    `${usage.inputTokens} tokens in${usage.cachedTokens === 0 ? "" : ` (${usage.cachedTokens} cached)`}`,
    `${usage.outputTokens} out`,
    ...(cost === 0 ? [] : [Cost.describe(cost)]),
  ].join(", ")

const hasTokens = ({ inputTokens, outputTokens }: Usage): boolean => inputTokens + outputTokens > 0
