/** Decides which two states of a repository are compared. */
import * as Effect from "effect/Effect"
import { UsageError } from "../base/UsageError.ts"
import * as Git from "./Git.ts"
import { GitError, NoMergeBase, NoSuchRevision, NotARepository } from "./GitError.ts"

export interface Repository {
  /** Absolute. */
  readonly top: string
  readonly isShallow: boolean
}

/** The name that stands for a working tree in place of the id of a commit. */
export const WORKING_TREE = "working tree"

export interface Comparison {
  /** The id of a commit, or of the empty tree. */
  readonly from: string
  /** The id of a commit, or `WORKING_TREE`. */
  readonly to: string
  /** The comparison in words: `the working tree with 1a2b3c4, where it left main`. */
  readonly title: string
  /** True if a merge is in progress. Then its changes are in the working tree. */
  readonly isMerging: boolean
}

/** Opens the repository around a folder. */
export const open = (folder: string): Effect.Effect<Repository, GitError, Git.Git> =>
  Git.read(folder, ["rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--show-toplevel"]).pipe(
    Effect.flatMap((output) => {
      const [isInside, isShallow, ...top] = output
        .toString("utf8")
        .replace(/\r?\n$/, "")
        .split("\n")
      return isInside === "true"
        ? // A path may have line breaks.
          Effect.succeed({ top: top.join("\n"), isShallow: isShallow === "true" })
        : Effect.fail(new GitError({ reason: new NotARepository({ folder }) }))
    }),
  )

/**
 * Compares the working tree with the point at which it left `base`. That is the merge base, so that what others have
 * done on `base` since does not count. By default, `base` is the upstream of the branch. If there is none, compares
 * with the last commit, or with nothing before the first commit.
 */
export const ofWorkingTree: (
  folder: string,
  repository: Repository,
  base: string | undefined,
  command?: string,
) => Effect.Effect<Comparison, GitError | UsageError, Git.Git> = Effect.fnUntraced(function* (
  folder,
  repository,
  base,
  command = "check",
) {
  const { head, isMerging } = yield* readHead(folder)
  const compare = (from: string, title: string): Comparison => ({
    from,
    to: WORKING_TREE,
    title: `the working tree with ${title}`,
    isMerging,
  })
  if (base !== undefined) {
    const commit = yield* resolve(folder, repository, base, command)
    if (head === undefined) return compare(commit, describe(base, commit))
    return compare(...(yield* mergeBase(folder, repository, [base, commit], ["HEAD", head])))
  }
  if (head === undefined) {
    const nothing = yield* Git.read(folder, ["hash-object", "-t", "tree", "--stdin"], { stdin: "" })
    return compare(nothing.toString("utf8").trim(), "nothing, since there is no commit yet")
  }
  const upstream = yield* Git.ask(folder, ["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"])
  const there = upstream === undefined ? undefined : yield* find(folder, "@{upstream}")
  if (upstream === undefined || there === undefined) return compare(head, `the last commit, ${short(head)}`)
  return compare(...(yield* mergeBase(folder, repository, [upstream, there], ["HEAD", head])))
})

/**
 * Reads a range. `A..B` means the commits of B that A does not have, as in `git log A..B`, and `A...B` means the same.
 * `A` alone means the same up to the working tree. If one end of a range is missing, it is HEAD.
 */
export const ofRange: (
  folder: string,
  repository: Repository,
  text: string,
) => Effect.Effect<Comparison, GitError | UsageError, Git.Git> = Effect.fnUntraced(
  function* (folder, repository, text) {
    const [, from, to] = /^(.*?)\.{2,3}(.*)$/s.exec(text) ?? []
    if (from === undefined || to === undefined) return yield* ofWorkingTree(folder, repository, text, "diff")
    const [one, other] = [from || "HEAD", to || "HEAD"]
    const last = yield* resolve(folder, repository, other, "diff")
    const [base, title] = yield* mergeBase(
      folder,
      repository,
      [one, yield* resolve(folder, repository, one, "diff")],
      [other, last],
    )
    return { from: base, to: last, title: `${describe(other, last)} with ${title}`, isMerging: false }
  },
)

const mergeBase = Effect.fnUntraced(function* (
  folder: string,
  { isShallow }: Repository,
  [one, commit]: readonly [name: string, commit: string],
  [other, last]: readonly [name: string, commit: string],
) {
  const base = commit === last ? commit : yield* Git.ask(folder, ["merge-base", commit, last])
  if (base === undefined) return yield* new GitError({ reason: new NoMergeBase({ one, other, isShallow }) })
  const title =
    base === commit
      ? describe(one, base)
      : base === last
        ? `${describe(one, commit)}, which has all its commits`
        : `${short(base)}, where it left ${commit.startsWith(one) ? short(commit) : one}`
  return [base, title] as const
})

const resolve = (
  folder: string,
  { isShallow }: Repository,
  revision: string,
  command: string,
): Effect.Effect<string, GitError | UsageError, Git.Git> =>
  // No name in Git begins with a dash, and git would take it for an option.
  revision.startsWith("-") || /\p{Cc}/u.test(revision)
    ? Effect.fail(new UsageError({ message: `'${revision}' is not the name of a commit`, command }))
    : Effect.flatMap(find(folder, revision), (commit) =>
        commit === undefined ? refuse(folder, revision, isShallow) : Effect.succeed(commit),
      )

const refuse = Effect.fnUntraced(function* (folder: string, revision: string, isShallow: boolean) {
  const isFirst =
    (yield* find(folder, "HEAD")) === undefined && (yield* Git.ask(folder, ["rev-list", "--all", "-1"])) === ""
  // A clone of a single branch does not fetch others by itself.
  const [, remote = "", branch = ""] = /^([\w.-]+)\/([\w./-]+)$/.exec(revision) ?? []
  const isRemote = remote !== "" && (yield* Git.ask(folder, ["config", "--get", `remote.${remote}.url`])) !== undefined
  return yield* new GitError({
    reason: new NoSuchRevision({
      revision,
      isShallow,
      isFirst,
      remote: isRemote ? `${remote} ${branch}:refs/remotes/${remote}/${branch}` : undefined,
    }),
  })
})

/** Asks one process of git for both, which leaves out what is not there. A merge in progress always has a HEAD. */
const readHead = (folder: string) =>
  Effect.flatMap(Git.Git, (git) =>
    git.run(folder, ["rev-parse", "--revs-only", "HEAD^{commit}", "MERGE_HEAD^{commit}"]),
  ).pipe(
    Effect.map(({ stdout }) => {
      const [head, merged] = stdout.toString("utf8").match(/\S+/g) ?? []
      return { head, isMerging: merged !== undefined }
    }),
  )

const find = (folder: string, revision: string) =>
  Git.ask(folder, ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`])

const short = (id: string): string => id.slice(0, 7)

/** Returns `main (1a2b3c4)`, or only the short id if the name is an id. */
const describe = (name: string, commit: string): string =>
  commit.startsWith(name) ? short(commit) : `${name} (${short(commit)})`
