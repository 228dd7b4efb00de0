/** The symbols that the argument of `vibe show` names: by name, by place, or all of a file. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import type { IndexError } from "../../indexing/IndexError.ts"
import { plural } from "../../message/Plural.ts"
import * as EditDistance from "../../search/EditDistance.ts"
import { NoSuchSymbol } from "../CommandError.ts"
import type * as Project from "../project/Project.ts"

export interface Found {
  /** The named symbols: all that have the name. */
  readonly named: ReadonlyArray<IndexEntry>
  /** The symbols of the named file. */
  readonly outline: ReadonlyArray<IndexEntry>
}

/**
 * `append`, `Forest.append`, `src/Forest.ts:append`, `src/Forest.ts:10`, `src/Forest.ts:10-20` or `src/Forest.ts`. A path
 * is relative to the current folder, else to the root of the index.
 */
export const findSymbols = Effect.fn("findSymbols")(function* (
  { displayPath, index, workspace }: Pick<Project.Project, "displayPath" | "index" | "workspace">,
  typed: string,
) {
  const paths = (typed: string) => [path.relative(workspace.root, path.resolve(typed)), path.normalize(typed)]
  const nothing: Found = { named: [], outline: [] }

  const anywhere = yield* index.find(typed)
  if (anywhere.length > 0) return { ...nothing, named: anywhere }
  const [, file = typed, first, last = first] = /^(.+):(\d+)(?:-(\d+))?$/.exec(typed) ?? []
  if (first !== undefined) {
    const symbols = yield* firstNonEmpty(paths(file), index.symbolsIn)
    const named = atLines(symbols, Number(first), Number(last))
    if (named.length > 0) return { ...nothing, named }
    if (symbols.length > 0) {
      const nearest = byDistance(symbols, Number(first)).slice(0, MAX_SUGGESTIONS)
      return yield* new NoSuchSymbol({
        symbol: typed,
        problem: `no symbol at ${typed}`,
        nearest: nearest.map(nameOf(displayPath)),
      })
    }
  }
  const [, parent, name] = /^(.+):([^:]+)$/.exec(typed) ?? []
  if (parent !== undefined && name !== undefined) {
    const named = yield* firstNonEmpty(paths(parent), (path) => index.find(name, path))
    if (named.length > 0) return { ...nothing, named }
  }
  const outline = yield* firstNonEmpty(paths(typed), index.symbolsIn)
  if (outline.length > 0) return { ...nothing, outline }
  return yield* explain({ displayPath, index }, typed, parent ?? typed, paths)
})

const MAX_SUGGESTIONS = 5

/** Fails with what the argument names instead of a symbol, else with the most similar names or paths. */
const explain = Effect.fnUntraced(function* (
  { displayPath, index }: Pick<Project.Project, "displayPath" | "index">,
  typed: string,
  file: string,
  paths: (typed: string) => ReadonlyArray<string>,
) {
  const inside = yield* firstNonEmpty(paths(file), (path) => index.filesIn(path === "" ? "." : path))
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
  if (one !== undefined) {
    const withSymbols = inside.filter(({ symbols }) => symbols > 0).map(({ path }) => displayPath(path))
    return yield* new NoSuchSymbol({
      symbol: typed,
      problem: `${typed} is a folder of ${plural(inside.length, "indexed file")}: name one of them, such as ${withSymbols.slice(0, MAX_SUGGESTIONS).join(", ")}`,
      nearest: [],
    })
  }
  if (/[/\\]|\.\w+$/.test(file)) {
    const nearest = nearestPaths(
      (yield* index.files).map(({ path }) => path),
      paths(file)[0] ?? file,
    )
    if (nearest.length > 0) {
      return yield* new NoSuchSymbol({
        symbol: typed,
        problem: `no file ${file} in the index`,
        nearest: nearest.map(displayPath),
      })
    }
  }
  const nearest = yield* index.nearest(typed, { limit: MAX_SUGGESTIONS })
  return yield* new NoSuchSymbol({ symbol: typed, nearest: nearest.map(nameOf(displayPath)) })
})

/** The name of a symbol in the form that `vibe show` accepts. */
const nameOf =
  (displayPath: (path: string) => string) =>
  (entry: IndexEntry): string =>
    `${displayPath(entry.path)}:${entry.qualifiedName}`

/** The symbol of exactly these lines, else the innermost one around them, else those that begin in them. */
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

/** Paths that differ in a few letters, or end in the same name in another folder; best first. */
export const nearestPaths = (paths: ReadonlyArray<string>, typed: string): ReadonlyArray<string> => {
  const base = path.posix.basename(typed)
  const most = Math.min(4, Math.ceil(base.length / 4))
  const distance = EditDistance.from(base, most)
  const whole = EditDistance.from(typed, typed.length)
  return paths
    .flatMap((file) => {
      const near = distance(path.posix.basename(file))
      return near === undefined ? [] : [{ file, near, far: whole(file) ?? typed.length }]
    })
    .sort((a, b) => a.near - b.near || a.far - b.far || (a.file < b.file ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ file }) => file)
}

const firstNonEmpty = <A>(
  paths: ReadonlyArray<string>,
  look: (path: string) => Effect.Effect<ReadonlyArray<A>, IndexError>,
): Effect.Effect<ReadonlyArray<A>, IndexError> =>
  Effect.reduce(paths, [] as ReadonlyArray<A>, (found, path) => (found.length > 0 ? Effect.succeed(found) : look(path)))
