import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import * as SymbolHashes from "../../../../src/code/SymbolHashes.ts"
import * as OutlineWorker from "../../../../src/code/Symbols/internal/workers/OutlineWorker.ts"
import * as Scanner from "../../../../src/code/Symbols/Scanner.ts"
import type { Outline } from "../../../../src/code/Symbols.ts"
import { ended, startedWorkers } from "../startedWorkers.ts"

/** One turn of the event loop. */
const nextTurn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

const outline = (thread: OutlineWorker.OutlineWorker, source: { readonly path: string; readonly text: string }) =>
  Effect.async<Outline, OutlineWorker.WorkerEnded>((resume) => {
    const cancel = thread.request(source, resume)
    return Effect.sync(cancel)
  })

/** Waits until the thread is ready. To ask for it in each turn of the event loop would take all of a core. */
const ready = (thread: OutlineWorker.OutlineWorker) => outline(thread, { path: "a.ts", text: "" })

const source = (n: number, padding = 0) => ({
  path: `a${n}.ts`,
  text: `/** Plants ${n}. */\nexport class Tree${n} { grow() {} }\n${" ".repeat(padding)}`,
})

describe("OutlineWorker", () => {
  it.scopedLive("outlines as the main thread does, with many requests at once, and hashes the symbols", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      yield* ready(thread)
      // More than one batch, and more than are in flight at a time.
      const sources = Array.from({ length: 20 }, (_, n) => source(n, 900 * n))
      assert.isAbove(
        sources.reduce((sum, { text }) => sum + text.length, 0),
        150_000,
      )
      const outlines = yield* Effect.forEach(sources, (source) => outline(thread, source), { concurrency: 15 })
      const here = yield* Scanner.make
      const expected = yield* Effect.forEach(sources, ({ path, text }) =>
        Effect.map(here.outline(path, text), (outline) => ({
          ...outline,
          hashes: SymbolHashes.ofAll(path, text, outline.symbols),
        })),
      )
      assert.deepStrictEqual(outlines, expected)
      assert.strictEqual(thread.queuedChars(), 0)
    }),
  )

  it.scopedLive("returns to each request its own outline, also where one takes longer than the next", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      const ask = (path: string) =>
        // Each in a batch of its own: requests of one turn are sent together.
        Effect.zipRight(
          nextTurn,
          Effect.map(outline(thread, { path, text: `class ${path[0]} {}` }), ({ symbols }) => symbols[0]?.name),
        )
      const paths = ["a.java", "b.ts", "c.cpp", "d.ts", "e.php", "f.ts"]
      const names = yield* Effect.forEach(paths, ask, { concurrency: "unbounded" })
      assert.deepStrictEqual(names, ["a", "b", "c", "d", undefined, "f"])
    }),
  )

  it.scopedLive("counts the characters of pending requests, also of those from before it was ready", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start()
      yield* outline(thread, source(1))
      assert.strictEqual(thread.queuedChars(), 0)
      const fiber = yield* Effect.fork(outline(thread, source(2)))
      yield* Effect.yieldNow()
      assert.strictEqual(thread.queuedChars(), source(2).text.length)
      yield* Fiber.join(fiber)
      assert.strictEqual(thread.queuedChars(), 0)
    }),
  )

  it.live("fails pending requests when it has ended", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const thread = yield* Scope.extend(OutlineWorker.start(), scope)
      yield* ready(thread)
      const fiber = yield* Effect.fork(Effect.flip(outline(thread, { path: "a.sh", text: ")".repeat(200_000) })))
      yield* nextTurn
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Fiber.join(fiber), new OutlineWorker.WorkerEnded())
      assert.strictEqual(thread.queuedChars(), Number.POSITIVE_INFINITY)
    }),
  )

  it.scopedLive("ends when all pending requests are interrupted", () =>
    Effect.gen(function* () {
      const started = yield* startedWorkers
      const thread = yield* OutlineWorker.start()
      yield* ready(thread)
      const slow = Effect.fork(outline(thread, { path: "a.sh", text: ")".repeat(200_000) }))
      const fibers = [yield* slow, yield* slow]
      yield* nextTurn
      yield* Effect.forEach(fibers, Fiber.interrupt)
      assert.lengthOf(started, 1)
      yield* Effect.forEach(started, ended)
      assert.strictEqual(thread.queuedChars(), Number.POSITIVE_INFINITY)
    }),
  )

  it.scopedLive("is never ready where its entry does not exist, and fails requests", () =>
    Effect.gen(function* () {
      const thread = yield* OutlineWorker.start(new URL("./nowhere.ts", import.meta.url))
      assert.deepStrictEqual(yield* Effect.flip(outline(thread, source(1))), new OutlineWorker.WorkerEnded())
      assert.strictEqual(thread.queuedChars(), Number.POSITIVE_INFINITY)
    }),
  )
})
