/** What the models of a conversation have used, read off its nodes: tokens as they were counted, and by the catalogue's prices what those cost. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Node } from "../../forest/Node.ts"
import * as Spending from "../../loom/Spending.ts"
import * as ModelId from "../../message/ModelId.ts"
import type { Usage } from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import { ModelCatalog } from "../../model/ModelCatalog.ts"
import type { Price } from "../../model/ModelEntry.ts"

/** None where no model has used anything. The cost is none where one of them has no price. */
export const of = Effect.fn("Used.of")(function* (nodes: ReadonlyArray<Node>) {
  const catalog = yield* ModelCatalog
  const answers = nodes.flatMap(({ source }) => (source.type === "model" && tokens(source.usage) > 0 ? [source] : []))
  if (answers.length === 0) return Option.none<Spending.Spending>()
  const prices = new Map<string, Price | undefined>()
  for (const model of new Set(answers.map(({ model }) => model))) {
    const id = ModelId.parse(model)
    prices.set(model, Either.isRight(id) ? (yield* catalog.find(id.right)).price : undefined)
  }
  const spent = answers.map(({ model, usage }) => ({ usage, cost: Cost.of(usage, prices.get(model)) }))
  return Option.some(spent.reduce(Spending.add, Spending.zero))
})

/** `1204 tokens in (1000 cached), 312 out, about $0.0021`. */
export const line = ({ cost, usage: { cachedTokens, inputTokens, outputTokens } }: Spending.Spending): string =>
  [
    `${inputTokens} tokens in${cachedTokens === 0 ? "" : ` (${cachedTokens} cached)`}`,
    `${outputTokens} out`,
    ...(cost === 0 ? [] : [Cost.describe(cost)]),
  ].join(", ")

const tokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens
