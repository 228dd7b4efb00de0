/**
 * The file system of this machine, over synchronous `node:fs`: five to eight times faster than promised reads, and
 * nothing here can wait. What is written goes into the very folder that was checked.
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
  type Stats,
} from "node:fs"
import { basename, dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as AtomicFile from "../../disk/AtomicFile.ts"
import * as Descriptor from "../../disk/Descriptor.ts"
import { DiskError, Full, toWriteError, Unwritable } from "../../disk/DiskError.ts"
import * as OpenDatabases from "../../disk/OpenDatabases.ts"
import { Changed, FileError, NotAFile, NotAFolder, NotFound, type Reason, Refused, Unreadable } from "../FileError.ts"
import * as Files from "../Files.ts"

/** `descriptors`: whether `/proc/self/fd` tells where an open file is, and leads to it whatever its path names by now. */
export const make = ({ descriptors }: { readonly descriptors: boolean }): Files.Service => {
  const realPathOf = (descriptor: number, path: string): string => {
    if (descriptors) return readlinkSync(`/proc/self/fd/${descriptor}`)
    const realPath = realpathSync.native(path)
    const opened = fstatSync(descriptor)
    const named = lstatSync(realPath)
    if (opened.dev !== named.dev || opened.ino !== named.ino) throw new Error("replaced while it was opened")
    return realPath
  }

  /** Opens the folder of a path, makes sure that it is there and not elsewhere, and gives the path as it is in it. */
  const inFolder = (path: string, use: (place: string) => void) =>
    Effect.try({
      try: () => {
        const folder = dirname(path)
        const descriptor = openSync(folder, QUIETLY | constants.O_DIRECTORY)
        try {
          if (realPathOf(descriptor, folder) !== folder) throw new Elsewhere()
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
        const descriptor = openSync(path, QUIETLY | constants.O_DIRECTORY)
        try {
          const folder = descriptors ? `/proc/self/fd/${descriptor}` : path
          const entries: Array<Files.Entry> = []
          for (const name of readdirSync(folder).sort()) {
            const stats = lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })
            if (stats !== undefined) entries.push({ name, stat: toStat(stats) })
          }
          return { realPath: realPathOf(descriptor, path), entries }
        } finally {
          closeSync(descriptor)
        }
      }),
    open: (path) =>
      Effect.acquireRelease(
        OpenDatabases.has(path)
          ? Effect.fail(new FileError({ path, reason: new Refused() }))
          : attempt(path, () => openSync(path, QUIETLY)),
        (descriptor) => Effect.sync(() => closeSync(descriptor)),
      ).pipe(
        Effect.flatMap((descriptor) =>
          attempt(path, () => {
            const stat = toStat(fstatSync(descriptor))
            return {
              stat,
              realPath: realPathOf(descriptor, path),
              read: (most: number) => attempt(path, () => Descriptor.readFirst(descriptor, most, stat.size)),
            }
          }),
        ),
      ),
    read: (path, { most, pipes = false }) =>
      Effect.acquireUseRelease(
        attempt(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)),
        (descriptor) =>
          Effect.flatMap(
            attempt(path, () => fstatSync(descriptor)),
            (stats) => {
              if (stats.isFile()) return attempt(path, () => Descriptor.readFirst(descriptor, most, stats.size))
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
        const isMeant = () => over === undefined || isStill(place, over)
        if (!AtomicFile.replace(place, text, { mode, shouldReplace: isMeant })) throw new OtherThanMeant()
      }),
  }
}

export const layer: Layer.Layer<Files.Files> = Layer.sync(Files.Files, () =>
  make({ descriptors: process.platform === "linux" && existsSync("/proc/self/fd") }),
)

/** Not through a link at the end of the path, and without waiting for the other end of a FIFO. */
const QUIETLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

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

/** A link was followed on the way to a folder. */
class Elsewhere extends Error {}

/** Something else is there than whoever writes takes to be there. */
class OtherThanMeant extends Error {}

/** The permissions of the file that is to be replaced, if there is one. Throws where they let nobody write it. */
const modeOf = (place: string): number | undefined => {
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile()) return undefined
  accessSync(place, constants.W_OK)
  // Root may do what the permissions say that nobody should.
  if ((stats.mode & 0o222) === 0) throw new Error("nobody may write it")
  return stats.mode & 0o777
}

const isStill = (place: string, { bytes }: Files.Over): boolean => {
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined || bytes === undefined) return stats === undefined && bytes === undefined
  if (!stats.isFile() || stats.size !== bytes.length) return false
  const descriptor = openSync(place, QUIETLY)
  try {
    return Files.isSame(bytes, Descriptor.readFirst(descriptor, bytes.length + 1, bytes.length))
  } finally {
    closeSync(descriptor)
  }
}

const toWriteReason = (path: string, cause: unknown): Reason => {
  if (cause instanceof Elsewhere) return new NotAFolder()
  if (cause instanceof OtherThanMeant) return new Changed()
  const known = toReason(cause)
  if (known._tag !== "Unreadable") return known
  const { reason } = cause instanceof DiskError ? cause : toWriteError(path, cause)
  return reason._tag === "Full" ? new Full({ cause }) : new Unwritable({ cause })
}

const toStat = (stats: Stats): Files.Stat => ({
  kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other",
  size: stats.size,
  modified: stats.mtimeMs,
  // Windows says 0 for everybody.
  owner: process.geteuid === undefined ? undefined : stats.uid,
})

/** Milliseconds between two looks at a pipe into which nothing has come. */
const PAUSE = 5

/**
 * What comes through a pipe, up to its end. It is looked at again and again rather than waited for on a thread of Node:
 * such a thread cannot be interrupted, and would keep the process open.
 */
const readPipe = Effect.fnUntraced(function* (path: string, descriptor: number, most: number) {
  const part = new Uint8Array(Math.min(most, 65_536))
  const next = attempt(path, () => readSync(descriptor, part, 0, part.length, null)).pipe(
    Effect.retry({ while: isEmpty, schedule: Schedule.spaced(PAUSE) }),
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

/** Of a pipe that another program still has open to write. */
const isEmpty = ({ reason }: FileError): boolean =>
  reason._tag === "Unreadable" &&
  reason.cause instanceof Error &&
  "code" in reason.cause &&
  reason.cause.code === "EAGAIN"
