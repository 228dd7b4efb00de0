/** What `vibe serve` shows of a `vibe index` that is another process. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import * as FakeServer from "../utils/FakeServer.ts"
import { saying } from "../utils/Gemini.ts"
import * as Serving from "../utils/Serving.ts"
import { bin, environmentIn, folder } from "./vibe.ts"

const project = {
  "README.md": "# Greeter\n\nIt greets.\n",
  "src/greet.ts": 'export function greet(name: string): string {\n  return "hello " + name\n}\n',
  "src/main.ts": 'import { greet } from "./greet.ts"\n\nexport const main = () => greet("you")\n',
}

const usageMetadata = { promptTokenCount: 1000, candidatesTokenCount: 100 }

/** A map of the project, and then a batch that is never answered. */
const answers: Parameters<typeof FakeServer.serve>[0] = (_, index) =>
  index % 2 === 0
    ? { body: FakeServer.events({ ...saying("# Greeter\n\nA small greeter.", "STOP"), usageMetadata }) }
    : { body: "", ending: "mute" }

const started = (cwd: string, env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [bin, ...args], {
        cwd,
        env: environmentIn(cwd, env),
        stdio: ["ignore", "pipe", "ignore"],
      }),
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  )

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const ended = once(child, "exit")
  child.kill(signal)
  await ended
}

/** Longer than a process takes to start on a machine that is busy. */
const LONG = { timeout: 60_000, interval: 100 }

describe("vibe index in another process", () => {
  it.scopedLive(
    "is shown with its requests, tokens and cost while it runs, and not once it has ended or was killed",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder(project)
        const google = yield* FakeServer.serve(answers)
        const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: google.url }
        const model = ["--model", "google/gemini-2.5-flash"]
        const given = ["--json", "--port", "0", "--token", Serving.token, "--ephemeral", ...model]
        const server = yield* started(cwd, env, "serve", ...given)
        const { port } = yield* Effect.promise(async () => {
          const [line] = await once(server.stdout ?? assert.fail(), "data")
          return JSON.parse(String(line))
        })
        const client = Serving.client(port)
        const file = path.join(cwd, ".vibe/index.db.progress")
        for (const signal of ["SIGINT", "SIGKILL"] as const) {
          fs.rmSync(path.join(cwd, ".vibe"), { recursive: true, force: true })
          const run = yield* started(cwd, env, "index", ".", ...model)
          yield* Effect.promise(async () => {
            const status = await vi.waitFor(async () => {
              const status = await client.get("/index")
              assert.isAtLeast(status.elsewhere?.requests ?? 0, 2)
              return status
            }, LONG)
            assert.isTrue(status.isElsewhere)
            const { cost, found, model: name, planned, state, tokens, written } = status.elsewhere
            assert.deepStrictEqual(
              { found, name, planned, state, tokens, written },
              {
                found: [],
                name: "google/gemini-2.5-flash",
                planned: 2,
                state: "running",
                tokens: { input: 1000, output: 100 },
                written: 0,
              },
            )
            assert.isAbove(cost, 0)
            await end(run, signal)
            // What is left by a process that was killed is of one without the lock.
            assert.strictEqual(fs.existsSync(file), signal === "SIGKILL")
            const after = await client.get("/index")
            assert.deepStrictEqual([after.isElsewhere, after.elsewhere], [false, undefined])
          })
          assert.isFalse(fs.existsSync(file))
        }
      }),
  )
})
