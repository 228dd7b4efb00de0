/**
 * The file system by Node.js. The synchronous functions of `node:fs` are five to eight times faster than promises, and
 * nothing here blocks. Files are written into the folder that was checked, even if its path is replaced meanwhile.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs"
import { basename, dirname, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as AtomicFile from "../../disk/AtomicFile.ts"
import { DiskError, Full, toWriteError, Unwritable } from "../../disk/DiskError.ts"
import * as FileSystem from "../../disk/FileSystem.ts"
import {
  Changed,
  FileError,
  NotAFile,
  NotAFolder,
  NotFound,
  type Reason,
  Refused,
  TooLarge,
  Unreadable,
} from "../FileError.ts"
import * as Files from "../Files.ts"

const bigint = { bigint: true } as const

/**
 * `descriptors` says whether `/proc/self/fd` gives the real path of an open file, and access to it after its path was
 * replaced.
 */
export const make = ({ descriptors }: { readonly descriptors: boolean }): Files.Service => {
  const realPathOf = (descriptor: number, path: string): string => {
    if (descriptors) return readlinkSync(`/proc/self/fd/${descriptor}`)
    const realPath = realpathSync.native(path)
    const isSame = FileSystem.isSameFile(fstatSync(descriptor, bigint), lstatSync(realPath, bigint))
    if (!isSame) throw new Error("replaced while it was opened")
    return realPath
  }

  /** Opens the parent folder of a path, checks that its path is real, and calls `use` with a path through it. */
  const inFolder = (path: string, use: (place: string) => void) =>
    Effect.try({
      try: () => {
        const folder = dirname(path)
        const descriptor = openSync(folder, NO_FOLLOW_NO_BLOCK | constants.O_DIRECTORY)
        try {
          // Windows takes both separators, but a real path has only its own.
          if (realPathOf(descriptor, folder) !== folder.replaceAll("/", sep)) throw new NotARealPath()
          use(descriptors ? `/proc/self/fd/${descriptor}/${basename(path)}` : path)
        } finally {
          closeSync(descriptor)
        }
      },
      catch: (cause) => new FileError({ path, reason: toWriteReason(path, cause) }),
    })

  return {
    user: process.geteuid?.(),
    realPath: (path) => attempt(path, () => realpathSync.native(path)),
    stat: (path) => attempt(path, () => toStat(lstatSync(path))),
    list: (path) =>
      attempt(path, () => {
        const descriptor = openSync(path, NO_FOLLOW_NO_BLOCK | constants.O_DIRECTORY)
        try {
          const folder = descriptors ? `/proc/self/fd/${descriptor}` : path
          const names = readdirSync(folder)
          const { nameless, valid } = names.some(hasReplacement) ? listBytes(folder) : { nameless: [], valid: names }
          const entries: Array<Files.Entry> = []
          for (const name of valid.sort()) {
            const stats = lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })
            if (stats !== undefined) entries.push({ name, stat: toStat(stats) })
          }
          return { realPath: realPathOf(descriptor, path), entries, nameless }
        } finally {
          closeSync(descriptor)
        }
      }),
    readReal: (path, most) => {
      const fail = (reason: Reason) => Effect.fail(new FileError({ path, reason }))
      // SQLite would lose its locks on a database that this process has open when a descriptor of it is closed.
      return FileSystem.isDatabase(path)
        ? fail(new Refused())
        : Effect.flatten(
            attempt(path, () => {
              const descriptor = openSync(path, NO_FOLLOW_NO_BLOCK)
              try {
                const stat = toStat(fstatSync(descriptor))
                if (realPathOf(descriptor, path) !== path) return fail(new Refused())
                if (stat.kind !== "file") return fail(new NotAFile())
                const bytes = FileSystem.readFirst(descriptor, most + 1, stat.size)
                return bytes.length > most ? fail(new TooLarge({ limit: most })) : Effect.succeed({ bytes, stat })
              } finally {
                closeSync(descriptor)
              }
            }),
          )
    },
    read: (path, { most, pipes = false }) =>
      Effect.acquireUseRelease(
        attempt(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)),
        (descriptor) =>
          Effect.flatMap(
            attempt(path, () => fstatSync(descriptor)),
            (stats) => {
              if (stats.isFile()) return attempt(path, () => FileSystem.readFirst(descriptor, most, stats.size))
              if (pipes && stats.isFIFO()) return readPipe(path, descriptor, most)
              return Effect.fail(new FileError({ path, reason: new NotAFile() }))
            },
          ),
        (descriptor) => Effect.sync(() => closeSync(descriptor)),
      ),
    makeFolder: (path) => inFolder(path, (place) => void mkdirSync(place, { recursive: true })),
    write: (path, text, over) =>
      inFolder(path, (place) => {
        const mode = modeOf(place)
        const shouldReplace = () => over === undefined || hasContent(place, over)
        if (!AtomicFile.replace(place, text, { mode, shouldReplace })) throw new UnexpectedContent()
      }),
    remove: (path, bytes) =>
      inFolder(path, (place) => {
        if (lstatSync(place).isDirectory()) throw new IsAFolder()
        if (!hasContent(place, { bytes })) throw new UnexpectedContent()
        unlinkSync(place)
      }),
    removeFolder: (path) => inFolder(path, rmdirSync),
  }
}

export const layer: Layer.Layer<Files.Files> = Layer.sync(Files.Files, () =>
  make({ descriptors: process.platform === "linux" && existsSync("/proc/self/fd") }),
)

/** Opens no link at the end of the path, and does not wait for the other end of a FIFO. */
const NO_FOLLOW_NO_BLOCK = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const attempt = <A>(path: string, run: () => A): Effect.Effect<A, FileError> =>
  Effect.try({ try: run, catch: (cause) => new FileError({ path, reason: toReason(cause) }) })

const toReason = (cause: unknown): Reason => {
  switch (cause instanceof Error && "code" in cause ? cause.code : undefined) {
    case "ENOENT":
    case "ENAMETOOLONG":
    case "ERR_INVALID_ARG_VALUE": // a NUL in the path
      return new NotFound()
    case "ENOTDIR":
      return new NotAFolder()
    case "EISDIR":
    case "ELOOP": // a link that must not be followed, or links in a circle
    case "ENXIO": // a socket
    case "ENODEV":
      return new NotAFile()
    default:
      return new Unreadable({ cause })
  }
}

/** Returns whether a name may have bytes that are not UTF-8: Node.js reads each of them as U+FFFD. */
const hasReplacement = (name: string): boolean => name.includes("\uFFFD")

/** Lists the names of a folder as bytes. An entry whose name is not UTF-8 is found only by these bytes. */
const listBytes = (folder: string) => {
  const valid: Array<string> = []
  const nameless: Array<Files.Entry> = []
  for (const bytes of readdirSync(folder, { encoding: "buffer" })) {
    const name = bytes.toString()
    if (bytes.equals(Buffer.from(name))) valid.push(name)
    else {
      const stats = lstatSync(Buffer.concat([Buffer.from(`${folder}/`), bytes]), { throwIfNoEntry: false })
      if (stats !== undefined) nameless.push({ name, stat: toStat(stats) })
    }
  }
  return { nameless: nameless.sort((one, other) => (one.name < other.name ? -1 : 1)), valid }
}

/** A link was followed in the path of a folder. */
class NotARealPath extends Error {}

/** The file has other content than expected. */
class UnexpectedContent extends Error {}

/** A folder is in the place of a file. */
class IsAFolder extends Error {}

/** Returns the permissions of the file to replace, if it exists. Throws if it is read-only. */
const modeOf = (place: string): number | undefined => {
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return undefined
  accessSync(place, constants.W_OK)
  // `accessSync` lets root write a read-only file.
  if ((stats.mode & 0o222) === 0) throw new Error("the file is read-only")
  return stats.mode & 0o777
}

const hasContent = (place: string, { bytes }: Files.Over): boolean => {
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined || bytes === undefined) return stats === undefined && bytes === undefined
  if (!stats.isFile() || stats.size !== bytes.length) return false
  const descriptor = openSync(place, NO_FOLLOW_NO_BLOCK)
  try {
    return Files.isSame(bytes, FileSystem.readFirst(descriptor, bytes.length + 1, bytes.length))
  } finally {
    closeSync(descriptor)
  }
}

const toWriteReason = (path: string, cause: unknown): Reason => {
  if (cause instanceof NotARealPath) return new NotAFolder()
  if (cause instanceof UnexpectedContent) return new Changed()
  if (cause instanceof IsAFolder) return new NotAFile()
  const known = toReason(cause)
  if (known._tag !== "Unreadable") return known
  const { reason } = cause instanceof DiskError ? cause : toWriteError(path, cause)
  return reason._tag === "Full" ? new Full({ cause }) : new Unwritable({ cause })
}

const toStat = (stats: Stats): Files.Stat => ({
  kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other",
  size: stats.size,
  modified: stats.mtimeMs,
  changed: stats.ctimeMs,
  // On Windows it has 64 bits, which is more than a double holds.
  inode: process.platform === "win32" ? undefined : stats.ino,
  // Windows reports 0 for all users.
  owner: process.geteuid === undefined ? undefined : stats.uid,
})

/** Milliseconds between two reads of an empty pipe. */
const POLL_MS = 5

/**
 * Reads a pipe up to its end. It is polled, because a blocking read on a thread of Node cannot be interrupted and would
 * keep the process open.
 */
const readPipe = Effect.fnUntraced(function* (path: string, descriptor: number, most: number) {
  const part = new Uint8Array(Math.min(most, 65_536))
  const next = attempt(path, () => readSync(descriptor, part, 0, part.length, null)).pipe(
    Effect.retry({ while: isEmpty, schedule: Schedule.spaced(POLL_MS) }),
  )
  const parts: Array<Uint8Array> = []
  for (let left = most; left > 0; ) {
    const count = yield* next
    if (count === 0) break
    parts.push(part.slice(0, Math.min(count, left)))
    left -= count
  }
  return Buffer.concat(parts)
})

/** Returns whether a pipe is empty while another process has it open for writing. */
const isEmpty = ({ reason }: FileError): boolean =>
  reason._tag === "Unreadable" &&
  reason.cause instanceof Error &&
  "code" in reason.cause &&
  reason.cause.code === "EAGAIN"
