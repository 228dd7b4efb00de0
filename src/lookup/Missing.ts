/**
 * The words of a question that its answer does not have, and where else they are: in another symbol, in a text, or
 * nowhere.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { IndexEntry } from "../index/IndexEntry.ts"
import type { TermCounts } from "../index/IndexStore.ts"
import * as Question from "../search/Question.ts"
import * as Tokenizer from "../search/Tokenizer.ts"
import type { Project } from "./Project.ts"

export interface Missing {
  /** The word or the name as it was asked for. */
  readonly word: string
  readonly found: Found
}

type Found =
  /** The best symbol of that name, or with that word. */
  | { readonly _tag: "Symbol"; readonly entry: IndexEntry }
  /** A file of that name, with its extension or without it, and how many there are. */
  | { readonly _tag: "File"; readonly path: string; readonly count: number }
  /** The first line with the word in a file. */
  | { readonly _tag: "Text"; readonly path: string; readonly line: number }
  /** Nothing has it. `near`: symbols with a similar name. `isCertain` is false if not all files were searched. */
  | { readonly _tag: "Nowhere"; readonly near: ReadonlyArray<IndexEntry>; readonly isCertain: boolean }

/** The most words that are looked up, and their most characters. Longer ones are data. */
const MAX_WORDS = 5
const MAX_WORD = 100

/**
 * Plain words are looked up in questions of at most this many telling words. In longer ones they are part of the
 * sentence: of 253 places of rare words in 271 long questions, 10 were right.
 */
const MAX_TELLING = 4

const MAX_NEAR = 3

/** The most milliseconds and characters for the search in texts. */
const MAX_MS = 1_000
const MAX_CHARS = 100_000_000

/**
 * Finds out where the words are that are nowhere in `shown`, the text of an answer. These are names as in code, guessed
 * identifiers, and the words of a short question if a symbol has one as its name, or no symbol has it at all.
 */
export const find = Effect.fn("Missing.find")(function* (
  project: Project,
  question: string,
  shown: string,
  also: ReadonlyArray<string> = [],
) {
  // `load_dotenv` is also what `loadDotenv` asks for.
  const text = withoutSeparators(shown.toLowerCase())
  const isShown = (name: string) => text.includes(withoutSeparators(partToFind(name)))
  const named = unique([...Tokenizer.codeNames(question), ...also])
  const names = named.filter((name) => name.length <= MAX_WORD && !isShown(name))
  // Beside a name plain words say what is asked about it.
  const asked = named.length > 0 ? [] : plainWords(question)
  const plain = asked.filter((word) => !isShown(word) && !names.includes(word))
  if (names.length + plain.length === 0) return []
  const { index } = project
  // Nothing can be said of what is not in the index yet.
  if (!(yield* index.isMade)) return []
  const counts = yield* index.termCounts([...names, ...plain].map(termOf))
  const isInSymbols = (word: string) => (counts.counts.get(termOf(word)) ?? 0) > 0
  const found: Array<Missing> = []
  const unknown: Array<string> = []
  for (const word of [...names, ...plain].slice(0, MAX_WORDS)) {
    const [entry] = yield* index.find(word)
    if (entry !== undefined) found.push({ word, found: { _tag: "Symbol", entry } })
    else if (names.includes(word) || !isInSymbols(word)) unknown.push(word)
  }
  if (unknown.length === 0) return found
  const paths = (yield* index.files).map(({ path }) => path)
  const files = new Map(unknown.map((word) => [word, filesNamed(paths, word)]))
  const isFile = (word: string) => (files.get(word)?.length ?? 0) > 0
  const texts = yield* searchTexts(
    project,
    unknown.filter((word) => !isFile(word)),
    { paths, counts },
  )
  const others = yield* Effect.forEach(unknown, (word) => {
    const [path, ...more] = files.get(word) ?? []
    if (path !== undefined) {
      return Effect.succeed<Missing>({ word, found: { _tag: "File", path, count: more.length + 1 } })
    }
    const place = texts.places.get(word)
    if (place !== undefined) return Effect.succeed<Missing>({ word, found: { _tag: "Text", ...place } })
    return Effect.map(index.nearest(word, { limit: MAX_NEAR }), (near): Missing => {
      return { word, found: { _tag: "Nowhere", near, isCertain: texts.isCertain } }
    })
  })
  return [...found, ...others]
})

/** The words of a short question that distinguish code, as they are written. */
const plainWords = (question: string): ReadonlyArray<string> => {
  const weights = new Map(Question.parse(question).terms.map(({ term, weight }) => [term, weight]))
  const telling = unique(Tokenizer.splitRuns(question)).filter((word) => weights.get(termOf(word)) === 1)
  return telling.length > MAX_TELLING
    ? []
    : telling.filter((word) => word.length <= MAX_WORD && (word.length >= 4 || /[^\0-\x7f]/.test(word)))
}

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => Array.from(new Set(texts))

/** The name without what stands before its last dot. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1) || name

/**
 * Returns the part of a word that a text must have, in lower case: `call` of `calls`. A stem of three letters is part
 * of many words, so the whole word stands for it.
 */
const partToFind = (word: string): string => {
  const part = lastPart(word)
  const lowerCase = part.toLowerCase()
  // The stem of `retry` is `retri`.
  const stem = Tokenizer.stem(lowerCase).replace(/i$/, "")
  // A name as in code is no word with an ending.
  const joined = Tokenizer.isBeyondAscii(part) ? /[_$]|\p{Ll}\p{Lu}/u : /[_$]|[a-z][A-Z]/
  return stem.length < 4 || joined.test(part) ? lowerCase : stem
}

const withoutSeparators = (text: string): string => text.replaceAll(/[_-]/g, "")

/** The term of a word as a whole. */
const termOf = (word: string): string => Tokenizer.termsOfRun(lastPart(word)).at(-1) ?? word.toLowerCase()

/** The paths of files with this name, as `index.js`, `js/index.js` or `index`. */
const filesNamed = (paths: ReadonlyArray<string>, word: string): ReadonlyArray<string> => {
  const wanted = `/${word.toLowerCase()}`
  return paths.filter((path) => {
    const whole = `/${path.toLowerCase()}`
    return whole.endsWith(wanted) || whole.replace(/\.[^./]*$/, "").endsWith(wanted)
  })
}

interface Place {
  readonly path: string
  readonly line: number
}

/**
 * Looks for words in the texts of all files, whatever their case. Words whose term the index knows are looked for in
 * files of code first, which mostly ends the search early.
 */
const searchTexts = Effect.fnUntraced(function* (
  { index, workspace }: Project,
  words: ReadonlyArray<string>,
  { counts: { anywhere }, paths }: { readonly paths: ReadonlyArray<string>; readonly counts: TermCounts },
) {
  const clock = yield* Effect.clock
  const deadline = clock.unsafeCurrentTimeMillis() + MAX_MS
  const wanted = new Map(words.map((word) => [word, partToFind(word)]))
  const places = new Map<string, Place>()
  const mentioned = yield* Effect.forEach(
    words.filter((word) => anywhere.has(termOf(word))),
    (word) => index.mentions(lastPart(word)),
  )
  const first = mentioned.flatMap((files) => files.slice(0, 1).map(({ path }) => path))
  const all = unique([...first, ...paths])
  let chars = 0
  let isCertain = true
  for (const path of all) {
    if (wanted.size === 0) break
    if (chars > MAX_CHARS || clock.unsafeCurrentTimeMillis() > deadline) {
      isCertain = false
      break
    }
    const content = yield* Effect.either(workspace.read(path))
    if (Either.isLeft(content)) continue
    const text = content.right.text.toLowerCase()
    chars += text.length
    for (const [word, lowerCase] of wanted) {
      const at = text.indexOf(lowerCase)
      if (at === -1) continue
      places.set(word, { path, line: text.slice(0, at).split("\n").length })
      wanted.delete(word)
    }
  }
  return { places, isCertain }
})
