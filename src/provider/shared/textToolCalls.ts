/**
 * Tool calls that a small model writes as words, since it does not know better (FAULTS 2.3). They are taken for calls
 * only where they can be nothing else: the answer is, or ends in, nothing but calls of tools that there are, each an
 * object of a name and arguments and of nothing besides, alone, in a ```json block or in `<tool_call>` tags. Anything
 * else is words: a model that explains a call, or shows one among other words, calls nothing. Pure.
 */
import { isObject, tryParse } from "../../message/Json.ts"

export interface WrittenCall {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Where the call may begin in `text`, which is what has come of an answer and not been said: words before that can be
 * said. `begun`: other words have been said, so that the answer can only end in calls.
 */
export const mayBegin = (text: string, begun: boolean): number => {
  if (!begun && text.length <= longestPending) {
    const start = text.trimStart()
    if (forms.some((form) => start.startsWith(form) || form.startsWith(start))) return 0
  }
  const whole = text.indexOf(tag)
  if (whole !== -1) return whole
  const last = text.lastIndexOf("<")
  return last !== -1 && tag.startsWith(text.slice(last)) ? last : text.length
}

/** Whether a text that `mayBegin` held back is a call, or words that only the whole of it can tell from one. */
export const isHeld = (text: string): boolean => {
  const start = text.trimStart()
  return forms.some((form) => start.startsWith(form))
}

/** In characters: an answer that begins with more white space than this is said as it comes. */
const longestPending = 256

const tag = "<tool_call>"

const tagEnd = "</tool_call>"

const fence = "```"

/** What an answer begins with that is nothing but calls. */
const forms = [tag, fence, "{"]

/** The calls that a text is, by tools of these names; none where it is words. */
export const read = (text: string, tools: ReadonlyArray<string>): ReadonlyArray<WrittenCall> => {
  const calls = documents(text.trim()).map((json) => callOf(json, tools))
  return calls.every((call) => call !== undefined) ? calls : []
}

/** The JSON of each call; a text that is not of these forms is one document, and no JSON. */
const documents = (text: string): ReadonlyArray<string> => {
  if (text.startsWith(tag)) return text.slice(tag.length).split(tag).map(untilTagEnds)
  if (!text.startsWith(fence) || !text.endsWith(fence)) return [text]
  return [text.slice(fence.length, -fence.length).replace(/^json\b/, "")]
}

const untilTagEnds = (text: string): string => {
  const whole = text.trimEnd()
  return whole.endsWith(tagEnd) ? whole.slice(0, -tagEnd.length) : ""
}

const callOf = (json: string, tools: ReadonlyArray<string>): WrittenCall | undefined => {
  const call = tryParse(json)
  if (!isObject(call) || Object.keys(call).length !== 2) return undefined
  const { name, parameters = call.arguments } = call
  return typeof name === "string" && tools.includes(name) && isObject(parameters) ? { name, parameters } : undefined
}
