/**
 * Functions for files that Node lacks. They hide the differences of Windows (links, files that are open, identities),
 * make folders, read from an open file, and know the databases that only SQLite may open.
 * Synchronous; they throw as Node does.
 */

import * as fs from "node:fs"
import * as path from "node:path"

const { O_NOFOLLOW, O_NONBLOCK } = fs.constants

/** The flags of a system. Windows has neither, and Node leaves them out there. */
interface Flags {
  readonly noFollow: number | undefined
  readonly nonBlock: number | undefined
}

const ownFlags: Flags = { noFollow: O_NOFOLLOW, nonBlock: O_NONBLOCK }

/**
 * Opens a file, but not through a link at the end of its path, and without waiting for the other end of a FIFO. If the
 * system cannot refuse links, they are looked for before and after: a link that another program puts there meanwhile
 * may be followed, but is noticed before anything is read or written.
 */
export const openFile = (
  file: string,
  flags: number,
  mode = 0o666,
  { noFollow, nonBlock }: Flags = ownFlags,
): number => {
  if (noFollow !== undefined) return fs.openSync(file, flags | noFollow | (nonBlock ?? 0), mode)
  refuseLink(file)
  const descriptor = fs.openSync(file, flags, mode)
  try {
    refuseLink(file)
    return descriptor
  } catch (cause) {
    fs.closeSync(descriptor)
    throw cause
  }
}

const refuseLink = (file: string): void => {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw Object.assign(new Error(`ELOOP: a link that must not be followed, open '${file}'`), { code: "ELOOP" })
}

/** The functions of the system that renaming a file needs. */
interface Renaming {
  readonly platform: NodeJS.Platform
  readonly rename: (from: string, to: string) => void
  readonly pause: (milliseconds: number) => void
}

const ownRenaming: Renaming = {
  platform: process.platform,
  rename: fs.renameSync,
  pause: (milliseconds) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
}

/**
 * Puts a file in the place of another. In Windows that fails while any program has the other one open, such as a reader
 * of this program, a virus scanner or an indexer. That is over soon, so it is tried again for 1.3 seconds.
 */
export const replace = (from: string, to: string, { pause, platform, rename }: Renaming = ownRenaming): void => {
  for (const milliseconds of platform === "win32" ? PAUSES_MS : []) {
    try {
      rename(from, to)
      return
    } catch (cause) {
      if (!isInUse(cause)) throw cause
      pause(milliseconds)
    }
  }
  rename(from, to)
}

const PAUSES_MS = [10, 20, 40, 80, 160, 320, 640]

const isInUse = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && ["EPERM", "EACCES", "EBUSY"].includes(String(cause.code))

type Identity = Pick<fs.BigIntStats, "dev" | "ino">

/**
 * Returns whether both are the same file. In Windows the number of a volume has 64 bits or only the lower 32 of them,
 * depending on how the file was looked at: https://github.com/libuv/libuv/pull/4698
 */
export const isSameFile = (one: Identity, other: Identity, platform: NodeJS.Platform = process.platform): boolean => {
  const volume = (dev: bigint) => (platform === "win32" ? BigInt.asUintN(32, dev) : dev)
  return one.ino === other.ino && volume(one.dev) === volume(other.dev)
}

/** Returns the device and inode of the file that has this name now; undefined if there is none. */
export const identityOf = (file: string): string | undefined => {
  try {
    const { dev, ino } = fs.statSync(file, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined
  }
}

/**
 * Reads the first bytes of a file, at most `maxBytes`. `size` is only a hint: files of `/proc` have size 0 and may be
 * endless, and others grow.
 */
export const readFirst = (descriptor: number, maxBytes: number, size: number): Uint8Array => {
  // The buffer has one byte more than the size, so that the end of the file is found without enlarging it.
  let bytes = new Uint8Array(Math.min(maxBytes, size + 1))
  let length = 0
  while (length < maxBytes) {
    if (length === bytes.length) {
      const longer = new Uint8Array(Math.min(maxBytes, bytes.length * 2))
      longer.set(bytes)
      bytes = longer
    }
    const count = fs.readSync(descriptor, bytes, length, bytes.length - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

/**
 * Makes a folder and its missing parents; throws as Node does. It makes them one at a time, since `mkdirSync` with
 * `recursive` never returns if no folder can be made, such as in `/proc` (Node 24.21).
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  if (fs.existsSync(folder)) return
  const above = path.dirname(folder)
  // A drive or a share of Windows may not exist.
  if (above !== folder) makeFolder(above, mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process has made it meanwhile.
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}

const databases = new Set<string>()

/**
 * Adds to the databases that this process has opened. POSIX frees all locks of a process on a file when the process
 * closes any descriptor of it. So other code that opened and closed one of these files would let another process remove
 * the write-ahead log of an open connection (https://sqlite.org/howtocorrupt.html, section 2.2). A database stays in
 * the list after it is closed, since only SQLite needs to read it.
 */
export const addDatabase = (file: string): void => {
  const realPath = fs.realpathSync.native(file)
  // SQLite locks a part of the shared-memory file, too.
  for (const end of ["", "-shm"]) databases.add(realPath + end)
}

/** Returns whether only SQLite may open this real path. */
export const isDatabase = (realPath: string): boolean => databases.has(realPath)

/** Returns whether a process with this id is alive, even if it is of another user. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}
