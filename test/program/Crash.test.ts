/** What is left of a mistake in vibe itself: a line, and an exit code. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { folder, vibe } from "./vibe.ts"

const project = { "a.ts": "export const a = 1\n" }

describe("vibe with a defect", () => {
  it.scopedLive("prints one line without a stack trace", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      assert.strictEqual((yield* vibe(["index", "--model", "offline"], { cwd })).code, 0)
      const broken = "data:text/javascript,String.prototype.padStart=()=>{throw new TypeError('no such thing')}"
      const { code, stderr, stdout } = yield* vibe(["show", "a.ts"], { cwd, node: ["--import", broken] })
      assert.deepStrictEqual(
        { code, stderr, stdout },
        { code: 1, stderr: "vibe: a mistake in vibe itself: TypeError: no such thing\n", stdout: "" },
      )
    }),
  )

  it.scopedLive("does so too for a defect in a callback", () =>
    Effect.gen(function* () {
      const cwd = yield* folder(project)
      const server = yield* FakeServer.serve([{ body: "", ending: "hang" }])
      const broken = "data:text/javascript,process.on('SIGUSR2',()=>{Promise.reject(new Error('out of the blue'))})"
      const ended = yield* vibe(["index"], {
        cwd,
        node: ["--import", broken],
        env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url },
        onStart: (child) => void Effect.runPromise(Effect.map(server.asked, () => child.kill("SIGUSR2"))),
      })
      assert.strictEqual(ended.code, 1)
      assert.deepStrictEqual(ended.stderr.split("\n"), [
        "stopped before any purpose was written; the files read so far are kept",
        "vibe: a mistake in vibe itself: Error: out of the blue",
        "",
      ])
    }),
  )
})
