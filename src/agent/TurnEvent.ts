/**
 * Everything that happens in a run of the loop, as one union. All other reports of a run are derived from these events:
 * the specified `GenerateEvent`s, the events of chats and of indexing, tokens and cost, and the display of views.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Node } from "../forest/Node.ts"
import type * as Block from "../message/Block.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { Usage } from "../message/Usage.ts"
import type * as AgentProgram from "../model/AgentProgram.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { Part, Reply } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { ToolResult } from "../tool/ToolResult.ts"
import type { GenerateError } from "./GenerateError.ts"

export type TurnEvent = Data.TaggedEnum<{
  RequestSent: { readonly request: Request }
  /** The next part of the reply: some words of it, a tool call, or its end. */
  PartReceived: { readonly part: Part }
  /** The request is sent again after a delay. */
  RetryScheduled: LanguageModel.Retrying
  /** Another model answers instead of the requested one. */
  ModelReplaced: { readonly by: ModelId; readonly error: ModelError }
  /**
   * The path is too long for the model, by an estimate before the request or because the provider refused it. It is
   * sent with so many tool results left out.
   */
  HistoryCompacted: { readonly leftOut: number; readonly error: ModelError }
  /** The model is asked to summarise so many older messages of users and models, which takes a while. */
  SummaryRequested: { readonly messages: number }
  /**
   * The older messages of the path are no longer sent: `node`, a summary at its end, stands for so many `messages` of
   * users and models. If there is a `problem`, they could not be summarised, and are left out. `usage` and `cost` are
   * those of the requests for the summary, and `tokens` is an estimate of its length.
   */
  HistorySummarized: {
    readonly node: Node
    readonly messages: number
    readonly tokens: number
    readonly usage: Usage
    readonly cost: number | undefined
    readonly problem: string | undefined
  }
  /** The reply is complete, and not stored yet. `cost` is in US dollars; undefined if a price is unknown. */
  ReplyReceived: { readonly reply: Reply; readonly cost: number | undefined }
  /** The run has added a node to its path. */
  NodeStored: { readonly node: Node; readonly kind: NodeKind }
  ToolStarted: { readonly call: Block.ToolUse }
  ToolFinished: { readonly call: Block.ToolUse; readonly result: ToolResult }
  /** An agent program says what it does, or has printed a diagnostic. */
  AgentReported: LanguageModel.Report
  /** A text agent has printed something, on either channel. Only chats with an agent have this event (`ChatEngine`). */
  AgentOutput: { readonly output: AgentProgram.Output }
  /**
   * The run has ended with its replies: one, unless several were requested. A run that tools have ended
   * (`ToolResult.endsRun`) has no last reply: `final` is the node of the last result.
   */
  RunCompleted: { readonly final: ReadonlyArray<Node> }
  /** The run has ended without a reply, such as at its limit of tool iterations. */
  RunFailed: { readonly error: GenerateError }
}>
export const TurnEvent = Data.taggedEnum<TurnEvent>()

/**
 * The kinds of nodes that a run stores:
 *
 * - `input`: a message of the user, or a notice, that the model receives
 * - `reply`: a complete reply of the model
 * - `result`: the result of a tool call
 * - `repair`: the result of a call that an earlier run left open
 * - `unfinished`: the text of a reply that was interrupted
 * - `summary`: stands for older messages of the path
 */
export type NodeKind = "input" | "reply" | "result" | "repair" | "unfinished" | "summary"

/** Receives events in order, one at a time: the run waits until it has handled one. */
export type Sink = (event: TurnEvent) => Effect.Effect<void>

/** Passes each event to all of the sinks, one after the other. */
export const broadcast =
  (...sinks: ReadonlyArray<Sink | undefined>): Sink =>
  (event) =>
    Effect.forEach(sinks, (sink) => sink?.(event) ?? Effect.void, { discard: true })

/**
 * Returns the text of the reply that is in progress, without thoughts and calls. It is empty once the reply is stored.
 * A fold.
 */
export const replyText = (text: string, event: TurnEvent): string => {
  switch (event._tag) {
    case "PartReceived":
      return event.part._tag === "Text" ? text + event.part.text : text
    case "RetryScheduled":
      return event.restarted ? "" : text
    case "NodeStored":
      return event.kind === "reply" ? "" : text
    case "RequestSent":
    case "HistoryCompacted":
      return ""
    default:
      return text
  }
}
