/**
 * Logs as lines: to stderr, sanitised for a terminal, or to the view of a session, since a line on stderr would break
 * what that draws.
 */

import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import { toStringUnknown } from "effect/Inspectable"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { sanitizeLine } from "./Sanitize.ts"

/** Returns the messages and the facts of what is logged: `the index was damaged (path: /p/.vibe)`. */
const textOf = ({ annotations, message }: Pick<Logger.Logger.Options<unknown>, "annotations" | "message">): string => {
  const text = (Array.isArray(message) ? message : [message]).map((part) => toStringUnknown(part)).join(" ")
  const facts = Array.from(HashMap.entries(annotations), ([name, fact]) => `${name}: ${toStringUnknown(fact)}`)
  return facts.length === 0 ? text : `${text} (${facts.join(", ")})`
}

/** `vibe: warning: the index was damaged (path: /p/.vibe)`. */
export const line: Logger.Logger<unknown, string> = Logger.make((logged) => {
  const cause = Cause.isEmpty(logged.cause) ? "" : ` ${Cause.pretty(logged.cause)}`
  return sanitizeLine(`vibe: ${logged.logLevel.label.toLowerCase()}: ${textOf(logged)}${cause}`)
})

export const layer: Layer.Layer<never> = Logger.replace(
  Logger.defaultLogger,
  Logger.map(line, (line) => void process.stderr.write(`${line}\n`)),
)

/** Passes each line to `show` until the scope closes. Returns a function that makes an effect log that way. */
export const redirectLogTo = (
  show: (line: string) => Effect.Effect<void>,
): Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const logger = Logger.make((logged) => void lines.unsafeOffer(textOf(logged)))
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Queue.takeAll(lines), (left) => Effect.forEach(left, show, { discard: true })),
    )
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(lines), show)))
    return (effect) => Effect.locally(effect, FiberRef.currentLoggers, HashSet.make(logger))
  })
