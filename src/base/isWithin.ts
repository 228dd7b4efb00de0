/** Compares absolute paths of files and folders. */
import * as path from "node:path"

/**
 * Returns whether a path is a folder itself or below it. On Windows, which ignores case, either may be spelt in another
 * case.
 */
export const isWithin = (
  folder: string,
  file: string,
  { isAbsolute, relative, sep }: Pick<typeof path.posix, "isAbsolute" | "relative" | "sep"> = path,
): boolean => {
  const inside = relative(folder, file)
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
