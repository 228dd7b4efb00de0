/** The folder in which Node keeps the compiled code of this program from one run to the next. */
import { lstatSync, mkdirSync, statSync } from "node:fs"
import * as path from "node:path"

// Like bin.ts: no import beyond Node's own, and nothing that takes time. It runs before every command.

interface Options {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The id of the user that the process runs as; undefined on Windows. */
  readonly user: number | undefined
}

/**
 * Returns `vibe/compile` in the user's cache folder, which is made if it is missing. V8 executes the bytecode that it
 * finds there, and Node checks neither owner nor permissions. So there is no cache if another user could write to the
 * folder, if it cannot be made, or if the user has chosen a folder of their own, or none, by Node's variables.
 */
export const folderFor = ({ environment, user }: Options): string | undefined => {
  if (environment.NODE_COMPILE_CACHE || environment.NODE_DISABLE_COMPILE_CACHE) return undefined
  const caches = cachesIn(environment)
  if (caches === undefined) return undefined
  const own = path.join(caches, "vibe")
  const folder = path.join(own, "compile")
  try {
    return isUsersOrRoots(caches, user) && isPrivate(own, user) && isPrivate(folder, user) ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Follows the XDG Base Directory Specification: a relative path counts as not set. Windows has USERPROFILE for HOME.
 */
const cachesIn = ({ HOME, USERPROFILE, XDG_CACHE_HOME }: Options["environment"]): string | undefined => {
  if (isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME
  const home = [HOME, USERPROFILE].find(isAbsolute)
  return home === undefined ? undefined : path.join(home, ".cache")
}

const isAbsolute = (folder: string | undefined): folder is string => folder !== undefined && path.isAbsolute(folder)

/**
 * The folder of all caches may be a link. In one that everybody can write, such as /tmp, the sticky bit protects ours.
 */
const isUsersOrRoots = (folder: string, user: number | undefined): boolean => {
  const stats = statSync(folder, { throwIfNoEntry: false }) ?? makeFolder(folder)
  if (!stats.isDirectory()) return false
  if (user === undefined) return true
  return (stats.uid === user || stats.uid === 0) && ((stats.mode & 0o002) === 0 || (stats.mode & 0o1000) !== 0)
}

/** True for a folder, not a link to one, in which no other user can change anything. */
const isPrivate = (folder: string, user: number | undefined): boolean => {
  const stats = lstatSync(folder, { throwIfNoEntry: false }) ?? makeFolder(folder)
  return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0))
}

/** Another process may make it first, perhaps one of another user: the folder is checked like any other. */
const makeFolder = (folder: string) => {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
  return lstatSync(folder)
}
