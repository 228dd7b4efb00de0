/**
 * A folder that tools may write in, and the only place in which a path from a model becomes a new file. The access
 * rules are those of reading, and nothing is written outside the folder, through any link.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { Binary, FileError, NotAFile, NotAFolder, type Reason, Refused, TooLarge } from "./FileError.ts"
import * as Files from "./Files.ts"
import { decodeText, MAX_FILE_BYTES } from "./internal/FileText.ts"
import * as Sandbox from "./internal/Sandbox.ts"

export interface Output {
  /** The prefix of the path of every file in it: relative to the base, with `/`. Empty for the base itself. */
  readonly folder: string
  /**
   * Replaces or makes a file with `text`, of at most `MAX_FILE_BYTES`, atomically, and makes missing folders. `path` is
   * relative to the base, or absolute. Paths outside the folder, and secrets, are `Refused`. Ignored files may be
   * written: projects often ignore generated files.
   */
  readonly write: (path: string, text: string) => Effect.Effect<WriteResult, FileError>
  /** Reads the text of a file, by the same rules; `undefined` if it does not exist. */
  readonly read: (path: string) => Effect.Effect<string | undefined, FileError>
}

export interface WriteResult {
  /** The path relative to the base, with `/`. */
  readonly path: string
  /** The text that was replaced. */
  readonly before: string | undefined
}

/**
 * Opens a folder for writing. `folder` is relative to `base`, or absolute, and inside it. The first write makes it if
 * it does not exist. Fails if `base` is no folder.
 */
export const open: (base: string, folder: string) => Effect.Effect<Output, FileError, Files.Files> = Effect.fn(
  "Output.open",
)(
  function* (base, folder) {
    const files = yield* Files.Files
    const sandbox = yield* Sandbox.open(files, base)
    const named = sandbox.allowed(sandbox.resolve(folder), "folder")
    if (named === undefined) return yield* new Refused()

    /** Returns the real path of a folder inside `top`, and makes the folder if it does not exist. */
    const ensureFolder = (path: string, top: string): Effect.Effect<string, Reason> =>
      sandbox.locate(path, "folder").pipe(
        Effect.filterOrFail(
          ({ realPath }) => Sandbox.below(top, realPath) !== undefined,
          (): Reason => new Refused(),
        ),
        Effect.filterOrFail(
          ({ kind }) => kind === "folder",
          (): Reason => new NotAFolder(),
        ),
        Effect.map(({ realPath }) => realPath),
        Effect.catchIf(
          (reason) => reason._tag === "NotFound" && path !== ".",
          () =>
            Effect.tap(
              Effect.map(ensureFolder(Path.dirname(path), top), (above) => Path.join(above, Path.basename(path))),
              (missing) => Sandbox.toReason(files.makeFolder(missing)),
            ),
        ),
      )

    /** Reads the text to replace. A file that cannot be read as text is not replaced. */
    const textAt = Effect.fnUntraced(function* (realPath: string) {
      const { kind } = yield* Sandbox.toReason(files.stat(realPath))
      if (kind === "folder") return yield* new NotAFile()
      if (kind !== "file") return yield* new Refused()
      const { bytes } = yield* files.readReal(realPath, MAX_FILE_BYTES)
      const text = decodeText(bytes)
      if (text === undefined) return yield* new Binary({ bytes: bytes.length })
      return text
    }, Sandbox.toReason)

    const write = Effect.fn("Output.write")(
      function* (asked: string, text: string) {
        const path = sandbox.allowed(sandbox.resolve(asked), "file")
        if (path === undefined || !isPortable(path) || !isBelow(named, path)) return yield* new Refused()
        if (Buffer.byteLength(text) > MAX_FILE_BYTES) return yield* new TooLarge({ limit: MAX_FILE_BYTES })
        const top = yield* ensureFolder(named === "" ? "." : named, sandbox.root)
        const realPath = Path.join(yield* ensureFolder(Path.dirname(path), top), Path.basename(path))
        const before = yield* Effect.catchTag(textAt(realPath), "NotFound", () => Effect.succeed(undefined))
        yield* Sandbox.toReason(files.write(realPath, text.toWellFormed()))
        return { path, before }
      },
      (effect, asked) => as(effect, asked),
    )

    const read = Effect.fn("Output.read")(
      function* (asked: string) {
        const path = sandbox.allowed(sandbox.resolve(asked), "file")
        if (path === undefined || !isBelow(named, path)) return yield* new Refused()
        const located = yield* Effect.catchTag(sandbox.locate(path), "NotFound", () => Effect.succeed(undefined))
        if (located === undefined) return undefined
        return isBelow(named, located.path) ? yield* textAt(located.realPath) : yield* new Refused()
      },
      (effect, asked) => as(effect, asked),
    )

    const output: Output = { folder: named, write, read }
    return output
  },
  (effect, _, folder) => as(effect, folder),
)

/**
 * Returns whether a path can be checked out and listed everywhere. Control characters in a file name would break lists
 * of files. A checkout on Windows cannot have a name with a backslash, that of a device, or another name for a file. A
 * shell takes `~` at the beginning for the home folder of a user.
 */
const isPortable = (path: string): boolean =>
  !/[\p{Cc}\\]|(?:^|\/)~/u.test(path) &&
  !path.split("/").some((name) => Sandbox.isAlias(name) || Sandbox.isDevice(name))

const isBelow = (folder: string, path: string): boolean => (folder === "" ? path !== "" : path.startsWith(`${folder}/`))

const as = <A, R>(effect: Effect.Effect<A, Reason, R>, path: string): Effect.Effect<A, FileError, R> =>
  Effect.mapError(effect, (reason) => new FileError({ path, reason }))

/** Returns a folder, or the nearest one around it that exists: a base from which `open` makes those between them. */
export const nearestFolder = Effect.fn("Output.nearestFolder")(function* (folder: string) {
  const files = yield* Files.Files
  let existing = folder
  while (existing !== Path.dirname(existing) && !(yield* Effect.isSuccess(files.stat(existing)))) {
    existing = Path.dirname(existing)
  }
  return existing
})
