/**
 * Reads the argument `entries` of `create_index_entry`. Models send it in more shapes than the schema declares, and
 * their output is paid for, so every unambiguous shape is read. Pure.
 */
import { isObject, tryParse } from "../../base/Json.ts"

/** The purpose that a model gives to a symbol. */
export interface Claim {
  readonly path: string | undefined
  /** A name, or a number of the batch: `12`, `§12`. */
  readonly symbol: string
  /** The text as it was sent. */
  readonly purpose: string
}

interface Claims {
  readonly claims: ReadonlyArray<Claim>
  /** The reasons why parts of the argument could not be read. */
  readonly refused: ReadonlyArray<string>
}

/** Reads the claims, in their order. */
export const read = (entries: unknown): Claims => {
  const value = unquote(entries)
  return concat((Array.isArray(value) ? value : [value]).map((entry) => readEntry(unquote(entry))))
}

const readEntry = (entry: unknown): Claims => {
  if (typeof entry === "string") return readLines(undefined, entry)
  if (!isObject(entry)) return refuse("an entry is an object with path, symbol and purpose, or path and purposes")
  // Other tools call this parameter `symbolName`.
  const { path: file, purpose, purposes, symbol = entry.symbolName } = entry
  const path = typeof file === "string" && file.trim() !== "" ? file.trim() : undefined
  const alone = symbol === undefined && purpose === undefined ? [] : [readOne(path, symbol, purpose)]
  const grouped = purposes === undefined ? [] : [readPurposes(path, unquote(purposes))]
  return alone.length + grouped.length === 0
    ? refuse(`${path ?? "an entry"}: neither symbol and purpose nor purposes`)
    : concat([...alone, ...grouped])
}

const readPurposes = (path: string | undefined, purposes: unknown): Claims => {
  if (typeof purposes === "string") return readLines(path, purposes)
  if (Array.isArray(purposes)) return concat(purposes.map((each) => readPurpose(path, each)))
  if (!isObject(purposes)) return refuse(`${path ?? "an entry"}: purposes are texts such as "12: what it is for"`)
  return concat(Object.entries(purposes).map(([symbol, value]) => readOne(path, symbol, textOf(value))))
}

/** Reads `"12: text"`, `["12", "text"]`, `{ symbol, purpose }`, or `{ "12": "text" }`. */
const readPurpose = (path: string | undefined, value: unknown): Claims => {
  if (typeof value === "string") return readLine(path, value)
  if (Array.isArray(value)) return readOne(path, value[0], value[1])
  if (!isObject(value)) return refuse(`${path ?? "an entry"}: ${JSON.stringify(value)} is no purpose`)
  const symbol = SYMBOL_KEYS.map((key) => value[key]).find((found) => found !== undefined)
  return symbol === undefined ? readPurposes(path, value) : readOne(path, symbol, textOf(value))
}

const SYMBOL_KEYS = ["symbol", "symbolName", "number", "n", "name", "key", "id"]

const textOf = (value: unknown): unknown => (isObject(value) ? (value.purpose ?? value.text) : value)

const readOne = (path: string | undefined, symbol: unknown, purpose: unknown): Claims => {
  const name = typeof symbol === "number" ? String(symbol) : symbol
  if (typeof name !== "string" || name.trim() === "") return refuse(`${path ?? "an entry"}: the symbol is missing`)
  if (typeof purpose !== "string")
    return refuse(`${[path, name.trim()].filter(Boolean).join(" ")}: the purpose is missing`)
  return { claims: [{ path, symbol: name.trim(), purpose }], refused: [] }
}

/** Reads a text with a claim on each line, since some models send a list as one string. */
const readLines = (path: string | undefined, text: string): Claims =>
  concat(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => readLine(path, line)),
  )

const readLine = (path: string | undefined, line: string): Claims => {
  const [, symbol, purpose] = numbered.exec(line) ?? named.exec(line) ?? []
  return symbol === undefined
    ? refuse(`${[path, JSON.stringify(line.slice(0, 60))].filter(Boolean).join(" ")}: no number or name before a colon`)
    : readOne(path, symbol, purpose)
}

const numbered = /^[\s*-]*(§?\s*\d+)\s*(?:[:.)–—-]|\s)\s*(.*)$/s

/** The colons of `Outer::inner` have no space after them. */
const named = /^[\s*-]*(\S[^\n]{0,300}?)\s*:\s+(.*)$/s

/** Returns the value of a JSON text; other values unchanged. */
const unquote = (value: unknown): unknown =>
  typeof value === "string" && /^\s*[[{]/.test(value) ? (tryParse(value) ?? value) : value

const refuse = (reason: string): Claims => ({ claims: [], refused: [reason] })

const concat = (all: ReadonlyArray<Claims>): Claims => ({
  claims: all.flatMap(({ claims }) => claims),
  refused: all.flatMap(({ refused }) => refused),
})
