/**
 * Reads the entries of Git's index, and compares the files of the working tree with them. Git itself does not compare
 * the files: it would apply the filters of a foreign `.git/config` to a file if its time does not say whether it
 * changed.
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
  /** The side of a conflict, 1 to 3; 0 if there is none. */
  readonly stage: number
  /**
   * True if Git takes the file as unchanged without reading it. Either a sparse checkout leaves it out, or the user has
   * said so (`git update-index --assume-unchanged`).
   */
  readonly isAssumed: boolean
  /**
   * The stat of the file when Git last knew that it had this content; undefined if Git prints it in an unknown format.
   */
  readonly stat: CachedStat | undefined
}

/** The stat that Git stores. `inode` and `size` have 32 bits. */
interface CachedStat {
  readonly changed: Time
  readonly modified: Time
  readonly inode: number
  readonly size: number
}

type Time = readonly [seconds: number, nanoseconds: number]

/** Lists the entries below a folder, in Git's order. */
export const list = (folder: string): Effect.Effect<ReadonlyArray<IndexEntry>, GitError, Git.Git> =>
  Effect.map(
    // `--debug` prints the stats. Git calls its format unstable, though it has been the same since 2010. If the format
    // differs, there are no stats, and all files are read.
    Git.read(folder, ["ls-files", "-v", "--stage", "--debug", "-z"], { most: MAX_INDEX_BYTES }),
    parse,
  )

/** The most bytes of the listing: about a million entries. */
const MAX_INDEX_BYTES = 400_000_000

/** Parses `TAG MODE ID STAGE`, tab, path, NUL, then lines that begin with two blanks, for each entry. */
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

/** `changed` means that the content differs from that of an id, apart from line endings and the settings of filters. */
type State = "same" | "changed" | "gone"

export interface Comparer {
  /** Returns whether there is a regular file at a path, and no link in the path. */
  readonly hasFile: (path: string) => Effect.Effect<boolean>
  /** Compares the file of an entry in the working tree with the entry. */
  readonly compare: (entry: IndexEntry) => Effect.Effect<State>
  /** Compares the file at a path with a content. */
  readonly compareContent: (path: string, id: string) => Effect.Effect<State>
}

/** Compares files below a folder, which is a real path. It follows no links, and reads only regular files. */
export const comparer: (folder: string) => Effect.Effect<Comparer, GitError, Git.Git | Files.Files> = Effect.fnUntraced(
  function* (folder) {
    const files = yield* Files.Files
    const place = yield* Git.ask(folder, ["rev-parse", "--git-path", "index"])
    const index = place === undefined ? undefined : yield* Effect.option(files.stat(path.resolve(folder, place)))
    // If a file was written in the same second as the index, or later, it may have changed since with the same stat.
    const racyFrom = index?._tag === "Some" ? Math.floor(index.value.modified / 1000) : 0

    const folders = new Map<string, boolean>([[".", true]])
    /** Returns whether a path leads only through folders. */
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

    /** Returns the stat of a regular file; undefined if there is none. */
    const statOf = Effect.fnUntraced(function* (name: string) {
      // An index may come from elsewhere, and may be handmade.
      if (name.split("/").some((part) => ["", ".", "..", ".git"].includes(part))) return undefined
      if (!(yield* isReachable(path.posix.dirname(name)))) return undefined
      const stat = yield* Effect.option(files.stat(path.join(folder, name)))
      return stat._tag === "Some" && stat.value.kind === "file" ? stat.value : undefined
    })

    const hasContent = (name: string, id: string): Effect.Effect<boolean> =>
      files.readReal(path.join(folder, name), MAX_HASHED_BYTES).pipe(
        Effect.map(({ bytes }) => isContent(bytes, id)),
        // A link that was put into the path in the meantime leads elsewhere.
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

/** Files with more bytes than this count as changed if their stat differs from the index. */
const MAX_HASHED_BYTES = 64_000_000

/**
 * Compares stats. It ignores Git's settings that leave out a part of the stat; at worst a file is read once too often.
 */
const isSameStat = (cached: CachedStat, stat: Files.Stat, racyFrom: number): boolean =>
  cached.modified[0] < racyFrom &&
  cached.size === stat.size % 2 ** 32 &&
  isSameTime(cached.modified, stat.modified) &&
  // Git stores neither on Windows.
  (stat.inode === undefined || cached.inode === stat.inode % 2 ** 32) &&
  (stat.inode === undefined || stat.changed === undefined || isSameTime(cached.changed, stat.changed))

/** Compares times. Some builds of Git store whole seconds. */
const isSameTime = ([seconds, nanoseconds]: Time, milliseconds: number): boolean =>
  nanoseconds === 0
    ? seconds === Math.floor(milliseconds / 1000)
    : Math.abs(seconds * 1000 + nanoseconds / 1e6 - milliseconds) < MIN_DIFFERENCE_MS

/** Times closer than this are equal: today's time in milliseconds, as a number, has a precision of 244 ns. */
const MIN_DIFFERENCE_MS = 0.001

/** Returns whether bytes are the content with an id, either as they are or with the line endings that Git stores. */
const isContent = (bytes: Uint8Array, id: string): boolean => {
  if (hashBlob(bytes, id) === id) return true
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!text.includes("\r\n")) return false
  return hashBlob(Buffer.from(text.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id) === id
}

/** Computes the id of a content. A repository uses SHA-1 or SHA-256, which shows in the length of an id. */
const hashBlob = (bytes: Uint8Array, like: string): string =>
  createHash(like.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex")
