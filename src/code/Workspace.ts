/**
 * A folder that tools may read, and the only place in which a path from a model becomes the text of a file. Ignore
 * rules, size and binary content restrict what the sandbox allows further. `Output` is the folder that tools may write
 * in.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { Binary, FileError, Ignored, NotAFile, NotAFolder, type Reason, Refused } from "./FileError.ts"
import * as Files from "./Files.ts"
import { decodeText, MAX_FILE_BYTES } from "./internal/FileText.ts"
import * as IgnoreFiles from "./internal/IgnoreFiles.ts"
import * as Sandbox from "./internal/Sandbox.ts"
import * as Selection from "./Selection.ts"

export { decodeText, MAX_FILE_BYTES } from "./internal/FileText.ts"
export { isIgnoreFile } from "./internal/IgnoreFiles.ts"

/**
 * A folder of code as tools and the index may read it: nothing outside of it, no secrets, and nothing that ignore files
 * name. Paths are relative to the root, or absolute and inside it. Paths outside, and secrets, are `Refused` alike,
 * whether they exist or not.
 *
 * When to use it: for every path that comes from a model or a user, and to open an index (`IndexStore`). `Files` below
 * it reads any path; `Output` of `vibe-index/code` is the folder that tools may write in.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect } from "effect"
 * import { Files, Workspace } from "vibe-index"
 *
 * const program = Effect.gen(function* () {
 *   const workspace = yield* Workspace.open("/repo")
 *   const { entries, hidden } = yield* workspace.list(".")
 *   yield* Console.log(`${entries.map(({ path }) => path).join(", ")}, ${hidden} hidden`)
 *   const outside = yield* Effect.flip(workspace.read("../home/notes.txt"))
 *   yield* Console.log(outside.reason._tag)
 * })
 *
 * const files = Files.layerMemory({
 *   "/repo/.gitignore": "*.log",
 *   "/repo/add.ts": "export const add = (a: number, b: number) => a + b",
 *   "/repo/debug.log": "…",
 *   "/home/notes.txt": "private",
 * })
 * await Effect.runPromise(Effect.provide(program, files))
 * // prints: .gitignore, add.ts, 1 hidden
 * // prints: Refused
 * ```
 */
export interface Workspace {
  /** Absolute, links resolved. */
  readonly root: string
  /**
   * Lists the direct entries of a folder that are allowed and neither ignored nor left out by the selection, sorted.
   * Links are hidden: their targets have a path of their own, or are outside. If the folder is from a listing, only its
   * identity is checked again, not the path to it.
   */
  readonly list: (folder: string | Folder) => Effect.Effect<Listing, FileError>
  /**
   * Reads the text of a file of at most `MAX_FILE_BYTES`: UTF-8, or UTF-16 with a byte order mark. A file from a
   * listing is checked like such a folder.
   */
  readonly read: (file: string | File) => Effect.Effect<Content, FileError>
  /** Reads the bytes of a file of at most `limit`, text or not. */
  readonly readBytes: (file: string, limit: number) => Effect.Effect<Uint8Array, FileError>
  /** The entries that the user wants to see, beside the ignore files. */
  readonly selection: Selection.Selection
  /** Returns the same folder with another selection. */
  readonly select: (selection: Selection.Selection) => Workspace
  /** Makes the next use of each ignore file read it anew, here and in everything that `select` has returned. */
  readonly rereadIgnoreFiles: Effect.Effect<void, FileError>
}

export interface Listing {
  /** Sorted by path. */
  readonly entries: ReadonlyArray<Entry>
  /** The number of entries that are ignored, secret, or neither file nor folder. */
  readonly hidden: number
  /**
   * Paths of the files and folders that cannot be read because their names are not UTF-8, with a slash after a folder.
   * Each invalid byte is U+FFFD. `undefined` if there are none.
   */
  readonly nameless?: ReadonlyArray<string> | undefined
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

/** Returns the text of a file; undefined if it may not be read, is not text, is too large, or is gone. */
export const readText = (workspace: Workspace, path: string): Effect.Effect<string | undefined> =>
  Effect.match(workspace.read(path), { onFailure: () => undefined, onSuccess: ({ text }) => text })

/**
 * Opens a folder. Fails if `folder` is no folder, or cannot be read. Ignore files are read when needed and cached: a
 * change to them is seen after `rereadIgnoreFiles`.
 */
export const open: (
  folder: string,
  selection?: Selection.Selection,
) => Effect.Effect<Workspace, FileError, Files.Files> = Effect.fn("Workspace.open")(
  function* (folder, selection = Selection.none) {
    const files = yield* Files.Files
    const sandbox = yield* Sandbox.open(files, folder)
    const { root } = sandbox
    let ignoreFiles = yield* IgnoreFiles.open(files, root)
    const rereadIgnoreFiles = Effect.map(IgnoreFiles.open(files, root), (reread) => {
      ignoreFiles = reread
    })

    /** Real paths of the entries of listings. */
    const listedPaths = new WeakMap<Entry, string>()

    const select = (selection: Selection.Selection): Workspace => {
      const hides = Selection.compile(selection)

      const locate = Effect.fnUntraced(function* (asked: string) {
        const located = yield* sandbox.locate(asked)
        if (located.path !== "") {
          const ignores = yield* ignoreFiles(Path.dirname(located.realPath))
          const isIgnored = ignores(Path.basename(located.realPath), located.kind)
          if (hides(located.path, located.kind, isIgnored)) return yield* new Ignored()
        }
        return located
      })

      /** Returns the path that the caller gave, and the real path if it is an entry of a listing. */
      const locationOf = (asked: string | Entry) =>
        typeof asked === "string" ? { path: asked } : { path: asked.path, listedPath: listedPaths.get(asked) }

      // There are no spans here and below: one for each folder and file would take half of the time.
      const listAt = (folder: string, realPath: string) =>
        Effect.flatMap(Sandbox.toReason(files.list(realPath)), (listed): Effect.Effect<Listing, FileError | Reason> => {
          if (listed.realPath !== realPath) return Effect.fail(new Refused())
          const ignores = ignoreFiles(realPath, listed.entries)
          return Effect.map(ignores, (ignores) => toListing(folder, realPath, listed, ignores))
        })

      const toListing = (
        folder: string,
        realPath: string,
        listed: Files.Folder,
        ignores: IgnoreFiles.Ignores,
      ): Listing => {
        const above = realPath.endsWith(Path.sep) ? realPath : realPath + Path.sep
        const parent = Path.posix.basename(folder)
        /** Returns an entry for the workspace, or undefined if it is hidden. */
        const toEntry = ({ name, stat }: Files.Entry): Entry | undefined => {
          if (stat.kind === "link" || stat.kind === "other") return undefined
          if (Sandbox.isClosedIn(parent, name, stat.kind)) return undefined
          const path = folder === "" ? name : `${folder}/${name}`
          if (hides(path, stat.kind, ignores(name, stat.kind))) return undefined
          return stat.kind === "file" ? { kind: "file", path, stat } : { kind: "folder", path }
        }
        const entries: Array<Entry> = []
        for (const each of listed.entries) {
          const entry = toEntry(each)
          if (entry === undefined) continue
          if (!Sandbox.isNeverAllowed(above + each.name)) listedPaths.set(entry, above + each.name)
          entries.push(entry)
        }
        const listing: Listing = { entries, hidden: listed.entries.length - entries.length }
        const nameless = (listed.nameless ?? []).flatMap((each) => toEntry(each) ?? [])
        if (nameless.length === 0) return listing
        return { ...listing, nameless: nameless.map(({ kind, path }) => (kind === "folder" ? `${path}/` : path)) }
      }

      const list = (asked: string | Folder) => {
        const { path, listedPath } = locationOf(asked)
        if (listedPath !== undefined) return withPath(listAt(path, listedPath), path)
        return locate(path).pipe(
          Effect.filterOrFail(
            ({ kind }) => kind === "folder",
            () => new NotAFolder(),
          ),
          Effect.flatMap(({ path, realPath }) => listAt(path, realPath)),
          (listing) => withPath(listing, path),
        )
      }

      const readAt = Effect.fnUntraced(function* (path: string, realPath: string) {
        const { bytes, stat } = yield* Sandbox.toReason(files.readReal(realPath, MAX_FILE_BYTES))
        const text = decodeText(bytes)
        if (text === undefined) return yield* new Binary({ bytes: bytes.length })
        return { path, text, stat }
      })

      const read = (asked: string | File) => {
        const { path, listedPath } = locationOf(asked)
        if (listedPath !== undefined) return withPath(readAt(path, listedPath), path)
        return locate(path).pipe(
          Effect.filterOrFail(
            ({ kind }) => kind === "file",
            () => new NotAFile(),
          ),
          Effect.flatMap(({ path, realPath }) => readAt(path, realPath)),
          (content) => withPath(content, path),
        )
      }

      const readBytes = (asked: string, limit: number) =>
        locate(asked).pipe(
          Effect.filterOrFail(
            ({ kind }) => kind === "file",
            () => new NotAFile(),
          ),
          Effect.flatMap(({ realPath }) => Sandbox.toReason(files.readReal(realPath, limit))),
          Effect.map(({ bytes }) => bytes),
          (content) => withPath(content, asked),
        )

      return { root, list, read, readBytes, selection, select, rereadIgnoreFiles }
    }
    return select(selection)
  },
  (effect, folder) => withPath(effect, folder),
)

/** Adds the path as the caller gave it. An error of an ignore file keeps the path of that file. */
const withPath = <A, R>(
  effect: Effect.Effect<A, FileError | Reason, R>,
  path: string,
): Effect.Effect<A, FileError, R> =>
  Effect.mapError(effect, (error) => (error._tag === "FileError" ? error : new FileError({ path, reason: error })))
