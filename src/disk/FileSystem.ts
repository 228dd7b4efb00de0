/**
 * Hides the differences of Windows' file systems: links, files that are open, identities. Synchronous; throws as Node
 * does.
 */
import * as fs from "node:fs"

const { O_NOFOLLOW, O_NONBLOCK } = fs.constants

/** The flags of a system. Windows has neither, and Node leaves them out there. */
export interface Flags {
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
export interface Renaming {
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
