/**
 * The story of one run of the loop, in whole events. For each request `provider_request`, `provider_response`,
 * `assistant_node`, then a `tool_result_node` for each call; at the end exactly one of `done` and `error`.
 */
import type { Node } from "../forest/Node.ts"
import type { Reply } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { GenerateError } from "./GenerateError.ts"

export type GenerateEvent =
  | { readonly type: "provider_request"; readonly request: Request }
  | { readonly type: "provider_response"; readonly reply: Reply }
  | { readonly type: "assistant_node"; readonly node: Node }
  | { readonly type: "tool_result_node"; readonly node: Node }
  | { readonly type: "done"; readonly final: ReadonlyArray<Node> }
  | { readonly type: "error"; readonly error: GenerateError }
