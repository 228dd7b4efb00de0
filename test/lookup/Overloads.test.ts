import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as Overloads from "../../src/lookup/Overloads.ts"
import * as Query from "../../src/lookup/Query.ts"
import { withIndex, workspace } from "../index/IndexStore.fixture.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const layer = Layer.provide(Sqlite.layerMemory, SharedSymbols.layer)

const source = [
  "from typing import overload",
  "@overload",
  "def read(path: str) -> str: ...",
  "@overload",
  "def read(path: bytes) -> bytes: ...",
  "def read(path):",
  "    return path",
  "",
].join("\n")

describe("Overloads.separate", () => {
  it.effect("puts what only declares types beside the function that has the body", () =>
    withIndex("/p", { "a.py": source, "b.py": "def read():\n    pass\n" }, (index) =>
      Effect.gen(function* () {
        const { named, overloads } = yield* Overloads.separate(index, yield* index.find("read"))
        assert.deepStrictEqual(
          named.map(({ path, startLine }) => `${path}:${startLine}`),
          ["a.py:6", "b.py:1"],
        )
        const [body] = named
        assert.deepStrictEqual(
          (body === undefined ? [] : (overloads.get(body) ?? [])).map(({ signature }) => signature),
          ["def read(path: str) -> str", "def read(path: bytes) -> bytes"],
        )
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("leaves them out of the answers to a question", () =>
    withIndex("/p", { "a.py": source }, (index) =>
      Effect.gen(function* () {
        const project = {
          workspace: yield* workspace("/p", { "a.py": source }),
          index,
          displayPath: (path: string) => path,
        }
        const answers = yield* Query.answer(project, "read", { limit: 5 })
        assert.deepStrictEqual(
          answers.map(({ hit }) => hit.entry.startLine),
          [6],
        )
      }),
    ).pipe(Effect.provide(layer)),
  )

  it.effect("leaves overloads as they are where no function has a body", () =>
    withIndex("/p", { "a.py": source.split("\n").slice(0, 5).join("\n") }, (index) =>
      Effect.gen(function* () {
        const found = yield* index.find("read")
        assert.lengthOf(found, 2)
        assert.deepStrictEqual(yield* Overloads.separate(index, found), { named: found, overloads: new Map() })
      }),
    ).pipe(Effect.provide(layer)),
  )
})
