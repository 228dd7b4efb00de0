/**
 * Finds what an expression may hold: the functions that resolved code assigns to a variable or a property, puts into a
 * table, passes as an argument, or returns.
 */

import * as Effect from "effect/Effect"
import { escapePattern } from "../../base/Text.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import * as Closures from "./Closures.ts"
import { bodyOf, type Frame, type Frames, keyOf, lineAt, runs, type Text } from "./Frames.ts"
import * as IndirectCalls from "./IndirectCalls.ts"
import { type Family, splitList } from "./MaskedText.ts"

/** A value that an expression may have: a function, a class, an object of a class, or what a function returns. */
export interface Value {
  readonly kind: "function" | "class" | "object" | "result"
  readonly entry: IndexEntry
  readonly by: IndexEntry | undefined
  readonly isLater?: boolean | undefined
}

/** The way of one search: what was looked at already, so that cycles end. */
interface Search {
  readonly seen: Set<string>
  /** Functions whose results were looked at. What other callers pass to them says nothing of the call on the way. */
  readonly passed: Set<string>
  left: number
}

/** The most steps from a call back to what is given, and the most expressions on the way. */
const MAX_DEPTH = 7
const MAX_EXPRESSIONS = 80

/** The most uses of a function whose arguments are read. */
const MAX_USES = 40

/** Methods that run when an object is called like a function. */
const invoked: Readonly<Record<Family, string | undefined>> = { php: "__invoke", ecma: undefined, python: "__call__" }

const constructors: ReadonlySet<string> = new Set(["__construct", "constructor", "__init__"])

/** The name by which an argument is given. */
const keywordOf = /^\s*([\w$]+)\s*[=:](?![=>])/

export interface HeldValues {
  /** Returns what a variable, property or key of a function may hold. */
  readonly of: (frame: Frame, holder: IndirectCalls.Holder) => Effect.Effect<ReadonlyArray<Value>, IndexError>
  /** Returns the symbol that runs if a value is called. */
  readonly targetOf: (value: Value, family: Family) => Effect.Effect<IndexEntry | undefined, IndexError>
}

/** Makes the search for a project. `files`: those of the code, whose registrations count. */
export const make = (
  { frameOf, index, membersOf, ownerOf, read, resolve }: Frames,
  files: ReadonlyArray<string>,
): HeldValues => {
  const code = new Set(files)

  /** Returns what a function returns, or the function itself if that is one of its closures. */
  const resultOf = Effect.fnUntraced(function* (
    entry: IndexEntry,
    by: IndexEntry | undefined,
    depth: number,
    search: Search,
  ): Effect.fn.Return<ReadonlyArray<Value>, IndexError> {
    const frame = yield* frameOf(entry)
    if (frame === undefined) return []
    // A function without closures returns none of its own.
    const closures = Closures.read(bodyOf(frame), frame.family)
    const fallback: ReadonlyArray<Value> = closures.length > 0 ? [{ kind: "result", entry, by, isLater: true }] : []
    if (/\)\s*:\s*\??(?:self|static)\b/.test(bodyOf(frame).slice(0, 2_000).split("{")[0] ?? "")) {
      const owner = yield* ownerOf(entry)
      if (owner !== undefined) return [{ kind: "object", entry: owner, by }]
    }
    const key = `result ${entry.path} ${entry.startLine}`
    if (depth <= 0 || search.seen.has(key)) return fallback
    search.seen.add(key)
    search.passed.add(keyOf(entry))
    const values: Array<Value> = []
    for (const expression of inFile(frame, IndirectCalls.results(bodyOf(frame), frame.family))) {
      const at = expression.start - frame.start
      const isLater = closures.some(({ end, start }) => at >= start && at < end)
      for (const value of yield* evaluate(frame, expression, depth - 1, search)) {
        values.push(isLater ? { ...value, isLater } : value)
      }
    }
    const callable: Array<Value> = []
    for (const value of values) if ((yield* targetOf(value, frame.family)) !== undefined) callable.push(value)
    return callable.length > 0 ? callable : fallback
  })

  const valuesOf = Effect.fnUntraced(function* (
    frame: Frame,
    holder: IndirectCalls.Holder,
    depth: number,
    search: Search,
  ): Effect.fn.Return<ReadonlyArray<Value>, IndexError> {
    const { entry, family } = frame
    if (entry === undefined || depth <= 0) return []
    const key = `${holder.kind} ${holder.name} ${entry.path} ${entry.startLine}`
    if (search.seen.has(key)) return []
    search.seen.add(key)
    const values: Array<Value> = []
    const evaluateAll = Effect.fnUntraced(function* (of: Frame, all: ReadonlyArray<IndirectCalls.Expression>) {
      for (const each of inFile(of, all)) values.push(...(yield* evaluate(of, each, depth - 1, search)))
    })
    if (holder.kind === "variable") {
      yield* evaluateAll(frame, IndirectCalls.assignmentsTo(bodyOf(frame), holder.name, family))
      const position = IndirectCalls.parametersOf(bodyOf(frame), entry.name, family).indexOf(holder.name)
      if (position >= 0 && !search.passed.has(keyOf(entry)))
        values.push(...(yield* argumentsOf(entry, holder.name, position, depth - 1, search)))
      return values
    }
    const owner = yield* ownerOf(entry)
    if (owner !== undefined && holder.kind === "property") {
      const field = (yield* index.symbolsIn(owner.path)).find(
        ({ container, kind, name }) => container === owner.qualifiedName && name === holder.name && !runs.has(kind),
      )
      const own = field === undefined ? undefined : yield* frameOf(field)
      if (own !== undefined) yield* evaluateAll(own, IndirectCalls.assignmentsTo(bodyOf(own), holder.name, family))
      // `res.send = function …` is a method of `res` that is assigned to a property.
      const assigned = yield* membersOf(owner)
      for (const method of assigned) {
        if (method.name === holder.name) values.push({ kind: "function", entry: method, by: undefined })
      }
    }
    for (const method of owner === undefined ? [] : yield* membersOf(owner)) {
      const own = yield* frameOf(method)
      if (own === undefined) continue
      const body = bodyOf(own)
      if (holder.kind === "key") {
        const text = own.text.slice(own.start, own.end)
        yield* evaluateAll(own, IndirectCalls.assignmentsToKey(text, body, holder.name, family))
      } else {
        yield* evaluateAll(own, IndirectCalls.assignmentsToProperty(body, holder.name, family))
        const isPromoted = constructors.has(method.name) && IndirectCalls.isPromoted(body, holder.name, family)
        if (isPromoted) values.push(...(yield* valuesOf(own, { kind: "variable", name: holder.name }, depth, search)))
      }
    }
    return values
  })

  /** Returns what is passed to a parameter where the function is called. */
  const argumentsOf = Effect.fnUntraced(function* (
    entry: IndexEntry,
    name: string,
    position: number,
    depth: number,
    search: Search,
  ): Effect.fn.Return<ReadonlyArray<Value>, IndexError> {
    const owner = constructors.has(entry.name) ? yield* ownerOf(entry) : undefined
    const names = owner === undefined ? [entry.name] : [owner.name, "self", "static", "cls", entry.name]
    const uses = [...(yield* index.references(entry)), ...(owner === undefined ? [] : yield* index.references(owner))]
    // A class that makes objects of itself does not use another symbol.
    for (const method of owner === undefined ? [] : yield* membersOf(owner)) {
      const own = yield* frameOf(method)
      for (const { index: at } of own === undefined ? [] : bodyOf(own).matchAll(/\bnew\s+(?:self|static)\b|\bcls\(/g)) {
        if (own !== undefined)
          uses.push({ path: own.path, line: lineAt(own, own.start + at), symbol: method.qualifiedName })
      }
    }
    const called = new RegExp(
      `(?<![\\w$])(?<!\\b(?:def|function)\\s+)(?:${names.map(escapePattern).join("|")})\\s*\\(`,
      "g",
    )
    const values: Array<Value> = []
    const lines = new Set<string>()
    for (const { line, path, symbol } of uses.filter(({ path }) => code.has(path)).slice(0, MAX_USES)) {
      const key = `${path} ${line}`
      if (lines.has(key)) continue
      lines.add(key)
      const text = yield* read(path)
      const start = text?.starts[line - 1]
      if (text === undefined || start === undefined) continue
      const around =
        symbol === undefined
          ? undefined
          : (yield* index.symbolsIn(path)).find(
              ({ endLine, qualifiedName, startLine }) =>
                qualifiedName === symbol && startLine <= line && line <= endLine,
            )
      const frame: Frame | undefined =
        around === undefined ? { ...text, entry: undefined, start: 0, end: text.text.length } : yield* frameOf(around)
      if (frame === undefined) continue
      for (const { 0: found, index: at } of text.masked
        .slice(start, text.starts[line] ?? text.text.length)
        .matchAll(called)) {
        const list = splitList(text.masked, start + at + found.length - 1)
        const keyword = list.find(([from, to]) => keywordOf.exec(text.masked.slice(from, to))?.[1] === name)
        const [from, to] = keyword ?? list[position] ?? []
        if (from === undefined || to === undefined) continue
        values.push(...(yield* evaluate(frame, { start: from, end: to }, depth, search)))
      }
    }
    return values
  })

  /** Returns what an expression may be, as far as it names what is declared, or holds what is known. */
  const evaluate = Effect.fnUntraced(function* (
    frame: Frame,
    expression: IndirectCalls.Expression,
    depth: number,
    search: Search,
  ): Effect.fn.Return<ReadonlyArray<Value>, IndexError> {
    if (depth <= 0 || search.left-- <= 0) return []
    const values: Array<Value> = []
    let after = expression.start
    // The calls in a closure are made when that is called.
    const closures = Closures.inExpression(frame.masked.slice(expression.start, expression.end), frame.family)
    const isInClosure = (at: number) =>
      closures.some(({ end, start }) => at - expression.start >= start && at - expression.start < end)
    for (const mention of IndirectCalls.mentionsIn(frame.text, frame.masked, expression, frame.family)) {
      if (mention.at < after || mention.isReceiver || isInClosure(mention.at)) continue
      // `static function` is no object of the class, and `new static()` is one.
      if (mention.name === "static" && mention.open === undefined) continue
      const symbol = yield* resolve(frame, mention.name, lineAt(frame, mention.at))
      if (symbol !== undefined) {
        // A member of some object without brackets is mostly a property that is computed.
        const isRead = mention.isMember && symbol.kind === "method" && frame.family !== "ecma"
        if (isRead && mention.open === undefined) continue
        const own = yield* valuesOfSymbol(symbol, mention.open !== undefined, frame, depth, search)
        values.push(...own)
        // An argument is not what a function returns; a record such as `Middleware(Errors)` holds it.
        const isRecord = symbol.kind === "class" && (yield* methodOf(symbol, frame.family)) === undefined
        if (mention.open !== undefined && !isRecord) after = endOfCall(frame, mention.open)
      } else if (mention.holder !== undefined) {
        const held = yield* valuesOf(frame, mention.holder, depth, search)
        for (const value of held) {
          values.push(...(mention.open === undefined ? [value] : yield* called(value, depth, search)))
        }
        // A function that is not known, such as `reversed`, may return what it is given; a held one may not.
        if (held.length > 0 && mention.open !== undefined) after = endOfCall(frame, mention.open)
      }
    }
    return values
  })

  const valuesOfSymbol = Effect.fnUntraced(function* (
    symbol: IndexEntry,
    isCalled: boolean,
    { entry: by }: Frame,
    depth: number,
    search: Search,
  ) {
    if (runs.has(symbol.kind)) {
      return isCalled
        ? yield* resultOf(symbol, by, depth - 1, search)
        : [{ kind: "function", entry: symbol, by } satisfies Value]
    }
    return symbol.kind === "class" ? [{ kind: isCalled ? "object" : "class", entry: symbol, by } satisfies Value] : []
  })

  /** Returns what calling a value gives. */
  const called = (value: Value, depth: number, search: Search): Effect.Effect<ReadonlyArray<Value>, IndexError> =>
    value.kind === "class"
      ? Effect.succeed([{ ...value, kind: "object" }])
      : value.kind === "function"
        ? resultOf(value.entry, value.by, depth - 1, search)
        : Effect.succeed([])

  /** Returns the method that runs if an object of a class is called. It may be that of a base class. */
  const methodOf = Effect.fnUntraced(function* (owner: IndexEntry, family: Family) {
    const name = invoked[family]
    if (name === undefined) return undefined
    for (const type of [owner, ...(yield* index.inheritance(owner)).bases]) {
      const symbols = yield* index.symbolsIn(type.path)
      const method = symbols.find(({ container, name: own }) => container === type.qualifiedName && own === name)
      if (method !== undefined) return method
    }
    return undefined
  })
  /** Returns the symbol that runs if a value is called. */
  const targetOf = ({ entry, kind }: Value, family: Family) =>
    kind === "object" ? methodOf(entry, family) : Effect.succeed(entry)

  return {
    of: (frame, holder) =>
      valuesOf(frame, holder, MAX_DEPTH, { seen: new Set(), passed: new Set(), left: MAX_EXPRESSIONS }),
    targetOf,
  }
}

/** Moves offsets in the text of a function to those in its file. */
const inFile = ({ start }: Frame, all: ReadonlyArray<IndirectCalls.Expression>) =>
  all.map((each) => ({ start: each.start + start, end: each.end + start }))

const endOfCall = ({ masked }: Text, open: number): number => splitList(masked, open).at(-1)?.[1] ?? open + 1
