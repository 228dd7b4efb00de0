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

    // Without spans, here and below: one would take half of the time, and there is a call for every folder and file.
    const list = Effect.fnUntraced(function* (asked: string) {
      const { kind, path: folder, realPath } = yield* locate(asked)
      if (kind !== "folder") return yield* new NotAFolder()
      const listed = yield* Sandbox.bare(files.list(realPath))
      if (listed.realPath !== realPath) return yield* new Refused()
      const ignores = yield* ignoreFiles(realPath, new Set(listed.entries.map(({ name }) => name)))
      const entries = listed.entries.flatMap(({ name, stat }): ReadonlyArray<Entry> => {
        if (stat.kind === "link" || stat.kind === "other" || Sandbox.isClosed(name) || ignores(name, stat.kind))
          return []
        const path = folder === "" ? name : `${folder}/${name}`
        return [stat.kind === "file" ? { kind: "file", path, stat } : { kind: "folder", path }]
      })
      return { entries, hidden: listed.entries.length - entries.length }
    }, asAsked)

    const read = Effect.fnUntraced(function* (asked: string) {
      const { kind, path, realPath } = yield* locate(asked)
      if (kind !== "file") return yield* new NotAFile()
      const { bytes, stat } = yield* Sandbox.bare(readReal(files, realPath))
      const text = decode(bytes)
      if (isBinary(text)) return yield* new Binary({ bytes: bytes.length })
      return { path, text, stat }
    }, asAsked)

    return { root, list, read }
  },
  (effect, folder) => asAsked(effect, folder),
)

/** An error of an ignore file keeps that file's path. */
const asAsked = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>, path: string): Effect.Effect<A, FileError, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error : new FileError({ path, reason: error })))
