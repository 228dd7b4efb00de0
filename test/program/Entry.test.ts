import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bin, folder, isRoot, pretendOld, vibe } from "./vibe.ts"

const { version } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, "../../package.json"), "utf8"))

/** Writes the name of each chunk that is loaded to stderr. */
const tellingChunks = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module"
  registerHooks({
    load: (url, context, next) => {
      const [, name] = /\\/chunks\\/(.+)-[\\w-]{8}\\.js$/.exec(url) ?? []
      if (name !== undefined) process.stderr.write("<" + name + ">")
      return next(url, context)
    },
  })
`)}`

/** Writes the names of Node's own modules for streams of files and for reading lines, if they are loaded at the end. */
const tellingStreams = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const loaded = process.moduleLoadList.filter((name) => /internal.(?:fs.(?:streams|promises)|readline.interface)$/.test(name))
    process.stderr.write(loaded.join(" "))
  })
`)}`

describe("bin", () => {
  it.scopedLive("prints the version alone", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      for (const typed of [["--version"], ["-V"], ["-v"], ["version"], ["query", "--version"]]) {
        const { code, stderr, stdout } = yield* vibe(typed, { cwd })
        assert.deepStrictEqual({ code, stderr, stdout }, { code: 0, stderr: "", stdout: `${version}\n` })
      }
    }),
  )

  it.scopedLive("starts on the checkout's own Node where this one is too old, from any folder and through a link", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      fs.symlinkSync(bin, path.join(cwd, "vibe.ts"))
      const options = { cwd, node: ["--import", pretendOld], bin: path.join(cwd, "vibe.ts") }
      const helped = yield* vibe(["help", "status"], options)
      assert.strictEqual(helped.code, 0)
      assert.include(helped.stdout, "vibe status [PATH] [OPTIONS]")
      assert.strictEqual((yield* vibe(["--nope"], options)).code, 2)
    }),
  )

  it.scopedLive("prints the needed version of Node when the checkout has none", () =>
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

  it.scopedLive("prints colours in a pipe where they are asked for, and none otherwise", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const isColoured = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
        Effect.map(vibe(["config", ...args], { cwd, env }), ({ code, stdout }) => {
          assert.strictEqual(code, 0)
          return stdout.includes("\x1b[1m")
        })
      assert.isFalse(yield* isColoured([]))
      assert.isTrue(yield* isColoured(["--color"]))
      assert.isTrue(yield* isColoured([], { FORCE_COLOR: "1" }))
      assert.isTrue(yield* isColoured([], { CLICOLOR_FORCE: "1" }))
      assert.isFalse(yield* isColoured([], { FORCE_COLOR: "1", NO_COLOR: "1" }))
      assert.isFalse(yield* isColoured(["--color=never"], { FORCE_COLOR: "1" }))
    }),
  )

  /** A run with `caches` as the user's cache folder, and `shared` as the temporary folder of all users. */
  const run = (caches: string, shared: string) =>
    vibe(["help", "status"], {
      cwd: shared,
      env: { NODE_COMPILE_CACHE: "", TMPDIR: shared, XDG_CACHE_HOME: caches },
    })

  it.scopedLive("loads for a quick answer what reads an index, and nothing of a conversation or a parser", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "/** Adds. */\nexport const add = (a: number, b: number) => a + b\n" })
      yield* vibe(["index", "--model", "offline"], { cwd })
      const chunksOf = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { code, stderr } = yield* vibe(args, { cwd, node: ["--import", tellingChunks] })
        assert.strictEqual(code, 0)
        return Array.from(stderr.matchAll(/<([^>]+)>/g), ([, name]) => name)
      })
      const program = ["main", "program", "rolldown-runtime", "effect"]
      assert.sameMembers(yield* chunksOf("query", "add"), [
        ...program,
        ...["layer", "reading", "tokens", "disk", "files", "run"],
      ])
      for (const args of [["show", "add"], ["map"], ["status"]]) {
        const loaded = yield* chunksOf(...args)
        assert.includeMembers(loaded, [...program, "reading", "disk", "files"])
        for (const slow of ["schema", "conversing", "talk", "effectCli", "outline", "Client"])
          assert.notInclude(loaded, slow, args.join(" "))
      }
    }),
  )

  it.scopedLive("loads nothing of Node.js for a quick answer that streams files or reads lines", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({
        "a.ts": "/** Adds. */\nexport const add = (a: number, b: number) => a + b\n",
        "empty.mjs": "",
      })
      yield* vibe(["index", "--model", "offline"], { cwd })
      // Node 22 loads some of them for any program.
      const empty = spawnSync(process.execPath, ["--import", tellingStreams, "empty.mjs"], { cwd, encoding: "utf8" })
      for (const args of [["query", "add"], ["show", "add"], ["status"]]) {
        const { code, stderr } = yield* vibe(args, { cwd, node: ["--import", tellingStreams] })
        assert.deepStrictEqual([code, stderr], [0, empty.stderr], args.join(" "))
      }
    }),
  )

  it.scopedLive("has stored code for every chunk of a quick answer that V8 takes", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "a.ts": "/** Adds. */\nexport const add = (a: number, b: number) => a + b\n" })
      yield* vibe(["index", "--model", "offline"], { cwd })
      const env = {
        NODE_COMPILE_CACHE: "",
        XDG_CACHE_HOME: path.join(cwd, "caches"),
        NODE_DEBUG_NATIVE: "COMPILE_CACHE",
      }
      for (const args of [["query", "add"], ["query", "add", "--json"], ["show", "add"], ["map"], ["status"]]) {
        yield* vibe(args, { cwd, env })
        const { code, stderr } = yield* vibe(args, { cwd, env })
        assert.strictEqual(code, 0)
        assert.match(stderr, /chunks\/program-[^ ]+ was accepted/, args.join(" "))
        // Also not of the modules that are loaded while V8 optimises nothing.
        assert.notMatch(stderr, /was rejected|was not initialized/, args.join(" "))
      }
    }),
  )

  it.scopedLive("keeps compiled code in the user's cache folder, closed to others, and none in the shared one", () =>
    Effect.gen(function* () {
      const [caches, shared] = [yield* folder(), yield* folder()]
      assert.strictEqual((yield* run(caches, shared)).code, 0)
      for (const made of ["vibe", "vibe/compile"]) {
        assert.strictEqual(fs.statSync(path.join(caches, made)).mode & 0o777, 0o700)
      }
      assert.isNotEmpty(fs.readdirSync(path.join(caches, "vibe/compile")))
      assert.isEmpty(fs.readdirSync(shared))
    }),
  )

  it.scopedLive("uses no compiled code from a folder that another user could have filled", () =>
    Effect.gen(function* () {
      const [caches, shared] = [yield* folder({ "vibe/compile/": "" }), yield* folder()]
      const planted = path.join(caches, "vibe/compile")
      fs.chmodSync(path.join(caches, "vibe"), 0o700)
      fs.chmodSync(planted, isRoot ? 0o700 : 0o777)
      if (isRoot) fs.chownSync(planted, 65_534, 65_534)
      assert.strictEqual((yield* run(caches, shared)).code, 0)
      assert.isEmpty(fs.readdirSync(planted))
      assert.isEmpty(fs.readdirSync(shared))
    }),
  )
})
