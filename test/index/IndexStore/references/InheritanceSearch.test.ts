import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Index } from "../../../../src/index/IndexStore.ts"
import { withIndex } from "../../IndexStore.fixture.ts"
import { layer, type Project } from "./References.fixture.ts"

const files: Project = {
  "base.py": "class Base:\n    def run(self):\n        pass\n",
  "mid.py": "from base import Base as Root\n\nclass Mid(Root):\n    pass\n",
  "end.py":
    "import mid\n\nclass End(mid.Mid):\n    def run(self):\n        pass\n\nclass Holder:\n    kind = mid.Mid\n",
  "more.py":
    "from base import Base\n\nclass Early(Base):\n    pass\n\nclass Kind:\n    pass\n\nclass Own(Kind):\n    pass\n",
  "abc.py": "from more import Kind\n\nclass Other(Kind):\n    pass\n",
  "adapter.ex": "defmodule Adapter do\n  @callback run(map) :: map\nend\n",
  "memory.ex":
    "defmodule Memory do\n  @behaviour Adapter\n  def run(map), do: map\nend\ndefmodule Using do\n  def go, do: Adapter\nend\n",
  "loop.py": "class A(B):\n    pass\n\nclass B(A):\n    pass\n",
}

const look = (symbol: string, path: string) =>
  withIndex("/p", files, (index: Index) =>
    Effect.gen(function* () {
      const [entry] = yield* index.find(symbol, path)
      if (entry === undefined) throw new Error(`no symbol ${symbol}`)
      const { bases, derived } = yield* index.inheritance(entry)
      return [bases, derived].map((entries) => entries.map(({ path, qualifiedName }) => `${path} ${qualifiedName}`))
    }),
  ).pipe(Effect.provide(layer))

describe("inheritance", () => {
  it.effect("of a type is followed from file to file, both ways; a use is no inheritance", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look("Base", "base.py"), [[], ["mid.py Mid", "more.py Early", "end.py End"]])
      assert.deepStrictEqual(yield* look("End", "end.py"), [["mid.py Mid", "base.py Base"], []])
    }),
  )

  it.effect("of a method are those of its name in the types above and below", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look("Base.run", "base.py"), [[], ["end.py End.run"]])
      assert.deepStrictEqual(yield* look("End.run", "end.py"), [["base.py Base.run"], []])
    }),
  )

  it.effect("lists the types of the own file before those of others", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look("Kind", "more.py"), [[], ["more.py Own", "abc.py Other"]])
    }),
  )

  it.effect("of a behaviour of Elixir are the modules that state it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look("Adapter", "adapter.ex"), [[], ["memory.ex Memory"]])
    }),
  )

  it.effect("ends where types inherit from each other", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look("A", "loop.py"), [["loop.py B"], ["loop.py B"]])
    }),
  )
})
