import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Ref } from "effect"
import * as Symbols from "../../../src/code/Symbols.ts"
import * as Sqlite from "../../../src/indexing/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/indexing/IndexStore.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { indexed, symbols, visit, workspace } from "../IndexStore.fixture.ts"

type Outline = Symbols.Service["outline"]

/** The parser of the other tests, with something before it. */
const parser = (around: (outline: Outline) => Outline) =>
  Layer.effect(
    Symbols.Symbols,
    Effect.map(Symbols.Symbols, ({ outline }) => ({ outline: around(outline) })),
  ).pipe(Layer.provide(symbols))

/** The parser of the other tests, which reaches a limit at the second symbol of the files of `limits`. */
const limited = (limits: Ref.Ref<Readonly<Record<string, Symbols.Cut>>>) =>
  parser((outline) =>
    Effect.fnUntraced(function* (path, text) {
      const whole = yield* outline(path, text)
      const cut = (yield* Ref.get(limits))[path]
      return cut === undefined ? whole : { ...whole, symbols: whole.symbols.slice(0, 1), note: "cut short", cut }
    }),
  )

const plant = (name: string) => `export function ${name}() {\n}\n`

const used = (index: IndexStore.Index) =>
  Effect.gen(function* () {
    const entries = yield* Effect.forEach(yield* index.files, ({ path }) => index.symbolsIn(path))
    return entries.flat().map(({ name, usedBy }) => [name, usedBy])
  })

describe("refresh", () => {
  it.scoped("keeps the order of the files, whichever is parsed first", () =>
    Effect.gen(function* () {
      const isLastDone = yield* Deferred.make<void>()
      const lastFirst = parser((outline) => (path, text) => {
        if (path === "a.ts") return Effect.zipRight(Deferred.await(isLastDone), outline(path, text))
        return path === "c.ts"
          ? Effect.zipLeft(outline(path, text), Deferred.succeed(isLastDone, undefined))
          : outline(path, text)
      })
      const files = {
        "a.ts": plant("plantOak"),
        "b.ts": plant("plantElm"),
        "c.ts": plant("plantAsh"),
        "d.ts": "plantOak(plantAsh(plantElm()))",
      }
      // What is used alike comes in the order in which it was kept.
      const landmarks = yield* Effect.flatMap(indexed("/p", files), (index) => index.landmarks(3)).pipe(
        Effect.provide(Layer.provide(Sqlite.layerMemory, lastFirst)),
      )
      assert.deepStrictEqual(
        landmarks.map(({ name }) => name),
        ["plantOak", "plantElm", "plantAsh"],
      )
    }),
  )

  it.effect(
    "outlines a file again that was cut short for time, though it has not changed, and says so until then",
    () =>
      Effect.gen(function* () {
        const limits = yield* Ref.make<Readonly<Record<string, Symbols.Cut>>>({ "slow.ts": "time", "hard.ts": "work" })
        yield* Effect.gen(function* () {
          const store = yield* IndexStore.IndexStore
          const files = yield* workspace("/p", {
            "hard.ts": plant("plantBeech") + plant("plantFir"),
            "slow.ts": plant("plantOak") + plant("plantElm"),
            "whole.ts": plant("plantAsh"),
          })
          const refresh = Effect.scoped(
            Effect.gen(function* () {
              const index = yield* store.open(files)
              const { parsed } = yield* index.refresh
              const { partialFiles, symbols } = yield* index.status
              const cut = (yield* index.files).flatMap(({ cut, note, path }) =>
                cut === undefined ? [] : [[path, cut, note]],
              )
              return { parsed, partialFiles, symbols, cut }
            }),
          )
          const hard = ["hard.ts", "work", "cut short"]
          const slow = ["slow.ts", "time", "cut short"]
          assert.deepStrictEqual(yield* refresh, { parsed: 3, partialFiles: 2, symbols: 3, cut: [hard, slow] })
          assert.deepStrictEqual(yield* refresh, { parsed: 1, partialFiles: 2, symbols: 3, cut: [hard, slow] })
          yield* Ref.set(limits, {})
          assert.deepStrictEqual(yield* refresh, { parsed: 1, partialFiles: 1, symbols: 4, cut: [hard] })
          assert.deepStrictEqual(yield* refresh, { parsed: 0, partialFiles: 1, symbols: 4, cut: [hard] })
        }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, limited(limits))))
      }),
  )

  it.effect("leaves a file that was cut short as it is where the index is only read", () =>
    Effect.gen(function* () {
      const limits = yield* Ref.make<Readonly<Record<string, Symbols.Cut>>>({ "slow.ts": "time" })
      yield* Effect.gen(function* () {
        const store = yield* IndexStore.IndexStore
        const files = yield* workspace("/p", { "slow.ts": plant("plantOak") + plant("plantElm") })
        yield* Effect.scoped(Effect.flatMap(store.open(files), (index) => index.refresh))
        yield* Ref.set(limits, {})
        const { index } = yield* store.openExisting(files)
        assert.strictEqual((yield* index.refresh).parsed, 0)
        assert.deepInclude(yield* index.status, { partialFiles: 1, symbols: 1 })
      }).pipe(Effect.scoped, Effect.provide(Layer.provide(Sqlite.layerMemory, limited(limits))))
    }),
  )

  it.scoped("makes good what one that was cut short has left undone", () =>
    Effect.gen(function* () {
      const here = yield* temporaryFolder
      const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/${n}.ts`, plant(`plant${n}`)]))
      const before = { ...many, "z.ts": "" }
      const after = {
        ...Object.fromEntries(Object.entries(many).map(([path, text]) => [path, `${text}plantAll()\n`])),
        "z.ts": plant("plantAll"),
      }
      const onDisk = (parser: Layer.Layer<Symbols.Symbols>) => Effect.provide(Layer.provide(Sqlite.layer, parser))
      const cutShort = parser((outline) => (path, text) => (path === "z.ts" ? Effect.interrupt : outline(path, text)))
      const cut = Effect.scoped(indexed(here, after)).pipe(onDisk(cutShort), Effect.exit)

      for (const state of [undefined, before]) {
        if (state !== undefined) yield* visit(here, state, used).pipe(onDisk(symbols))
        assert.isTrue((yield* cut)._tag === "Failure")
        const store = yield* Effect.provide(IndexStore.IndexStore, Layer.provide(Sqlite.layer, symbols))
        const [parsed, counted] = yield* Effect.scoped(
          Effect.gen(function* () {
            const index = yield* store.open(yield* workspace(here, after))
            const { parsed } = yield* index.refresh
            return [parsed, yield* used(index)] as const
          }),
        )
        assert.isBelow(parsed, 301)
        assert.deepInclude(counted, ["plantAll", 300])
        assert.deepStrictEqual(
          counted,
          yield* visit("/q", after, used).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, symbols))),
        )
      }
    }),
  )
})
