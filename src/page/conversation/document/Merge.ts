/**
 * Merges a text that several sides write at once, from the point of view of one of them: each side's change is a change
 * set against the last text that the server is known to have had, and theirs is mapped over ours. No words of any side
 * are lost, and none appear twice.
 */
import { type Change, diff } from "@codemirror/merge"
import { ChangeSet } from "@codemirror/state"

export interface Version {
  readonly text: string
  readonly version: number
}

/** The known state of the server. All of it can be kept over a reload. */
export interface Known {
  /** The last text that the server is known to have had. */
  readonly base: Version
  /** The text that was sent to be saved, which may or may not have arrived. */
  readonly sent: string | undefined
}

/** Line ends must be `\n` alone on both sides: CodeMirror counts any of them as one character. */
export const normalize = (text: string): string => text.replace(/\r\n?/g, "\n")

/** A change from the text `a` to the text `b`. */
type Part = Pick<Change, "fromA" | "fromB" | "toA" | "toB">

const limits = { scanLimit: 10_000, timeout: 200 }

/**
 * Returns the changes that turn `a` into `b`, by words: an old and a new word share letters by chance, and words of the
 * other side would end up between those. A changed word is compared by its letters if `isFine` allows it.
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
/**
 * Compares more coarsely than `ours`: if both sides replaced a word to which each has added something, the rest of the
 * word would appear twice.
 */
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

/** Compares the words of the lines that differ. */
const diffWords = (a: string, b: string): ReadonlyArray<Part> => {
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  from = a.lastIndexOf("\n", from - 1) + 1
  let end = 0
  const most = Math.min(a.length, b.length) - from
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  // The common end must begin at the beginning of a line.
  while (end > 0 && !(a[a.length - end - 1] === "\n" && b[b.length - end - 1] === "\n")) end--
  /** Maps each word to a character, so that words can be compared as characters. */
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
  // There are more words than characters to represent them.
  if (codes.size > 0xf800) return diff(a, b, limits)
  return changes.map(({ fromA, fromB, toA, toB }) => ({
    fromA: startsA?.[fromA] ?? 0,
    fromB: startsB?.[fromB] ?? 0,
    toA: startsA?.[toA] ?? 0,
    toB: startsB?.[toB] ?? 0,
  }))
}

/** Matches a word or any other single character. In scripts without spaces each character is a word. */
const words = /(?:(?!\p{Ideographic}|\p{Script=Hiragana}|\p{Script=Katakana})[\p{L}\p{M}\p{N}_])+|[\s\S]/gu

/** The result of receiving the server's text: the changes to make to our text, and the known state afterwards. */
interface Received {
  readonly known: Known
  readonly changes: ChangeSet | undefined
}

/**
 * Receives the server's `document`. An older version is ignored, unless it is the server's state after a connection was
 * lost (`isState`): a server that was started again may count from the beginning.
 */
export const receive = (known: Known, now: string, document: Version, isState = false): Received => {
  const { base, sent } = known
  const text = normalize(document.text)
  if (document.version <= base.version && !isState) return { known, changes: undefined }
  const next: Known = { base: { text, version: document.version }, sent: undefined }
  // The server sent our own text back, or one that has not changed: there is nothing to merge.
  if (text === sent || text === base.text || text === now) return { known: next, changes: undefined }
  // If this is the next version, another change came first and ours was refused. Later versions can contain ours.
  const mayContainOurs = sent !== undefined && (isState || document.version > base.version + 1)
  const from = mayContainOurs ? withOurs(base.text, sent, text) : base.text
  return { known: next, changes: theirs(from, text).map(ours(from, now)) }
}

/**
 * Returns the text that `text` was made from: the sent text if everything that it added is there, otherwise the known
 * one.
 */
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
