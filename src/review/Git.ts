/** The port to the program git, which the adapter `Git/Program` runs. Only commands that change nothing are run. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Failed, GitError, NotARepository, OtherOwner, PartialClone } from "./GitError.ts"

export class Git extends Context.Tag("vibe/review/Git")<Git, Service>() {}

export interface Service {
  /** Runs git in a folder to its end. Fails if it cannot be started, but not if it ends with another code than 0. */
  readonly run: (folder: string, args: Arguments, input?: Input) => Effect.Effect<Finished, GitError>
}

/**
 * The arguments of git: a command, then its own; or the alias by which the merge driver
 * learns what its shell would run.
 */
type Arguments =
  | readonly [command: Command, ...ReadonlyArray<string>]
  | readonly ["-c", `alias.vibe-on-path=${string}`, "vibe-on-path"]

/**
 * The commands that are run. They are those for scripts, which read no settings for what people look at. `log` and
 * `show` would start `gpg.program` for a signed commit if `log.showSignature` is set, and `status` and `diff` filters.
 */
export type Command =
  | "cat-file"
  | "config"
  | "diff-index"
  | "diff-tree"
  | "for-each-ref"
  | "hash-object"
  | "ls-files"
  | "ls-tree"
  | "merge-base"
  | "rev-list"
  | "rev-parse"

export interface Input {
  readonly stdin?: string | undefined
  /** The most bytes of output that are kept, by default 64 MB. */
  readonly most?: number | undefined
}

interface Finished {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs git, and fails if it does. If the reason has no type of its own, the error has git's own message. */
export const read = (folder: string, args: Arguments, input?: Input): Effect.Effect<Buffer, GitError, Git> =>
  Effect.flatMap(Git, (git) => git.run(folder, args, input)).pipe(
    Effect.flatMap(({ code, stderr, stdout }) =>
      code === 0 ? Effect.succeed(stdout) : Effect.fail(new GitError({ reason: toReason(folder, code, stderr) })),
    ),
  )

/** Runs git and returns the first line that it prints; undefined if it ends with another code than 0. */
export const ask = (folder: string, args: Arguments): Effect.Effect<string | undefined, GitError, Git> =>
  Effect.flatMap(Git, (git) => git.run(folder, args)).pipe(
    Effect.map(({ code, stdout }) => (code === 0 ? stdout.toString("utf8").split("\n", 1)[0] : undefined)),
  )

/** Recognizes the reason by git's message, which is in English since git runs in the locale C. */
const toReason = (folder: string, code: number, stderr: string) => {
  if (/not a git repository|must be run in a work tree/i.test(stderr)) return new NotARepository({ folder })
  if (/dubious ownership|unsafe repository/i.test(stderr)) return new OtherOwner({ folder })
  if (/lazy fetching disabled|promisor remote|transport '\w+' not allowed/i.test(stderr)) return new PartialClone()
  const line = stderr
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.replace(/^(?:fatal|error): /, "")
  return new Failed({ detail: line?.slice(0, MAX_DETAIL) ?? `it ended with exit code ${code}` })
}

const MAX_DETAIL = 300
