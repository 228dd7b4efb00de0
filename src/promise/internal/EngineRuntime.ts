/** Runs an engine on the runtime that its caller has passed, or on one of its own, which ends with the engine. */
import type * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { abortedBy } from "../../agent/GenerateError.ts"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import * as Forest from "../../forest/Forest.ts"
import * as SqliteForestStore from "../../forest/ForestStore/Sqlite.ts"
import * as Ids from "../../message/Ids.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { type Fork, run } from "./run.ts"

export type Runtime = ManagedRuntime.ManagedRuntime<Kernel, never>

export class EngineRuntime {
  readonly runtime: Runtime
  readonly #isOwn: boolean
  readonly #ending = new AbortController()
  readonly #fibers = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  readonly #stops = new Set<() => Promise<unknown>>()

  /** Uses the given runtime. `model` is only used for a runtime of its own. */
  constructor(given: Runtime | undefined, model: LanguageModel.Service) {
    this.runtime = given ?? ManagedRuntime.make(makeKernel(model))
    this.#isOwn = given === undefined
  }

  /**
   * Runs an effect like `run`. Rejects with a `GenerationAbortedError` after `dispose`, and if `dispose` has ended the
   * effect.
   */
  async run<A, E>(effect: Effect.Effect<A, E, Kernel>, signal?: AbortSignal): Promise<A> {
    const ending = this.#ending.signal
    if (ending.aborted) throw abortedBy(ending)
    try {
      return await run(this.#fork, effect, signal)
    } catch (error) {
      throw ending.aborted && !signal?.aborted ? abortedBy(ending) : error
    }
  }

  /**
   * Runs the effect that makes the engine. If it fails, there is no engine to dispose of, and a runtime of its own
   * ends.
   */
  async open<A, E>(effect: Effect.Effect<A, E, Kernel>): Promise<A> {
    try {
      return await this.run(effect)
    } catch (error) {
      await this.dispose()
      throw error
    }
  }

  /** Iterates over a stream like `Stream.toAsyncIterable`; `dispose` ends the iteration. */
  iterate<A, E>(stream: Stream.Stream<A, E>): AsyncIterable<A> {
    return {
      [Symbol.asyncIterator]: () => {
        const events = Stream.toAsyncIterable(stream)[Symbol.asyncIterator]()
        const end: IteratorReturnResult<undefined> = { done: true, value: undefined }
        // A pending `next` of the inner iterator never settles after its `return`.
        const stopped = Promise.withResolvers<typeof end>()
        const stop = async () => {
          this.#stops.delete(stop)
          await events.return?.()
          stopped.resolve(end)
          return end
        }
        return {
          next: async () => {
            if (this.#ending.signal.aborted) return end
            this.#stops.add(stop)
            const next = events.next()
            const result = await Promise.race([next, stopped.promise])
            if (result.done) this.#stops.delete(stop)
            return result
          },
          return: stop,
        }
      },
    }
  }

  /**
   * Ends the effects in progress and waits for them, then ends a runtime of its own. A runtime that was passed stays.
   */
  async dispose(): Promise<void> {
    this.#ending.abort("the engine was disposed of")
    await Promise.all(Array.from(this.#stops, (stop) => stop()))
    await run(this.runtime.runFork, Fiber.interruptAll(this.#fibers)).catch(() => {})
    if (this.#isOwn) await this.runtime.dispose()
  }

  readonly #fork: Fork<Kernel> = (effect) => {
    const fiber = this.runtime.runFork(effect)
    this.#fibers.add(fiber)
    fiber.addObserver(() => this.#fibers.delete(fiber))
    return fiber
  }
}

export type Kernel = Forest.Forest | LoomEngine.LoomEngine

/** Makes the services. `model` is only a default: each turn names its own. */
export const makeKernel = (model: LanguageModel.Service): Layer.Layer<Kernel> =>
  LoomEngine.layer.pipe(
    Layer.provideMerge(Forest.layer),
    Layer.provide(SqliteForestStore.layerMemory),
    Layer.provide(Ids.layer),
    Layer.provide(Layer.succeed(LanguageModel.LanguageModel, model)),
  )
