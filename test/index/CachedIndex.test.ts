/** An index that answers each question once, over one that counts what it is asked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CachedIndex from "../../src/index/CachedIndex.ts"
import { IndexError, Removed } from "../../src/index/IndexError.ts"
import type { Index } from "../../src/index/IndexStore.ts"
import { layer } from "./IndexStore/references/References.fixture.ts"
import { withIndex } from "./IndexStore.fixture.ts"

const files = {
  "a.py": "from b import save\n\ndef run():\n    save()\n\ndef stop():\n    pass\n",
  "b.py": "def save():\n    pass\n",
}

/** Counts the questions that an index is asked, by their names. */
const counting = (index: Index) => {
  const asked: Array<string> = []
  const counted: Index = {
    ...index,
    files: Effect.suspend(() => {
      asked.push("files")
      return index.files
    }),
    symbolsIn: (path) => {
      asked.push(`symbolsIn ${path}`)
      return index.symbolsIn(path)
    },
    callees: (entry) => {
      asked.push(`callees ${entry.name}`)
      return index.callees(entry)
    },
  }
  return { asked, counted }
}

describe("CachedIndex", () => {
  it.effect("asks the index below once about each file and symbol, and gives the same answers", () =>
    withIndex("/p", files, (index) =>
      Effect.gen(function* () {
        const { asked, counted } = counting(index)
        const cached = CachedIndex.make(counted)
        for (let round = 0; round < 2; round++) {
          assert.deepStrictEqual(yield* cached.files, yield* index.files)
          for (const entry of yield* cached.symbolsIn("a.py")) {
            assert.deepStrictEqual(yield* cached.callees(entry), yield* index.callees(entry))
          }
        }
        assert.deepStrictEqual(asked, ["files", "symbolsIn a.py", "callees run", "callees stop"])
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("asks again after a failure", () =>
    withIndex("/p", files, (index) =>
      Effect.gen(function* () {
        let isRemoved = true
        const cached = CachedIndex.make({
          ...index,
          symbolsIn: (path) =>
            Effect.suspend(() =>
              isRemoved ? new IndexError({ path: "/p", reason: new Removed() }) : index.symbolsIn(path),
            ),
        })
        assert.strictEqual((yield* Effect.flip(cached.symbolsIn("b.py"))).reason._tag, "Removed")
        isRemoved = false
        assert.lengthOf(yield* cached.symbolsIn("b.py"), 1)
      }),
    ).pipe(Effect.provide(layer)),
  )
})
