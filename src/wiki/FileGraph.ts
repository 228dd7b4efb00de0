/** Which files use which, by resolved references. */
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Language from "../code/Language.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { FileUses, Index, IndexedFile, SymbolUses } from "../index/IndexStore.ts"
import * as Sections from "./internal/Sections.ts"
import * as Places from "./Places.ts"
import type { Plan } from "./Plan.ts"

export interface FileGraph {
  /** All files of the code, sorted. */
  readonly files: ReadonlyArray<string>
  /** How often the symbols of one file are used by those of another: `uses.get(from)?.get(to)`. No file uses itself. */
  readonly uses: Places.Uses
  /**
   * Files that more than a quarter of the files use, and at least `MIN_USERS`; at most a tenth of the files, those with
   * most users. They say nothing about who belongs together.
   */
  readonly hubs: ReadonlySet<string>
  /** The symbols at the top of files that may be divided between parts (`Places`), in the order of the file. */
  readonly heads: ReadonlyMap<string, ReadonlyArray<Places.Head>>
  /** `uses` with the symbols at the top of such files in place of these, by the keys of `Places`. */
  readonly placeUses: Places.Uses
}

/** A file that more than this share of the files use is a hub. */
const HUB_SHARE = 0.25

/** The largest share of the files that can be hubs: where all use each other, none stands out. */
const MAX_HUBS = 0.1

/** A file with more than this share of the symbols, and with at least so many, may be divided, and is no hub. */
const LARGE_SHARE = 0.1
const MIN_LARGE = 40

/** A file with fewer users is no hub, however large their share of a small project. */
export const MIN_USERS = 6

/**
 * Returns the files that a wiki divides into parts: source code, without tests and other classes of files. If no file
 * of the code is source, it returns the source files of all classes. Settings, data and prose are in no part.
 */
export const codeOf = <File extends Pick<IndexedFile, "path" | "class" | "symbols">>(
  files: ReadonlyArray<File>,
): ReadonlyArray<File> => {
  const sources = files.filter(({ path, symbols }) => symbols > 0 || (Language.of(path)?.outline ?? "text") !== "text")
  const code = sources.filter((file) => file.class === "code")
  return (code.length > 0 ? code : sources).toSorted((one, other) => compare(one.path, other.path))
}

/** Files that may be divided, with the symbols at their top, and what these use or are used by. */
interface Divided {
  readonly heads: FileGraph["heads"]
  readonly uses: ReadonlyArray<SymbolUses>
}

const undivided: Divided = { heads: new Map(), uses: [] }

/** Makes the graph of the files of the code from the uses between all files. */
export const make = (
  files: ReadonlyArray<Pick<IndexedFile, "path" | "class" | "symbols">>,
  uses: ReadonlyArray<FileUses>,
  divided: Divided = undivided,
): FileGraph => {
  const paths = codeOf(files).map(({ path }) => path)
  const isCode = new Set(paths)
  const isOfCode = (from: string, to: string) => isCode.has(from) && isCode.has(to)
  const counts = new Map<string, Map<string, number>>()
  const users = new Map<string, number>()
  for (const { count, from, to } of uses) {
    if (from === to || count <= 0 || !isOfCode(from, to)) continue
    if (counts.get(from)?.has(to) !== true) users.set(to, (users.get(to) ?? 0) + 1)
    addTo(counts, from, to, count)
  }
  const least = Math.max(MIN_USERS, Math.floor(paths.length * HUB_SHARE) + 1)
  const hubs = paths
    .filter((path) => (users.get(path) ?? 0) >= least && !divided.heads.has(path))
    .sort((one, other) => (users.get(other) ?? 0) - (users.get(one) ?? 0) || compare(one, other))
    .slice(0, Math.max(1, Math.floor(paths.length * MAX_HUBS)))
  const placeUses = divided.heads.size === 0 ? counts : placeUsesOf(counts, divided, isOfCode)
  return { files: paths, uses: counts, hubs: new Set(hubs), heads: divided.heads, placeUses }
}

const addTo = (counts: Map<string, Map<string, number>>, from: string, to: string, count: number): void => {
  const own = counts.get(from) ?? new Map<string, number>()
  counts.set(from, own)
  own.set(to, (own.get(to) ?? 0) + count)
}

const placeUsesOf = (
  uses: Places.Uses,
  divided: Divided,
  isOfCode: (from: string, to: string) => boolean,
): Map<string, Map<string, number>> => {
  const names = new Map(Array.from(divided.heads, ([path, heads]) => [path, new Set(heads.map(({ name }) => name))]))
  const keyOf = ({ path, symbol }: Places.Target) => {
    const heads = names.get(path)
    return Places.keyOf(path, heads === undefined || symbol === undefined ? undefined : Places.headOf(symbol, heads))
  }
  const counts = new Map<string, Map<string, number>>()
  for (const [from, used] of uses) {
    for (const [to, count] of used) if (!names.has(from) && !names.has(to)) addTo(counts, from, to, count)
  }
  for (const { count, from, to } of divided.uses) {
    const [user, used] = [keyOf(from), keyOf(to)]
    if (user !== used && isOfCode(from.path, to.path)) addTo(counts, user, used, count)
  }
  return counts
}

/** Reads the graph from an index. Files that a plan divides are divided in it, beside the large ones. */
export const read: (index: Index, plan?: Pick<Plan, "parts"> | undefined) => Effect.Effect<FileGraph, IndexError> =
  Effect.fn("FileGraph.read")(function* (index, plan) {
    const files = yield* index.files
    const code = codeOf(files)
    const all = code.reduce((sum, { symbols }) => sum + symbols, 0)
    const planned = new Map<string, Set<string>>()
    for (const { names, path } of (plan?.parts ?? []).flatMap(({ symbols = [] }) => symbols)) {
      planned.set(path, new Set([...(planned.get(path) ?? []), ...names]))
    }
    const isLarge = (symbols: number) => symbols >= MIN_LARGE && symbols > all * LARGE_SHARE
    const heads = new Map<string, ReadonlyArray<Places.Head>>()
    for (const { path, symbols } of code) {
      if (!planned.has(path) && !isLarge(symbols)) continue
      const entries = yield* index.symbolsIn(path)
      const found = Places.headsOf(entries, Places.hugeTypesIn(entries, all, planned.get(path)))
      if (planned.has(path) || Sections.canDivide(found, symbols)) heads.set(path, found)
    }
    return make(files, yield* index.fileUses, { heads, uses: yield* index.symbolUses(Array.from(heads.keys())) })
  })

/** Returns how often some places use others, by their keys (`Places`). */
export const countUses = (
  { placeUses }: Pick<FileGraph, "placeUses">,
  from: ReadonlyArray<string>,
  to: ReadonlySet<string>,
): number =>
  from.reduce((sum, key) => {
    let ofPlace = 0
    for (const [target, count] of placeUses.get(key) ?? []) if (to.has(target)) ofPlace += count
    return sum + ofPlace
  }, 0)

/** Compares two texts by their code units, so that the order is the same in every locale. */
export const compare: Order.Order<string> = Order.string
