/**
 * A text that several write at once, from the side of one of them: each side's change is a change set against the last text
 * that the server is known to have, and theirs is mapped over ours. No words of anyone are lost, and none come twice.
 */
import { type Change, diff } from "@codemirror/merge"
import { ChangeSet } from "@codemirror/state"

export interface Version {
  readonly text: string
  readonly version: number
}

/** What is known of the server. All of it can be kept over a reload. */
export interface Known {
  /** The last text that the server is known to have had. */
  readonly base: Version
  /** What was sent to be saved, and may or may not have arrived. */
  readonly sent: string | undefined
}

/** Line ends must be `\n` alone on both sides: CodeMirror counts any of them as one character. */
export const normalize = (text: string): string => text.replace(/\r\n?/g, "\n")

/** A change of the text `a` to `b`. */
type Part = Pick<Change, "fromA" | "fromB" | "toA" | "toB">

const limits = { scanLimit: 10_000, timeout: 200 }

/**
 * The changes that make `b` of `a`, by words: an old and a new word have letters in common by chance, between which the words of
 * others would come. A change within a word is one of its letters where `isFine` says so.
 */
const changesBetween = (
  a: string,
  b: string,
  isFine: (parts: ReadonlyArray<Part>, length: number) => boolean,
): ChangeSet =>
  ChangeSet.of(
    diffWords(a, b)
      .flatMap((word): ReadonlyArray<Part> => {
        const { fromA, fromB, toA, toB } = word
        const parts = diff(a.slice(fromA, toA), b.slice(fromB, toB), limits)
        return isFine(parts, toA - fromA) ? parts.map((part) => shift(part, fromA, fromB)) : [word]
      })
      .map(({ fromA, fromB, toA, toB }) => ({ from: fromA, to: toA, insert: b.slice(fromB, toB) })),
    a.length,
  )

const ours = (a: string, b: string) =>
  changesBetween(a, b, (parts) => parts.length === 1 || parts.every(({ fromA, toA }) => fromA === toA))
/** Coarser than ours: where both replaced a word in which each has added something, what is left of it would be there twice. */
const theirs = (a: string, b: string) =>
  changesBetween(
    a,
    b,
    ([part, more], length) => more === undefined && part !== undefined && part.fromA > 0 && part.toA < length,
  )

const shift = ({ fromA, fromB, toA, toB }: Part, a: number, b: number): Part => ({
  fromA: fromA + a,
  fromB: fromB + b,
  toA: toA + a,
  toB: toB + b,
})

/** Of the lines that differ. */
const diffWords = (a: string, b: string): ReadonlyArray<Part> => {
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  from = a.lastIndexOf("\n", from - 1) + 1
  let end = 0
  const most = Math.min(a.length, b.length) - from
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  // At the beginning of a line.
  while (end > 0 && !(a[a.length - end - 1] === "\n" && b[b.length - end - 1] === "\n")) end--
  /** A character for each word, so that words are compared as characters are. */
  const codes = new Map<string, string>()
  const codeOf = (word: string) => {
    const code = codes.get(word) ?? String.fromCharCode(codes.size < 0xd800 ? codes.size : codes.size + 0x800)
    codes.set(word, code)
    return code
  }
  const wordsA = a.slice(from, a.length - end).match(words) ?? []
  const wordsB = b.slice(from, b.length - end).match(words) ?? []
  const [startsA, startsB] = [wordsA, wordsB].map((all) => {
    let at = from
    return [from, ...all.map(({ length }) => (at += length))]
  })
  const changes = diff(wordsA.map(codeOf).join(""), wordsB.map(codeOf).join(""), limits)
  // There are too many words to tell them apart.
  if (codes.size > 0xf800) return diff(a, b, limits)
  return changes.map(({ fromA, fromB, toA, toB }) => ({
    fromA: startsA?.[fromA] ?? 0,
    fromB: startsB?.[fromB] ?? 0,
    toA: startsA?.[toA] ?? 0,
    toB: startsB?.[toB] ?? 0,
  }))
}

/** Words, and each other character. In scripts without spaces each character is a word. */
const words = /(?:(?!\p{Ideographic}|\p{Script=Hiragana}|\p{Script=Katakana})[\p{L}\p{M}\p{N}_])+|[\s\S]/gu

/** What the server's text means for the text `now`: the changes to make to it, and what is known then. */
interface Received {
  readonly known: Known
  readonly changes: ChangeSet | undefined
}

/**
 * The server has `document`. Older news is no news, unless it is the server's state after a connection was lost (`isState`):
 * a server that was started anew may count anew.
 */
export const receive = (known: Known, now: string, document: Version, isState = false): Received => {
  const { base, sent } = known
  const text = normalize(document.text)
  if (document.version <= base.version && !isState) return { known, changes: undefined }
  const next: Known = { base: { text, version: document.version }, sent: undefined }
  // Our own text comes back: the next version has it, or another that was not changed since.
  if (text === sent || text === base.text || text === now) return { known: next, changes: undefined }
  // At the next version another change came first, so that ours was refused. Later ones can contain ours.
  const mayContainOurs = sent !== undefined && (isState || document.version > base.version + 1)
  const from = mayContainOurs ? withOurs(base.text, sent, text) : base.text
  return { known: next, changes: theirs(from, text).map(ours(from, now)) }
}

/** The text that `text` was made from: what was sent, where all that it added is there, else what was known. */
const withOurs = (base: string, sent: string, text: string): string => {
  const added: Array<string> = []
  ours(base, sent).iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    if (inserted.length > 0) added.push(inserted.toString())
  })
  let at = 0
  for (const piece of added) {
    const found = text.indexOf(piece, at)
    if (found === -1) return base
    at = found + piece.length
  }
  return sent
}
