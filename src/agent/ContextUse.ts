/** How much of the context window of a model a conversation takes. */

import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import { readTail } from "../forest/ForestService.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import type { Node } from "../forest/Node.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Tokens from "../message/Tokens.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import { contextWindow } from "../model/Limits.ts"
import { declarations, type Request } from "../model/Request.ts"
import * as Summary from "./Summary.ts"

/** The use of a context window in tokens. */
export interface ContextUse {
  /** The tokens that the next request repeats. */
  readonly used: number
  /** The size of the window. Undefined if it is not known. */
  readonly window: number | undefined
  /** True if `used` is an estimate, because no provider has counted it. */
  readonly isEstimated: boolean
}

export interface Options extends Pick<LanguageModel.Service, "limits"> {
  /** The parts of a request other than its messages: the system prompt, and the declarations of tools. */
  readonly fixed: string
}

/**
 * Computes the use from the visible nodes of a path: the provider's count of the last request and its reply, and an
 * estimate of everything after it.
 */
export const of = (nodes: ReadonlyArray<Node>, { fixed, limits }: Options): ContextUse => {
  const window = contextWindow(limits)
  const summary = nodes.findLastIndex(Summary.isSummary)
  const at = nodes.findLastIndex(hasUsage)
  const source = nodes[at]?.source
  if (source?.type !== "model" || at < summary || isKept(nodes, at, summary)) {
    const messages = MessageParts.messagesOf(nodes)
    return { used: Tokens.estimate(fixed, messages), window, isEstimated: true }
  }
  const after = nodes.slice(at + 1)
  const counted = source.usage.inputTokens + source.usage.outputTokens
  return {
    used: counted + (after.length === 0 ? 0 : Summary.tokensOf(after)),
    window,
    isEstimated: after.length > 0,
  }
}

/** Computes the use for the conversation that ends at a node. Reads no more of its path than it needs. */
export const at = (
  forest: Forest.Service,
  node: NodeId,
  { limits, tools }: Pick<LanguageModel.Service, "limits"> & Pick<Request, "tools">,
): Effect.Effect<ContextUse, ForestError> =>
  Effect.map(
    readTail(forest, node, STEP, (nodes) => nodes.some(hasUsage) || Summary.hasWhole(nodes)),
    ({ nodes, root }) => of(Summary.visible(nodes), { fixed: root.systemPrompt + declarations(tools), limits }),
  )

/** The number of nodes of the path that are read at first. */
const STEP = 20

const hasUsage = ({ source }: Node): boolean => source.type === "model" && source.usage.inputTokens > 0

/**
 * Returns true if a reply is older than the summary that it is sent after: its request also had the nodes that the
 * summary stands for.
 */
const isKept = (nodes: ReadonlyArray<Node>, at: number, summary: number): boolean => {
  const [node, first] = [nodes[at], nodes[summary]]
  return node !== undefined && first !== undefined && node.createdAt < first.createdAt
}

/** Formats the use as `12k of 200k`; from 1,000 on it is in thousands. */
export const format = ({ isEstimated, used, window }: ContextUse): string =>
  `${isEstimated ? "~" : ""}${thousands(used)}${window === undefined ? "" : ` of ${thousands(window)}`}`

const thousands = (tokens: number): string => {
  if (tokens < 1000) return String(tokens)
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`
}
