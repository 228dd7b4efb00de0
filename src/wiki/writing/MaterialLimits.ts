/** How much the requests of a wiki may show, and how long their answers are, in tokens. Pure. */
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { contextWindow } from "../../model/Limits.ts"

/**
 * The most tokens of material in each kind of request. They are constant, since a larger project has no more and no
 * longer pages: 100,000 lines cost some 0.09 USD at 0.30 and 2.50 a million tokens.
 */
export interface MaterialLimits {
  readonly plan: number
  readonly start: number
  /** The tokens of a part of mean size; `PartRoom` says how many others get. */
  readonly part: number
  readonly flow: number
  /** The symbols of several parts of which a model chooses those whose sources are shown. */
  readonly choice: number
  /** The sources that a model has chosen for a part, or that a flow shows. */
  readonly sources: number
  /** The sources of a check of some new pages. */
  readonly check: number
  /** The sources of a judgement of changed statements. */
  readonly judgement: number
  /** The sources of a further request of a check, which shows undecided statements of all pages more of them. */
  readonly again: number
  /** How many pages of parts, or of flows, one request asks for: each has the rules, the form and the parts in it. */
  readonly together: number
}

export const defaults: MaterialLimits = {
  plan: 7500,
  start: 4300,
  part: 1450,
  flow: 1000,
  choice: 7000,
  sources: 1570,
  check: 11000,
  again: 14000,
  judgement: 1550,
  together: 3,
}

/**
 * The tokens of an answer of usual length, for the budget and for estimates, that of a check for ten statements.
 * Together they are between those of a capable model by hand (18,400 for a wiki of 18 pages) and those of the replay of
 * bench/wikiTokens.ts (10,500).
 */
export const ANSWERS = { plan: 900, start: 900, part: 560, choice: 10, flow: 470, check: 110, judgement: 110 }

/** The share of a context window that the material may take; the prompt, the tool and the answer need the rest. */
const SHARE = 0.5

/** The tokens of a page of a part in a request, and the most in an answer. */
const PAGE = 4500
const PAGE_ANSWER = 1300

/** Returns the limits for a model: lower ones if its context window is small. */
export const of = ({ limits }: Pick<LanguageModel.Service, "limits">): MaterialLimits => {
  const most = (contextWindow(limits) ?? Number.POSITIVE_INFINITY) * SHARE
  const lower = (tokens: number, share = 1) => Math.floor(Math.min(tokens, most * share))
  return {
    plan: lower(defaults.plan),
    start: lower(defaults.start),
    // These are shown together with sources.
    part: lower(defaults.part, 0.5),
    flow: lower(defaults.flow, 0.4),
    choice: lower(defaults.choice),
    sources: lower(defaults.sources, 0.5),
    check: lower(defaults.check),
    again: lower(defaults.again),
    judgement: lower(defaults.judgement),
    together: Math.max(1, Math.floor(Math.min(defaults.together, most / PAGE, (limits?.output ?? most) / PAGE_ANSWER))),
  }
}
