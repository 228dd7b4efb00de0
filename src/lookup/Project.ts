/** A folder with its index, as it is looked up in. */
import * as path from "node:path"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../indexing/IndexStore.ts"
import type { Repository } from "./repositories/RepositoryPath.ts"

export interface Project {
  readonly workspace: Workspace
  readonly index: Index
  /** A path of the index as it is printed in text output. */
  readonly displayPath: DisplayPath
  /** Those that it is made of, where it is several: then each path begins with the name of one. */
  readonly repositories?: ReadonlyArray<Repository> | undefined
}

/** A path of the index as it is printed. */
export type DisplayPath = (path: string) => string

/**
 * Paths of the index as they can be opened from the current folder: relative to it, or absolute where that is shorter and
 * the folder is outside the root. A slash at its end is kept.
 */
export const displayPath = (root: string, current: string): ((file: string) => string) => {
  const toRoot = path.relative(root, current)
  const isInside = !toRoot.startsWith("..") && !path.isAbsolute(toRoot)
  return (file) => {
    const absolute = path.join(root, file)
    const relative = path.relative(current, absolute) || "."
    const shown = (isInside || relative.length <= absolute.length ? relative : absolute).replaceAll(path.sep, "/")
    return file.endsWith("/") && !shown.endsWith("/") ? `${shown}/` : shown
  }
}
