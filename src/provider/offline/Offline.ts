/**
 * The built-in offline guide, which explores a codebase with the same tools and the same loop as a language model,
 * without a key or a network. It follows fixed rules: it copies comments, and derives all other purposes from names,
 * signatures and callers.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ModelId } from "../../message/ModelId.ts"
import { plural } from "../../message/Plural.ts"
import * as Usage from "../../message/Usage.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { Part } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import { keyOf, type Notes, type Outlined, readNotes } from "./notes.ts"
import * as Purpose from "./purpose.ts"

export const id = new ModelId({ provider: "offline", name: "offline" })

/** Deterministic: the same conversation gets the same answer. */
export const make: LanguageModel.Service = {
  ...LanguageModel.make(id, (request, emit) => Effect.suspend(() => emit(answer(request)))),
  isRuleBased: true,
}

export const layer: Layer.Layer<LanguageModel.LanguageModel> = Layer.succeed(LanguageModel.LanguageModel, make)

/** Calls per answer: 20 answers cover a few thousand files. */
const MAX_CALLS = 200

/** Lookups of callers per answer, for symbols without a comment. */
const MAX_LOOKUPS = 32

/** Entries per call of `create_index_entry`. */
const BATCH_SIZE = 40

interface Call {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const answer = (request: Request): ReadonlyArray<Part> => {
  const notes = readNotes(request.messages)
  const calls = nextCalls(notes)
  const summary = calls.length === 0 ? summarize(notes) : undefined
  return [
    ...(summary === undefined ? [] : [Part.Text({ text: summary })]),
    ...calls.map(({ name, parameters }) => Part.ToolUse({ name, parameters })),
    Part.Finish({ reason: calls.length === 0 ? "stop" : "tool_calls", usage: Usage.none }),
  ]
}

const nextCalls = (notes: Notes): ReadonlyArray<Call> => {
  if (!notes.calls.has(keyOf("list_filesystem", "."))) return [{ name: "list_filesystem", parameters: { path: "." } }]
  const waiting = notes.symbols.filter(
    (symbol) => needsPurpose(symbol) && !notes.recorded.has(keyOf(symbol.path, symbol.symbol)),
  )
  const lookups = waiting
    .filter((symbol) => isLookedUp(symbol, notes))
    .sort((a, b) => (b.usedBy ?? 0) - (a.usedBy ?? 0))
    .slice(0, MAX_LOOKUPS)
  const ready = waiting.filter((symbol) => !lookups.includes(symbol))
  const entries = ready.map((symbol) => ({
    path: symbol.path,
    symbol: symbol.symbol,
    purpose: purposeOf(symbol, notes),
  }))
  const records = Array.from({ length: Math.ceil(entries.length / BATCH_SIZE) }, (_, n) => ({
    name: "create_index_entry",
    parameters: { entries: entries.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE) },
  }))
  return [
    ...records,
    ...[
      ...lookups.map(({ symbol }) => ({ name: "find_references", parameters: { symbolName: symbol } })),
      ...unexploredPlaces(notes),
    ].slice(0, MAX_CALLS),
  ]
}

/**
 * Calls for unexplored places: documents that describe the project first, then folders and files with open work,
 * nearest to the root and largest first.
 */
const unexploredPlaces = (notes: Notes): ReadonlyArray<Call> => {
  const documents = Array.from(notes.places.keys())
    .filter((path) => /^(readme(\.\w+)?|package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml)$/i.test(path))
    .filter((path) => !notes.calls.has(keyOf("read_file", path)))
    .map((path) => ({ name: "read_file", parameters: { path } }))
  const places = Array.from(notes.places)
    .filter(([, open]) => open > 0)
    .map(([path, open]) => ({
      path,
      open,
      depth: path.replace(/\/$/, "").split("/").length,
      test: /(^|\/)(tests?|__tests__|spec|examples?|docs?|vendor|third_party)\//i.test(path),
    }))
    .sort((a, b) => Number(a.test) - Number(b.test) || a.depth - b.depth || b.open - a.open)
    .map(({ path }) => ({
      name: path.endsWith("/") ? "list_filesystem" : "list_symbols_in_file",
      parameters: { path },
    }))
    .filter(({ name, parameters }) => !notes.calls.has(keyOf(name, parameters.path)))
  return [...documents, ...places]
}

const needsPurpose = ({ major = false, purpose, stale = false }: Outlined): boolean =>
  major && (purpose === undefined || stale)

/** Callers are looked up where a symbol has no comment. */
const isLookedUp = ({ doc = "", symbol, usedBy = 0 }: Outlined, { calls }: Notes): boolean =>
  Purpose.fromComment(doc) === undefined && usedBy > 0 && !calls.has(keyOf("find_references", symbol))

const purposeOf = (symbol: Outlined, notes: Notes): string =>
  Purpose.fromComment(symbol.doc ?? "") ??
  Purpose.derivePurpose(
    symbol,
    (notes.users.get(symbol.symbol) ?? []).filter((path) => path !== symbol.path),
  )

const summarize = (notes: Notes): string => {
  const outlined = new Set(notes.symbols.map((symbol) => symbol.path)).size
  const title = Array.from(notes.filesRead)
    .filter(([path]) => /^readme/i.test(path))
    .flatMap(([, text]) => text.match(/^#\s+(.+)$/m)?.[1] ?? [])[0]
  return [
    `${title === undefined ? "This codebase" : title}: ${plural(outlined, "file")} outlined, ${plural(notes.recorded.size, "symbol")} described.`,
    "No language model was used: purposes are the symbols' own comments, or derived from names, signatures and callers.",
  ].join(" ")
}
