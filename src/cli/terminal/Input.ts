/** The input of a command: stdin, and the files and pipes, such as `<(…)`, that the command line names. */

import { fstatSync } from "node:fs"
import * as path from "node:path"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { endWith } from "../../base/concurrency.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Files from "../../code/Files.ts"

export class Stdin extends Context.Tag("vibe/cli/Stdin")<Stdin, Service>() {}

export interface Service {
  /**
   * The whole input; `None` if stdin is a terminal, or a socket without input. Fails on more than `MAX_BYTES`, without
   * reading the rest.
   */
  readonly text: Effect.Effect<Option.Option<string>, UsageError>
}

/** The most bytes of an input: about a million tokens, more than a model can read. */
export const MAX_BYTES = 4_000_000

/** The standard input of this process. */
export const layer: Layer.Layer<Stdin> = Layer.succeed(Stdin, {
  text: Effect.suspend(() => (process.stdin.isTTY ? Effect.succeedNone : read)),
})

const read = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  return yield* readAll(started).pipe(Effect.asSome, endWith(handleSilence(started)))
})

/** Completes `started` with the first bytes or the end. A read error counts as the end. */
const readAll = (started: Deferred.Deferred<void>): Effect.Effect<string, UsageError> =>
  Effect.async((resume) => {
    const decoder = new TextDecoder()
    let text = ""
    let bytes = 0
    const begin = () => Deferred.unsafeDone(started, Effect.void)
    const end = () => {
      begin()
      resume(Effect.succeed(text + decoder.decode()))
    }
    process.stdin
      .on("data", (part: Buffer) => {
        begin()
        bytes += part.length
        if (bytes > MAX_BYTES) resume(Effect.fail(tooMuch))
        else text += decoder.decode(part, { stream: true })
      })
      .on("end", end)
      .on("error", end)
    return Effect.sync(() => void process.stdin.destroy())
  })

const tooMuch = new UsageError({
  message: `stdin holds more than ${MAX_BYTES / 1_000_000} MB, more than a model can take in: give it a part`,
})

/**
 * Handles a stdin without input. For a pipe of a shell it waits, with a warning, since the command before it will
 * write. For a socket it stops waiting: programs that start vibe often open one and never use it.
 */
const handleSilence = (started: Deferred.Deferred<void>): Effect.Effect<Option.Option<never>> =>
  Effect.gen(function* () {
    const isSocket = fstatSync(0).isSocket()
    yield* Effect.sleep(isSocket ? "1 second" : "3 seconds")
    if (yield* Deferred.isDone(started)) return yield* Effect.never
    yield* Effect.logWarning(
      isSocket ? "nothing comes on stdin: going on without it" : "waiting for what comes on stdin",
    )
    return isSocket ? Option.none() : yield* Effect.never
  })

interface ReadOptions {
  readonly maxBytes: number
  /** The command whose help the error refers to. */
  readonly command?: string | undefined
}

/** Reads the whole content. Fails if the file is missing, too large, or neither a regular file nor a pipe. */
export const readNamed = (
  file: string,
  { command, maxBytes }: ReadOptions,
): Effect.Effect<Uint8Array, UsageError, Files.Files> =>
  Effect.mapError(Files.readAll(path.resolve(file), { most: maxBytes, pipes: true }), ({ reason }) => {
    const why = reason._tag === "NotAFile" ? "neither a regular file nor a pipe" : reason.message
    return new UsageError({ message: `${file}: ${why}`, command })
  })
