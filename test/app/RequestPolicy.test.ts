import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer, Option } from "effect"
import { vi } from "vitest"
import * as RequestPolicy from "../../src/app/RequestPolicy.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import type * as AppConfig from "../../src/config/AppConfig.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { RetryPolicy } from "../../src/model/Retry.ts"
import { RunBudget } from "../../src/model/RunBudget.ts"
import { Transport } from "../../src/model/Transport.ts"
import * as Gemini from "../../src/provider/gemini/Gemini.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { asking, hello } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { fine, options, saying } from "../utils/Gemini.ts"

const id = new ModelId({ provider: "test", name: "model" })

/** The options of a command line without any. */
const noOptions = {
  maxRetries: Option.none(),
  maxWait: Option.none(),
  maxCost: Option.none(),
  maxRunTokens: Option.none(),
  record: Option.none(),
  replay: Option.none(),
}

const policy = (options: AppConfig.RequestPolicy) => Layer.provide(RequestPolicy.layer(options), NodeFiles.layer)

/** The retry policy of a command, by settings and options. */
const retryPolicy = (
  settings: Readonly<Record<string, string>>,
  flags: { readonly maxRetries?: number; readonly maxWait?: number } = {},
) =>
  RetryPolicy.pipe(
    Effect.map(({ maxRetries, maxWait }) => ({ maxRetries, seconds: Duration.toSeconds(maxWait) })),
    Effect.provide(
      policy({
        ...noOptions,
        maxRetries: Option.fromNullable(flags.maxRetries),
        maxWait: Option.fromNullable(flags.maxWait),
      }),
    ),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))),
  )

describe("RequestPolicy.layer", () => {
  it.effect("takes options before settings, and settings before defaults", () =>
    Effect.gen(function* () {
      const set = { VIBE_MAX_RETRIES: "0", VIBE_MAX_WAIT: "1.5" }
      assert.deepStrictEqual(yield* retryPolicy({}), { maxRetries: 3, seconds: 60 })
      assert.deepStrictEqual(yield* retryPolicy(set), { maxRetries: 0, seconds: 1.5 })
      assert.deepStrictEqual(yield* retryPolicy(set, { maxRetries: 5 }), { maxRetries: 5, seconds: 1.5 })
      assert.deepStrictEqual(yield* retryPolicy(set, { maxWait: 0 }), { maxRetries: 0, seconds: 0 })
    }),
  )

  it.effect.each([
    ["VIBE_MAX_RETRIES", "-1"],
    ["VIBE_MAX_RETRIES", "1.5"],
    ["VIBE_MAX_RETRIES", "101"],
    ["VIBE_MAX_WAIT", "soon"],
    ["VIBE_MAX_WAIT", "-1"],
  ])("refuses %s set to %s", ([name = "", value = ""]) =>
    Effect.gen(function* () {
      assert.include(String(yield* Effect.flip(retryPolicy({ [name]: value }))), name)
    }),
  )

  it.effect("limits the run by a budget where an option or a setting has one", () =>
    Effect.gen(function* () {
      const model = LanguageModel.make(id, () => Effect.void)
      const asked = (set: Record<string, string>, said = {}) =>
        RunBudget.pipe(
          Effect.flatMap(({ guard }) => (guard(model) === model ? Effect.void : guard(model).generate(hello))),
          Effect.provide(policy({ ...noOptions, ...said })),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(set)))),
        )
      yield* asked({})
      assert.include(String(yield* Effect.flip(asked({ VIBE_MAX_RUN_TOKENS: "10" }))), "limit is 10 tokens")
      assert.include(String(yield* Effect.flip(asked({}, { maxCost: Option.some(1) }))), "what it costs is not known")
    }),
  )

  it.scoped("replays a recording without a request", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([fine])
      const folder = yield* temporaryFolder
      const answer = (said: object) =>
        Transport.pipe(
          Effect.flatMap(({ fetch, replayed }) =>
            Effect.map(Gemini.make({ ...options(server.url), fetch: fetch(id) }).generate(hello), ({ blocks }) => ({
              blocks,
              replayed: replayed?.model,
            })),
          ),
          Effect.provide(policy({ ...noOptions, ...said })),
        )
      const place = path.join(folder, "new", "recording")
      const { blocks, replayed } = yield* answer({ record: Option.some(place) })
      yield* answer({ record: Option.some(place) })
      assert.deepStrictEqual(fs.readdirSync(place), ["0001.json", "0002.json"])
      assert.isUndefined(replayed)
      assert.deepStrictEqual(yield* answer({ replay: Option.some(place) }), { blocks, replayed: id })
      assert.lengthOf(server.requests, 2)
    }),
  )

  it.scoped("redacts every secret of the environment, but no short word or number", () =>
    Effect.gen(function* () {
      const secret = "ant-0123456789"
      const set = { ANTHROPIC_API_KEY: secret, POSTGRES_PASSWORD: "postgres", VIBE_MAX_RUN_TOKENS: "1000000" }
      for (const [name, value] of Object.entries(set)) vi.stubEnv(name, value)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const server = yield* FakeServer.serve([{ body: FakeServer.events(saying(`${secret} postgres`, "STOP")) }])
      const folder = yield* temporaryFolder
      const question = asking(`What are ${secret}, postgres and 1000000?`)
      const answer = (said: object) =>
        Transport.pipe(
          Effect.flatMap(({ fetch }) => Gemini.make({ ...options(server.url), fetch: fetch(id) }).generate(question)),
          Effect.provide(policy({ ...noOptions, ...said })),
        )
      yield* answer({ record: Option.some(folder) })
      const kept = fs.readFileSync(path.join(folder, "0001.json"), "utf8")
      assert.notInclude(kept, secret)
      assert.include(kept, "What are [key], postgres and 1000000?")
      assert.deepStrictEqual((yield* answer({ replay: Option.some(folder) })).blocks, [
        { type: "text", text: "[key] postgres" },
      ])
    }),
  )

  it.scoped("redacts secrets by the usual names of their variables, and passwords of URLs", () =>
    Effect.gen(function* () {
      const names = [
        "SMTP_PASS",
        "MYSQL_PWD",
        "GITHUB_PAT",
        "DB_PASS",
        "BASIC_AUTH",
        "PGPASS",
        "STRIPE_SK",
        "JWT",
        "COOKIE",
      ]
      const set = Object.fromEntries(names.map((name) => [name, `value-of-${name}-0`]))
      const password = "pw-of-the-database"
      const url = `postgres://me:${password}@localhost/db`
      for (const [name, value] of Object.entries({ ...set, DATABASE_URL: url })) vi.stubEnv(name, value)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const secrets = [...Object.values(set), password]
      const server = yield* FakeServer.serve([{ body: FakeServer.events(saying(secrets.join(" "), "STOP")) }])
      const folder = yield* temporaryFolder
      yield* Transport.pipe(
        Effect.flatMap(({ fetch }) =>
          Gemini.make({ ...options(server.url), fetch: fetch(id) }).generate(asking([url, ...secrets].join(" "))),
        ),
        Effect.provide(policy({ ...noOptions, record: Option.some(folder) })),
      )
      const kept = fs.readFileSync(path.join(folder, "0001.json"), "utf8")
      for (const secret of secrets) assert.notInclude(kept, secret)
    }),
  )

  it.scoped("says why it cannot record or replay", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.writeFileSync(path.join(folder, "file"), "")
      const why = (said: object) =>
        Effect.map(Effect.flip(Effect.provide(Transport, policy({ ...noOptions, ...said }))), String)
      const at = (name: string) => Option.some(path.join(folder, name))
      assert.include(yield* why({ record: at("file") }), "cannot record to")
      assert.include(yield* why({ replay: at("nowhere") }), "cannot replay")
      assert.include(yield* why({ replay: at(".") }), "there is no recording in it")
      assert.include(yield* why({ record: at("a"), replay: at("b") }), "either --record or --replay")
      fs.writeFileSync(path.join(folder, "1.json"), "{}")
      assert.include(yield* why({ replay: at(".") }), "1.json is no recording: request: is missing")
    }),
  )
})
