/** The cost of using a model, in US dollars: an estimate from the provider's token counts and the catalogue's price. */
import type { Usage } from "../message/Usage.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { Price } from "./ModelEntry.ts"
import type { Reply } from "./Reply.ts"

/** Returns `undefined` if the price is unknown. Cached input counts as other input if it has no price of its own. */
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
 * Returns the cost that the reply reports, or else the cost by the price. Returns `undefined` if another model has
 * answered instead, since that has another price.
 */
export const ofReply = (
  { id, price }: Pick<LanguageModel.Service, "id" | "price">,
  { cost, model, usage }: Pick<Reply, "cost" | "model" | "usage">,
): number | undefined => cost ?? of(usage, String(model) === String(id) ? price : undefined)

/** Returns `undefined` if one of the costs is unknown. */
export const total = (costs: ReadonlyArray<number | undefined>): number | undefined =>
  costs.reduce((sum, cost) => (sum === undefined || cost === undefined ? undefined : round(sum + cost)), 0)

/** Formats an amount such as `$1.25`. Below a dollar it has two significant digits: `$0.0042`, `$0.0000031`. */
export const formatDollars = (amount: number): string => {
  const zeros = amount > 0 && amount < 1 ? -Math.floor(Math.log10(amount)) - 1 : 0
  return `$${amount.toFixed(amount < 1 && amount > 0 ? Math.min(9, zeros + 2) : 2)}`
}

/** Describes the cost to users, marked as an estimate. */
export const describe = (cost: number | undefined): string =>
  cost === undefined ? "price unknown" : `about ${formatDollars(cost)}`

/** Rounds to a billionth of a dollar, which removes rounding errors of binary fractions. */
const round = (dollars: number): number => Math.round(dollars * 1e9) / 1e9
