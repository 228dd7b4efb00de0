/**
 * What symbols are for, as language models wrote it: one line of JSON a version of a symbol, in a text that is made
 * to be committed, read in a diff and merged like code. Pure questions about it; no disk.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type IndexEntry, Kind, type Origin, type Purpose } from "./IndexEntry.ts"

/** The keys stand in this order in a line. */
export const Line = Schema.Struct({
  path: Schema.String,
  /** Qualified name. */
  symbol: Schema.String,
  kind: Kind,
  /** Of the source that was described: `IndexEntry.hash`. */
  hash: Schema.String,
  purpose: Schema.NonEmptyString,
  /** `provider/name` of the model that wrote it. */
  model: Schema.String,
  /** The node of the forest that holds the call. */
  node: Schema.String,
})
export type Line = typeof Line.Type

/** A line and its text as it was found: what a newer vibe has added to it stays. */
export interface Written {
  readonly line: Line
  readonly text: string
}

export interface Parsed {
  /** In the order of the text. */
  readonly written: ReadonlyArray<Written>
  /** Lines that are no purposes: marks of a merge conflict, what was typed by mistake. */
  readonly unread: ReadonlyArray<string>
}

const decode = Schema.decodeUnknownEither(Schema.parseJson(Line))
const encode = Schema.encodeSync(Schema.parseJson(Line))

export const write = (line: Line): Written => ({ line, text: encode(line) })

/** Only a line feed ends a line: JSON leaves U+2028 as it is. */
export const parse = (text: string): Parsed => {
  const written: Array<Written> = []
  const unread: Array<string> = []
  for (const found of text.split("\n")) {
    const text = found.trim()
    if (text === "") continue
    const line = decode(text)
    if (Either.isRight(line)) written.push({ line: line.right, text })
    else unread.push(found)
  }
  return { written, unread }
}

/**
 * Sorted by path and symbol; the versions of one symbol stand in the order in which they were written, the newest
 * last. Lines that are no purposes follow at the end: nothing is lost, and whoever resolves a conflict sees its marks.
 */
export const render = ({ unread, written }: Parsed): string =>
  [...written.toSorted(byPlace).map(({ text }) => text), ...unread].map((line) => `${line}\n`).join("")

/** `added` after `known`. A line about the same version of the same symbol takes the place of an older one. */
export const merge = (known: ReadonlyArray<Written>, added: ReadonlyArray<Written>): ReadonlyArray<Written> => {
  const merged = new Map<string, Written>()
  for (const each of [...known, ...added]) {
    const key = JSON.stringify([each.line.path, each.line.symbol, each.line.hash])
    merged.delete(key)
    merged.set(key, each)
  }
  return Array.from(merged.values())
}

/** How many versions of a symbol are kept that the present source does not have. */
export const MAX_ABSENT = 2

/**
 * Without the oldest versions of symbols that have changed often. Another branch may have the last ones, so
 * `MAX_ABSENT` of them stay beside those that the present source has.
 */
export const prune = (written: ReadonlyArray<Written>, isPresent: (line: Line) => boolean): ReadonlyArray<Written> => {
  const absent = new Map<string, number>()
  return written
    .toReversed()
    .filter(({ line }) => {
      if (isPresent(line)) return true
      const place = JSON.stringify([line.path, line.symbol])
      const newer = absent.get(place) ?? 0
      absent.set(place, newer + 1)
      return newer < MAX_ABSENT
    })
    .toReversed()
}

/** A purpose that is known for some version of a symbol. */
export interface Known extends Line {
  readonly origin: Origin
  /** The comment that it was read off; none for other origins. */
  readonly doc: string | undefined
}

export type Subject = Pick<IndexEntry, "path" | "qualifiedName" | "kind" | "hash" | "doc">

/**
 * The purpose to show for a symbol. One about its present source is true wherever it was written: the file may have
 * been moved. Else one about another version of it is better than none, but stale. `known`: oldest first. `siblings`:
 * all symbols of that qualified name in that file (overloads); what is true of one of them is not stale for another.
 */
export const choose = (
  subject: Subject,
  known: ReadonlyArray<Known>,
  siblings: ReadonlyArray<Subject>,
): Purpose | undefined => {
  let best: Purpose | undefined
  let least = Number.POSITIVE_INFINITY
  for (const each of known) {
    const isHere = each.path === subject.path
    const stale = !isTrue(each, subject)
    if (stale && !(isHere && isEarlier(each, subject, siblings))) continue
    const rank = 2 * order.indexOf(stale ? `stale ${each.origin}` : each.origin) + (isHere ? 0 : 1)
    if (rank > least) continue
    least = rank
    best = { text: each.purpose, origin: each.origin, model: each.model, node: each.node, stale }
  }
  return best
}

/** What was derived from a name says less than what a model once wrote about it. */
const order = ["model", "comment", "stale model", "derived", "stale comment", "stale derived"]

const isTrue = (known: Known, subject: Subject): boolean =>
  known.symbol === subject.qualifiedName &&
  known.hash === subject.hash &&
  (known.origin !== "comment" || known.doc === subject.doc)

const isEarlier = (known: Known, subject: Subject, siblings: ReadonlyArray<Subject>): boolean =>
  known.symbol === subject.qualifiedName &&
  known.kind === subject.kind &&
  !siblings.some((sibling) => isTrue(known, sibling))

const byPlace = (one: Written, other: Written): number =>
  compare(one.line.path, other.line.path) || compare(one.line.symbol, other.line.symbol)

/** By code units: the same on every machine. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
