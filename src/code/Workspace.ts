/**
 * A folder that tools may read: the one place that turns a path from a model into a file. Root, links, devices,
 * FIFOs, secrets, ignore rules, size and binary content are checked here and nowhere else.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { Binary, FileError, Ignored, NotAFile, NotAFolder, type Reason, Refused } from "./FileError.ts"
import * as Files from "./Files.ts"
import * as IgnoreFiles from "./internal/IgnoreFiles.ts"
import { readReal } from "./internal/readReal.ts"
import { isSecret } from "./internal/Secrets.ts"
import { decode, isBinary } from "./internal/Text.ts"

export { MAX_FILE_BYTES } from "./internal/readReal.ts"

/**
 * Paths are relative to the root, or absolute and inside it. What lies outside, and secrets, are `Refused` alike,
 * whether they are there or not.
 */
export interface Workspace {
  /** Absolute, links resolved. */
  readonly root: string
  /**
   * Direct entries of a folder that may be seen and are not ignored, sorted. Links are hidden: what they lead to has
   * a place of its own, or is outside.
   */
  readonly list: (path: string) => Effect.Effect<Listing, FileError>
  /** The text of a file of at most `MAX_FILE_BYTES`, decoded (UTF-8, UTF-16 by its mark). */
  readonly read: (path: string) => Effect.Effect<Content, FileError>
}

export interface Listing {
  /** Sorted by path. */
  readonly entries: ReadonlyArray<Entry>
  /** How many entries ignore rules, secrecy or kind kept out. */
  readonly hidden: number
}

/** Paths are root-relative with `/`. */
export type Entry =
  | { readonly kind: "file"; readonly path: string; readonly stat: Files.Stat }
  | { readonly kind: "folder"; readonly path: string }

export interface Content {
  /** Root-relative with `/`, links resolved. */
  readonly path: string
  readonly text: string
  readonly stat: Files.Stat
}

/**
 * Fails where `folder` is no folder, or cannot be read. Ignore files are read as they are needed and then kept: a
 * change to them is seen by the next workspace.
 */
export const open: (folder: string) => Effect.Effect<Workspace, FileError, Files.Files> = Effect.fn("Workspace.open")(
  function* (folder) {
    const files = yield* Files.Files
    const root = yield* bare(files.realPath(folder))
    const { kind } = yield* bare(files.stat(root))
    if (kind !== "folder") return yield* new NotAFolder()
    if (isMadeUp(root)) return yield* new Refused()
    // Else the first file in it that is looked for would be named in its place.
    yield* bare(files.list(root))
    const ignoreFiles = yield* IgnoreFiles.open(files, root)

    /** Absolute; under the root as it was opened, which may lead there by links, or under its real path. */
    const resolve = (asked: string): string =>
      Path.resolve(root, (Path.isAbsolute(asked) ? below(Path.resolve(folder), asked) : undefined) ?? asked)

    /** Root-relative; none for what must not be seen. */
    const allowed = (absolute: string): string | undefined => {
      const path = below(root, absolute)
      const isNobodys = absolute.length > longestPath || isMadeUp(absolute)
      return path === undefined || isNobodys || isClosed(path) ? undefined : path
    }

    /** Fails with why a path leads nowhere. Past a link that leads out, what is there and what is not look the same. */
    const leadsNowhere = (absolute: string, reason: Reason): Effect.Effect<never, Reason> => {
      if (absolute === root) return Effect.fail(reason)
      const above = Path.dirname(absolute)
      return Effect.matchEffect(files.realPath(above), {
        onFailure: () => leadsNowhere(above, reason),
        onSuccess: (realPath) =>
          allowed(realPath) === undefined
            ? Effect.fail(new Refused())
            : files.stat(Path.join(realPath, Path.basename(absolute))).pipe(
                Effect.mapError(() => reason),
                Effect.flatMap(({ kind }) => Effect.fail(kind === "link" ? new Refused() : reason)),
              ),
      })
    }

    const locate = Effect.fnUntraced(function* (asked: string) {
      const named = resolve(asked)
      if (allowed(named) === undefined) return yield* new Refused()
      const realPath = yield* Effect.catchAll(files.realPath(named), ({ reason }) => leadsNowhere(named, reason))
      const path = allowed(realPath)
      if (path === undefined) return yield* new Refused()
      const { kind } = yield* bare(files.stat(realPath))
      // A real path is no link, unless one was put there a moment ago.
      if (kind === "other" || kind === "link") return yield* new Refused()
      if (path !== "") {
        const ignores = yield* ignoreFiles(Path.dirname(realPath))
        if (ignores(Path.basename(realPath), kind)) return yield* new Ignored()
      }
      return { kind, path, realPath }
    })

    // Without spans, here and below: one would take half of the time, and there is a call for every folder and file.
    const list = Effect.fnUntraced(function* (asked: string) {
      const { kind, path: folder, realPath } = yield* locate(asked)
      if (kind !== "folder") return yield* new NotAFolder()
      const listed = yield* bare(files.list(realPath))
      if (listed.realPath !== realPath) return yield* new Refused()
      const ignores = yield* ignoreFiles(realPath, new Set(listed.entries.map(({ name }) => name)))
      const entries = listed.entries.flatMap(({ name, stat }): ReadonlyArray<Entry> => {
        if (stat.kind === "link" || stat.kind === "other" || isClosed(name) || ignores(name, stat.kind)) return []
        const path = folder === "" ? name : `${folder}/${name}`
        return [stat.kind === "file" ? { kind: "file", path, stat } : { kind: "folder", path }]
      })
      return { entries, hidden: listed.entries.length - entries.length }
    }, asAsked)

    const read = Effect.fnUntraced(function* (asked: string) {
      const { kind, path, realPath } = yield* locate(asked)
      if (kind !== "file") return yield* new NotAFile()
      const { bytes, stat } = yield* bare(readReal(files, realPath))
      const text = decode(bytes)
      if (isBinary(text)) return yield* new Binary({ bytes: bytes.length })
      return { path, text, stat }
    }, asAsked)

    return { root, list, read }
  },
  (effect, folder) => asAsked(effect, folder),
)

/** In characters: no file system here takes more, and a model may make up a path of a million folders. */
const longestPath = 4_096

/** From `base` down to `absolute`, with `/`; none where that is not inside. */
const below = (base: string, absolute: string): string | undefined => {
  const path = Path.relative(base, absolute).replaceAll(Path.sep, "/")
  return path === ".." || path.startsWith("../") || Path.isAbsolute(path) ? undefined : path
}

/** Not a project's own: `.git/config` may hold a token, and what is installed or derived is nobody's source. */
const closedFolders = new Set([".git", ".hg", ".jj", ".svn", ".vibe", "node_modules"])

/** By a root-relative path alone, or a part of it, so that it makes no difference whether it is there. */
const isClosed = (path: string): boolean =>
  strange.test(path) || path.split("/").some((name) => closedFolders.has(name.toLowerCase()) || isSecret(name))

/** A home folder, a NUL, a stream of a file (`name:stream`), and ends that Windows drops: other names for a file. */
const strange = /(?:^|\/)~|[\0:]|[. ](?:\/|$)/

/** Linux makes these up as they are read: `/proc/self/environ` holds our keys, and looks like an empty file. */
const isMadeUp = (absolute: string): boolean => /^\/(?:proc|sys)(?:\/|$)/.test(absolute)

const bare = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>): Effect.Effect<A, Reason, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error.reason : error))

/** An error of an ignore file keeps that file's path. */
const asAsked = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>, path: string): Effect.Effect<A, FileError, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error : new FileError({ path, reason: error })))
