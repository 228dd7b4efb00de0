import { availableParallelism } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Scanner from "../../../src/code/Symbols/Scanner.ts"
import * as Workers from "../../../src/code/Symbols/Workers.ts"
import { Symbols } from "../../../src/code/Symbols.ts"
import { ended, startedWorkers } from "./startedWorkers.ts"

/** More of them than one thread is left alone with, most of it in comments, which take little time. */
const sources = Array.from({ length: 100 }, (_, n) => ({
  path: n % 10 === 0 ? `notes${n}.md` : `tree${n}.ts`,
  text: Array.from(
    { length: 8 },
    (_, m) => `/** ${"Grows. ".repeat(90)}*/\nexport const grow${n}_${m} = () => ${m}\n`,
  ).join(""),
}))

const outlines = (concurrency: number) =>
  Effect.flatMap(Symbols, ({ outline }) =>
    Effect.forEach(sources, ({ path, text }) => outline(path, text), { concurrency }),
  )

describe("Workers", () => {
  it.live("find the same as one thread", () =>
    Effect.gen(function* () {
      const alone = yield* Effect.provide(outlines(1), Scanner.layer)
      const found = yield* Effect.provide(outlines(64), Workers.layer)
      assert.deepStrictEqual(
        found.map(({ hashes, ...outline }) => outline),
        alone,
      )
    }),
  )

  it.effect("do not delay the end of their scope", () =>
    // The clock stands still: they would help for good.
    Effect.provide(outlines(64), Workers.layer),
  )

  it.live("end when they are released, and start again for the next texts", () =>
    Effect.gen(function* () {
      const many = Math.min(availableParallelism() - 1, 3)
      const started = yield* startedWorkers
      const { release = Effect.void } = yield* Symbols
      yield* outlines(64)
      assert.lengthOf(started, many)
      yield* release
      yield* Effect.forEach(started, ended)
      yield* outlines(64)
      assert.lengthOf(started, 2 * many)
    }).pipe(Effect.scoped, Effect.provide(Workers.layer)),
  )

  it.live("are not ended while they have texts", () =>
    Effect.gen(function* () {
      const started = yield* startedWorkers
      const { outline, release = Effect.void } = yield* Symbols
      yield* Effect.forEach(sources, ({ path, text }) => Effect.zipLeft(outline(path, text), release), {
        concurrency: 64,
      })
      assert.lengthOf(started, Math.min(availableParallelism() - 1, 3))
    }).pipe(Effect.scoped, Effect.provide(Workers.layer)),
  )
})

describe("The main thread", () => {
  it.live("outlines what a worker has no room for", () =>
    Effect.gen(function* () {
      // Twenty times what begins the work of a worker, which is sent some of it, and answers nothing.
      const long = Array.from({ length: 80 }, (_, n) => ({
        path: `long${n}.ts`,
        text: `export const grow${n} = 1 ${" ".repeat(100_000)}`,
      }))
      const done = new Set<string>()
      const { outline } = yield* Symbols
      const all = yield* Effect.fork(
        Effect.forEach(long, ({ path, text }) => Effect.tap(outline(path, text), () => done.add(path)), {
          concurrency: "unbounded",
        }),
      )
      yield* Effect.repeat(nextTurn, { until: () => done.size >= 65 })
      yield* Fiber.interrupt(all)
    }).pipe(Effect.scoped, Effect.provide(Workers.layerWith(silent))),
  )
})

/** A worker that is ready at once, and answers no request. */
const silent = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads"
    parentPort.on("message", () => {})
    parentPort.postMessage("ready")
  `)}`,
)

/** One turn of the event loop. */
const nextTurn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
