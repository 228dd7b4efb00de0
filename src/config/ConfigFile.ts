/**
 * A configuration file: what it may say, as settings by the names users type. Keys and the addresses of providers are not
 * among them: no file can send a key somewhere. What can be run, and what servers of their own there are, the user's own
 * file says alone, under `agents` and `providers`.
 */
import * as path from "node:path"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { parse as parseToml, TomlError } from "smol-toml"
import * as Issues from "../message/Issues.ts"
import * as ModelId from "../message/ModelId.ts"
import { formats } from "../model/AgentPrompt.ts"
import { Price } from "../model/ModelEntry.ts"
import { mostAnswers, mostRetries } from "./AppConfig.ts"
import { lineOf } from "./internal/lineOf.ts"
import { wrongUrl } from "./internal/value.ts"
import { knownProviders } from "./ProviderConfig.ts"

/** Whose file it is. A project's came with the code, so whoever wrote the code wrote it: it is trusted less. */
export type Owner = "user" | "project"

/** What is wrong with a file. */
export interface Problem {
  /** From 1; none where it is not known. */
  readonly line: number | undefined
  /** Names the key where there is one. */
  readonly message: string
}

/** Settings by their path, as `AppConfig` declares them: `VIBE_PRESETS`, `careful`, `temperature`. */
export type Settings = ReadonlyArray<readonly [path: ReadonlyArray<string>, value: string]>

export const read = (text: string, owner: Owner): Either.Either<Settings, Problem> =>
  Either.gen(function* () {
    const toml = yield* parsed(text)
    const file = yield* Either.mapLeft(decode(toml), (error) => problem(text, error))
    const refused = owner === "project" ? refusal(file) : undefined
    if (refused !== undefined) return yield* Either.left(at(text, refused))
    return settings(file)
  })

const Count = Schema.Int.pipe(Schema.positive())

const Amount = Schema.NonNegative.pipe(Schema.finite())

/** Names and paths are one line: a control character in one is a mistake, or meant to mislead the reader. */
const Line = Schema.String.pipe(Schema.filter((text) => isLine(text) || notALine))

const notALine = "holds a control character"

const isLine = (text: string): boolean => !/\p{Cc}/u.test(text)

const Model = Schema.String.pipe(
  Schema.filter((text) =>
    isLine(text) ? Either.match(ModelId.parse(text), { onLeft: (wrong) => wrong, onRight: () => true }) : notALine,
  ),
  Schema.annotations({ description: "a model, PROVIDER/NAME without control characters" }),
)

const Drawn = {
  temperature: Schema.optional(Amount),
  maxTokens: Schema.optional(Count),
  n: Schema.optional(Count.pipe(Schema.lessThanOrEqualTo(mostAnswers))),
}

const Entry = Schema.Struct({
  context: Schema.optional(Count),
  output: Schema.optional(Count),
  total: Schema.optional(Count),
  prices: Schema.optional(Price),
})

const isName = (text: string): boolean => /^[\w-]+$/.test(text)

const aName = { description: "a name of letters, digits, hyphens and underscores" }

const Name = Schema.String.pipe(Schema.filter(isName), Schema.annotations(aName))

/** Not a path from where one happens to stand: that is the project's to fill. */
const Command = Line.pipe(
  Schema.nonEmptyString(),
  Schema.filter(
    (command) => !/[/\\]/.test(command) || path.isAbsolute(command) || "is a name on PATH or an absolute path",
  ),
)

const Agent = Schema.Struct({
  command: Schema.optional(Command),
  args: Schema.optional(Schema.Array(Schema.String)),
  format: Schema.optional(Schema.Literal(...formats)),
  timeout: Schema.optional(Amount),
  env: Schema.optional(Schema.Array(Schema.String.pipe(Schema.pattern(/^\w+$/)))),
})

const WebSearch = Schema.Struct({
  command: Schema.NonEmptyArray(Schema.String).pipe(
    Schema.filter(([command]) => Schema.is(Command)(command) || "begins with a name on PATH or an absolute path"),
  ),
  env: Schema.optional(Schema.Array(Schema.String.pipe(Schema.pattern(/^\w+$/)))),
})

/** Not of a provider that there is: its address does not come from a file. */
const ServerName = Schema.String.pipe(
  Schema.filter((name) => isName(name) && !knownProviders.includes(name)),
  Schema.annotations(aName),
)

const Server = Schema.Struct({
  baseUrl: Schema.String.pipe(Schema.filter((url) => wrongUrl(url) ?? true)),
  keyVariable: Schema.optional(Schema.String.pipe(Schema.pattern(/^\w+$/))),
})

const SafeFolder = Line.pipe(
  Schema.filter((folder) => folder === "*" || path.isAbsolute(folder) || "is an absolute path, or *"),
)

const File = Schema.Struct({
  defaultModel: Schema.optional(Model),
  preset: Schema.optional(Line.pipe(Schema.nonEmptyString())),
  maxRetries: Schema.optional(Schema.Int.pipe(Schema.between(0, mostRetries))),
  maxWait: Schema.optional(Amount),
  maxCost: Schema.optional(Amount),
  maxRunTokens: Schema.optional(Count),
  record: Schema.optional(Line.pipe(Schema.nonEmptyString())),
  replay: Schema.optional(Line.pipe(Schema.nonEmptyString())),
  safeFolders: Schema.optional(Schema.Array(SafeFolder)),
  defaults: Schema.optional(Schema.Struct(Drawn)),
  presets: Schema.optional(
    Schema.Record({
      key: Name,
      value: Schema.Struct({ model: Schema.optional(Model), ...Drawn }),
    }),
  ),
  models: Schema.optional(Schema.Record({ key: Model, value: Entry })),
  agents: Schema.optional(Schema.Record({ key: Name, value: Agent })),
  providers: Schema.optional(Schema.Record({ key: ServerName, value: Server })),
  web_search: Schema.optional(WebSearch),
})
type File = typeof File.Type

const decode = Schema.decodeUnknownEither(File, { errors: "all", onExcessProperty: "error" })

/** Deeper than anything that means something here. */
const maxDepth = 16

const parsed = (text: string): Either.Either<unknown, Problem> =>
  Either.try({
    try: () => parseToml(text, { maxDepth, unsafeKeyBehaviour: "throw" }),
    catch: (cause) => ({
      line: cause instanceof TomlError ? cause.line : undefined,
      // What follows the first line draws the place.
      message: cause instanceof Error ? `is no TOML: ${firstLine(cause.message)}` : "is no TOML",
    }),
  })

const firstLine = (message: string): string => (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "")

interface Place {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const at = (text: string, { message, path }: Place): Problem => ({
  line: lineOf(text, path.map(String)),
  message: Issues.line(path.map(quotePart), message),
})

const quotePart = (part: PropertyKey): string => (isLine(String(part)) ? String(part) : JSON.stringify(part))

/** The first of them: the others are told when that one is mended. */
const problem = (text: string, error: ParseResult.ParseError): Problem => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error).filter(
    ({ message }) => !message.startsWith("Expected undefined,"),
  )
  const [issue] = issues
  return issue === undefined ? { line: undefined, message: "is not as expected" } : at(text, explained(issue))
}

const explained = ({ message, path }: Place): Place => {
  const [, expected] = /^is unexpected, expected: (.*)$/.exec(message) ?? []
  if (expected === undefined) return { path, message }
  const key = String(path.at(-1))
  if (sensitive.test(key) || knownProviders.includes(key)) {
    return { path, message: `is not read from a file: ${elsewhere}` }
  }
  return expected.startsWith('"')
    ? { path, message: `is unknown; there are ${expected.replaceAll('"', "").replaceAll(" | ", ", ")}` }
    : // Names of the user's choosing have a schema, not a list.
      { path, message: `is not ${expected}` }
}

const elsewhere =
  "keys and addresses come from the environment alone, commands and servers of your own from [agents.NAME], [providers.NAME] and [web_search] in your own file"

const sensitive = /key|secret|password|credential|auth|url|endpoint|host|proxy|header|command|args|env|mcp|provider/i

/** What a project may not say, though a user may. */
const refusal = (file: File): Place | undefined => {
  const { agents, defaultModel, models = {}, presets = {}, providers } = file
  const named: ReadonlyArray<readonly [path: ReadonlyArray<string>, model: string | undefined]> = [
    [["defaultModel"], defaultModel],
    ...Object.entries(presets).map(([name, { model }]) => [["presets", name, "model"], model] as const),
  ]
  const theirs = named.flatMap(([path, model]) => {
    const message = usersOwn.get(providerOf(model))
    return message === undefined ? [] : [{ path, message }]
  })[0]
  if (theirs !== undefined) return theirs
  if (agents !== undefined) return { path: ["agents"], message: "what is run is the user's to say" }
  if (file.web_search !== undefined) return { path: ["web_search"], message: "what is run is the user's to say" }
  if (providers !== undefined)
    return { path: ["providers"], message: "who is asked, with which key, is the user's to say" }
  if (file.safeFolders !== undefined) return { path: ["safeFolders"], message: "who is trusted is the user's to say" }
  const own = usersOwnSettings.find((name) => file[name] !== undefined)
  if (own !== undefined)
    return { path: [own], message: "what a run may cost, and who may see it, is the user's to say" }
  const priced = Object.entries(models).find(([, { prices }]) => prices !== undefined)
  return priced && { path: ["models", priced[0], "prices"], message: "what a model costs is the user's to say" }
}

const usersOwnSettings = ["maxCost", "maxRunTokens", "record", "replay"] as const

/** Providers that a project may not choose, and why. */
const usersOwn: ReadonlyMap<string, string> = new Map([
  ["scripted", "a project cannot bring the answers along: its file may not name a script"],
  ["cli", "a project cannot have a program run: its file may not name an agent"],
])

/** `scripted` alone names a script as well: the file of that name. */
const providerOf = (model = ""): string =>
  Either.match(ModelId.parse(model), { onLeft: () => "", onRight: ({ provider }) => provider })

const settings = (file: File): Settings => {
  const { agents = {}, defaultModel, defaults = {}, models = {}, preset, presets = {}, providers = {} } = file
  const drawn = ({ maxTokens, n, temperature }: NonNullable<File["defaults"]>) => ({ temperature, maxTokens, n })
  const all: ReadonlyArray<readonly [path: ReadonlyArray<string>, value: string | number | undefined]> = [
    [["VIBE_MODEL"], defaultModel],
    [["VIBE_PRESET"], preset],
    [["VIBE_MAX_RETRIES"], file.maxRetries],
    [["VIBE_MAX_WAIT"], file.maxWait],
    [["VIBE_MAX_COST"], file.maxCost],
    [["VIBE_MAX_RUN_TOKENS"], file.maxRunTokens],
    [["VIBE_RECORD"], file.record],
    [["VIBE_REPLAY"], file.replay],
    [["VIBE_SAFE_FOLDERS"], file.safeFolders && JSON.stringify(file.safeFolders)],
    [["VIBE_WEB_SEARCH"], file.web_search && JSON.stringify(file.web_search.command)],
    [["VIBE_WEB_SEARCH_ENV"], file.web_search?.env && JSON.stringify(file.web_search.env)],
    [["VIBE_TEMPERATURE"], defaults.temperature],
    [["VIBE_MAX_TOKENS"], defaults.maxTokens],
    [["VIBE_N"], defaults.n],
    ...Object.entries(presets).flatMap(([name, preset]) =>
      Object.entries({ model: preset.model, ...drawn(preset) }).map(
        ([part, value]) => [["VIBE_PRESETS", name, part], value] as const,
      ),
    ),
    ...Object.entries(models).flatMap(([id, { prices, ...limits }]) => [
      ...Object.entries(limits).map(([part, value]) => [["VIBE_MODELS", id, part], value] as const),
      ...Object.entries(prices ?? {}).map(([part, value]) => [["VIBE_MODELS", id, "prices", part], value] as const),
    ]),
    ...Object.entries(agents).flatMap(([name, { args, env, ...agent }]) =>
      Object.entries({ ...agent, args: args && JSON.stringify(args), env: env && JSON.stringify(env) }).map(
        ([part, value]) => [["VIBE_AGENTS", name, part], value] as const,
      ),
    ),
    ...Object.entries(providers).flatMap(([name, server]) =>
      Object.entries(server).map(([part, value]) => [["VIBE_PROVIDERS", name, part], value] as const),
    ),
  ]
  return all.flatMap(([path, value]) => (value === undefined ? [] : [[path, String(value)] as const]))
}
