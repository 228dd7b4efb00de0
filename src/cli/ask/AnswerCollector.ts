/** What was heard of one model that was asked: its replies, where they are kept, and how it ended. Pure. */
import * as Either from "effect/Either"
import type { ForestError } from "../../forest/ForestError.ts"
import type { GenerateError, ToolIterationLimitExceededError } from "../../loom/GenerateError.ts"
import type { GenerateEvent } from "../../loom/GenerateEvent.ts"
import * as Block from "../../message/Block.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { plural } from "../../message/Plural.ts"
import * as Usage from "../../message/Usage.ts"
import type { Reply } from "../../model/Reply.ts"

export interface Heard {
  /** Oldest first: all but the last called tools. */
  readonly replies: ReadonlyArray<Reply>
  /** Of the last one that was kept. */
  readonly node: NodeId | undefined
  readonly error: GenerateError | undefined
}

export const nothing: Heard = { replies: [], node: undefined, error: undefined }

export const step = (heard: Heard, event: GenerateEvent): Heard => {
  switch (event.type) {
    case "provider_response":
      return { ...heard, replies: [...heard.replies, event.reply], node: undefined }
    case "assistant_node":
      return { ...heard, node: event.node.id }
    case "error":
      return { ...heard, error: event.error }
    default:
      return heard
  }
}

/** What a model has said, kept or not. */
export interface Answer {
  readonly text: string
  /** All of them, those on the way to the answer too. */
  readonly toolCalls: ReadonlyArray<Block.ToolUse>
  /** What it took, oldest first, the answer among it. */
  readonly replies: ReadonlyArray<Reply>
  readonly final: Reply
  /** None where it is not kept; where it could not be, `unkept` says why. */
  readonly node: NodeId | undefined
  readonly unkept: ForestError | undefined
  /** Where the model had to answer before it had seen all that it wanted to. */
  readonly limit?: ToolIterationLimitExceededError | undefined
}

/**
 * Where no tools are offered, the calls of a model are its answer: nobody runs them. An answer that could not be kept
 * is one all the same.
 */
export const answer = ({ error, node, replies }: Heard, isOffered: boolean): Either.Either<Answer, GenerateError> => {
  const final = replies.at(-1)
  if (final === undefined) {
    if (error === undefined) throw new Error("a run ended well without a reply")
    return Either.left(error)
  }
  const isOnTheWay = isOffered && final.blocks.some(Block.isToolUse)
  const unkept = error?._tag === "ForestError" && node === undefined ? error : undefined
  const isReported = error?._tag === "ToolIterationLimitExceededError" || unkept !== undefined
  if (error !== undefined && (isOnTheWay || !isReported)) return Either.left(error)
  return Either.right({
    text: final.blocks.flatMap((block) => (Block.isText(block) ? [block.text] : [])).join(""),
    toolCalls: replies.flatMap(({ blocks }) => blocks.filter(Block.isToolUse)),
    replies,
    final,
    node,
    unkept,
  })
}

/** The second answer to the same question: what was done for the first one was done for it. */
export const after = (first: Answer, second: Answer): Answer => ({
  ...second,
  toolCalls: [...first.toolCalls, ...second.toolCalls],
  replies: [...first.replies, ...second.replies],
})

/** As `--json` prints it; `cost` in US dollars. */
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

/** What is to be known of an answer besides its words, a line each. */
export const notes = ({ final, node, text, toolCalls }: Answer, isOffered: boolean): ReadonlyArray<string> => [
  ...unshown(final.blocks.filter(({ type }) => type === "image").length, node),
  ...(isOffered
    ? []
    : toolCalls.map(({ name, parameters }) => `calls ${name} ${JSON.stringify(parameters)}, which is not run`)),
  ...(final.finish === "length" ? ["the answer is cut off: the output limit was reached"] : []),
  ...(final.finish === "error" && text !== ""
    ? ["the answer ended for a reason that its provider does not explain"]
    : []),
]

const unshown = (pictures: number, node: NodeId | undefined): ReadonlyArray<string> => {
  if (pictures === 0) return []
  const where = node === undefined ? ", nor kept" : `: see 'vibe loom export ${node} --format html'`
  return [`${plural(pictures, "picture")} not shown${where}`]
}
