/**
 * The built-in guide: it explores a codebase with the same tools as a language model, through the same loop, and
 * needs no key and no network. It understands nothing: it reads comments, and derives the rest from names,
 * signatures and callers.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ModelId } from "../message/ModelId.ts"
import * as Usage from "../message/Usage.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { Part } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import { keyOf, type Notes, type Outlined, take } from "./internal/guideNotes.ts"
import * as Purpose from "./internal/guidePurpose.ts"

export const id = new ModelId({ provider: "offline", name: "offline" })

/** The same conversation always gets the same answer. */
export const make: LanguageModel.Service = {
  ...LanguageModel.make(id, (request, say) => Effect.suspend(() => say(answer(request)))),
  isRuleBased: true,
}

export const layer: Layer.Layer<LanguageModel.LanguageModel> = Layer.succeed(LanguageModel.LanguageModel, make)

/** Calls in one answer. With 20 answers that is a few thousand files. */
const most = 200

/** Of these, look-ups of who uses a symbol that has no comment. */
const mostLookups = 32

/** Entries in one call of `create_index_entry`. */
const batch = 40

interface Call {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const answer = (request: Request): ReadonlyArray<Part> => {
  const notes = take(request.messages)
  const calls = next(notes)
  const said = calls.length === 0 ? farewell(notes) : undefined
  return [
    ...(said === undefined ? [] : [Part.Text({ text: said })]),
    ...calls.map(({ name, parameters }) => Part.ToolUse({ name, parameters })),
    Part.Finish({ reason: calls.length === 0 ? "stop" : "tool_calls", usage: Usage.none }),
  ]
}

const next = (notes: Notes): ReadonlyArray<Call> => {
  if (!notes.asked.has(keyOf("list_filesystem", "."))) return [{ name: "list_filesystem", parameters: { path: "." } }]
  const waiting = notes.symbols.filter(
    (symbol) => needsPurpose(symbol) && !notes.recorded.has(keyOf(symbol.path, symbol.symbol)),
  )
  const lookups = waiting
    .filter((symbol) => isLookedUp(symbol, notes))
    .sort((a, b) => (b.usedBy ?? 0) - (a.usedBy ?? 0))
    .slice(0, mostLookups)
  const ready = waiting.filter((symbol) => !lookups.includes(symbol))
  const entries = ready.map((symbol) => ({
    path: symbol.path,
    symbol: symbol.symbol,
    purpose: purposeOf(symbol, notes),
  }))
  const records = Array.from({ length: Math.ceil(entries.length / batch) }, (_, n) => ({
    name: "create_index_entry",
    parameters: { entries: entries.slice(n * batch, (n + 1) * batch) },
  }))
  return [
    ...records,
    ...[
      ...lookups.map(({ symbol }) => ({ name: "find_references", parameters: { symbolName: symbol } })),
      ...walk(notes),
    ].slice(0, most),
  ]
}

/** Folders and files that hold work, nearest to the root and busiest first; what describes the project before all. */
const walk = (notes: Notes): ReadonlyArray<Call> => {
  const documents = Array.from(notes.places.keys())
    .filter((path) => /^(readme(\.\w+)?|package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml)$/i.test(path))
    .filter((path) => !notes.asked.has(keyOf("read_file", path)))
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
    .filter(({ name, parameters }) => !notes.asked.has(keyOf(name, parameters.path)))
  return [...documents, ...places]
}

const needsPurpose = ({ major = false, purpose, stale = false }: Outlined): boolean =>
  major && (purpose === undefined || stale)

/** Callers are worth asking for where nothing else tells what a symbol is for. */
const isLookedUp = ({ doc = "", symbol, usedBy = 0 }: Outlined, { asked }: Notes): boolean =>
  Purpose.fromComment(doc) === undefined && usedBy > 0 && !asked.has(keyOf("find_references", symbol))

const purposeOf = (symbol: Outlined, notes: Notes): string =>
  Purpose.fromComment(symbol.doc ?? "") ??
  Purpose.derived(
    symbol,
    (notes.users.get(symbol.symbol) ?? []).filter((path) => path !== symbol.path),
  )

const farewell = (notes: Notes): string => {
  const outlined = new Set(notes.symbols.map((symbol) => symbol.path)).size
  const title = Array.from(notes.filesRead)
    .filter(([path]) => /^readme/i.test(path))
    .flatMap(([, text]) => text.match(/^#\s+(.+)$/m)?.[1] ?? [])[0]
  return [
    `${title === undefined ? "This codebase" : title}: ${outlined} files outlined, ${notes.recorded.size} symbols described.`,
    "No language model was used: purposes are the symbols' own comments, or derived from names, signatures and callers.",
  ].join(" ")
}
