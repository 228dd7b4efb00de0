/**
 * Recognises tool calls that a small model writes as text instead of using the API, while the text arrives. The answer
 * must consist of calls of offered tools, or end in them (`tool/WrittenCalls` has the forms). Anything else is text,
 * such as a call that a model explains or quotes in a sentence. Pure.
 */
import * as WrittenCalls from "../../tool/WrittenCalls.ts"

interface TextToolCall {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Returns the index at which a call may begin in `text`, which is received and not yet emitted. Everything before that
 * index can be emitted. `lead` is the text that was emitted before, or the end of it (`extendLead`).
 */
export const findCallStart = (text: string, lead: string): number => {
  const blank = text.length - text.trimStart().length
  if (lead.trim() === "" && text.length <= MAX_PENDING_CHARS && blank === text.length) return 0
  // A call in the midst of an answer begins with a mark alone. The first words of one at
  // its beginning may arrive apart.
  const first = lead.trim() === "" || "{[<`".includes(text.charAt(blank)) ? blank : WrittenCalls.startIn(text, blank)
  for (let at = first; at < text.length; at = WrittenCalls.startIn(text, at + 1)) {
    const before = lead + text.slice(Math.max(0, at - LEAD_CHARS), at)
    const starts = WrittenCalls.startsAt(text.slice(at), before)
    if (starts === "no" || WrittenCalls.isQuotedAfter(before)) continue
    if (before.trim() !== "") return at
    // White space before a call is not text.
    if (starts === "yes" || text.length <= MAX_PENDING_CHARS) return 0
  }
  return text.length
}

/** Returns true if only the end of the answer shows whether a text held back by `findCallStart` is a call. */
export const needsWholeText = (text: string, lead: string): boolean =>
  WrittenCalls.startsAt(text.trimStart(), lead) === "yes"

/** Returns the text before what is received next, cut to the end that decides whether calls may follow. */
export const extendLead = (lead: string, text: string): string =>
  text === "" ? lead : (lead + text).slice(-LEAD_CHARS)

/** A limit in characters: more than may stand before a call in a fence. */
const LEAD_CHARS = 400

/** A limit in characters. Longer leading white space is emitted at once. */
const MAX_PENDING_CHARS = 256

/**
 * Returns the calls that a text consists of, if all are of tools. The list is empty if the text is plain text. `nameOf`
 * is a function that `ToolNames.makeReader` makes.
 */
export const parseCalls = (
  text: string,
  tools: ReadonlyArray<string>,
  nameOf: (name: string) => string = (name) => name,
): ReadonlyArray<TextToolCall> => {
  const calls = WrittenCalls.parse(text).map((call) => ({ ...call, name: nameOf(call.name) }))
  return calls.every(({ name }) => tools.includes(name)) ? calls : []
}
