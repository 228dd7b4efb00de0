import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Stat } from "../../../src/code/Files.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as SharedSymbols from "../../utils/SharedSymbols.ts"
import { openIndex, record, symbols, workspace } from "../IndexStore.fixture.ts"

const layer = Layer.provide(Sqlite.layerMemory, symbols)

const before = "export function plant(x) {\n  return x\n}\nexport function water(x) {\n  return x\n}\n"

describe("the symbols of a text that a file has now", () => {
  it.scoped("are those of the index where the text is the one in it", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/p", { "a.ts": before })
      assert.deepStrictEqual(yield* index.symbolsOf("a.ts", before), yield* index.symbolsIn("a.ts"))
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("are those of the index where size, times and inode of the file are, whose text is not hashed", () =>
    Effect.gen(function* () {
      const files = yield* workspace("/p", { "a.ts": before })
      const index = yield* openIndex("/p", { "a.ts": before })
      const { stat } = yield* files.read("a.ts")
      const other = `// new\n${before}`
      const linesWith = (stat: Stat) =>
        Effect.map(index.symbolsOf("a.ts", other, stat), (entries) => entries.map(({ startLine }) => startLine))
      assert.deepStrictEqual(yield* linesWith(stat), [1, 4])
      for (const changed of [{ size: stat.size + 1 }, { modified: stat.modified + 1 }, { changed: 7 }, { inode: 7 }])
        assert.deepStrictEqual(yield* linesWith({ ...stat, ...changed }), [2, 5], JSON.stringify(changed))
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("have lines of the text, and the purposes of their names, stale where the source has changed", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/p", { "a.ts": before })
      yield* record(index, "plant", "Plants a tree.")
      yield* record(index, "water", "Waters a tree.")
      const now = yield* index.symbolsOf("a.ts", `// new\n${before.replace("water(x)", "water(y)")}`)
      assert.deepStrictEqual(
        now.map(({ name, purpose, startLine }) => [name, startLine, purpose?.text, purpose?.stale]),
        [
          ["plant", 2, "Plants a tree.", false],
          ["water", 5, "Waters a tree.", true],
        ],
      )
      assert.deepStrictEqual(
        (yield* index.symbolsIn("a.ts")).map(({ startLine }) => startLine),
        [1, 4],
      )
    }).pipe(Effect.provide(layer)),
  )

  it.scoped("are major by the rules of the index: a constant if it is exported and another file uses it", () =>
    Effect.gen(function* () {
      const text = "LIMIT = 4\nUNUSED = 5\n_OWN = 3\n"
      const index = yield* openIndex("/p", { "a.py": text, "b.py": "from a import LIMIT, _OWN\nprint(LIMIT, _OWN)\n" })
      const now = yield* index.symbolsOf("a.py", `# new\n${text}`)
      assert.deepStrictEqual(
        now.map(({ isMajor, name, usedBy }) => [name, usedBy, isMajor]),
        [
          ["LIMIT", 1, true],
          ["UNUSED", 0, false],
          ["_OWN", 1, false],
        ],
      )
    }).pipe(Effect.provide(Layer.provide(Sqlite.layerMemory, SharedSymbols.layer))),
  )

  it.scoped("are outlined for a file that is not in the index", () =>
    Effect.gen(function* () {
      const index = yield* openIndex("/p", { "a.ts": before })
      const [symbol] = yield* index.symbolsOf("b.ts", "export function prune() {\n}\n")
      assert.deepStrictEqual([symbol?.path, symbol?.name, symbol?.isMajor], ["b.ts", "prune", true])
    }).pipe(Effect.provide(layer)),
  )
})
