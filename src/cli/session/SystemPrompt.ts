/** The system prompt: the text of a file, or the built-in one. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../message/UsageError.ts"
import * as NamedFile from "../arguments/NamedFile.ts"
import { mostBytes } from "../terminal/Stdin.ts"

/** The text of the file, unchanged; `builtIn` without a file. */
export const readOr = (file: Option.Option<string>, builtIn: string) =>
  Option.match(file, { onNone: () => Effect.succeed(builtIn), onSome: read })

const read = (file: string) =>
  Effect.flatMap(NamedFile.read(file, { most: mostBytes }), (bytes) =>
    Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      catch: () => new UsageError({ message: `${file}: is no text` }),
    }),
  )
