/** `vibe ask` as a process: its pipes, its forest, and a server that speaks as Google does. */
import type { ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as FakeServer from "../utils/FakeServer.ts"
import { google, refusing, saying } from "../utils/Gemini.ts"
import { bin, type Ended, folder, shell, vibe } from "./vibe.ts"

type Answers = Parameters<typeof FakeServer.serve>[0]

const key = "test-key-0123456789"

/** One question to a server that answers so. */
const ask = (answers: Answers, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const cwd = yield* folder()
    const server = yield* FakeServer.serve(answers)
    const settings = { GOOGLE_API_KEY: key, GOOGLE_GEMINI_BASE_URL: server.url, ...env }
    const ended = yield* vibe(["ask", ...args], { cwd, env: settings })
    return { ...ended, cwd, requests: server.requests }
  })

const stream = (...chunks: ReadonlyArray<unknown>): FakeServer.Answer => ({ body: FakeServer.events(...chunks) })

const answering = stream(saying("It is "), {
  ...saying("so.", "STOP"),
  usageMetadata: {
    promptTokenCount: 1_000,
    candidatesTokenCount: 80,
    thoughtsTokenCount: 20,
    cachedContentTokenCount: 400,
  },
})

const busy = refusing(503, google(503, "The model is overloaded."))

const slowDown = (retryDelay: string) =>
  refusing(429, google(429, "Slow down.", [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }]))

const spent = refusing(
  429,
  google(429, "Used up.", [
    { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId: "RequestsPerDay" }] },
  ]),
)

/** Fails with this code, and says why in one object, and in one line. */
const failed = ({ code, stderr, stdout }: Ended, expected: number, reason: string, ...words: ReadonlyArray<string>) => {
  assert.strictEqual(code, expected, stderr)
  const { error } = JSON.parse(stdout)
  assert.strictEqual(error.reason, reason)
  for (const word of words) assert.include(error.message, word)
  assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
}

describe("vibe ask", () => {
  it.scopedLive("reads a schema from a pipe that the shell names", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": '["{\\"born\\":1815}"]' })
      const ask = (schema: string) =>
        shell(`vibe ask "When?" --model scripted/a.json --schema <(echo '${schema}') < /dev/null`, { cwd })
      const { code, stderr, stdout } = yield* ask('{"required":["born"]}')
      assert.deepStrictEqual([code, stdout], [0, '{"born":1815}\n'], stderr)
      assert.include((yield* ask("no JSON")).stderr, "is no JSON")
    }),
  )

  it.scopedLive.runIf(process.platform === "linux")("reads no file beyond what an option can take", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": "[]" })
      // It says that it has 0 bytes, and has millions.
      const ended = yield* vibe(["ask", "Why?", "--model", "scripted/a.json", "--schema", "/proc/kallsyms"], { cwd })
      assert.strictEqual(ended.code, 2)
      assert.include(ended.stderr, "/proc/kallsyms: larger than 1000000 bytes")
    }),
  )
})

describe("vibe ask, with Gemini", () => {
  it.scopedLive("answers in one request, with what it cost, and keeps both sides", () =>
    Effect.gen(function* () {
      const args = ["--json", "--model", "google/gemini-2.5-flash", "Is it so?"]
      const { code, cwd, requests, stderr, stdout } = yield* ask([answering], args)
      assert.strictEqual(code, 0, stderr)
      const { cost, node, ...rest } = JSON.parse(stdout)
      assert.deepStrictEqual(rest, {
        text: "It is so.",
        toolCalls: [],
        finishReason: "stop",
        usage: { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 400, reasoningTokens: 20 },
        model: "google/gemini-2.5-flash",
      })
      assert.isAbove(cost, 0)
      assert.isBelow(cost, 0.01)
      assert.lengthOf(requests, 1)
      const kept = JSON.parse((yield* vibe(["loom", "log", node, "--json"], { cwd })).stdout)
      assert.deepStrictEqual(
        kept.nodes.map(
          ({ message }: { message: { content: ReadonlyArray<{ text: string }> } }) => message.content[0]?.text,
        ),
        ["Is it so?", "It is so."],
      )
    }),
  )

  it.scopedLive("prints an answer once in a pipe, although it needed a second attempt", () =>
    Effect.gen(function* () {
      const { code, requests, stderr, stdout } = yield* ask(
        [stream(saying("It is ")), answering],
        ["--max-wait", "0", "Is it?"],
      )
      assert.deepStrictEqual([code, stdout], [0, "It is so.\n"], stderr)
      assert.match(stderr, /^retry 1 at once: /)
      assert.lengthOf(requests, 2)
    }),
  )

  it.scopedLive("retries as often as configured, and sends one request with no retries", () =>
    Effect.gen(function* () {
      const none = yield* ask([busy], ["--json", "Hi"], { VIBE_MAX_RETRIES: "0" })
      failed(none, 1, "Overloaded")
      assert.lengthOf(none.requests, 1)
      const flagged = yield* ask([busy], ["Hi", "--max-retries", "2", "--max-wait", "0"], { VIBE_MAX_RETRIES: "0" })
      assert.strictEqual(flagged.code, 1)
      assert.lengthOf(flagged.requests, 3)
    }),
  )

  it.scopedLive("waits no longer than the configured maximum, and prints the time the provider named", () =>
    Effect.gen(function* () {
      const told = yield* ask([slowDown("20s")], ["--json", "--max-wait", "5", "Hi"])
      failed(told, 4, "RateLimited", "try again in 20s")
      assert.lengthOf(told.requests, 1)
      const set = yield* ask([slowDown("20s")], ["--json", "Hi"], { VIBE_MAX_WAIT: "5" })
      failed(set, 4, "RateLimited", "try again in 20s")
      assert.lengthOf(set.requests, 1)
    }),
  )

  it.scopedLive(
    "exits with the code of the error",
    () =>
      Effect.gen(function* () {
        const once = ["--json", "--max-retries", "0", "Hi"]
        failed(yield* ask([refusing(401, google(401, "No."))], once), 3, "Unauthorized")
        failed(yield* ask([spent], once), 4, "QuotaExhausted")
        failed(
          yield* ask([stream(saying("Once"), { candidates: [{ finishReason: "SAFETY" }] })], once),
          5,
          "Blocked",
          "SAFETY",
        )
        failed(yield* ask([stream({ candidates: [{ finishReason: "MAX_TOKENS" }] })], once), 6, "OutputLimit")
        failed(
          yield* ask([answering], ["--json", "-m", "google/gemini-2.5-flash", "Hi"], { GOOGLE_API_KEY: "" }),
          3,
          "Unauthorized",
          "GOOGLE_API_KEY",
        )
        failed(
          yield* ask([answering], ["--json", "Hi"], { VIBE_MAX_RETRIES: "many" }),
          2,
          "ConfigError",
          "VIBE_MAX_RETRIES",
        )
      }),
    240_000,
  )

  it.scopedLive("cancels its request on Ctrl-C, and keeps the question and what has arrived", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const server = yield* FakeServer.serve([{ ...stream(saying("Once upon")), ending: "hang" }])
      let child: ChildProcess | undefined
      const env = { GOOGLE_API_KEY: key, GOOGLE_GEMINI_BASE_URL: server.url }
      const onStart = (started: ChildProcess) => {
        child = started
      }
      const running = yield* Effect.fork(vibe(["ask", "A tale?"], { cwd, env, onStart }))
      yield* server.asked
      child?.kill("SIGINT")
      yield* server.abandoned
      const { code, stdout } = yield* Fiber.join(running)
      assert.deepStrictEqual([code, stdout], [130, "Once upon\n"])
      const { stdout: tree } = yield* vibe(["loom", "tree"], { cwd })
      assert.include(tree, 'user "A tale?"')
    }),
  )

  it.scopedLive("prints an answer that was cut off, with a warning", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* ask([stream(saying("Once upon", "MAX_TOKENS"))], ["Hi"])
      assert.deepStrictEqual([code, stdout], [0, "Once upon\n"])
      assert.strictEqual(stderr, "vibe: the answer is cut off: the output limit was reached\n")
    }),
  )
})

describe("vibe ask", () => {
  it.scopedLive("reads a question from a pipe, and writes the answer to one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": '["It failed."]', "b.txt": "b" })
      const { code, stderr, stdout } = yield* shell(
        'echo "a log" | vibe ask "What failed?" --file b.txt --model scripted/a.json | cat',
        { cwd },
      )
      assert.deepStrictEqual([code, stderr, stdout], [0, "", "It failed.\n"])
      const { stdout: log } = yield* vibe(["loom", "show", "@^"], { cwd })
      assert.include(log, '<file path="b.txt">\nb\n</file>\n\n<stdin>\na log\n</stdin>\n\nWhat failed?')
    }),
  )

  it.scopedLive("writes a long answer to a pipe completely, and ends quietly when the pipe is closed", () =>
    Effect.gen(function* () {
      const line = "word ".repeat(19).concat("end\n")
      const cwd = yield* folder({ "a.json": JSON.stringify([line.repeat(10_000)]) })
      const whole = yield* shell("vibe ask Hi --model scripted/a.json | wc -c", { cwd })
      assert.strictEqual(whole.stdout.trim(), String(line.length * 10_000))
      const head = yield* shell("vibe ask Hi --model scripted/a.json | head -1; exit ${PIPESTATUS[0]}", { cwd })
      assert.deepStrictEqual([head.code, head.stdout, head.stderr], [0, line, ""])
    }),
  )

  it.scopedLive("refuses more on stdin than a model can take, before any request", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": '["Hi."]' })
      const { code, stderr, stdout } = yield* shell(
        "head -c 10000000 /dev/zero | tr '\\0' a | vibe ask Hi --model scripted/a.json",
        { cwd },
      )
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, /^vibe: stdin holds more than 4 MB, .*\n$/)
    }),
  )

  it.scopedLive("continues without a stdin that another program left open and silent", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": '["Hi."]' })
      // A child of Node's has a socket for its stdin; its parent here never writes.
      const parent = `const { spawn } = require("node:child_process")
        spawn(process.execPath, [${JSON.stringify(bin)}, "ask", "Hi", "--model", "scripted/a.json"], {
          stdio: ["pipe", "inherit", "inherit"],
        }).on("exit", (code) => process.exit(code))`
      fs.writeFileSync(path.join(cwd, "parent.cjs"), parent)
      const { code, stderr, stdout } = yield* shell(`"${process.execPath}" parent.cjs`, { cwd })
      assert.deepStrictEqual([code, stdout], [0, "Hi.\n"])
      assert.strictEqual(stderr, "vibe: warn: nothing comes on stdin: going on without it\n")
    }),
  )

  it.scopedLive("answers with a warning if the conversation cannot be stored", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": '["Hi."]', file: "" })
      const args = ["ask", "Hi", "--model", "scripted/a.json", "--forest", "file/forest.db"]
      const { code, stderr, stdout } = yield* vibe(args, { cwd })
      assert.deepStrictEqual([code, stdout], [0, "Hi.\n"], stderr)
      assert.match(stderr, /^vibe: warn: the conversation of this run is not kept .*\n$/)
      const json = yield* vibe([...args, "--json"], { cwd })
      assert.deepInclude(JSON.parse(json.stdout), { text: "Hi.", node: null })
      const continued = yield* vibe([...args, "--continue"], { cwd })
      assert.deepStrictEqual([continued.code, continued.stdout], [2, ""], continued.stderr)
    }),
  )

  it.scopedLive("stores nothing with --ephemeral", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.json": '["Hi."]' })
      const options = ["--ephemeral", "--model", "scripted/a.json"]
      const { code, stdout } = yield* vibe(["ask", "Hi", "--json", ...options], { cwd })
      assert.strictEqual(code, 0)
      assert.deepInclude(JSON.parse(stdout), { text: "Hi.", node: null })
      assert.isFalse(fs.existsSync(path.join(cwd, ".local")))
      const both = yield* vibe(["ask", "Hi", "--forest", "x.db", ...options], { cwd })
      assert.strictEqual(both.code, 2)
      assert.include(both.stderr, "either --ephemeral or --forest")
    }),
  )

  it.scopedLive(
    "continues a conversation in the next process",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "a.json": '["Hi."]' })
        const model = ["--model", "scripted/a.json"]
        const { node } = JSON.parse((yield* vibe(["ask", "First", "--json", ...model], { cwd })).stdout)
        yield* vibe(["ask", "Second", "--continue", ...model], { cwd })
        yield* vibe(["ask", "Third", "--continue", node, ...model], { cwd })
        const { stdout } = yield* vibe(["loom", "tree"], { cwd })
        assert.deepStrictEqual(
          Array.from(stdout.matchAll(/(?:user|assistant) "\w+\.?"/g), ([said]) => said),
          ['user "First"', 'assistant "Hi."', 'user "Second"', 'assistant "Hi."', 'user "Third"', 'assistant "Hi."'],
        )
      }),
    240_000,
  )

  it.scopedLive(
    "gives a model read-only tools for the folder, indexed or not",
    () =>
      Effect.gen(function* () {
        const calls = (...toolCalls: ReadonlyArray<object>) => ({ toolCalls })
        const script = [
          calls({ name: "find_symbols", arguments: { query: "what greets?" } }),
          calls({ name: "read_file", arguments: { path: "greet.ts" } }),
          calls({ name: "create_index_entry", arguments: { entries: [] } }),
          "It greets.",
        ]
        const home = yield* folder({
          "a.json": JSON.stringify(script),
          "project/greet.ts": "export const greet = () => 1\n",
        })
        const options = { cwd: path.join(home, "project"), env: { HOME: home } }
        const args = ["ask", "What does it do?", "--tools", "--model", "scripted/../a.json", "--json"]
        const answered = Effect.gen(function* () {
          const { code, stderr, stdout } = yield* vibe(args, options)
          assert.strictEqual(code, 0, stderr)
          const { node, text, toolCalls } = JSON.parse(stdout)
          assert.strictEqual(text, "It greets.")
          assert.lengthOf(toolCalls, 3)
          const { stdout: log } = yield* vibe(["loom", "log", node], options)
          assert.include(log, "greet.ts:1-1  function greet")
          assert.include(log, "export const greet = () => 1")
          assert.include(log, "'create_index_entry' not found")
        })
        yield* answered
        assert.isFalse(fs.existsSync(path.join(options.cwd, ".vibe")))
        yield* vibe(["index", ".", "--model", "offline"], options)
        yield* answered
      }),
    240_000,
  )

  it.scopedLive(
    "shows a model in its first call what it guessed, and further places to choose from",
    () =>
      Effect.gen(function* () {
        const arguments_ = { query: "evict old entries of the cache", keywords: ["sweep"] }
        const script = [
          { toolCalls: [{ name: "find_symbols", arguments: arguments_ }] },
          { toolCalls: [{ name: "get_symbol_details", arguments: { path: "trim.ts", symbol: "trim" } }] },
          "It trims.",
        ]
        const evict = (n: number) =>
          `/** Evicts old entries of the cache. */\nexport const evictOldEntries${n} = (cache: string) => cache\n`
        const files = [1, 2, 3, 4, 5].map((n) => [`project/cache${n}.ts`, evict(n)])
        const home = yield* folder({
          ...Object.fromEntries(files),
          "a.json": JSON.stringify(script),
          "project/sweeper.ts": "export const sweep = () => 1\n",
          "project/trim.ts": `export const trim = () => {\n${'  step("tick")\n'.repeat(40)}  drop("old entries")\n}\n`,
        })
        const options = { cwd: path.join(home, "project"), env: { HOME: home } }
        const args = ["ask", "What evicts?", "--tools", "--model", "scripted/../a.json", "--json"]
        const { code, stderr, stdout } = yield* vibe(args, options)
        assert.strictEqual(code, 0, stderr)
        const { node, text } = JSON.parse(stdout)
        assert.strictEqual(text, "It trims.")
        const { stdout: log } = yield* vibe(["loom", "log", node], options)
        const [, further = ""] = log.split("Further places")
        assert.include(log, "sweeper.ts")
        assert.match(further, /trim\.ts +trim 1-43/)
      }),
    240_000,
  )

  it.scopedLive(
    "returns an error for arguments that are nested too deeply, and continues",
    () =>
      Effect.gen(function* () {
        const deep = "[".repeat(5000) + "]".repeat(5000)
        const call = { index: 0, id: "c1", type: "function", function: { name: "read_file", arguments: deep } }
        const chunk = (delta: object, finish_reason: string) => ({ choices: [{ index: 0, delta, finish_reason }] })
        const calling = {
          body: FakeServer.events(chunk({ tool_calls: [call] }, "tool_calls"))
            .replace('"[', '"{\\"a\\":[')
            .replace(']"', ']}"'),
        }
        const { requests, url } = yield* FakeServer.serve([
          calling,
          { body: FakeServer.events(chunk({ content: "Fine." }, "stop")) },
          calling,
        ])
        const cwd = yield* folder({ "greet.ts": "export const greet = () => 1\n" })
        const options = { cwd, env: { OPENAI_API_KEY: "test-key-0123456789", OPENAI_BASE_URL: `${url}/v1` } }
        yield* vibe(["index", ".", "--model", "offline"], options)
        const { code, stderr, stdout } = yield* vibe(["ask", "hi", "--tools", "--model", "openai/x"], options)
        assert.strictEqual(code, 0, stderr)
        assert.strictEqual(stdout, "Fine.\n")
        assert.include(JSON.stringify(requests[1]?.body), "nested more than 128 levels deep")
        const without = yield* vibe(["ask", "hi", "--model", "openai/x", "--json"], options)
        assert.strictEqual(without.code, 0, without.stderr)
        assert.include(without.stdout, "[nested too deeply]")
        const verified = yield* vibe(["loom", "verify"], options)
        assert.strictEqual(verified.code, 0, verified.stderr)
      }),
    240_000,
  )
})
