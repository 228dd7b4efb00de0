/**
 * Recognises tool calls that a small model writes as text instead of using the API. The answer must consist of, or end
 * in, calls of offered tools. Each call is an object with a name, arguments and no other key: bare, in a ```json block,
 * or in `<tool_call>` tags. Anything else is text, such as a call that a model explains or quotes in a sentence. Pure.
 */
import { isObject, tryParse } from "../../message/Json.ts"

export interface TextToolCall {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Where a call may begin in `text`, which is received and not yet emitted; everything before that index can be
 * emitted. `hasText`: other text was emitted before, so only the end of the answer can be a call.
 */
export const findCallStart = (text: string, hasText: boolean): number => {
  if (!hasText && text.length <= MAX_PENDING_CHARS) {
    const start = text.trimStart()
    if (forms.some((form) => start.startsWith(form) || form.startsWith(start))) return 0
  }
  const whole = text.indexOf(tag)
  if (whole !== -1) return whole
  const last = text.lastIndexOf("<")
  return last !== -1 && tag.startsWith(text.slice(last)) ? last : text.length
}

/** Whether a text held back by `findCallStart` is a call is only known at the end of the answer. */
export const needsWholeText = (text: string): boolean => {
  const start = text.trimStart()
  return forms.some((form) => start.startsWith(form))
}

/** In characters: longer leading white space is emitted at once. */
const MAX_PENDING_CHARS = 256

const tag = "<tool_call>"

const tagEnd = "</tool_call>"

const fence = "```"

/** How an answer begins that consists of calls alone. */
const forms = [tag, fence, "{"]

/** The calls that a text consists of, of tools with these names; empty where it is plain text. */
export const parseCalls = (text: string, tools: ReadonlyArray<string>): ReadonlyArray<TextToolCall> => {
  const calls = documents(text.trim()).map((json) => callOf(json, tools))
  return calls.every((call) => call !== undefined) ? calls : []
}

/** The JSON of each call. Text in no known form is returned whole and will not parse. */
const documents = (text: string): ReadonlyArray<string> => {
  if (text.startsWith(tag)) return text.slice(tag.length).split(tag).map(untilTagEnds)
  if (!text.startsWith(fence) || !text.endsWith(fence)) return [text]
  return [text.slice(fence.length, -fence.length).replace(/^json\b/, "")]
}

const untilTagEnds = (text: string): string => {
  const whole = text.trimEnd()
  return whole.endsWith(tagEnd) ? whole.slice(0, -tagEnd.length) : ""
}

const callOf = (json: string, tools: ReadonlyArray<string>): TextToolCall | undefined => {
  const call = tryParse(json)
  if (!isObject(call) || Object.keys(call).length !== 2) return undefined
  const { name, parameters = call.arguments } = call
  return typeof name === "string" && tools.includes(name) && isObject(parameters) ? { name, parameters } : undefined
}
