/**
 * A text file that the user has open in an editor while vibe writes it, too. In memory its lines end with a line feed.
 * On the disk its line endings, byte order mark and permissions are kept.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Binary, FileError, NotAFile, type Reason, TooLarge } from "../../code/FileError.ts"
import * as Files from "../../code/Files.ts"
import { MAX_FILE_BYTES } from "../../code/Workspace.ts"

export interface TextFile {
  /** The name as the user gave it. */
  readonly name: string
  /**
   * The absolute path, with links resolved when it was opened: writing replaces the target of a link, never the link.
   */
  readonly path: string
  /** Returns none if there is no file. Fails if the file is not a text, or larger than `MAX_FILE_BYTES`. */
  readonly read: Effect.Effect<Option.Option<Snapshot>, FileError>
  /**
   * Writes the text atomically in the form of `over`, the expected content (none for no file). Fails with `Changed` if
   * the file has other content.
   */
  readonly write: (text: string, over: Option.Option<Snapshot>) => Effect.Effect<Snapshot, FileError>
}

/** A file as it was at one moment. */
export interface Snapshot {
  readonly bytes: Uint8Array
  readonly text: string
  readonly form: Form
}

/** The form of a file apart from its text. */
interface Form {
  /** `\r\n` only if every line ends so; otherwise carriage returns are part of the text. */
  readonly ending: "\n" | "\r\n"
  readonly hasMark: boolean
}

/** Fails if the path is not a text file, or if its folder does not exist. */
export const open = Effect.fn("TextFile.open")(function* (name: string) {
  const files = yield* Files.Files
  const withName = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>) =>
    Effect.mapError(effect, (error) => new FileError({ path: name, reason: "path" in error ? error.reason : error }))

  const place = yield* withName(resolvePath(files, path.resolve(name)))

  const read: TextFile["read"] = Effect.gen(function* () {
    const { bytes } = yield* files.readReal(place, MAX_FILE_BYTES)
    return Option.some(yield* decode(bytes))
  }).pipe(
    withName,
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeedNone,
    ),
  )

  const write: TextFile["write"] = (text, over) =>
    withName(
      Effect.gen(function* () {
        const form = Option.match(over, { onNone: () => DEFAULT_FORM, onSome: ({ form }) => form })
        const written = encode(text, form)
        const bytes = new TextEncoder().encode(written)
        if (bytes.length > MAX_FILE_BYTES) return yield* new TooLarge({ limit: MAX_FILE_BYTES })
        yield* files.write(place, written, { bytes: Option.getOrUndefined(over)?.bytes })
        return { bytes, text, form }
      }),
    )

  const file: TextFile = { name, path: place, read, write }
  yield* read
  return file
})

/** The path of the file, which need not exist. Fails for a broken link. */
const resolvePath = (files: Files.Service, absolute: string): Effect.Effect<string, FileError | Reason> =>
  Effect.catchIf(
    files.realPath(absolute),
    ({ reason }) => reason._tag === "NotFound",
    () =>
      Effect.gen(function* () {
        const isThere = Option.isSome(yield* Effect.option(files.stat(absolute)))
        if (isThere) return yield* new NotAFile()
        return path.join(yield* files.realPath(path.dirname(absolute)), path.basename(absolute))
      }),
  )

const DEFAULT_FORM: Form = { ending: "\n", hasMark: false }

const BYTE_ORDER_MARK = "\ufeff"

const decode = (bytes: Uint8Array): Effect.Effect<Snapshot, Binary> =>
  Effect.try({
    try: () => utf8.decode(bytes),
    catch: () => new Binary({ bytes: bytes.length }),
  }).pipe(
    Effect.filterOrFail(
      (whole) => !whole.includes("\0"),
      () => new Binary({ bytes: bytes.length }),
    ),
    Effect.map((whole) => {
      const hasMark = whole.startsWith(BYTE_ORDER_MARK)
      const text = hasMark ? whole.slice(BYTE_ORDER_MARK.length) : whole
      const ending = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n"
      return { bytes, text: text.replaceAll(ending, "\n"), form: { ending, hasMark } }
    }),
  )

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const encode = (text: string, { ending, hasMark }: Form): string =>
  `${hasMark ? BYTE_ORDER_MARK : ""}${text.replaceAll("\n", ending)}`
