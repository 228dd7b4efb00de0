/** Adds the nearest paths to the failure of a path that does not exist. */
import * as Effect from "effect/Effect"
import type { FileError } from "../../code/FileError.ts"
import * as Repository from "../../code/Repository.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type { Index } from "../../indexing/IndexStore.ts"
import * as PathSimilarity from "../../search/PathSimilarity.ts"
import { Failed } from "../../tool/ToolError.ts"

/** All paths of files, for what is similar. They are read only where a path does not exist. */
export type Paths = Effect.Effect<ReadonlyArray<string>, unknown>

export const indexed = (index: Index): Paths => Effect.map(index.files, (files) => files.map(({ path }) => path))

/** Without an index. */
export const walked = (workspace: Workspace): Paths =>
  Effect.map(Repository.walk(workspace), ({ files }) => files.map(({ path }) => path))

/** `describe`: the message of an error, if not its own. */
export const orNearest =
  (paths: Paths, describe: (error: FileError) => string = ({ message }) => message) =>
  <A, R>(effect: Effect.Effect<A, FileError, R>): Effect.Effect<A, Failed, R> =>
    Effect.catchAll(effect, (error) => {
      const message = describe(error)
      if (error.reason._tag !== "NotFound") return new Failed({ message })
      return paths.pipe(
        Effect.orElseSucceed((): ReadonlyArray<string> => []),
        Effect.flatMap((files) => {
          const known = new Set(files)
          const near = PathSimilarity.nearest(files, normalize(error.path)).map((path) =>
            known.has(path) ? path : `${path}/`,
          )
          return new Failed({ message: near.length === 0 ? message : `${message}; nearest: ${near.join(", ")}` })
        }),
      )
    })

/** Models write `./src/a.ts`, `/src/a.ts` and `src/`. */
const normalize = (path: string): string => path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "")
