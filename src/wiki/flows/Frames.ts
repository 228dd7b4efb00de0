/**
 * Reads functions and the text around them, with comments and strings blank, and says what their names mean.
 */

import * as Effect from "effect/Effect"
import { lastUpTo, lineStarts } from "../../base/Text.ts"
import * as Language from "../../code/Language.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import { type Family, familyOf, mask } from "./MaskedText.ts"

/** The lookups of an index that are needed. */
export type Lookups = Pick<Index, "callees" | "symbolsIn" | "references" | "find" | "resolvedLines" | "inheritance">

/** The text of a file with its comments and strings blank. */
export interface Text {
  readonly path: string
  readonly family: Family
  readonly text: string
  readonly masked: string
  readonly starts: ReadonlyArray<number>
}

/** A function with its text, or the text of a file outside of all symbols. */
export interface Frame extends Text {
  readonly entry: IndexEntry | undefined
  readonly start: number
  readonly end: number
}

/** A function with its text. */
export interface FunctionFrame extends Frame {
  readonly entry: IndexEntry
}

/** The longest file and the longest function that are read, in characters. */
const MAX_TEXT = 400_000
const MAX_FUNCTION = 40_000

export interface Frames {
  /** The lookups of the index. */
  readonly index: Lookups
  /** Returns undefined for a language whose calls cannot be read, and for a file that is missing or too long. */
  readonly read: (path: string) => Effect.Effect<Text | undefined>
  /** Returns the text of a function, or undefined if that is too long or cannot be read. */
  readonly frameOf: (entry: IndexEntry) => Effect.Effect<FunctionFrame | undefined>
  /** Returns the class or function whose properties `this` has in a method. */
  readonly ownerOf: (entry: IndexEntry) => Effect.Effect<IndexEntry | undefined, IndexError>
  /** Returns the methods of a class, and the function itself if the owner is one. */
  readonly membersOf: (owner: IndexEntry) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Returns the texts of these, without those that `frameOf` cannot return. */
  readonly memberFrames: (owner: IndexEntry) => Effect.Effect<ReadonlyArray<FunctionFrame>, IndexError>
  /** Returns the function or type that a name means on a line, as far as its reference is resolved. */
  readonly resolve: (frame: Frame, name: string, line: number) => Effect.Effect<IndexEntry | undefined, IndexError>
}

/** Makes the reader for a project. `textOf` reads a file. */
export const make = (index: Lookups, textOf: (path: string) => Effect.Effect<string | undefined>): Frames => {
  const texts = new Map<string, Text | undefined>()

  const read = (path: string): Effect.Effect<Text | undefined> =>
    Effect.suspend(() => (texts.has(path) ? Effect.succeed(texts.get(path)) : readAnew(path)))
  const readAnew = Effect.fnUntraced(function* (path: string) {
    const family = familyOf(Language.of(path)?.id)
    const text = family === undefined ? undefined : yield* textOf(path)
    const made =
      family === undefined || text === undefined || text.length > MAX_TEXT
        ? undefined
        : { path, family, text, masked: mask(text, family), starts: lineStarts(text) }
    texts.set(path, made)
    return made
  })
  const frameOf = (entry: IndexEntry) => Effect.map(read(entry.path), (text) => frameIn(text, entry))
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
  // A search looks through all methods of a class for each property that one of them calls.
  const frames = new Map<string, ReadonlyArray<FunctionFrame>>()
  const memberFrames = Effect.fnUntraced(function* (owner: IndexEntry) {
    const known = frames.get(keyOf(owner))
    if (known !== undefined) return known
    const members = yield* membersOf(owner)
    const text = yield* read(owner.path)
    const found = members.flatMap((member) => frameIn(text, member) ?? [])
    frames.set(keyOf(owner), found)
    return found
  })

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

  return { index, read, frameOf, ownerOf, membersOf, memberFrames, resolve }
}

const frameIn = (text: Text | undefined, entry: IndexEntry): FunctionFrame | undefined => {
  const start = text?.starts[entry.startLine - 1]
  if (text === undefined || start === undefined) return undefined
  const end = text.starts[entry.endLine] ?? text.text.length
  return end - start > MAX_FUNCTION ? undefined : { ...text, entry, start, end }
}

/** Returns the masked text of a function. */
export const bodyOf = ({ end, masked, start }: Frame): string => masked.slice(start, end)

/** Returns the line of an offset in a file, from 1. */
export const lineAt = ({ starts }: Text, at: number): number => lastUpTo(starts, at) + 1

/** Returns what tells a symbol from all others. */
export const keyOf = ({ path, qualifiedName, startLine }: IndexEntry): string => `${path} ${startLine} ${qualifiedName}`

/** Returns whether a method is called when an object of its class is made. */
export const isConstructor = ({ name }: IndexEntry): boolean => constructors.has(name)

const constructors: ReadonlySet<string> = new Set(["__construct", "constructor", "__init__"])

/** Kinds of symbols that can be called, and kinds that can be made objects of. */
export const runs: ReadonlySet<string> = new Set(["function", "method"])
const types: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])
