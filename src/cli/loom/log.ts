/** `vibe loom log`: prints a conversation, the newest message last, with its tokens and cost. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Spending from "../../loom/Spending.ts"
import * as ModelId from "../../message/ModelId.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import type { Usage } from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import { ModelCatalog } from "../../model/ModelCatalog.ts"
import type { Price } from "../../model/ModelEntry.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { LogInput } from "./readCommands.ts"
import { printTree } from "./tree.ts"

export const run = Effect.fn("cli.loom.log")(function* ({ graph, json, limit, node }: LogInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(yield* NodeName.resolve(node))
  if (graph) return yield* printTree({ top: root, nodes: yield* forest.subtree(root.id), json, limit }, Graph.graph)
  const places = [root, ...nodes]
  const last = Option.match(limit, { onNone: () => places, onSome: (count) => places.slice(-count) })
  const labels = yield* NodeFormat.loadLabels(last)
  // Of the whole conversation, also where a limit prints less of it.
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
  yield* Screen.line(out, last.map((place) => NodeFormat.entry(place, labels, out.style)).join("\n\n"))
  if (Option.isSome(spending)) yield* Screen.line(err, describeSpending(spending.value))
})

/**
 * The tokens that the nodes record, and their cost by the prices of the catalogue. None where no model has used any; the
 * cost is undefined where a model has no price.
 */
export const spendingOf = Effect.fn("cli.loom.spendingOf")(function* (nodes: ReadonlyArray<Node>) {
  const catalog = yield* ModelCatalog
  const answers = nodes.flatMap(({ source }) => (source.type === "model" && hasTokens(source.usage) ? [source] : []))
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
