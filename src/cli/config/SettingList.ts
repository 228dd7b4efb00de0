/** The output of `vibe config`: text, and an object for `--json`. It contains no secrets. Pure. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import * as Url from "../../base/Url.ts"
import type { GenerationSettings, ToolServer } from "../../config/AppConfig.ts"
import type { CustomServer } from "../../config/ProviderConfig.ts"
import type { Setting } from "../../config/Settings.ts"
import type { AgentEntry } from "../../model/AgentProgram.ts"
import type { ModelEntry } from "../../model/ModelEntry.ts"

export interface List {
  readonly files: { readonly user: string | undefined; readonly read: ReadonlyArray<string> }
  readonly settings: ReadonlyArray<EffectiveSetting>
  readonly presets: ReadonlyArray<NamedEntry>
  readonly models: ReadonlyArray<NamedEntry>
  readonly agents: ReadonlyArray<NamedEntry>
  readonly providers: ReadonlyArray<NamedEntry>
  /** Tool servers. */
  readonly mcp: ReadonlyArray<NamedEntry>
}

/** A setting with its value in effect, if that may be shown, and the source of the value. */
export interface EffectiveSetting {
  readonly setting: Setting
  readonly isSet: boolean
  /** Undefined for a secret, and for a setting that is not set. */
  readonly value: string | undefined
  /** The environment, a file or a preset; undefined if none of them sets it, so that the default applies. */
  readonly from: string | undefined
}

/** A preset, model, agent or provider that the user has named, and the files that configure it. */
interface NamedEntry {
  readonly name: string
  readonly value: object
  /** The text that people read in place of the value. */
  readonly text?: string | undefined
  readonly from: ReadonlyArray<string>
}

/** A value of a setting, and its source. */
interface SourceValue {
  readonly value: string
  /** The environment, a file or a preset. */
  readonly from: string
}

export const describeSetting = (setting: Setting, found: SourceValue | undefined): EffectiveSetting => ({
  setting,
  isSet: found !== undefined,
  value: found === undefined || setting.isSecret ? undefined : Url.withoutSecrets(found.value),
  from: found?.from,
})

export const preset = ({ maxTokens, model, n, temperature }: GenerationSettings): object =>
  present({ model: Option.map(model, String), temperature, maxTokens, n })

const present = (parts: Readonly<Record<string, Option.Option<string | number>>>): object =>
  Object.fromEntries(Object.entries(parts).flatMap(([name, part]) => (Option.isSome(part) ? [[name, part.value]] : [])))

/** The object has the keys of the configuration file. */
export const model = ({ context, output, price, total }: ModelEntry): object => ({
  ...(context !== undefined && { context }),
  ...(output !== undefined && { output }),
  ...(total !== undefined && { total }),
  ...(price !== undefined && { prices: { ...price } }),
})

/** The object has the keys of the configuration file. It omits the arguments, since they may hold a key. */
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

/** The object has the keys of the configuration file. It omits the arguments, since they may hold a key. */
export const toolServer = (server: ToolServer): object => ({
  ...(server._tag === "Program"
    ? { command: server.command, ...(server.env.length > 0 && { env: server.env }) }
    : {
        url: Url.withoutSecrets(server.url),
        ...(server.keyVariable !== undefined && { keyVariable: server.keyVariable }),
        ...(server.header !== undefined && { header: server.header }),
      }),
  ...(server.only !== undefined && { only: server.only }),
  ...(server.timeout !== undefined && { timeout: Duration.toSeconds(server.timeout) }),
})

/**
 * Formats `node …/index.js (only: echo)`. It shows only the first argument that is a path, without its folders: any
 * other may be a key, or hold one.
 */
export const toolServerText = (server: ToolServer): string => {
  const { only, timeout } = server
  const facts = [
    ...(server._tag === "Program"
      ? server.env.length > 0
        ? [`env: ${server.env.join(", ")}`]
        : []
      : server.keyVariable === undefined
        ? []
        : [`key: ${server.keyVariable}${server.header === undefined ? "" : ` in ${server.header}`}`]),
    ...(only === undefined ? [] : [`only: ${only.join(", ")}`]),
    ...(timeout === undefined ? [] : [`timeout: ${Duration.toSeconds(timeout)} s`]),
  ]
  const what =
    server._tag === "Program" ? `${server.command}${argumentsText(server.args)}` : Url.withoutSecrets(server.url)
  return facts.length === 0 ? what : `${what}  (${facts.join("; ")})`
}

const argumentsText = (args: ReadonlyArray<string>): string => {
  const script = args.find((argument) =>
    /^(?:\.{0,2}|[A-Za-z]:)[/\\][\w@./\\ -]*\.(?:[cm]?[jt]s|py|rb|jar|sh)$/.test(argument),
  )
  if (script !== undefined) return ` …/${script.split(/[/\\]/).at(-1)}${args.length > 1 ? " …" : ""}`
  return args.length === 0 ? "" : " …"
}

/** `value` is null for a setting that is not set and for a secret. For a secret only `isSet` is printed. */
export const object = ({ agents, files, mcp, models, presets, providers, settings }: List): object => ({
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
  mcp: mcp.map(({ from, name, value }) => ({ name, value, from })),
})

/** Puts what is set first, with the tables that the user has named: they are few among some fifty defaults. */
export const text = (
  { agents, files, mcp, models, presets, providers, settings }: List,
  { quiet, strong }: Pick<Style, "quiet" | "strong">,
): string => {
  const rows = settings.map(({ from, isSet, setting, value }) => ({
    name: setting.key ?? setting.name,
    value: sanitizeLine(value ?? (isSet ? "set" : (setting.builtIn ?? "not set"))),
    from: from === undefined ? "" : sanitizeLine(from),
    isSet,
  }))
  const names = Math.max(...rows.map(({ name }) => name.length))
  // Only these values have a column to their right.
  const values = Math.max(...rows.filter(({ from }) => from !== "").map(({ value }) => value.length))
  const lines = (isSet: boolean) =>
    rows
      .filter((row) => row.isSet === isSet)
      .map(({ from, name, value }) =>
        `  ${name.padEnd(names)}  ${from === "" ? quiet(value) : value.padEnd(values)}  ${quiet(from)}`.trimEnd(),
      )
  const [set, defaults] = [lines(true), lines(false)]
  return [
    strong("Settings"),
    ...(set.length === 0 ? ["  none is set"] : set),
    ...section("Presets", presets, { quiet, strong }),
    ...section("Models", models, { quiet, strong }),
    ...section("Agents", agents, { quiet, strong }),
    ...section("Providers", providers, { quiet, strong }),
    ...section("Tool servers", mcp, { quiet, strong }),
    ...(defaults.length === 0 ? [] : ["", strong("Defaults"), ...defaults]),
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

const section = (
  title: string,
  all: ReadonlyArray<NamedEntry>,
  { quiet, strong }: Pick<Style, "quiet" | "strong">,
): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        "",
        strong(title),
        ...all.map(
          ({ from, name, text, value }) =>
            `  ${sanitizeLine(name)}  ${sanitizeLine(text ?? JSON.stringify(value))}  ${quiet(sanitizeLine(from.join(", ")))}`,
        ),
      ]
