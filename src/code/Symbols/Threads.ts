/** Outlines on more than one thread as soon as there is much to outline. */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Language from "../Language.ts"
import { Symbols } from "../Symbols.ts"
import * as Thread from "./internal/Thread.ts"
import type { Source } from "./internal/Walk.ts"
import * as Scanner from "./Scanner.ts"

/** Characters: where there were so many there are more to come. A thread takes 50 ms of another core to start. */
const MUCH = 100_000

/** Characters that wait for a thread, so that it has work while this one is busy with something else. */
const AHEAD = 500_000

/** With more of them, what is done with the outlines takes longer than they do. */
const MOST_THREADS = 3

/** Without an outline for so long, threads are given back. */
const IDLE = "2 seconds"

const make = Effect.gen(function* () {
  const here = yield* Scanner.make
  const scope = yield* Effect.scope
  let length = 0
  let isHelped = false
  let threads: ReadonlyArray<Thread.Thread> = []

  /** Threads, until there is nothing to do for them. */
  const help = Effect.gen(function* () {
    threads = yield* Effect.replicateEffect(Thread.start(), Math.min(availableParallelism() - 1, MOST_THREADS))
    for (let before = -1; before !== length; yield* Effect.sleep(IDLE)) before = length
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        length = 0
        isHelped = false
        threads = []
      }),
    ),
    Effect.scoped,
  )
  const callHelp = Effect.suspend(() => {
    isHelped = true
    return Effect.forkIn(help, scope)
  })

  const outlineHere = (source: Source) => Effect.zipRight(pause, here.outline(source.path, source.text))

  const outline = (path: string, text: string) =>
    Effect.suspend(() => {
      const source = { path, text }
      if (Language.of(path)?.grammar === undefined) return outlineHere(source)
      length += text.length
      const thread = threads.find(({ burden }) => burden() < AHEAD)
      if (thread !== undefined) return Effect.catchAll(thread.outline(source), () => outlineHere(source))
      // This thread does its part: where it is alone, or the others have enough to do.
      if (threads.length > 0) return Effect.zipLeft(outlineHere(source), turn)
      return length > MUCH && !isHelped ? Effect.zipRight(callHelp, outlineHere(source)) : outlineHere(source)
    })

  return Symbols.of({ outline })
})

/** Where threads cannot be had, everything is parsed in this one. */
export const layer: Layer.Layer<Symbols> = Layer.scoped(Symbols, make)

/** Whatever else is ready to run goes first, an interrupt among it. */
const pause = Effect.yieldNow({ priority: 1 })

/** Lets in what the threads have answered. */
const turn: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})
