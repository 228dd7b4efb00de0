/**
 * A configuration file: what it may say, as settings by the names users type. Keys, addresses and commands are not
 * among them: no file can send a key somewhere, or have something run.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { parse as parseToml, TomlError } from "smol-toml"
import * as Issues from "../message/Issues.ts"
import * as ModelId from "../message/ModelId.ts"
import { Price } from "../model/ModelEntry.ts"
import { mostAnswers } from "./AppConfig.ts"
import { lineOf } from "./internal/lineOf.ts"

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

const Model = Schema.String.pipe(
  Schema.filter((text) => Either.match(ModelId.parse(text), { onLeft: (wrong) => wrong, onRight: () => true })),
)

const Drawn = {
  temperature: Schema.optional(Schema.NonNegative),
  maxTokens: Schema.optional(Count),
  n: Schema.optional(Count.pipe(Schema.lessThanOrEqualTo(mostAnswers))),
}

const Entry = Schema.Struct({
  context: Schema.optional(Count),
  output: Schema.optional(Count),
  total: Schema.optional(Count),
  prices: Schema.optional(Price),
})

const File = Schema.Struct({
  defaultModel: Schema.optional(Model),
  preset: Schema.optional(Schema.NonEmptyString),
  defaults: Schema.optional(Schema.Struct(Drawn)),
  presets: Schema.optional(
    Schema.Record({
      key: Schema.String.pipe(Schema.pattern(/^[\w-]+$/)),
      value: Schema.Struct({ model: Schema.optional(Model), ...Drawn }),
    }),
  ),
  models: Schema.optional(Schema.Record({ key: Schema.String, value: Entry })),
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
  message: Issues.line(path, message),
})

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
  return sensitive.test(String(path.at(-1)))
    ? { path, message: "is not read from a file: keys, addresses and commands come from the environment alone" }
    : { path, message: `is unknown; there are ${expected.replaceAll('"', "").replaceAll(" | ", ", ")}` }
}

const sensitive = /key|secret|password|credential|auth|url|endpoint|host|proxy|header|command|args|env|mcp|provider/i

/** What a project may not say, though a user may. */
const refusal = ({ defaultModel, models = {}, presets = {} }: File): Place | undefined => {
  const named: ReadonlyArray<readonly [path: ReadonlyArray<string>, model: string | undefined]> = [
    [["defaultModel"], defaultModel],
    ...Object.entries(presets).map(([name, { model }]) => [["presets", name, "model"], model] as const),
  ]
  const scripted = named.find(([, model]) => model !== undefined && isScripted(model))
  if (scripted !== undefined) {
    return { path: scripted[0], message: "a project cannot bring the answers along: its file may not name a script" }
  }
  const priced = Object.entries(models).find(([, { prices }]) => prices !== undefined)
  return priced && { path: ["models", priced[0], "prices"], message: "what a model costs is the user's to say" }
}

/** `scripted` alone names a script as well: the file of that name. */
const isScripted = (model: string): boolean =>
  Either.match(ModelId.parse(model), { onLeft: () => false, onRight: ({ provider }) => provider === "scripted" })

const settings = ({ defaultModel, defaults = {}, models = {}, preset, presets = {} }: File): Settings => {
  const drawn = ({ maxTokens, n, temperature }: NonNullable<File["defaults"]>) => ({ temperature, maxTokens, n })
  const all: ReadonlyArray<readonly [path: ReadonlyArray<string>, value: string | number | undefined]> = [
    [["VIBE_MODEL"], defaultModel],
    [["VIBE_PRESET"], preset],
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
  ]
  return all.flatMap(([path, value]) => (value === undefined ? [] : [[path, String(value)] as const]))
}
