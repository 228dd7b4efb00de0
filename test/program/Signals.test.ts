/** Signals to a run that waits for a model, as terminals, service managers and impatient people send them. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Halfway from "./halfway.ts"
import { folder, pretendOld, vibe } from "./vibe.ts"

/** A run that has recorded one purpose, and now waits for an answer that never comes: `then` is done to it. */
const waiting = (then: (child: ChildProcess) => void, node: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const cwd = yield* folder({ "src/greet.ts": "export function greet(name: string) {\n  return name\n}\n" })
    let child: ChildProcess | undefined
    const server = yield* Halfway.serve(() => {
      if (child !== undefined) then(child)
    })
    const ended = yield* vibe(["index", "."], {
      cwd,
      node,
      env: { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url },
      onStart: (started) => {
        child = started
      },
    })
    const kept = (name: string) => path.join(cwd, ".vibe", name)
    return { ...ended, requests: server.requests.length, kept }
  })

/** Has a run that is interrupted wait for ever on its way out: nothing that was to happen next happens. */
const neverEnds = `data:text/javascript,process.on("SIGINT",()=>{globalThis.setImmediate=()=>{}})`

describe("vibe index", () => {
  it.scopedLive.each([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("keeps what it learned at %s, and ends with %i", ([name, expected]) =>
    Effect.gen(function* () {
      const { code, kept, requests, stderr, stdout } = yield* waiting((child) => child.kill(name))
      assert.strictEqual(code, expected, stderr)
      assert.strictEqual(requests, 2)
      assert.strictEqual(stdout, "Starting indexing...\n")
      assert.strictEqual(stderr, "stopped; 1 purpose written so far is kept\n")
      assert.include(fs.readFileSync(kept("purposes.jsonl"), "utf8"), Halfway.entry.purpose)
      assert.isFalse(fs.existsSync(kept("purposes.journal.jsonl")))
    }),
  )

  it.scopedLive("does so too where another Node has started it", () =>
    Effect.gen(function* () {
      const { code, kept, stderr } = yield* waiting((child) => child.kill("SIGTERM"), ["--import", pretendOld])
      assert.strictEqual(code, 143, stderr)
      assert.include(fs.readFileSync(kept("purposes.jsonl"), "utf8"), Halfway.entry.purpose)
    }),
  )

  it.scopedLive("ends at once at the second Ctrl-C, whatever holds it after the first", () =>
    Effect.gen(function* () {
      const again = (child: ChildProcess) => {
        const pressing = setInterval(() => child.kill("SIGINT"), 100)
        child.once("exit", () => clearInterval(pressing))
      }
      const { code, kept, stderr } = yield* waiting(again, ["--import", neverEnds])
      assert.strictEqual(code, 130)
      assert.strictEqual(stderr, "")
      assert.include(fs.readFileSync(kept("purposes.journal.jsonl"), "utf8"), Halfway.entry.purpose)
    }),
  )
})
