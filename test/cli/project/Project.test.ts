import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Layer, Option, Ref } from "effect"
import * as Project from "../../../src/cli/project/Project.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as NodeFiles from "../../../src/code/Files/Node.ts"
import * as Files from "../../../src/code/Files.ts"
import * as Workspace from "../../../src/code/Workspace.ts"
import * as Sqlite from "../../../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../../../src/index/IndexStore.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { symbols } from "../../index/IndexStore.fixture.ts"

const here = path.resolve(".")
const above = path.dirname(here)
const [me, other] = [1000, 1001]

/** Opens an index where there is one here and one above, of these owners; with what is shown on stderr. */
const opened = (
  of: Readonly<Record<string, number>>,
  { root, safe = "[]" }: { readonly root?: string; readonly safe?: string } = {},
) =>
  Effect.gen(function* () {
    const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
    const files = Files.layerMemory(
      { [`${here}/.vibe/index.db`]: "", [`${above}/.vibe/index.db`]: "", [`${here}/a.ts`]: "" },
      { user: me, of },
    )
    const layer = Layer.mergeAll(files, Layer.provide(Sqlite.layerMemory, symbols), Screen.layerMemory(written))
    const result = yield* Effect.gen(function* () {
      const store = yield* IndexStore.IndexStore
      for (const folder of [here, above]) yield* store.open(yield* Workspace.open(folder))
      return yield* Effect.either(
        Effect.map(Project.open(Option.fromNullable(root)), ({ workspace }) => workspace.root),
      )
    }).pipe(
      Effect.provide(layer),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["VIBE_SAFE_FOLDERS", safe]]))),
    )
    return { result, shown: (yield* Ref.get(written)).map(({ text, to }) => `${to}: ${text}`) }
  })

const advice =
  "If you trust that user, name the folder in safeFolders of your own configuration, or in VIBE_SAFE_FOLDERS"

describe("Project.open", () => {
  it.scoped("opens the nearest index of the user's own", () =>
    Effect.gen(function* () {
      const { result, shown } = yield* opened({ [`${above}/.vibe`]: other })
      assert.deepStrictEqual([result, shown], [Either.right(here), []])
    }),
  )

  it.scoped("skips an index of another user with a warning, and continues upwards", () =>
    Effect.gen(function* () {
      const theirs = { [`${here}/.vibe`]: other }
      const { result, shown } = yield* opened(theirs)
      assert.deepStrictEqual(result, Either.right(above))
      const line = `vibe: ${here}/.vibe: the index belongs to another user (1001), and is not used. ${advice}\n`
      assert.deepStrictEqual(shown, [`err: ${line}`])
      const none = yield* opened({ ...theirs, [`${above}/.vibe`]: other })
      assert.lengthOf(none.shown, 2)
      assert.include(String(Either.getLeft(none.result)), "NotIndexed")
    }),
  )

  it.scoped("refuses an index of another user that is asked for, unless its folder is safe", () =>
    Effect.gen(function* () {
      const theirs = { [`${here}/.vibe`]: other }
      const { result, shown } = yield* opened(theirs, { root: here })
      assert.include(String(Either.getLeft(result)), "NotOwned")
      assert.isEmpty(shown)
      const safe = yield* opened(theirs, { root: here, safe: JSON.stringify([here]) })
      assert.deepStrictEqual([safe.result, safe.shown], [Either.right(here), []])
      assert.deepStrictEqual((yield* opened(theirs, { safe: '["*"]' })).result, Either.right(here))
    }),
  )

  it.scoped("makes the index of a fresh clone by the settings of the project", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      for (const folder of [".vibe", "libs"]) fs.mkdirSync(path.join(root, folder))
      fs.writeFileSync(path.join(root, ".vibe", "purposes.jsonl"), "")
      fs.writeFileSync(path.join(root, ".vibe", "config.toml"), '[index]\nexclude = ["libs"]\n')
      fs.writeFileSync(path.join(root, "a.ts"), "")
      fs.writeFileSync(path.join(root, "libs", "b.ts"), "")
      const written = yield* Ref.make<ReadonlyArray<Screen.Written>>([])
      const layer = Layer.mergeAll(NodeFiles.layer, Layer.provide(Sqlite.layer, symbols), Screen.layerMemory(written))
      const paths = Effect.scoped(
        Effect.flatMap(Project.open(Option.some(root)), ({ index }) =>
          Effect.map(index.files, (files) => files.map((file) => file.path)),
        ),
      ).pipe(Effect.provide(layer), Effect.withConfigProvider(ConfigProvider.fromMap(new Map())))
      assert.deepStrictEqual(yield* paths, ["a.ts"])
      // The index has the selection now, and settings are read by `vibe index` alone.
      fs.writeFileSync(path.join(root, ".vibe", "config.toml"), "")
      assert.deepStrictEqual(yield* paths, ["a.ts"])
    }),
  )
})
