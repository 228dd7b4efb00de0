import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigError, ConfigProvider, Effect, Either, FastCheck, HashMap, Layer, Logger, Option } from "effect"
import { stringify } from "smol-toml"
import * as Logging from "../../src/base/Logging.ts"
import { FileError, Unreadable } from "../../src/code/FileError.ts"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as Files from "../../src/code/Files.ts"
import * as AppConfig from "../../src/config/AppConfig.ts"
import * as ConfigFile from "../../src/config/ConfigFile.ts"
import * as ProviderConfig from "../../src/config/ProviderConfig.ts"
import * as Sources from "../../src/config/Sources.ts"
import { servers } from "../../src/model/CompatibleServers.ts"
import { plantFifos } from "../code/FilesOnDisk.ts"
import { cases } from "../thoroughness.ts"

interface Situation {
  readonly environment?: Readonly<Record<string, string>>
  readonly project?: string
  readonly user?: string
}

const settingsFiles = (root: string, { project, user }: Situation): ReadonlyArray<readonly [string, string]> => [
  ...(project === undefined ? [] : [[`${root}/code/.vibe/config.toml`, project] as const]),
  ...(user === undefined ? [] : [[`${root}/config/vibe/config.toml`, user] as const]),
]

const withEnvironment = (root: string, { environment = {} }: Situation) =>
  Effect.withConfigProvider(
    ConfigProvider.fromMap(new Map(Object.entries({ XDG_CONFIG_HOME: `${root}/config`, ...environment }))),
  )

/** Runs `use` with a home and a project in a temporary folder, and with these settings only. */
const situated = <A, E, R>(
  situation: Situation,
  use: (folders: { readonly project: string; readonly userFile: string }) => Effect.Effect<A, E, R>,
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-settings-"))
      fs.mkdirSync(`${root}/code/.vibe`, { recursive: true })
      fs.mkdirSync(`${root}/config/vibe`, { recursive: true })
      for (const [file, text] of settingsFiles(root, situation)) fs.writeFileSync(file, text)
      return root
    }),
    (root) =>
      use({ project: `${root}/code`, userFile: `${root}/config/vibe/config.toml` }).pipe(
        withEnvironment(root, situation),
      ),
    (root) => Effect.sync(() => fs.rmSync(root, { recursive: true })),
  ).pipe(Effect.provide(NodeFiles.layer))

/** The same in memory. */
const remembered = <A, E>(situation: Situation, use: (project: string) => Effect.Effect<A, E, Files.Files>) =>
  use("/home/code").pipe(
    withEnvironment("/home", situation),
    Effect.provide(Files.layerMemory(Object.fromEntries(settingsFiles("/home", situation)))),
  )

/** The value of `config` for a command that works on the project. */
const effective = <A>(config: Config.Config<A>, situation: Situation) =>
  remembered(situation, (project) =>
    Effect.provide(
      Effect.suspend(() => config),
      Sources.layer(project),
    ),
  )

const refused = (situation: Situation) =>
  remembered(situation, (project) => Effect.map(Effect.flip(Sources.load(project)), String))

const model = (situation: Situation) => Effect.map(effective(AppConfig.model, situation), Option.map(String))

describe("Sources", () => {
  it.effect("reads the environment first, then the project's file, then the user's", () =>
    Effect.gen(function* () {
      const environment = { VIBE_MODEL: "google/e" }
      const project = 'defaultModel = "google/p"'
      const user = 'defaultModel = "google/u"'
      assert.deepStrictEqual(yield* model({ environment, project, user }), Option.some("google/e"))
      assert.deepStrictEqual(yield* model({ project, user }), Option.some("google/p"))
      assert.deepStrictEqual(yield* model({ user }), Option.some("google/u"))
      assert.deepStrictEqual(yield* model({}), Option.none())
    }),
  )

  it.effect("goes on without the user's file where its folder may not be entered, with a warning", () =>
    situated({ project: 'defaultModel = "google/p"' }, ({ project, userFile }) =>
      Effect.gen(function* () {
        const files = yield* Files.Files
        const refuse = (path: string) =>
          Effect.fail(new FileError({ path, reason: new Unreadable({ cause: "EACCES" }) }))
        const isShut = (path: string) => path === userFile
        const logged: Array<string> = []
        const sources = yield* Sources.load(project).pipe(
          Effect.provideService(Files.Files, {
            ...files,
            stat: (path) => (isShut(path) ? refuse(path) : files.stat(path)),
            read: (path, reading) => (isShut(path) ? refuse(path) : files.read(path, reading)),
          }),
          Effect.provide(
            Logger.replace(
              Logger.defaultLogger,
              Logger.map(Logging.line, (line) => void logged.push(line)),
            ),
          ),
        )
        assert.lengthOf(sources, 2)
        assert.deepStrictEqual(logged, [`vibe: warn: settings that may be here cannot be read (path: ${userFile})`])
        const unreadable = Sources.load(project).pipe(
          Effect.provideService(Files.Files, {
            ...files,
            stat: () => files.stat(project),
            read: (path, reading) => (isShut(path) ? refuse(path) : files.read(path, reading)),
          }),
        )
        assert.include(String(yield* Effect.flip(unreadable)), "cannot be read")
      }),
    ),
  )

  it.effect("skips a blank variable", () =>
    Effect.gen(function* () {
      const environment = { VIBE_MODEL: " " }
      assert.deepStrictEqual(yield* model({ environment, user: 'defaultModel = "google/u"' }), Option.some("google/u"))
      assert.deepStrictEqual(yield* model({ environment }), Option.none())
    }),
  )

  it.effect("reports a wrong variable though a lower source is right", () =>
    Effect.gen(function* () {
      const situation = { environment: { VIBE_MODEL: "google/" }, user: 'defaultModel = "google/u"' }
      assert.include(String(yield* Effect.flip(model(situation))), "VIBE_MODEL")
    }),
  )

  it.effect("finds the project's file from a folder below it", () =>
    situated({ project: 'defaultModel = "google/p"' }, ({ project }) =>
      Effect.gen(function* () {
        const sources = yield* Sources.load(`${project}/deep/not-there-yet`)
        assert.deepStrictEqual(
          sources.map(({ name }) => name),
          ["environment", `${project}/.vibe/config.toml`],
        )
      }),
    ),
  )

  it.effect("merges presets and models of both files, part by part", () =>
    Effect.gen(function* () {
      const situation = {
        project: '[presets.a]\ntemperature = 1\n[presets.b]\nn = 2\n[models."x/y"]\ncontext = 10',
        user: '[presets.a]\ntemperature = 0\nmaxTokens = 5\n[models."x/y"]\ncontext = 1\nprices = { input = 1, output = 2 }',
      }
      const presets = yield* effective(AppConfig.presets, situation)
      assert.deepStrictEqual(
        HashMap.toEntries(presets)
          .map(([name]) => name)
          .sort(),
        ["a", "b"],
      )
      const { maxTokens, temperature } = HashMap.unsafeGet(presets, "a")
      assert.deepStrictEqual([maxTokens, temperature], [Option.some(5), Option.some(1)])
      assert.deepStrictEqual(HashMap.unsafeGet(yield* effective(AppConfig.models, situation), "x/y"), {
        context: 10,
        output: undefined,
        total: undefined,
        price: { input: 1, output: 2, cached: undefined },
      })
    }),
  )

  it.effect("has no presets and no models by default", () =>
    Effect.gen(function* () {
      assert.strictEqual(HashMap.size(yield* effective(AppConfig.presets, {})), 0)
      assert.strictEqual(HashMap.size(yield* effective(AppConfig.models, { user: "" })), 0)
    }),
  )

  it.effect("reads no key and no address of a known provider from a file", () =>
    Effect.gen(function* () {
      for (const name of ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "VIBE_MODELS_URL"]) {
        const error = yield* refused({ project: `${name} = "http://evil"`, environment: { GOOGLE_API_KEY: "k" } })
        assert.include(error, `.vibe/config.toml:1`)
        assert.notInclude(error, "evil")
      }
    }),
  )

  it.effect("reports the file, the line and the key of a wrong value", () =>
    Effect.gen(function* () {
      const error = yield* refused({ user: 'preset = "a"\n\n[defaults]\ntemperature = "hot"' })
      assert.include(error, "config/vibe/config.toml:4")
      assert.include(error, "defaults.temperature: Expected number")
    }),
  )

  /** The error for a project's file that `plant` makes. */
  const refusedOf = (plant: (file: string) => void) =>
    situated({}, ({ project }) => {
      plant(`${project}/.vibe/config.toml`)
      return Effect.map(Effect.flip(Sources.load(project)), String)
    })

  it.effect("refuses folders, pipes, devices and large files, and does not wait for them", () =>
    Effect.gen(function* () {
      assert.include(yield* refused({ user: "#".repeat(300_000) }), 'config.toml: "is larger than 262144 bytes')
      assert.include(yield* refusedOf((file) => fs.mkdirSync(file)), "is not a regular file")
      assert.include(yield* refusedOf((file) => plantFifos(file)), "is not a regular file")
      assert.include(yield* refusedOf((file) => fs.symlinkSync("/dev/zero", file)), "is not a regular file")
    }),
  )

  it.effect.runIf(process.platform === "linux")("stops reading at the limit of bytes", () =>
    Effect.gen(function* () {
      // Its size is given as 0 bytes; it has millions.
      const error = yield* refusedOf((file) => fs.symlinkSync("/proc/kallsyms", file))
      assert.include(error, ".vibe/config.toml")
      assert.include(error, "is larger than 262144 bytes")
    }),
  )

  it.effect("follows a link to the user's file", () =>
    situated({}, ({ project, userFile }) =>
      Effect.gen(function* () {
        fs.writeFileSync(`${project}/elsewhere.toml`, 'defaultModel = "google/u"')
        fs.symlinkSync(`${project}/elsewhere.toml`, userFile)
        const found = yield* Effect.provide(
          Effect.suspend(() => AppConfig.model),
          Sources.layer(project),
        )
        assert.strictEqual(String(Option.getOrThrow(found)), "google/u")
      }),
    ),
  )
})

describe("Sources, in folders of another user", () => {
  const [me, other] = [1000, 1001]

  /**
   * The model that is set in `/work/shared/code`, and what is logged; `/work` is the user's, `/work/shared` another's.
   */
  const found = (environment: Readonly<Record<string, string>> = {}, user = "") =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const files = Files.layerMemory(
        {
          "/work/.vibe/config.toml": 'defaultModel = "google/mine"',
          "/work/shared/.vibe/config.toml": 'defaultModel = "google/theirs"',
          "/work/shared/code/a.ts": "",
          "/home/.config/vibe/config.toml": user,
        },
        { user: me, of: { "/work/shared": other, "/work/shared/.vibe": other } },
      )
      const model = yield* Effect.provide(
        Effect.suspend(() => AppConfig.model),
        Layer.provide(Sources.layer("/work/shared/code"), files),
      ).pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ HOME: "/home", ...environment })))),
        Effect.provide(
          Logger.replace(
            Logger.defaultLogger,
            Logger.map(Logging.line, (line) => void logged.push(line)),
          ),
        ),
      )
      return { model: String(Option.getOrThrow(model)), logged }
    })

  it.effect("skips their settings with one warning, and looks further upwards", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* found(), {
        model: "google/mine",
        logged: [
          "vibe: warn: settings of another user are ignored; if you trust that user, name the folder in safeFolders of your own configuration, or in VIBE_SAFE_FOLDERS (owner: 1001, path: /work/shared/.vibe/config.toml)",
        ],
      })
    }),
  )

  it.effect("reads them in a folder that is safe by the environment or the user's file", () =>
    Effect.gen(function* () {
      const theirs = { model: "google/theirs", logged: [] }
      assert.deepStrictEqual(yield* found({ VIBE_SAFE_FOLDERS: '["/work/shared"]' }), theirs)
      assert.deepStrictEqual(yield* found({}, 'safeFolders = ["/work/*"]'), theirs)
      assert.deepInclude(yield* found({}, 'safeFolders = ["/elsewhere"]'), { model: "google/mine" })
      assert.include(String(yield* Effect.flip(found({ VIBE_SAFE_FOLDERS: "/work/shared" }))), "VIBE_SAFE_FOLDERS")
    }),
  )
})

describe("AppConfig.generationSettings", () => {
  const user = [
    'defaultModel = "google/u"',
    "[defaults]",
    "temperature = 1",
    "n = 3",
    "[presets.cold]",
    "temperature = 0",
    'model = "google/c"',
  ].join("\n")

  const asked = (named: Option.Option<string>, situation: Situation) =>
    Effect.map(effective(AppConfig.generationSettings(named), situation), ({ maxTokens, model, n, temperature }) => ({
      model: Option.getOrNull(Option.map(model, String)),
      temperature: Option.getOrNull(temperature),
      maxTokens: Option.getOrNull(maxTokens),
      n: Option.getOrNull(n),
    }))

  it.effect("uses the preset, and the defaults for what it does not set", () =>
    Effect.gen(function* () {
      const defaults = { model: "google/u", temperature: 1, maxTokens: null, n: 3 }
      const cold = { ...defaults, model: "google/c", temperature: 0 }
      assert.deepStrictEqual(yield* asked(Option.none(), { user }), defaults)
      assert.deepStrictEqual(yield* asked(Option.some("cold"), { user }), cold)
      assert.deepStrictEqual(yield* asked(Option.none(), { user, environment: { VIBE_PRESET: "cold" } }), cold)
      assert.deepStrictEqual(yield* asked(Option.none(), { user, project: 'preset = "cold"' }), cold)
    }),
  )

  it.effect("is what the environment says over the preset that a file names, and not over one of its own", () =>
    Effect.gen(function* () {
      const project = 'preset = "p"\n[presets.p]\nmodel = "google/p"\ntemperature = 1.5'
      const environment = { VIBE_MODEL: "google/e", VIBE_TEMPERATURE: "0" }
      const ofTheEnvironment = { model: "google/e", temperature: 0, maxTokens: null, n: 3 }
      assert.deepStrictEqual(yield* asked(Option.none(), { user, project, environment }), ofTheEnvironment)
      const onlyModel = { user, project, environment: { VIBE_MODEL: "google/e" } }
      assert.deepStrictEqual(yield* asked(Option.none(), onlyModel), { ...ofTheEnvironment, temperature: 1.5 })
      const ofThePreset = { ...ofTheEnvironment, model: "google/p", temperature: 1.5 }
      assert.deepStrictEqual(yield* asked(Option.some("p"), { user, project, environment }), ofThePreset)
      const named = { user, project, environment: { ...environment, VIBE_PRESET: "p" } }
      assert.deepStrictEqual(yield* asked(Option.none(), named), ofThePreset)
    }),
  )

  it.effect("lets the project's file override the preset that the user's file names", () =>
    Effect.gen(function* () {
      const situation = { user: `preset = "cold"\n${user}`, project: "[defaults]\ntemperature = 0.5" }
      assert.deepInclude(yield* asked(Option.none(), situation), { model: "google/c", temperature: 0.5 })
    }),
  )

  it.effect("ignores the preset that is set where the flag names another", () =>
    Effect.gen(function* () {
      const project = 'preset = "p"\n[presets.p]\nmaxTokens = 5'
      assert.deepInclude(yield* asked(Option.some("cold"), { user, project }), { temperature: 0, maxTokens: null })
    }),
  )

  it.effect("lists the presets where one is named that does not exist", () =>
    Effect.gen(function* () {
      const error = String(yield* Effect.flip(asked(Option.some("hot"), { user })))
      assert.include(error, "there is no preset 'hot'; there are cold")
      assert.include(String(yield* Effect.flip(asked(Option.some("hot"), {}))), "there are none")
    }),
  )

  it.effect("says where a preset is named that does not exist: by the flag, the variable or a file", () =>
    Effect.gen(function* () {
      const error = (flag: Option.Option<string>, situation: Situation) =>
        Effect.map(Effect.flip(asked(flag, situation)), String)
      const project = 'preset = "hot"'
      const environment = { VIBE_PRESET: "hot" }
      const byFlag = yield* error(Option.some("hot"), { user })
      assert.include(byFlag, "--preset")
      assert.notInclude(byFlag, "VIBE_PRESET")
      assert.include(yield* error(Option.none(), { user, project, environment }), "VIBE_PRESET")
      const byProject = yield* error(Option.none(), { user, project })
      assert.include(byProject, "code/.vibe/config.toml")
      assert.include(byProject, "preset: there is no preset 'hot'")
      assert.notInclude(byProject, "VIBE_PRESET")
      assert.include(yield* error(Option.none(), { user: `${project}\n${user}` }), "config/vibe/config.toml")
    }),
  )

  it.effect.each<readonly [name: string, value: string]>([
    ["VIBE_TEMPERATURE", "hot"],
    ["VIBE_TEMPERATURE", "-1"],
    ["VIBE_MAX_TOKENS", "0"],
    ["VIBE_MAX_TOKENS", "1.5"],
    ["VIBE_N", "many"],
    ["VIBE_N", "21"],
  ])("refuses %s=%s, and reports it once", ([name, value]) =>
    Effect.gen(function* () {
      const situation = { environment: { [name]: value }, user: `preset = "cold"\n${user}` }
      const error = yield* Effect.flip(asked(Option.none(), situation))
      assert.isTrue(ConfigError.isConfigError(error))
      assert.include(String(error), name)
      assert.lengthOf(String(error).split(`'${value}'`), 2, "said once")
    }),
  )
})

describe("Sources.toConfigProvider", () => {
  const names = ["A", "B", "C"] as const
  const layer = FastCheck.dictionary(FastCheck.constantFrom(...names), FastCheck.stringMatching(/^[a-z]+$/))

  it.effect.prop(
    "gives each setting of the highest source that has it",
    [layer, FastCheck.array(layer, { maxLength: 3 })],
    ([highest, lower]) =>
      Effect.gen(function* () {
        const source = (settings: Readonly<Record<string, string>>): Sources.Source => ({
          name: "x",
          preset: Option.none(),
          provider: Sources.fromSettings(Object.entries(settings).map(([name, value]) => [[name], value])),
        })
        const provider = Sources.toConfigProvider([source(highest), ...lower.map(source)])
        for (const name of names) {
          const said = yield* Effect.withConfigProvider(Config.option(Config.string(name)), provider)
          const expected = [highest, ...lower].map((settings) => settings[name]).find((value) => value !== undefined)
          assert.deepStrictEqual(said, Option.fromNullable(expected))
        }
      }),
  )
})

describe("a project's file", () => {
  const user = [
    "maxCost = 1",
    'record = "mine"',
    'safeFolders = ["/mine"]',
    '[models."openai/gpt-5"]',
    "prices = { input = 5, output = 50 }",
    "[agents.mine]",
    'command = "my-agent"',
    "[providers.work]",
    'baseUrl = "https://work"',
    "[web_search]",
    'command = ["my-search"]',
    "[mcp.files]",
    'command = "my-server"',
  ].join("\n")

  const ofUser = Either.getOrThrow(ConfigFile.read(user, "user"))

  /** The settings with those of a project's file above the user's. */
  const provided = (ofProject: ConfigFile.SettingValues) => {
    const source = (name: string, settings: ConfigFile.SettingValues): Sources.Source => ({
      name,
      preset: Option.none(),
      provider: Sources.fromSettings(settings),
    })
    return Sources.toConfigProvider([source("environment", []), source("project", ofProject), source("user", ofUser)])
  }

  /** Everything but what a project may set: models, presets, sampling and retries. */
  const guarded = (provider: ConfigProvider.ConfigProvider) =>
    Effect.withConfigProvider(
      Effect.gen(function* () {
        const { maxCost, maxRunTokens, record, replay } = yield* AppConfig.requestPolicy
        const prices = HashMap.toEntries(yield* AppConfig.models).flatMap(([id, { price }]) =>
          price ? [{ id, price }] : [],
        )
        const known = yield* Effect.forEach([servers.openai, servers.groq, servers.vllm], ProviderConfig.server)
        return JSON.stringify([
          [maxCost, maxRunTokens, record, replay, prices, known],
          HashMap.toEntries(yield* AppConfig.agents),
          HashMap.toEntries(yield* ProviderConfig.customServers),
          HashMap.toEntries(yield* AppConfig.toolServers),
          yield* AppConfig.webSearch,
          yield* AppConfig.safeFolders,
          yield* AppConfig.modelsUrl,
          yield* AppConfig.editor,
          yield* ProviderConfig.googleApiKey,
          yield* ProviderConfig.googleBaseUrl,
          yield* ProviderConfig.anthropicApiKey,
          yield* ProviderConfig.anthropicBaseUrl,
          yield* ProviderConfig.ollamaHost,
        ])
      }),
      provider,
    )

  const alone = Effect.runSync(guarded(provided([])))

  const { constantFrom, dictionary, double, integer, oneof, record, string, tuple } = FastCheck

  /** Characters that could join or split parts of a path. */
  const separator = constantFrom("\n", "\r", "\r\n", "\0", "\u001f", "\u0085", "\ufeff", ".", "_", ",", "/", "[0]", "")
  const part = constantFrom("prices", "command", "baseUrl", "VIBE_MAX_COST")
  const named = tuple(constantFrom("openai/gpt-5", "mine", "work"), separator, part)
  const key = oneof({ weight: 5, arbitrary: named.map((parts) => parts.join("")) }, { weight: 1, arbitrary: string() })
  const limits = record(
    { context: integer({ min: 1 }), output: integer({ min: 1 }), total: integer({ min: 1 }) },
    { requiredKeys: [] },
  )
  const drawn = record(
    { temperature: double({ min: 0, noNaN: true }), maxTokens: integer({ min: 1 }) },
    { requiredKeys: [] },
  )
  const file = record(
    {
      models: dictionary(key, limits, { minKeys: 1, maxKeys: 3 }),
      presets: dictionary(constantFrom("a", "b-c"), drawn),
      defaults: drawn,
      defaultModel: constantFrom("openai/gpt-5", "google/x"),
      preset: constantFrom("a", "VIBE_MODELS"),
      maxRetries: integer({ min: 0, max: 100 }),
      maxWait: double({ min: 0, noNaN: true }),
    },
    { requiredKeys: ["models"] },
  )

  it.effect.prop(
    "changes no setting that only the user may set, whatever is in it",
    [oneof({ weight: 5, arbitrary: file }, { weight: 1, arbitrary: dictionary(key, oneof(limits, key)) })],
    ([project]) =>
      Effect.gen(function* () {
        const settings = ConfigFile.read(stringify(project), "project")
        // A refused file sets nothing.
        if (Either.isLeft(settings)) return
        assert.strictEqual(yield* guarded(provided(settings.right)), alone)
      }),
    { fastCheck: { numRuns: cases(300), examples: [[{ models: { "openai/gpt-5\nprices": { output: 1 } } }]] } },
  )

  it.effect("sets no price by a line break in the id of a model", () =>
    Effect.gen(function* () {
      const situation = { user, project: '[models."openai/gpt-5\\nprices"]\noutput = 1' }
      const error = yield* refused(situation)
      assert.include(error, ".vibe/config.toml:1")
      assert.include(error, "without control characters")
    }),
  )

  it.effect("is reported with its line where a number in it is infinite", () =>
    Effect.gen(function* () {
      for (const text of ["\nmaxWait = inf", "[defaults]\ntemperature = inf", "[presets.a]\ntemperature = +inf"]) {
        const error = yield* refused({ project: text })
        assert.include(error, ".vibe/config.toml:2")
        assert.notInclude(error, "VIBE_")
      }
      for (const text of ["\nmaxCost = inf", '[models."a/b"]\nprices = { input = inf, output = 1 }']) {
        assert.include(yield* refused({ user: text }), "config/vibe/config.toml:2")
      }
    }),
  )
})

describe("Sources.fromSettings", () => {
  const { array, constantFrom, tuple, uniqueArray } = FastCheck
  const path = array(constantFrom("a", "b", "a\nb", "a.b", "a[0]", "[0]", ""), { minLength: 1, maxLength: 3 })

  it.effect.prop(
    "keeps each setting at its own path, whatever characters the path has",
    [uniqueArray(tuple(path, constantFrom("1", "2, 3")), { selector: ([path]) => JSON.stringify(path) })],
    ([settings]) =>
      Effect.gen(function* () {
        const { flattened, load } = Sources.fromSettings(settings)
        for (const [path, value] of settings) {
          const [last = "", ...above] = path.toReversed()
          const nested = above.reduce((config, name) => Config.nested(config, name), Config.string(last))
          assert.strictEqual(yield* load(nested), value)
          assert.isTrue(Array.from(yield* flattened.enumerateChildren(path.slice(0, -1))).includes(last))
        }
        const names = new Set(settings.map(([[first]]) => first))
        assert.deepStrictEqual(new Set(yield* flattened.enumerateChildren([])), names)
      }),
  )
})
