/** Runs the agent loop once without Effect: an async iterable of events, which can be aborted. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { GenerateEvent } from "../agent/GenerateEvent.ts"
import type { GenerateOptions } from "../agent/GenerateOptions.ts"
import * as LoomEngine from "../agent/LoomEngine.ts"
import type { Node } from "../forest/Node.ts"
import * as Ids from "../message/Ids.ts"
import type { NodeId } from "../message/NodeId.ts"

export interface GenerateSession extends AsyncIterable<GenerateEvent> {
  readonly id: string
  /** Ends the run with one `error` event that carries a `GenerationAbortedError`. */
  readonly abort: (reason?: string) => void
  /** Starts the run. Leaving the loop early stops it. A session can be iterated once. */
  readonly [Symbol.asyncIterator]: () => AsyncIterator<GenerateEvent>
}

/**
 * Makes a session of `LoomEngine.generateStream` over a runtime that holds the engine. Nothing runs before the session
 * is iterated.
 */
export const generateStream = <R, E>(
  runtime: ManagedRuntime.ManagedRuntime<R | LoomEngine.LoomEngine, E>,
  parent: NodeId,
  options: GenerateOptions = {},
): GenerateSession => {
  const controller = new AbortController()
  const signal = options.signal === undefined ? controller.signal : AbortSignal.any([options.signal, controller.signal])
  let started = false
  return {
    id: Effect.runSync(Effect.provide(Ids.next, Ids.layer)),
    abort: (reason) => controller.abort(reason),
    [Symbol.asyncIterator]: () => {
      if (started) throw new Error("GenerateSession can only be iterated once.")
      started = true
      const events = iterate(runtime, parent, { ...options, signal })
      return {
        next: () => events.next(),
        // The generator's own `return` would wait for a pending `next`, and so for the model.
        return: () => {
          controller.abort()
          return events.return(undefined)
        },
      }
    },
  }
}

/** Runs to the end and returns the nodes of `done`. Rejects with the error of the run. */
export const generate = async <R, E>(
  runtime: ManagedRuntime.ManagedRuntime<R | LoomEngine.LoomEngine, E>,
  parent: NodeId,
  options: GenerateOptions = {},
): Promise<ReadonlyArray<Node>> => {
  for await (const event of generateStream(runtime, parent, options)) {
    if (event.type === "done") return event.final
    if (event.type === "error") throw event.error
  }
  throw new Error("a run ended without a 'done' or 'error' event")
}

async function* iterate<R, E>(
  runtime: ManagedRuntime.ManagedRuntime<R | LoomEngine.LoomEngine, E>,
  parent: NodeId,
  options: GenerateOptions,
): AsyncGenerator<GenerateEvent> {
  const scope = await runtime.runPromise(Scope.make())
  try {
    // This does not use `Stream.toAsyncIterable`, which runs one event ahead of its consumer.
    const pull = await runtime.runPromise(
      LoomEngine.LoomEngine.pipe(
        Effect.flatMap((engine) => Stream.toPull(engine.generateStream(parent, options))),
        Scope.extend(scope),
      ),
    )
    for (;;) {
      const events = await runtime.runPromise(Effect.option(pull))
      if (Option.isNone(events)) return
      yield* events.value
    }
  } finally {
    await runtime.runPromise(Scope.close(scope, Exit.void))
  }
}
