/**
 * A workspace file: a list of repositories in which lookups are made together. It is a file of its own and no part of
 * `.vibe/config.toml`, since it belongs to none of the repositories that it names.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parse as parseToml, TomlError } from "smol-toml"
import { fromParseError } from "../base/SchemaIssues.ts"
import type { Problem } from "./ConfigFile.ts"

/** The most bytes of a workspace file: far more than a list of folders needs. */
export const MAX_BYTES = 65_536

/** The most repositories: more than anyone works in at once, since each is opened for each question. */
const MAX_REPOSITORIES = 50

interface Repository {
  /** The path as it is written: absolute, or relative to the folder of the file. */
  readonly path: string
  /** The name; by default that of the folder. */
  readonly name: string | undefined
  /** The line of its table, from 1. */
  readonly line: number | undefined
}

/** Returns whether paths can begin with this name: it has no slash and no colon, and is neither `.` nor `..`. */
export const isName = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name)

const NAME_RULE = "letters, digits, '_', '-' and '.', at most 64, not beginning with '-' or '.'"

const File = Schema.Struct({
  repo: Schema.NonEmptyArray(
    Schema.Struct({ path: Schema.NonEmptyString, name: Schema.optionalWith(Schema.String, { exact: true }) }),
  ),
})

const decode = Schema.decodeUnknownEither(File, { errors: "all", onExcessProperty: "error" })

export const read = (text: string): Either.Either<ReadonlyArray<Repository>, Problem> =>
  Either.gen(function* () {
    const toml = yield* Either.try({ try: () => parseToml(text), catch: toProblem })
    const { repo } = yield* Either.mapLeft(decode(toml), (error): Problem => {
      const [first = "is not as expected"] = fromParseError(error)
      const [, at, key] = /^repo\.(\d+)(?:\.([^:]+))?/.exec(first) ?? []
      return {
        line: at === undefined ? undefined : lineOf(text, Number(at), key),
        message: first.startsWith("repo: is missing")
          ? `it has no repository: write [[repo]] and, below it, path = "FOLDER"`
          : first.replace(/^repo\.\d+\.?/, "").replace(/^:\s*/, ""),
      }
    })
    if (repo.length > MAX_REPOSITORIES) {
      const message = `it names ${repo.length} repositories; there may be ${MAX_REPOSITORIES}`
      return yield* Either.left({ line: lineOf(text, MAX_REPOSITORIES), message })
    }
    const lines = new Map<string, number | undefined>()
    for (const [at, { name }] of repo.entries()) {
      if (name === undefined) continue
      const line = lineOf(text, at, "name")
      if (!isName(name)) return yield* Either.left({ line, message: `'${name}' is no name: it takes ${NAME_RULE}` })
      if (lines.has(name)) {
        return yield* Either.left({ line, message: `two repositories are named '${name}': names must differ` })
      }
      lines.set(name, line)
    }
    return repo.map(({ name, path }, at) => ({ path, name, line: lineOf(text, at) }))
  })

const toProblem = (error: unknown): Problem =>
  error instanceof TomlError
    ? { line: error.line, message: (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "") }
    : { line: undefined, message: "is no TOML" }

/** Returns the line, from 1, of the table of a repository, or of a key in it. The parser has no positions. */
const lineOf = (text: string, repository: number, key?: string): number | undefined => {
  let at = -1
  let header: number | undefined
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*\[\[\s*repo\s*\]\]/.test(line)) {
      at += 1
      if (at === repository) header = index + 1
    } else if (at === repository && key !== undefined && line.trimStart().startsWith(key)) return index + 1
    if (at > repository) break
  }
  return header
}
