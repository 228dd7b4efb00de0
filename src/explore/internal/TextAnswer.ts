/**
 * Finds the entries in an answer that a model wrote as text, although it was asked to call `create_index_entry`. Pure.
 */
import { isObject, type JsonObject, tryParse } from "../../base/Json.ts"

/**
 * Returns the argument `entries` of the call that the text stands for. The text may be JSON in the form of the call's
 * arguments, bare, in a fenced block or after other words; or lines such as `12: what it is for`. Undefined for other
 * texts. `isWhole` is true if the text was not cut off.
 */
export const read = (text: string, isWhole = true): unknown => {
  for (const json of documents(text)) {
    const entries = entriesOf(tryParse(json))
    if (entries !== undefined) return entries
  }
  return linesOf(text, isWhole)
}

/** Lists texts that may be JSON: blocks, and the text between the first and the last bracket. */
const documents = (text: string): ReadonlyArray<string> => {
  const blocks = Array.from(text.matchAll(/```\w*\n([\s\S]*?)```/g), ([, block = ""]) => block)
  const bare = [/\{[\s\S]*\}/, /\[[\s\S]*\]/].flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
  return [...blocks, text, ...bare]
}

const entriesOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.some(isEntry) ? value.map(toEntry) : undefined
  if (!isObject(value)) return undefined
  if (value.entries !== undefined) return value.entries
  if (isEntry(value)) return [toEntry(value)]
  // The value may be the whole call, as protocols write it.
  const inner = [value.arguments, value.parameters, value.args, value.input].find(isObject)
  return inner === undefined ? undefined : inner.entries
}

const isEntry = (value: unknown): boolean =>
  typeof value === "string" ? numbered.test(value) : isObject(value) && (hasPurpose(value) || isByNumber(value))

const hasPurpose = ({ purpose, purposes }: JsonObject): boolean => purpose !== undefined || purposes !== undefined

const toEntry = (value: unknown): unknown => (isObject(value) && isByNumber(value) ? { purposes: value } : value)

/** Returns whether an object is of the form `{"12": "what it is for"}`. */
const isByNumber = (value: JsonObject): boolean => {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^§?\s*\d+$/.test(key))
}

/** Returns the lines with numbers if they are most of the text: a list in prose is no answer. */
const linesOf = (text: string, isWhole: boolean): unknown => {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("```"))
  const found = lines.filter((line) => numbered.test(line))
  const whole = isWhole || found.at(-1) !== lines.at(-1) ? found : found.slice(0, -1)
  return 2 * found.length > lines.length && whole.length > 0 ? [{ purposes: whole }] : undefined
}

const numbered = /^[\s*"-]*§?\s*\d+\s*[:.)–—-]\s*\S/
