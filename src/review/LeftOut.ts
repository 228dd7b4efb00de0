/** Finds the files of a folder that Git has but a sparse checkout leaves out (`git sparse-checkout`). */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { plural } from "../base/Prose.ts"
import * as Files from "../code/Files.ts"
import * as LinkedWorktree from "../code/LinkedWorktree.ts"
import * as Git from "./Git.ts"

export interface LeftOut {
  /** The number of files that are left out, not counting those of `.vibe`. */
  readonly files: number
  /** The left-out files that hold purposes, relative to the folder. */
  readonly purposes: ReadonlyArray<string>
}

const PURPOSES = /^\.vibe\/purposes(?:\.jsonl$|\/)/

const NONE: LeftOut = { files: 0, purposes: [] }

/**
 * Finds the left-out files. `folder` is a real path. Git is run only if the repository has rules for a sparse checkout.
 * If git cannot be run, the result says that nothing is left out.
 */
export const find: (folder: string) => Effect.Effect<LeftOut, never, Git.Git | Files.Files> = Effect.fnUntraced(
  function* (folder) {
    if (!(yield* hasRules(folder))) return NONE
    const listed = yield* Git.read(folder, ["ls-files", "-t", "-z", "--", "."])
    const paths = listed
      .toString("utf8")
      .split("\0")
      .flatMap((entry) => (entry.startsWith("S ") ? [entry.slice(2)] : []))
    return {
      files: paths.filter((path) => !path.startsWith(".vibe/")).length,
      purposes: paths.filter((path) => PURPOSES.test(path)),
    }
  },
  Effect.catchAll(() => Effect.succeed(NONE)),
)

/** Returns whether the repository around a folder has rules. They stay even if a sparse checkout is disabled again. */
const hasRules = (folder: string): Effect.Effect<boolean, never, Files.Files> =>
  Effect.gen(function* () {
    const files = yield* Files.Files
    const git = path.join(folder, ".git")
    const stat = yield* Effect.option(files.stat(git))
    if (stat._tag === "None") {
      const parent = path.dirname(folder)
      return parent === folder ? false : yield* hasRules(parent)
    }
    const place = stat.value.kind === "file" ? yield* LinkedWorktree.readGitFile(files, git) : git
    return yield* Effect.isSuccess(files.stat(path.join(place, "info", "sparse-checkout")))
  }).pipe(Effect.catchAll(() => Effect.succeed(false)))

/** `12 files are not checked out (git sparse-checkout), and not in the index`. */
export const describe = ({ files }: LeftOut): string =>
  `${plural(files, "file")} ${files === 1 ? "is" : "are"} not checked out (git sparse-checkout), and not in the index`
