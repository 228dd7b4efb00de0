/** How much of the context window of a model a conversation takes. Pure. */
import type { Node } from "../forest/Node.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import * as Summary from "./Summary.ts"

/** In tokens. */
export interface ContextUse {
  /** What the next request repeats. */
  readonly used: number
  /** None where it is not known. */
  readonly window: number | undefined
  /** `used` is an estimate: no provider has counted it. */
  readonly isEstimated: boolean
}

/** Of the visible nodes of a path: as the provider has counted the last request and its reply, and what came after by an estimate. */
export const of = (nodes: ReadonlyArray<Node>, { limits }: Pick<LanguageModel.Service, "limits">): ContextUse => {
  const window = limits === undefined || limits.isAssumed === true ? undefined : limits.context
  const summary = nodes.findLastIndex(Summary.isSummary)
  const at = nodes.findLastIndex(({ source }) => source.type === "model" && source.usage.inputTokens > 0)
  const source = nodes[at]?.source
  if (source?.type !== "model" || at < summary || isKept(nodes, at, summary)) {
    return { used: Summary.tokensOf(nodes), window, isEstimated: true }
  }
  const after = nodes.slice(at + 1)
  const counted = source.usage.inputTokens + source.usage.outputTokens
  return {
    used: counted + (after.length === 0 ? 0 : Summary.tokensOf(after)),
    window,
    isEstimated: false,
  }
}

/** Whether a reply was requested before the summary, though it is sent after it: its request had more. */
const isKept = (nodes: ReadonlyArray<Node>, at: number, summary: number): boolean => {
  const [node, first] = [nodes[at], nodes[summary]]
  return node !== undefined && first !== undefined && node.createdAt < first.createdAt
}

/** `12k of 200k`: in thousands, from 1,000 on. */
export const format = ({ isEstimated, used, window }: ContextUse): string =>
  `${isEstimated ? "~" : ""}${thousands(used)}${window === undefined ? "" : ` of ${thousands(window)}`}`

const thousands = (tokens: number): string => {
  if (tokens < 1000) return String(tokens)
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`
}
