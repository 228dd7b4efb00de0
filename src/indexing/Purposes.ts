/**
 * The text of `purposes.jsonl`: what language models wrote about symbols, one line of JSON for each version of a symbol.
 * It is made to be committed, read in a diff and merged like code. Pure functions.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type IndexEntry, Kind, type Origin, type Purpose } from "./IndexEntry.ts"

/** The order of the keys is that in a line. */
export const Line = Schema.Struct({
  path: Schema.String,
  /** Qualified name. */
  symbol: Schema.String,
  kind: Kind,
  /** `IndexEntry.hash` of the source that was described. */
  hash: Schema.String,
  purpose: Schema.NonEmptyString,
  /** `provider/name` of the model that wrote it. */
  model: Schema.String,
  /** The node of the forest with the call that recorded it. */
  node: Schema.String,
})
export type Line = typeof Line.Type

/** A line and its text as it was read, which may have keys of a newer version. */
export interface StoredLine {
  readonly line: Line
  readonly text: string
}

export interface PurposesText {
  /** In the order of the text. */
  readonly lines: ReadonlyArray<StoredLine>
  /** Lines that are no purposes, such as the markers of a merge conflict. */
  readonly invalid: ReadonlyArray<string>
}

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(Line))
const encodeJson = Schema.encodeSync(Schema.parseJson(Line))

export const encode = (line: Line): StoredLine => ({ line, text: encodeJson(line) })

/** Splits at line feeds only: U+2028 may be in a string of JSON. */
export const parse = (text: string): PurposesText => {
  const lines: Array<StoredLine> = []
  const invalid: Array<string> = []
  for (const raw of text.split("\n")) {
    const text = raw.trim()
    if (text === "") continue
    const line = decodeJson(text)
    if (Either.isRight(line)) lines.push({ line: line.right, text })
    else invalid.push(raw)
  }
  return { lines, invalid }
}

/**
 * Sorts by path and symbol; the versions of one symbol keep their order, the newest last. Invalid lines follow at the
 * end, so that nothing is lost and the markers of a conflict are seen.
 */
export const render = ({ invalid, lines }: PurposesText): string =>
  [...lines.toSorted(bySymbol).map(({ text }) => text), ...invalid].map((line) => `${line}\n`).join("")

/** `known` and then `added`. Of several lines about one version of a symbol the last one stays. */
export const merge = (
  known: ReadonlyArray<StoredLine>,
  added: ReadonlyArray<StoredLine>,
): ReadonlyArray<StoredLine> => {
  const merged = new Map<string, StoredLine>()
  for (const each of [...known, ...added]) {
    const key = JSON.stringify([each.line.path, each.line.symbol, each.line.hash])
    merged.delete(key)
    merged.set(key, each)
  }
  return Array.from(merged.values())
}

/** Versions of a symbol that are kept although the present source does not have them. */
const MAX_ABSENT_VERSIONS = 2

/**
 * Removes the oldest versions of symbols that have changed often. The last `MAX_ABSENT_VERSIONS` stay, which another
 * branch may have, and those that the present source has.
 */
export const prune = (
  lines: ReadonlyArray<StoredLine>,
  isPresent: (line: Line) => boolean,
): ReadonlyArray<StoredLine> => {
  const absent = new Map<string, number>()
  return lines
    .toReversed()
    .filter(({ line }) => {
      if (isPresent(line)) return true
      const symbol = JSON.stringify([line.path, line.symbol])
      const newer = absent.get(symbol) ?? 0
      absent.set(symbol, newer + 1)
      return newer < MAX_ABSENT_VERSIONS
    })
    .toReversed()
}

/** A purpose of any origin, of some version of a symbol. */
export interface KnownPurpose extends Line {
  readonly origin: Origin
  /** The comment that it was taken from; none for other origins. */
  readonly doc: string | undefined
}

export type Subject = Pick<IndexEntry, "path" | "qualifiedName" | "kind" | "hash" | "doc">

/**
 * The purpose that a symbol shows. One about its present source is valid at any path, since the file may have been moved.
 * Otherwise one about another version of the symbol is shown as stale. `known`: oldest first. `siblings`: all symbols
 * with that qualified name in that file (overloads); a purpose of one of them is not a stale one of another.
 */
export const choose = (
  subject: Subject,
  known: ReadonlyArray<KnownPurpose>,
  siblings: ReadonlyArray<Subject>,
): Purpose | undefined => {
  let best: Purpose | undefined
  let least = Number.POSITIVE_INFINITY
  for (const each of known) {
    const isHere = each.path === subject.path
    const stale = !isOfSource(each, subject)
    if (stale && !(isHere && isOfEarlierSource(each, subject, siblings))) continue
    const rank = 2 * byPreference.indexOf(stale ? `stale ${each.origin}` : each.origin) + (isHere ? 0 : 1)
    if (rank > least) continue
    least = rank
    best = { text: each.purpose, origin: each.origin, model: each.model, node: each.node, stale }
  }
  return best
}

/** Best first: a stale purpose that a model wrote is better than a derived one. */
const byPreference = ["model", "comment", "stale model", "derived", "stale comment", "stale derived"]

const isOfSource = (known: KnownPurpose, subject: Subject): boolean =>
  known.symbol === subject.qualifiedName &&
  known.hash === subject.hash &&
  (known.origin !== "comment" || known.doc === subject.doc)

const isOfEarlierSource = (known: KnownPurpose, subject: Subject, siblings: ReadonlyArray<Subject>): boolean =>
  known.symbol === subject.qualifiedName &&
  known.kind === subject.kind &&
  !siblings.some((sibling) => isOfSource(known, sibling))

const bySymbol = (one: StoredLine, other: StoredLine): number =>
  compare(one.line.path, other.line.path) || compare(one.line.symbol, other.line.symbol)

/** By code units: the same on every machine. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
