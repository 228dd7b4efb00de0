/** How much of the context window of a model a conversation takes. Pure. */
import type { Node } from "../forest/Node.ts"
import type { Message } from "../message/Message.ts"
import * as Tokens from "../message/Tokens.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Limits } from "../model/Limits.ts"
import type { Reply } from "../model/Reply.ts"
import { declarations, type Request } from "../model/Request.ts"
import * as Summary from "./Summary.ts"
import type { TurnEvent } from "./TurnEvent.ts"

/** In tokens. */
export interface ContextUse {
  /** What the next request repeats. */
  readonly used: number
  /** None where it is not known. */
  readonly window: number | undefined
  /** `used` is an estimate: no provider has counted it. */
  readonly isEstimated: boolean
}

/** Of the visible nodes of a path: the provider's count of the last request and its reply, and an estimate of what came after. */
export const of = (nodes: ReadonlyArray<Node>, { limits }: Pick<LanguageModel.Service, "limits">): ContextUse => {
  const window = windowOf(limits)
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

/** The last request of an answer, and its reply once that is complete. */
export interface Exchange {
  readonly request: Request
  readonly reply: Reply | undefined
}

/** A fold of the events of an answer. */
export const step = (exchange: Exchange | undefined, event: TurnEvent): Exchange | undefined => {
  if (event._tag === "RequestSent") return { request: event.request, reply: undefined }
  return event._tag === "ReplyReceived" && exchange !== undefined ? { ...exchange, reply: event.reply } : exchange
}

/** After an answer: as its provider has counted, else by an estimate. Reads nothing of the path. */
export const after = ({ reply, request }: Exchange, { limits }: Pick<LanguageModel.Service, "limits">): ContextUse => {
  const window = windowOf(limits)
  if (reply !== undefined && reply.usage.inputTokens > 0) {
    return { used: reply.usage.inputTokens + reply.usage.outputTokens, window, isEstimated: false }
  }
  const messages: ReadonlyArray<Message> =
    reply === undefined ? request.messages : [...request.messages, { role: "assistant", content: reply.blocks }]
  return { used: Tokens.estimate(request.system + declarations(request.tools), messages), window, isEstimated: true }
}

const windowOf = (limits: Limits | undefined): number | undefined =>
  limits === undefined || limits.isAssumed === true ? undefined : limits.context

/** Whether a reply is older than the summary that it is sent after: its request also had what the summary stands for. */
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
