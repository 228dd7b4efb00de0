/** What `vibe config` prints: as text for people, and as an object for programs. No secret gets in here. Pure. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { GenerationSettings } from "../../config/AppConfig.ts"
import type { CustomServer } from "../../config/ProviderConfig.ts"
import type { Setting } from "../../config/Settings.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import * as Url from "../../message/Url.ts"
import type { AgentEntry } from "../../model/AgentEntry.ts"
import type { ModelEntry } from "../../model/ModelEntry.ts"
import type { Style } from "../terminal/Style.ts"

export interface List {
  readonly files: { readonly user: string | undefined; readonly read: ReadonlyArray<string> }
  readonly settings: ReadonlyArray<Held>
  readonly presets: ReadonlyArray<Named>
  readonly models: ReadonlyArray<Named>
  readonly agents: ReadonlyArray<Named>
  readonly providers: ReadonlyArray<Named>
}

/** A setting, what it is set to where that may be shown, and by whom. */
export interface Held {
  readonly setting: Setting
  readonly isSet: boolean
  /** What it is set to; none of a secret. */
  readonly value: string | undefined
  /** The environment, a file or a preset; none where nobody sets it, and what is built in holds. */
  readonly from: string | undefined
}

/** What has a name of the user's choosing, and the files that have a part in it. */
export interface Named {
  readonly name: string
  readonly value: object
  readonly from: ReadonlyArray<string>
}

/** What somebody sets a setting to. */
export interface Found {
  readonly value: string
  /** The environment, a file or a preset. */
  readonly from: string
}

export const held = (setting: Setting, found: Found | undefined): Held => ({
  setting,
  isSet: found !== undefined,
  value: found === undefined || setting.isSecret ? undefined : Url.withoutSecrets(found.value),
  from: found?.from,
})

export const preset = ({ maxTokens, model, n, temperature }: GenerationSettings): object =>
  present({ model: Option.map(model, String), temperature, maxTokens, n })

const present = (parts: Readonly<Record<string, Option.Option<string | number>>>): object =>
  Object.fromEntries(Object.entries(parts).flatMap(([name, part]) => (Option.isSome(part) ? [[name, part.value]] : [])))

/** In the words of the file. */
export const model = ({ context, output, price, total }: ModelEntry): object => ({
  ...(context !== undefined && { context }),
  ...(output !== undefined && { output }),
  ...(total !== undefined && { total }),
  ...(price !== undefined && { prices: { ...price } }),
})

/** In the words of the file, but for the arguments: they may hold a key. */
export const agent = ({ command, env, format, timeout }: AgentEntry): object => ({
  ...(command !== undefined && { command }),
  ...(format !== undefined && { format }),
  ...(timeout !== undefined && { timeout: Duration.toSeconds(timeout) }),
  ...(env !== undefined && { env }),
})

export const provider = ({ baseUrl, keyVariable }: CustomServer): object => ({
  baseUrl: Url.withoutSecrets(baseUrl),
  ...(keyVariable !== undefined && { keyVariable }),
})

/** `value` is null where nobody sets it, and of a secret, of which `isSet` is all that is told. */
export const object = ({ agents, files, models, presets, providers, settings }: List): object => ({
  files: { user: files.user ?? null, read: files.read },
  settings: settings.map(({ from, isSet, setting, value }) => ({
    name: setting.name,
    key: setting.key ?? null,
    value: value ?? null,
    isSet,
    from: from ?? null,
    builtIn: setting.builtIn ?? null,
  })),
  presets,
  models,
  agents,
  providers,
})

export const text = (
  { agents, files, models, presets, providers, settings }: List,
  { quiet, strong }: Style,
): string => {
  const rows = settings.map(({ from, isSet, setting, value }) => ({
    name: setting.key ?? setting.name,
    value: sanitizeLine(value ?? (isSet ? "set" : (setting.builtIn ?? "not set"))),
    from: from === undefined ? "" : sanitizeLine(from),
  }))
  const names = Math.max(...rows.map(({ name }) => name.length))
  // Only these values have a column to their right.
  const values = Math.max(...rows.filter(({ from }) => from !== "").map(({ value }) => value.length))
  return [
    strong("Settings"),
    ...rows.map(({ from, name, value }) =>
      `  ${name.padEnd(names)}  ${from === "" ? quiet(value) : value.padEnd(values)}  ${quiet(from)}`.trimEnd(),
    ),
    ...section("Presets", presets, { quiet, strong }),
    ...section("Models", models, { quiet, strong }),
    ...section("Agents", agents, { quiet, strong }),
    ...section("Providers", providers, { quiet, strong }),
    "",
    quiet(
      sanitizeLine(
        files.read.length === 0
          ? `no configuration file is there; yours would be ${files.user ?? "in your home folder, and you have none"}`
          : `read: ${files.read.join(", ")}`,
      ),
    ),
  ].join("\n")
}

const section = (title: string, all: ReadonlyArray<Named>, { quiet, strong }: Style): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        "",
        strong(title),
        ...all.map(
          ({ from, name, value }) =>
            `  ${sanitizeLine(name)}  ${sanitizeLine(JSON.stringify(value))}  ${quiet(sanitizeLine(from.join(", ")))}`,
        ),
      ]
