/** Spans for those who trace: where nobody has installed a tracer, there is none to pay for. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/** As `Effect.withSpan`, unless the tracer is the one that Effect begins with, whose spans nobody reads. */
export const withSpan =
  (name: string, attributes: Readonly<Record<string, unknown>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tracerWith((tracer) =>
      tracer === unread ? effect : Effect.withSpan(effect, name, { attributes, captureStackTrace: false }),
    )

const unread = Context.get(DefaultServices.liveServices, Tracer.Tracer)
