/** Paths of a project that is made of several repositories: the name of one, then the path within it. Pure. */
import * as path from "node:path"

/** One of several repositories that are looked up in together. */
export interface Repository {
  /** What paths begin with. Has no slash, and is none of the others'. */
  readonly name: string
  /** Absolute, links resolved. */
  readonly root: string
}

/** The path `.` stands for all repositories, and for all of one where it is behind its name. */
export const ALL = "."

export const join = (name: string, inside: string): string => (inside === ALL ? name : `${name}/${inside}`)

/** The name and what is behind it. */
export const split = (joined: string): readonly [name: string, inside: string] => {
  const at = joined.indexOf("/")
  return at === -1 ? [joined, ALL] : [joined.slice(0, at), joined.slice(at + 1) || ALL]
}

/** The repository that a path is of; none for `.`, and for a path that begins with no name. */
export const repositoryOf = <A extends Pick<Repository, "name">>(
  repositories: ReadonlyArray<A>,
  joined: string,
): A | undefined => {
  const [name] = split(joined)
  return repositories.find((repository) => repository.name === name)
}

/** What a typed path may mean: one that begins with a name, else one relative to the current folder, or absolute. */
export const candidates = (repositories: ReadonlyArray<Repository>, typed: string): ReadonlyArray<string> => {
  const plain = withSlashes(path.normalize(typed)).replace(/\/$/, "") || ALL
  const absolute = path.resolve(typed)
  const below = repositories.flatMap(({ name, root }) => {
    const inside = path.relative(root, absolute)
    return inside === ".." || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)
      ? []
      : [join(name, withSlashes(inside) || ALL)]
  })
  return Array.from(new Set([plain, ...(plain === ALL ? [] : below)]))
}

/** The field `repo` of `--json`, where there are several. */
export const toJson = (
  repositories: ReadonlyArray<Repository> | undefined,
  joined: string,
): { readonly repo?: string } => {
  const repository = repositories === undefined ? undefined : repositoryOf(repositories, joined)
  return repository === undefined ? {} : { repo: repository.name }
}

const withSlashes = (file: string): string => file.replaceAll(path.sep, "/")
