/**
 * A text file that a person has open in an editor of their own while vibe writes it too. Inside vibe its lines end with
 * a line feed; what it is written with stays as it is on the disk: line endings, byte order mark, permissions.
 */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Binary, FileError, NotAFile, type Reason, TooLarge } from "../../code/FileError.ts"
import * as Files from "../../code/Files.ts"
import { MAX_FILE_BYTES } from "../../code/Workspace.ts"

export interface TextFile {
  /** As the user named it. */
  readonly name: string
  /** Absolute, links resolved when it was opened: a link is never replaced, what it leads to is. */
  readonly path: string
  /** None where there is no file. Fails where it is no text, or has more than `MAX_FILE_BYTES`. */
  readonly read: Effect.Effect<Option.Option<Snapshot>, FileError>
  /**
   * Writes the text in the form of what is taken to be there, none for no file: whole or not at all, and only if that is
   * there still; else it fails with `Changed`.
   */
  readonly write: (text: string, over: Option.Option<Snapshot>) => Effect.Effect<Snapshot, FileError>
}

/** A file as it was at one moment. */
export interface Snapshot {
  readonly bytes: Uint8Array
  readonly text: string
  readonly form: Form
}

/** What of a file is not told by its text. */
export interface Form {
  /** Of every line: lines that end in different ways are text like any other. */
  readonly ending: "\n" | "\r\n"
  readonly hasMark: boolean
}

/** Fails where there is something else than a text file, or no folder that could hold one. */
export const open = Effect.fn("TextFile.open")(function* (name: string) {
  const files = yield* Files.Files
  const named = <A, R>(effect: Effect.Effect<A, FileError | Reason, R>) =>
    Effect.mapError(effect, (error) => new FileError({ path: name, reason: "path" in error ? error.reason : error }))

  const place = yield* named(resolvePath(files, path.resolve(name)))

  const read: TextFile["read"] = Effect.gen(function* () {
    const bytes = yield* Files.readOpened(yield* files.open(place), MAX_FILE_BYTES)
    return Option.some(yield* decode(bytes))
  }).pipe(
    Effect.scoped,
    named,
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeedNone,
    ),
  )

  const write: TextFile["write"] = (text, over) =>
    named(
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

/** Where the file is, or would be. A link that leads nowhere is no place for one. */
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
