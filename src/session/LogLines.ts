/** What is logged while a conversation runs: to its view, since a line on stderr would stand across what is drawn. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import { toStringUnknown } from "effect/Inspectable"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

/** Hands each line to `tell`, until the scope closes. Gives what makes an effect log that way. */
export const redirectTo = (
  tell: (line: string) => Effect.Effect<void>,
): Effect.Effect<<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const logger = Logger.make(({ annotations, message }) => {
      const said = (Array.isArray(message) ? message : [message]).map((part) => toStringUnknown(part)).join(" ")
      const facts = Array.from(HashMap.entries(annotations), ([name, fact]) => `${name}: ${toStringUnknown(fact)}`)
      lines.unsafeOffer(facts.length === 0 ? said : `${said} (${facts.join(", ")})`)
    })
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Queue.takeAll(lines), (left) => Effect.forEach(left, tell, { discard: true })),
    )
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(lines), tell)))
    return (effect) => Effect.locally(effect, FiberRef.currentLoggers, HashSet.make(logger))
  })
