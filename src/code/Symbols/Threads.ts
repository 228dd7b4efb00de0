/** Outlines by tree-sitter, on more than one thread as soon as there is much to outline. */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RcRef from "effect/RcRef"
import * as Scope from "effect/Scope"
import * as Language from "../Language.ts"
import { Symbols } from "../Symbols.ts"
import * as Thread from "./internal/Thread.ts"
import * as TreeSitter from "./TreeSitter.ts"

/** Characters: who has outlined so many at a stretch has more of them. A thread takes 100 ms to start. */
const STRETCH = 300_000

/** Characters that wait for a thread, so that it has work while this one is busy otherwise. */
const AHEAD = 250_000

/** Beyond this many, what is done with the outlines takes longer than they do. */
const MOST_THREADS = 3

/** Milliseconds without any outline after which threads are given back. */
const IDLE = 2_000

/** Texts that are outlined at a stretch, and the threads that help. */
interface Stretch {
  readonly scope: Scope.Scope
  readonly threads: Array<Thread.Thread>
  length: number
}

const make = Effect.gen(function* () {
  const here = yield* TreeSitter.make
  const stretches = yield* RcRef.make({
    acquire: Effect.map(Effect.scope, (scope): Stretch => ({ scope, threads: [], length: 0 })),
    idleTimeToLive: IDLE,
  })

  const outline = Effect.fnUntraced(function* (path: string, text: string) {
    if (Language.of(path)?.grammar === undefined) return yield* here.outline(path, text)
    const stretch = yield* RcRef.get(stretches)
    const isMuch = stretch.length > STRETCH
    stretch.length += text.length
    if (!isMuch && stretch.length > STRETCH) stretch.threads.push(...(yield* startThreads(stretch.scope)))
    const thread = stretch.threads.find(({ burden }) => burden() < AHEAD)
    const there = yield* thread?.outline(path, text) ?? Effect.succeed(undefined)
    if (there !== undefined) return there
    const outline = yield* here.outline(path, text)
    if (stretch.threads.length > 0) yield* turn
    return outline
  }, Effect.scoped)

  return Symbols.of({ outline })
})

/** This thread does its part: where it is alone, or the others have enough to do. */
export const layer: Layer.Layer<Symbols> = Layer.scoped(Symbols, make)

const startThreads = (scope: Scope.Scope) =>
  Scope.extend(Effect.replicateEffect(Thread.start, Math.min(availableParallelism() - 1, MOST_THREADS)), scope)

/** Lets what the threads have answered in. */
const turn: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})
