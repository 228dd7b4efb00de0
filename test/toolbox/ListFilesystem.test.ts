import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sanitizeLine } from "../../src/base/Sanitize.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ListFilesystem from "../../src/toolbox/ListFilesystem.ts"
import * as SharedSymbols from "../utils/SharedSymbols.ts"

const define = (...names: ReadonlyArray<string>) => names.map((name) => `export function ${name}() {}\n`).join("")

const repository = {
  "/repo/docs/guide.md": "",
  "/repo/packages/a/src/a.ts": define("a", "b"),
  "/repo/packages/a/dist/a.js": define("a"),
  "/repo/packages/a/test/a.test.ts": define("c", "d", "e"),
  "/repo/test/all.test.ts": define("f"),
}

const layer = Layer.provideMerge(Sqlite.layerMemory, Layer.mergeAll(Files.layerMemory(repository), SharedSymbols.layer))

describe("list_filesystem", () => {
  it.scoped("counts the code first, and the other classes of files behind it", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace.open("/repo")
      const index = yield* (yield* IndexStore.IndexStore).open(workspace)
      yield* index.refresh
      const { text } = yield* ToolRegistry.make([ListFilesystem.make(workspace, index)]).execute(
        Block.toolUse("c1", "list_filesystem", { path: "." }),
        { node: NodeId.make("n-1"), callId: "c1", model: new ModelId({ provider: "scripted", name: "test" }) },
      )
      assert.deepStrictEqual(text.split("\n"), [
        "docs/",
        "packages/ (2 symbols, 2 open; 3 symbols of tests, 3 open; 1 symbol of generated files, 1 open)",
        "test/ (1 symbol of tests, 1 open)",
      ])
    }).pipe(Effect.provide(layer)),
  )

  it.scoped.each(["\n", "\r\n", "\t", "\u001b[31m", "\u202e", "\n(9 more not shown)\n"])(
    "shows an entry on one line, whatever its name has in it: %j",
    (odd) =>
      Effect.gen(function* () {
        const files = Files.makeMemory({ [`/repo/new${odd}line/a.ts`]: define("a"), [`/repo/b${odd}.ts`]: define("b") })
        const workspace = yield* Effect.provideService(Workspace.open("/repo"), Files.Files, files)
        const index = yield* (yield* IndexStore.IndexStore).open(workspace)
        yield* index.refresh
        const { text } = yield* ListFilesystem.list(workspace, index, ".")
        assert.deepStrictEqual(text.split("\n"), [
          sanitizeLine(`b${odd}.ts (1 symbol, 1 open)`),
          sanitizeLine(`new${odd}line/ (1 symbol, 1 open)`),
        ])
        assert.strictEqual(sanitizeLine(text.replaceAll("\n", "")), text.replaceAll("\n", ""))
      }).pipe(Effect.provide(layer)),
  )
})
