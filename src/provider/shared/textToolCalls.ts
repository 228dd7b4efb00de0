/**
 * Recognises tool calls that a small model writes as text instead of using the API, while the text arrives. The answer must
 * consist of, or end in, calls of offered tools (`tool/WrittenCalls` has the forms). Anything else is text, such as a call that
 * a model explains or quotes in a sentence. Pure.
 */
import * as WrittenCalls from "../../tool/WrittenCalls.ts"

export interface TextToolCall {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Where a call may begin in `text`, which is received and not yet emitted; everything before that index can be
 * emitted. `lead` is the text that was emitted before, or the end of it (`extendLead`).
 */
export const findCallStart = (text: string, lead: string): number => {
  const blank = text.length - text.trimStart().length
  if (lead.trim() === "" && text.length <= MAX_PENDING_CHARS && blank === text.length) return 0
  for (let at = blank; at < text.length; at = WrittenCalls.startIn(text, at + 1)) {
    const before = lead + text.slice(Math.max(0, at - LEAD_CHARS), at)
    const starts = WrittenCalls.startsAt(text.slice(at), before)
    if (starts === "no" || WrittenCalls.isQuotedAfter(before)) continue
    if (before.trim() !== "") return at
    // White space before a call is not text.
    if (starts === "yes" || text.length <= MAX_PENDING_CHARS) return 0
  }
  return text.length
}

/** Whether a text held back by `findCallStart` is a call is only known at the end of the answer. */
export const needsWholeText = (text: string, lead: string): boolean =>
  WrittenCalls.startsAt(text.trimStart(), lead) === "yes"

/** The text before what is received next: its end, as far as it decides whether calls may follow. */
export const extendLead = (lead: string, text: string): string =>
  text === "" ? lead : (lead + text).slice(-LEAD_CHARS)

/** In characters: more than may stand before a call in a fence. */
const LEAD_CHARS = 400

/** In characters: longer leading white space is emitted at once. */
const MAX_PENDING_CHARS = 256

/** The calls that a text consists of, if all are of tools; empty where it is plain text. `nameOf` is as of `ToolNames.makeReader`. */
export const parseCalls = (
  text: string,
  tools: ReadonlyArray<string>,
  nameOf: (name: string) => string = (name) => name,
): ReadonlyArray<TextToolCall> => {
  const calls = WrittenCalls.parse(text).map((call) => ({ ...call, name: nameOf(call.name) }))
  return calls.every(({ name }) => tools.includes(name)) ? calls : []
}
