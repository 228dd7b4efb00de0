/**
 * Finds what a function calls through a variable, a parameter, a property or a table: the functions that resolved code
 * gives it, such as those that are registered with `push` or `use`, or passed to its constructor.
 */

import * as Effect from "effect/Effect"
import { escapePattern, lineStarts } from "../../base/Text.ts"
import * as Language from "../../code/Language.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as Closures from "./Closures.ts"
import * as IndirectCalls from "./IndirectCalls.ts"
import { type Family, familyOf, mask, splitList } from "./MaskedText.ts"

/** A call through something that holds a function. */
export interface Joint {
  /** The text that holds the function, as the code writes it: `$handler`, `self.app`. */
  readonly holder: string
  readonly line: number
  /** The symbols that it may call, in the order in which they were found. Empty if only its callers know. */
  readonly targets: ReadonlyArray<Target>
}

export interface Target {
  readonly entry: IndexEntry
  /** The symbol in which it is given; undefined outside of all symbols. */
  readonly by: IndexEntry | undefined
  /** True if what it returns is given, or what a closure returns, so that the call leads to it in two steps or more. */
  readonly isLater: boolean
}

/** Returns the calls of a function through what it holds, in the order of their lines. */
export type Find = (entry: IndexEntry) => Effect.Effect<ReadonlyArray<Joint>, IndexError>

/** The most steps from a call back to what is given, the most expressions on the way, and the most targets of a call. */
const MAX_DEPTH = 7
const MAX_EXPRESSIONS = 80
const MAX_TARGETS = 8

/** The most uses of a function whose arguments are read, and the longest file and function. */
const MAX_USES = 40
const MAX_TEXT = 400_000
const MAX_FUNCTION = 40_000

/** Methods that run when an object is called like a function. */
const invoked: Readonly<Record<Family, string | undefined>> = { php: "__invoke", ecma: undefined, python: "__call__" }

const constructors: ReadonlySet<string> = new Set(["__construct", "constructor", "__init__"])

/** The lookups of an index that are needed. */
export type Lookups = Pick<Index, "callees" | "symbolsIn" | "references" | "find" | "resolvedLines" | "inheritance">

/** The text of a file with its comments and strings blank. */
interface Text {
  readonly path: string
  readonly family: Family
  readonly text: string
  readonly masked: string
  readonly starts: ReadonlyArray<number>
}

/** A function with its text, or the text of a file outside of all symbols. */
interface Frame extends Text {
  readonly entry: IndexEntry | undefined
  readonly start: number
  readonly end: number
}

/** A value that an expression may have: a function, a class, an object of a class, or what a function returns. */
interface Value {
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

/** Makes the search for a project. `files`: those of the code, whose registrations count; `textOf` reads a file. */
export const make = (
  source: Lookups,
  files: ReadonlyArray<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
): Find => {
  const code = new Set(files)
  // Most expressions are in functions and files that others were in.
  const keyOf = ({ path, qualifiedName, startLine }: IndexEntry) => `${path} ${startLine} ${qualifiedName}`
  const index: Lookups = {
    callees: cache(source.callees, keyOf),
    symbolsIn: cache(source.symbolsIn, (path) => path),
    references: cache(source.references, keyOf),
    find: cache(source.find, (name, path = "") => `${name} ${path}`),
    resolvedLines: cache(source.resolvedLines, (name, path) => `${name} ${path}`),
    inheritance: cache(source.inheritance, keyOf),
  }
  const texts = new Map<string, Text | undefined>()
  const found = new Map<string, ReadonlyArray<Joint>>()

  const read = Effect.fnUntraced(function* (path: string) {
    if (texts.has(path)) return texts.get(path)
    const family = familyOf(Language.of(path)?.id)
    const text = family === undefined ? undefined : yield* textOf(path)
    const made =
      family === undefined || text === undefined || text.length > MAX_TEXT
        ? undefined
        : { path, family, text, masked: mask(text, family), starts: lineStarts(text) }
    texts.set(path, made)
    return made
  })
  const frameOf = Effect.fnUntraced(function* (entry: IndexEntry) {
    const text = yield* read(entry.path)
    const start = text?.starts[entry.startLine - 1]
    if (text === undefined || start === undefined) return undefined
    const end = text.starts[entry.endLine] ?? text.text.length
    return end - start > MAX_FUNCTION ? undefined : ({ ...text, entry, start, end } satisfies Frame)
  })
  const bodyOf = ({ end, masked, start }: Frame): string => masked.slice(start, end)
  const lineAt = ({ starts }: Text, at: number): number => {
    let [low, high] = [0, starts.length]
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle
    }
    return low + 1
  }
  /** Moves offsets in the text of a function to those in its file. */
  const inFile = ({ start }: Frame, all: ReadonlyArray<IndirectCalls.Expression>) =>
    all.map((each) => ({ start: each.start + start, end: each.end + start }))

  /** Returns the class or function whose properties `this` has in a method. */
  const ownerOf = Effect.fnUntraced(function* (entry: IndexEntry) {
    if (entry.container === undefined) return undefined
    const symbols = yield* index.symbolsIn(entry.path)
    return symbols.find(({ qualifiedName }) => qualifiedName === entry.container)
  })
  const membersOf = Effect.fnUntraced(function* (owner: IndexEntry) {
    const symbols = yield* index.symbolsIn(owner.path)
    const methods = symbols.filter(({ container, kind }) => container === owner.qualifiedName && runs.has(kind))
    return owner.kind === "function" ? [owner, ...methods] : methods
  })

  /** Returns the function or type that a name means on a line, as far as its reference is resolved. */
  const resolve = (frame: Frame, name: string, line: number) =>
    Effect.map(resolveAny(frame, name, line), (symbol) =>
      symbol !== undefined && (runs.has(symbol.kind) || types.has(symbol.kind)) ? symbol : undefined,
    )
  const resolveAny = Effect.fnUntraced(function* ({ entry, family, path }: Frame, name: string, line: number) {
    if (entry !== undefined) {
      if (family === "php" && (name === "self" || name === "static")) return yield* ownerOf(entry)
      const callees = yield* index.callees(entry)
      return callees.find((callee) => callee.entry.name === name && callee.lines.includes(line))?.entry
    }
    if (!(yield* index.resolvedLines(name, path)).has(line)) return undefined
    const candidates = yield* index.find(name)
    for (const candidate of candidates.slice(0, 5)) {
      const references = yield* index.references(candidate)
      if (references.some((reference) => reference.path === path && reference.line === line)) return candidate
    }
    return undefined
  })

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
        const keyword = list.find(([from, to]) =>
          new RegExp(`^\\s*${escapePattern(name)}\\s*[=:](?![=>])`).test(text.masked.slice(from, to)),
        )
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

  const endOfCall = ({ masked }: Text, open: number): number => splitList(masked, open).at(-1)?.[1] ?? open + 1

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

  return Effect.fnUntraced(function* (entry) {
    const key = `${entry.path} ${entry.startLine}`
    const known = found.get(key)
    if (known !== undefined) return known
    const frame = runs.has(entry.kind) ? yield* frameOf(entry) : undefined
    const joints: Array<Joint> = []
    if (frame !== undefined) {
      const body = bodyOf(frame)
      const given = new Set([
        ...IndirectCalls.parametersOf(body, entry.name, frame.family),
        ...IndirectCalls.closureParameters(body, frame.family),
      ])
      const holders = new Set<string>()
      for (const { at, holder, text } of IndirectCalls.read(
        frame.text.slice(frame.start, frame.end),
        body,
        frame.family,
      )) {
        if (holders.has(text)) continue
        holders.add(text)
        const line = lineAt(frame, frame.start + at)
        if ((yield* resolve(frame, holder.name, line)) !== undefined) continue
        const values = yield* valuesOf(frame, holder, MAX_DEPTH, {
          seen: new Set(),
          passed: new Set(),
          left: MAX_EXPRESSIONS,
        })
        const targets = new Map<string, Target>()
        for (const value of values) {
          const target = yield* targetOf(value, frame.family)
          if (target === undefined || (target.path === entry.path && target.startLine === entry.startLine)) continue
          targets.set(`${target.path} ${target.startLine}`, {
            entry: target,
            by: value.by,
            isLater: value.isLater === true,
          })
        }
        if (targets.size > 0 || (holder.kind === "variable" && given.has(holder.name))) {
          joints.push({ holder: text, line, targets: Array.from(targets.values()).slice(0, MAX_TARGETS) })
        }
      }
    }
    found.set(key, joints)
    return joints
  })
}

/** Keeps the answers of a lookup by a key of its arguments. */
const cache = <Args extends ReadonlyArray<unknown>, A, E>(
  lookup: (...args: Args) => Effect.Effect<A, E>,
  keyOf: (...args: Args) => string,
): ((...args: Args) => Effect.Effect<A, E>) => {
  const found = new Map<string, { readonly answer: A }>()
  return (...args) =>
    Effect.suspend(() => {
      const key = keyOf(...args)
      const known = found.get(key)
      return known === undefined
        ? Effect.tap(lookup(...args), (answer) => Effect.sync(() => found.set(key, { answer })))
        : Effect.succeed(known.answer)
    })
}

const runs: ReadonlySet<string> = new Set(["function", "method"])
const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])
