/** Signals to a run that waits for a model, as terminals, service managers and impatient people send them. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import * as Halfway from "./halfway.ts"
import { exitOf, flooding, interrupting, neverEnds, waiting } from "./interrupts.ts"
import { bin, folder, loomIn, pretendOld, shell, vibe } from "./vibe.ts"

describe("vibe ask", () => {
  for (const [signal, expected] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    // Windows ends a process without a signal that it could handle.
    it.scopedLive.skipIf(process.platform === "win32")(
      `keeps what has arrived at ${signal}, on stdout and in the forest`,
      () =>
        Effect.gen(function* () {
          const part = { candidates: [{ content: { role: "model", parts: [{ text: "Half an answer" }] } }] }
          const server = yield* FakeServer.serve([{ body: FakeServer.events(part), ending: "hang" }])
          const cwd = yield* folder()
          const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
          const onStart = (child: ChildProcess) => {
            const looking = setInterval(() => {
              if (server.requests.length === 0) return
              clearInterval(looking)
              // The program does not say when it has read the part.
              setTimeout(() => child.kill(signal), 1000)
            }, 20)
            child.once("exit", () => clearInterval(looking))
          }
          const { code, stdout } = yield* vibe(["ask", "-m", "google/x", "hi"], { cwd, env, onStart })
          assert.deepStrictEqual([code, stdout], [expected, "Half an answer\n"])
          const log = yield* vibe(["loom", "log"], { cwd, env })
          assert.include(log.stdout, "Half an answer")
        }),
    )
  }

  const event = `data: ${JSON.stringify({ usageMetadata: { promptTokenCount: 1 }, responseId: "abcdefgh" })}\n\n`

  // By processor time, which a busy machine does not change. Redacting a recording at its end took three seconds. A
  // fast machine reads the longest answer that is allowed, 268 M characters, in less than four.
  for (const [what, options] of [
    ["that it reads", []],
    ["that it records", ["--record", "tape"]],
  ] as const) {
    it.scopedLive.skipIf(process.platform !== "linux")(
      `ends soon at SIGINT in the midst of a flood of events ${what}`,
      () =>
        Effect.gen(function* () {
          const { isAsked, url } = yield* flooding(event.repeat(1000))
          const cwd = yield* folder()
          const { onStart, worked } = interrupting(1.5, isAsked)
          const args = ["ask", "--max-retries", "0", ...options, "-m", "google/x", "hi"]
          const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: url }
          const { code, stderr } = yield* vibe(args, { cwd, env, onStart })
          assert.strictEqual(code, 130, stderr)
          assert.isBelow(worked.seconds, 1.5)
          if (options.length > 0) assert.lengthOf(fs.readdirSync(path.join(cwd, "tape")), 1)
        }),
      240_000,
    )
  }
})

describe("vibe chat", () => {
  // A pipe holds 64 kB, or a socket about 200 kB. Windows writes to a pipe at once.
  for (const [title, presses] of [
    ["ends after the reader of stdout has all answers, however late it reads", 1],
    ["ends at once at the second Ctrl-C while nothing reads its stdout", 2],
  ] as const) {
    it.scopedLive.skipIf(process.platform === "win32")(title, () =>
      Effect.gen(function* () {
        const text = `${"word ".repeat(200_000)}end`
        const part = { candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] }
        const isSecondAsked = yield* Deferred.make<void>()
        const server = yield* FakeServer.serve((_, index) => {
          if (index === 0) return { body: FakeServer.events(part) }
          // The first answer has been printed by now.
          Deferred.unsafeDone(isSecondAsked, Effect.void)
          return { body: "", ending: "hang" }
        })
        const cwd = yield* folder({ input: "hi\nmore\n" })
        const env = { GOOGLE_API_KEY: "test-key-0123456789", GOOGLE_GEMINI_BASE_URL: server.url }
        let child: ChildProcess | undefined
        const onStart = (started: ChildProcess) => {
          child = started
          started.stdout?.pause()
        }
        const line = `exec "${process.execPath}" "${bin}" chat --plain -m google/x < input`
        const running = yield* Effect.fork(shell(line, { cwd, env, onStart }))
        yield* Deferred.await(isSecondAsked)
        child?.kill("SIGINT")
        yield* server.abandoned
        // Meanwhile other runs do whole work. An output that had only so much time would be cut off by then.
        yield* loomIn(cwd)("verify")
        assert.include(yield* loomIn(cwd)("log"), "word word")
        assert.isNull(child?.exitCode)
        if (presses === 2) {
          const gone = yield* Effect.fork(exitOf(child))
          yield* Effect.yieldNow()
          child?.kill("SIGINT")
          assert.strictEqual(yield* Fiber.join(gone), 130)
        }
        child?.stdout?.resume()
        const { code, stdout } = yield* Fiber.join(running)
        assert.strictEqual(code, 130)
        if (presses === 1) assert.strictEqual(stdout, `${text}\n`)
      }),
    )
  }
})

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
      assert.strictEqual(stderr, "stopped; 1 purpose written so far is kept; run it again to go on\n")
      assert.include(fs.readFileSync(kept("purposes.jsonl"), "utf8"), Halfway.entry.purpose)
      assert.isFalse(fs.existsSync(kept("purposes.journal.jsonl")))
    }),
  )

  it.scopedLive("does so too when another Node has started it", () =>
    Effect.gen(function* () {
      const { code, kept, stderr } = yield* waiting((child) => child.kill("SIGTERM"), ["--import", pretendOld])
      assert.strictEqual(code, 143, stderr)
      assert.include(fs.readFileSync(kept("purposes.jsonl"), "utf8"), Halfway.entry.purpose)
    }),
  )

  it.scopedLive("ends at once at the second Ctrl-C", () =>
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
