/** Tests which symbols are asked for once more, in an index in which they alone are open. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type * as Batches from "../../../src/explore/Batches.ts"
import * as FollowUps from "../../../src/explore/internal/FollowUps.ts"
import { IndexEntry, isOpen, type Purpose, versionOf } from "../../../src/index/IndexEntry.ts"
import type { IndexedFile } from "../../../src/index/IndexStore.ts"

const entry = (path: string, name: string, change: Partial<IndexEntry> = {}) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    signature: `${name}()`,
    startLine: 1,
    endLine: 2,
    hash: `${name} 1`,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...change,
  })

const byModel: Purpose = { text: "Opens doors.", origin: "model", model: "a/b", node: "n", stale: false }

const file = (path: string, open: number): IndexedFile => ({
  path,
  language: "typescript",
  class: "code",
  symbols: 2,
  major: 2,
  open,
  importance: 0,
  cut: undefined,
  note: undefined,
})

/** An index of these symbols, in which each file has an entry of its own. */
const indexOf = (entries: ReadonlyArray<IndexEntry>): Batches.OpenSymbols => ({
  files: Effect.succeed([file("a.ts", 2), file("b.ts", 1)]),
  fileEntry: (path) => Effect.succeed(path === "none.ts" ? undefined : entry(path, path, { kind: "file" })),
  symbolsIn: (path) => Effect.succeed(entries.filter((each) => each.path === path)),
  find: () => Effect.succeed([]),
  callersIn: () => Effect.succeed(new Map()),
})

const versions = (...entries: ReadonlyArray<IndexEntry>) => new Map(entries.map((each) => [versionOf(each), each]))

describe("FollowUps.viewOf", () => {
  const weak = entry("a.ts", "weak", { purpose: { ...byModel, weak: "says nothing" } })
  const missing = entry("a.ts", "missing")
  const other = entry("a.ts", "other")

  it.effect("has these symbols as open, the weak ones as stale, and no others", () =>
    Effect.gen(function* () {
      const view = FollowUps.viewOf(indexOf([weak, missing, other]), versions(weak, missing))
      const symbols = yield* view.symbolsIn("a.ts")
      assert.deepStrictEqual(
        symbols.map((each) => [each.name, isOpen(each), each.isMajor, each.purpose?.stale]),
        [
          ["weak", true, true, true],
          ["missing", true, true, undefined],
          ["other", false, false, undefined],
        ],
      )
      assert.deepStrictEqual(
        (yield* view.files).map(({ open, path }) => `${path} ${open}`),
        ["a.ts 2", "b.ts 0"],
      )
    }),
  )

  it.effect("leaves a stale purpose as it is", () =>
    Effect.gen(function* () {
      const stale = entry("a.ts", "stale", { purpose: { ...byModel, stale: true } })
      const [found] = yield* FollowUps.viewOf(indexOf([stale]), versions(stale)).symbolsIn("a.ts")
      assert.strictEqual(found, stale)
    }),
  )

  it.effect("has a version of a symbol alone, and not the symbol after a change", () =>
    Effect.gen(function* () {
      const changed = entry("a.ts", "missing", { hash: "missing 2" })
      const [found] = yield* FollowUps.viewOf(indexOf([changed]), versions(missing)).symbolsIn("a.ts")
      assert.isFalse(found?.isMajor)
    }),
  )

  it.effect("asks for a file only if it is among them", () =>
    Effect.gen(function* () {
      const own = entry("a.ts", "a.ts", { kind: "file" })
      const view = FollowUps.viewOf(indexOf([missing]), versions(own, missing))
      assert.deepInclude(yield* view.fileEntry("a.ts"), { kind: "file", path: "a.ts" })
      assert.isUndefined(yield* view.fileEntry("b.ts"))
      assert.isUndefined(yield* view.fileEntry("none.ts"))
    }),
  )
})

describe("FollowUps", () => {
  const found = entry("a.ts", "found")
  const purpose = (weak?: string) => ({ entry: found, text: "Opens doors.", model: "a/b", node: "n", weak })
  const waiting = (followUps: FollowUps.FollowUps) =>
    Effect.map(followUps.take, (taken) => Array.from(taken.values(), ({ name }) => name))

  it.effect("waits for a weak purpose until one passes, and never twice for one version", () =>
    Effect.gen(function* () {
      const followUps = yield* FollowUps.make
      yield* followUps.noteRecorded([purpose("says nothing")])
      assert.strictEqual(yield* followUps.size, 1)
      yield* followUps.noteRecorded([purpose()])
      assert.strictEqual(yield* followUps.size, 0)
      yield* followUps.add([found])
      assert.deepStrictEqual(yield* waiting(followUps), ["found"])
      yield* followUps.add([found])
      yield* followUps.noteRecorded([purpose("says nothing")])
      assert.deepStrictEqual(yield* waiting(followUps), [])
      yield* followUps.add([entry("a.ts", "found", { hash: "found 2" })])
      assert.deepStrictEqual(yield* waiting(followUps), ["found"])
    }),
  )

  it.effect("does not wait for a symbol that its comment explains", () =>
    Effect.gen(function* () {
      const followUps = yield* FollowUps.make
      const commented = entry("a.ts", "found", { purpose: { text: "Opens.", origin: "comment", stale: false } })
      yield* followUps.noteRecorded([{ ...purpose("says nothing"), entry: commented }])
      assert.strictEqual(yield* followUps.size, 0)
    }),
  )

  it.effect("says what was refused, weak or stale, by the numbers of a batch", () =>
    Effect.gen(function* () {
      const followUps = yield* FollowUps.make
      const symbols = [
        entry("a.ts", "refused", { purpose: { ...byModel, weak: "says nothing" } }),
        entry("a.ts", "weak", { purpose: { ...byModel, weak: "says nothing" } }),
        entry("a.ts", "stale", { purpose: { ...byModel, stale: true } }),
        entry("a.ts", "commented", { purpose: { text: "Opens.", origin: "comment", stale: true } }),
        entry("b.ts", "refused"),
        entry("a.ts", "good", { purpose: byModel }),
      ]
      yield* followUps.noteRefused([
        { path: "a.ts", symbol: "refused", purpose: "-", reason: "20 lines are worth a sentence" },
      ])
      assert.deepStrictEqual(yield* followUps.earlierIn({ area: ".", text: "", symbols, tokens: 0 }), [
        { number: 1, purpose: "-", reason: "20 lines are worth a sentence" },
        { number: 2, purpose: "Opens doors.", reason: "says nothing" },
        { number: 3, purpose: "Opens doors.", reason: "stale, the code has changed since" },
      ])
    }),
  )
})
