/** Runs below a `.vibe` of another user. Only root can give one away. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, isRoot, vibe } from "./vibe.ts"

describe.runIf(isRoot)("vibe, below a .vibe of another user", () => {
  /** Indexed by another user, who has chosen a model there. */
  const shared = Effect.gen(function* () {
    const cwd = yield* folder({ "a.ts": "export function add() {\n  return 1\n}\n", "mine/": "", "home/": "" })
    const settings = { cwd: path.join(cwd, "mine"), env: { HOME: path.join(cwd, "home") } }
    assert.strictEqual((yield* vibe(["index", "..", "--model", "offline"], settings)).code, 0)
    fs.writeFileSync(path.join(cwd, ".vibe/config.toml"), 'defaultModel = "deepseek/theirs"\n')
    fs.chownSync(path.join(cwd, ".vibe"), 65_534, 65_534)
    const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
      vibe(args, { cwd: settings.cwd, env: { ...settings.env, ...env } })
    return { cwd, run }
  })

  const model = (stdout: string) =>
    JSON.parse(stdout).settings.find(({ name }: { readonly name: string }) => name === "VIBE_MODEL").value

  it.scopedLive(
    "ignores its settings and its index, with a warning",
    () =>
      Effect.gen(function* () {
        const { cwd, run } = yield* shared
        const config = yield* run(["config", "--json"])
        assert.notStrictEqual(model(config.stdout), "deepseek/theirs")
        assert.lengthOf(config.stderr.trimEnd().split("\n"), 1)
        assert.match(config.stderr, /^vibe: warn: settings of another user are ignored/)
        assert.include(config.stderr, `${cwd}/.vibe/config.toml`)

        const query = yield* run(["query", "add"])
        assert.deepStrictEqual([query.code, query.stdout], [2, ""])
        const [ignored, none] = query.stderr.split("\n")
        assert.include(
          ignored,
          `vibe: ${cwd}/.vibe: the index belongs to another user (65534), and is not used. If you`,
        )
        assert.include(none, "there is no index here yet")

        for (const args of [
          ["status", "--root", ".."],
          ["index", "..", "--model", "offline"],
        ]) {
          const { code, stderr } = yield* run(args)
          assert.strictEqual(code, 2, stderr)
          assert.include(stderr, `vibe: ${cwd}/.vibe: the index belongs to another user (65534)`)
        }
      }),
    240_000,
  )

  it.scopedLive(
    "uses it if the folder is configured as safe, or if that user called sudo",
    () =>
      Effect.gen(function* () {
        const { cwd, run } = yield* shared
        for (const env of [{ VIBE_SAFE_FOLDERS: JSON.stringify([cwd]) }, { SUDO_UID: "65534" }]) {
          const config = yield* run(["config", "--json"], env)
          assert.deepStrictEqual([model(config.stdout), config.stderr], ["deepseek/theirs", ""])
          const query = yield* run(["query", "add"], env)
          assert.deepStrictEqual([query.code, query.stderr], [0, ""])
        }
        fs.mkdirSync(path.join(cwd, "home/.config/vibe"), { recursive: true })
        fs.writeFileSync(path.join(cwd, "home/.config/vibe/config.toml"), `safeFolders = ["${cwd}"]\n`)
        assert.strictEqual((yield* run(["query", "add"])).code, 0)
        assert.strictEqual(model((yield* run(["config", "--json"])).stdout), "deepseek/theirs")
      }),
    240_000,
  )
})
