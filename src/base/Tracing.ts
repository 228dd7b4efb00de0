/** Spans that cost nothing if no tracer is installed. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/** Works like `Effect.withSpan`, unless the tracer is Effect's default: its spans are never read. */
export const withSpan =
  (name: string, attributes: Readonly<Record<string, unknown>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tracerWith((tracer) =>
      tracer === unread ? effect : Effect.withSpan(effect, name, { attributes, captureStackTrace: false }),
    )

const unread = Context.get(DefaultServices.liveServices, Tracer.Tracer)
