/** Types of Java by their qualified name: `com/example/Type.java` below any folder. */
import type { Files, Rules } from "./Rules.ts"

export const make = ({ named }: Files): Rules => ({
  resolve: (from, specifier) => {
    if (specifier === "") return [from]
    const path = `${specifier.replaceAll(".", "/")}.java`
    const all = named(path.slice(path.lastIndexOf("/") + 1)).filter(
      (file) => file === path || file.endsWith(`/${path}`),
    )
    return all.length > 1 ? [nearestTo(from, all)] : all
  },
})

/**
 * Returns the path with the longest beginning in common: a project may hold a type of the same name in several modules.
 */
export const nearestTo = (from: string, paths: ReadonlyArray<string>): string => {
  let [best = ""] = paths
  let most = -1
  for (const path of paths) {
    let common = 0
    while (common < path.length && path[common] === from[common]) common++
    if (common > most) [best, most] = [path, common]
  }
  return best
}
