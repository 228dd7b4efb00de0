/** Reads files, and pipes such as `<(…)`, that the command line names. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"

export interface ReadOptions {
  readonly maxBytes: number
  /** The command whose help the error refers to. */
  readonly command?: string | undefined
}

/** Reads the whole content. Fails if the file is missing, too large, or neither a regular file nor a pipe. */
export const read = (
  file: string,
  { command, maxBytes }: ReadOptions,
): Effect.Effect<Uint8Array, UsageError, Files.Files> =>
  Effect.mapError(Files.readAll(path.resolve(file), { most: maxBytes, pipes: true }), ({ reason }) => {
    const why = reason._tag === "NotAFile" ? "neither a regular file nor a pipe" : reason.message
    return new UsageError({ message: `${file}: ${why}`, command })
  })
