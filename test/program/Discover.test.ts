/** `vibe discover` as a process: an interview in a pipe, with a scripted model. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folder, type Options, piped, shell, vibe } from "./vibe.ts"

const call = (name: string, parameters: object = {}) => ({ toolCalls: [{ name, arguments: parameters }] })

const jtbd = (slug: unknown, content: string) => call("write_jtbd", { slug, content })

/** A folder with a codebase, and a script for the model. */
const withScript = (script: ReadonlyArray<unknown>, files: Readonly<Record<string, string>> = {}) =>
  folder({ "shop/search.ts": "export const search = 1\n", "script.json": JSON.stringify(script), ...files })

/** The interview, in which the user sends these lines. */
const discover = (lines: ReadonlyArray<string>, args: string, options: Options) => {
  fs.writeFileSync(path.join(options.cwd, "lines"), lines.map((line) => `${line}\n`).join(""))
  return shell(`vibe discover --codebase shop --model scripted/script.json ${args} < lines`, options)
}

const read = (cwd: string, file: string) => fs.readFileSync(path.join(cwd, file), "utf8")

/** The last message to the model, as the forest has it. */
const kept = (cwd: string) => Effect.map(vibe(["loom", "log", "@", "--json"], { cwd }), ({ stdout }) => stdout)

describe("vibe discover", () => {
  it.scopedLive("ends with a document and its specifications, lists them, and reads no further input", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([
        "What happens today?",
        {
          toolCalls: [
            { name: "write_jtbd", arguments: { slug: "quick-search", content: "# Quick search\n" } },
            { name: "write_spec", arguments: { job: "quick-search", spec: "index", content: "# Index\n" } },
          ],
        },
        "Is anything missing?",
        call("session_complete"),
        "Goodbye!",
      ])
      const { code, stderr, stdout } = yield* discover(["Search is slow", "Minutes", "No", "Hello?"], "", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "What happens today?\n\nIs anything missing?\n\nGoodbye!\n")
      assert.include(stderr, "📄 Wrote jobs/quick-search/jtbd.md\n")
      assert.include(stderr, "📄 Wrote jobs/quick-search/specs/index.md\n")
      assert.include(
        stderr,
        "The session is complete: 2 files written\n  jobs/quick-search/jtbd.md\n  jobs/quick-search/specs/index.md\n",
      )
      assert.strictEqual(read(cwd, "jobs/quick-search/jtbd.md"), "# Quick search\n")
      assert.strictEqual(read(cwd, "jobs/quick-search/specs/index.md"), "# Index\n")
      assert.deepStrictEqual(fs.readdirSync(path.join(cwd, "shop")), ["search.ts"])
    }),
  )

  it.scopedLive("writes only in the folder of --output, wherever that is", () =>
    Effect.gen(function* () {
      const elsewhere = yield* folder()
      const cwd = yield* withScript([
        jtbd("a", "# A\n"),
        call("file_write", { path: "../shop/evil.ts", content: "x" }),
        call("file_write", { path: path.join(elsewhere, "beside.md"), content: "x" }),
        "Done.",
      ])
      const { code, stderr } = yield* discover(["Go"], `--output ${elsewhere}/out`, { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, `📄 Wrote ${elsewhere}/out/a/jtbd.md\n`)
      assert.deepStrictEqual(fs.readdirSync(elsewhere, { recursive: true }).sort(), ["out", "out/a", "out/a/jtbd.md"])
      assert.isFalse(fs.existsSync(path.join(cwd, "shop/evil.ts")))
    }),
  )

  it.scopedLive("continues with --resume, and shows the diff of a replaced file", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([jtbd("a", "# A\nslow\n"), "Is it so?"])
      yield* discover(["Go"], "", { cwd })
      fs.writeFileSync(path.join(cwd, "script.json"), JSON.stringify([jtbd("a", "# A\nfast\n"), "Better?"]))
      const { code, stderr, stdout } = yield* discover(["No, fast"], "--resume", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.include(stdout, "-slow\n+fast")
      assert.strictEqual(read(cwd, "jobs/a/jtbd.md"), "# A\nfast\n")
      const { stdout: said } = yield* vibe(["loom", "log", "@", "--json"], { cwd })
      assert.deepStrictEqual(
        ["Go", "Is it so?", "No, fast", "Better?"].filter((words) => !said.includes(words)),
        [],
      )
    }),
  )

  it.scopedLive("lists and searches the interviews about this codebase only", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript(["What of tabbies?"], { "other/a.ts": "" })
      yield* discover(["Cats"], "", { cwd })
      const about = (args: ReadonlyArray<string>) => Effect.map(vibe(["discover", ...args], { cwd }), (ended) => ended)
      assert.include((yield* about(["--codebase", "shop", "--list"])).stdout, "Cats")
      assert.include((yield* about(["--codebase", "shop", "--search", "tabbies"])).stdout, "tabbies")
      const others = yield* about(["--codebase", "other", "--list"])
      assert.deepStrictEqual([others.code, others.stdout], [0, ""])
    }),
  )

  it.scopedLive("returns an error to the model for an invalid call, and continues", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([
        jtbd("Not A Slug", "#"),
        call("make_coffee"),
        call("file_read", { path: "../script.json" }),
        "Sorry.",
      ])
      const { code, stderr, stdout } = yield* discover(["Go"], "", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "Sorry.\n")
      const told = yield* kept(cwd)
      assert.include(told, "invalid arguments for tool 'write_jtbd'")
      assert.include(told, "'make_coffee' not found")
      assert.include(told, "outside")
      assert.isFalse(fs.existsSync(path.join(cwd, "jobs")))
    }),
  )

  it.scopedLive("prints no escape sequences of a model's text", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([jtbd("a", "one\n"), jtbd("a", "two \u001b]52;c;ZXZpbA==\u0007\n"), "\u001b[2JHi"])
      const { stderr, stdout } = yield* discover(["Go"], "", { cwd })
      assert.include(stdout, "+two")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is looked for.
      assert.notMatch(stdout + stderr, /[\u0007\u001b\u009b]/)
      assert.include(read(cwd, "jobs/a/jtbd.md"), "\u001b]52")
    }),
  )

  it.scopedLive("prints one line for a wrong command line, before any request", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([], { "picture.md": "\xff\0" })
      const cases: ReadonlyArray<readonly [args: string, words: string]> = [
        ["--codebase nowhere", "nowhere: no such file or folder"],
        ["--codebase script.json", "script.json: not a folder"],
        ["--model cli/claude", "discover is for models, an agent is given no tools"],
        ["--output .git", "outside the workspace or not allowed"],
        ["--system-file nowhere.md", "nowhere.md: no such file"],
      ]
      for (const [args, words] of cases) {
        const { code, stderr } = yield* shell(
          `vibe discover ${args.startsWith("--model") ? "" : "--model scripted/script.json"} ${args} Hi </dev/null`,
          {
            cwd,
          },
        )
        assert.strictEqual(code, 2, stderr)
        assert.include(stderr, words)
        assert.lengthOf(stderr.trimEnd().split("\n"), 1)
      }
    }),
  )

  it.scopedLive("sends no request without input, and ends quietly when its reader stops", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript(["long ".repeat(200_000), "again"])
      const silent = yield* discover([], "", { cwd })
      assert.deepStrictEqual([silent.code, silent.stdout, silent.stderr], [0, "", ""])
      const left = yield* piped("discover --codebase shop --model scripted/script.json Hi < /dev/null", "head -c 5", {
        cwd,
      })
      assert.deepStrictEqual([left.code, left.stdout, left.stderr], [0, "long ", ""])
    }),
  )

  it.scopedLive("keeps messages and files when the model fails, and continues from there", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript([jtbd("a", "# A\n"), { error: { reason: "Unauthorized", message: "no key" } }])
      const failed = yield* discover(["Search is slow"], "", { cwd })
      assert.strictEqual(failed.code, 3, failed.stderr)
      assert.include(failed.stderr, "📄 Wrote jobs/a/jtbd.md\n")
      fs.writeFileSync(path.join(cwd, "script.json"), JSON.stringify(["Where were we?"]))
      const { code, stderr, stdout } = yield* discover(["/files", "Go on"], "--resume", { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "jobs/a/jtbd.md\nWhere were we?\n")
    }),
  )

  it.scopedLive("sends the system prompt of --system-file byte for byte", () =>
    Effect.gen(function* () {
      const prompt = "\ufeff  # {{Mine}}\r\n\r\n\t$1 \\n  \n"
      const cwd = yield* withScript(["Hello"], { "jtbd.md": prompt })
      yield* discover(["Hi"], "--system-file jtbd.md", { cwd })
      const { stdout } = yield* vibe(["loom", "export", "@", "--format", "json"], { cwd })
      assert.strictEqual(JSON.parse(stdout).root.systemPrompt, prompt)
    }),
  )
})

describe("the web, in vibe discover", () => {
  const program = (body: string) => ({ "search.mjs": `import { text } from "node:stream/consumers"\n${body}\n` })

  const configured = (cwd: string, ...env: ReadonlyArray<string>) => {
    const command = JSON.stringify([process.execPath, path.join(cwd, "search.mjs")])
    fs.mkdirSync(path.join(cwd, ".config/vibe"), { recursive: true })
    fs.writeFileSync(
      path.join(cwd, ".config/vibe/config.toml"),
      `[web_search]\ncommand = ${command}\nenv = ${JSON.stringify(env)}\n`,
    )
  }

  const asking = [call("web_search", { query: "--fast search" }), "So it is."]

  it.scopedLive("is searched by the user's program, which receives its key and no other", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript(
        asking,
        program(
          "console.log(JSON.stringify({ title: await text(process.stdin), url: 'https://a.example', snippet: `${process.env.SEARCH_KEY} ${process.env.GOOGLE_API_KEY}` }))",
        ),
      )
      configured(cwd, "SEARCH_KEY")
      const env = { SEARCH_KEY: "its-own", GOOGLE_API_KEY: "s3cret-of-google" }
      const { code, stderr } = yield* discover(["Go"], "", { cwd, env })
      assert.strictEqual(code, 0, stderr)
      const told = yield* kept(cwd)
      assert.include(told, "1. --fast search\\n   its-own undefined\\n   https://a.example")
    }),
  )

  it.scopedLive("returns an error to the model when a search fails, and the interview continues", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript(asking, program("process.stderr.write('no quota left\\n'); process.exit(3)"))
      configured(cwd)
      const { code, stdout } = yield* discover(["Go"], "", { cwd })
      assert.deepStrictEqual([code, stdout], [0, "So it is.\n"])
      assert.include(yield* kept(cwd), "the web search failed: it ended with exit code 3: no quota left")
    }),
  )

  it.scopedLive("is not offered unless it is configured", () =>
    Effect.gen(function* () {
      const cwd = yield* withScript(asking)
      yield* discover(["Go"], "", { cwd })
      assert.include(yield* kept(cwd), "'web_search' not found")
    }),
  )
})
