/** The options of a run of the loop. */
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../base/Json.ts"
import { flawOfCount, flawOfMeasure } from "../base/UsageError.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ToolChoice } from "../model/Request.ts"
import type { Thinking } from "../model/Thinking.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Sink } from "./TurnEvent.ts"

/**
 * The options of a run. A count that is out of range, such as `n` of 0, makes the run fail with an
 * `InvalidOptionError`.
 */
export interface GenerateOptions {
  /**
   * The user's next message. Without it the path is answered as it stands, and no user node is made. It is stored
   * together with the first reply, or with the part of it that `keepUnfinished` keeps: if the request fails or is
   * interrupted before, nothing is stored. `generateSeveral` stores it first, as the engines of `chat` do.
   */
  readonly text?: string | undefined
  /**
   * The tools that are offered to the model; by default those of the `ToolRegistry` that the loop was built with, if
   * any.
   */
  readonly tools?: ToolRegistry.Service | undefined
  /**
   * The tools that the model may call; `auto` by default. A named tool is required of the first reply only; after it
   * the model chooses.
   */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * The JSON Schema of the answer, for providers that can enforce one. The engine itself does not validate the answer.
   */
  readonly answerSchema?: JsonObject | undefined
  /** The model that is used in place of the `LanguageModel` of the context. */
  readonly model?: LanguageModel.Service | undefined
  /** The most requests that are answered with tool calls; 5 by default. */
  readonly maxToolIterations?: number | undefined
  /**
   * Sends the last of those requests with a notice that no more calls can be made, so that the model answers with what
   * it has. By default the run fails after the results of the last calls.
   */
  readonly concludes?: boolean | undefined
  /**
   * Ends the run of a model that repeats itself with a `RepeatedCallsError`. By default the model only gets a notice.
   */
  readonly stopsRepeats?: boolean | undefined
  /**
   * The number of replies, each a branch of its own, requested one after the other; 1 by default. More than 1 cannot be
   * combined with tools, so none are offered by default then.
   */
  readonly n?: number | undefined
  /** The most messages of users and models on the path that are sent before `text`, the last ones; all by default. */
  readonly window?: number | undefined
  /**
   * Has the model summarise the older turns of a path that fills most of its context window, or that its provider
   * refuses as too long. The summary is a node below the message to answer. Off by default. Summaries on the path
   * always replace the nodes that they stand for.
   */
  readonly summarizes?: boolean | undefined
  /**
   * Returns the message that is sent for a node of the path; by default its own message. It may be shorter if a later
   * message makes the node superfluous.
   */
  readonly messageOf?: ((node: Node) => Message) | undefined
  /** The limit of output tokens for a reply. The limit of the model, or a long conversation, may lower it. */
  readonly maxOutputTokens?: number | undefined
  /** The fewest output tokens with which a reply is of use: a budget that leaves fewer refuses the request. */
  readonly minOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  /** The thinking of the model. If omitted, the provider's default holds. */
  readonly thinking?: Thinking | undefined
  /** A signal that ends the run with a `GenerationAbortedError` when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /**
   * Receives every event of the run, one at a time, before the consumer of the stream receives the specified ones. The
   * run waits for it. It is a function and not the stream, because a run that is interrupted still stores nodes, and an
   * interrupted stream has no consumer left to receive them. It cannot fail; a defect in it ends the run.
   */
  readonly onEvent?: Sink | undefined
  /**
   * Stores the text of an unfinished reply when the run is interrupted or aborted, as a reply with the finish
   * `interrupted`. Its calls are not stored. Off by default: then nothing of the reply is stored.
   */
  readonly keepUnfinished?: boolean | undefined
  /** Called before each request; returns messages to add to it. The next message goes below the node `cursor`. */
  readonly meanwhile?: ((cursor: NodeId) => Effect.Effect<Additions, ForestError>) | undefined
}

/** Messages for a request besides those of the run itself. */
export interface Additions {
  /** Nodes below the cursor that the callback has stored: the run continues from the last one, and reports them. */
  readonly nodes: ReadonlyArray<Node>
  /** Messages that are sent last, with this request only, and not stored. */
  readonly trailing: ReadonlyArray<Message>
}

/** Returns undefined if all options are in range. */
export const flawOf = (options: GenerateOptions): string | undefined => {
  const { maxOutputTokens, maxToolIterations, n, temperature, window } = options
  return (
    (n === Number.POSITIVE_INFINITY ? "n must be a whole number from 1, and is Infinity" : flawOfCount("n", n, 1)) ??
    flawOfCount("maxToolIterations", maxToolIterations, 1) ??
    flawOfCount("window", window, 0) ??
    flawOfCount("maxOutputTokens", maxOutputTokens, 1) ??
    flawOfMeasure("temperature", temperature)
  )
}
