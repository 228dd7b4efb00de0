/**
 * The entries of Git's index, and how the files of the working tree differ from them. The files are compared here and not by
 * Git, which would apply the filters of a foreign `.git/config` to a file whose time says nothing.
 */
import { createHash } from "node:crypto"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Files from "../code/Files.ts"
import * as Git from "./Git.ts"
import type { GitError } from "./GitError.ts"

export interface IndexEntry {
  /** Relative to the folder in which git was run, with `/`. */
  readonly path: string
  /** `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string
  /** The id of the content, or of the commit of a submodule. */
  readonly id: string
  /** 1 to 3 for a side of a conflict, else 0. */
  readonly stage: number
  /**
   * Whether Git takes the file as unchanged without a look at it: a sparse checkout leaves it out, or the user has said so
   * (`git update-index --assume-unchanged`).
   */
  readonly isAssumed: boolean
  /** The stat of the file when Git last knew that it has this content; undefined if Git prints none that is understood. */
  readonly stat: CachedStat | undefined
}

/** Seconds and nanoseconds; `inode` and `size` have 32 bits. */
interface CachedStat {
  readonly changed: Time
  readonly modified: Time
  readonly inode: number
  readonly size: number
}

type Time = readonly [seconds: number, nanoseconds: number]

/** The entries below a folder, in Git's order. */
export const list = (folder: string): Effect.Effect<ReadonlyArray<IndexEntry>, GitError, Git.Git> =>
  Effect.map(
    // `--debug` prints the stats. Its format is said to be unstable, though it has been the same since 2010: where it is
    // another, there are no stats, and all files are read.
    Git.read(folder, ["ls-files", "-v", "--stage", "--debug", "-z"], { most: MAX_INDEX_BYTES }),
    parse,
  )

/** About a million entries. */
const MAX_INDEX_BYTES = 400_000_000

/** `TAG MODE ID STAGE`, tab, path, NUL, lines that begin with two blanks; and so on. */
export const parse = (output: Buffer): ReadonlyArray<IndexEntry> => {
  const entries: Array<IndexEntry> = []
  const parts = output.toString("utf8").split("\0")
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1) break
    const [, tag = "", mode = "", id = "", stage = "", path = ""] =
      /^(?: {2}[^\n]*\n)*(\S) (\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(part) ?? []
    if (path === "") continue
    const isAssumed = tag === "S" || tag !== tag.toUpperCase()
    entries.push({ path, mode, id, stage: Number(stage), isAssumed, stat: parseStat(parts[at + 1] ?? "") })
  }
  return entries
}

const parseStat = (text: string): CachedStat | undefined => {
  const found =
    /^ {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\t/.exec(
      text,
    )
  if (found === null) return undefined
  const [, changed = 0, changedNano = 0, modified = 0, modifiedNano = 0, inode = 0, size = 0] = found.map(Number)
  return { changed: [changed, changedNano], modified: [modified, modifiedNano], inode, size }
}

/** `changed`: whether the content differs from that of an id, line endings and the settings of filters aside. */
export type State = "same" | "changed" | "gone"

export interface Comparer {
  /** Whether there is a regular file at a path, and no link in the path. */
  readonly hasFile: (path: string) => Effect.Effect<boolean>
  /** How the file of an entry in the working tree differs from the entry. */
  readonly compare: (entry: IndexEntry) => Effect.Effect<State>
  /** How the file at a path differs from a content. */
  readonly compareContent: (path: string, id: string) => Effect.Effect<State>
}

/** Compares files below a folder, which is a real path. No file is followed through a link, and none is read that is no file. */
export const comparer: (folder: string) => Effect.Effect<Comparer, GitError, Git.Git | Files.Files> = Effect.fnUntraced(
  function* (folder) {
    const files = yield* Files.Files
    const place = yield* Git.ask(folder, ["rev-parse", "--git-path", "index"])
    const index = place === undefined ? undefined : yield* Effect.option(files.stat(path.resolve(folder, place)))
    // A file that was written within the second in which the index was, or later, may have changed since with the same stat.
    const racyFrom = index?._tag === "Some" ? Math.floor(index.value.modified / 1000) : 0

    const folders = new Map<string, boolean>([[".", true]])
    /** Whether a path leads through folders only. */
    const isReachable = (name: string): Effect.Effect<boolean> =>
      Effect.suspend(() => {
        const known = folders.get(name)
        if (known !== undefined) return Effect.succeed(known)
        return isReachable(path.posix.dirname(name)).pipe(
          Effect.flatMap((isReached) =>
            isReached
              ? Effect.match(files.stat(path.join(folder, name)), {
                  onFailure: () => false,
                  onSuccess: ({ kind }) => kind === "folder",
                })
              : Effect.succeed(false),
          ),
          Effect.tap((isReached) => Effect.sync(() => folders.set(name, isReached))),
        )
      })

    /** The stat of a regular file; undefined where there is none. */
    const statOf = Effect.fnUntraced(function* (name: string) {
      // An index may come from elsewhere, and have been made by hand.
      if (name.split("/").some((part) => ["", ".", "..", ".git"].includes(part))) return undefined
      if (!(yield* isReachable(path.posix.dirname(name)))) return undefined
      const stat = yield* Effect.option(files.stat(path.join(folder, name)))
      return stat._tag === "Some" && stat.value.kind === "file" ? stat.value : undefined
    })

    const hasContent = (name: string, id: string): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        const place = path.join(folder, name)
        const file = yield* files.open(place)
        // A link that has been put in its path meanwhile leads elsewhere.
        if (file.realPath !== place) return false
        return isContent(yield* Files.readOpened(file, MAX_HASHED_BYTES), id)
      }).pipe(
        Effect.scoped,
        Effect.catchAll(() => Effect.succeed(false)),
      )

    return {
      hasFile: (path) => Effect.map(statOf(path), (stat) => stat !== undefined),
      compare: Effect.fnUntraced(function* ({ id, isAssumed, path, stat: cached }) {
        if (isAssumed) return "same"
        const stat = yield* statOf(path)
        if (stat === undefined) return "gone"
        if (cached !== undefined && isSameStat(cached, stat, racyFrom)) return "same"
        return (yield* hasContent(path, id)) ? "same" : "changed"
      }),
      compareContent: Effect.fnUntraced(function* (path, id) {
        if ((yield* statOf(path)) === undefined) return "gone"
        return (yield* hasContent(path, id)) ? "same" : "changed"
      }),
    }
  },
)

/** Larger files with another stat than the index has are taken as changed. */
const MAX_HASHED_BYTES = 64_000_000

/** Settings that ignore a part of the stat do not count: a file is read once too often at worst. */
const isSameStat = (cached: CachedStat, stat: Files.Stat, racyFrom: number): boolean =>
  cached.modified[0] < racyFrom &&
  cached.size === stat.size % 2 ** 32 &&
  isSameTime(cached.modified, stat.modified) &&
  // Git stores neither on Windows.
  (stat.inode === undefined || cached.inode === stat.inode % 2 ** 32) &&
  (stat.inode === undefined || stat.changed === undefined || isSameTime(cached.changed, stat.changed))

/** Some builds of Git store whole seconds. */
const isSameTime = ([seconds, nanoseconds]: Time, milliseconds: number): boolean =>
  nanoseconds === 0
    ? seconds === Math.floor(milliseconds / 1000)
    : Math.abs(seconds * 1000 + nanoseconds / 1e6 - milliseconds) < MIN_DIFFERENCE_MS

/** A number has 244 ns of a time of today in milliseconds. */
const MIN_DIFFERENCE_MS = 0.001

/** Whether bytes are the content with an id, as they are or with the line endings that Git stores. */
const isContent = (bytes: Uint8Array, id: string): boolean => {
  if (hashBlob(bytes, id) === id) return true
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!text.includes("\r\n")) return false
  return hashBlob(Buffer.from(text.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id) === id
}

/** The id of a content. A repository has SHA-1 or SHA-256, which the length of an id tells. */
const hashBlob = (bytes: Uint8Array, like: string): string =>
  createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex")
