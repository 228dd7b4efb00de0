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
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs"
import { basename, dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AtomicFile from "../../disk/AtomicFile.ts"
import { DiskError, Full, Unwritable, unwritten } from "../../disk/DiskError.ts"
import { Changed, FileError, NotAFile, NotAFolder, NotFound, type Reason, Unreadable } from "../FileError.ts"
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
        attempt(path, () => openSync(path, QUIETLY)),
        (descriptor) => Effect.sync(() => closeSync(descriptor)),
      ).pipe(
        Effect.flatMap((descriptor) =>
          attempt(path, () => {
            const stat = toStat(fstatSync(descriptor))
            return {
              stat,
              realPath: realPathOf(descriptor, path),
              read: (most: number) => attempt(path, () => readFirst(descriptor, most, stat.size)),
            }
          }),
        ),
      ),
    makeFolder: (path) => inFolder(path, (place) => void mkdirSync(place, { recursive: true })),
    write: (path, text, over) =>
      inFolder(path, (place) => {
        const mode = modeOf(place)
        const isMeant = () => over === undefined || isStill(place, over)
        if (!AtomicFile.replace(place, text, { mode, isMeant })) throw new OtherThanMeant()
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
  return stats.isFile() && stats.size === bytes.length && Files.isSame(bytes, readFileSync(place))
}

const toWriteReason = (path: string, cause: unknown): Reason => {
  if (cause instanceof Elsewhere) return new NotAFolder()
  if (cause instanceof OtherThanMeant) return new Changed()
  const known = toReason(cause)
  if (known._tag !== "Unreadable") return known
  const { reason } = cause instanceof DiskError ? cause : unwritten(path, cause)
  return reason._tag === "Full" ? new Full({ cause }) : new Unwritable({ cause })
}

const toStat = (stats: Stats): Files.Stat => ({
  kind: stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other",
  size: stats.size,
  modified: stats.mtimeMs,
})

/** Believes what arrives, not `size`: files of `/proc` say 0, and others grow. */
const readFirst = (descriptor: number, most: number, size: number): Uint8Array => {
  // One more than it says, so that the end is seen without growing.
  let bytes = new Uint8Array(Math.min(most, size + 1))
  let length = 0
  while (length < most) {
    if (length === bytes.length) {
      const longer = new Uint8Array(Math.min(most, bytes.length * 2))
      longer.set(bytes)
      bytes = longer
    }
    const count = readSync(descriptor, bytes, length, bytes.length - length, length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}
