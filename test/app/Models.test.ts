import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { ConfigError, ConfigProvider, Duration, Effect, Layer } from "effect"
import * as Models from "../../src/app/Models.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as KnownProviders from "../../src/config/KnownProviders.ts"
import * as ProviderConfig from "../../src/config/ProviderConfig.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { servers } from "../../src/model/CompatibleServers.ts"
import { ModelRegistry } from "../../src/model/ModelRegistry.ts"
import { RetryPolicy } from "../../src/model/Retry.ts"
import * as Transport from "../../src/model/Transport.ts"
import * as Cassette from "../../src/provider/transport/Cassette.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { asking, hello } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"

const withSettings = (settings: Record<string, string>) =>
  Effect.provide(
    Layer.provideMerge(Models.layer, NodeFiles.layer).pipe(
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))),
    ),
  )

const open = (provider: string, name: string) =>
  Effect.flatMap(ModelRegistry, (registry) => registry.open(new ModelId({ provider, name })))

const refused = (provider: string, name: string) =>
  Effect.flip(Effect.catchIf(open(provider, name), ConfigError.isConfigError, Effect.die))

/** One request, whatever comes of it. */
const once = { maxRetries: 0, maxWait: Duration.zero }

describe("Models", () => {
  it.effect("opens a model of Google with a key, without a request", () =>
    Effect.gen(function* () {
      const model = yield* open("google", "gemini-2.5-flash")
      assert.strictEqual(String(model.id), "google/gemini-2.5-flash")
    }).pipe(withSettings({ GEMINI_API_KEY: "k" })),
  )

  it.effect("suggests the provider of a model that is named without it", () =>
    Effect.gen(function* () {
      const suggested = (name: string) => Effect.map(refused(name, name), ({ message }) => message)
      assert.include(yield* suggested("gpt-5"), "there is no provider 'gpt-5'; did you mean 'openai/gpt-5'?")
      assert.include(yield* suggested("gemini-2.5-flash"), "did you mean 'google/gemini-2.5-flash'?")
      assert.include(yield* suggested("zzz"), "there is no provider 'zzz'; there are google, ")
    }).pipe(withSettings({})),
  )

  it.effect("sets the limits of a model by the user's configuration before the catalogue", () =>
    Effect.gen(function* () {
      const { limits } = yield* open("google", "gemini-2.5-flash")
      assert.deepInclude(limits, { context: 1_048_576, output: 65_536 })
      const unknown = yield* open("google", "never-heard-of")
      assert.deepInclude(unknown.limits, { context: 8192, output: 8192 })
      const own = yield* open("google", "my-own")
      assert.deepInclude(own.limits, { context: 100, output: 8192 })
    }).pipe(withSettings({ GOOGLE_API_KEY: "k", "VIBE_MODELS.google/my-own.context": "100" })),
  )

  it.effect(
    "opens a model of Ollama, free, without a known window, and with the usual limit of output, without a request",
    () =>
      Effect.gen(function* () {
        const { id, limits, price } = yield* open("ollama", "qwen3:8b")
        assert.strictEqual(String(id), "ollama/qwen3:8b")
        assert.deepInclude(limits, { context: Number.POSITIVE_INFINITY, output: 8192 })
        assert.deepStrictEqual(price, { input: 0, output: 0 })
      }).pipe(withSettings({})),
  )

  it.effect("sets no price for an Ollama with a key", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* open("ollama", "gpt-oss:120b")).price)
    }).pipe(withSettings({ OLLAMA_HOST: "ollama.com", OLLAMA_API_KEY: "k" })),
  )

  it.effect("refuses an invalid address of Ollama", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("ollama", "qwen3:8b")
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.include(reason.message, "OLLAMA_HOST")
    }).pipe(withSettings({ OLLAMA_HOST: "a b" })),
  )

  it.effect("opens a model of Anthropic with a key, and with its limits", () =>
    Effect.gen(function* () {
      const { id, limits } = yield* open("anthropic", "claude-sonnet-4-5")
      assert.strictEqual(String(id), "anthropic/claude-sonnet-4-5")
      assert.deepInclude(limits, { context: 200_000, output: 64_000 })
      const unknown = yield* open("anthropic", "never-heard-of")
      assert.deepInclude(unknown.limits, { context: 200_000, output: 8192 })
    }).pipe(withSettings({ ANTHROPIC_API_KEY: "k" })),
  )

  it.effect("fails at once without Anthropic's key, and names its variable", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("anthropic", "claude-sonnet-4-5")
      assert.strictEqual(reason._tag, "Unauthorized")
      assert.include(reason.message, "ANTHROPIC_API_KEY")
    }).pipe(withSettings({ ANTHROPIC_API_KEY: "" })),
  )

  it.effect("fails at once without Google's key, and names its variable", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("google", "gemini-2.5-flash")
      assert.strictEqual(reason._tag, "Unauthorized")
      assert.include(reason.message, "GOOGLE_API_KEY")
    }).pipe(withSettings({ GOOGLE_API_KEY: "  " })),
  )

  it.effect("refuses a key that is no header value", () =>
    Effect.gen(function* () {
      const error = yield* refused("google", "gemini-2.5-flash")
      assert.strictEqual(error.reason._tag, "Misconfigured")
      assert.notInclude(error.message, "a\u0007b")
    }).pipe(withSettings({ GOOGLE_API_KEY: "a\u0007b" })),
  )

  it.effect("opens models of every OpenAI-compatible provider, each with its own key", () =>
    Effect.gen(function* () {
      for (const [provider, name] of [
        ["openai", "gpt-4o-mini"],
        ["openai-responses", "gpt-5"],
        ["openrouter", "anthropic/claude-haiku-4.5"],
        ["groq", "openai/gpt-oss-20b"],
        ["deepseek", "deepseek-chat"],
        ["mistral", "mistral-small-latest"],
        ["xai", "grok-4"],
      ] as const) {
        assert.strictEqual(String((yield* open(provider, name)).id), `${provider}/${name}`)
      }
      const { limits } = yield* open("openai-responses", "gpt-5")
      assert.deepStrictEqual(limits, (yield* open("openai", "gpt-5")).limits)
    }).pipe(
      withSettings({
        OPENAI_API_KEY: "a",
        OPENROUTER_API_KEY: "b",
        GROQ_API_KEY: "c",
        DEEPSEEK_API_KEY: "d",
        MISTRAL_API_KEY: "e",
        XAI_API_KEY: "f",
      }),
    ),
  )

  it.effect("fails at once without the key of each of them, and names its variable", () =>
    Effect.gen(function* () {
      const names = Object.keys(servers).filter((name) => !["lmstudio", "llamacpp", "vllm"].includes(name))
      for (const provider of [...names, "openai-responses"]) {
        const { reason } = yield* refused(provider, "x")
        assert.strictEqual(reason._tag, "Unauthorized")
        assert.include(reason.message, ProviderConfig.keys[provider]?.name ?? assert.fail(`no key of ${provider}'s`))
      }
    }).pipe(withSettings({})),
  )

  it.scoped("asks a local server without a key, at the configured address", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([{ body: "" }])
      for (const [provider, variable] of [
        ["lmstudio", "LMSTUDIO_BASE_URL"],
        ["llamacpp", "LLAMACPP_BASE_URL"],
        ["vllm", "VLLM_BASE_URL"],
      ] as const) {
        const model = yield* open(provider, "x").pipe(withSettings({ [variable]: `${url}/${provider}/v1/` }))
        yield* Effect.provideService(Effect.flip(model.generate(hello)), RetryPolicy, once)
      }
      assert.deepStrictEqual(
        requests.map(({ path }) => path),
        ["lmstudio", "llamacpp", "vllm"].map((provider) => `/${provider}/v1/chat/completions`),
      )
    }),
  )

  it.scoped("asks a configured server with the key of its variable", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([{ body: "" }])
      const settings = { "VIBE_PROVIDERS.mine.baseUrl": url, "VIBE_PROVIDERS.mine.keyVariable": "MY_KEY" }
      const model = yield* open("mine", "vendor/x").pipe(withSettings({ ...settings, MY_KEY: "secret" }))
      assert.strictEqual(String(model.id), "mine/vendor/x")
      yield* Effect.provideService(Effect.flip(model.generate(hello)), RetryPolicy, once)
      assert.deepInclude(requests[0]?.headers, { authorization: "Bearer secret" })
      const { reason } = yield* refused("mine", "x").pipe(withSettings(settings))
      assert.strictEqual(reason._tag, "Unauthorized")
      assert.include(reason.message, "MY_KEY")
      const providers = yield* Effect.map(ModelRegistry, ({ providers }) => providers).pipe(withSettings(settings))
      assert.include(providers, "mine")
    }),
  )

  it.effect("reports a configured server without an address when a server is opened", () =>
    Effect.gen(function* () {
      assert.strictEqual(String((yield* open("offline", "offline")).id), "offline")
      assert.isTrue(ConfigError.isConfigError(yield* Effect.flip(open("mine", "x"))))
    }).pipe(withSettings({ "VIBE_PROVIDERS.mine.keyVariable": "MY_KEY" })),
  )

  it.effect("has the providers whose names a configuration file may not use", () =>
    Effect.gen(function* () {
      const { providers } = yield* ModelRegistry
      assert.sameMembers([...KnownProviders.names], [...providers])
    }).pipe(withSettings({})),
  )

  it.effect("needs no key for the offline guide", () =>
    Effect.gen(function* () {
      assert.strictEqual(String((yield* open("offline", "offline")).id), "offline")
    }).pipe(withSettings({})),
  )

  it.effect("replays without a key what was recorded with one", () =>
    Effect.gen(function* () {
      const exchanges: Array<Cassette.Exchange> = []
      const refused = () => Promise.resolve(new Response("no", { status: 400 }))
      const recording = Cassette.record(refused, (exchange) => void exchanges.push(exchange))
      const asked = (
        id: readonly [string, string],
        tape: Omit<Transport.Service, "agent">,
        settings: Record<string, string>,
      ) =>
        Effect.flatMap(open(...id), (model) =>
          Effect.flip(model.generate(asking("Is it replayed without a key?"))),
        ).pipe(Effect.provideService(Transport.Transport, { agent: (agent) => agent, ...tape }), withSettings(settings))
      for (const [provider, { name }] of Object.entries(ProviderConfig.keys)) {
        const error = yield* asked(
          [provider, "x"],
          { fetch: () => recording, replayed: undefined },
          { [name]: "test-key-0123456789" },
        )
        const tape = Cassette.replay(exchanges)
        const replayed = { fetch: () => tape, replayed: { model: undefined } }
        assert.deepStrictEqual(yield* asked([provider, "x"], replayed, {}), error)
      }
    }),
  )

  it.scoped("reads a script from a file", () =>
    Effect.gen(function* () {
      const script = `${yield* temporaryFolder}/script.json`
      fs.writeFileSync(script, '["hello"]')
      const model = yield* open("scripted", script)
      const reply = yield* model.generate({ system: "", messages: [Message.user("hi")], tools: [] })
      assert.deepStrictEqual(reply.blocks, [{ type: "text", text: "hello" }])
    }).pipe(withSettings({})),
  )

  it.effect("fails for a missing script", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("scripted", "/nowhere.json")
      assert.strictEqual(reason._tag, "Misconfigured")
    }).pipe(withSettings({})),
  )

  it.effect("refuses an address of Google that is no URL", () =>
    Effect.gen(function* () {
      assert.strictEqual(String((yield* open("offline", "offline")).id), "offline")
      const error = yield* Effect.flip(open("google", "gemini-2.5-flash"))
      assert.isTrue(ConfigError.isConfigError(error))
      assert.include(String(error), "GOOGLE_GEMINI_BASE_URL")
    }).pipe(withSettings({ GOOGLE_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: "://" })),
  )

  it.effect("refuses an address with a password, and does not print the password", () =>
    Effect.gen(function* () {
      for (const [provider, variable] of [
        ["openai", "OPENAI_BASE_URL"],
        ["anthropic", "ANTHROPIC_BASE_URL"],
        ["google", "GOOGLE_GEMINI_BASE_URL"],
      ] as const) {
        const error = yield* Effect.flip(open(provider, "x"))
        assert.isTrue(ConfigError.isConfigError(error))
        assert.include(String(error), variable)
        assert.include(String(error), "a name or a password")
        assert.notInclude(String(error), "s3cret")
      }
    }).pipe(
      withSettings({
        OPENAI_API_KEY: "k",
        OPENAI_BASE_URL: "http://me:s3cret@host/v1",
        ANTHROPIC_API_KEY: "k",
        ANTHROPIC_BASE_URL: "http://:s3cret@host",
        GOOGLE_API_KEY: "k",
        GOOGLE_GEMINI_BASE_URL: "http://me@host",
      }),
    ),
  )

  it.effect("opens a configured agent by its name", () =>
    Effect.gen(function* () {
      const model = yield* open("cli", "mine")
      assert.strictEqual(String(model.id), "cli/mine")
      const reply = yield* model.generate({ system: "", messages: [Message.user("2 + 2")], tools: [] })
      assert.deepStrictEqual(reply.blocks, [{ type: "text", text: "You asked: 2 + 2" }])
    }).pipe(
      withSettings({
        "VIBE_AGENTS.mine.command": process.execPath,
        "VIBE_AGENTS.mine.args": JSON.stringify([
          "--eval",
          'process.stdout.write("You asked: "); process.stdin.pipe(process.stdout)',
        ]),
        "VIBE_AGENTS.mine.format": "text",
      }),
    ),
  )

  it.effect("takes the price of an agent from the configuration alone", () =>
    Effect.gen(function* () {
      const { limits, price } = yield* open("cli", "mine")
      assert.deepStrictEqual(price, { input: 1, output: 2, cached: undefined })
      assert.isUndefined(limits)
      assert.isUndefined((yield* open("cli", "other")).price)
    }).pipe(
      withSettings({
        "VIBE_AGENTS.mine.command": process.execPath,
        "VIBE_AGENTS.other.command": process.execPath,
        "VIBE_MODELS.cli/mine.prices.input": "1",
        "VIBE_MODELS.cli/mine.prices.output": "2",
      }),
    ),
  )

  it.effect("says where it looked for a program that is not installed", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("cli", "mine")
      assert.strictEqual(reason._tag, "ModelNotFound")
      assert.include(reason.message, "'no-such-program' on PATH")
    }).pipe(withSettings({ "VIBE_AGENTS.mine.command": "no-such-program" })),
  )

  it.effect("lists the programs, if another one is named", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("cli", "klaude")
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.include(reason.message, "claude, codex, gemini, opencode, pi, mine")
    }).pipe(withSettings({ "VIBE_AGENTS.mine.command": "x" })),
  )

  it.effect("lists the providers when an unknown one is named", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("gogle", "x")
      assert.strictEqual(reason._tag, "Misconfigured")
      for (const provider of ["google", "anthropic", "offline", "scripted"]) assert.include(reason.message, provider)
    }).pipe(withSettings({})),
  )
})
