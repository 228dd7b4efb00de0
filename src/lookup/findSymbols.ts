/** Finds what the argument of `vibe show` names: symbols by name or place, all symbols of a file, or a folder. */

import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Language from "../code/Language.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import { callerKey, type IndexedFile } from "../index/IndexStore.ts"
import * as RoutePath from "../index/RoutePath.ts"
import * as FileName from "../search/FileName.ts"
import * as NameSimilarity from "../search/NameSimilarity.ts"
import * as PathSimilarity from "../search/PathSimilarity.ts"
import * as FolderText from "./FolderText.ts"
import { candidatesIn } from "./findPath.ts"
import { findRoutes } from "./findRoutes.ts"
import * as LanguageName from "./LanguageName.ts"
import { NoSuchSymbol } from "./NoSuchSymbol.ts"
import * as Overloads from "./Overloads.ts"
import type { Project } from "./Project.ts"
import * as WrittenName from "./WrittenName.ts"

export interface Found {
  /** The named symbols: all that have the name. */
  readonly named: ReadonlyArray<IndexEntry>
  /** Symbols that only declare types of a named one. They are not in `named`. */
  readonly overloads: Overloads.Overloads
  /** Prototypes of a named function of C or C++. They are not in `named`. */
  readonly declarations: Overloads.Overloads
  /** The symbols of the named file. */
  readonly outline: ReadonlyArray<IndexEntry>
  readonly folder: FolderText.Folder | undefined
  /** How many symbols have the name of the file or folder. */
  readonly namesakes: number
}

/**
 * Takes `append`, `Forest.append`, a name as its language writes it (`LanguageName`), `src/Forest.ts:append`,
 * `src/Forest.ts:10`, `src/Forest.ts:10-20` and other ways to write lines (`splitLines`), `src/Forest.ts`, `src`, or a
 * route such as `GET /owners/new`, which means its registration and its handler. A path is relative to the current
 * folder, else to the root of the index, else the end of the only path that ends so: `Forest.ts:10` of a stack trace.
 * A file with symbols or a folder comes before symbols of the same name; `:src` means only the symbols. The default
 * export of `retry.ts` is also called `retry` if it has no name.
 */
export const findSymbols = Effect.fn("findSymbols")(function* (
  project: Pick<Project, "displayPath" | "index" | "repositories" | "workspace">,
  typed: string,
) {
  const found = yield* find(project, typed)
  const { named, overloads } = yield* Overloads.separate(project.index, found.named)
  const result: Found = { ...found, overloads, ...(yield* Overloads.separatePrototypes(project.index, named)) }
  return result
})

type Target = Omit<Found, "declarations" | "overloads">

const find: (
  project: Pick<Project, "displayPath" | "index" | "repositories" | "workspace">,
  typed: string,
) => Effect.Effect<Target, IndexError | NoSuchSymbol> = Effect.fnUntraced(function* (project, typed) {
  const { displayPath, index } = project
  const paths = (typed: string) => candidatesIn(project, typed)
  const nothing: Target = { named: [], outline: [], folder: undefined, namesakes: 0 }

  const name = typed.replace(/^:(?=[^:])/, "")
  const anywhere = yield* index.find(name)
  const place = name === typed ? yield* openPath(index, paths(typed)) : undefined
  if (place !== undefined) return { ...nothing, ...place, namesakes: anywhere.length }
  if (anywhere.length > 0) return { ...nothing, named: anywhere }
  const { file, first, last } = splitLines(typed)
  if (file !== undefined) {
    const symbols = yield* firstNonEmpty(paths(file), index.symbolsIn)
    const named = atLines(symbols, first, last ?? first)
    if (named.length > 0) return { ...nothing, named }
    if (symbols.length > 0) {
      const nearest = byDistance(symbols, first).slice(0, MAX_SUGGESTIONS)
      return yield* new NoSuchSymbol({
        symbol: typed,
        problem: `no symbol at ${typed}`,
        nearest: nearest.map(nameOf(displayPath)),
      })
    }
  }
  const { member, parent } = splitMember(typed)
  if (parent !== undefined && member !== undefined) {
    const named = yield* firstNonEmpty(paths(parent), (path) => index.find(member, path))
    if (named.length > 0) return { ...nothing, named }
  }
  const written = yield* LanguageName.find(index, name, { project: path.basename(project.workspace.root) })
  if (written.length > 0) return { ...nothing, named: written }
  // A default export without a name is most often imported under the name of its file.
  const nameless = (yield* index.find("default")).filter((entry) => FileName.of(entry.path) === name)
  if (nameless.length > 0) return { ...nothing, named: nameless }
  const { member: ofFile, parent: before } = splitFirst(name)
  if (before !== undefined && ofFile !== undefined) {
    const named = yield* firstNonEmpty(paths(before), (path) => LanguageName.find(index, ofFile, { path }))
    if (named.length > 0) return { ...nothing, named }
  }
  const routes = yield* findRoutes(index, name)
  if (routes.length > 0)
    return { ...nothing, named: distinct(routes.flatMap(({ entry, handlers }) => [entry, ...handlers])) }
  if (RoutePath.parse(name)?.verb !== undefined) {
    return yield* new NoSuchSymbol({ symbol: typed, problem: `no route ${name} in the index`, nearest: [] })
  }
  const asFile = file ?? parent ?? name
  const files = (yield* index.files).map((each) => each.path)
  const whole = paths(asFile).some((path) => files.includes(path)) ? undefined : onlyPathEndingIn(files, asFile)
  if (whole !== undefined) return yield* find(project, whole + name.slice(asFile.length))
  return yield* explain({ displayPath, index }, name, asFile, files, paths)
})

/** Returns the only one of some paths that ends in a path or the name of a file; undefined if none or several do. */
const onlyPathEndingIn = (files: ReadonlyArray<string>, typed: string): string | undefined => {
  const end = `/${typed.replaceAll("\\", "/")}`
  const [found, ...others] = path.extname(typed) === "" ? [] : files.filter((file) => file.endsWith(end))
  return others.length === 0 ? found : undefined
}

/** Removes the later of handlers that several routes have. */
const distinct = (entries: ReadonlyArray<IndexEntry>): ReadonlyArray<IndexEntry> =>
  Array.from(new Map(entries.map((entry) => [`${entry.path}\0${callerKey(entry)}`, entry])).values())

const MAX_SUGGESTIONS = 5

/**
 * The file and the lines of `src/a.ts:10`, `C:\\src\\a.ts:10` or `src/a.ts:10-20`, and of what compilers and searches
 * print (`src/a.ts:10:5`, `src/a.ts(10,5)`) and forges link to (`src/a.ts#L10-L20`). `last` is undefined for one line.
 */
export const splitLines = (
  typed: string,
):
  | { readonly file: string; readonly first: number; readonly last: number | undefined }
  | Record<"file" | "first" | "last", undefined> => {
  const [, file, first, last] = LINES.map((form) => form.exec(typed)).find((found) => found !== null) ?? []
  return file === undefined
    ? { file, first: undefined, last: undefined }
    : { file, first: Number(first), last: last === undefined ? undefined : Number(last) }
}

const LINES = [
  /^(.+):(\d+):\d+:?$/,
  /^(.+):(\d+)(?:-(\d+))?:?$/,
  /^(.+)#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$/,
  /^(.+)\((\d+)(?:,\d+)?\)$/,
]

/**
 * Returns the file and the name of `src/a.ts:append`. Returns neither for `C:\\src\\a.ts`, whose colon belongs to the
 * drive.
 */
export const splitMember = (typed: string): { readonly parent?: string; readonly member?: string } => {
  const [, parent, member] = /^(?![a-z]:[\\/][^:]*$)(.+):([^:]+)$/i.exec(typed) ?? []
  return parent === undefined || member === undefined ? {} : { parent, member }
}

/** Returns the file and the name of `src/a.php:Kit::open`, whose name has colons itself. */
const splitFirst = (typed: string): { readonly parent?: string; readonly member?: string } => {
  const [, parent, member] = /^((?:[a-z]:[\\/])?[^:]+):(?!:)(.+)$/i.exec(typed) ?? []
  return parent === undefined || member === undefined ? {} : { parent, member }
}

/**
 * Opens the first path that is a file with symbols or a folder. Undefined if none is, such as a file without symbols.
 */
const openPath = Effect.fnUntraced(function* (index: Project["index"], paths: ReadonlyArray<string>) {
  const outline = yield* firstNonEmpty(paths, index.symbolsIn)
  if (outline.length > 0) return { outline }
  for (const folder of paths) {
    const below = yield* index.filesIn(folder)
    if (below.length > 0 && below[0]?.path !== folder) return { folder: yield* openFolder(index, folder, below) }
  }
  return undefined
})

/**
 * Reads the symbols of the files directly in a folder. If they are more than `MAX_READ`, reads those with the most
 * major symbols.
 */
const openFolder = Effect.fnUntraced(function* (
  index: Project["index"],
  folder: string,
  below: ReadonlyArray<IndexedFile>,
) {
  const direct = FolderText.filesIn(folder, below).filter(({ symbols }) => symbols > 0)
  const read = direct.toSorted((one, other) => other.major - one.major).slice(0, MAX_READ)
  const symbols = yield* Effect.forEach(read, ({ path }) =>
    Effect.map(index.symbolsIn(path), (symbols) => [path, symbols] as const),
  )
  const known = new Map(symbols)
  return FolderText.make(folder, below, (path) => known.get(path) ?? [])
})

/** Folders of code have fewer files than this; the limit bounds the time for folders of data. */
const MAX_READ = 300

/** Fails with what the argument names instead of a symbol, or with the most similar names or paths. */
const explain = Effect.fnUntraced(function* (
  { displayPath, index }: Pick<Project, "displayPath" | "index">,
  typed: string,
  file: string,
  files: ReadonlyArray<string>,
  paths: (typed: string) => ReadonlyArray<string>,
) {
  const inside = yield* firstNonEmpty(paths(file), index.filesIn)
  const [one] = inside
  if (one !== undefined && paths(file).includes(one.path)) {
    // A file without symbols has an error of its own.
    const symbols = yield* index.symbolsIn(one.path)
    const nearest = symbols.length === 0 ? [] : yield* index.nearest(typed.slice(file.length + 1), { path: one.path })
    const problem =
      symbols.length === 0 ? `${typed} has no symbols${one.note === undefined ? "" : `: ${one.note}`}` : undefined
    return yield* new NoSuchSymbol({
      symbol: typed,
      ...(problem !== undefined && { problem }),
      nearest: nearest.slice(0, MAX_SUGGESTIONS).map(nameOf(displayPath)),
    })
  }
  const wanted = paths(file).find((path) => !path.startsWith("../")) ?? file
  const nearest = /[/\\.]/.test(file) ? PathSimilarity.similar(files, wanted) : []
  if (/[/\\]/.test(file) || isCodeFile(file) || (path.extname(file) !== "" && nearest.length > 0)) {
    return yield* new NoSuchSymbol({
      symbol: typed,
      problem: `no file ${path.extname(file) !== "" ? "" : "or folder "}${file} in the index`,
      nearest: (nearest.length > 0 ? nearest : PathSimilarity.nearest(files, wanted)).map(displayPath),
    })
  }
  const [container, member] = WrittenName.partsOf(typed).slice(-2)
  const members = container === undefined || member === undefined ? [] : yield* index.membersOf(container, MAX_MEMBERS)
  if (member !== undefined && members.length > 0 && (yield* index.find(member)).length === 0) {
    return yield* new NoSuchSymbol({
      symbol: typed,
      problem: `${container} has no ${member} in the index`,
      nearest: nearestMembers(members, member).map(nameOf(displayPath)),
    })
  }
  const similar = yield* index.nearest(typed, { limit: MAX_SUGGESTIONS })
  return yield* new NoSuchSymbol({ symbol: typed, nearest: similar.map(nameOf(displayPath)) })
})

/** The most members of a container among which the nearest are chosen. */
const MAX_MEMBERS = 500

/** Sorts members by similar names first, then the most used. Each name occurs once. */
const nearestMembers = (members: ReadonlyArray<IndexEntry>, name: string): ReadonlyArray<IndexEntry> => {
  const distance = NameSimilarity.distanceFrom(name)
  const far = Number.POSITIVE_INFINITY
  return Array.from(new Map(members.toReversed().map((member) => [member.name, member])).values())
    .map((member) => ({ member, distance: distance(member.name, member.name) ?? far }))
    .sort((one, other) => compare(one.distance, other.distance) || other.member.usedBy - one.member.usedBy)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ member }) => member)
}

/** Compares numbers, including infinite ones, whose difference is not a number. */
const compare = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Returns whether a word without a slash is a file rather than `Response.json`: it has the extension of a file of code.
 */
const isCodeFile = (word: string): boolean => Language.of(word)?.grammar !== undefined

/** The name of a symbol in the form that `vibe show` accepts. */
const nameOf =
  (displayPath: (path: string) => string) =>
  (entry: IndexEntry): string =>
    `${displayPath(entry.path)}:${entry.qualifiedName}`

/**
 * Returns the symbol of exactly these lines. If there is none, returns the innermost one around them, or those that
 * begin in them.
 */
export const atLines = (symbols: ReadonlyArray<IndexEntry>, first: number, last: number): ReadonlyArray<IndexEntry> => {
  const exact = symbols.filter(({ endLine, startLine }) => startLine === first && endLine === last)
  if (exact.length > 0) return exact
  const around = symbols
    .filter(({ endLine, startLine }) => startLine <= first && last <= endLine)
    .sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))
  const [innermost] = around
  return innermost === undefined
    ? symbols.filter(({ startLine }) => first <= startLine && startLine <= last)
    : [innermost]
}

const byDistance = (symbols: ReadonlyArray<IndexEntry>, line: number): ReadonlyArray<IndexEntry> =>
  [...symbols].sort((a, b) => Math.abs(a.startLine - line) - Math.abs(b.startLine - line))

const firstNonEmpty = <A>(
  paths: ReadonlyArray<string>,
  look: (path: string) => Effect.Effect<ReadonlyArray<A>, IndexError>,
): Effect.Effect<ReadonlyArray<A>, IndexError> => {
  const none: ReadonlyArray<A> = []
  return Effect.reduce(paths, none, (found, path) => (found.length > 0 ? Effect.succeed(found) : look(path)))
}
