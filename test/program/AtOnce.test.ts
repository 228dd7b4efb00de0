/** Several commands at work in one folder. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as Halfway from "./halfway.ts"
import { folder, vibe } from "./vibe.ts"

const project = {
  "src/greet.ts": "/** Says hello. */\nexport function greet(name: string) {\n  return name\n}\n",
  "src/part.ts": "/** Says goodbye. */\nexport function part(name: string) {\n  return name\n}\n",
}

/** A run that has recorded a purpose, and goes no further: its model does not answer again. */
const atWork = Effect.gen(function* () {
  const cwd = yield* folder(project)
  const waits = yield* Deferred.make<void>()
  const server = yield* Halfway.serve(() => Deferred.unsafeDone(waits, Effect.void))
  const started = yield* Deferred.make<ChildProcess>()
  const run = yield* Effect.forkScoped(
    vibe(["index"], {
      cwd,
      env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url },
      onStart: (child) => Deferred.unsafeDone(started, Effect.succeed(child)),
    }),
  )
  const child = yield* Deferred.await(started)
  yield* Effect.raceFirst(Deferred.await(waits), Fiber.join(run))
  return { cwd, child, run }
})

const waitingFor = ({ pid }: ChildProcess) => `another vibe index is at work here (process ${pid}); waiting\n`

describe("vibe index during another vibe index", () => {
  it.scopedLive.each(["SIGINT", "SIGKILL"] as const)(
    "waits with a message, and continues after the other ended by %s",
    (signal) =>
      Effect.gen(function* () {
        const { child, cwd, run } = yield* atWork
        let heard = ""
        const second = yield* vibe(["index", "--model", "offline"], {
          cwd,
          onStderr: (text) => {
            heard += text
            if (heard === waitingFor(child)) child.kill(signal)
          },
        })
        assert.strictEqual(second.code, 0, second.stderr)
        assert.strictEqual(second.stdout, "Starting indexing...\nIndexing complete.\n")
        assert.strictEqual(second.stderr.split("at work here").length, 2)
        assert.strictEqual((yield* Fiber.join(run)).code, signal === "SIGINT" ? 130 : null)
        // What the first has learned is kept.
        assert.include(fs.readFileSync(path.join(cwd, ".vibe/purposes.jsonl"), "utf8"), Halfway.entry.purpose)
      }),
    240_000,
  )

  it.scopedLive(
    "ends at Ctrl-C while it waits, without affecting the other",
    () =>
      Effect.gen(function* () {
        const { child, cwd, run } = yield* atWork
        const second = yield* vibe(["index", "--model", "offline"], {
          cwd,
          onStderr: (_, second) => second.kill("SIGINT"),
        })
        assert.strictEqual(second.code, 130)
        assert.deepStrictEqual([second.stdout, second.stderr], ["", waitingFor(child)])
        child.kill("SIGINT")
        assert.strictEqual(
          (yield* Fiber.join(run)).stderr,
          "stopped; 1 purpose written so far is kept; run it again to go on\n",
        )
      }),
    240_000,
  )
})

describe("vibe query, show and status during vibe index", () => {
  it.scopedLive(
    "answer at once, with the purposes recorded so far",
    () =>
      Effect.gen(function* () {
        const { child, cwd } = yield* atWork
        for (const args of [["query", "welcome"], ["show", "greet"], ["status"]]) {
          const { code, stderr, stdout } = yield* vibe(args, { cwd })
          assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
          assert.include(stdout, args[0] === "status" ? "1 by a model" : Halfway.entry.purpose)
        }
        assert.isNull(child.exitCode)
      }),
    240_000,
  )
})
