/** What OpenAI's Responses refuse of a request. */
import type { Received } from "./FakeServer.ts"
import * as OpenAiTools from "./OpenAiTools.ts"

export interface Item {
  readonly type?: string
  readonly role?: string
  readonly content?: ReadonlyArray<{ readonly type: string; readonly text?: string; readonly image_url?: string }>
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly output?: string
  readonly encrypted_content?: string
}

export interface Body {
  readonly model: string
  readonly stream: boolean
  readonly store: boolean
  readonly include?: ReadonlyArray<string>
  readonly instructions?: string
  readonly input: ReadonlyArray<Item>
  readonly tools?: ReadonlyArray<OpenAiTools.Declared & { readonly type: string }>
  readonly temperature?: number
  readonly text?: { readonly format: OpenAiTools.Format & { readonly type: string } }
}

// What the adapter has just sent, in the shape of this wire.
export const bodyOf = ({ body }: Received): Body => body as Body

/** The rule that a request breaks, if it does. */
export const broken = ({
  include = [],
  input,
  model,
  store,
  stream,
  temperature,
  text,
  tools = [],
}: Body): string | undefined => {
  if (!stream || store) return "it is to be streamed, and not to be kept"
  const reasons = /^(o\d|gpt-5)/.test(model)
  if (reasons && temperature !== undefined) return "Unsupported parameter: 'temperature'"
  if (!reasons && include.length > 0) return "Encrypted content is not supported with this model."
  return (
    OpenAiTools.broken(tools) ??
    OpenAiTools.brokenFormat(text?.format) ??
    wrongCalls(input) ??
    wrongOrder(reasons, input)
  )
}

const wrongCalls = (input: ReadonlyArray<Item>): string | undefined => {
  const calls = input.flatMap(({ call_id = "", type }) => (type === "function_call" ? [call_id] : []))
  const answers = input.flatMap(({ call_id = "", type }) => (type === "function_call_output" ? [call_id] : []))
  if (new Set(calls).size < calls.length) return "Duplicate item found"
  if (calls.some((id) => !/^[\w-]{1,64}$/.test(id))) return "string too long"
  if (calls.some((id) => !answers.includes(id))) return "No tool output found for function call"
  return answers.join() === calls.join() ? undefined : "No tool call found for function call output"
}

const wrongOrder = (reasons: boolean, input: ReadonlyArray<Item>): string | undefined => {
  if (input[0]?.role !== "user") return "the first word is the user's"
  const last = input.at(-1)
  if (last?.role !== "user" && last?.type !== "function_call_output") return "the last word is not the model's"
  for (const [at, { content = [], role, type }] of input.entries()) {
    const next = input[at + 1]
    if (type === "reasoning" && !reasons) return "this model does not reason"
    if (
      type === "reasoning" &&
      next?.role !== "assistant" &&
      !["function_call", "reasoning"].includes(next?.type ?? "")
    ) {
      return "Item of type 'reasoning' was provided without its required following item."
    }
    const kinds = content.map(({ type }) => type)
    if (role === "assistant" && kinds.some((kind) => kind !== "output_text")) return "Invalid value: 'input_text'"
    if (role === "user" && kinds.some((kind) => !kind.startsWith("input_"))) return "Invalid value: 'output_text'"
    if (role !== undefined && content.length === 0) return "an empty message"
    if (content.some(({ text }) => text?.trim() === "" && role === "user")) return "an empty text"
  }
  return undefined
}
