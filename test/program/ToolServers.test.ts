/** Tool servers in conversations of the built program. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as ProcessCoordinator from "../utils/ProcessCoordinator.ts"
import { folder, shell, vibe } from "./vibe.ts"

const call = (name: string, parameters: object = {}) => ({ toolCalls: [{ name, arguments: parameters }] })

const own = path.resolve(import.meta.dirname, "../mcp/Client.program.ts")

/** The entry of a server of test/mcp/Client.program.ts. */
const server = (behaviour: string, more = "") =>
  `[mcp.${behaviour}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([own, behaviour])}\n${more}\n`

const everything = path.resolve(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
)

/** A folder with a script for the model, where the user has configured these servers. */
const configured = (script: ReadonlyArray<unknown>, servers: string) =>
  folder({ "s.json": JSON.stringify(script), "a.ts": "export const a = 1\n", ".config/vibe/config.toml": servers })

/** All that the forest keeps of the newest conversation. */
const kept = (cwd: string) => Effect.map(vibe(["loom", "log", "@", "--json"], { cwd }), ({ stdout }) => stdout)

const model = ["--model", "scripted/s.json"]

describe("tool servers", () => {
  it.scopedLive("are asked in vibe ask --tools; stderr says what they cost, and which of them fails", () =>
    Effect.gen(function* () {
      const cwd = yield* configured(
        [call("all_echo", { message: "from afar" }), "So it is."],
        `${server("ends")}[mcp.all]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([everything])}\nonly = ["echo"]\n`,
      )
      const { code, stderr, stdout } = yield* vibe(["ask", "--tools", ...model, "What?"], { cwd })
      assert.deepStrictEqual([code, stdout], [0, "So it is.\n"])
      assert.match(
        stderr,
        /^(?:vibe: starting tool server.*\n)?vibe: tool server all: 1 tool, about [\d,]+ tokens in each request\nvibe: tool server ends is not used: it ended with exit code 3: no key\ncalls all_echo/,
      )
      assert.include(yield* kept(cwd), "Echo: from afar")
      const without = yield* vibe(["ask", ...model, "What?"], { cwd })
      assert.notInclude(without.stderr, "tool server")
    }),
  )

  it.scopedLive("are offered by /tools on in vibe chat, with their cost", () =>
    Effect.gen(function* () {
      const cwd = yield* configured([call("works_echo", { words: "heard" }), "So it is."], server("works"))
      fs.writeFileSync(path.join(cwd, "typed"), "/tools on\n/tools\nWhat?\n")
      const { code, stderr, stdout } = yield* shell(`vibe chat ${model.join(" ")} < typed`, { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.match(stderr, /tools are on: \d+ of vibe, 9 of works \(about [\d,]+ tokens a request\)/)
      assert.include(stderr, "works_echo: echo it.")
      assert.include(stdout, "So it is.")
      assert.include(yield* kept(cwd), '"text":"heard"')
    }),
  )

  it.scopedLive("are asked in vibe chat --tools, and end with the conversation, with all that they started", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const cwd = yield* configured([call("leaves_echo"), "So it is."], server("leaves"))
      fs.writeFileSync(path.join(cwd, "typed"), "What?\n")
      const { code, stderr } = yield* shell(`vibe chat --tools ${model.join(" ")} < typed`, {
        cwd,
        env: { COORDINATOR: String(processes.port) },
      })
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "tool server leaves: 1 tool")
      yield* processes.waitFor("leaves", "gone")
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scopedLive("are asked in vibe discover, and not started to list its interviews", () =>
    Effect.gen(function* () {
      const cwd = yield* configured([call("works_echo", { words: "heard" }), "What else?"], server("works"))
      fs.writeFileSync(path.join(cwd, "typed"), "Search is slow\n")
      const { code, stderr } = yield* shell(`vibe discover ${model.join(" ")} < typed`, { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "tool server works: 9 tools")
      assert.include(yield* kept(cwd), '"text":"heard"')
      assert.strictEqual((yield* vibe(["discover", "--list"], { cwd })).stderr, "")
    }),
  )

  it.scopedLive("are asked in vibe loom generate for the tools that --tool names", () =>
    Effect.gen(function* () {
      const cwd = yield* configured([call("works_echo", { words: "heard" }), "So it is."], server("works"))
      const generate = (...tools: ReadonlyArray<string>) =>
        vibe(
          ["loom", "generate", ...model, ...tools.flatMap((tool) => ["--tool", tool]), "--system", "Be kind", "What?"],
          { cwd },
        )
      const { code, stderr, stdout } = yield* generate("works_echo", "current_date")
      assert.strictEqual(code, 0, stderr)
      assert.include(stdout, "So it is.")
      assert.include(yield* kept(cwd), '"text":"heard"')
      const unknown = yield* generate("works_ecco")
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.stderr, "there is no tool 'works_ecco'; there are current_date, introspect, works_echo,")
      assert.notInclude((yield* generate("current_date")).stderr, "tool server")
    }),
  )

  it.scopedLive("receive their key and no other, which is neither printed nor stored", () =>
    Effect.gen(function* () {
      const cwd = yield* configured([call("works_environment"), "Done."], server("works", 'env = ["SERVER_KEY"]'))
      const env = { SERVER_KEY: "k3y-of-the-server", OTHER_API_KEY: "k3y-of-another" }
      const { stderr, stdout } = yield* vibe(["ask", "--tools", "--json", ...model, "What?"], { cwd, env })
      const stored = yield* kept(cwd)
      assert.include(stored, '\\"SERVER_KEY\\":\\"[key]\\"')
      for (const text of [stdout, stderr, stored]) assert.notInclude(text, "k3y-of")
      assert.notInclude(stored, "OTHER_API_KEY")
    }),
  )

  it.scopedLive("are left out where the variable of their key is not set", () =>
    Effect.gen(function* () {
      const cwd = yield* configured(["Hi."], '[mcp.web]\nurl = "http://127.0.0.1:9/mcp"\nkeyVariable = "WEB_KEY"\n')
      const { code, stderr } = yield* vibe(["ask", "--tools", ...model, "What?"], { cwd })
      assert.deepStrictEqual([code, stderr], [0, "vibe: tool server web is not used: WEB_KEY is not set\n"])
    }),
  )

  it.scopedLive("cannot be named by a project", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({
        "s.json": '["Hi."]',
        ".vibe/config.toml": '\n[mcp.evil]\ncommand = "touch"\nargs = ["evil"]\n',
      })
      const { code, stderr } = yield* vibe(["ask", "--tools", ...model, "What?"], { cwd })
      assert.notStrictEqual(code, 0)
      assert.include(stderr, "config.toml:2: mcp: only your own configuration file can say which tool servers are used")
      assert.isFalse(fs.existsSync(path.join(cwd, "evil")))
    }),
  )

  it.scopedLive.skipIf(process.platform === "win32")("end where Ctrl-C comes in a call", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const cwd = yield* configured([call("waits_wait"), "Never."], server("waits"))
      let stop = () => {}
      const fiber = yield* Effect.fork(
        vibe(["ask", "--tools", ...model, "What?"], {
          cwd,
          env: { COORDINATOR: String(processes.port) },
          onStart: (child) => {
            stop = () => child.kill("SIGINT")
          },
        }),
      )
      yield* processes.waitFor("waits", "called")
      stop()
      assert.strictEqual((yield* Fiber.join(fiber)).code, 130)
      yield* processes.waitFor("waits", "gone")
    }),
  )
})
