/**
 * Adds, replaces and removes a table of a TOML text. Every other byte stays as it is, and `remove` takes back exactly
 * what `put` adds. A new table comes last, so that it cannot become part of another. The text is parsed before and
 * after.
 */
import * as Either from "effect/Either"
import { parse as parseToml, TomlError } from "smol-toml"
import type { Entry, Value } from "./Agent.ts"
import { type EditProblem, NotParsed, Unsupported, WrongType } from "./EditProblem.ts"
import { append, applyEdits, create as createFile, cut, lineEndOf, withoutMark } from "./internal/text.ts"

type Path = ReadonlyArray<string>

/** Returns the value at a path; `undefined` if there is none. */
export const read = (text: string, path: Path): Either.Either<unknown, EditProblem> =>
  Either.flatMap(parse(withoutMark(text).body), (root) => valueAt(root, path))

/** Returns whether there are comments in the table at a path, or in those below it. */
export const hasComments = (text: string, path: Path): boolean => {
  const { body } = withoutMark(text)
  return tablesOf(body).some(({ end, start }) => {
    const own = body.slice(start, end)
    return isBelow(headerPath(own), path) && Array.from(own.matchAll(tokens)).some(([token]) => token.startsWith("#"))
  })
}

/** Prints a table on one line, as it stands in the table of the servers. */
export const inline = (name: string, entry: Entry): string => {
  const fields = Object.entries(entry).map(([key, value]) => `${key} = ${print(value)}`)
  return `${printKey(name)} = { ${fields.join(", ")} }`
}

/** Returns the text of a new file that has only this table. */
export const create = (path: Path, entry: Entry): string => createFile(linesOf(path, entry))

/** Puts a table at a path. If there is one already, only the keys that differ change, and all others stay. */
export const put = (text: string, path: Path, entry: Entry): Either.Either<string, EditProblem> => {
  const { body, restore } = withoutMark(text)
  return Either.gen(function* () {
    const root = yield* parse(body)
    const isThere = (yield* valueAt(root, path)) !== undefined
    // If the table is missing, the one in an unsupported form is the table that it belongs to.
    const key = (isThere ? path : path.slice(0, -1)).join(".")
    const edited = isThere ? yield* update(body, path, entry) : append(body, linesOf(path, entry))
    const isAsMeant = Either.match(
      Either.flatMap(parse(edited), (root) => valueAt(root, path)),
      {
        onLeft: () => false,
        onRight: (value) =>
          isTable(value) && Object.entries(entry).every(([key, each]) => isEqual(own(value, key), each)),
      },
    )
    if (!isAsMeant) return yield* Either.left(new Unsupported({ key }))
    if (!isThere && (yield* remove(edited, path)) !== body) return yield* Either.left(new Unsupported({ key }))
    return restore(edited)
  })
}

/**
 * Removes the table at a path and those below it. Returns `undefined` if the file has nothing else, as `create` made
 * it.
 */
export const remove = (text: string, path: Path): Either.Either<string | undefined, EditProblem> => {
  const { body, restore } = withoutMark(text)
  return Either.gen(function* () {
    if ((yield* valueAt(yield* parse(body), path)) === undefined) return text
    let without: string | undefined = body
    for (const { end, start } of tablesOf(body).toReversed()) {
      if (without !== undefined && isBelow(headerPath(body.slice(start, end)), path)) {
        without = cut(without, start, end)
      }
    }
    if (without === undefined) return restore("") === "" ? undefined : restore("")
    const left = Either.flatMap(parse(without), (root) => valueAt(root, path))
    if (Either.isLeft(left) || left.right !== undefined) {
      return yield* Either.left(new Unsupported({ key: path.join(".") }))
    }
    return restore(without)
  })
}

// Parsing -------------------------------------------------------------------------------------------------------------

type Table = Readonly<Record<string, unknown>>

const parse = (body: string): Either.Either<Table, EditProblem> =>
  Either.try({
    try: () => parseToml(body),
    catch: (cause) =>
      cause instanceof TomlError
        ? new NotParsed({ line: cause.line, column: cause.column, format: "TOML", problem: problemOf(cause) })
        : new NotParsed({ line: 1, column: 1, format: "TOML", problem: "nested too deeply" }),
  })

/** Returns the first line of the message, without the excerpt that follows. */
const problemOf = ({ message }: TomlError): string =>
  (message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "")

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)

const own = (table: Table, key: string): unknown => (Object.hasOwn(table, key) ? table[key] : undefined)

const valueAt = (root: Table, path: Path): Either.Either<unknown, EditProblem> => {
  let value: unknown = root
  for (const [depth, key] of path.entries()) {
    if (!isTable(value)) {
      const found = Array.isArray(value) ? "a list" : `a ${typeof value}`
      return Either.left(new WrongType({ key: path.slice(0, depth).join("."), format: "TOML", found }))
    }
    value = own(value, key)
    if (value === undefined) break
  }
  return Either.right(value)
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

// Lines ---------------------------------------------------------------------------------------------------------------

/** A header or a key with its value, over one or more lines. */
interface Statement {
  readonly isHeader: boolean
  readonly start: number
  /** After the last character of the value, before a comment on its line. */
  readonly end: number
  /** After the line end. */
  readonly next: number
}

/** Matches the tokens of a valid text. Strings come before brackets, and multi-line strings before others. */
const tokens =
  /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n|[^"'#[\]{}\n]+/g

const statementsOf = (body: string): ReadonlyArray<Statement> => {
  const statements: Array<Statement> = []
  let start: number | undefined
  let [end, depth] = [0, 0]
  const close = (next: number) => {
    if (start !== undefined) statements.push({ isHeader: /^[ \t]*\[/.test(body.slice(start, end)), start, end, next })
    start = undefined
  }
  let lineStart = 0
  for (const { 0: token, index } of body.matchAll(tokens)) {
    const after = index + token.length
    if (token === "\n") {
      if (depth === 0) close(after)
      lineStart = after
      continue
    }
    if (token.trim() === "" || token.startsWith("#")) continue
    if (token === "[" || token === "{") depth += 1
    if (token === "]" || token === "}") depth -= 1
    start ??= lineStart
    end = index + token.trimEnd().length
  }
  close(body.length)
  return statements
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the range of each header with the statements below it. A range has whole lines, up to the last statement. */
const tablesOf = (body: string): ReadonlyArray<Range> => {
  const tables: Array<{ start: number; end: number }> = []
  for (const { isHeader, next, start } of statementsOf(body)) {
    const last = tables.at(-1)
    if (isHeader) tables.push({ start, end: next })
    else if (last !== undefined) last.end = next
  }
  return tables
}

/** Returns the keys of the header that begins a table, as the parser reads them. */
const headerPath = (table: string): Path => {
  const [header] = statementsOf(table)
  const path: Array<string> = []
  const parsed = Either.getOrUndefined(parse(table.slice(0, header?.end)))
  for (let value: unknown = parsed; isTable(value); ) {
    const [key] = Object.keys(value)
    if (key === undefined) break
    path.push(key)
    value = own(value, key)
  }
  return path
}

const isBelow = (path: Path, above: Path): boolean => above.every((key, depth) => path[depth] === key)

// Changing ------------------------------------------------------------------------------------------------------------

const update = (body: string, path: Path, entry: Entry): Either.Either<string, EditProblem> => {
  const table = tablesOf(body).find(({ end, start }) => {
    const header = headerPath(body.slice(start, end))
    return header.length === path.length && isBelow(header, path)
  })
  if (table === undefined) return Either.left(new Unsupported({ key: path.join(".") }))
  const own = body.slice(table.start, table.end)
  const lineEnd = lineEndOf(body)
  const [header, ...statements] = statementsOf(own)
  const edits = Object.entries(entry).map(([key, value]) => {
    const line = `${key} = ${print(value)}`
    const found = statements.find(({ end, start }) => keyOf(own.slice(start, end)) === key)
    if (found !== undefined) {
      const isSame = isEqual(Either.getOrUndefined(parse(own.slice(found.start, found.end)))?.[key], value)
      return isSame ? { start: 0, end: 0, text: "" } : { start: found.start, end: found.end, text: line }
    }
    const at = header?.next ?? 0
    return { start: at, end: at, text: own.slice(0, at).endsWith("\n") ? line + lineEnd : lineEnd + line }
  })
  return Either.right(body.slice(0, table.start) + applyEdits(own, edits) + body.slice(table.end))
}

const keyOf = (statement: string): string | undefined => {
  const table = Either.getOrUndefined(parse(statement))
  return table === undefined ? undefined : Object.keys(table)[0]
}

// Printing ------------------------------------------------------------------------------------------------------------

const linesOf = (path: Path, entry: Entry): ReadonlyArray<string> => [
  `[${path.map(printKey).join(".")}]`,
  ...Object.entries(entry).map(([key, value]) => `${key} = ${print(value)}`),
]

const printKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : quote(key))

const print = (value: Value): string => {
  if (typeof value === "object") return `[${value.map(quote).join(", ")}]`
  return typeof value === "string" ? quote(value) : String(value)
}

/** Quotes a text. A basic string has the escapes of JSON, and allows no DEL. */
const quote = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f")
