/** A route that a source registers, and how readers of languages make one. */
import type { Part, RouteSource } from "./RouteSource.ts"

export interface Route {
  /** The method in upper case; `ANY` if the registration names none. */
  readonly verb: string
  /** The path as it is written, after the prefixes that the same file gives; it begins with `/`. */
  readonly path: string
  /** The lines of the registration, 1-based, both inclusive. */
  readonly startLine: number
  readonly endLine: number
  /** The handler as an expression: `owners.create`, `OwnerController.create`; undefined if it is written in place. */
  readonly handler: string | undefined
}

/** Finds the routes of a text. */
export type ReadRoutes = (text: string) => ReadonlyArray<Route>

/** A part of a text in which all paths have a prefix. */
export interface PrefixRange {
  readonly start: number
  readonly end: number
  readonly prefix: string
}

/** Joins prefixes and a path with one slash between them: `/owners` for `owners` and `/`. */
export const joinPath = (...parts: ReadonlyArray<string>): string => {
  const joined = parts.map((part) => part.replace(/^\/+|\/+$/g, "")).filter((part) => part !== "")
  const isFolder = joined.length > 0 && (parts.at(-1) ?? "").length > 1 && (parts.at(-1) ?? "").endsWith("/")
  return `/${joined.join("/")}${isFolder ? "/" : ""}`.slice(0, MAX_PATH + 1)
}

/** The most characters of a path. A longer one is cut behind the next, and no route. */
export const MAX_PATH = 500

/** Joins the prefixes of all ranges around an offset, the outermost first. */
export const prefixAt = (ranges: ReadonlyArray<PrefixRange>, offset: number): string => {
  const around: Array<PrefixRange> = []
  for (const range of ranges.length > MAX_RANGES ? ranges.slice(0, MAX_RANGES) : ranges) {
    if (range.start <= offset && offset < range.end) around.push(range)
  }
  return joinPath(...around.sort((one, other) => one.start - other.start).map(({ prefix }) => prefix))
}

/** The most ranges of a file that are read. They are compared with each route. */
const MAX_RANGES = 500

/**
 * Returns the first of some classes, as many as have together at most four times the length of the text. Classes inside
 * of classes would else be read again at each level.
 */
export const readable = <A extends { readonly start: number; readonly end: number }>(
  classes: ReadonlyArray<A>,
  { text }: RouteSource,
): ReadonlyArray<A> => {
  let left = 4 * text.length
  return classes.filter(({ end, start }) => {
    left -= end - start
    return left >= 0
  })
}

/** Makes the route of a registration between two offsets. */
export const make = (
  { lineOf }: RouteSource,
  start: number,
  end: number,
  { handler, path, verb }: Pick<Route, "handler" | "path" | "verb">,
): Route => ({
  verb: verb.toUpperCase(),
  path,
  startLine: lineOf(start),
  endLine: lineOf(Math.max(start, end - 1)),
  handler,
})

/**
 * Returns the name in the argument that is a handler: `list` for `list`, `wrap(list)` and `wrap(a, list)`. Undefined
 * for a function that is written in place, and for other expressions.
 */
export const handlerIn = ({ code }: Part): string | undefined =>
  isFunction.test(code.slice(0, MAX_HEAD))
    ? undefined
    : /([A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[\w$]+){0,5})(?:\.bind\([^()]*\)|[\s,)]){0,20}$/.exec(code.slice(-300))?.[1]

/** How much of an argument is read to tell what it is, so that nested calls are not read again at each level. */
export const MAX_HEAD = 2_000

/** Matches a function that is written in place, in any of the languages. */
const isFunction = /=>|\bfunction\b|\bfn\b|\bfunc\s*\(|^(?:async\s+)?(?:move\s+)?\||\blambda\b/
