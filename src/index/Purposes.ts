/**
 * The text of `purposes.jsonl`: the purposes that language models wrote for symbols, one line of JSON for each version
 * of a symbol. It is made to be committed, read in a diff and merged like code. Pure functions.
 */
import * as Order from "effect/Order"
import * as Shape from "../base/Shape.ts"
import { fromComment } from "./CommentPurpose.ts"
import { type IndexEntry, type Kind, kinds, type Purpose } from "./IndexEntry.ts"

export interface Line {
  readonly path: string
  /** The qualified name. */
  readonly symbol: string
  readonly kind: Kind
  /** `IndexEntry.hash` of the source that was described. */
  readonly hash: string
  /** `IndexEntry.tokens` of that source; missing in lines of older versions. */
  readonly tokens?: string | undefined
  /** `NOTHING` if the model found nothing to say. */
  readonly purpose: string
  /** `provider/name` of the model that wrote it. */
  readonly model: string
  /** The node of the forest with the call that recorded it. */
  readonly node: string
  /** Why it failed a check; see `Purpose`. */
  readonly weak?: string | undefined
  /** See `Purpose`. */
  readonly confirmed?: boolean | undefined
  /** The lines of that source that support it, counted from 0. */
  readonly lines?: ReadonlyArray<number> | undefined
}

/**
 * The purpose of a line that says that name and signature of a symbol need no sentence. It is a text like any other, so
 * that all versions of the program read the line, merge it, and know that the symbol was asked for.
 */
export const NOTHING = "(nothing to say)"

/** The keys of a line of the file, in the order in which they stand in the text. */
export const lineFields = {
  path: Shape.text,
  symbol: Shape.text,
  kind: Shape.oneOf(...kinds),
  hash: Shape.text,
  tokens: Shape.optional(Shape.text),
  purpose: Shape.filledText,
  model: Shape.text,
  node: Shape.text,
  weak: Shape.optional(Shape.filledText),
  confirmed: Shape.optional(Shape.boolean),
  lines: Shape.optional(Shape.list(Shape.count)),
}
const lineShape: Shape.Shape<Line> = Shape.struct(lineFields)

/** A line and its text as it was read, which may have keys of a newer version. */
export interface StoredLine {
  readonly line: Line
  readonly text: string
}

export interface PurposesText {
  /** The lines in the order of the text. */
  readonly lines: ReadonlyArray<StoredLine>
  /** Lines that are no purposes, such as the markers of a merge conflict. */
  readonly invalid: ReadonlyArray<string>
}

const lineJson = Shape.json(lineShape)

/** Writes the keys of a line in their order. */
export const encode = (line: Line): StoredLine => ({ line, text: JSON.stringify(lineShape(line)) })

/** Splits at line feeds only: U+2028 may be in a string of JSON. */
export const parse = (text: string): PurposesText => {
  const lines: Array<StoredLine> = []
  const invalid: Array<string> = []
  for (const raw of text.split("\n")) {
    const text = raw.trim()
    if (text === "") continue
    // An error for each line that is no object would take most of the time of reading a damaged file.
    const line = text.startsWith("{") ? Shape.readOrUndefined(lineJson, text) : undefined
    if (line !== undefined) lines.push({ line, text })
    else invalid.push(raw)
  }
  return { lines, invalid }
}

/**
 * Sorts by path and symbol; the versions of one symbol keep their order, the newest last. Invalid lines follow at the
 * end, so that nothing is lost and the markers of a conflict can be seen.
 */
export const render = ({ invalid, lines }: PurposesText): string =>
  [...lines.toSorted(bySymbol).map(({ text }) => text), ...invalid].map((line) => `${line}\n`).join("")

/** Appends `added` to `known`. If several lines are about one version of a symbol, the last one stays. */
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
 * branch may have, and all versions of the present source.
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

export type Subject = Pick<IndexEntry, "path" | "qualifiedName" | "kind" | "signature" | "hash" | "tokens" | "doc">

/**
 * Chooses the purpose that a symbol shows, the first of these that exists:
 *
 * 1. a model's purpose of its present source, at any path, since the file may have been moved
 * 2. its comment
 * 3. none, if a model said that its present source needs none: `NOTHING`
 * 4. a model's purpose of its present source that failed a check
 * 5. a model's purpose of another version of it, as stale
 *
 * `known` begins with the oldest. `siblings` are all symbols with that qualified name in that file (overloads); a
 * purpose of one of them is not a stale one of another.
 */
export const choose = (
  subject: Subject,
  known: ReadonlyArray<Line>,
  siblings: ReadonlyArray<Subject>,
): Purpose | typeof NOTHING | undefined => {
  const newest = (is: (line: Line) => boolean) => known.findLast(is)
  const present = (kind: "passed" | "nothing" | "weak") => {
    const is = (line: Line) => isOfSource(line, subject) && kindOf(line) === kind
    return newest((line) => line.path === subject.path && is(line)) ?? newest(is)
  }
  const written = present("passed")
  if (written !== undefined) return fromLine(written, false)
  const comment = fromDoc(subject)
  const isNothing = present("nothing") !== undefined
  if (comment !== undefined) return isNothing ? { ...comment, confirmed: true } : comment
  if (isNothing) return NOTHING
  const weak = present("weak")
  if (weak !== undefined) return fromLine(weak, false)
  const earlier = newest(
    (line) => line.path === subject.path && kindOf(line) !== "nothing" && isOfEarlierSource(line, subject, siblings),
  )
  return earlier && fromLine(earlier, true)
}

const kindOf = ({ purpose, weak }: Line): "passed" | "nothing" | "weak" =>
  purpose === NOTHING ? "nothing" : weak === undefined ? "passed" : "weak"

/** Returns the purpose that its comment gives a symbol. */
export const fromDoc = (
  subject: Pick<Subject, "doc" | "path" | "qualifiedName" | "signature">,
): Purpose | undefined => {
  const text = subject.doc === undefined ? undefined : fromComment(subject.doc, subject)
  return text === undefined ? undefined : { text, origin: "comment", stale: false }
}

const fromLine = ({ confirmed, lines, model, node, purpose, weak }: Line, stale: boolean): Purpose => ({
  text: purpose,
  origin: "model",
  model,
  node,
  stale,
  ...(weak !== undefined && { weak }),
  ...(confirmed === true && { confirmed }),
  ...(lines !== undefined && { lines }),
})

const isOfSource = (line: Line, subject: Subject): boolean =>
  line.symbol === subject.qualifiedName && isSameSource(line, subject)

/** Returns whether two sources of a symbol are equal, apart from their layout. */
export const isSameSource = (
  one: Pick<Line, "hash" | "tokens">,
  other: { readonly hash: string; readonly tokens?: string | undefined },
): boolean => one.hash === other.hash || (one.tokens !== undefined && one.tokens === other.tokens)

const isOfEarlierSource = (line: Line, subject: Subject, siblings: ReadonlyArray<Subject>): boolean =>
  line.symbol === subject.qualifiedName &&
  line.kind === subject.kind &&
  !siblings.some((sibling) => isOfSource(line, sibling))

/** Sorts lines by path and symbol, in code units. */
export const bySymbol = (one: StoredLine, other: StoredLine): number =>
  Order.string(one.line.path, other.line.path) || Order.string(one.line.symbol, other.line.symbol)
