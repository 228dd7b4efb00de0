/**
 * A configuration file in TOML. It is decoded to settings by their variables, with the schema that the table of
 * settings gives. Keys and the addresses of known providers have no key in the table, so no file can send a key
 * somewhere.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { parse as parseToml, TomlError } from "smol-toml"
import * as SchemaIssues from "../base/SchemaIssues.ts"
import { lineOf } from "./internal/lineOf.ts"
import * as ValueType from "./internal/valueType.ts"
import * as KnownProviders from "./KnownProviders.ts"
import { type FileEntry, fileEntries } from "./Settings.ts"

/** The owner of a file. A project's file came with its code and was written by others, so it may set less. */
export type Owner = "user" | "project"

/** A problem of a file. */
export interface Problem {
  /** The line, from 1; undefined if it is not known. */
  readonly line: number | undefined
  /** The message, which names the key if there is one. */
  readonly message: string
}

/** The values by their paths, as `AppConfig` reads them: `VIBE_PRESETS`, `careful`, `temperature`. */
export type SettingValues = ReadonlyArray<readonly [path: ReadonlyArray<string>, value: string]>

/** Decodes a file. All of it fails if anything in it is unknown, wrong, or not allowed to its owner. */
export const read = (text: string, owner: Owner): Either.Either<SettingValues, Problem> =>
  Either.gen(function* () {
    const toml = yield* parse(text)
    const file = yield* Either.mapLeft(decode(toml), (error) => toProblem(text, error))
    const refusal = owner === "project" ? refuseOfProject(file) : undefined
    if (refusal !== undefined) return yield* Either.left(locate(text, refusal))
    return toSettings(file)
  })

/** The keys of a file by their tables; "" is the file itself. */
const entriesByTable: ReadonlyMap<string, ReadonlyArray<FileEntry<unknown>>> = Map.groupBy(fileEntries, ({ key }) =>
  key.includes(".") ? key.slice(0, key.indexOf(".")) : "",
)

const fieldsOf = (table: string) =>
  (entriesByTable.get(table) ?? []).map(
    ({ isRequired, key, type: { schema } }) =>
      [key.slice(table === "" ? 0 : table.length + 1), isRequired ? schema() : Schema.optional(schema())] as const,
  )

/**
 * Makes the schema of a table with fixed keys. It may also have keys of the user's choice, if it has an entry as a
 * whole too.
 */
const tableSchema = (table: string) => {
  const fields = Object.fromEntries(fieldsOf(table))
  const rest = fileEntries.find(({ key }) => key === table)?.type.rest
  return Schema.optional(rest === undefined ? Schema.Struct(fields) : Schema.Struct(fields, rest()))
}

const File = Schema.Struct({
  ...Object.fromEntries(fieldsOf("")),
  ...Object.fromEntries(
    [...entriesByTable.keys()].flatMap((table) => (table === "" ? [] : [[table, tableSchema(table)]])),
  ),
})

const decode: (toml: unknown) => Either.Either<ValueType.FileTable, ParseResult.ParseError> =
  Schema.decodeUnknownEither(File, { errors: "all", onExcessProperty: "error" })

/** The deepest nesting of a file. A deeper file has an unknown key anyway, and the parser is recursive. */
const MAX_DEPTH = 16

const parse = (text: string): Either.Either<unknown, Problem> =>
  Either.try({
    try: () => parseToml(text, { maxDepth: MAX_DEPTH, unsafeKeyBehaviour: "throw" }),
    catch: (cause) => ({
      line: cause instanceof TomlError ? cause.line : undefined,
      // The lines after the first one draw the position.
      message: cause instanceof Error ? `is no TOML: ${firstLine(cause.message)}${columnOf(cause)}` : "is no TOML",
    }),
  })

const columnOf = (cause: Error): string => (cause instanceof TomlError ? ` in column ${cause.column}` : "")

const firstLine = (message: string): string => (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "")

interface Issue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const locate = (text: string, { message, path }: Issue): Problem => ({
  line: lineOf(text, path.map(String)),
  message: SchemaIssues.line(path.map(quotePart), message),
})

const quotePart = (part: PropertyKey): string => (ValueType.isLine(String(part)) ? String(part) : JSON.stringify(part))

/** Reports only the first issue. The next one is reported once the first is corrected. */
const toProblem = (text: string, error: ParseResult.ParseError): Problem => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error).filter(
    // Each optional key adds an issue that it may be left out.
    ({ message }) => !message.startsWith("Expected undefined,"),
  )
  return issue === undefined ? { line: undefined, message: "is not as expected" } : locate(text, explain(issue))
}

const explain = ({ message, path }: Issue): Issue => {
  // `[mcp] tools` is a setting, so a server of that name is decoded as a list.
  if (path.join(".") === "mcp.tools" && message.startsWith("Expected ReadonlyArray")) {
    return {
      path,
      message: `is a list of names of tools that \`vibe mcp\` offers; 'tools' is no name for a tool server`,
    }
  }
  const [, expected] = /^is unexpected, expected: (.*)$/.exec(message) ?? []
  if (expected === undefined) return { path, message }
  const key = String(path.at(-1))
  if (sensitive.test(key) || KnownProviders.names.includes(key)) {
    return { path, message: `is not read from a file: ${whereElse}` }
  }
  return expected.startsWith('"')
    ? { path, message: `is unknown; there are ${expected.replaceAll('"', "").replaceAll(" | ", ", ")}` }
    : // Keys of the user's choice are described and not listed, and neither are the other keys of the table.
      { path, message: `is not ${expected.replace(/ \| ".*$/s, "")}` }
}

const whereElse =
  "keys and addresses come from the environment alone, commands and servers of your own from [agents.NAME], [mcp.NAME], [providers.NAME] and [web_search] in your own file"

const sensitive = /key|secret|password|credential|auth|url|endpoint|host|proxy|header|command|args|env|mcp|provider/i

/** Returns the first setting of a project's file that only the user's own file may set. */
const refuseOfProject = (file: ValueType.FileTable): Issue | undefined => {
  for (const { key, scope, type } of fileEntries) {
    const value = valueOfEntry(file, key)
    if (value === undefined) continue
    const refusal = (scope === "project" ? type : ValueType.userOnly(type, scope.userOnly)).refuse(value)
    if (refusal !== undefined) return { ...refusal, path: [...key.split("."), ...refusal.path] }
  }
  return undefined
}

/**
 * Returns the value of an entry. If a table has fixed keys with entries of their own, its value has only the other
 * keys.
 */
const valueOfEntry = (file: ValueType.FileTable, key: string): ValueType.FileValue | undefined => {
  const value = valueAt(file, key)
  const fixed = entriesByTable.get(key)
  if (fixed === undefined || value === undefined) return value
  const rest = ValueType.entriesOf(value).filter(([name]) => !fixed.some((entry) => entry.key === `${key}.${name}`))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

const valueAt = (file: ValueType.FileTable, key: string): ValueType.FileValue | undefined => {
  let value: ValueType.FileValue | undefined = file
  for (const part of key.split(".")) {
    value = value !== undefined && ValueType.isTable(value) ? value[part] : undefined
  }
  return value
}

const toSettings = (file: ValueType.FileTable): SettingValues =>
  fileEntries.flatMap(({ key, name }) => {
    const value = valueOfEntry(file, key)
    return value === undefined ? [] : flatten([name], value)
  })

/** Lists the values of a table and of the tables in it, each with its path. */
const flatten = (path: ReadonlyArray<string>, value: ValueType.FileValue): SettingValues =>
  ValueType.isTable(value)
    ? ValueType.entriesOf(value).flatMap(([key, part]) => flatten([...path, key], part))
    : [[path, typeof value === "object" ? JSON.stringify(value) : String(value)]]
