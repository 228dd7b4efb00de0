/**
 * A run of the loop in the events that the specification gives. For each request they are `provider_request`,
 * `provider_response`, `assistant_node`, then a `tool_result_node` for each call; at the end comes exactly one of
 * `done` and `error`. `final` of `done` has the ends of the paths. They are replies, or the last result of a round in
 * which all results end the run (`ToolResult.endsRun`), so that no reply follows.
 */
import type { Node } from "../forest/Node.ts"
import type { Reply } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { GenerateError } from "./GenerateError.ts"
import type { TurnEvent } from "./TurnEvent.ts"

export type GenerateEvent =
  | { readonly type: "provider_request"; readonly request: Request }
  | { readonly type: "provider_response"; readonly reply: Reply }
  | { readonly type: "assistant_node"; readonly node: Node }
  | { readonly type: "tool_result_node"; readonly node: Node }
  | { readonly type: "done"; readonly final: ReadonlyArray<Node> }
  | { readonly type: "error"; readonly error: GenerateError }

/** Returns the specified event for an event of the run. Undefined if the specification has none. */
export const fromTurnEvent = (event: TurnEvent): GenerateEvent | undefined => {
  switch (event._tag) {
    case "RequestSent":
      return { type: "provider_request", request: event.request }
    case "ReplyReceived":
      return { type: "provider_response", reply: event.reply }
    case "NodeStored":
      if (event.kind === "reply") return { type: "assistant_node", node: event.node }
      return event.kind === "result" ? { type: "tool_result_node", node: event.node } : undefined
    case "RunCompleted":
      return { type: "done", final: event.final }
    case "RunFailed":
      return { type: "error", error: event.error }
    default:
      return undefined
  }
}
