/** A folder with its index, in which symbols and files are looked up. */
import * as path from "node:path"
import type * as Effect from "effect/Effect"
import { isWithin } from "../base/isWithin.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../index/IndexStore.ts"
import type { Repository } from "./repositories/RepositoryPath.ts"

export interface Project {
  readonly workspace: Workspace
  readonly index: Index
  /** A path of the index as it is printed in text output. */
  readonly displayPath: DisplayPath
  /** The repositories of the project, if it is made of several. Then each path begins with the name of one. */
  readonly repositories?: ReadonlyArray<Repository> | undefined
  /** The pages of its wiki; undefined if lookups show none. */
  readonly pages?: Pages | undefined
}

/** A path of the index as it is printed. */
export type DisplayPath = (path: string) => string

/**
 * Returns a function that turns a path of the index into one that can be opened from the current folder. It is relative
 * to that folder, or absolute if that is shorter and the folder is outside the root. A slash at the end is kept.
 */
export const displayPath = (
  root: string,
  current: string,
  platform: NodeJS.Platform = process.platform,
): ((file: string) => string) => {
  const paths = pathOf(platform)
  const { join, relative, sep } = paths
  const isInside = isWithin(root, current, paths)
  return (file) => {
    const absolute = join(root, file)
    const fromHere = relative(current, absolute) || "."
    const shown = (isInside || fromHere.length <= absolute.length ? fromHere : absolute).replaceAll(sep, "/")
    return file.endsWith("/") && !shown.endsWith("/") ? `${shown}/` : shown
  }
}

/** The path functions of a system. */
export const pathOf = (platform: NodeJS.Platform): typeof path.posix => (platform === "win32" ? path.win32 : path.posix)

export interface Pages {
  /**
   * The page about a folder, as lines: the start page for `.`, and otherwise that of the part with most of its files.
   * Undefined if no page is about it.
   */
  readonly ofFolder: (folder: string, tokens: number) => Effect.Effect<ReadonlyArray<string> | undefined>
  /**
   * Returns what the wiki says about how something works as a whole, as lines of at most so many tokens: the page about
   * it, and statements with their places. Empty for any other question.
   */
  readonly forQuestion: (question: string, tokens: number) => Effect.Effect<ReadonlyArray<string>>
}
