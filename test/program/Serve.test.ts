/** `vibe serve` as a process: its address, its ends, and what is left after it was killed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Serving from "../utils/Serving.ts"
import { bin, compileCache, folder, vibe } from "./vibe.ts"

const script = JSON.stringify(Array.from({ length: 200 }, (_, index) => `answer ${index}`))

interface Started {
  /** The lines on stderr so far. */
  readonly said: ReadonlyArray<string>
  readonly child: ChildProcess
  readonly client: Serving.Client
  /** The address that it prints. */
  readonly url: string
}

const start = (cwd: string, ...args: ReadonlyArray<string>) =>
  startWith(cwd, "--model", "scripted/script.json", ...args)

/** Without a model that answers. */
const startWith = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<Started> => {
      const given = ["serve", "--json", "--port", "0", "--token", Serving.token]
      const child = spawn(process.execPath, [bin, ...given, "--forest", "forest.db", ...args], {
        cwd,
        env: {
          PATH: process.env.PATH,
          NODE_OPTIONS: process.env.NODE_OPTIONS,
          HOME: cwd,
          OLLAMA_HOST: "127.0.0.1:9",
          NODE_COMPILE_CACHE: compileCache,
        },
        stdio: ["ignore", "pipe", "pipe"],
      })
      const said: Array<string> = []
      child.stderr.on("data", (chunk) => said.push(String(chunk)))
      const [line] = await once(child.stdout, "data")
      const { port, url } = JSON.parse(String(line))
      return { child, client: Serving.client(port), url, said }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
  )

const kill = async ({ child }: Started, signal: NodeJS.Signals) => {
  const ended = once(child, "exit")
  child.kill(signal)
  return ended
}

const answered = async (client: Serving.Client, id: string, text: string, key: string) => {
  const heard = await client.listen()
  const { leaf } = await client.get(`/conversations/${id}`)
  const { message } = await client.post(`/conversations/${id}/messages`, { parent: leaf, text, key })
  await heard.until((event) => event.type === "answer" && event.answer.state !== "running")
  heard.close()
  return message
}

const DISK_BYTES = 16_000_000

/** A folder on a file system of its own; none where none can be mounted: that takes Linux, and root. */
const smallDisk = Effect.gen(function* () {
  const root = path.join(yield* folder({ "disk/": "" }), "disk")
  const isMounted = yield* Effect.acquireRelease(
    Effect.sync(() => spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", root]).status === 0),
    (isMounted) => Effect.sync(() => isMounted && spawnSync("umount", ["-l", root])),
  )
  return isMounted ? root : undefined
})

describe("vibe serve", () => {
  it.scopedLive("serves its page at the printed address, and ends at once on Ctrl-C while pages listen", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "script.json": script })
      const server = yield* start(cwd)
      yield* Effect.promise(async () => {
        const { client } = server
        const page = await client.send("GET", "/", undefined, { cookie: `vibe_${client.port}=${Serving.token}` })
        assert.strictEqual(page.status, 200)
        assert.match(page.body, /<!doctype html>/)
        const session = await client.send("GET", "/api/session")
        assert.match(session.headers["set-cookie"]?.[0] ?? "", /^vibe_session_\d+=[\w-]{22};/)
        for (const [, file = ""] of page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
          assert.strictEqual((await client.send("GET", file)).status, 200, file)
        }
        await client.listen().then(({ events }) => assert.strictEqual(events[0]?.type, "hello"))
        assert.deepStrictEqual(await kill(server, "SIGINT"), [130, null])
      })
    }),
  )

  it.scopedLive(
    "has a browser's messages and text again after it was killed, and doubles nothing that is sent again",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "script.json": script })
        const first = yield* start(cwd)
        const { id, message, texts } = yield* Effect.promise(async () => {
          const { client } = first
          const id = await Serving.begin(client)
          const message = await answered(client, id, "one", "the key of one")
          const { version } = await client.put(`/conversations/${id}/document`, { text: "mine", version: 0 })
          await client.put(`/conversations/${id}/document`, { text: "mine, and more", version })
          const { messages } = await client.get(`/conversations/${id}`)
          await kill(first, "SIGKILL")
          return { id, message, texts: messages.map(({ text }: { text: string }) => text) }
        })
        const { client } = yield* start(cwd)
        yield* Effect.promise(async () => {
          const state = await client.get(`/conversations/${id}`)
          assert.deepStrictEqual(
            state.messages.map(({ text }: { text: string }) => text),
            texts,
          )
          assert.strictEqual(state.document.text, "mine, and more")
          const again = await client.post(`/conversations/${id}/messages`, {
            parent: id,
            text: "one",
            key: "the key of one",
          })
          assert.strictEqual(again.message.id, message.id)
          assert.lengthOf((await client.get(`/conversations/${id}`)).messages, texts.length)
        })
      }),
  )

  it.scopedLive(
    "loses nothing that it has acknowledged, whenever it is killed",
    () =>
      Effect.gen(function* () {
        const cwd = yield* folder({ "script.json": script })
        let id: string | undefined
        const acknowledged = new Set<string>()
        let text = ""
        for (let round = 0; round < 4; round++) {
          const server = yield* start(cwd)
          yield* Effect.promise(async () => {
            const { client } = server
            id ??= await Serving.begin(client)
            const state = await client.get(`/conversations/${id}`)
            for (const said of acknowledged) {
              const found = state.messages.filter((message: { text: string }) => message.text === said)
              assert.lengthOf(found, 1, said)
            }
            assert.isTrue(state.document.text.startsWith(text), state.document.text)
            const writing = (async () => {
              for (let count = 0; ; count++) {
                const said = `message ${round}.${count}`
                const { leaf } = await client.get(`/conversations/${id}`)
                const { message } = await client.post(`/conversations/${id}/messages`, { parent: leaf, text: said })
                if (message !== undefined) acknowledged.add(said)
                const { document } = await client.get(`/conversations/${id}`)
                const next = `${document.text}${round}.${count} `
                await client.put(`/conversations/${id}/document`, { text: next, version: document.version })
                text = next
              }
            })().catch(() => undefined)
            // Somewhere in the middle of the work, another place each time.
            await new Promise((wake) => setTimeout(wake, 150 + round * 70))
            await kill(server, "SIGKILL")
            await writing
          })
        }
        assert.isAbove(acknowledged.size, 3)
      }),
    60_000,
  )

  it.scopedLive("keeps two servers on one forest from overwriting each other's texts", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "script.json": script })
      const one = yield* start(cwd)
      const other = yield* start(cwd)
      yield* Effect.promise(async () => {
        const id = await Serving.begin(one.client)
        const put = ({ client }: Started, text: string, version: number) =>
          client.send("PUT", `/api/conversations/${id}/document`, { text, version })
        assert.strictEqual((await other.client.get(`/conversations/${id}`)).document.text, "")
        assert.strictEqual((await put(one, "one", 0)).status, 200)
        const late = await put(other, "other", 0)
        assert.strictEqual(late.status, 409)
        assert.strictEqual(late.body.document.text, "one")
        assert.strictEqual((await put(other, "one and other", late.body.document.version)).status, 200)
        assert.strictEqual((await one.client.get(`/conversations/${id}`)).document.text, "one and other")
      })
    }),
  )

  it.scopedLive("makes the forest and the texts again where they were removed, with what is open", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "script.json": script })
      const { client } = yield* start(cwd)
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await client.put(`/conversations/${id}/document`, { text: "kept", version: 0 })
        for (const file of fs.readdirSync(cwd)) {
          if (file.startsWith("forest.db")) fs.rmSync(path.join(cwd, file), { force: true })
        }
        const edited = await client.put(`/conversations/${id}/document`, { text: "kept too", version: 1 })
        assert.strictEqual(edited.version, 2)
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        assert.isTrue(fs.existsSync(path.join(cwd, "forest.db")))
        assert.isTrue(fs.existsSync(path.join(cwd, "forest.db.drafts")))
      })
    }),
  )

  it.scopedLive("says that nothing can be stored where the texts cannot be made again, and acknowledges nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "script.json": script })
      const { client } = yield* start(cwd)
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await client.put(`/conversations/${id}/document`, { text: "kept", version: 0 })
        const drafts = path.join(cwd, "forest.db.drafts")
        fs.rmSync(drafts)
        fs.mkdirSync(drafts)
        const { body, status } = await client.send("PUT", `/api/conversations/${id}/document`, {
          text: "lost",
          version: 1,
        })
        assert.strictEqual(status, 507)
        assert.isString(body.message)
        assert.strictEqual((await client.get(`/conversations/${id}`)).document.text, "kept")
      })
    }),
  )

  it.scopedLive("acknowledges nothing while the disk is full, and goes on once there is room", (context) =>
    Effect.gen(function* () {
      const cwd = yield* smallDisk
      if (cwd === undefined) return context.skip("no small disk can be mounted here")
      fs.writeFileSync(path.join(cwd, "script.json"), script)
      const { client } = yield* start(cwd)
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await client.put(`/conversations/${id}/document`, { text: "kept", version: 0 })
        const filler = path.join(cwd, "filler")
        assert.throws(() => fs.writeFileSync(filler, Buffer.alloc(DISK_BYTES)), /ENOSPC/)
        const long = "a long text\n".repeat(50_000)
        const put = () => client.send("PUT", `/api/conversations/${id}/document`, { text: long, version: 1 })
        const say = () => client.send("POST", `/api/conversations/${id}/messages`, { parent: id, text: long })
        for (const refused of [await put(), await say()]) {
          assert.strictEqual(refused.status, 507, JSON.stringify(refused.body))
          assert.match(refused.body.message, /full/)
        }
        const { document, messages } = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual([document.text, messages], ["kept", []])
        fs.rmSync(filler)
        assert.strictEqual((await put()).status, 200)
        assert.strictEqual((await say()).status, 200)
      })
    }),
  )

  it.scopedLive("gives the model tools that read the folder, and those of tool servers, with --tools alone", () =>
    Effect.gen(function* () {
      const calls = (...toolCalls: ReadonlyArray<object>) => ({ toolCalls })
      const called = [
        calls(
          { name: "read_file", arguments: { path: "greet.ts" } },
          { name: "works_echo", arguments: { words: "heard" } },
        ),
        calls({ name: "create_index_entry", arguments: { entries: [] } }),
        "It greets.",
      ]
      const tools = path.resolve(import.meta.dirname, "../mcp/Client.program.ts")
      const cwd = yield* folder({
        "script.json": JSON.stringify(called),
        "greet.ts": "export const greet = () => 1\n",
        ".config/vibe/config.toml": `[mcp.works]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([tools, "works"])}\n`,
      })
      /** What the calls of one answer have come to, in their order. */
      const resultsOf = ({ client }: Started) =>
        Effect.promise(async () => {
          const id = await Serving.begin(client)
          await answered(client, id, "What does it do?", "the key of what")
          const { messages } = await client.get(`/conversations/${id}`)
          assert.strictEqual(messages.at(-1).text, "It greets.")
          const results: ReadonlyArray<{ text: string; failed: boolean }> = messages.flatMap(
            ({ results }: { results: ReadonlyArray<object> }) => results,
          )
          return results
        })
      const [read, echo, unknown, ...others] = yield* resultsOf(yield* start(cwd, "--tools"))
      assert.include(read?.text, "export const greet = () => 1")
      assert.include(echo?.text, "heard")
      assert.deepStrictEqual([read?.failed, echo?.failed, unknown?.failed, others.length], [false, false, true, 0])
      assert.include(unknown?.text, "'create_index_entry' not found")
      const without = yield* resultsOf(yield* start(cwd))
      assert.deepStrictEqual(
        without.map(({ failed }) => failed),
        [true, true, true],
      )
    }),
  )

  it.scopedLive("on all addresses prints one of them, and answers at each, and at the names of the machine", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "script.json": script })
      const { client, url } = yield* start(cwd, "--host", "0.0.0.0", "--allow-host", "Vibe.lan")
      yield* Effect.promise(async () => {
        const addresses = Object.values(os.networkInterfaces()).flatMap((all = []) => all)
        const outside = addresses.filter(({ family, internal }) => family === "IPv4" && !internal)
        const { hostname, port } = new URL(url)
        assert.include(["localhost", ...outside.map(({ address }) => address)], hostname)
        assert.notStrictEqual(hostname, outside.length === 0 ? "" : "localhost")
        const printed = await fetch(url, { redirect: "manual" })
        assert.strictEqual(printed.status, 303)
        for (const name of [hostname, "127.0.0.1", os.hostname(), "vibe.lan"]) {
          const { status } = await client.send("GET", "/api/session", undefined, { host: `${name}:${port}` })
          assert.strictEqual(status, 200, name)
        }
        const foreign = await client.send("GET", "/api/session", undefined, { host: `evil.example:${port}` })
        assert.strictEqual(foreign.status, 403)
        assert.include(foreign.body.message, "--allow-host")
      })
    }),
  )

  it.scopedLive("starts without a key and with the offline guide, and refuses messages alone", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({
        "a.ts": "/** The sum of two numbers. */\nexport const add = (a: number, b: number) => a + b\n",
      })
      const cases = [
        [[], /^No key is set and no Ollama answers, so there is no model to talk to yet/],
        [["--model", "offline"], /^the offline guide answers no questions/],
      ] as const
      for (const [args, why] of cases) {
        const { client, said } = yield* startWith(cwd, ...args)
        yield* Effect.promise(async () => {
          const id = await Serving.begin(client)
          const { model, refusal } = await client.get(`/conversations/${id}`)
          assert.isUndefined(model)
          assert.match(refusal, why)
          // Nothing has failed where no model was named.
          if (args.length === 0) assert.notMatch(said.join(""), /^vibe: /m)
          assert.match(said.join(""), args.length === 0 ? /without a model.*\n.*need no model/ : /^vibe: the offline/m)
          const payload = { parent: id, text: "Hi" }
          const sent = await client.send("POST", `/api/conversations/${id}/messages`, payload)
          assert.deepStrictEqual([sent.status, sent.body.message], [400, refusal])
          const named = await client.send("POST", `/api/conversations/${id}/messages`, {
            ...payload,
            models: ["google/gemini-2.5-pro"],
          })
          assert.strictEqual(named.status, 400)
          assert.match(named.body.message, /^google\/gemini-2.5-pro: there is no key/)
          assert.deepStrictEqual((await client.get(`/conversations/${id}`)).messages, [])
          const models: ReadonlyArray<{ usable: boolean; needs?: string }> = await client.get("/models")
          assert.isAbove(models.length, 0)
          // Each says what it lacks.
          for (const { needs, usable } of models) assert.deepStrictEqual([usable, typeof needs], [false, "string"])
          assert.strictEqual((await client.get("/index")).indexed, false)
        })
      }
      const named = yield* vibe(["serve", "--ephemeral", "--model", "google/gemini-2.5-flash"], { cwd })
      assert.strictEqual(named.code, 3)
      assert.match(named.stderr, /there is no key/)
    }),
  )

  it.scopedLive(
    "shows its token to no other user: not in its arguments, nor in those of the browser that it opens",
    (context) =>
      Effect.gen(function* () {
        if (process.platform !== "linux") return context.skip("the test reads /proc, and plays xdg-open")
        const cwd = yield* folder({
          "script.json": script,
          token: `${Serving.token}\r\n`,
          // It does as a browser does: opens the file, and follows its address.
          "bin/xdg-open": `#!${process.execPath}
const fs = require("node:fs")
const [address] = process.argv.slice(2)
const html = fs.readFileSync(new URL(address), "utf8")
const url = /url=([^"]+)/.exec(html)[1]
const visit = async () => {
  const { status, headers } = await fetch(url, { redirect: "manual" })
  return { status, cookie: headers.get("set-cookie") }
}
Promise.all([visit()]).then(async ([first]) => {
  const seen = { args: process.argv, environment: process.env, first, second: await visit() }
  fs.writeFileSync("seen.tmp", JSON.stringify(seen))
  fs.renameSync("seen.tmp", "seen.json")
})
`,
        })
        fs.chmodSync(path.join(cwd, "bin/xdg-open"), 0o755)
        fs.chmodSync(path.join(cwd, "token"), 0o600)
        const chosen = [
          [[], {}, undefined],
          [["--token-file", "token"], {}, undefined],
          [[], { VIBE_TOKEN: Serving.token }, undefined],
          [["--token", Serving.token], {}, /--token can be read by every user/],
        ] as const
        for (const [args, env, warning] of chosen) {
          fs.rmSync(path.join(cwd, "seen.json"), { force: true })
          const child = spawn(
            process.execPath,
            [
              bin,
              "serve",
              "--json",
              "--port",
              "0",
              "--open",
              "--ephemeral",
              "--model",
              "scripted/script.json",
              ...args,
            ],
            {
              cwd,
              env: {
                PATH: `${path.join(cwd, "bin")}:${process.env.PATH}`,
                HOME: cwd,
                NODE_COMPILE_CACHE: compileCache,
                ...env,
              },
              stdio: ["ignore", "pipe", "pipe"],
            },
          )
          const stderr: Array<string> = []
          child.stderr.on("data", (chunk) => stderr.push(String(chunk)))
          yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
          yield* Effect.promise(async () => {
            const [line] = await once(child.stdout, "data")
            const { token, url } = JSON.parse(String(line))
            assert.include(url, token)
            if (args.length > 0 || "VIBE_TOKEN" in env) assert.strictEqual(token, Serving.token)
            const own = fs.readFileSync(`/proc/${child.pid}/cmdline`, "utf8")
            if (warning === undefined) assert.notInclude(own, token)
            while (!fs.existsSync(path.join(cwd, "seen.json"))) await new Promise((wake) => setTimeout(wake, 50))
            const text = fs.readFileSync(path.join(cwd, "seen.json"), "utf8")
            const seen = JSON.parse(text)
            assert.notInclude(JSON.stringify([seen.args, seen.environment]), token)
            assert.notMatch(JSON.stringify([seen.args, seen.environment]), /code=/)
            assert.strictEqual(seen.first.status, 303)
            assert.include(seen.first.cookie, token)
            assert.strictEqual(seen.second.status, 403)
            assert.strictEqual((await fetch(url, { redirect: "manual" })).status, 303)
            const file = new URL(seen.args.at(-1))
            assert.isTrue(fs.existsSync(file))
            const ended = once(child, "exit")
            child.kill("SIGINT")
            assert.deepStrictEqual(await ended, [130, null])
            assert.isFalse(fs.existsSync(file))
            if (warning === undefined) assert.notMatch(stderr.join(""), /can be read by/)
            else assert.match(stderr.join(""), warning)
          })
        }
      }),
  )

  it.effect("refuses another address without a token, a short token, and a port that is taken", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ "script.json": script })
      const refused = (...args: ReadonlyArray<string>) =>
        vibe(["serve", "--model", "scripted/script.json", "--ephemeral", ...args], { cwd })
      const open = yield* refused("--host", "0.0.0.0")
      assert.strictEqual(open.code, 2)
      assert.match(open.stderr, /choose one with VIBE_TOKEN or --token-file/)
      assert.strictEqual((yield* refused("--token", "short")).code, 2)
      fs.writeFileSync(path.join(cwd, "short"), "short\n")
      fs.writeFileSync(path.join(cwd, "two"), "sixteen-characters\nin-the-first-line\n")
      fs.writeFileSync(path.join(cwd, "empty"), "")
      for (const [file, why] of [
        ["short", /--token-file short takes at least 16 characters/],
        ["empty", /--token-file empty takes at least 16 characters/],
        ["two", /--token-file two takes one line of ASCII/],
        ["missing", /missing: .*not exist|missing: .*no such/i],
      ] as const) {
        const { code, stderr } = yield* refused("--token-file", file)
        assert.deepStrictEqual([code, why.test(stderr)], [2, true], stderr)
      }
      const both = yield* refused("--token", Serving.token, "--token-file", "short")
      assert.match(both.stderr, /either --token or --token-file/)
      const variable = yield* vibe(["serve", "--ephemeral"], { cwd, env: { VIBE_TOKEN: "short" } })
      assert.deepStrictEqual([variable.code, /VIBE_TOKEN takes at least 16/.test(variable.stderr)], [2, true])
      const server = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const net = await import("node:net")
          const taken = net.createServer().listen(0, "127.0.0.1")
          await once(taken, "listening")
          return taken
        }),
        (taken) => Effect.sync(() => taken.close()),
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const taken = yield* refused("--port", String(port))
      assert.strictEqual(taken.code, 2)
      assert.match(taken.stderr, /EADDRINUSE/)
    }).pipe(Effect.scoped),
  )
})
