/** Completes file names after `@`. */
import * as Effect from "effect/Effect"
import * as Repository from "../code/Repository.ts"
import type { Workspace } from "../code/Workspace.ts"

/** Makes the completion. It walks the folder at the first use, and again after 10 seconds. */
export const make = (workspace: Workspace): Effect.Effect<(letters: string) => Effect.Effect<ReadonlyArray<string>>> =>
  Effect.map(
    Repository.walk(workspace).pipe(
      Effect.map(({ files }) => files.map(({ path }) => path)),
      Effect.orElseSucceed((): ReadonlyArray<string> => []),
      Effect.cachedWithTTL("10 seconds"),
    ),
    (paths) => (letters) => Effect.map(paths, (paths) => rank(paths, letters).slice(0, LIMIT)),
  )

/** The most names that are offered at a time. */
const LIMIT = 50

/**
 * Ranks names that start with the letters first, then names that contain them, then paths that do; the shortest first.
 */
export const rank = (
  paths: ReadonlyArray<string>,
  letters: string,
  platform: NodeJS.Platform = process.platform,
): ReadonlyArray<string> => {
  const wanted = (platform === "win32" ? letters.replaceAll("\\", "/") : letters).toLowerCase()
  const rank = (path: string): number => {
    const lower = path.toLowerCase()
    const name = lower.slice(lower.lastIndexOf("/") + 1)
    if (lower.startsWith(wanted) || name.startsWith(wanted)) return 0
    if (name.includes(wanted)) return 1
    return lower.includes(wanted) ? 2 : 3
  }
  return paths
    .map((path) => ({ path, rank: rank(path) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank || one.path.length - other.path.length)
    .map(({ path }) => path)
}
