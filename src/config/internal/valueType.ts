/**
 * Types of setting values: how a value is read from the text of an environment variable. Types that a configuration
 * file can hold also have their schema there, and say what a project's file must not set.
 */
import * as path from "node:path"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import type * as HashMap from "effect/HashMap"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ModelId from "../../message/ModelId.ts"
import { readAs, readFolder, readText } from "./readText.ts"

export interface ValueType<A> {
  /** Reads the variable, or the key of a table, of this name. A blank text counts as not set. */
  readonly config: (name: string) => Config.Config<A>
}

/** A value of a decoded configuration file. */
export type FileValue = string | number | ReadonlyArray<string> | FileTable
export interface FileTable {
  readonly [key: string]: FileValue
}

/** A key that a file must not set, by its path, and the reason. */
interface Refusal {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

/** A value that a configuration file can hold. A secret has no such type, so no secret can be read from a file. */
export interface FileType<A> extends ValueType<A> {
  /**
   * Makes the schema that decodes to a `FileValue`. It is made when a file is read, since making all schemas would add
   * 1.5 ms to every start.
   */
  readonly schema: () => Schema.Schema.AnyNoContext
  /** Returns the part of a value that a project's file must not set. */
  readonly refuse: (value: FileValue) => Refusal | undefined
  /** Makes the schema of the keys and values that the user chooses, for a table that may have fixed keys as well. */
  readonly rest?: (() => Entries) | undefined
}

/** Any number of keys, and their values. */
type Entries = Schema.Record$<Schema.Schema<string>, Schema.Schema.AnyNoContext>

const makeFileType = <A>(
  config: (name: string) => Config.Config<A>,
  schema: () => Schema.Schema.AnyNoContext,
  refuse: FileType<A>["refuse"] = () => undefined,
): FileType<A> => ({ config, schema, refuse })

export const isLine = (text: string): boolean => !/\p{Cc}/u.test(text)

const notALine = "holds a control character"

/**
 * Makes the schema of names and paths, which are one line: a control character in one is a mistake, or meant to mislead
 * the reader.
 */
const lineSchema = () => Schema.String.pipe(Schema.filter((text) => isLine(text) || notALine))

export const text: FileType<string> = makeFileType(readText, () => lineSchema().pipe(Schema.nonEmptyString()))

export const secret: ValueType<Redacted.Redacted> = {
  config: (name) =>
    Config.redacted(name).pipe(
      Config.mapOrFail((secret) =>
        Redacted.value(secret).trim() === ""
          ? Either.left(ConfigError.MissingData([name], "is empty"))
          : Either.right(secret),
      ),
    ),
}

/** A folder by the rules of XDG: a relative path counts as not set. */
export const absoluteFolder: ValueType<string> = { config: readFolder }

/** Returns what is wrong with an address; `undefined` if nothing is. */
const findUrlProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return "is not an http or https URL"
  return url.username === "" && url.password === "" ? undefined : "cannot hold a name or a password"
}

/** An address, without slashes at its end. */
export const url: FileType<string> = makeFileType(
  readAs((value) => {
    const problem = findUrlProblem(value)
    return problem === undefined ? Either.right(value.replace(/(?<!\/)\/+$/, "")) : Either.left(problem)
  }),
  () => Schema.String.pipe(Schema.filter((url) => findUrlProblem(url) ?? true)),
)

/** A finite number from 0. */
export const amount: FileType<number> = makeFileType(
  readAs((value) => {
    const amount = Number(value)
    return Number.isFinite(amount) && amount >= 0
      ? Either.right(amount)
      : Either.left(`is a number from 0 on, not '${value}'`)
  }),
  () => Schema.NonNegative.pipe(Schema.finite()),
)

export const count = ({ least = 1, most }: { least?: number; most?: number } = {}): FileType<number> => {
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`
  return makeFileType(
    readAs((value) => {
      const count = Number(value)
      return Number.isSafeInteger(count) && count >= least && count <= (most ?? count)
        ? Either.right(count)
        : Either.left(`is a whole number ${range}, not '${value}'`)
    }),
    () => Schema.Int.pipe(most === undefined ? Schema.greaterThanOrEqualTo(least) : Schema.between(least, most)),
  )
}

const decodeList = Schema.decodeEither(Schema.parseJson(Schema.Array(Schema.String)))

/** A list: an array in a file, and JSON in a variable. */
const listOf = (items: () => Schema.Schema<string>): FileType<ReadonlyArray<string>> =>
  makeFileType(
    readAs((value) => Either.mapLeft(decodeList(value), () => `is a list as in JSON, ["a", "b"], not '${value}'`)),
    () => Schema.Array(items()),
  )

export const list: FileType<ReadonlyArray<string>> = listOf(() => Schema.String)

/** A list of some of these words. `refusalOf` says why a project's file must not have one of them, if it must not. */
export const someOf = <const Choices extends readonly [string, ...ReadonlyArray<string>]>(
  choices: Choices,
  refusalOf: (choice: string) => string | undefined,
): FileType<ReadonlyArray<Choices[number]>> => {
  const decode = Schema.decodeEither(Schema.parseJson(Schema.Array(Schema.Literal(...choices))))
  return makeFileType(
    readAs((value) =>
      Either.mapLeft(decode(value), () => `is a list as in JSON, of ${choices.join(", ")}, not '${value}'`),
    ),
    () => Schema.Array(Schema.Literal(...choices)),
    (value) => {
      const words = Array.isArray(value) ? value.map(String) : []
      return words.flatMap((word, at) => {
        const message = refusalOf(word)
        return message === undefined ? [] : [{ path: [String(at)], message }]
      })[0]
    },
  )
}

/** Patterns of files, as in gitignore(5). */
export const patterns: FileType<ReadonlyArray<string>> = listOf(() => lineSchema().pipe(Schema.nonEmptyString()))

const variableSchema = () => Schema.String.pipe(Schema.pattern(/^\w+$/))

/** The name of an environment variable. */
export const variable: FileType<string> = makeFileType(readText, variableSchema)

/** The name of a header of HTTP. */
export const headerName: FileType<string> = makeFileType(readText, () => Schema.String.pipe(Schema.pattern(/^[\w-]+$/)))

export const variables: FileType<ReadonlyArray<string>> = listOf(variableSchema)

/**
 * Makes the schema of a program. A path relative to the current folder is refused, since a project can put any program
 * there.
 */
const commandSchema = () =>
  lineSchema().pipe(
    Schema.nonEmptyString(),
    Schema.filter((command) => !/[/\\]/.test(command) || path.isAbsolute(command) || describeNoCommand(command)),
  )

const describeNoCommand = (text: string): string => {
  const [program = "", ...rest] = text.trim().split(/\s+/)
  const isCommandLine = rest.length > 0 && (!/[/\\]/.test(program) || path.isAbsolute(program))
  return `is no name on PATH and no absolute path${isCommandLine ? "; put arguments into args" : ""}`
}

export const command: FileType<string> = makeFileType(readText, commandSchema)

/** A program and its arguments. */
interface CommandLine {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

export const commandLine: FileType<CommandLine> = makeFileType(
  (name) =>
    list
      .config(name)
      .pipe(
        Config.mapOrFail(([command = "", ...args]) =>
          command.trim() === ""
            ? Either.left(ConfigError.InvalidData([name], "names no program"))
            : Either.right({ command, args }),
        ),
      ),
  () => {
    const isCommand = Schema.is(commandSchema())
    return Schema.NonEmptyArray(Schema.String).pipe(
      Schema.filter(([command]) => isCommand(command) || "begins with a name on PATH or an absolute path"),
    )
  },
)

/** Folders as `Ownership.isSafe` reads them. */
export const safeFolders: FileType<ReadonlyArray<string>> = listOf(() =>
  lineSchema().pipe(
    Schema.filter((folder) => folder === "*" || path.isAbsolute(folder) || "is an absolute path, or *"),
  ),
)

export const oneOf = <const Choices extends readonly [string, ...ReadonlyArray<string>]>(
  choices: Choices,
): FileType<Choices[number]> => makeFileType(Config.literal(...choices), () => Schema.Literal(...choices))

/** True or false: a boolean in a file, and one of these words in a variable. */
export const boolean: FileType<boolean> = makeFileType(
  readAs((value) =>
    value === "true" || value === "false"
      ? Either.right(value === "true")
      : Either.left(`is true or false, not '${value}'`),
  ),
  () =>
    Schema.transform(Schema.Boolean, Schema.Literal("true", "false"), {
      decode: (value) => (value ? "true" : "false"),
      encode: (value) => value === "true",
    }),
)

/** Makes the schema of keys of `record` that are ids of models. */
export const modelName = (): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter((text) =>
      isLine(text)
        ? Either.match(ModelId.parse(text), { onLeft: (problem) => problem, onRight: () => true })
        : notALine,
    ),
    Schema.annotations({ description: "a model, PROVIDER/NAME without control characters" }),
  )

/** The providers whose models a project must not choose, and the reasons. */
const refusedProviders: ReadonlyMap<string, string> = new Map([
  ["scripted", "a project's file cannot name a script: the project would supply the answers of the model"],
  ["cli", "a project's file cannot name an agent: the project would choose a program to run"],
])

export const modelId: FileType<ModelId.ModelId> = makeFileType(readAs(ModelId.parse), modelName, (value) => {
  const parsed = ModelId.parse(String(value))
  const message = Either.isRight(parsed) ? refusedProviders.get(parsed.right.provider) : undefined
  return message === undefined ? undefined : { path: [], message }
})

/** Returns the same type for a key that only the user's own file may set. `what` completes the error message. */
export const userOnly = <A>(type: FileType<A>, what: string): FileType<A> => ({
  ...type,
  refuse: () => ({ path: [], message: messageForUserOnly(what) }),
})

const messageForUserOnly = (what: string): string => `only your own configuration file can say ${what}`

/** A key of a table, and whether the table must have it. */
interface Field<A> extends FileType<A> {
  readonly isOptional?: boolean
}

export const optional = <A>(type: FileType<A>): Field<Option.Option<A>> => ({
  ...type,
  config: (name) => Config.option(type.config(name)),
  isOptional: true,
})

type Values<Fields> = { readonly [Key in keyof Fields]: Fields[Key] extends Field<infer A> ? A : never }

/** A table with fixed keys. */
interface TableType<A> extends FileType<A> {
  /** Reads the keys of the table without a name around them. */
  readonly entry: Config.Config<A>
}

/**
 * Makes the type of a table. `findProblem` says what is wrong with the keys of a table together, even if each of them
 * is right.
 */
export const table = <Fields extends Readonly<Record<string, Field<unknown>>>>(
  fields: Fields,
  findProblem?: (has: (key: keyof Fields) => boolean) => string | undefined,
): TableType<Values<Fields>> => {
  const all = Object.entries(fields)
  // The type of an object's entries does not keep which key has which type; `Config.all` keeps the keys.
  const entry = Config.all(
    Object.fromEntries(all.map(([key, { config }]) => [key, config(key)])),
  ) as unknown as Config.Config<Values<Fields>>
  return {
    entry,
    config: (name) => Config.nested(entry, name),
    schema: () => {
      const struct = Schema.Struct(
        Object.fromEntries(
          all.map(([key, { isOptional, schema }]) => [key, isOptional ? Schema.optional(schema()) : schema()]),
        ),
      )
      return findProblem === undefined
        ? struct
        : struct.pipe(Schema.filter((table) => findProblem((key) => table[String(key)] !== undefined) ?? true))
    },
    refuse: (value) => findRefusal(value, (key) => fields[key]),
  }
}

/** Makes the type of a table with keys that the user chooses. */
export const record = <A>(
  keys: () => Schema.Schema<string>,
  values: TableType<A>,
): FileType<HashMap.HashMap<string, A>> => {
  const rest = () => Schema.Record({ key: keys(), value: values.schema() })
  return {
    ...makeFileType(
      (name) => Config.hashMap(values.entry, name),
      rest,
      (value) => findRefusal(value, () => values),
    ),
    rest,
  }
}

const isName = (text: string): boolean => /^[\w-]+$/.test(text)

/**
 * Makes the schema of keys of `record` that are names of the user's choice. `isTaken` says which names are not free.
 */
export const name =
  (isTaken: (name: string) => boolean = () => false) =>
  (): Schema.Schema<string> =>
    Schema.String.pipe(
      Schema.filter((name) => isName(name) && !isTaken(name)),
      Schema.annotations({ description: "a name of letters, digits, hyphens and underscores" }),
    )

const findRefusal = (value: FileValue, typeOf: (key: string) => FileType<unknown> | undefined): Refusal | undefined => {
  for (const [key, part] of entriesOf(value)) {
    const refusal = typeOf(key)?.refuse(part)
    if (refusal !== undefined) return { ...refusal, path: [key, ...refusal.path] }
  }
  return undefined
}

/** Returns the keys of a table with their values, without absent keys; empty for a value that is no table. */
export const entriesOf = (value: FileValue): ReadonlyArray<readonly [key: string, value: FileValue]> =>
  isTable(value) ? Object.entries(value).filter(([, part]) => part !== undefined) : []

export const isTable = (value: FileValue): value is FileTable => typeof value === "object" && !Array.isArray(value)
