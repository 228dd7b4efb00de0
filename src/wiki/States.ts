/**
 * Finds out whether the statements of a wiki still hold, as far as that can be told without a model: by the symbols and
 * files that they cite, as the index has them now.
 */
import * as Effect from "effect/Effect"
import { sha256 } from "../base/Text.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { Index } from "../index/IndexStore.ts"
import { isSameSource } from "../index/Purposes.ts"
import * as Labels from "./Labels.ts"
import type { Citation, Page, Statement } from "./Page.ts"
import * as Pages from "./writing/Pages.ts"

/**
 * The state of a statement:
 *
 * - `gone`: a symbol or file that it cites does not exist any more
 * - `stale`: a model has found it untrue since the code has changed
 * - `touched`: the source of a symbol that it cites has changed, so that someone should look again
 * - `unchecked`: a model wrote it, and the source that was shown of what it cites did not decide whether it is true
 * - `moved`: a symbol that it cites stands in another file or place, unchanged; its link follows
 * - `holds`: everything that it cites is as it was
 */
export type State = "gone" | "stale" | "touched" | "unchecked" | "moved" | "holds"

/** The state of a citation, and the citation as it is to be from now on. */
export interface Resolved {
  readonly state: Exclude<State, "stale" | "unchecked">
  /**
   * The place has followed a symbol that was moved, and a hash that was never recorded is that of the present source.
   */
  readonly citation: Citation
  /** The symbol that is meant now; undefined for a file, and for what is gone. */
  readonly entry: IndexEntry | undefined
}

/** The states of the citations of a wiki. */
export interface States {
  readonly of: (citation: Citation) => Resolved
}

/** The symbols and files that are cited, as they are now. */
export interface Present {
  /** The symbols of the files that are cited, in order of their start, by path. A file that is gone is missing. */
  readonly symbols: ReadonlyMap<string, ReadonlyArray<IndexEntry>>
  /** The symbols in all files, by qualified name, for the names that are not found in the file that is cited. */
  readonly named: ReadonlyMap<string, ReadonlyArray<IndexEntry>>
  /** Hashes of the texts of files, by path. */
  readonly files: ReadonlyMap<string, string>
}

/** Reads the states of all citations of some pages. `textOf` returns the text of a file, if it can be read. */
export const read: (
  index: Pick<Index, "files" | "find" | "symbolsIn">,
  pages: ReadonlyArray<Page>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) => Effect.Effect<States, Effect.Effect.Error<Index["files"]>> = Effect.fn("States.read")(
  function* (index, pages, textOf) {
    const citations = new Map(
      pages.flatMap((page) =>
        statementsOf(page).flatMap((statement) =>
          statement.citations.map((citation) => [Labels.keyOf(citation), citation] as const),
        ),
      ),
    )
    // Most projects have no wiki, and to read all files of an index takes longer than to answer from it.
    const paths = new Set(citations.size === 0 ? [] : (yield* index.files).map(({ path }) => path))
    const symbols = new Map<string, ReadonlyArray<IndexEntry>>()
    const named = new Map<string, ReadonlyArray<IndexEntry>>()
    const files = new Map<string, string>()
    const hashFile = Effect.fnUntraced(function* (path: string) {
      const text = files.has(path) ? undefined : yield* textOf(path)
      if (text !== undefined) files.set(path, hashOf(text))
    })
    for (const { path, symbol } of citations.values()) {
      if (paths.has(path) && !symbols.has(path)) symbols.set(path, yield* index.symbolsIn(path))
      if (symbol === undefined) {
        if (paths.has(path)) yield* hashFile(path)
        else for (const other of sameNamed(path, paths)) yield* hashFile(other)
      }
    }
    for (const citation of citations.values()) {
      const { symbol } = citation
      if (symbol === undefined || named.has(symbol)) continue
      if (resolve(citation, { symbols, named, files }).state === "gone") {
        named.set(
          symbol,
          (yield* index.find(symbol)).filter(({ qualifiedName }) => qualifiedName === symbol),
        )
      }
    }
    const present = { symbols, named, files }
    return { of: (citation) => resolve(citation, present) }
  },
)

/** Returns the hash of the text of a file that is cited as a whole, which does not depend on its line ends. */
export const hashOf = (text: string): string => sha256(text.replaceAll("\r\n", "\n")).slice(0, 16)

/** The files to which a file of this name may have been moved. */
const sameNamed = (path: string, paths: ReadonlySet<string>): ReadonlyArray<string> => {
  const name = path.slice(path.lastIndexOf("/"))
  return Array.from(paths).filter((other) => `/${other}`.endsWith(name.startsWith("/") ? name : `/${name}`))
}

/** Finds what a citation means now. */
export const resolve = (citation: Citation, { files, named, symbols }: Present): Resolved => {
  const { hash, ordinal = 0, path, symbol } = citation
  const ofFile = symbols.get(path)
  if (symbol === undefined) return resolveFile(citation, files, ofFile !== undefined)
  const same = ofFile?.filter(({ qualifiedName }) => qualifiedName === symbol) ?? []
  const entry = same[ordinal]
  if (entry !== undefined && (hash === undefined || isUnchanged(citation, entry))) {
    return { state: "holds", citation: record(citation, entry), entry }
  }
  // Another one of that name in the file, if one was added or removed before it, and then one in another file.
  const inFile = same.findIndex((other) => isUnchanged(citation, other))
  const other = same[inFile]
  if (other !== undefined) return { state: "moved", citation: at(citation, other, inFile), entry: other }
  if (entry !== undefined) return { state: "touched", citation, entry }
  const elsewhere = named.get(symbol) ?? []
  const moved = elsewhere.find((each) => isUnchanged(citation, each))
  if (moved === undefined) return { state: "gone", citation, entry: undefined }
  const siblings = elsewhere.filter((each) => each.path === moved.path)
  return { state: "moved", citation: at(citation, moved, siblings.indexOf(moved)), entry: moved }
}

const resolveFile = (citation: Citation, files: ReadonlyMap<string, string>, exists: boolean): Resolved => {
  const { hash, path } = citation
  const present = files.get(path)
  if (exists) {
    // The text of a file that cannot be read is not known to have changed.
    const isSame = hash === undefined || present === undefined || present === hash
    if (!isSame) return { state: "touched", citation, entry: undefined }
    return {
      state: "holds",
      citation: present === undefined ? citation : { ...citation, hash: present },
      entry: undefined,
    }
  }
  const name = path.slice(path.lastIndexOf("/") + 1)
  const [moved] = Array.from(files).find(
    ([other, text]) => text === hash && other.slice(other.lastIndexOf("/") + 1) === name,
  ) ?? [undefined]
  return moved === undefined
    ? { state: "gone", citation, entry: undefined }
    : { state: "moved", citation: { ...citation, path: moved }, entry: undefined }
}

const isUnchanged = ({ hash, tokens }: Citation, entry: IndexEntry): boolean =>
  hash !== undefined && isSameSource({ hash, tokens }, entry)

/** Records the present source of a citation without one, and the new layout of one. */
const record = (citation: Citation, { hash, tokens }: IndexEntry): Citation => {
  const { hash: _hash, tokens: _tokens, ...place } = citation
  return { ...place, hash, ...(tokens !== undefined && { tokens }) }
}

const at = (citation: Citation, entry: IndexEntry, ordinal: number): Citation => {
  const { ordinal: _ordinal, ...rest } = record(citation, entry)
  return { ...rest, path: entry.path, ...(ordinal > 0 && { ordinal }) }
}

/** Returns the state of a statement: the worst of its citations. A pointer is true while what it names exists. */
export const stateOf = ({ citations, kind, stale, unchecked }: Statement, states: States): State => {
  const all = new Set<State>(citations.map((citation) => states.of(citation).state))
  if (all.has("gone")) return "gone"
  if (stale !== undefined) return "stale"
  if (kind === "claim" && all.has("touched")) return "touched"
  if (unchecked !== undefined) return "unchecked"
  return all.has("moved") ? "moved" : "holds"
}

/**
 * Returns a page whose links follow what was moved. A citation without a hash, such as one that a person has written,
 * gets that of the present source; the hash of a source that has changed stays, so that the statement stays touched.
 */
export const follow = (page: Page, states: States): Page =>
  Pages.mapStatements(page, (statement) => ({
    ...statement,
    citations: statement.citations.map((citation) => states.of(citation).citation),
  }))

/** Lists the statements of a page, in order. */
export const statementsOf = (page: Page): ReadonlyArray<Statement> =>
  page.sections.flatMap(({ blocks }) => blocks.flat())
