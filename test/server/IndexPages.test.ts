import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FileError, Unreadable } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"
import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import * as Sqlite from "../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../src/index/IndexStore.ts"
import * as IndexPages from "../../src/server/IndexPages.ts"

const services = Sqlite.layerMemory.pipe(
  Layer.provideMerge(Scanner.layer),
  Layer.provideMerge(Files.layerMemory({ "/p/a.ts": "export const first = 1\n" })),
)

/** The symbols of `a.ts`, where `read` replaces how the workspace reads it. */
const symbolsWhere = (replace: (read: Workspace.Workspace["read"]) => Workspace.Workspace["read"]) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open("/p")
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const project = {
      index,
      workspace: { ...workspace, read: replace(workspace.read) },
      displayPath: (path: string) => path,
    }
    const place = yield* IndexPages.place(project, "a.ts")
    if (place?.type !== "file") return assert.fail()
    return place.symbols.map(({ line, name }) => [line, name])
  }).pipe(Effect.scoped, Effect.provide(services))

describe("the page of a file", () => {
  it.effect("has the symbols of the text that the file has now", () =>
    Effect.gen(function* () {
      const text = "export const added = 0\nexport const first = 1\n"
      const symbols = yield* symbolsWhere((read) => (file) => Effect.map(read(file), (known) => ({ ...known, text })))
      assert.deepStrictEqual(symbols, [
        [1, "added"],
        [2, "first"],
      ])
    }),
  )

  it.effect("has the symbols of the index where the file cannot be read", () =>
    Effect.gen(function* () {
      const failure = new FileError({ path: "a.ts", reason: new Unreadable({ cause: undefined }) })
      assert.deepStrictEqual(yield* symbolsWhere(() => () => Effect.fail(failure)), [[1, "first"]])
    }),
  )
})
