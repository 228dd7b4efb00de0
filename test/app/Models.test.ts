import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { ConfigError, ConfigProvider, Effect, Layer } from "effect"
import * as Models from "../../src/app/Models.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { ModelRegistry } from "../../src/model/ModelRegistry.ts"

const withSettings = (settings: Record<string, string>) =>
  Effect.provide(
    Layer.provideMerge(Models.layer, NodeFileSystem.layer).pipe(
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))),
    ),
  )

const open = (provider: string, name: string) =>
  Effect.flatMap(ModelRegistry, (registry) => registry.open(new ModelId({ provider, name })))

const refused = (provider: string, name: string) =>
  Effect.flip(Effect.catchIf(open(provider, name), ConfigError.isConfigError, Effect.die))

describe("Models", () => {
  it.effect("opens a model of Google's with a key, and asks nobody", () =>
    Effect.gen(function* () {
      const model = yield* open("google", "gemini-2.5-flash")
      assert.strictEqual(String(model.id), "google/gemini-2.5-flash")
    }).pipe(withSettings({ GEMINI_API_KEY: "k" })),
  )

  it.effect("knows the limits of a model that it opens, as the user has them before all", () =>
    Effect.gen(function* () {
      const { limits } = yield* open("google", "gemini-2.5-flash")
      assert.deepInclude(limits, { context: 1_048_576, output: 65_536 })
      const unknown = yield* open("google", "never-heard-of")
      assert.deepInclude(unknown.limits, { context: 8192, output: 8192 })
      const own = yield* open("google", "my-own")
      assert.deepInclude(own.limits, { context: 100, output: 8192 })
    }).pipe(withSettings({ GOOGLE_API_KEY: "k", "VIBE_MODELS.google/my-own.context": "100" })),
  )

  it.effect("misses the key at once, and names its variable", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("google", "gemini-2.5-flash")
      assert.strictEqual(reason._tag, "Unauthorized")
      assert.include(reason.message, "GOOGLE_API_KEY")
    }).pipe(withSettings({ GOOGLE_API_KEY: "  " })),
  )

  it.effect("refuses a key that no header can carry", () =>
    Effect.gen(function* () {
      const error = yield* refused("google", "gemini-2.5-flash")
      assert.strictEqual(error.reason._tag, "Misconfigured")
      assert.notInclude(error.message, "a\u0007b")
    }).pipe(withSettings({ GOOGLE_API_KEY: "a\u0007b" })),
  )

  it.effect("needs no key for the offline guide", () =>
    Effect.gen(function* () {
      assert.strictEqual(String((yield* open("offline", "offline")).id), "offline")
    }).pipe(withSettings({})),
  )

  it.scoped("reads a script from a file", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const script = `${yield* files.makeTempDirectoryScoped()}/script.json`
      yield* files.writeFileString(script, '["hello"]')
      const model = yield* open("scripted", script)
      const reply = yield* model.generate({ system: "", messages: [Message.user("hi")], tools: [] })
      assert.deepStrictEqual(reply.blocks, [{ type: "text", text: "hello" }])
    }).pipe(withSettings({})),
  )

  it.effect("says that a script is missing", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("scripted", "/nowhere.json")
      assert.strictEqual(reason._tag, "Misconfigured")
    }).pipe(withSettings({})),
  )

  it.effect("minds an address of Google's that is no URL when Google is to be asked", () =>
    Effect.gen(function* () {
      assert.strictEqual(String((yield* open("offline", "offline")).id), "offline")
      const error = yield* Effect.flip(open("google", "gemini-2.5-flash"))
      assert.isTrue(ConfigError.isConfigError(error))
      assert.include(String(error), "GOOGLE_GEMINI_BASE_URL")
    }).pipe(withSettings({ GOOGLE_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: "://" })),
  )

  it.effect("lists the providers to who names another", () =>
    Effect.gen(function* () {
      const { reason } = yield* refused("gogle", "x")
      assert.strictEqual(reason._tag, "Misconfigured")
      assert.include(reason.message, "google, offline, scripted")
    }).pipe(withSettings({})),
  )
})
