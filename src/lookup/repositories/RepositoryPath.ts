/** Paths of a project that is made of several repositories: the name of one, then the path within it. Pure. */
import * as path from "node:path"
import { isWithin } from "../../base/isWithin.ts"

/** One of several repositories that are searched together. */
export interface Repository {
  /** The beginning of its paths. It has no slash and is unique. */
  readonly name: string
  /** Absolute, links resolved. */
  readonly root: string
}

/** The path `.` means all repositories, or, after the name of one, all of that one. */
export const ALL = "."

export const join = (name: string, inside: string): string => (inside === ALL ? name : `${name}/${inside}`)

/** Splits a path into the name and what follows it. */
export const split = (joined: string): readonly [name: string, inside: string] => {
  const at = joined.indexOf("/")
  return at === -1 ? [joined, ALL] : [joined.slice(0, at), joined.slice(at + 1) || ALL]
}

/** Returns the repository that a path belongs to; undefined for `.`, and for a path that begins with no name. */
export const repositoryOf = <A extends Pick<Repository, "name">>(
  repositories: ReadonlyArray<A>,
  joined: string,
): A | undefined => {
  const [name] = split(joined)
  return repositories.find((repository) => repository.name === name)
}

/**
 * Returns what a typed path may mean: a path that begins with a name, else one relative to the current folder, or
 * absolute.
 */
export const candidates = (repositories: ReadonlyArray<Repository>, typed: string): ReadonlyArray<string> => {
  const plain = withSlashes(path.normalize(typed)).replace(/\/$/, "") || ALL
  const absolute = path.resolve(typed)
  const below = repositories.flatMap(({ name, root }) => {
    return isWithin(root, absolute) ? [join(name, withSlashes(path.relative(root, absolute)) || ALL)] : []
  })
  return Array.from(new Set([plain, ...(plain === ALL ? [] : below)]))
}

/** The field `repo` of `--json` if there are several repositories. */
export const toJson = (
  repositories: ReadonlyArray<Repository> | undefined,
  joined: string,
): { readonly repo?: string } => {
  const repository = repositories === undefined ? undefined : repositoryOf(repositories, joined)
  return repository === undefined ? {} : { repo: repository.name }
}

const withSlashes = (file: string): string => file.replaceAll(path.sep, "/")
