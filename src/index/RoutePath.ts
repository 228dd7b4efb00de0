/** Compares a route as it is typed, `GET /owners/7`, with the routes of a project. Pure. */

interface Wanted {
  /** The method in upper case; undefined for any. */
  readonly verb: string | undefined
  readonly path: string
}

/** Reads `GET /owners/new` and `/owners/new`. Undefined for other text, such as a question about a route. */
export const parse = (typed: string): Wanted | undefined => {
  const [, verb, path] = /^(?:([a-z]+)\s+)?(\/\S*)$/i.exec(typed.trim()) ?? []
  if (path === undefined || (verb !== undefined && !verbs.has(verb.toUpperCase()))) return undefined
  // A question mark begins the query of a URL, unless it ends an optional parameter.
  return { verb: verb?.toUpperCase(), path: path.replace(/\?[\w%.[\]-]+=.*$/, "") }
}

const verbs = new Set([
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "ANY",
  "ALL",
  "SEARCH",
  "PURGE",
  "QUERY",
])

/** Returns the routes that fit best, in their order; none if none fits. */
export const best = <A extends { readonly verb: string; readonly path: string }>(
  wanted: Wanted,
  routes: ReadonlyArray<A>,
): ReadonlyArray<A> => {
  const segments = segmentsOf(wanted.path)
  let highest = 1
  let found: Array<A> = []
  for (const route of routes) {
    if (!hasVerb(wanted, route.verb)) continue
    const score = scoreOf(wanted, segments, route.path)
    if (score > highest) found = []
    if (score >= highest) {
      highest = score
      found.push(route)
    }
  }
  return found
}

const hasVerb = ({ verb }: Wanted, other: string): boolean =>
  verb === undefined || verb === other || other === "ANY" || verb === "ANY" || verb === "ALL"

/**
 * Scores how a path fits the one that is typed. It is 4,000,000 if they are equal, 3,000,000 if they differ only in how
 * parameters are written, and 2,000,000 if values are typed in place of parameters. It is 1,000,000 if the path is the
 * end of the typed one, since another file may give a prefix. The path with more literal segments has some more of
 * each. The score is 0 if the path does not fit. What is typed without a method may be the path of a file, so then
 * parameters alone do not fit its segments.
 */
const scoreOf = (typed: Wanted, wanted: ReadonlyArray<string>, path: string): number => {
  if (typed.path === path) return 4_000_000
  const own = segmentsOf(path)
  const literal = own.filter((segment) => !isParameter(segment)).length
  if (own.length === wanted.length) {
    if (own.every((segment, at) => isSame(segment, wanted[at] ?? ""))) return 3_000_000 + literal
    const isSure = literal > 0 || typed.verb !== undefined
    if (isSure && own.every((segment, at) => fits(segment, wanted[at] ?? ""))) return 2_000_000 + literal
  }
  const end = wanted.slice(wanted.length - own.length)
  return own.length < wanted.length && literal > 0 && own.every((segment, at) => fits(segment, end[at] ?? ""))
    ? 1_000_000 + own.length * 100 + literal
    : 0
}

const segmentsOf = (path: string): ReadonlyArray<string> =>
  path
    .replace(/\(\.:format\)$/, "")
    .split("/")
    .filter((segment) => segment !== "")

/** Matches `:id`, `{id}`, `{id:[0-9]+}`, `<id>`, `<int:id>`, `*` and `(\\d+)`. */
const isParameter = (segment: string): boolean => /^(?::\w|\{.*\}$|<.*>$|\*|\(.*\)$)/.test(segment)

const isSame = (segment: string, wanted: string): boolean =>
  segment === wanted || (isParameter(segment) && isParameter(wanted))

const fits = (segment: string, wanted: string): boolean => isSame(segment, wanted) || isParameter(segment)
