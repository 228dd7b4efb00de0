/**
 * The transport of the SDK over a program that `process/ChildProcess` has started, with one message of JSON in each
 * line. The SDK's own transport would start the program by a relative path, and leave behind the programs that it
 * starts.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as ChildProcess from "../../process/ChildProcess.ts"
import * as ServerAnswers from "./ServerAnswers.ts"

export interface ClientTransport {
  readonly transport: Transport
  /** Returns why no more messages come, or `undefined` while they may. */
  readonly ending: () => string | undefined
  /** Returns the end of the output that is no message: on stderr, else on stdout. */
  readonly lastWords: () => string
}

/** The most characters of a line. An answer of 50 MB still arrives, to be cut; more would need too much memory. */
const MAX_LINE_CHARS = 64 * 1024 * 1024

/** The most characters that are kept of each stream. */
const MAX_WORDS_CHARS = 8192

/** Reads what the program prints until it ends or the scope closes. */
export const make = (running: ChildProcess.Interactive): Effect.Effect<ClientTransport, never, Scope.Scope> =>
  Effect.gen(function* () {
    const started = Deferred.unsafeMake<void>(FiberId.none)
    const words = { Stdout: "", Stderr: "" }
    let ending: string | undefined
    let line: Array<string> = []
    let lineChars = 0

    const remember = (stream: "Stdout" | "Stderr", text: string) => {
      words[stream] = (words[stream] + text.slice(-MAX_WORDS_CHARS)).slice(-MAX_WORDS_CHARS)
    }
    const transport: Transport = {
      start: () => {
        Deferred.unsafeDone(started, Exit.void)
        return Promise.resolve()
      },
      send: (message) => Effect.runPromise(running.write(`${JSON.stringify(message)}\n`)),
      // The program is ended by the scope.
      close: () => {
        transport.onclose?.()
        return Promise.resolve()
      },
    }
    const takeLine = () => {
      const text = line.join("")
      line = []
      lineChars = 0
      if (text.trim() === "") return
      const message = parse(text)
      if (message === undefined) return remember("Stdout", `${text}\n`)
      try {
        transport.onmessage?.(message)
      } catch {
        // The message may be an answer to no request. A call that waits for another answer ends with its time.
      }
    }
    const take = (text: string) => {
      const [first = "", ...rest] = text.split("\n")
      line.push(first)
      lineChars += first.length
      for (const part of rest) {
        takeLine()
        line.push(part)
        lineChars = part.length
      }
    }
    const read: Effect.Effect<string> = Effect.gen(function* () {
      for (let outputs = yield* running.next; Option.isSome(outputs); outputs = yield* running.next) {
        for (const { _tag, text } of outputs.value) {
          if (_tag === "Stderr") remember("Stderr", text)
          else take(text)
        }
        if (lineChars > MAX_LINE_CHARS) return `sent a line of more than ${MAX_LINE_CHARS / 1024 / 1024} MB`
      }
      const { code, signal } = yield* running.ended
      return signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`
    })
    yield* Deferred.await(started).pipe(
      Effect.zipRight(read),
      Effect.flatMap((why) =>
        Effect.sync(() => {
          ending ??= why
          transport.onclose?.()
        }),
      ),
      Effect.forkScoped,
    )
    return {
      transport,
      ending: () => ending,
      lastWords: () => words.Stderr || words.Stdout,
    }
  })

/** Returns a message, or `undefined` for any other line, since many programs print a greeting. */
const parse = (line: string): JSONRPCMessage | undefined => {
  try {
    const message = ServerAnswers.mendResponse(JSON.parse(line))
    return isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)
      ? message
      : undefined
  } catch {
    return undefined
  }
}
