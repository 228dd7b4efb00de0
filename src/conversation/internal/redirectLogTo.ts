/** Passes what is logged during a session to its view, since a line on stderr would break the drawing of a terminal. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import { toStringUnknown } from "effect/Inspectable"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

/** Passes each line to `show` until the scope closes. Returns a function that makes an effect log that way. */
export const redirectLogTo = (
  show: (line: string) => Effect.Effect<void>,
): Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const logger = Logger.make(({ annotations, message }) => {
      const text = (Array.isArray(message) ? message : [message]).map((part) => toStringUnknown(part)).join(" ")
      const facts = Array.from(HashMap.entries(annotations), ([name, fact]) => `${name}: ${toStringUnknown(fact)}`)
      lines.unsafeOffer(facts.length === 0 ? text : `${text} (${facts.join(", ")})`)
    })
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Queue.takeAll(lines), (left) => Effect.forEach(left, show, { discard: true })),
    )
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(lines), show)))
    return (effect) => Effect.locally(effect, FiberRef.currentLoggers, HashSet.make(logger))
  })
