/** Files that the user names on the command line, and pipes: `--schema <(…)`. */
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Files from "../../code/Files.ts"
import { UsageError } from "../../message/UsageError.ts"

export interface Reading {
  /** How many bytes at the most. */
  readonly most: number
  /** The command that the error is about. */
  readonly command?: string | undefined
}

/** All of it. Fails where it is missing, no regular file and no pipe, or larger than `most` bytes. */
export const read = (file: string, { command, most }: Reading): Effect.Effect<Uint8Array, UsageError, Files.Files> =>
  Effect.mapError(Files.readAll(path.resolve(file), { most, pipes: true }), ({ reason }) => {
    const why = reason._tag === "NotAFile" ? "neither a regular file nor a pipe" : reason.message
    return new UsageError({ message: `${file}: ${why}`, command })
  })
