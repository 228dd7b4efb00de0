/**
 * The files of a workspace that the user wants to see, beside its ignore files: patterns as in gitignore(5), from the
 * root.
 */
import { compileGlob } from "./internal/glob.ts"
import * as IgnoreRules from "./internal/IgnoreRules.ts"

/** The patterns as the user gave them. */
export interface Selection {
  /** Entries to leave out, whatever `include` says; a pattern may be negated (`!libs/ours.js`). */
  readonly exclude: ReadonlyArray<string>
  /** Entries to show although ignore files leave them out, with everything inside them. */
  readonly include: ReadonlyArray<string>
}

export const none: Selection = { exclude: [], include: [] }

/** Returns all patterns of both; those of the second come last. */
export const concat = (one: Selection, other: Selection): Selection => ({
  exclude: [...one.exclude, ...other.exclude],
  include: [...one.include, ...other.include],
})

/**
 * Returns the patterns that a user has typed. On Windows a backslash is a separator, unless it escapes a character that
 * a name may have there.
 */
export const toPatterns = (typed: ReadonlyArray<string>, platform: string = process.platform): ReadonlyArray<string> =>
  platform === "win32" ? typed.map((pattern) => pattern.replaceAll(/\\+(?![[\]!# ])/g, "/")) : typed

/**
 * Returns whether an entry is left out. `isIgnored` tells whether ignore files leave it out. An ignored folder is shown
 * if a pattern that names a path may include something in it; for a name alone (`*.gen.ts`) ignored folders are not
 * searched.
 */
export type Hides = (path: string, kind: "file" | "folder", isIgnored: boolean) => boolean

export const compile = ({ exclude, include }: Selection): Hides => {
  if (exclude.length === 0 && include.length === 0) return (_path, _kind, isIgnored) => isIgnored
  const excluded = toRules(exclude)
  const included = toRules(include)
  const ways = include.flatMap(toWay)
  return (path, kind, isIgnored) => {
    if (IgnoreRules.ignores(excluded, path, kind)) return true
    if (!isIgnored || IgnoreRules.ignores(included, path, kind)) return false
    const names = path.split("/")
    return kind === "file" || !ways.some((way) => leadsTo(way, names))
  }
}

const toRules = (patterns: ReadonlyArray<string>): IgnoreRules.IgnoreRules =>
  IgnoreRules.extend(IgnoreRules.empty, "", { git: patterns.map(oneLine).join("\n"), vibe: "" })

/** Removes line breaks, since a pattern with a line break would be several patterns. */
const oneLine = (pattern: string): string => pattern.replaceAll(/[\r\n]/g, "")

/** The folders on the way to the entries that a pattern names. After a `**` every folder may be on the way. */
interface Way {
  readonly folders: ReadonlyArray<(name: string) => boolean>
  readonly isOpen: boolean
}

/** Returns nothing for a negated pattern, and for one that names no path. */
const toWay = (pattern: string): ReadonlyArray<Way> => {
  const folders = pattern.replace(/^\//, "").replace(/\/$/, "").split("/").slice(0, -1)
  const stars = folders.indexOf("**")
  const named = stars < 0 ? folders : folders.slice(0, stars)
  return pattern.startsWith("!") || named.length === 0
    ? []
    : [{ folders: named.map((folder) => compileGlob(folder)), isOpen: stars >= 0 }]
}

const leadsTo = ({ folders, isOpen }: Way, names: ReadonlyArray<string>): boolean =>
  (isOpen || names.length <= folders.length) &&
  folders.slice(0, names.length).every((matches, depth) => matches(names[depth] ?? ""))
