/**
 * Gives the parts of a wiki without a model titles that people would: those of READMEs in their folders, or what the
 * comments at the beginning of their files call them, or else the names of folders and files as words.
 */
import * as Effect from "effect/Effect"
import { isReadme, titleOf } from "../base/ProjectDocuments.ts"
import * as FileComment from "../index/FileComment.ts"
import * as FolderPurpose from "../lookup/FolderPurpose.ts"
import * as Folders from "./internal/Folders.ts"
import { HELPERS } from "./Parts.ts"
import type { Part } from "./Plan.ts"

/** A folder with a larger share of the files is left out of the titles, since it says nothing about one part. */
const MAIN_SHARE = 0.8

/** The most words and characters of a title that is made of a sentence. */
const MAX_WORDS = 5
const MAX_CHARS = 40

/** The most documents of a folder that are read. */
const MAX_DOCUMENTS = 2

/**
 * Returns the parts with their titles. `files` are the paths of all files of the project, documents included. Two parts
 * never get the same words: both keep their paths then, or have the names of their pages.
 */
export const give: (
  parts: ReadonlyArray<Part>,
  files: ReadonlyArray<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) => Effect.Effect<ReadonlyArray<Part>> = Effect.fn("Titles.give")(function* (parts, files, textOf) {
  const main = mainFolder(parts.flatMap((part) => part.files))
  const proposals = yield* Effect.forEach(parts, (part) =>
    Effect.gen(function* () {
      const path = withoutMain(part.title, main)
      if (part.title === HELPERS) return { part, path, title: HELPERS }
      const own = isOnlyOneWith(part, parts) ? yield* fromDocuments(part, files, textOf) : undefined
      return { part, path, title: own ?? (yield* fromComment(part, textOf)) ?? fromPath(path) }
    }),
  )
  const counts = new Map<string, number>()
  for (const { title } of proposals) counts.set(fold(title), (counts.get(fold(title)) ?? 0) + 1)
  const titles = proposals.map(({ path, title }) => ((counts.get(fold(title)) ?? 0) > 1 ? path : title))
  // Parts of one large file may be called by the same symbols; names of pages differ.
  const isTaken = (title: string) => titles.filter((other) => fold(other) === fold(title)).length > 1
  return proposals.map(({ part }, at) => {
    const title = titles[at] ?? part.title
    return { ...part, title: isTaken(title) ? fromPath(part.name) : title }
  })
})

/** Leaves the main folder out of a title: out of paths, and as one of several names. */
const withoutMain = (title: string, main: string): string => {
  if (main === "") return title
  const names = title.split(/, | and /)
  const isMain = (name: string) => `${name}/` === main
  if (names.length < 2 || !names.some(isMain)) return title.replaceAll(main, "")
  const left = names.filter((name) => !isMain(name) && !MORE.test(name)).map((name) => name.replace(main, ""))
  const more = 1 + Number(MORE.exec(names.at(-1) ?? "")?.[1] ?? 0)
  return [...left, `${more} more`].join(", ").replace(/, ([^,]*)$/, " and $1")
}

const MORE = /^(\d+) more$/

const fold = (title: string): string => title.toLowerCase()

/** Returns the deepest folder that has most of the files, with a slash at its end; empty if none has. */
const mainFolder = (files: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const path of files) {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at + 1)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  return Array.from(counts)
    .filter(([, count]) => count >= MAIN_SHARE * files.length)
    .reduce((longest, [folder]) => (folder.length > longest.length ? folder : longest), "")
}

/** Returns whether the folder of a part has no files of other parts. */
const isOnlyOneWith = (part: Part, parts: ReadonlyArray<Part>): boolean => {
  const folder = Folders.commonFolder(part.files)
  return (
    folder !== Folders.ROOT &&
    !parts.some((other) => other !== part && other.files.some((path) => path.startsWith(folder)))
  )
}

/** Reads the title of the README in a folder, or what another document of it calls the folder. */
const fromDocuments = Effect.fnUntraced(function* (
  part: Part,
  files: ReadonlyArray<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const folder = Folders.commonFolder(part.files)
  const names = files.flatMap((path) =>
    path.startsWith(folder) && !path.slice(folder.length).includes("/") ? [path.slice(folder.length)] : [],
  )
  for (const name of FolderPurpose.documentsOf(folder.slice(0, -1), names).slice(0, MAX_DOCUMENTS)) {
    const text = yield* textOf(`${folder}${name}`)
    if (text === undefined) continue
    const title = isReadme(name) ? titleOf(text) : undefined
    if (title !== undefined && isShort(title)) return title
    const purpose = FolderPurpose.read(folder.slice(0, -1), name, text)
    const called = purpose === undefined ? undefined : fromSentence(purpose)
    if (called !== undefined) return called
  }
  return undefined
})

/** Reads what the comment at the beginning of the only file of a part calls it, if the part has all of that. */
const fromComment = Effect.fnUntraced(function* (
  { files: [path, ...others], symbols }: Part,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  if (path === undefined || others.length > 0 || symbols !== undefined) return undefined
  const text = yield* textOf(path)
  const summary = text === undefined ? undefined : FileComment.read(path, text)
  return summary === undefined ? undefined : fromSentence(summary)
})

/** The beginning of a sentence that says what a module is, up to the thing itself. */
const INTRODUCTION =
  /^(?:(?:this|the)(?: [\w.`-]+)? (?:module|file|package|script|crate|class|library|folder|directory)|[\w.`-]+ module) (?:is|are|contains?|provides?|implements?|defines?|holds?|has|houses?|hosts?|offers?|exports?|includes?)\s+/i

/**
 * Returns the thing that a sentence names, if it is short: `Authentication handlers` of "This module contains the
 * authentication handlers for Requests." A sentence that says what a module does has no such name.
 */
export const fromSentence = (sentence: string): string | undefined => {
  const rest = sentence.replace(INTRODUCTION, "")
  const isThing = rest !== sentence || /^(?:the|an?)\s/i.test(sentence)
  const thing = rest
    .replace(/^(?:all |the |an? |some )+/i, "")
    .split(/[,;:.(–—]|\s(?:that|which|who|used|for|to|when|if|with|from|of all|-)\s/)[0]
    ?.replaceAll(/["`*_]/g, "")
    .trim()
  if (!isThing || thing === undefined || !/^(?!(?:what|how|where|why|who)\b)\p{L}{2}/iu.test(thing)) return undefined
  if (!isShort(thing) || IS_KIND.test(thing)) return undefined
  return capitalize(thing)
}

/** Words that any part may be called by: "A library for parsing …" says only afterwards which one it is. */
const IS_KIND =
  /^(?:simple |small |tiny |common |main |core )?(?:api|class|classes|code|collection|component|file|function|functions|helper|helpers|implementation|interface|library|module|modules|package|part|program|script|scripts|set|tool|tools|utilities|utility|wrapper)$/i

const isShort = (title: string): boolean => title.length <= MAX_CHARS && title.split(/\s+/).length <= MAX_WORDS

/** Writes names of files and folders as words: `Project facts` for `ProjectFacts`. Paths with folders stay paths. */
export const fromPath = (path: string): string => {
  if (path.includes("/")) return path
  const names = path
    .split(/(, | and )/)
    .map((name, at) => (at % 2 === 1 ? name : toWords(name)))
    .join("")
  return capitalize(names)
}

const toWords = (name: string): string =>
  name
    .replace(/(?<=[^/])\.\w+$/, "")
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word, at) => (at > 0 && /^\p{Lu}\p{Ll}*$/u.test(word) ? word.toLowerCase() : word))
    .join(" ") || name

const capitalize = (text: string): string => {
  const [first] = /^[a-z]+(?![\p{L}\d])/u.exec(text) ?? []
  if (first !== undefined && INITIALS.has(first)) return first.toUpperCase() + text.slice(first.length)
  // A name such as `iOS` or `npm2` is written as it is.
  return /^\p{Ll}+(?![\p{L}\d])/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/** Abbreviations, which are written in capitals: a file `ssl_` is titled `SSL`, not `Ssl`. */
const INITIALS: ReadonlySet<string> = new Set(
  "api ast cli cpu css csv db dns dom ftp gpu gui html http https id io ip jit json jwt orm os pdf rpc sdk smtp sql ssh ssl tcp tls toml tui udp ui uri url utf vm wasm xml yaml".split(
    " ",
  ),
)
