/**
 * A folder that tools may read: the one place that turns a path from a model into the text of a file. What the sandbox
 * lets through, ignore rules, size and binary content may still keep out. `Output` is the one that tools may write in.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { Binary, FileError, Ignored, NotAFile, NotAFolder, type Reason, Refused } from "./FileError.ts"
import * as Files from "./Files.ts"
import * as IgnoreFiles from "./internal/IgnoreFiles.ts"
import { readReal } from "./internal/readReal.ts"
import * as Sandbox from "./internal/Sandbox.ts"
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
   * a place of its own, or is outside. A folder that a listing has shown can be given as it is: then only that it is
   * still the same is looked at, not what is on the way to it.
   */
  readonly list: (folder: string | Folder) => Effect.Effect<Listing, FileError>
  /**
   * The text of a file of at most `MAX_FILE_BYTES`, decoded (UTF-8, UTF-16 by its mark). A file that a listing has shown
   * can be given as it is, like a folder.
   */
  readonly read: (file: string | File) => Effect.Effect<Content, FileError>
}

export interface Listing {
  /** Sorted by path. */
  readonly entries: ReadonlyArray<Entry>
  /** How many entries ignore rules, secrecy or kind kept out. */
  readonly hidden: number
}

/** Paths are root-relative with `/`. */
export type Entry = File | Folder

export interface File {
  readonly kind: "file"
  readonly path: string
  readonly stat: Files.Stat
}

export interface Folder {
  readonly kind: "folder"
  readonly path: string
}

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
    const sandbox = yield* Sandbox.open(files, folder)
    const { root } = sandbox
    const ignoreFiles = yield* IgnoreFiles.open(files, root)

    const locate = Effect.fnUntraced(function* (asked: string) {
      const located = yield* sandbox.locate(asked)
      if (located.path !== "") {
        const ignores = yield* ignoreFiles(Path.dirname(located.realPath))
        if (ignores(Path.basename(located.realPath), located.kind)) return yield* new Ignored()
      }
      return located
    })

    /** Where the entries are that listings have shown. */
    const shown = new WeakMap<Entry, string>()

    /** What was asked for, and where that is if a listing has shown it. */
    const placeOf = (asked: string | Entry) =>
      typeof asked === "string" ? { path: asked } : { path: asked.path, place: shown.get(asked) }

    // Without spans, here and below: one would take half of the time, and there is a call for every folder and file.
    const listAt = Effect.fnUntraced(function* (folder: string, realPath: string) {
      const listed = yield* Sandbox.bare(files.list(realPath))
      if (listed.realPath !== realPath) return yield* new Refused()
      const ignores = yield* ignoreFiles(realPath, listed.entries)
      const above = realPath.endsWith(Path.sep) ? realPath : realPath + Path.sep
      const parent = Path.posix.basename(folder)
      const entries: Array<Entry> = []
      for (const { name, stat } of listed.entries) {
        if (stat.kind === "link" || stat.kind === "other") continue
        if (Sandbox.isClosedIn(parent, name, stat.kind) || ignores(name, stat.kind)) continue
        const path = folder === "" ? name : `${folder}/${name}`
        const entry: Entry = stat.kind === "file" ? { kind: "file", path, stat } : { kind: "folder", path }
        if (!Sandbox.isNobodys(above + name)) shown.set(entry, above + name)
        entries.push(entry)
      }
      return { entries, hidden: listed.entries.length - entries.length }
    })

    const list = (asked: string | Folder) => {
      const { path, place } = placeOf(asked)
      if (place !== undefined) return asAsked(listAt(path, place), path)
      return locate(path).pipe(
        Effect.filterOrFail(
          ({ kind }) => kind === "folder",
          () => new NotAFolder(),
        ),
        Effect.flatMap(({ path, realPath }) => listAt(path, realPath)),
        (listing) => asAsked(listing, path),
      )
    }

    const readAt = Effect.fnUntraced(function* (path: string, realPath: string) {
      const { bytes, stat } = yield* Sandbox.bare(readReal(files, realPath))
      const text = decode(bytes)
      if (isBinary(text)) return yield* new Binary({ bytes: bytes.length })
      return { path, text, stat }
    })

    const read = (asked: string | File) => {
      const { path, place } = placeOf(asked)
      if (place !== undefined) return asAsked(readAt(path, place), path)
      return locate(path).pipe(
        Effect.filterOrFail(
          ({ kind }) => kind === "file",
          () => new NotAFile(),
        ),
        Effect.flatMap(({ path, realPath }) => readAt(path, realPath)),
        (content) => asAsked(content, path),
      )
    }

    return { root, list, read }
  },
  (effect, folder) => asAsked(effect, folder),
)

/** An error of an ignore file keeps that file's path. */
const asAsked = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>, path: string): Effect.Effect<A, FileError, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error : new FileError({ path, reason: error })))
