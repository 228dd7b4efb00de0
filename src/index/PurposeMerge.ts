/**
 * Merges two versions of `purposes.jsonl` with their common ancestor (`LineMerge`), and finds flaws that keep such a
 * file from being merged. Pure.
 */
import * as Order from "effect/Order"
import * as LineMerge from "./LineMerge.ts"
import * as Purposes from "./Purposes.ts"

type Sides = LineMerge.Sides

/**
 * Merges the lines of both sides, by path, symbol and hash of the source. A line that only one side changed or removed
 * is changed or removed. If both changed it, the better line wins (`better`), and a change wins over a removal. The
 * result depends neither on which side is ours nor, with three branches, on which two are merged first.
 */
export const merge = (sides: Sides): LineMerge.Merged =>
  LineMerge.merge(
    { read, mergeLine, render: (lines) => Purposes.render({ lines: lines.toSorted(byAge), invalid: [] }) },
    sides,
  )

const read = (text: string): LineMerge.Records<Purposes.StoredLine> => {
  const { invalid, lines } = Purposes.parse(text)
  const byKey = new Map<string, Purposes.StoredLine>()
  for (const line of lines) addBetter(byKey, line)
  return { lines: byKey, invalid }
}

/** Returns one line for each version of a symbol, the oldest first. If there are several, the better one. */
export const bestByVersion = (lines: ReadonlyArray<Purposes.StoredLine>): ReadonlyArray<Purposes.StoredLine> => {
  const byKey = new Map<string, Purposes.StoredLine>()
  for (const line of lines) addBetter(byKey, line)
  return Array.from(byKey.values()).sort(byAge)
}

const addBetter = (byKey: Map<string, Purposes.StoredLine>, line: Purposes.StoredLine): void => {
  const key = keyOf(line)
  const known = byKey.get(key)
  byKey.set(key, known === undefined ? line : better(known, line))
}

const keyOf = ({ line: { hash, path, symbol } }: Purposes.StoredLine): string => JSON.stringify([path, symbol, hash])

/**
 * An untouched line gives way to any change. A change wins over a removal, and of two changes the better one is kept.
 */
const mergeLine = (
  base: Purposes.StoredLine | undefined,
  one: Purposes.StoredLine | undefined,
  other: Purposes.StoredLine | undefined,
): Purposes.StoredLine | undefined => {
  if (one?.text === base?.text) return other
  if (other?.text === base?.text) return one
  return one === undefined || other === undefined ? (one ?? other) : better(one, other)
}

/**
 * Returns the better of two lines about one version of a symbol. A line that passed the check comes first, then one
 * that says that there is nothing to say, then one that its model was asked for again; then the later one, since ids of
 * nodes begin with their time; then the first in alphabetical order.
 */
const better = (one: Purposes.StoredLine, other: Purposes.StoredLine): Purposes.StoredLine => {
  const isFirst =
    rankOf(one.line) - rankOf(other.line) ||
    Order.string(one.line.node, other.line.node) ||
    Order.string(other.text, one.text)
  return isFirst >= 0 ? one : other
}

const rankOf = ({ confirmed, purpose, weak }: Purposes.Line): number => {
  if (purpose === Purposes.NOTHING) return 2
  return weak === undefined ? 3 : confirmed === true ? 1 : 0
}

/** Sorts the versions of a symbol, the newest last; `Purposes.render` keeps that order. */
const byAge = (one: Purposes.StoredLine, other: Purposes.StoredLine): number =>
  Order.string(one.line.node, other.line.node) || Order.string(one.text, other.text)

/** A flaw of `purposes.jsonl`, and its first line. */
export interface Flaw {
  readonly kind: "conflict" | "damaged" | "duplicate" | "unsorted"
  /** The line number, from 1. */
  readonly line: number
  /** The number of lines with the same problem; the first of them is `line`. */
  readonly count: number
}

/**
 * Finds the flaws of a text, at most one of each kind: markers of a merge conflict, other lines that are no purposes,
 * several lines about the same version of a symbol, and lines that are not in the order in which vibe writes them.
 */
export const findFlaws = (text: string): ReadonlyArray<Flaw> => {
  const found = new Map<Flaw["kind"], Flaw>()
  const note = (kind: Flaw["kind"], line: number) => {
    const first = found.get(kind)
    found.set(kind, first === undefined ? { kind, line, count: 1 } : { ...first, count: first.count + 1 })
  }
  const keys = new Set<string>()
  let last: Purposes.StoredLine | undefined
  for (const [index, raw] of text.split("\n").entries()) {
    const { invalid, lines } = Purposes.parse(raw)
    if (invalid.length > 0) note(isMarker(raw) ? "conflict" : "damaged", index + 1)
    const [line] = lines
    if (line === undefined) continue
    const key = keyOf(line)
    if (keys.has(key)) note("duplicate", index + 1)
    keys.add(key)
    if (last !== undefined && Purposes.bySymbol(last, line) > 0) note("unsorted", index + 1)
    last = line
  }
  return Array.from(found.values())
}

/**
 * Returns the new text of a `purposes.jsonl` that Git has left with a conflict: both sides merged, and the lines that
 * were written into the file since. Applied to its own result it changes nothing.
 */
export const mergeUnfinished = (sides: Sides, present: string): string => {
  const known = new Set(
    [sides.base, sides.ours, sides.theirs].flatMap((text) => text.split("\n").map((line) => line.trim())),
  )
  const written = present.split("\n").filter((line) => !known.has(line.trim()) && !isMarker(line))
  return repair([merge(sides).text, ...written].join("\n"))
}

/** Returns whether a line is a marker of a merge conflict, as Git writes them. */
export const isMarker = (line: string): boolean => /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/.test(line)

/**
 * Returns the same purposes sorted, with one line for each version of a symbol and without the markers of conflicts.
 * Other lines that are no purposes stay, at the end.
 */
export const repair = (text: string): string => {
  const { invalid, lines } = read(text)
  return Purposes.render({
    lines: Array.from(lines.values()).sort(byAge),
    invalid: invalid.filter((line) => !isMarker(line)),
  })
}
