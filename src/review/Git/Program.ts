/**
 * Runs the program git in such a way that no setting of a foreign repository starts another program. Git reads such
 * settings from the repository's own `.git/config`, which comes with an archive or a shared folder, though not with a
 * clone.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "../../process/ChildProcess.ts"
import type { Environment } from "../../process/Environment.ts"
import { Git, type Service } from "../Git.ts"
import { Failed, GitError, NotInstalled } from "../GitError.ts"

/** `environment` and `platform` are those of this process. */
export const layer = (environment: Environment, platform: NodeJS.Platform = process.platform): Layer.Layer<Git> =>
  Layer.succeed(Git, make(environment, platform))

const make = (environment: Environment, platform: NodeJS.Platform): Service => ({
  run: (folder, args, { most = MAX_OUTPUT_BYTES, stdin } = {}) =>
    ChildProcess.run(
      {
        program: "git",
        args: [...safeOptions(platform), ...args],
        cwd: folder,
        environment,
        env: SAFE_VARIABLES,
        encoding: "latin1",
      },
      { longest: most, ...(stdin !== undefined && { stdin }) },
    ).pipe(
      Effect.mapError(
        (error) =>
          new GitError({
            reason: error._tag === "NotFound" ? new NotInstalled() : new Failed({ detail: error.detail }),
          }),
      ),
      Effect.flatMap(({ code, signal, stderr, stdout }) =>
        code === null
          ? Effect.fail(new GitError({ reason: new Failed({ detail: `it was ended by ${signal}` }) }))
          : Effect.succeed({ code, stdout: Buffer.from(stdout, "latin1"), stderr }),
      ),
    ),
})

const MAX_OUTPUT_BYTES = 64_000_000

/**
 * Turns off the monitor of the file system (`core.fsmonitor`), hooks and the pager.
 *
 * Nothing else that could start a program is used. The commands (`Git.Command`) are those for scripts, and read names,
 * ids and objects. They never read a file of the working tree, to which Git would apply filters (`filter.*.clean`,
 * `filter.*.process`), and never show contents (`diff.external`, `textconv`); `--no-ext-diff` and `--no-textconv` say
 * so again if a command takes them. So `diff-index` only runs with `--cached`, and `diff-files`, `status` and
 * `hash-object` with a path never run.
 */
const safeOptions = (platform: NodeJS.Platform): ReadonlyArray<string> => [
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  // A device contains no files. On Windows `/dev/null` would be a folder of the drive, which other users may create.
  `core.hooksPath=${platform === "win32" ? "\\\\.\\nul" : "/dev/null"}`,
  "-c",
  "submodule.recurse=false",
]

/**
 * Forbids the network, through which a partial clone would fetch what it lacks, and questions to the user. Makes
 * messages recognizable.
 */
const SAFE_VARIABLES: Environment = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
}
