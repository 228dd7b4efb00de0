/**
 * Reads from the references of a project which types others implement or extend, which of these the code takes by
 * default, and how its errors inherit from each other.
 */

import * as Effect from "effect/Effect"
import { escapePattern } from "../base/Text.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import { callerKey, type Index } from "../index/IndexStore.ts"

/** A type with those that implement or extend it. */
interface Contract {
  readonly entry: IndexEntry
  /** The nearest in the inheritance come first. */
  readonly implementations: ReadonlyArray<IndexEntry>
  /** The types that the code takes if it is given none, and where it says so. */
  readonly defaults: ReadonlyArray<Default>
}

interface Default {
  readonly entry: IndexEntry
  /** The symbol that says so; undefined outside of all symbols. */
  readonly by: IndexEntry | undefined
}

/** A type of error with those that directly inherit from it. */
interface ErrorType {
  readonly entry: IndexEntry
  /** The type of the language or of a library that it inherits from, as its declaration says. */
  readonly base: string | undefined
  readonly derived: ReadonlyArray<IndexEntry>
}

export interface Contracts {
  /** The contracts, those with most implementations first. */
  readonly contracts: ReadonlyArray<Contract>
  /** The errors, each before those that inherit from it. */
  readonly errors: ReadonlyArray<ErrorType>
}

/** The most types of a project whose inheritance is read, and the most uses of one that may say what is the default. */
const MAX_TYPES = 3_000
const MAX_USES = 60

/** A class with so many others that extend it is a contract, even if nothing in it is abstract. */
const MIN_EXTENDED = 3

const isType = ({ kind }: IndexEntry): boolean => kind === "class" || kind === "interface" || kind === "type"

/** `files`: those of the code; `textOf` reads a file. */
export const read: (
  index: Pick<Index, "symbolsIn" | "inheritance" | "references">,
  files: ReadonlyArray<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) => Effect.Effect<Contracts, IndexError> = Effect.fn("Contracts.read")(function* (index, files, textOf) {
  const code = new Set(files)
  const keyOf = (entry: IndexEntry) => `${entry.path} ${callerKey(entry)}`
  const types: Array<IndexEntry> = []
  for (const path of files) {
    if (types.length >= MAX_TYPES) break
    types.push(...(yield* index.symbolsIn(path)).filter(isType))
  }
  const known = new Map(types.map((entry) => [keyOf(entry), entry]))
  const derived = new Map<string, ReadonlyArray<IndexEntry>>()
  const children = new Map<string, Array<IndexEntry>>()
  for (const entry of types) {
    const { bases, derived: below } = yield* index.inheritance(entry)
    derived.set(
      keyOf(entry),
      below.filter((other) => code.has(other.path) && isType(other) && !other.name.startsWith("_")),
    )
    const own = bases.filter((base) => known.has(keyOf(base)))
    // A base of another base is no direct one.
    const further = new Set<string>()
    for (const base of own)
      for (const { bases } of [yield* index.inheritance(base)]) for (const each of bases) further.add(keyOf(each))
    for (const base of own) {
      if (further.has(keyOf(base))) continue
      children.set(keyOf(base), [...(children.get(keyOf(base)) ?? []), entry])
    }
  }

  const texts = new Map<string, ReadonlyArray<string> | undefined>()
  const linesOf = Effect.fnUntraced(function* (path: string) {
    if (!texts.has(path)) texts.set(path, (yield* textOf(path))?.split("\n"))
    return texts.get(path)
  })
  const isErrorType = (entry: IndexEntry): boolean => errorName.test(entry.name) || errorBase.test(baseText(entry))
  const errorKeys = new Set<string>()
  const addError = (entry: IndexEntry): void => {
    if (errorKeys.has(keyOf(entry))) return
    errorKeys.add(keyOf(entry))
    for (const child of children.get(keyOf(entry)) ?? []) addError(child)
  }
  for (const entry of types) if (isErrorType(entry)) addError(entry)

  const contracts: Array<Contract> = []
  for (const entry of types) {
    const implementations = derived.get(keyOf(entry)) ?? []
    if (implementations.length === 0 || errorKeys.has(keyOf(entry))) continue
    const lines = yield* linesOf(entry.path)
    const source = lines?.slice(entry.startLine - 1, entry.endLine).join("\n") ?? ""
    if (!isAbstract(entry, source) && (children.get(keyOf(entry)) ?? []).length < MIN_EXTENDED) continue
    const defaults: Array<Default> = []
    const some = implementations.length > MAX_EXCHANGED ? [] : implementations.slice(0, MAX_USES)
    for (const implementation of some) {
      const uses = (yield* index.references(implementation)).filter(({ path }) => code.has(path))
      for (const { line, path, symbol } of uses.slice(0, MAX_USES)) {
        const symbols = yield* index.symbolsIn(path)
        const around = symbols.filter(({ endLine, startLine }) => startLine <= line && line <= endLine)
        const user = around.find(({ qualifiedName }) => qualifiedName === symbol)
        // A parameter of a constructor that declares a field stands within the constructor, which takes the value.
        const by =
          user?.kind === "field"
            ? (around.find(({ container, kind }) => kind === "method" && container === user.container) ?? user)
            : user
        if (!isDefault(yield* linesOf(path), line, implementation.name, by)) continue
        defaults.push({ entry: implementation, by })
        break
      }
    }
    contracts.push({ entry, implementations, defaults })
  }

  const errors: Array<ErrorType> = []
  const errorNames = new Set(types.flatMap((entry) => (errorKeys.has(keyOf(entry)) ? [entry.name] : [])))
  const walked = new Set<string>()
  const walk = (entry: IndexEntry): void => {
    if (walked.has(keyOf(entry)) || entry.name.startsWith("_")) return
    walked.add(keyOf(entry))
    const below = (children.get(keyOf(entry)) ?? []).filter(
      (child) => errorKeys.has(keyOf(child)) && !child.name.startsWith("_"),
    )
    const base = outerBase(entry)
    errors.push({ entry, base: base !== undefined && errorNames.has(base) ? undefined : base, derived: below })
    for (const child of below) walk(child)
  }
  const hasErrorBase = new Set(
    Array.from(errorKeys, (key) => children.get(key) ?? [])
      .flat()
      .map(keyOf),
  )
  const roots = types.filter((entry) => errorKeys.has(keyOf(entry)) && !hasErrorBase.has(keyOf(entry)))
  for (const root of roots) walk(root)
  for (const entry of types) if (errorKeys.has(keyOf(entry))) walk(entry)
  return {
    contracts: contracts.toSorted(
      (one, other) =>
        other.implementations.length - one.implementations.length ||
        other.entry.usedBy - one.entry.usedBy ||
        (one.entry.path < other.entry.path ? -1 : 1),
    ),
    errors,
  }
})

/**
 * A type that more others implement is a kind of values, such as nodes of a syntax tree, of which none is the default.
 */
const MAX_EXCHANGED = 24

/** Names of types of errors. A handler or factory of errors is none. */
const errorName = /(?:Exception|Error)(?:Interface)?$/

/** Bases of types of errors, as declarations write them. */
const errorBase = /(?:^|[\s,(\\.:<])\w*(?:Exception|Error|Throwable)\b/

/** Returns what a declaration says behind the name: its bases. */
const baseText = ({ name, signature }: IndexEntry): string => {
  const at = signature.indexOf(name)
  const after = at === -1 ? "" : signature.slice(at + name.length)
  return /^\s*(?:<[^>]*>)?\s*(?:extends|implements|:|\(|<)/.test(after) ? after : ""
}

/** Returns the first base of an error that is named like one. */
const outerBase = (entry: IndexEntry): string | undefined =>
  /(?:^|[\s,(\\.:<])(\w*(?:Exception|Error|Throwable))\b/.exec(baseText(entry))?.[1]

/** Returns whether a type cannot be used without one that implements it. */
const isAbstract = ({ kind, signature }: IndexEntry, source: string): boolean =>
  kind === "interface" ||
  /\b(?:abstract|trait|protocol|interface)\b/.test(signature) ||
  /\((?:[^)]*[\s,.])?(?:Protocol|ABC|ABCMeta)\b/.test(signature) ||
  /@(?:abc\.)?abstractmethod\b|\braise\s+NotImplementedError\b/.test(source)

/**
 * Returns whether a line makes an object of a type if none is given: behind `??`, `||`, `or` and the like, in a choice
 * by a test for nothing, or as the value of a parameter.
 */
const isDefault = (
  lines: ReadonlyArray<string> | undefined,
  line: number,
  name: string,
  by: IndexEntry | undefined,
): boolean => {
  const text = lines?.[line - 1] ?? ""
  const before = lines?.[line - 2] ?? ""
  if (text.length > MAX_LINE || before.length > MAX_LINE || !text.includes(name)) return false
  const type = `(?:new\\s+)?(?:[\\w\\\\.]*(?<![\\w$]))${escapePattern(name)}(?:\\s*\\(|\\b)`
  // A pattern with a name in it is compiled for each line, so those without one are asked first.
  const matches = (hint: RegExp, pattern: string): boolean => hint.test(text) && new RegExp(pattern).test(text)
  if (by?.signature.includes(name) && new RegExp(`\\([^]*=\\s*${type}`).test(by.signature)) return true
  return (
    matches(/\?\?|\?:|\|\||\bor/, `(?:\\?\\?=?|\\?:|\\|\\|=?|\\bor)\\s*${type}`) ||
    matches(/(?:null|None|undefined|nil)\)?\s*\?/, `(?:null|None|undefined|nil)\\)?\\s*\\?\\s*${type}`) ||
    matches(/\bis None\b/, `${type}[^\\n]*\\bif\\b[^\\n]*\\bis None\\b`) ||
    matches(/\bis not None\b/, `\\bif\\b[^\\n]*\\bis not None\\b[^\\n]*\\belse\\s+${type}`) ||
    (/\bif\b.*(?:\bis None\b|===?\s*(?:null|undefined|nil)\b|\bis_null\(|!\s*\(?\s*(?:isset|this|\$?\w+[.\w>-]*\)?\s*\{?\s*$))/.test(
      before,
    ) &&
      matches(/=/, `[\\w\\])]\\s*=\\s*${type}`))
  )
}

const MAX_LINE = 400
