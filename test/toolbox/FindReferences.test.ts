import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as FindReferences from "../../src/toolbox/FindReferences.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const context = { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "scripted", name: "test" }) }

/** The answer of the tool about a symbol in a repository of these files. */
const find = (files: Readonly<Record<string, string>>, parameters: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/repo")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const { text } = yield* FindReferences.make(workspace, index).execute(parameters, context)
    return text.split("\n")
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(files), SharedSymbols.layer)),
    ),
    Effect.catchTag("ToolError", (error) => Effect.succeed([error.message])),
  )

const send = "export function send(text: string) {\n  return text\n}\n"

describe("find_references", () => {
  it.effect(
    "has a line for each file: the symbols that use it with their lines, and last what stands outside of symbols",
    () =>
      Effect.gen(function* () {
        const use = [
          'import { send } from "./send.ts"',
          'send("at the start")',
          "export function greet() {",
          '  send("a")',
          '  send("b")',
          "}",
          "export class Door {",
          "  open() {",
          '    return send("c") && send("d")',
          "  }",
          "}",
        ]
        const lines = yield* find(
          { "/repo/send.ts": send, "/repo/use.ts": use.join("\n") },
          { symbolName: "send", path: "send.ts" },
        )
        assert.deepStrictEqual(lines, [
          "send.ts:1-3 function send is used in",
          "use.ts: greet 4, 5; Door.open 9; top level 2",
        ])
      }),
  )

  it.effect("takes `symbol`, as create_index_entry calls it, for `symbolName`", () =>
    Effect.gen(function* () {
      const files = { "/repo/send.ts": send, "/repo/use.ts": 'import { send } from "./send.ts"\nsend("a")\n' }
      const expected = yield* find(files, { symbolName: "send" })
      assert.deepStrictEqual(yield* find(files, { symbol: "send" }), expected)
      assert.deepStrictEqual(yield* find(files, { symbol: "send", symbolName: null }), expected)
      assert.deepStrictEqual(yield* find(files, { symbol: "other", symbolName: "send" }), expected)
    }),
  )

  it.effect("shows code before tests, and counts what is beyond twenty files, ten symbols and five lines", () =>
    Effect.gen(function* () {
      const use = 'import { send } from "../send.ts"\nexport function use() {\n  send("a")\n}\n'
      const many = Array.from({ length: 12 }, (_, n) => `export function use${n}() {\n${'  send("a")\n'.repeat(6)}}\n`)
      const lines = yield* find(
        {
          "/repo/send.ts": send,
          "/repo/a/use.test.ts": use,
          "/repo/b/many.ts": `import { send } from "../send.ts"\n${many.join("")}`,
          ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/repo/c/use${n + 10}.ts`, use])),
        },
        { symbolName: "send" },
      )
      assert.lengthOf(lines, 22)
      assert.isTrue(lines[1]?.startsWith("b/many.ts: use0 3, 4, 5, 6, 7, …; use1 "))
      assert.isTrue(lines[1]?.endsWith("; 2 more"))
      assert.strictEqual(lines[2], "c/use10.ts: use 3")
      assert.strictEqual(lines[21], "(and 2 more files)")
    }),
  )

  it.effect("says of a name that is defined elsewhere where it occurs", () =>
    Effect.gen(function* () {
      const lines = yield* find({ "/repo/a.ts": "export const a = () => fetch('x')\n" }, { symbolName: "fetch" })
      assert.deepStrictEqual(lines, ["no symbol fetch is defined here", "the name occurs in 1 file: a.ts"])
    }),
  )

  it.effect("refuses a name that occurs nowhere, with the nearest ones", () =>
    Effect.gen(function* () {
      const [line] = yield* find({ "/repo/send.ts": send }, { symbolName: "sent" })
      assert.strictEqual(line, "tool 'find_references' failed: no symbol sent is defined here; nearest: send (send.ts)")
    }),
  )
})
