import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as Ownership from "../../src/config/Ownership.ts"
import { planted } from "../code/FilesOnDisk.ts"

const me = 1000
const other = 1001

/** Runs as this user, where these folders belong to others. */
const as = (user: number, of: Readonly<Record<string, number>>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.provide(
    Layer.merge(
      Files.layerMemory(
        { "/code/.vibe/config.toml": "", "/link/.vibe": { link: "/code/.vibe" }, "/linked": { link: "/code" } },
        { user, of },
      ),
      Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    ),
  )

const found = Ownership.findOtherOwner("/code/.vibe")

describe("Ownership.findOtherOwner", () => {
  it.effect("finds none if the folder belongs to the user, or does not exist", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* as(me, {})(found), Option.none())
      assert.deepStrictEqual(yield* as(me, { "/code": other })(found), Option.none())
      assert.deepStrictEqual(yield* as(me, {})(Ownership.findOtherOwner("/nowhere/.vibe")), Option.none())
    }),
  )

  it.effect("finds the owner of a folder, of a link to it, and of the target of a link", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* as(me, { "/code/.vibe": other })(found), Option.some(other))
      const linked = Ownership.findOtherOwner("/link/.vibe")
      assert.deepStrictEqual(yield* as(me, { "/code/.vibe": other })(linked), Option.some(other))
      assert.deepStrictEqual(yield* as(me, { "/link/.vibe": other })(linked), Option.some(other))
      assert.deepStrictEqual(yield* as(me, {})(linked), Option.none())
    }),
  )

  it.effect("counts folders of the user who ran sudo as own, only for root", () =>
    Effect.gen(function* () {
      const owners = { "/code/.vibe": me }
      assert.deepStrictEqual(yield* as(0, owners, { SUDO_UID: String(me) })(found), Option.none())
      assert.deepStrictEqual(yield* as(0, owners)(found), Option.some(me))
      assert.deepStrictEqual(yield* as(0, owners, { SUDO_UID: String(other) })(found), Option.some(me))
      assert.deepStrictEqual(yield* as(0, owners, { SUDO_UID: "x" })(found), Option.some(me))
      assert.deepStrictEqual(yield* as(other, owners, { SUDO_UID: String(me) })(found), Option.some(me))
    }),
  )

  it.scoped.runIf(process.getuid?.() === 0)("reads the owner from the file system", () =>
    Effect.gen(function* () {
      const root = yield* planted({ ".vibe/config.toml": "" })
      const owner = Ownership.findOtherOwner(`${root}/.vibe`)
      assert.deepStrictEqual(yield* owner, Option.none())
      fs.chownSync(`${root}/.vibe`, 65_534, 65_534)
      assert.deepStrictEqual(yield* owner, Option.some(65_534))
    }).pipe(Effect.provide([NodeFiles.layer, Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))])),
  )
})

describe("Ownership.isSafe", () => {
  it.effect.each<readonly [safe: ReadonlyArray<string>, folder: string, isSafe: boolean]>([
    [[], "/code", false],
    [["*"], "/code", true],
    [["/code"], "/code", true],
    [["/code/"], "/code", true],
    [["/other", "/code"], "/code", true],
    [["/code"], "/code/below", false],
    [["/code"], "/codex", false],
    [["/code/*"], "/code/below/it", true],
    [["/code/*"], "/code", false],
    [["/code/*"], "/codex", false],
    [["/*"], "/code", true],
    [["/linked"], "/linked", true],
    [["/code"], "/linked", true],
    [["."], process.cwd(), false],
    [[""], process.cwd(), false],
  ])("by %j of %s: %s", ([safe, folder, isSafe]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* as(me, {})(Ownership.isSafe(folder, safe)), isSafe)
    }),
  )
})
