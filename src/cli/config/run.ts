/** Runs `vibe config`. */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import * as Settings from "../../config/Settings.ts"
import * as Sources from "../../config/Sources.ts"
import * as UserFiles from "../../config/UserFiles.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import * as SettingList from "./SettingList.ts"

export const run = Effect.fn("cli.config")(function* ({ json, path }: Input) {
  const { out } = yield* Screen.Screen
  const userFile = yield* UserFiles.configFile
  if (path) {
    const file = yield* Effect.mapError(userFile, () => ConfigError.MissingData(["HOME"], "is not set"))
    return yield* Screen.line(out, json ? sanitizeJson({ path: file }) : sanitizeLine(file))
  }
  const sources = yield* Sources.load(".")
  const effective = Sources.toConfigProvider(sources)
  // A setting with an invalid value is an error here, as it is in the commands that use it.
  yield* Effect.withConfigProvider(
    Config.all([AppConfig.generationSettings(), AppConfig.requestPolicy, ProviderConfig.googleBaseUrl]),
    effective,
  )
  const list = {
    files: { user: Option.getOrUndefined(userFile), read: sources.slice(1).map(({ name }) => name) },
    settings: yield* Effect.forEach(Settings.settings, (setting) => findEffective(sources, setting)),
    presets: yield* listEntries(sources, AppConfig.presets, SettingList.preset),
    models: yield* listEntries(sources, AppConfig.models, SettingList.model),
    agents: yield* listEntries(sources, AppConfig.agents, SettingList.agent),
    providers: yield* listEntries(sources, ProviderConfig.customServers, SettingList.provider),
    mcp: yield* listEntries(sources, AppConfig.toolServers, SettingList.toolServer, SettingList.toolServerText),
  }
  yield* Screen.line(out, json ? sanitizeJson(SettingList.object(list)) : SettingList.text(list, out.style))
})

/** The value that a preset gives to a setting. */
const findInPreset = Effect.fnUntraced(function* (sources: Sources.Sources, name: string, setting: Settings.Setting) {
  const presets = yield* Sources.toConfigProvider(sources).load(AppConfig.presets)
  const value = Option.flatMap(HashMap.get(presets, name), (preset) => AppConfig.partOfPreset(preset, setting))
  return Option.map(value, (value) => ({ from: `preset ${name}`, value: String(value) }))
})

/**
 * Finds the value of a setting in the highest source that sets it. A preset ranks just above the source that names it.
 */
const findEffective = Effect.fnUntraced(function* (sources: Sources.Sources, setting: Settings.Setting) {
  for (const [place, { name: from, preset, provider }] of sources.entries()) {
    if (place === Sources.findPresetSource(sources) && Option.isSome(preset)) {
      const found = yield* findInPreset(sources, preset.value, setting)
      if (Option.isSome(found)) return SettingList.describeSetting(setting, found.value)
    }
    for (const name of [setting.name, setting.otherName]) {
      const value = name === undefined ? Option.none() : yield* Effect.option(provider.load(Config.string(name)))
      if (Option.isSome(value)) return SettingList.describeSetting(setting, { from, value: value.value })
    }
  }
  return SettingList.describeSetting(setting, undefined)
})

/** The entries of a table with keys that the user chooses: their values over all sources, and the sources of each. */
const listEntries = <A>(
  sources: Sources.Sources,
  config: Config.Config<HashMap.HashMap<string, A>>,
  object: (value: A) => object,
  text?: (value: A) => string,
) =>
  Effect.gen(function* () {
    const all = yield* Sources.toConfigProvider(sources).load(config)
    const parts = yield* Effect.forEach(sources, ({ name, provider }) =>
      Effect.map(provider.load(config), (entries) => ({ name, entries })),
    )
    return HashMap.toEntries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({
        name,
        value: object(value),
        text: text?.(value),
        from: parts.filter(({ entries }) => HashMap.has(entries, name)).map(({ name }) => name),
      }))
  })
