import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, FiberRef, Layer, Ref, TestClock } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Symbols from "../../src/code/Symbols.ts"
import * as Watcher from "../../src/code/Watcher.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Freshness from "../../src/index/Freshness.ts"
import { IndexError, NotIndexed } from "../../src/index/IndexError.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as RunProgress from "../../src/index/RunProgress.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { symbols } from "./IndexStore.fixture.ts"

const refreshed: IndexStore.Refreshed = { files: 1, symbols: 1, parsed: 0, removed: 0, hidden: 0 }

/** A refresh that the test ends. `started` is done when the nth refresh, from 0, has started. */
const controlled = Effect.gen(function* () {
  const started = yield* Effect.replicateEffect(Deferred.make<void>(), 3)
  const ends = yield* Effect.replicateEffect(Deferred.make<IndexStore.Refreshed, IndexError>(), 3)
  const count = yield* Ref.make(0)
  const refresh = Effect.flatMap(
    Ref.getAndUpdate(count, (n) => n + 1),
    (n) => {
      const [start, end] = [started[n], ends[n]]
      return start === undefined || end === undefined
        ? Effect.dieMessage("too many refreshes")
        : Effect.zipRight(Deferred.succeed(start, undefined), Deferred.await(end))
    },
  )
  const at = <A>(all: ReadonlyArray<A>, n: number): A => all[n] ?? assert.fail(`no ${n}`)
  return {
    index: { refresh, refreshPaths: () => refresh },
    count: Ref.get(count),
    started: (n: number) => Deferred.await(at(started, n)),
    end: (n: number) => Deferred.succeed(at(ends, n), refreshed),
    fail: (n: number, error: IndexError) => Deferred.fail(at(ends, n), error),
  }
})

describe("Freshness", () => {
  it.scoped("answers with the result of a refresh that ends in time", () =>
    Effect.gen(function* () {
      const { end, index } = yield* controlled
      yield* end(0)
      const freshness = yield* Freshness.make(index)
      assert.deepStrictEqual(yield* freshness.ensure(), { _tag: "Current", refreshed })
    }),
  )

  it.scoped("answers after the limit, while the refresh goes on, and shares no refresh that had started before", () =>
    Effect.gen(function* () {
      const { count, end, index, started } = yield* controlled
      const freshness = yield* Freshness.make(index)
      const first = yield* Effect.fork(freshness.ensure("300 millis"))
      yield* started(0)
      yield* TestClock.adjust("299 millis")
      assert.isNull(first.unsafePoll())
      yield* TestClock.adjust("1 millis")
      const state = yield* Fiber.join(first)
      const known = { filesLeft: undefined, paths: [], changed: 0, isFirst: true }
      assert.deepStrictEqual(state, { _tag: "Refreshing", phase: "walking", ...known })
      // Nothing says that a file has changed.
      assert.isUndefined(Freshness.describe(state))

      const others = yield* Effect.fork(Effect.all([freshness.ensure(), freshness.ensure()], { concurrency: 2 }))
      // Until both wait.
      yield* TestClock.adjust("1 millis")
      yield* end(0)
      yield* started(1)
      assert.isNull(others.unsafePoll())
      yield* end(1)
      assert.deepStrictEqual(
        (yield* Fiber.join(others)).map(({ _tag }) => _tag),
        ["Current", "Current"],
      )
      assert.strictEqual(yield* count, 2)
    }),
  )

  it.scoped("goes on with a refresh after its question was interrupted", () =>
    Effect.gen(function* () {
      const { count, end, index, started } = yield* controlled
      const freshness = yield* Freshness.make(index)
      const first = yield* Effect.fork(freshness.ensure())
      yield* started(0)
      yield* Fiber.interrupt(first)
      const second = yield* Effect.fork(freshness.ensure())
      yield* TestClock.adjust("1 millis")
      yield* end(0)
      yield* end(1)
      assert.strictEqual((yield* Fiber.join(second))._tag, "Current")
      assert.strictEqual(yield* count, 2)
    }),
  )

  it.scoped("says why a refresh failed, and tries again", () =>
    Effect.gen(function* () {
      const { end, fail, index } = yield* controlled
      const error = new IndexError({ path: "/p", reason: new NotIndexed() })
      yield* fail(0, error)
      yield* end(1)
      const freshness = yield* Freshness.make(index)
      const state = yield* freshness.ensure()
      assert.deepStrictEqual(state, { _tag: "Outdated", error })
      assert.strictEqual(Freshness.describe(state), "the index may be out of date: /p: there is no index here yet")
      assert.strictEqual((yield* freshness.ensure())._tag, "Current")
    }),
  )

  it.scoped("counts the changed files that are not in yet", () =>
    Effect.gen(function* () {
      const isParsing = yield* Deferred.make<void>()
      const refresh = Effect.gen(function* () {
        const report = yield* FiberRef.get(RunProgress.refreshObserver)
        yield* report({ phase: "parsing", done: 3, total: 10, share: 0.3 })
        yield* Deferred.succeed(isParsing, undefined)
        return yield* Effect.never
      })
      const freshness = yield* Freshness.make({ refresh, refreshPaths: () => refresh })
      const asked = yield* Effect.fork(freshness.ensure("1 seconds"))
      yield* Deferred.await(isParsing)
      yield* TestClock.adjust("1 seconds")
      const state = yield* Fiber.join(asked)
      const known = { filesLeft: 7, paths: [], changed: 10, isFirst: true }
      assert.deepStrictEqual(state, { _tag: "Refreshing", phase: "parsing", ...known })
      assert.strictEqual(
        Freshness.describe(state),
        "the index is still being refreshed: 7 changed files are not in yet",
      )
    }),
  )
})

describe("Freshness with a watch", () => {
  /** What is refreshed: `all`, or paths. The next refresh fails after `fail`. */
  const watchedFrom = Effect.fnUntraced(function* (isWatchLate: boolean) {
    const { layer, notes } = Watcher.makeMemory("/p")
    const workspace = yield* Effect.provide(Workspace.open("/p"), Files.layerMemory({ "/p/a.ts": "" }))
    const watch = yield* Effect.provide(
      Effect.flatMap(Watcher.Watcher, (watcher) => watcher.watch(workspace)),
      layer,
    )
    const calls: Array<"all" | ReadonlyArray<string>> = []
    let isFailing = false
    const call = (what: "all" | ReadonlyArray<string>) =>
      Effect.suspend(() => {
        calls.push(what)
        const failing = isFailing
        isFailing = false
        return failing ? new IndexError({ path: "/p", reason: new NotIndexed() }) : Effect.succeed(refreshed)
      })
    let takes = 0
    const counted: Watcher.Watch = {
      ...watch,
      take: Effect.suspend(() => {
        takes += 1
        return watch.take
      }),
    }
    const index = { refresh: call("all"), refreshPaths: call }
    const freshness = yield* Freshness.make(index, { watch: counted, isWatchLate })
    const fail = () => {
      isFailing = true
    }
    return { calls, fail, freshness, notes, takes: () => takes }
  })

  const watched = watchedFrom(false)

  it.scoped("refreshes all at first, then what was noticed, and no path where nothing was", () =>
    Effect.gen(function* () {
      const { calls, freshness, notes } = yield* watched
      yield* freshness.refresh
      yield* freshness.refresh
      notes.change("a.ts")
      yield* freshness.refresh
      notes.anything()
      yield* freshness.refresh
      assert.deepStrictEqual(calls, ["all", [], ["a.ts"], "all"])
    }),
  )

  it.scoped("refreshes all after a failure: what was noticed is taken only once", () =>
    Effect.gen(function* () {
      const { calls, fail, freshness, notes } = yield* watched
      yield* freshness.refresh
      notes.change("a.ts")
      fail()
      assert.strictEqual((yield* freshness.refresh)._tag, "Outdated")
      assert.strictEqual((yield* freshness.refresh)._tag, "Current")
      assert.deepStrictEqual(calls, ["all", ["a.ts"], "all"])
    }),
  )

  it.scoped("says that the folder is gone, and refreshes nothing then", () =>
    Effect.gen(function* () {
      const { calls, freshness, notes } = yield* watched
      notes.rootGone()
      assert.strictEqual(
        Freshness.describe(yield* freshness.refresh),
        "the index may be out of date: /p: was moved or removed",
      )
      assert.deepStrictEqual(calls, [])
    }),
  )

  it.scoped("begins late to watch: a second after the first refresh, with another one of all files", () =>
    Effect.gen(function* () {
      const { calls, freshness, notes, takes } = yield* watchedFrom(true)
      yield* freshness.refresh
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual([calls, takes()], [["all"], 0])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([calls, takes()], [["all", "all"], 1])
      notes.change("a.ts")
      yield* freshness.refresh
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([calls, takes()], [["all", "all", ["a.ts"]], 2])
    }),
  )

  it.scoped("begins late to watch at the second question if that comes before, also after a failure", () =>
    Effect.gen(function* () {
      for (const isFailing of [false, true]) {
        const { calls, fail, freshness, takes } = yield* watchedFrom(true)
        if (isFailing) fail()
        assert.strictEqual((yield* freshness.refresh)._tag, isFailing ? "Outdated" : "Current")
        assert.strictEqual((yield* freshness.refresh)._tag, "Current")
        assert.deepStrictEqual([calls, takes()], [["all", "all"], 1])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual([calls, takes()], [["all", "all", []], 2])
      }
    }),
  )
})

describe("what is said of a refresh that goes on", () => {
  /** The notice after a first refresh, while another one of `noted` paths has reached the progress `reported`. */
  const said = Effect.fnUntraced(function* (
    noted: ReadonlyArray<string> | "anything",
    reported?: RunProgress.RefreshProgress,
  ) {
    const { layer, notes } = Watcher.makeMemory("/p")
    const workspace = yield* Effect.provide(Workspace.open("/p"), Files.layerMemory({ "/p/a.ts": "" }))
    const watch = yield* Effect.provide(
      Effect.flatMap(Watcher.Watcher, (watcher) => watcher.watch(workspace)),
      layer,
    )
    const isUnderWay = yield* Deferred.make<void>()
    const endless = Effect.gen(function* () {
      const report = yield* FiberRef.get(RunProgress.refreshObserver)
      if (reported !== undefined) yield* report(reported)
      yield* Deferred.succeed(isUnderWay, undefined)
      return yield* Effect.never
    })
    let isFirst = true
    const refresh = Effect.suspend(() => {
      const was = isFirst
      isFirst = false
      return was ? Effect.succeed(refreshed) : endless
    })
    const freshness = yield* Freshness.make({ refresh, refreshPaths: () => refresh }, { watch })
    yield* freshness.refresh
    if (noted === "anything") notes.anything()
    else for (const path of noted) notes.change(path)
    const asked = yield* Effect.fork(freshness.ensure())
    yield* Deferred.await(isUnderWay)
    yield* TestClock.adjust(Freshness.DEFAULT_LIMIT)
    return Freshness.describe(yield* Fiber.join(asked))
  })

  it.scoped("names the files that have changed, where they are few", () =>
    Effect.gen(function* () {
      const begin = "the index is still being refreshed: "
      assert.strictEqual(yield* said(["a.ts"]), `${begin}a.ts is not in yet`)
      assert.strictEqual(yield* said(["a.ts", "b.ts"]), `${begin}a.ts, b.ts are not in yet`)
      assert.strictEqual(yield* said(["a", "b", "c", "d"]), `${begin}4 changed files are not in yet`)
    }),
  )

  it.scoped("says that uses may be missing once the files are in", () =>
    Effect.gen(function* () {
      const resolving = { phase: "resolving", done: 1, total: 1, share: 1 } as const
      assert.strictEqual(
        yield* said(["a.ts"], resolving),
        "the index is still being refreshed: uses in a.ts may be missing",
      )
    }),
  )

  it.scoped("names no files of a refresh that turns out to concern others", () =>
    Effect.gen(function* () {
      const parsing = { phase: "parsing", done: 1, total: 40, share: 0.1 } as const
      const begin = "the index is still being refreshed: "
      assert.notInclude(yield* said(["a.ts"], parsing) ?? "", "a.ts")
      assert.include(yield* said(["a.ts"], { ...parsing, total: 1, done: 0 }) ?? "", `${begin}a.ts is not in yet`)
      assert.include(
        yield* said(["a.ts"], { ...parsing, paths: ["b.ts"], total: 1, done: 0 }) ?? "",
        `${begin}b.ts is not in yet`,
      )
    }),
  )

  it.scoped("is nothing where nothing has changed, and a warning where the watch cannot tell", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* said([]))
      assert.isUndefined(yield* said([], { phase: "resolving", done: 0, total: 0, share: 1 }))
      assert.strictEqual(yield* said("anything"), "the index is still being refreshed: recent changes may be missing")
    }),
  )
})

describe("an index that stays open", () => {
  const onDisk = (slow: Deferred.Deferred<void>, isOutlining: Deferred.Deferred<void>) => {
    const waiting = Layer.effect(
      Symbols.Symbols,
      Effect.map(Symbols.Symbols, ({ outline }) => ({
        outline: (file: string, text: string) =>
          text.includes("slow")
            ? Effect.zipRight(
                Effect.zipRight(Deferred.succeed(isOutlining, undefined), Deferred.await(slow)),
                outline(file, text),
              )
            : outline(file, text),
      })),
    ).pipe(Layer.provide(symbols))
    return Layer.provideMerge(Sqlite.layer, Layer.merge(NodeFiles.layer, waiting))
  }

  const plant = (name: string) => `export function ${name}() {\n}\n`

  const open = Effect.fnUntraced(function* (root: string) {
    const store = yield* IndexStore.IndexStore
    const workspace = yield* Workspace.open(root)
    yield* Effect.scoped(Effect.flatMap(store.open(workspace), (index) => index.refresh))
    return yield* store.openExisting(workspace, { refresh: "later" })
  })

  it.scoped("answers from what it has while a refresh is under way, and then has the changes", () =>
    Effect.gen(function* () {
      const slow = yield* Deferred.make<void>()
      const isOutlining = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const root = yield* temporaryFolder
        fs.writeFileSync(path.join(root, "a.ts"), plant("plantOak"))
        const { index } = yield* open(root)
        const freshness = yield* Freshness.make(index)
        fs.writeFileSync(path.join(root, "a.ts"), `${plant("plantElm")}// slow\n`)
        const first = yield* Effect.fork(freshness.ensure())
        yield* Deferred.await(isOutlining)
        yield* TestClock.adjust(Freshness.DEFAULT_LIMIT)
        assert.strictEqual((yield* Fiber.join(first))._tag, "Refreshing")
        assert.lengthOf(yield* index.find("plantOak"), 1)
        const second = yield* Effect.fork(freshness.ensure())
        yield* Deferred.succeed(slow, undefined)
        assert.strictEqual((yield* Fiber.join(second))._tag, "Current")
        assert.lengthOf(yield* index.find("plantElm"), 1)
      }).pipe(Effect.provide(onDisk(slow, isOutlining)))
    }),
  )

  it.scoped("sees changes to ignore files", () =>
    Effect.gen(function* () {
      const never = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const root = yield* temporaryFolder
        fs.writeFileSync(path.join(root, "a.ts"), plant("plantOak"))
        fs.writeFileSync(path.join(root, "b.ts"), plant("plantElm"))
        const { index } = yield* open(root)
        const paths = Effect.map(index.files, (files) => files.map((file) => file.path))
        yield* index.refresh
        fs.writeFileSync(path.join(root, ".gitignore"), "b.ts\n")
        yield* index.refresh
        assert.deepStrictEqual(yield* paths, [".gitignore", "a.ts"])
        fs.writeFileSync(path.join(root, ".gitignore"), "a.ts\n")
        yield* index.refresh
        assert.deepStrictEqual(yield* paths, [".gitignore", "b.ts"])
      }).pipe(Effect.provide(onDisk(never, never)))
    }),
  )
})
