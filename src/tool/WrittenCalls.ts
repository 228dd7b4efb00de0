/**
 * Reads calls that a model writes into its text, in the formats that local models were trained on, because its server
 * did not recognise them. Pure.
 */
import { isObject, type JsonObject, tryParse } from "../base/Json.ts"

interface WrittenCall {
  /** The name as the model has written it. */
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A text that ends in calls. */
interface Written {
  /** The text before the calls. */
  readonly lead: string
  readonly calls: ReadonlyArray<WrittenCall>
}

/** Returns the calls that a text consists of. The list is empty if the text has anything else. */
export const parse = (text: string): ReadonlyArray<WrittenCall> => {
  const calls: Array<WrittenCall> = []
  let rest = withoutEnd(text.trim())
  while (rest !== "") {
    const unit = unitAt(rest)
    if (unit === undefined || unit.calls.length === 0) return []
    calls.push(...unit.calls)
    rest = rest.slice(unit.length).replace(/^[\s;]+/, "")
  }
  return calls
}

/** Returns the calls that a text ends in. Undefined if the text has none, or only quotes them. */
export const find = (text: string): Written | undefined => {
  if (text.length > MAX_SEARCHED_CHARS) return undefined
  const start = text.length - text.trimStart().length
  for (let at = start; at < text.length; at = startIn(text, at + 1)) {
    const lead = text.slice(0, at)
    if (startsAt(text.slice(at), lead.slice(-2 * MAX_LEAD_CHARS)) === "no" || isQuotedAfter(lead)) continue
    const calls = parse(text.slice(at))
    if (calls.length > 0) return { lead, calls }
  }
  return undefined
}

/**
 * Describes the calls that `find` reads. It also returns a text for an answer that begins with a token of calls and
 * cannot be read.
 */
export const describe = (text: string): string | undefined => {
  const written = find(text)
  if (written !== undefined) return `a call of ${written.calls.map(({ name }) => name).join(", ")}`
  return /^\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>|<tool_calls?>|<function=)/.test(text) ? "a tool call" : undefined
}

/**
 * Returns whether a call starts at the beginning of `text`, after `lead`; "maybe" if more text has to arrive. JSON
 * without any mark is a call only if there is no text before it.
 */
export const startsAt = (text: string, lead: string): "no" | "maybe" | "yes" => {
  if (lead.trim() === "" && /^[{[]/.test(text)) {
    const asJson = jsonStart(text)
    if (asJson !== "no") return asJson
  }
  if (openers.some((opener) => text.startsWith(opener))) return "yes"
  if (openers.some((opener) => opener.startsWith(text))) return "maybe"
  const fenced = lead.length <= MAX_LEAD_CHARS ? fenceStart.exec(text) : null
  if (fenced === null) return lead.length <= MAX_LEAD_CHARS && FENCE.startsWith(text) ? "maybe" : "no"
  const [whole, language = ""] = fenced
  if (!languages.has(language.toLowerCase())) {
    return whole === text && [...languages].some((one) => one.startsWith(language.toLowerCase())) ? "maybe" : "no"
  }
  const inner = text.slice(whole.length)
  return inner === "" ? "maybe" : /^[{[]/.test(inner) ? jsonStart(inner) : startsAt(inner, lead)
}

/** Returns the next index at which a call may start, or the length of the text if there is none. */
export const startIn = (text: string, from: number): number => {
  const at = text.slice(from).search(/[<[`]/)
  return at === -1 ? text.length : from + at
}

/** Returns true if the words before a call say that it is an example. */
export const isQuotedAfter = (lead: string): boolean => {
  const sentence = lead.trimEnd().slice(-MAX_LEAD_CHARS).split("\n").at(-1) ?? ""
  return quoting.test(sentence) || /[`"'(]$/.test(lead)
}

/** The most characters of a text that is searched, since every start in it is tried. */
const MAX_SEARCHED_CHARS = 50_000

/** The most characters of the text before a call: one or two sentences. */
const MAX_LEAD_CHARS = 300

const quoting =
  /\b(?:examples?|e\.g|such as|like (?:this|so)|looks? like|syntax|format|written as|called as|sample|placeholder|documentation|(?:you|one|models?) (?:can|could|would|should|may|might|writes?)|I would (?:call|use|write|say|do))\b/i

const FENCE = "```"

const fenceStart = /^```([\w-]*)[^\S\n]*\n?\s*/

/** The languages of fences with calls. */
const languages: ReadonlySet<string> = new Set([
  "",
  "json",
  "tool_call",
  "tool_calls",
  "tool_code",
  "tool",
  "tools",
  "function_call",
  "function",
  "xml",
])

const wrappers = ["tool_calls", "tool_call", "tools", "function_calls", "function_call", "minimax:tool_call"]

const openers: ReadonlyArray<string> = [
  ...wrappers.map((name) => `<${name}>`),
  ...["<|tool_call|>", "<|tool_calls|>", "<|python_tag|>", "[TOOL_CALLS]"],
  ...["<function=", "<function name=", "<invoke name="],
]

/** Keys that the JSON of a call may begin with. */
const firstKeys = [
  "name",
  "type",
  "function",
  "tool",
  "tool_name",
  "tool_calls",
  "id",
  "arguments",
  "parameters",
  "args",
  "input",
]

const jsonStart = (text: string): "no" | "maybe" | "yes" => {
  const begun = /^(?:\[\s*)?(?:\{\s*(?:"(?<key>\w*)(?<end>")?)?)?/.exec(text)
  const { end, key } = begun?.groups ?? {}
  if (end !== undefined) return firstKeys.includes(key ?? "") ? "yes" : "no"
  const isWhole = begun?.[0].trimEnd() === text.trimEnd()
  return isWhole && (key === undefined || firstKeys.some((one) => one.startsWith(key))) ? "maybe" : "no"
}

interface Unit {
  readonly calls: ReadonlyArray<WrittenCall>
  /** The number of characters. */
  readonly length: number
}

/** Returns the calls of the form that a text begins with. Undefined if it begins with none. */
const unitAt = (text: string): Unit | undefined => {
  for (const name of wrappers) {
    if (text.startsWith(`<${name}>`)) return readEnclosed(text, `<${name}>`, `</${name}>`)
  }
  const fence = fenceStart.exec(text)
  if (fence !== null && languages.has((fence[1] ?? "").toLowerCase())) return readEnclosed(text, fence[0], FENCE)
  const mark = /^(?:<\|tool_calls?\|>|<\|python_tag\|>|\[TOOL_CALLS\])\s*/.exec(text)
  if (mark !== null) return after(mark[0], markedUnit(text.slice(mark[0].length)))
  return elementAt(text) ?? jsonUnit(text)
}

const readEnclosed = (text: string, open: string, close: string): Unit | undefined => {
  const end = text.indexOf(close, open.length)
  if (end === -1) return undefined
  return { calls: parse(text.slice(open.length, end)), length: end + close.length }
}

const after = (before: string, unit: Unit | undefined): Unit | undefined =>
  unit === undefined ? undefined : { ...unit, length: before.length + unit.length }

/** Reads JSON, or the form of newer models of Mistral: `name[ARGS]{…}`. */
const markedUnit = (text: string): Unit | undefined => {
  const named = /^([\w.:/-]+)(?:\[CALL_ID\][\w-]+)?(?:\[ARGS\])?\s*(?=\{)/.exec(text)
  if (named === null) return jsonUnit(text)
  const [before, name = ""] = named
  const json = jsonAt(text.slice(before.length))
  if (json === undefined || !isObject(json.value)) return undefined
  return { calls: [{ name, parameters: json.value }], length: before.length + json.length }
}

/** Reads `<function=read><parameter=path>a.ts</parameter></function>`, or the same with the arguments as JSON in it. */
const elementAt = (text: string): Unit | undefined => {
  const open = /^<(function|invoke)(?:=|\s+name=)["']?([^"'<>\s]+)["']?\s*>/.exec(text)
  if (open === null) return undefined
  const [start, tag = "", name = ""] = open
  const close = `</${tag}>`
  const end = text.indexOf(close, start.length)
  if (end === -1) return undefined
  const parameters = elementParameters(text.slice(start.length, end))
  if (parameters === undefined) return undefined
  // Models that leave out the tag around it still write its end.
  const stray = /^\s*<\/(?:tool_call|function_calls?)>/.exec(text.slice(end + close.length))?.[0] ?? ""
  return { calls: [{ name, parameters }], length: end + close.length + stray.length }
}

const elementParameters = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (text.trim() === "") return {}
  if (text.trimStart().startsWith("{")) return toParameters(text)
  const parameters = [...text.matchAll(parameter)].map(([, name = "", value = ""]) => [name, innerText(value)] as const)
  return text.replaceAll(parameter, "").trim() === "" ? Object.fromEntries(parameters) : undefined
}

/** A parameter of a call. The end tag of the last one may be missing. */
const parameter = /<parameter(?:=|\s+name=)["']?([^"'<>\s]+)["']?\s*>([\s\S]*?)(?:<\/parameter>|(?=<parameter[=\s])|$)/g

/** Removes the line breaks that belong to the tags. The schema of the tool decides the type of the value. */
const innerText = (text: string): string => text.replace(/^\r?\n/, "").replace(/\r?\n$/, "")

const jsonUnit = (text: string): Unit | undefined => {
  const json = jsonAt(text)
  if (json === undefined) return undefined
  const list = Array.isArray(json.value) ? json.value : callsIn(json.value)
  const calls = list.map(callOf)
  return calls.every((call) => call !== undefined) ? { calls, length: json.length } : undefined
}

const callsIn = (value: unknown): ReadonlyArray<unknown> =>
  isObject(value) && Array.isArray(value.tool_calls) && Object.keys(value).length === 1 ? value.tool_calls : [value]

/** The keys that a call may have beside its name and its arguments. */
const asides = new Set(["type", "id", "index"])

const types: ReadonlySet<unknown> = new Set(["function", "function_call", "tool_call", "tool_use", undefined])

const callOf = (value: unknown): WrittenCall | undefined => {
  if (!isObject(value) || !types.has(value.type)) return undefined
  const keys = Object.keys(value).filter((key) => !asides.has(key))
  const [only = ""] = keys
  // The form of OpenAI has both in an object of their own.
  const inner = value[only]
  if (keys.length === 1 && only === "function" && isObject(inner)) return callOf(inner)
  const name = keys.find((key) => nameKeys.has(key))
  const args = keys.find((key) => argumentKeys.has(key))
  if (keys.length !== 2 || name === undefined || args === undefined) return undefined
  const parameters = toParameters(value[args])
  const named = value[name]
  return typeof named === "string" && named !== "" && parameters !== undefined ? { name: named, parameters } : undefined
}

const nameKeys = new Set(["name", "function", "tool", "tool_name"])

const argumentKeys = new Set(["arguments", "parameters", "args", "input"])

/** Reads an object, or its JSON as a text. */
const toParameters = (value: unknown): JsonObject | undefined => {
  if (value === null) return {}
  const read = typeof value === "string" ? tryParse(value) : value
  return isObject(read) ? read : undefined
}

/** Returns the next index at which an object or a list may begin, or the length of the text if there is none. */
export const startOfJson = (text: string, from: number): number => {
  const at = text.slice(from).search(/[{[]/)
  return at === -1 ? text.length : from + at
}

/** Reads the object or list that a text begins with. */
export const jsonAt = (text: string): { readonly value: unknown; readonly length: number } | undefined => {
  const length = jsonLength(text)
  const value = length === undefined ? undefined : tryParse(text.slice(0, length))
  return length === undefined || value === undefined ? undefined : { value, length }
}

/** Returns the length in characters of the object or list that a text begins with. */
const jsonLength = (text: string): number | undefined => {
  let depth = 0
  let isInText = false
  if (!/^[{[]/.test(text)) return undefined
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInText) {
      if (character === "\\") at++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** Removes the tokens with which a model ends its turn. */
const withoutEnd = (text: string): string => {
  const end = endTokens.find((token) => text.endsWith(token))
  return end === undefined ? text : withoutEnd(text.slice(0, -end.length).trimEnd())
}

const endTokens = ["<|eom_id|>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<|call|>", "</s>"]
