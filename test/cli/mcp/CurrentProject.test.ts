import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Ref } from "effect"
import * as CodeLayer from "../../../src/cli/layers/CodeLayer.ts"
import * as CurrentProject from "../../../src/cli/mcp/CurrentProject.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as NodeWatcher from "../../../src/code/Watcher/Node.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import * as WikiFolder from "../../../src/wiki/WikiStore/Folder.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

const layer = Layer.mergeAll(
  Layer.provideMerge(WikiFolder.layer, CodeLayer.layer),
  NodeWatcher.layer,
  Layer.unwrapEffect(Effect.map(Ref.make<ReadonlyArray<Screen.Written>>([]), (written) => Screen.layerMemory(written))),
)

const plant = (name: string) => `export function ${name}() {\n}\n`

/** An indexed folder with a function `plantOak`. */
const project = Effect.gen(function* () {
  const root = path.join(yield* temporaryFolder, "project")
  fs.mkdirSync(root)
  fs.writeFileSync(path.join(root, "a.ts"), plant("plantOak"))
  const store = yield* IndexStore.IndexStore
  const workspace = yield* Workspace.open(root)
  yield* Effect.scoped(Effect.flatMap(store.open(workspace), (index) => index.refresh))
  return root
})

/** Waits until calls find so many functions of that name, however long the refresh takes on a busy machine. */
const untilFound = ({ current }: CurrentProject.CurrentProject, name: string, count: number) =>
  Effect.gen(function* () {
    for (;;) {
      const { project } = yield* current
      if ((yield* project.index.find(name)).length === count) return
    }
  })

describe("the project of a server", () => {
  it.scopedLive("has what was written before a call", () =>
    Effect.gen(function* () {
      const root = yield* project
      const calls = yield* CurrentProject.make(Option.some(root))
      yield* untilFound(calls, "plantOak", 1)
      fs.mkdirSync(path.join(root, "new"))
      fs.writeFileSync(path.join(root, "new", "b.ts"), plant("plantElm"))
      yield* untilFound(calls, "plantElm", 1)
      fs.rmSync(path.join(root, "a.ts"))
      yield* untilFound(calls, "plantOak", 0)
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("prints paths from the folder that was named, wherever the server was started", () =>
    Effect.gen(function* () {
      const root = yield* project
      const calls = yield* CurrentProject.make(Option.some(root))
      const { displayPath } = yield* calls.opened
      assert.deepStrictEqual([displayPath("a.ts"), displayPath("src/b.ts")], ["a.ts", "src/b.ts"])
      // The folder of this process is another one, from which these paths would begin with '..'.
      assert.notStrictEqual(path.resolve("a.ts"), path.join(root, "a.ts"))
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("says that the index is being made while another run makes it anew", () =>
    Effect.gen(function* () {
      const root = yield* project
      const calls = yield* CurrentProject.make(Option.some(root))
      yield* untilFound(calls, "plantOak", 1)
      fs.rmSync(path.join(root, ".vibe"), { recursive: true })
      const store = yield* IndexStore.IndexStore
      const workspace = yield* Workspace.open(root)
      yield* store.claim(workspace)
      const run = yield* store.open(workspace)
      assert.strictEqual(
        (yield* calls.current).notice,
        "(the index is still being made: most of the code is missing yet)",
      )
      yield* run.refresh
      assert.strictEqual((yield* calls.current).notice, undefined)
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("fails while its folder is moved away, and answers from one that is made again", () =>
    Effect.gen(function* () {
      const root = yield* project
      const calls = yield* CurrentProject.make(Option.some(root))
      yield* untilFound(calls, "plantOak", 1)
      fs.renameSync(root, `${root}-moved`)
      const message = yield* Effect.match(calls.current, {
        onFailure: (error) => error.message,
        onSuccess: ({ notice }) => `answered: ${notice}`,
      })
      assert.include(message, "no such file or folder")
      fs.cpSync(`${root}-moved`, root, { recursive: true })
      fs.writeFileSync(path.join(root, "b.ts"), plant("plantElm"))
      yield* untilFound(calls, "plantElm", 1)
    }).pipe(Effect.provide(layer)),
  )
})
