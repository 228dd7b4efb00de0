/**
 * Writes text files atomically: after a crash a file has its old or its new content, never a part of it.
 *
 * The functions are synchronous, because they run inside `Sqlite.transaction`. They throw `DiskError`, which
 * `Sqlite.attempt` turns into a failure. None of them follows a link or waits at a FIFO, since an untrusted repository
 * could contain a link to any file of the user.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { DiskError, NotAFile, toWriteError, Unreadable } from "./DiskError.ts"
import * as FileSystem from "./FileSystem.ts"
import { isAlive } from "./FileSystem.ts"

/**
 * Returns the text of a file, or an empty text if there is none. Throws `Unreadable` for a file of more than `maxBytes`
 * bytes.
 */
export const read = (file: string, maxBytes = MAX_BYTES): string => {
  try {
    const bytes = withFile(file, O_RDONLY, (descriptor, { size }) =>
      FileSystem.readFirst(descriptor, maxBytes + 1, size),
    )
    if (bytes.length > maxBytes) throw new Error(`larger than ${maxBytes} bytes`)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
  } catch (cause) {
    if (isMissing(cause)) return ""
    throw new DiskError({ path: file, reason: isOther(file) ? new NotAFile() : new Unreadable({ cause }) })
  }
}

/** Returns whether a folder, a link or a device is in the place of the file. */
const isOther = (file: string): boolean => {
  try {
    return !fs.lstatSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * The most bytes that are read by default: more than the purposes of any repository, and half of the longest string
 * that Node can hold.
 */
const MAX_BYTES = 256_000_000

export interface ReplaceOptions {
  /** The permissions that the file gets; by default those of any new file. */
  readonly mode?: number | undefined
  /** Called just before the file is replaced. If it returns false, the file stays as it is. */
  readonly shouldReplace?: (() => boolean) | undefined
  /** False for a text that is worth nothing after a crash of the machine: then nothing waits for the disk. */
  readonly isDurable?: boolean | undefined
}

/** Replaces the content of a file. Readers see the old text or the new one. Returns the result of `shouldReplace`. */
export const replace = (
  file: string,
  text: string | Uint8Array,
  { shouldReplace: isMeant = () => true, mode, isDurable = true }: ReplaceOptions = {},
): boolean => {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    withFile(temporary, O_RDWR | O_CREAT | O_TRUNC, (descriptor) => {
      fs.writeFileSync(descriptor, text)
      if (mode !== undefined) fs.fchmodSync(descriptor, mode)
      if (isDurable) fs.fsyncSync(descriptor)
    })
    if (!isMeant()) {
      fs.rmSync(temporary, { force: true })
      return false
    }
    FileSystem.replace(temporary, file)
    if (isDurable) syncFolder(path.dirname(file))
    return true
  } catch (cause) {
    fs.rmSync(temporary, { force: true })
    throw toWriteError(file, cause)
  }
}

/**
 * Removes temporary files of processes that were killed during `replace`, and what SQLite keeps beside a temporary
 * database, but not those of living processes.
 */
export const removeLeftovers = (file: string): void => {
  try {
    const folder = path.dirname(file)
    const isLeftOver = (name: string) => {
      const [, pid] = name.startsWith(`${path.basename(file)}.`)
        ? (/\.(\d+)\.tmp(?:-journal|-wal|-shm)?$/.exec(name) ?? [])
        : []
      // This process replaces nothing at the moment.
      return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))
    }
    for (const name of fs.readdirSync(folder).filter(isLeftOver)) fs.rmSync(path.join(folder, name), { force: true })
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

/**
 * Appends whole lines, each with its line feed, in one write, and returns when they are on the disk. If a crash has
 * left a partial last line, that line is ended first.
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

/** Removes a file; does nothing if there is no such file. */
export const remove = (file: string): void => {
  try {
    fs.rmSync(file, { force: true })
  } catch (cause) {
    throw toWriteError(file, cause)
  }
}

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_TRUNC } = fs.constants

const withFile = <A>(file: string, flags: number, body: (descriptor: number, stat: fs.Stats) => A): A => {
  const descriptor = FileSystem.openFile(file, flags)
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

/** Syncs a folder: a new file name is durable only after that. Windows cannot open folders. */
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
