/** The folder in the user's cache that a build of the executable unpacks itself into, once. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { File, List } from "./archive.ts"

export interface Options {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The id of the user that the process runs as; none on Windows. */
  readonly user: number | undefined
  /** The digest of the files: a build never runs the files of another one. */
  readonly build: string
  /** What a whole folder has. */
  readonly list: List
  readonly files: () => ReadonlyArray<File>
}

/** Kept, the running build among them: another one may be running, and loads parts of itself late. */
const KEPT_BUILDS = 2

/** What a process that was killed has left is removed after an hour; a younger one may still be at work. */
const ABANDONED_MS = 3_600_000

/** How often the time of a folder in use is written anew. */
const USED_MS = 86_400_000

const PREFIX = "program-"

/**
 * A folder with the unpacked files, whole: in the user's cache, or in a temporary one where no cache is safe to use.
 */
export const folderOf = (options: Options): string => {
  const cache = cacheIn(options)
  if (cache === undefined) return unpackTemporarily(options)
  const home = path.join(cache, `${PREFIX}${options.build}`)
  try {
    if (!isUsable(home, options)) unpackInto(home, options)
    else {
      markUsed(home)
      return home
    }
  } catch {
    // The disk is full, the cache is read-only, or something else is in the place of the folder.
    return unpackTemporarily(options)
  }
  removeOthers(cache, home)
  return home
}

/**
 * `vibe` in XDG_CACHE_HOME, in LOCALAPPDATA on Windows, else in `~/.cache`; none where another user could write to it.
 */
const cacheIn = ({ environment, platform, user }: Options): string | undefined => {
  const { HOME, LOCALAPPDATA, USERPROFILE, XDG_CACHE_HOME } = environment
  const isAbsolute = (folder: string | undefined): folder is string => folder !== undefined && path.isAbsolute(folder)
  const home = [HOME, USERPROFILE].find(isAbsolute)
  const caches = [
    XDG_CACHE_HOME,
    platform === "win32" ? LOCALAPPDATA : undefined,
    home === undefined ? undefined : path.join(home, ".cache"),
  ].find(isAbsolute)
  if (caches === undefined) return undefined
  const cache = path.join(caches, "vibe")
  try {
    fs.mkdirSync(cache, { recursive: true, mode: 0o700 })
    return isPrivate(cache, user) ? cache : undefined
  } catch {
    return undefined
  }
}

/** Whether it is there, a folder and no link, and no other user can change what is in it. */
const isPrivate = (folder: string, user: number | undefined): boolean => {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isDirectory()) return false
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0)
}

/** Whether it is private and has every file. Programs that clean caches remove files which were not read for long. */
const isUsable = (home: string, { list, user }: Options): boolean =>
  isPrivate(home, user) &&
  list.every(([file, length]) => fs.statSync(path.join(home, file), { throwIfNoEntry: false })?.size === length)

/** Its time says which build was used last. */
const markUsed = (home: string): void => {
  const now = Date.now()
  try {
    if (now - fs.statSync(home).mtimeMs > USED_MS) fs.utimesSync(home, now / 1000, now / 1000)
  } catch {
    // Only the order in which builds are removed depends on it.
  }
}

/** Unpacks beside the folder and renames, so that it is whole or not there. Of two processes at once, one renames. */
const unpackInto = (home: string, options: Options): void => {
  const fresh = fs.mkdtempSync(`${home}-`)
  try {
    write(fresh, options.files())
    rename(fresh, home, options)
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
}

const write = (folder: string, files: ReadonlyArray<File>): void => {
  const made = new Set<string>()
  for (const { bytes, path: name } of files) {
    const file = path.join(folder, name)
    const parent = path.dirname(file)
    if (!made.has(parent)) fs.mkdirSync(parent, { recursive: true })
    made.add(parent)
    fs.writeFileSync(file, bytes)
  }
}

/** On Windows a scanner of viruses may hold a new file open for a moment. */
const RENAMES = 20
const RENAME_WAIT_MS = 100

const rename = (fresh: string, home: string, options: Options): void => {
  for (let left = RENAMES; ; left--) {
    try {
      // A folder that lacks a file may be in its place.
      if (fs.existsSync(home) && !isUsable(home, options)) remove(home)
      fs.renameSync(fresh, home)
      return
    } catch (cause) {
      // The other process was faster. Its name holds the digest, so its files are the same.
      if (isUsable(home, options)) return
      if (left === 0 || process.platform !== "win32") throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_WAIT_MS)
    }
  }
}

/** Removes what older builds and killed processes have left. Nothing depends on it, so it never fails. */
const removeOthers = (cache: string, home: string): void => {
  try {
    const folders = fs.readdirSync(cache).flatMap((name) => {
      const folder = path.join(cache, name)
      if (!name.startsWith(PREFIX) || folder === home) return []
      return [{ folder, usedAt: fs.statSync(folder).mtimeMs, isWhole: !name.slice(PREFIX.length).includes("-") }]
    })
    const older = folders
      .filter(({ isWhole }) => isWhole)
      .toSorted((a, b) => b.usedAt - a.usedAt)
      .slice(KEPT_BUILDS - 1)
    const abandoned = folders.filter(({ isWhole, usedAt }) => !isWhole && Date.now() - usedAt > ABANDONED_MS)
    for (const { folder } of [...older, ...abandoned]) remove(folder)
  } catch {
    // Another process removes the same.
  }
}

/** Takes the folder out of its place first, so that what is left of it after a failure is not taken for a build. */
const remove = (folder: string): void => {
  const aside = `${folder}-${process.pid}-old`
  fs.renameSync(folder, aside)
  fs.rmSync(aside, { recursive: true, force: true })
}

/** In a folder of this process alone, which is removed when it ends. */
const unpackTemporarily = ({ files }: Options): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-"))
  process.on("exit", () => {
    try {
      fs.rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows removes no file that is open.
    }
  })
  write(folder, files())
  return folder
}
