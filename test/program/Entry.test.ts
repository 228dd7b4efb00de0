import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bin, folder, pretendOld, vibe } from "./vibe.ts"

const { version } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, "../../package.json"), "utf8"))

describe("bin", () => {
  it.scopedLive("tells the version, and nothing else", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const { code, stderr, stdout } = yield* vibe(["--version"], { cwd })
      assert.deepStrictEqual({ code, stderr, stdout }, { code: 0, stderr: "", stdout: `${version}\n` })
    }),
  )

  it.scopedLive("starts on the checkout's own Node where this one is too old, from any folder and through a link", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      fs.symlinkSync(bin, path.join(cwd, "vibe.ts"))
      const options = { cwd, node: ["--import", pretendOld], bin: path.join(cwd, "vibe.ts") }
      const helped = yield* vibe(["help", "status"], options)
      assert.strictEqual(helped.code, 0)
      assert.include(helped.stdout, "vibe status [OPTIONS]")
      assert.strictEqual((yield* vibe(["--nope"], options)).code, 2)
    }),
  )

  it.scopedLive("says in one line what it needs where there is no Node of its own", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "package.json": '{ "type": "module" }', "dist/bin.ts": fs.readFileSync(bin, "utf8") })
      const { code, stderr, stdout } = yield* vibe(["status"], {
        cwd,
        node: ["--import", pretendOld],
        bin: path.join(cwd, "dist/bin.ts"),
      })
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
      assert.match(stderr, /^vibe: Node 22\.16 or newer is needed, this is v[\d.]+\n$/)
    }),
  )
})
