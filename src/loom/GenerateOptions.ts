/** How a run of the loop is asked for, and what it asks meanwhile of whoever did. */
import type * as Effect from "effect/Effect"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import type { JsonObject } from "../message/Json.ts"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ToolChoice } from "../tool/ToolChoice.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { TurnObserver } from "./TurnObserver.ts"

export interface GenerateOptions {
  /** What the user says next. Without it the path is answered as it stands, and no user node is made. */
  readonly text?: string | undefined
  /** Offered to the model; none by default. */
  readonly tools?: ToolRegistry.Service | undefined
  /** `auto` by default. A tool is to be called first of all; what comes after it is up to the model. */
  readonly toolChoice?: ToolChoice | undefined
  /** JSON Schema of the answer, for providers that hold their models to one; none is checked by it here. */
  readonly answerSchema?: JsonObject | undefined
  /** Asked in place of the `LanguageModel` of the context. */
  readonly model?: LanguageModel.Service | undefined
  /** Requests whose answer called tools; 5 by default. */
  readonly maxToolIterations?: number | undefined
  /**
   * Offers no calls with the last of those requests, and asks for what is known by then; by default the results of its
   * calls are the end, and the run fails.
   */
  readonly concludes?: boolean | undefined
  /** Ends the run of a model that goes round in circles with a `RepeatedCallsError`; by default it is only told so. */
  readonly stopsRepeats?: boolean | undefined
  /** Answers, each a branch of its own, asked for one after the other; 1 by default. More than that go without tools. */
  readonly n?: number | undefined
  /** How many messages of the path the model is told before `text`, the last ones; all by default. */
  readonly window?: number | undefined
  /** At the most: less where the model writes less, or the conversation leaves less. */
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  /** Aborting it ends the run with a `GenerationAbortedError`. */
  readonly signal?: AbortSignal | undefined
  readonly observer?: TurnObserver | undefined
  /**
   * Keeps the words of a reply that is on its way when the run is let go or aborted: as an answer to what was said, with
   * the finish `interrupted`. Its calls are not kept. Off by default: then there is no trace of it.
   */
  readonly keepUnfinished?: boolean | undefined
  /** Told each node that the run adds, once it is stored: also where no event tells of it, for the run was let go. */
  readonly stored?: ((node: Node) => Effect.Effect<unknown>) | undefined
  /** Asked before each request what has come up meanwhile; `cursor` is where the next message goes. */
  readonly meanwhile?: ((cursor: NodeId) => Effect.Effect<Additions, ForestError>) | undefined
}

/** What a model is told beyond what the run itself has said. */
export interface Additions {
  /** The path below the cursor, stored by whoever was asked: the run goes on from its end. */
  readonly nodes: ReadonlyArray<Node>
  /** Said last, with this request alone, and not kept. */
  readonly trailing: ReadonlyArray<Message>
}
