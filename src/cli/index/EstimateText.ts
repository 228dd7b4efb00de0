/** The output of `vibe index --estimate`: text for people, an object for `--json`. Pure. */
import * as Arr from "effect/Array"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import * as Estimate from "../../explore/Estimate.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as Cost from "../../model/Cost.ts"
import type { Price } from "../../model/ModelEntry.ts"
import type * as WriterEstimate from "../../wiki/writing/WriterEstimate.ts"

export interface Shown {
  readonly root: string
  readonly estimate: Estimate.Estimate
  /** The models, the chosen one first. */
  readonly models: ReadonlyArray<Model>
  /** The pages of the wiki; undefined if none are written. */
  readonly wiki?: WriterEstimate.Work | undefined
}

export interface Model {
  readonly id: ModelId
  /** The price; undefined if it is unknown. */
  readonly price: Price | undefined
  /** A second model, which explains types and constants. */
  readonly lite?: Model | undefined
}

/** Costs are in US dollars, `null` if a price is unknown. */
export const object = ({ estimate, models, root, wiki }: Shown): object => ({
  root,
  ...estimate,
  explorations: Estimate.explorations(estimate),
  lite: estimate.lite ?? null,
  models: models.map((model) => ({
    id: String(model.id),
    price: model.price ?? null,
    lite: model.lite === undefined ? null : { id: String(model.lite.id), price: model.lite.price ?? null },
    one: costOf(estimate, "one", model) ?? null,
    all: costOf(estimate, "all", model) ?? null,
    ...(wiki !== undefined && { wiki: Cost.of(usageOf(wiki), model.price) ?? null }),
  })),
  ...(wiki !== undefined && { wiki }),
})

export const text = (shown: Shown, style: Style): string =>
  [explanations(shown, style), ...wikiLines(shown, style)].join("\n")

/** Says what the wiki takes beside the explanations. */
const wikiLines = ({ models, wiki }: Shown, { strong }: Style): ReadonlyArray<string> => {
  if (wiki === undefined || wiki.requests === 0) return []
  const [model] = models
  const cost = model === undefined ? "" : `: ${Cost.describe(Cost.of(usageOf(wiki), model.price))}`
  const what = wiki.pages === 0 ? "Statements" : `${wiki.pages === 1 ? "1 page" : `${wiki.pages} pages`}`
  return [`${strong(`${what} of the wiki`)} beside them: about ${work({ symbols: 0, ...wiki })}${cost}`]
}

const usageOf = (wiki: WriterEstimate.Work) => Estimate.usageOf({ symbols: 0, ...wiki })

const explanations = ({ estimate, models }: Shown, { quiet, strong }: Style): string => {
  const { all, maxRequests, one } = estimate
  if (all.symbols === 0) return "Nothing to explain: every major symbol has a purpose"
  const isOne = one.requests === all.requests
  const names = models.map(({ id, lite }) => [id, ...(lite === undefined ? [] : [lite.id])].join(" with "))
  const width = Math.max(...names.map((name) => name.length))
  const costs = Arr.zip(models, names).map(([model, name]) => {
    const of = (part: "one" | "all") => Cost.describe(costOf(estimate, part, model))
    const [first, whole] = [of("one"), of("all")]
    return `  ${sanitizeLine(name).padEnd(width)}  ${isOne || first === whole ? whole : `${first}, ${whole} with --all`}`
  })
  const most = plural(maxRequests, "request")
  return [
    `${strong(symbols(all))} to explain: about ${work(all)}`,
    ...costs,
    isOne
      ? `One exploration makes at most ${most}: enough for all of them.`
      : `One exploration makes at most ${most}, and explains about ${symbols(one)}, the most used first (${work(one)}). --all goes on, in about ${Estimate.explorations(estimate)} explorations.`,
    quiet("Not counted: a model's thinking, and asking again for what it left out."),
  ].join("\n")
}

/** `9 requests, 263k tokens in, 37k out`. */
const work = ({ inputTokens, outputTokens, requests }: Estimate.Work): string =>
  `${plural(requests, "request")}, ${short(inputTokens)} tokens in, ${short(outputTokens)} out`

/** `1,351 symbols`. */
const symbols = (work: Estimate.Work): string =>
  `${work.symbols.toLocaleString("en")} symbol${work.symbols === 1 ? "" : "s"}`

const short = (tokens: number): string =>
  tokens < 1_000 ? String(tokens) : tokens < 1e6 ? `${Math.round(tokens / 1_000)}k` : `${(tokens / 1e6).toFixed(1)}M`

/** A model without a second one explains everything. */
const costOf = (estimate: Estimate.Estimate, part: "one" | "all", { lite, price }: Model): number | undefined => {
  const ofLite = lite === undefined ? undefined : estimate.lite?.[part]
  const own = Cost.of(Estimate.usageOf(Estimate.without(estimate[part], ofLite)), price)
  return ofLite === undefined ? own : Cost.total([own, Cost.of(Estimate.usageOf(ofLite), lite?.price)])
}
