/**
 * Text files that a crash leaves whole: what was there before, or what was written, never a half of it.
 *
 * Plain synchronous functions, because they run inside `Sqlite.transaction`; they throw `DiskError`, which
 * `Sqlite.attempt` turns into a failure. None of them goes through a link or waits at a FIFO: a repository of others
 * could point one at any file of ours.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as Descriptor from "./Descriptor.ts"
import { DiskError, toWriteError, Unreadable } from "./DiskError.ts"
import { isAlive } from "./Process.ts"

/** The text of a file; empty where there is none. Throws `Unreadable` for one of more than `most` bytes. */
export const read = (file: string, most = MAX_BYTES): string => {
  try {
    const bytes = withFile(file, O_RDONLY, (descriptor, { size }) => Descriptor.readFirst(descriptor, most + 1, size))
    if (bytes.length > most) throw new Error(`larger than ${most} bytes`)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
  } catch (cause) {
    if (isMissing(cause)) return ""
    throw new DiskError({ path: file, reason: new Unreadable({ cause }) })
  }
}

/** Bytes: more than purposes of any repository, and half of what Node can hold as one text. */
const MAX_BYTES = 256_000_000

export interface ReplaceOptions {
  /** The permissions that the file gets; without, those of any new file. */
  readonly mode?: number | undefined
  /** Asked at the last moment: where it says no, the file stays as it is. */
  readonly shouldReplace?: (() => boolean) | undefined
}

/**
 * Puts `text` in the place of the file. Whoever reads it meanwhile sees the old text or the new one. Says whether it
 * was meant.
 */
export const replace = (
  file: string,
  text: string,
  { shouldReplace: isMeant = () => true, mode }: ReplaceOptions = {},
): boolean => {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    withFile(temporary, O_RDWR | O_CREAT | O_TRUNC, (descriptor) => {
      fs.writeFileSync(descriptor, text)
      if (mode !== undefined) fs.fchmodSync(descriptor, mode)
      fs.fsyncSync(descriptor)
    })
    if (!isMeant()) {
      fs.rmSync(temporary, { force: true })
      return false
    }
    fs.renameSync(temporary, file)
    syncFolder(path.dirname(file))
    return true
  } catch (cause) {
    fs.rmSync(temporary, { force: true })
    throw toWriteError(file, cause)
  }
}

/** Removes what processes left beside the file that were killed while they replaced it; not of those that still live. */
export const removeLeftovers = (file: string): void => {
  try {
    const folder = path.dirname(file)
    const isLeftOver = (name: string) => {
      const [, pid] = name.startsWith(`${path.basename(file)}.`) ? (/\.(\d+)\.tmp$/.exec(name) ?? []) : []
      // This process replaces nothing at the moment.
      return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))
    }
    for (const name of fs.readdirSync(folder).filter(isLeftOver)) fs.rmSync(path.join(folder, name), { force: true })
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

/**
 * Adds whole lines (each ends with a line feed) in one write, and returns when they are on the disk. A last line that
 * a crash has torn is ended first, so that it spoils no other.
 */
export const append = (file: string, lines: string): void => {
  try {
    withFile(file, O_RDWR | O_CREAT | O_APPEND, (descriptor, { size }) => {
      const isTorn = size > 0 && byteAt(descriptor, size - 1) !== LINE_FEED
      fs.writeFileSync(descriptor, isTorn ? `\n${lines}` : lines)
      fs.fsyncSync(descriptor)
      if (size === 0) syncFolder(path.dirname(file))
    })
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

/** Also where there is none. */
export const remove = (file: string): void => {
  try {
    fs.rmSync(file, { force: true })
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_TRUNC } = fs.constants

const withFile = <A>(file: string, flags: number, body: (descriptor: number, stat: fs.Stats) => A): A => {
  const descriptor = fs.openSync(file, flags | O_NOFOLLOW | O_NONBLOCK, 0o666)
  try {
    const stat = fs.fstatSync(descriptor)
    if (!stat.isFile()) throw new Error("not a file")
    return body(descriptor, stat)
  } finally {
    fs.closeSync(descriptor)
  }
}

const byteAt = (descriptor: number, position: number): number | undefined => {
  const byte = Buffer.alloc(1)
  fs.readSync(descriptor, byte, 0, 1, position)
  return byte[0]
}

const LINE_FEED = 10

/** A new name is on the disk only when its folder is. Windows opens no folders. */
const syncFolder = (folder: string): void => {
  if (process.platform === "win32") return
  const descriptor = fs.openSync(folder, O_RDONLY)
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"
