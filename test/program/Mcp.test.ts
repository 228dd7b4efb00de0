import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInstalled } from "../utils/isInstalled.ts"
import { project, start, untilAnswered } from "./mcpClient.ts"
import { folder } from "./vibe.ts"

describe("vibe mcp with several repositories", () => {
  it.scopedLive("answers from all with the names of them before paths, and says which of them is gone", () =>
    Effect.gen(function* () {
      const top = yield* folder({
        "api/.git/": "",
        "api/src/greet.ts": project["project/greet.ts"],
        "web/.git/": "",
        "web/src/page.ts": "/** Shows the greeting, says hello on a page. */\nexport const page = () => 1\n",
        "user/config.toml": '[mcp]\ntools = ["status", "read_file"]\n',
      })
      const cwd = path.join(top, "web")
      fs.mkdirSync(path.join(top, ".config/vibe"), { recursive: true })
      fs.renameSync(path.join(top, "user/config.toml"), path.join(top, ".config/vibe/config.toml"))
      const client = yield* start(cwd, { args: ["--repo", "../api", "--repo", "site=."] })
      assert.include((yield* client.begin).result?.instructions, "several repositories: api, site.")
      const { result } = yield* client.request("tools/list", {})
      assert.deepStrictEqual(
        result?.tools?.map(({ name }) => name),
        ["query", "show", "read_file", "status"],
      )
      yield* untilAnswered(client, "says hello", /^api[\s\S]*^site|^site[\s\S]*^api/m)
      const found = yield* client.call("query", { query: "says hello" })
      assert.match(found, /^api\/src\/greet\.ts:2-2 {2}/m)
      assert.match(found, /^site\/src\/page\.ts:2-2 {2}/m)
      assert.match(yield* client.call("query", { query: "says hello", path: "site" }), /^site\/src\/page\.ts:2-2/m)
      const named = yield* client.call("query", { query: "says hello", files: true })
      assert.deepStrictEqual(named.split("\n").toSorted(), ["api/src/greet.ts  greet 2", "site/src/page.ts  page 2"])
      assert.match(yield* client.call("show", { target: "api/src/greet.ts:2" }), /^api\/src\/greet\.ts:2-2/m)
      assert.match(yield* client.call("show", { target: "greet" }), /calls\n {4}api\/src\/greet\.ts:3 {2}pack/)
      assert.match(yield* client.call("read_file", { path: "site/src/page.ts" }), /export const page/)
      const status = yield* client.call("status", {})
      assert.match(status, /^folder +\S+api\n[\s\S]*\nfolder +\S+web\n/m)
      fs.appendFileSync(path.join(top, "api/src/greet.ts"), "/** Waves goodbye. */\nexport const wave = () => 1\n")
      yield* untilAnswered(client, "goodbye", /^api\/src\/greet\.ts:5-5/m)
      fs.renameSync(path.join(top, "api"), path.join(top, "moved"))
      const without = /^\(api cannot be read, and is left out: .*no such file or folder.*\)\nsite\/src\/page\.ts/
      yield* untilAnswered(client, "says hello", without)
      fs.renameSync(path.join(top, "moved"), path.join(top, "api"))
      yield* untilAnswered(client, "goodbye", /^api\/src\/greet\.ts:5-5/m)
    }),
  )
})

describe("vibe mcp", () => {
  it.scopedLive("makes the structure of a repository that has no index, answers from it, and sees what is edited", () =>
    Effect.gen(function* () {
      const cwd = path.join(yield* folder(project), "project")
      const client = yield* start(cwd)
      assert.include((yield* client.begin).result?.instructions, "`query`")
      assert.match(yield* client.call("query", { query: "says hello" }), /^greet\.ts:2-2 {2}\w+ greet/)
      fs.appendFileSync(path.join(cwd, "greet.ts"), "/** Waves goodbye. */\nexport const wave = () => 1\n")
      assert.match(yield* client.call("query", { query: "goodbye" }), /^greet\.ts:5-5 {2}\w+ wave/)
      assert.match(yield* client.call("show", { target: "greet" }), /calls\n {4}greet\.ts:3 {2}pack/)
      const written = fs.readdirSync(path.join(cwd, ".vibe")).filter((name) => !/^index\.db/.test(name))
      assert.deepStrictEqual(written, [".gitignore"])
    }),
  )

  it.scopedLive(
    "says what to do where there is neither an index nor a repository, writes nothing, and looks again",
    () =>
      Effect.gen(function* () {
        const cwd = path.join(yield* folder({ "project/a.ts": "export const one = 1\n" }), "project")
        const client = yield* start(cwd)
        yield* client.begin
        assert.match(yield* client.call("query", { query: "one" }), /no index here yet; run 'vibe index \.'/)
        assert.deepStrictEqual(fs.readdirSync(cwd), ["a.ts"])
        fs.mkdirSync(path.join(cwd, ".git"))
        assert.match(yield* client.call("query", { query: "one" }), /^a\.ts:1/)
      }),
  )

  it.scopedLive("writes the protocol alone to stdout, whatever else the process prints", () =>
    Effect.gen(function* () {
      const cwd = path.join(yield* folder(project), "project")
      const stray =
        "const first = process.stdout.write; setInterval(() => { if (process.stdout.write !== first) { console.log('stray'); process.stdout.write('stray'); process.emitWarning('stray') } }, 1).unref()"
      const client = yield* start(cwd, { node: ["--import", `data:text/javascript,${encodeURIComponent(stray)}`] })
      yield* client.begin
      assert.match(yield* client.call("query", { query: "says hello" }), /^greet\.ts/)
      for (const line of client.lines) assert.strictEqual(JSON.parse(line).jsonrpc, "2.0")
    }),
  )

  it.scopedLive("answers fifty calls at once, the first of which make the index", () =>
    Effect.gen(function* () {
      const client = yield* start(path.join(yield* folder(project), "project"))
      yield* client.begin
      const calls = Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? client.call("query", { query: "says hello" }) : client.call("show", { target: "greet" }),
      )
      for (const text of yield* Effect.all(calls, { concurrency: 50 })) assert.match(text, /^greet\.ts:2-2/)
    }),
  )

  it.scopedLive("offers the tools that a project's file names, with answers as short, and no other one", () =>
    Effect.gen(function* () {
      const cwd = path.join(
        yield* folder({ ...project, "project/.vibe/config.toml": '[mcp]\ntools = ["status", "find_references"]\n' }),
        "project",
      )
      const client = yield* start(cwd)
      yield* client.begin
      const { result } = yield* client.request("tools/list", {})
      assert.deepStrictEqual(
        result?.tools?.map(({ name }) => name),
        ["query", "show", "find_references", "status"],
      )
      assert.match(yield* client.call("find_references", { symbolName: "pack" }), /^greet\.ts: greet 2$/m)
      assert.match(yield* client.call("status", { maxTokens: 500 }), /^folder/)
    }),
  )

  it.scopedLive(
    "answers how something works with what the wiki says, where it stands and whether it may be out of date",
    () =>
      Effect.gen(function* () {
        const page =
          '# Greeting\n\nA person is greeted by name, and the text is packed. [greet]\nIt may be sung. [sing]\n\n[greet]: ../../greet.ts "greet"\n[sing]: ../../greet.ts "sing"\n'
        const cwd = path.join(yield* folder({ ...project, "project/.vibe/wiki/greeting.md": page }), "project")
        const client = yield* start(cwd)
        yield* client.begin
        const answer = yield* client.call("query", { query: "How is a person greeted, and the text packed or sung?" })
        assert.deepStrictEqual(answer.split("\n").slice(0, 5), [
          "(the wiki explains this as a whole: 'Greeting' in .vibe/wiki/greeting.md)",
          "- A person is greeted by name, and the text is packed.  greet.ts:2 greet",
          "- It may be sung.  greet.ts sing  (out of date: sing does not exist any more)",
          "",
          "greet.ts:2-2  function greet",
        ])
        assert.notInclude(yield* client.call("query", { query: "text packed" }), "wiki")
      }),
  )

  it.scopedLive("takes a number as a text, and null for what is optional", () =>
    Effect.gen(function* () {
      const client = yield* start(path.join(yield* folder(project), "project"))
      yield* client.begin
      const answer = yield* client.call("query", { query: "says hello", limit: "3", path: null, maxTokens: null })
      assert.include(answer, "greet.ts")
      assert.strictEqual(yield* client.call("query", { query: "says hello", limit: 3 }), answer)
    }),
  )

  it.scopedLive.skipIf(!isInstalled("bash"))("ends with its input, and with the process that has started it", () =>
    Effect.gen(function* () {
      const cwd = path.join(yield* folder(project), "project")
      const client = yield* start(cwd)
      yield* client.begin
      yield* client.call("query", { query: "says hello" })
      client.child.stdin?.end()
      yield* Effect.promise(() => client.ended)
      assert.strictEqual(client.child.exitCode ?? 0, 0)

      // The streams stay open: this process holds their other ends.
      const orphan = yield* start(cwd, {
        through: (command) => ["bash", "-c", `${command.map((word) => `'${word}'`).join(" ")} <&0 & wait`],
      })
      yield* orphan.begin
      orphan.child.kill("SIGKILL")
      yield* Effect.promise(() => orphan.ended)
    }),
  )

  it.scopedLive("loses nothing when it is killed, also while it makes the structure", () =>
    Effect.gen(function* () {
      const files = Object.fromEntries(
        Array.from({ length: 300 }, (_, n) => [`project/part${n}.ts`, `export const part${n} = () => ${n}\n`]),
      )
      const cwd = path.join(yield* folder({ ...project, ...files }), "project")
      for (let n = 0; n < 3; n++) {
        const client = yield* start(cwd)
        yield* client.begin
        client.write({ id: 99, method: "tools/call", params: { name: "query", arguments: { query: "part" } } })
        const database = path.join(cwd, ".vibe", "index.db-wal")
        yield* Effect.promise(async () => {
          while (!fs.existsSync(database)) await new Promise((resolve) => setImmediate(resolve))
        })
        client.child.kill("SIGKILL")
        yield* Effect.promise(() => client.ended)
      }
      const client = yield* start(cwd)
      yield* client.begin
      assert.match(yield* client.call("show", { target: "part299" }), /^part299\.ts:1-1/)
      assert.match(yield* client.call("query", { query: "says hello" }), /^greet\.ts:2-2/)
    }),
  )
})
