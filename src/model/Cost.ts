/** The cost of using a model, in US dollars: an estimate from the provider's token counts and the catalogue's price. */
import type { Usage } from "../message/Usage.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { Price } from "./ModelEntry.ts"
import type { Reply } from "./Reply.ts"

/** `undefined` where the price is unknown. Cached input counts as other input where it has no price of its own. */
export const of = (
  { cachedTokens, inputTokens, outputTokens }: Usage,
  price: Price | undefined,
): number | undefined => {
  if (price === undefined) return undefined
  const cached = Math.min(cachedTokens, inputTokens)
  const perMillion =
    (inputTokens - cached) * price.input + cached * (price.cached ?? price.input) + outputTokens * price.output
  return round(perMillion / 1_000_000)
}

/**
 * As what answered reports it, or by the price. `undefined` where another model has answered instead, since that has another
 * price.
 */
export const ofReply = (
  { id, price }: Pick<LanguageModel.Service, "id" | "price">,
  { cost, model, usage }: Pick<Reply, "cost" | "model" | "usage">,
): number | undefined => cost ?? of(usage, String(model) === String(id) ? price : undefined)

/** `undefined` where one of them is unknown. */
export const total = (costs: ReadonlyArray<number | undefined>): number | undefined =>
  costs.reduce((sum, cost) => (sum === undefined || cost === undefined ? undefined : round(sum + cost)), 0)

/** `$1.25`; below a dollar with two significant digits: `$0.0042`, `$0.0000031`. */
export const formatDollars = (amount: number): string => {
  const zeros = amount > 0 && amount < 1 ? -Math.floor(Math.log10(amount)) - 1 : 0
  return `$${amount.toFixed(amount < 1 && amount > 0 ? Math.min(9, zeros + 2) : 2)}`
}

/** The cost as shown to users, marked as an estimate. */
export const describe = (cost: number | undefined): string =>
  cost === undefined ? "price unknown" : `about ${formatDollars(cost)}`

/** To a billionth of a dollar, which removes rounding errors of binary fractions. */
const round = (dollars: number): number => Math.round(dollars * 1e9) / 1e9
