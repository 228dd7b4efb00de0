/**
 * A folder that tools may write in: the one place that turns a path from a model into a file that is made. The rules are
 * those of reading, and nothing is written beside the folder, through whatever links.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import { Binary, FileError, NotAFile, NotAFolder, type Reason, Refused, TooLarge } from "./FileError.ts"
import * as Files from "./Files.ts"
import { MAX_FILE_BYTES, readReal } from "./internal/readReal.ts"
import * as Sandbox from "./internal/Sandbox.ts"
import { decode, isBinary } from "./internal/Text.ts"

export interface Output {
  /** From the base, with `/`: what the path of every file in it begins with. Empty where it is the base itself. */
  readonly folder: string
  /**
   * Puts `text`, of at most `MAX_FILE_BYTES`, in the place of the file, whole or not at all, and makes the folders that
   * it lacks. `path` is relative to the base, or absolute; what lies outside the folder, and secrets, are `Refused`.
   * So is nothing that ignore files leave out: people keep what is made out of their repositories.
   */
  readonly write: (path: string, text: string) => Effect.Effect<WriteResult, FileError>
  /** The text of a file, by the same rules; none where there is no file. */
  readonly read: (path: string) => Effect.Effect<string | undefined, FileError>
}

export interface WriteResult {
  /** From the base, with `/`. */
  readonly path: string
  /** The text that was there. */
  readonly before: string | undefined
}

/**
 * `folder` is relative to `base`, or absolute, and inside it; it is made by the first write where it is not there. Fails
 * where `base` is no folder.
 */
export const open: (base: string, folder: string) => Effect.Effect<Output, FileError, Files.Files> = Effect.fn(
  "Output.open",
)(
  function* (base, folder) {
    const files = yield* Files.Files
    const sandbox = yield* Sandbox.open(files, base)
    const named = sandbox.allowed(sandbox.resolve(folder), "folder")
    if (named === undefined) return yield* new Refused()

    /** The real path of a folder that stays inside `top`, made where it is not there. */
    const entered = (path: string, top: string): Effect.Effect<string, Reason> =>
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
              Effect.map(entered(Path.dirname(path), top), (above) => Path.join(above, Path.basename(path))),
              (missing) => Sandbox.bare(files.makeFolder(missing)),
            ),
        ),
      )

    /** None where there is no file yet. What cannot be shown is not replaced. */
    const textAt = Effect.fnUntraced(function* (realPath: string) {
      const { kind } = yield* Sandbox.bare(files.stat(realPath))
      if (kind === "folder") return yield* new NotAFile()
      if (kind !== "file") return yield* new Refused()
      const { bytes } = yield* readReal(files, realPath)
      const text = decode(bytes)
      if (isBinary(text)) return yield* new Binary({ bytes: bytes.length })
      return text
    }, Sandbox.bare)

    const write = Effect.fn("Output.write")(
      function* (asked: string, text: string) {
        const path = sandbox.allowed(sandbox.resolve(asked), "file")
        if (path === undefined || controls.test(path) || !isBelow(named, path)) return yield* new Refused()
        if (Buffer.byteLength(text) > MAX_FILE_BYTES) return yield* new TooLarge({ limit: MAX_FILE_BYTES })
        const top = yield* entered(named === "" ? "." : named, sandbox.root)
        const realPath = Path.join(yield* entered(Path.dirname(path), top), Path.basename(path))
        const before = yield* Effect.catchTag(textAt(realPath), "NotFound", () => Effect.succeed(undefined))
        yield* Sandbox.bare(files.write(realPath, text.toWellFormed()))
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

/** Nobody types them in the name of a file, and a list of files would be torn by them. */
const controls = /\p{Cc}/u

const isBelow = (folder: string, path: string): boolean => (folder === "" ? path !== "" : path.startsWith(`${folder}/`))

const as = <A, R>(effect: Effect.Effect<A, Reason, R>, path: string): Effect.Effect<A, FileError, R> =>
  Effect.mapError(effect, (reason) => new FileError({ path, reason }))
