/** What a model is told before all else: the text of a file, or what is built in. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../message/UsageError.ts"
import * as NamedFile from "../NamedFile.ts"
import { mostBytes } from "../Stdin.ts"

/** Byte for byte as the file has it. */
export const readOr = (file: Option.Option<string>, builtIn: string) =>
  Option.match(file, { onNone: () => Effect.succeed(builtIn), onSome: read })

const read = (file: string) =>
  Effect.flatMap(NamedFile.read(file, { most: mostBytes }), (bytes) =>
    Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      catch: () => new UsageError({ message: `${file}: is no text` }),
    }),
  )
