import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { events, serve } from "../utils/FakeServer.ts"
import { fine } from "../utils/Gemini.ts"
import { folder, vibe } from "./vibe.ts"

const catalogue = JSON.stringify({
  google: { models: { "gemini-9": { limit: { context: 900, output: 90 }, cost: { input: 1, output: 2 } } } },
  reseller: { models: { "some/model": { limit: { context: 800, output: 80 } } } },
})

/** Where every request is answered alike. */
const server = (status: number, body: string) => Effect.map(serve([{ status, body }]), ({ url }) => url)

const ids = (stdout: string): ReadonlyArray<string> =>
  JSON.parse(stdout).models.map(({ id }: { readonly id: string }) => id)

describe("vibe models", () => {
  it.scopedLive("lists providers with their keys, and the models that vibe can ask", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ".config/vibe/config.toml": '[models."reseller/x"]\ncontext = 5' })
      const { code, stderr, stdout } = yield* vibe(["models"], { cwd, env: { GOOGLE_API_KEY: "s3cret" } })
      assert.strictEqual(code, 0)
      assert.match(stdout, /^ {2}google +GOOGLE_API_KEY is set$/m)
      assert.match(
        stdout,
        /^ {2}google\/gemini-2\.5-flash +1,048,576 +65,536 +0\.3 +2\.5 +deprecated.*gemini-flash-latest$/m,
      )
      assert.notInclude(stdout, "reseller/")
      assert.notInclude(stdout + stderr, "s3cret")
      assert.match(stderr, /^\d+ models of providers without a key/)
    }),
  )

  it.scopedLive("filters by provider and name, and reports when nothing matches", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const found = yield* vibe(["models", "opus anthropic", "--json"], { cwd })
      assert.isNotEmpty(ids(found.stdout))
      for (const id of ids(found.stdout)) assert.match(id, /^anthropic\/.*opus/)
      const none = yield* vibe(["models", "zzz"], { cwd })
      assert.deepStrictEqual([none.code, none.stdout], [2, ""])
      assert.include(none.stderr, "vibe: no model is known by 'zzz'; 'vibe models' lists providers and models")
      const server = yield* vibe(["models", "lmstudio"], { cwd })
      assert.deepStrictEqual([server.code, server.stdout], [0, "Providers\n  lmstudio  needs no key\n"])
      assert.include(server.stderr, "no model of lmstudio is known; 'vibe models --check lmstudio/NAME' asks one")
    }),
  )

  it.scopedLive("lists the models of a provider that is named, and where others offer them", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ".config/vibe/config.toml": '[models."openrouter/google/mine"]\ncontext = 5' })
      const { stderr, stdout } = yield* vibe(["models", "google"], { cwd })
      assert.match(stdout, /^Providers\n {2}google {2}GOOGLE_API_KEY is not set\n\nModels\n/)
      assert.notInclude(stdout, "openrouter/")
      assert.match(stderr, /^\d+ models? of google at other providers: 'vibe models google\/' finds them$/m)
      assert.include((yield* vibe(["models", "google/"], { cwd })).stdout, "openrouter/google/mine")
      const json = yield* vibe(["models", "google", "--json"], { cwd })
      assert.isNotEmpty(ids(json.stdout))
      for (const id of ids(json.stdout)) assert.match(id, /^google\//)
      assert.isAbove(JSON.parse(json.stdout).providers.length, 1)
    }),
  )

  it.scopedLive("shows the facts of a model, and suggests the nearest name for a wrong one", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const { stdout } = yield* vibe(["models", "gemini-2.5-flash"], { cwd })
      assert.match(stdout, /^google\/gemini-2\.5-flash\n {2}context +1,048,576\n/)
      assert.include(stdout, "Others with this in their name")
      const wrong = yield* vibe(["models", "gogle"], { cwd })
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.include(wrong.stderr, "vibe: no model is known by 'gogle'; did you mean 'google'?")
    }),
  )

  it.scopedLive("lists the models of a running Ollama", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ".config/vibe/config.toml": '[models."ollama/mine:latest"]\ncontext = 5' })
      const pulled = JSON.stringify({ models: [{ name: "qwen3:8b" }, { name: "mine:latest" }] })
      const env = { OLLAMA_HOST: (yield* server(200, pulled)).replace("http://", "") }
      const { stdout } = yield* vibe(["models"], { cwd, env })
      assert.match(stdout, /^ {2}ollama +needs no key; 2 models pulled$/m)
      assert.match(stdout, /^ {2}ollama\/qwen3:8b +\? /m)
      assert.match(stdout, /^ {2}ollama\/mine:latest +5 /m)
      const down = yield* vibe(["models", "--json"], { cwd, env: { OLLAMA_HOST: "http://127.0.0.1:1" } })
      assert.deepInclude(JSON.parse(down.stdout).providers, { name: "ollama", key: "not needed", pulled: null })
    }),
  )

  it.scopedLive(
    "asks servers of the user for their models, with their key, and says on one line why one does not answer",
    () =>
      Effect.gen(function* () {
        const list = JSON.stringify({
          object: "list",
          data: [{ id: "alpha" }, { id: "text-embedding-x" }, { id: "b/beta" }],
        })
        const { requests, url } = yield* serve([{ body: list }])
        const { url: refusing } = yield* serve([{ status: 401, body: '{"error":{"message":"wrong key"}}' }])
        const { url: listless } = yield* serve([{ status: 404, body: "<html>Not found</html>" }])
        const cwd = yield* folder({
          ".config/vibe/config.toml": [
            `[providers.work]\nbaseUrl = "${url}/v1"\nkeyVariable = "WORK_KEY"`,
            `[providers.shut]\nbaseUrl = "${refusing}/v1"`,
            `[providers.bare]\nbaseUrl = "${listless}/v1"`,
            '[models."work/alpha"]\ncontext = 5',
          ].join("\n"),
        })
        const env = { WORK_KEY: "s3cret-key" }
        const work = yield* vibe(["models", "work"], { cwd, env })
        assert.match(
          work.stdout,
          /^ {2}work {2}WORK_KEY is set\n\nModels\n.*\n {2}work\/alpha +5 .*\n {2}work\/b\/beta +\? .*\n\n/m,
        )
        assert.strictEqual(work.stderr, "")
        assert.deepStrictEqual(
          requests.map(({ headers, path }) => [path, headers.authorization]),
          [["/v1/models", "Bearer s3cret-key"]],
        )
        const shut = yield* vibe(["models", "shut"], { cwd, env })
        assert.strictEqual(shut.code, 0)
        assert.match(shut.stderr, /^vibe: shut: .*wrong key.*\nno model of shut is known; .*\n$/)
        const bare = yield* vibe(["models", "bare"], { cwd, env })
        assert.strictEqual(bare.stderr, "no model of bare is known; 'vibe models --check bare/NAME' asks one\n")
        const all = yield* vibe(["models", "--json"], { cwd, env })
        assert.includeMembers([...ids(all.stdout)], ["work/alpha", "work/b/beta"])
        assert.match(all.stderr, /^vibe: shut: .*\n/)
        yield* vibe(["models", "work"], { cwd })
        assert.lengthOf(requests, 2)
        const words = yield* vibe(["completion", "zsh", "=ask", "=--model", "=work/a"], { cwd, env })
        assert.strictEqual(words.stdout, "work/alpha\n")
        const local = yield* vibe(["models", "vllm"], { cwd, env: { VLLM_BASE_URL: `${url}/v1` } })
        assert.match(local.stdout, /^ {2}vllm\/alpha /m)
      }),
  )

  it.scopedLive("uses the user's settings for a model", () =>
    Effect.gen(function* () {
      const cwd = yield* folder({ ".config/vibe/config.toml": '[models."google/mine"]\ncontext = 5' })
      const { stdout } = yield* vibe(["models", "mine", "--json"], { cwd })
      assert.deepInclude(JSON.parse(stdout).models[0], { id: "google/mine", context: 5, output: null })
    }),
  )

  it.scopedLive("fetches the catalogue, stores it for this user, and uses it from then on", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const env = { VIBE_MODELS_URL: yield* server(200, catalogue) }
      const refreshed = yield* vibe(["models", "gemini", "--refresh", "--json"], { cwd, env })
      assert.strictEqual(refreshed.code, 0, refreshed.stderr)
      assert.include(ids(refreshed.stdout), "google/gemini-9")
      assert.isTrue(fs.existsSync(path.join(cwd, ".cache/vibe/models.jsonl")))
      const later = yield* vibe(["models", "some/model", "--json"], { cwd })
      assert.deepStrictEqual(ids(later.stdout), ["reseller/some/model"])
      const elsewhere = yield* vibe(["models", "gemini-9", "--json"], { cwd, env: { XDG_CACHE_HOME: `${cwd}/other` } })
      assert.strictEqual(elsewhere.code, 2)
    }),
  )

  it.scopedLive("prints one line when that fails, and keeps the stored catalogue", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const file = path.join(cwd, ".cache/vibe/models.jsonl")
      yield* vibe(["models", "--refresh"], { cwd, env: { VIBE_MODELS_URL: yield* server(200, catalogue) } })
      const kept = fs.readFileSync(file, "utf8")
      const refused = Effect.fnUntraced(function* (url: string, words: string, code = 1) {
        const ended = yield* vibe(["models", "--refresh"], { cwd, env: { VIBE_MODELS_URL: url } })
        assert.strictEqual(ended.code, code)
        assert.strictEqual(ended.stdout, "")
        assert.lengthOf(ended.stderr.trimEnd().split("\n"), 1, ended.stderr)
        assert.include(ended.stderr, words)
        assert.strictEqual(fs.readFileSync(file, "utf8"), kept)
      })
      yield* refused(yield* server(503, "busy"), "answers with HTTP 503")
      yield* refused(yield* server(200, "<html>"), "is no JSON")
      yield* refused(yield* server(200, '{"error":"no"}'), "its catalogue is not as expected")
      yield* refused("http://127.0.0.1:1/", "cannot be reached")
      yield* refused("models.dev", "VIBE_MODELS_URL", 2)
    }),
  )

  it.scopedLive("follows a redirect to the same server, and none to another, which receives nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const other = yield* serve([{ body: catalogue }])
      const { requests, url } = yield* serve(({ path }) => {
        if (path === "/moved") return { status: 301, headers: { location: "/api.json" }, body: "" }
        if (path === "/loop") return { status: 302, headers: { location: "/loop" }, body: "" }
        if (path === "/api.json") return { body: catalogue }
        return { status: 307, headers: { location: `${other.url}/api.json?token=s3cret` }, body: "" }
      })
      const refresh = (path: string) =>
        vibe(["models", "gemini", "--refresh", "--json"], { cwd, env: { VIBE_MODELS_URL: `${url}${path}` } })
      const moved = yield* refresh("/moved")
      assert.strictEqual(moved.code, 0, moved.stderr)
      assert.include(ids(moved.stdout), "google/gemini-9")
      const refused = yield* refresh("/elsewhere")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, `redirects to ${other.url}/api.json, which is not followed`)
      assert.notInclude(refused.stderr, "s3cret")
      const endless = yield* refresh("/loop")
      assert.strictEqual(endless.code, 1)
      assert.include(endless.stderr, "redirects too often")
      assert.lengthOf(requests, 2 + 1 + 4)
      assert.deepStrictEqual(other.requests, [])
    }),
  )

  it.scopedLive("sends a request to one model of each provider with a key, and prints which answer", () =>
    Effect.gen(function* () {
      const cwd = yield* folder()
      const gemini = yield* serve([fine])
      const refusing = yield* serve([
        { status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-secretsecret"}}' },
      ])
      const env = {
        GOOGLE_API_KEY: "test-key-0123456789",
        GOOGLE_GEMINI_BASE_URL: gemini.url,
        OPENAI_API_KEY: "sk-secretsecret",
        OPENAI_BASE_URL: `${refusing.url}/v1`,
      }
      const { code, stderr, stdout } = yield* vibe(["models", "--check"], { cwd, env })
      assert.match(stdout, /^google\/gemini-2\.5-flash +answers \(\d+\.\d s\)$/m)
      assert.match(stdout, /^openai\/gpt-5\.4-mini +openai\/gpt-5\.4-mini: Incorrect API key provided: \[key\]/m)
      assert.strictEqual(code, 3)
      assert.notInclude(stdout + stderr, "sk-secret")
      assert.lengthOf(stderr.trimEnd().split("\n"), 1, "of what failed")
      assert.lengthOf(gemini.requests, 1)
      const json = yield* vibe(["models", "--check", "--json"], { cwd, env })
      assert.strictEqual(json.code, 3)
      const { checks, error } = JSON.parse(json.stdout)
      assert.deepInclude(checks[0], { model: "google/gemini-2.5-flash" })
      assert.strictEqual(checks[1].error.reason, "Unauthorized")
      assert.deepStrictEqual(error, checks[1].error)
      const one = yield* vibe(["models", "--check", "--json", "gemini"], { cwd, env })
      assert.strictEqual(one.code, 0)
      assert.lengthOf(JSON.parse(one.stdout).checks, 1)
      const none = yield* vibe(["models", "--check", "claude"], { cwd, env })
      assert.strictEqual(none.code, 2)
      assert.include(none.stderr, "no available provider has a model that matches: claude")
    }),
  )

  it.scopedLive("uses the key of a configured server, and lists its models", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serve([
        { body: events({ choices: [{ delta: { content: "OK" }, finish_reason: "stop" }] }) },
      ])
      const work = `[providers.work]\nbaseUrl = "${url}/v1"\nkeyVariable = "WORK_KEY"\n`
      const cwd = yield* folder({ ".config/vibe/config.toml": work })
      const env = { WORK_KEY: "s3cret" }
      const missing = yield* vibe(["models", "--json"], { cwd })
      assert.deepInclude(JSON.parse(missing.stdout).providers, { name: "work", key: "missing" })
      const { stdout } = yield* vibe(["models"], { cwd, env })
      assert.match(stdout, /^ {2}work +WORK_KEY is set$/m)
      const unknown = yield* vibe(["models", "--check"], { cwd, env })
      assert.deepStrictEqual([unknown.code, unknown.stdout], [2, ""])
      assert.include(unknown.stderr, "no model of work is known; 'vibe models --check work/NAME' asks one")
      const named = yield* vibe(["models", "--check", "work/llama"], { cwd, env })
      assert.match(named.stdout, /^work\/llama {2}answers/)
      fs.appendFileSync(path.join(cwd, ".config/vibe/config.toml"), '[models."work/mine"]\ncontext = 9')
      const known = yield* vibe(["models", "--check"], { cwd, env })
      assert.match(known.stdout, /^work\/mine {2}answers/)
      const chats = requests.filter(({ path }) => path === "/v1/chat/completions")
      assert.lengthOf(chats, 2)
      assert.deepInclude(chats[0]?.body, { model: "llama" })
      assert.deepInclude(chats[1]?.body, { model: "mine" })
    }),
  )

  it.scopedLive("says how to get a model when there is none to check", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* vibe(["models", "--check"], { cwd: yield* folder() })
      assert.strictEqual(code, 3)
      assert.strictEqual(stdout, "")
      assert.include(stderr, "no key is set, and no Ollama answers")
    }),
  )
})
