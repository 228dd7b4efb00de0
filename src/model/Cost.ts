/** What a use of a model costs, in US dollars: an estimate from the tokens its provider counted and the catalogue's price. */
import type { Usage } from "../message/Usage.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { Price } from "./ModelEntry.ts"
import type { Reply } from "./Reply.ts"

/** None where the price is unknown. Cached input counts as other input where it has no price of its own. */
export const of = (
  { cachedTokens, inputTokens, outputTokens }: Usage,
  price: Price | undefined,
): number | undefined => {
  if (price === undefined) return undefined
  const cached = Math.min(cachedTokens, inputTokens)
  const perMillion =
    (inputTokens - cached) * price.input + cached * (price.cached ?? price.input) + outputTokens * price.output
  return rounded(perMillion / 1_000_000)
}

/** None where another model answered in place of the one that was asked: that has a price of its own. */
export const ofReply = (
  { id, price }: Pick<LanguageModel.Service, "id" | "price">,
  { model, usage }: Pick<Reply, "model" | "usage">,
): number | undefined => of(usage, String(model) === String(id) ? price : undefined)

/** None where one of them is unknown: a part of what was spent is not what was spent. */
export const total = (costs: ReadonlyArray<number | undefined>): number | undefined =>
  costs.reduce(
    (sum, cost) => (sum === undefined || cost === undefined ? undefined : rounded(sum + cost)),
    // Of nothing.
    0,
  )

/** `$1.25`, and below a dollar with what makes a difference there: `$0.0042`, `$0.0000031`. */
export const formatDollars = (amount: number): string => {
  const zeros = amount > 0 && amount < 1 ? -Math.floor(Math.log10(amount)) - 1 : 0
  return `$${amount.toFixed(amount < 1 && amount > 0 ? Math.min(9, zeros + 2) : 2)}`
}

/** For people, who are to know that it is an estimate. */
export const describe = (cost: number | undefined): string =>
  cost === undefined ? "price unknown" : `about ${formatDollars(cost)}`

/** To the billionth of a dollar: what is beyond is what binary fractions leave behind. */
const rounded = (dollars: number): number => Math.round(dollars * 1e9) / 1e9
