/**
 * Finds what an expression may hold: the functions that resolved code assigns to a variable or a property, puts into a
 * table, passes as an argument, or returns.
 */

import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import * as Arguments from "./Arguments.ts"
import * as Closures from "./Closures.ts"
import {
  bodyOf,
  type Frame,
  type Frames,
  isConstructor,
  keyOf,
  type Lookups,
  lineAt,
  runs,
  type Text,
} from "./Frames.ts"
import * as IndirectCalls from "./IndirectCalls.ts"
import { type Family, splitList } from "./MaskedText.ts"

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

/** The most steps from a call back to what is given, and the most expressions on the way. */
const MAX_DEPTH = 7
const MAX_EXPRESSIONS = 80

/** Methods that run when an object is called like a function. */
const invoked: Readonly<Record<Family, string | undefined>> = { php: "__invoke", ecma: undefined, python: "__call__" }

export interface HeldValues {
  /** Returns what a variable, property or key of a function may hold. */
  readonly of: (frame: Frame, holder: IndirectCalls.Holder) => Effect.Effect<ReadonlyArray<Value>, IndexError>
  /** Returns the symbol that runs if a value is called. */
  readonly targetOf: (value: Value, family: Family) => Effect.Effect<IndexEntry | undefined, IndexError>
}

/** Makes the search for a project. `files`: those of the code, whose registrations count. */
export const make = (frames: Frames, files: ReadonlyArray<string>): HeldValues => {
  const { frameOf, index, memberFrames, membersOf, ownerOf, resolve } = frames
  const argumentsOf = Arguments.make(frames, files)

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
    const { entry } = frame
    if (entry === undefined || depth <= 0) return []
    const owner = holder.kind === "variable" ? undefined : yield* ownerOf(entry)
    const key = keyOfHolder(holder, owner ?? entry)
    if (search.seen.has(key)) return []
    search.seen.add(key)
    if (holder.kind === "variable") return yield* valuesOfVariable(frame, entry, holder.name, depth, search)
    if (owner === undefined) return []
    const ofField =
      holder.kind === "property" ? yield* valuesOfField(owner, holder.name, frame.family, depth, search) : []
    return [...ofField, ...(yield* valuesOfMembers(owner, holder, frame.family, depth, search))]
  })

  /** Returns what a function assigns to a variable, and what is passed to it if the variable is a parameter. */
  const valuesOfVariable = Effect.fnUntraced(function* (
    frame: Frame,
    entry: IndexEntry,
    name: string,
    depth: number,
    search: Search,
  ) {
    const body = bodyOf(frame)
    const assigned = IndirectCalls.assignmentsTo(body, name, frame.family)
    const values = assigned.length === 0 ? [] : yield* evaluateAll(frame, assigned, depth - 1, search)
    const position = IndirectCalls.parametersOf(body, entry.name, frame.family).indexOf(name)
    if (position < 0 || search.passed.has(keyOf(entry))) return values
    const passed: Array<Value> = []
    for (const argument of yield* argumentsOf(entry, name, position)) {
      passed.push(...(yield* evaluate(argument.frame, argument.expression, depth - 1, search)))
    }
    return [...values, ...passed]
  })

  /** Returns what a property holds by its declaration, and the methods of that name. */
  const valuesOfField = Effect.fnUntraced(function* (
    owner: IndexEntry,
    name: string,
    family: Family,
    depth: number,
    search: Search,
  ) {
    const field = (yield* index.symbolsIn(owner.path)).find(
      (symbol) => symbol.container === owner.qualifiedName && symbol.name === name && !runs.has(symbol.kind),
    )
    const own = field === undefined ? undefined : yield* frameOf(field)
    const assigned = own === undefined ? [] : IndirectCalls.assignmentsTo(bodyOf(own), name, family)
    const values = own === undefined ? [] : yield* evaluateAll(own, assigned, depth - 1, search)
    // `res.send = function …` is a method of `res` that is assigned to a property.
    const methods = (yield* membersOf(owner)).filter((method) => method.name === name)
    return [...values, ...methods.map((entry): Value => ({ kind: "function", entry, by: undefined }))]
  })

  /** Returns what the methods of an owner assign to a property or to a key of a table. */
  const valuesOfMembers = Effect.fnUntraced(function* (
    owner: IndexEntry,
    { kind, name }: IndirectCalls.Holder,
    family: Family,
    depth: number,
    search: Search,
  ) {
    const values: Array<Value> = []
    for (const own of yield* memberFrames(owner)) {
      const body = bodyOf(own)
      const assigned =
        kind === "key"
          ? IndirectCalls.assignmentsToKey(own.text.slice(own.start, own.end), body, name, family)
          : IndirectCalls.assignmentsToProperty(body, name, family)
      if (assigned.length > 0) values.push(...(yield* evaluateAll(own, assigned, depth - 1, search)))
      const isPromoted = kind === "property" && isConstructor(own.entry) && IndirectCalls.isPromoted(body, name, family)
      if (isPromoted) values.push(...(yield* valuesOf(own, { kind: "variable", name }, depth, search)))
    }
    return values
  })

  /** Returns what expressions in the text of a function may be; their offsets are those in that text. */
  const evaluateAll = Effect.fnUntraced(function* (
    frame: Frame,
    expressions: ReadonlyArray<IndirectCalls.Expression>,
    depth: number,
    search: Search,
  ) {
    const values: Array<Value> = []
    for (const expression of inFile(frame, expressions)) {
      values.push(...(yield* evaluate(frame, expression, depth, search)))
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
        const isRecord = symbol.kind === "class" && (yield* methodOf(index, symbol, frame.family)) === undefined
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

  const targetOf = ({ entry, kind }: Value, family: Family) =>
    kind === "object" ? methodOf(index, entry, family) : Effect.succeed(entry)

  const search = (frame: Frame, holder: IndirectCalls.Holder) =>
    valuesOf(frame, holder, MAX_DEPTH, { seen: new Set(), passed: new Set(), left: MAX_EXPRESSIONS })

  // A property holds the same for all methods of a class, and each search looks through all of these.
  const ofOwners = new Map<string, ReadonlyArray<Value>>()
  const of: HeldValues["of"] = Effect.fnUntraced(function* (frame, holder) {
    const owner = holder.kind === "variable" || frame.entry === undefined ? undefined : yield* ownerOf(frame.entry)
    if (owner === undefined) return yield* search(frame, holder)
    const key = keyOfHolder(holder, owner)
    const found = ofOwners.get(key) ?? (yield* search(frame, holder))
    ofOwners.set(key, found)
    return found
  })

  return { of, targetOf }
}

/** Returns the key of what a function has, or the class or function whose properties `this` has in it. */
const keyOfHolder = ({ kind, name }: IndirectCalls.Holder, owner: IndexEntry): string =>
  `${kind} ${name} ${keyOf(owner)}`

/** Moves offsets in the text of a function to those in its file. */
const inFile = ({ start }: Frame, all: ReadonlyArray<IndirectCalls.Expression>) =>
  all.map((each) => ({ start: each.start + start, end: each.end + start }))

const endOfCall = ({ masked }: Text, open: number): number => splitList(masked, open).at(-1)?.[1] ?? open + 1

/** Returns the method that runs if an object of a class is called. It may be that of a base class. */
const methodOf = Effect.fnUntraced(function* (index: Lookups, owner: IndexEntry, family: Family) {
  const name = invoked[family]
  if (name === undefined) return undefined
  for (const type of [owner, ...(yield* index.inheritance(owner)).bases]) {
    const symbols = yield* index.symbolsIn(type.path)
    const method = symbols.find(({ container, name: own }) => container === type.qualifiedName && own === name)
    if (method !== undefined) return method
  }
  return undefined
})
