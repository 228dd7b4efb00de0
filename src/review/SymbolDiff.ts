/** Finds what a change did to the symbols of files: added, removed, changed, moved, renamed. Pure. */
import { escapePattern } from "../base/Text.ts"
import * as SourceTokens from "../code/SourceTokens.ts"
import type { SymbolVersion } from "./SymbolVersion.ts"

/** The symbols of a file in both states. */
export interface FileVersions {
  readonly path: string
  readonly before: ReadonlyArray<SymbolVersion>
  readonly after: ReadonlyArray<SymbolVersion>
}

/**
 * The part of a symbol that has changed: its signature, only its body, or only its members. The members are changes of
 * their own, such as the changed methods of a class.
 */
export type Extent = "signature" | "body" | "members"

export type SymbolChange =
  | { readonly change: "added"; readonly after: SymbolVersion }
  | { readonly change: "removed"; readonly before: SymbolVersion }
  | {
      readonly change: "changed"
      readonly before: SymbolVersion
      /** It is in another file if its file was renamed, too. */
      readonly after: SymbolVersion
      readonly extent: Extent
    }
  /** The same source and name in another file. */
  | { readonly change: "moved"; readonly before: SymbolVersion; readonly after: SymbolVersion }
  /** The same source except for its name, in the same file or another. */
  | { readonly change: "renamed"; readonly before: SymbolVersion; readonly after: SymbolVersion }

/** Returns the symbol as it is after the change, or as it was if it was removed. */
export const subjectOf = (change: SymbolChange): SymbolVersion =>
  change.change === "removed" ? change.before : change.after

/**
 * Returns the symbols that differ, sorted by path and line. Symbols count as the same if their source is equal except
 * for its layout, first in the same file, then anywhere. The others are paired by name in the same file, or in a file
 * that was renamed.
 */
export const compare = (files: ReadonlyArray<FileVersions>): ReadonlyArray<SymbolChange> => {
  const changes: Array<SymbolChange> = []
  const lost = new Set<SymbolVersion>()
  const found = new Set<SymbolVersion>()
  const changed = (before: SymbolVersion, after: SymbolVersion) => {
    changes.push({ change: "changed", before, after, extent: extentOf(before, after) })
  }
  for (const { after, before } of files) {
    const equal = match(before, after, ({ hash }) => hash)
    const same = match(equal.before, equal.after, ({ hash, tokens }) => tokens ?? hash)
    const namesakes = match(same.before, same.after, ({ kind, qualifiedName }) => `${kind} ${qualifiedName}`)
    const named = match(namesakes.before, namesakes.after, ({ qualifiedName }) => qualifiedName)
    for (const [one, other] of [...namesakes.pairs, ...named.pairs]) changed(one, other)
    for (const each of named.before) lost.add(each)
    for (const each of named.after) found.add(each)
  }
  const pair = (change: "moved" | "renamed", keyOf: (symbol: SymbolVersion) => string, among = isAny) => {
    const { pairs } = match([...lost].filter(among), [...found].filter(among), keyOf)
    for (const [before, after] of pairs) {
      lost.delete(before)
      found.delete(after)
      changes.push({ change, before, after })
    }
  }
  pair("moved", ({ hash }) => hash)
  pair("moved", ({ hash, tokens }) => tokens ?? hash)
  const nameless = memoize(withoutName)
  for (const keyOf of [nameless, withoutDeclaredName]) {
    pair("renamed", (symbol) => `${symbol.path} ${keyOf(symbol)}`, isTelling)
  }
  for (const keyOf of [nameless, withoutDeclaredName]) pair("renamed", keyOf, isTelling)
  const newPaths = renamedFiles(files, changes)
  const inRenamed = match(
    [...lost],
    [...found],
    ({ path, qualifiedName }) => `${newPaths.get(path) ?? path} ${qualifiedName}`,
  )
  for (const [before, after] of inRenamed.pairs) {
    lost.delete(before)
    found.delete(after)
    changed(before, after)
  }
  for (const before of lost) changes.push({ change: "removed", before })
  for (const after of found) changes.push({ change: "added", after })
  return changes.sort(byPlace)
}

/** Returns the tokens of the signature, or its text if they cannot be read. */
const signatureOf = ({ path, signature }: SymbolVersion): string =>
  SourceTokens.read(path, signature)(0, signature.length) ?? signature

interface Matched {
  readonly pairs: ReadonlyArray<readonly [SymbolVersion, SymbolVersion]>
  /** The symbols without a counterpart. */
  readonly before: ReadonlyArray<SymbolVersion>
  readonly after: ReadonlyArray<SymbolVersion>
}

/** Pairs symbols with the same key, in order. */
const match = (
  before: ReadonlyArray<SymbolVersion>,
  after: ReadonlyArray<SymbolVersion>,
  keyOf: (symbol: SymbolVersion) => string,
): Matched => {
  // Keys take time: in a change that only adds symbols there is nothing to pair.
  if (before.length === 0 || after.length === 0) return { pairs: [], before, after }
  const waiting = Map.groupBy(before, keyOf)
  const pairs: Array<readonly [SymbolVersion, SymbolVersion]> = []
  const left: Array<SymbolVersion> = []
  for (const other of after) {
    const one = waiting.get(keyOf(other))?.shift()
    if (one === undefined) left.push(other)
    else pairs.push([one, other])
  }
  const taken = new Set(pairs.map(([one]) => one))
  return { pairs, before: before.filter((one) => !taken.has(one)), after: left }
}

/** Returns a key that is the same for symbols that differ only in their name. */
const withoutName = ({ kind, name, source }: SymbolVersion): string => {
  const own = new RegExp(`(?<![\\p{L}\\p{N}_$])${escapePattern(name)}(?![\\p{L}\\p{N}_$])`, "gu")
  return `${kind} ${source.replaceAll(own, "\0")}`
}

/**
 * Returns a key like `withoutName`, but leaves out the name only at its first place. The words of a comment may be
 * those of the other name.
 */
const withoutDeclaredName = ({ kind, name, source }: SymbolVersion): string =>
  `${kind} ${source.replace(name, () => "\0")}`

const memoize = (keyOf: (symbol: SymbolVersion) => string): ((symbol: SymbolVersion) => string) => {
  const known = new Map<SymbolVersion, string>()
  return (symbol) => {
    const key = known.get(symbol) ?? keyOf(symbol)
    known.set(symbol, key)
    return key
  }
}

const isAny = (_symbol: SymbolVersion): boolean => true

/** Returns whether a symbol is long enough to be recognized. Short definitions are alike by chance. */
const isTelling = ({ source }: SymbolVersion): boolean => source.length >= MIN_TELLING_CHARS

const MIN_TELLING_CHARS = 60

const extentOf = (before: SymbolVersion, after: SymbolVersion): Extent =>
  before.kind !== after.kind || signatureOf(before) !== signatureOf(after)
    ? "signature"
    : before.ownSource === after.ownSource
      ? "members"
      : "body"

/**
 * Returns the new path of each file that lost all its symbols. The new file had none before; it is the one that most of
 * the symbols moved to, or the one with the same name.
 */
const renamedFiles = (
  files: ReadonlyArray<FileVersions>,
  changes: ReadonlyArray<SymbolChange>,
): ReadonlyMap<string, string> => {
  const removed = new Set(files.filter(({ after }) => after.length === 0).map(({ path }) => path))
  const added = files.filter(({ before }) => before.length === 0).map(({ path }) => path)
  const moves = new Map<string, Map<string, number>>()
  for (const each of changes) {
    if (each.change !== "moved" || !removed.has(each.before.path) || !added.includes(each.after.path)) continue
    const counts = moves.get(each.before.path) ?? new Map<string, number>()
    counts.set(each.after.path, (counts.get(each.after.path) ?? 0) + 1)
    moves.set(each.before.path, counts)
  }
  const paths = new Map<string, string>()
  for (const path of removed) {
    const [most] = [...(moves.get(path) ?? [])].sort((one, other) => other[1] - one[1])
    const namesakes = added.filter((other) => nameOf(other) === nameOf(path))
    const target = most?.[0] ?? (namesakes.length === 1 ? namesakes[0] : undefined)
    if (target !== undefined) paths.set(path, target)
  }
  return paths
}

/** Returns the name of a file in lower case: a rename may change only the case. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).toLowerCase()

/** Leaves out the symbols in a symbol that was added, removed, moved or renamed as a whole. */
export const withoutParts = (changes: ReadonlyArray<SymbolChange>): ReadonlyArray<SymbolChange> => {
  const keyOf = (change: SymbolChange, { path }: SymbolVersion, name: string) => `${change.change} ${path} ${name}`
  const wholes = new Set(
    changes
      .filter(({ change }) => change !== "changed")
      .map((change) => keyOf(change, subjectOf(change), subjectOf(change).qualifiedName)),
  )
  return changes.filter((change) => {
    const subject = subjectOf(change)
    if (change.change === "changed" || subject.container === undefined) return true
    return !wholes.has(keyOf(change, subject, subject.container))
  })
}

/**
 * Leaves out the same symbols, and those of which only members have changed. Both commands print and count what
 * remains.
 */
export const withoutImplied = (changes: ReadonlyArray<SymbolChange>): ReadonlyArray<SymbolChange> =>
  withoutParts(changes).filter((change) => !(change.change === "changed" && change.extent === "members"))

const byPlace = (one: SymbolChange, other: SymbolChange): number => {
  const [a, b] = [subjectOf(one), subjectOf(other)]
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  // Removed symbols come last, since their lines are those of another text.
  return Number(one.change === "removed") - Number(other.change === "removed") || a.startLine - b.startLine
}

/** Returns the first line of the changed symbol that differs from before, or its first line. 1-based. */
export const firstChangedLine = (before: SymbolVersion | undefined, after: SymbolVersion): number => {
  if (before === undefined) return after.startLine
  const lines = before.source.split(/\r?\n/)
  const differs = after.source.split(/\r?\n/).findIndex((line, index) => line !== lines[index])
  return Math.min(after.startLine + Math.max(differs, 0), after.endLine)
}
