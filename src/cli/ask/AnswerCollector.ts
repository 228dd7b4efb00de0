/** Collects the events of one model's run into its answer. Pure. */
import * as Either from "effect/Either"
import type { GenerateError, ToolIterationLimitExceededError } from "../../agent/GenerateError.ts"
import type { GenerateEvent } from "../../agent/GenerateEvent.ts"
import { plural } from "../../base/Prose.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import * as Block from "../../message/Block.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Usage from "../../message/Usage.ts"
import type { Reply } from "../../model/Reply.ts"

export interface Collected {
  /** Oldest first; all but the last one call tools. */
  readonly replies: ReadonlyArray<Reply>
  /** The node of the last reply that was stored. */
  readonly node: NodeId | undefined
  readonly error: GenerateError | undefined
}

export const empty: Collected = { replies: [], node: undefined, error: undefined }

export const add = (collected: Collected, event: GenerateEvent): Collected => {
  switch (event.type) {
    case "provider_response":
      return { ...collected, replies: [...collected.replies, event.reply], node: undefined }
    case "assistant_node":
      return { ...collected, node: event.node.id }
    case "error":
      return { ...collected, error: event.error }
    default:
      return collected
  }
}

/** The answer of a model, stored or not. */
export interface Answer {
  readonly text: string
  /** The calls of all replies. */
  readonly toolCalls: ReadonlyArray<Block.ToolUse>
  /** Oldest first; the answer is the last. */
  readonly replies: ReadonlyArray<Reply>
  readonly final: Reply
  /** The node that stores the answer; undefined if it is not stored, with `storageError` if that failed. */
  readonly node: NodeId | undefined
  readonly storageError: ForestError | undefined
  /** Set if the model had to answer before it could make all the calls it wanted. */
  readonly limit?: ToolIterationLimitExceededError | undefined
}

/**
 * Returns the answer, even if it could not be stored. If no tools are offered, tool calls are part of the answer and
 * are not run.
 */
export const toAnswer = (
  { error, node, replies }: Collected,
  isOffered: boolean,
): Either.Either<Answer, GenerateError> => {
  const final = replies.at(-1)
  if (final === undefined) {
    if (error === undefined) throw new Error("a run ended well without a reply")
    return Either.left(error)
  }
  const isOnTheWay = isOffered && final.blocks.some(Block.isToolUse)
  const storageError = error?._tag === "ForestError" && node === undefined ? error : undefined
  const isReported = error?._tag === "ToolIterationLimitExceededError" || storageError !== undefined
  if (error !== undefined && (isOnTheWay || !isReported)) return Either.left(error)
  return Either.right({
    text: final.blocks.flatMap((block) => (Block.isText(block) ? [block.text] : [])).join(""),
    toolCalls: replies.flatMap(({ blocks }) => blocks.filter(Block.isToolUse)),
    replies,
    final,
    node,
    storageError,
  })
}

/** The second answer to the same question, with the calls and replies of the first before its own. */
export const combine = (first: Answer, second: Answer): Answer => ({
  ...second,
  toolCalls: [...first.toolCalls, ...second.toolCalls],
  replies: [...first.replies, ...second.replies],
})

/** The object that `--json` prints; `cost` is in US dollars. */
export const object = ({ final, node, replies, text, toolCalls }: Answer, cost: number | undefined): object => {
  const { cachedTokens, inputTokens, outputTokens, thinkingTokens } = replies.reduce(
    (sum, { usage }) => Usage.add(sum, usage),
    Usage.none,
  )
  return {
    text,
    toolCalls: toolCalls.map(({ name, parameters }) => ({ name, arguments: parameters })),
    finishReason: final.finish,
    usage: { inputTokens, outputTokens, cachedInputTokens: cachedTokens, reasoningTokens: thinkingTokens },
    cost: cost ?? null,
    model: String(final.model),
    node: node ?? null,
  }
}

/** Remarks on an answer, a line each. */
export const notes = ({ final, node, text, toolCalls }: Answer, isOffered: boolean): ReadonlyArray<string> => [
  ...imageNotes(final.blocks.filter(({ type }) => type === "image").length, node),
  ...(isOffered
    ? []
    : toolCalls.map(({ name, parameters }) => `calls ${name} ${JSON.stringify(parameters)}, which is not run`)),
  ...(final.finish === "length" ? ["the answer is cut off: the output limit was reached"] : []),
  ...(final.finish === "error" && text !== ""
    ? ["the answer ended for a reason that its provider does not explain"]
    : []),
]

const imageNotes = (pictures: number, node: NodeId | undefined): ReadonlyArray<string> => {
  if (pictures === 0) return []
  const where = node === undefined ? ", nor kept" : `: see 'vibe loom export ${node} --format html'`
  return [`${plural(pictures, "picture")} not shown${where}`]
}
