/**
 * Edits an entry in an object of a JSON text, which may have comments and trailing commas. Every other byte stays as it
 * is, and `remove` takes back exactly what `put` adds. So the form of what `put` writes shows what was there before:
 *
 * - If `put` makes the object, its entry is on a line of its own.
 * - In an existing empty object, the entry follows the brace, on the same line.
 * - In an existing object on one line, it follows the last property, on the same line.
 */
import * as Either from "effect/Either"
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import type { Entry, Value } from "./Agent.ts"
import { type EditProblem, NotParsed, Repeated, Unsupported, WrongType } from "./EditProblem.ts"
import { applyEdits, type Edit, lineEndOf, placeOf, withoutMark } from "./internal/text.ts"

export interface Options {
  /** True if comments and trailing commas are valid. */
  readonly comments: boolean
}

type Path = ReadonlyArray<string>

/** Returns the value at a path; `undefined` if there is none. */
export const read = (text: string, path: Path, options: Options): Either.Either<unknown, EditProblem> =>
  Either.flatMap(parse(withoutMark(text).body, options), (root) =>
    Either.map(findProperty(root, path), (found) => (found === undefined ? undefined : toValue(found.value))),
  )

/** Returns whether there are comments in the entry at a path. */
export const hasComments = (text: string, path: Path, options: Options): Either.Either<boolean, EditProblem> => {
  const { body } = withoutMark(text)
  return Either.map(
    Either.flatMap(parse(body, options), (root) => findProperty(root, path)),
    (found) =>
      found !== undefined &&
      Array.from(body.slice(found.property.offset, endOf(found.property)).matchAll(TOKENS)).some(([token]) =>
        token.startsWith("/"),
      ),
  )
}

/** Prints an entry on one line, as it stands in the object of the servers. */
export const inline = (name: string, entry: Entry): string =>
  `${JSON.stringify(name)}: ${printHere(entry, "", { unit: "  ", lineEnd: "\n" })}`

/** Returns the text of a new file that has only this entry. */
export const create = (path: Path, entry: Entry): string => {
  const layout: Layout = { unit: "  ", lineEnd: "\n" }
  return `${print(nest(path, entry), "", layout)}\n`
}

/** Puts an entry at a path. If there is one already, only the fields that differ change, and all others stay. */
export const put = (text: string, path: Path, entry: Entry, options: Options): Either.Either<string, EditProblem> => {
  const { body, restore } = withoutMark(text)
  return Either.gen(function* () {
    const root = yield* parse(body, options)
    const existing = yield* findProperty(root, path)
    if (existing !== undefined) return restore(yield* update(body, path, entry, options))
    const edited = restore(yield* add(body, root, path, entry))
    const undone = yield* remove(edited, path, options)
    if (undone !== text) return yield* Either.left(new Unsupported({ key: path.join(".") }))
    return edited
  })
}

/** Removes the entry at a path. Returns `undefined` if the file has nothing else, as `create` made it. */
export const remove = (text: string, path: Path, options: Options): Either.Either<string | undefined, EditProblem> => {
  const { body, restore } = withoutMark(text)
  return Either.gen(function* () {
    const root = yield* parse(body, options)
    let found = yield* findProperty(root, path)
    if (found === undefined) return text
    for (let depth = path.length - 1; isMadeFor(body, found); depth--) {
      if (depth === 0) {
        if (restore("") + body.slice(0, root.offset).trim() + body.slice(endOf(root)).trim() === "") return undefined
        break
      }
      const above: Found | undefined = yield* findProperty(root, path.slice(0, depth))
      if (above === undefined) break
      found = above
    }
    const without = applyEdits(body, cuts(body, found))
    yield* parse(without, options)
    return restore(without)
  })
}

// Parsing ------------------------------------------------------------------------------------------------------------

/** Parses the object of a text. */
const parse = (body: string, { comments }: Options): Either.Either<Node, EditProblem> => {
  const errors: Array<ParseError> = []
  const notParsed = (offset: number, problem: string) =>
    Either.left(new NotParsed({ ...placeOf(body, offset), format: "JSON", problem }))
  if (body.trim() === "") return notParsed(0, "the file is empty")
  if (nestingOf(body) > MAX_DEPTH) return notParsed(0, `more than ${MAX_DEPTH} levels`)
  const root = parseTree(body, errors, { disallowComments: !comments, allowTrailingComma: comments })
  const [first] = errors
  if (first !== undefined) {
    const code = printParseErrorCode(first.error)
    return notParsed(
      first.offset,
      code === "InvalidCommentToken" ? "a comment, and the agent reads none in this file" : sentenceOf(code),
    )
  }
  if (root === undefined) return notParsed(0, "no value")
  if (root.type !== "object") return wrongType("", root)
  return Either.right(root)
}

/** The most levels of nesting, since the parser is recursive. */
const MAX_DEPTH = 500

/**
 * Matches texts, comments and brackets. If one is not closed, it extends to the end of its line or text, so that the
 * time is linear for any text.
 */
const TOKENS = /"(?:\\.|[^"\\\r\n])*"?|\/\/[^\r\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|[[\]{}]/g

const nestingOf = (body: string): number => {
  let [depth, deepest] = [0, 0]
  for (const [token] of body.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1
    else if (token === "}" || token === "]") depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** `CommaExpected` → `comma expected` */
const sentenceOf = (code: string): string => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

const wrongType = (key: string, { type }: Node) =>
  Either.left(new WrongType({ key, format: "JSON", found: type === "array" ? "a list" : `a ${type}` }))

interface Found {
  /** The object that has the property. */
  readonly parent: Node
  readonly property: Node
  readonly value: Node
}

/** Finds the property at a path; `undefined` if it or an object above it is missing. */
const findProperty = (root: Node, path: Path): Either.Either<Found | undefined, EditProblem> =>
  Either.gen(function* () {
    let parent = root
    for (let depth = 0; depth < path.length; depth++) {
      const found = yield* propertyOf(parent, path.slice(0, depth + 1))
      if (found === undefined || depth === path.length - 1) return found
      if (found.value.type !== "object") return yield* wrongType(path.slice(0, depth + 1).join("."), found.value)
      parent = found.value
    }
    return undefined
  })

const propertyOf = (parent: Node, path: Path): Either.Either<Found | undefined, EditProblem> => {
  const named = (parent.children ?? []).filter(({ children }) => children?.[0]?.value === path.at(-1))
  if (named.length > 1) return Either.left(new Repeated({ key: path.join(".") }))
  const [property] = named
  const value = property?.children?.[1]
  return Either.right(property === undefined || value === undefined ? undefined : { parent, property, value })
}

const toValue = ({ children = [], type, value }: Node): unknown => {
  switch (type) {
    case "array":
      return children.map(toValue)
    case "object":
      return Object.fromEntries(
        children.flatMap(({ children: [key, value] = [] }) =>
          key === undefined || value === undefined ? [] : [[key.value, toValue(value)]],
        ),
      )
    default:
      return value
  }
}

const endOf = ({ length, offset }: Node): number => offset + length

// Tokens between the values -------------------------------------------------------------------------------------------

interface Token {
  readonly kind: "comma" | "comment"
  readonly start: number
  readonly end: number
}

/** Finds the commas and comments between two values, or between a value and a bracket. */
const tokensIn = (body: string, start: number, end: number): ReadonlyArray<Token> =>
  Array.from(body.slice(start, end).matchAll(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/g), ({ 0: token, index }) => ({
    kind: token === "," ? "comma" : "comment",
    start: start + index,
    end: start + index + token.length,
  }))

/** Returns the white space at the beginning of the line of an offset. */
const indentAt = (body: string, offset: number): string =>
  /^[ \t]*/.exec(body.slice(body.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? ""

const beginsLine = (body: string, offset: number): boolean =>
  /^[ \t]*$/.test(body.slice(body.lastIndexOf("\n", offset - 1) + 1, offset))

interface Layout {
  readonly unit: string
  readonly lineEnd: string
}

/** Returns the layout of a text: the indentation of the first line that has one, and the line end. */
const layoutOf = (body: string): Layout => {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(body) ?? []
  return { unit: indent.startsWith("\t") ? "\t" : indent, lineEnd: lineEndOf(body) }
}

// Adding --------------------------------------------------------------------------------------------------------------

const add = (body: string, root: Node, path: Path, entry: Entry): Either.Either<string, EditProblem> =>
  Either.gen(function* () {
    for (let depth = path.length - 1; depth >= 0; depth--) {
      const above = depth === 0 ? root : (yield* findProperty(root, path.slice(0, depth)))?.value
      if (above === undefined) continue
      if (above.type !== "object") return yield* wrongType(path.slice(0, depth).join("."), above)
      return applyEdits(body, insertions(body, above, path[depth] ?? "", nest(path.slice(depth + 1), entry)))
    }
    return body
  })

type Printed = Value | { readonly [key: string]: Printed }

const nest = (path: Path, entry: Entry): Printed => path.reduceRight<Printed>((inner, key) => ({ [key]: inner }), entry)

/** Adds a property at the end of an object. */
const insertions = (body: string, object: Node, key: string, value: Printed): ReadonlyArray<Edit> => {
  const layout = layoutOf(body)
  const name = JSON.stringify(key)
  const [open, close] = [object.offset + 1, endOf(object) - 1]
  const ownLine = (indent: string) => `${layout.lineEnd}${indent}${name}: ${print(value, indent, layout)}`
  const outer = indentAt(body, object.offset)
  const last = object.children?.at(-1)
  const isOneLine = !body.slice(open, close).includes("\n")
  const here = ` ${name}: ${printHere(value, outer, layout)}`
  if (last !== undefined) {
    const indent = beginsLine(body, last.offset) ? indentAt(body, last.offset) : outer + layout.unit
    const tokens = tokensIn(body, endOf(last), close)
    const comma = tokens.find(({ kind }) => kind === "comma")
    const added = isOneLine ? here : ownLine(indent)
    // The position is after the comments that belong to the last property, which are those on its line.
    let at = comma?.end ?? endOf(last)
    for (const { end, start } of tokens) {
      if (start >= at && !body.slice(at, start).includes("\n")) at = end
    }
    if (comma !== undefined) return [{ start: at, end: at, text: `${added},` }]
    const after = { start: at, end: at, text: added }
    return at === endOf(last)
      ? [{ ...after, text: `,${after.text}` }]
      : [{ start: endOf(last), end: endOf(last), text: "," }, after]
  }
  const comment = tokensIn(body, open, close).at(-1)
  if (comment !== undefined) {
    return [{ start: comment.end, end: comment.end, text: isOneLine ? here : ownLine(outer + layout.unit) }]
  }
  const isSpaced = /^[\r\n]/.test(body.slice(open, close))
  return [{ start: open, end: open, text: `${here}${isSpaced ? "" : " "}` }]
}

// Changing ------------------------------------------------------------------------------------------------------------

const update = (body: string, path: Path, entry: Entry, options: Options): Either.Either<string, EditProblem> =>
  Either.gen(function* () {
    let text = body
    for (const [key, value] of Object.entries(entry)) {
      const root = yield* parse(text, options)
      const found = yield* findProperty(root, path)
      if (found === undefined) return text
      if (found.value.type !== "object") return yield* wrongType(path.join("."), found.value)
      const field = yield* propertyOf(found.value, [...path, key])
      if (field === undefined) text = applyEdits(text, insertions(text, found.value, key, value))
      else if (JSON.stringify(toValue(field.value)) !== JSON.stringify(value)) {
        const [start, end] = [field.value.offset, endOf(field.value)]
        text = applyEdits(text, [{ start, end, text: printValue(value) }])
      }
    }
    return text
  })

// Removing ------------------------------------------------------------------------------------------------------------

/** Returns whether `put` or `create` made the object of a property for it. */
const isMadeFor = (body: string, { parent, property }: Found): boolean => {
  const [open, close] = [parent.offset + 1, endOf(parent) - 1]
  return (
    parent.children?.length === 1 &&
    /^\r?\n[ \t]*$/.test(body.slice(open, property.offset)) &&
    /^\r?\n[ \t]*$/.test(body.slice(endOf(property), close))
  )
}

const cuts = (body: string, { parent, property }: Found): ReadonlyArray<Edit> => {
  const properties = parent.children ?? []
  const place = properties.indexOf(property)
  const [previous, next] = [properties[place - 1], properties[place + 1]]
  const before = previous === undefined ? parent.offset + 1 : endOf(previous)
  const after = next?.offset ?? endOf(parent) - 1
  const end = endOf(property)
  const tokensBefore = tokensIn(body, before, property.offset)
  const start = tokensBefore.at(-1)?.end ?? before
  const isComma = ({ kind }: Token) => kind === "comma"
  const comma = tokensIn(body, end, after).find(isComma) ?? tokensBefore.find(isComma)
  if (comma !== undefined) {
    return [
      { start, end, text: "" },
      { start: comma.start, end: comma.end, text: "" },
    ]
  }
  // This is the space that `put` adds after an entry that follows a brace.
  const followsBrace = tokensBefore.length === 0
  const space = followsBrace && body[end] === " " && !body.slice(start, property.offset).includes("\n") ? 1 : 0
  return [{ start, end: end + space, text: "" }]
}

// Printing ------------------------------------------------------------------------------------------------------------

const isValue = (value: Printed): value is Value => typeof value !== "object" || Array.isArray(value)

/** Prints a value; a list is on one line. */
const printValue = (value: Value): string =>
  typeof value === "object" ? `[${value.map((each) => JSON.stringify(each)).join(", ")}]` : JSON.stringify(value)

const print = (value: Printed, indent: string, layout: Layout): string => {
  if (isValue(value)) return printValue(value)
  const inner = indent + layout.unit
  const lines = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${print(each, inner, layout)}`,
  )
  return `{${layout.lineEnd}${lines.join(`,${layout.lineEnd}`)}${layout.lineEnd}${indent}}`
}

/** Prints a value on the line of a brace: an entry on one line, an object with entries on several. */
const printHere = (value: Printed, indent: string, layout: Layout): string => {
  if (isValue(value)) return printValue(value)
  const fields = Object.entries(value)
  if (!fields.every(([, each]) => isValue(each))) return print(value, indent, layout)
  return `{ ${fields.map(([key, each]) => `${JSON.stringify(key)}: ${print(each, "", layout)}`).join(", ")} }`
}
