import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as Evidence from "../../../src/cli/show/Evidence.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"

const source = "\n\nexport function open(key) {\n  ring(\u001b[2J)\n  return key === sesame\n}\n"

const read = (purpose: Partial<IndexEntry["purpose"]>, path = "door.ts") => {
  const entry = new IndexEntry({
    path,
    name: "open",
    kind: "function",
    startLine: 3,
    endLine: 6,
    signature: "open(key)",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    purpose: { text: "Lets in who says sesame.", origin: "model", model: "a/b", node: "n", stale: false, ...purpose },
  })
  return Workspace.open("/repo").pipe(
    Effect.flatMap((workspace) => Evidence.read(workspace, entry)),
    Effect.provide(Files.layerMemory({ "/repo/door.ts": source })),
  )
}

describe("Evidence.read", () => {
  it.effect("has the lines of the present source, by their numbers in the file", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ lines: [1, 2] }), [
        { path: "door.ts", line: 4, text: "ring(\u001b[2J)" },
        { path: "door.ts", line: 5, text: "return key === sesame" },
      ])
      assert.deepStrictEqual(yield* read({}), [])
    }),
  )

  it.effect("has of a stale purpose only the lines that still have a word of it", () =>
    Effect.gen(function* () {
      const evidence = yield* read({ lines: [1, 2, 40], stale: true })
      assert.deepStrictEqual(
        evidence.map(({ line }) => line),
        [5],
      )
    }),
  )

  it.effect("is empty where the file cannot be read", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ lines: [1] }, "gone.ts"), [])
    }),
  )
})

describe("Evidence.toText", () => {
  it.effect("has a line for each, safe for a terminal", () =>
    Effect.gen(function* () {
      const text = Evidence.toText(yield* read({ lines: [1, 2] }), (path) => `./${path}`, Style.plain)
      assert.deepStrictEqual(text, [
        "",
        "  evidence in the source",
        "    ./door.ts:4  ring()",
        "    ./door.ts:5  return key === sesame",
      ])
      assert.deepStrictEqual(
        Evidence.toText([], (path) => path, Style.plain),
        [],
      )
    }),
  )
})
