/** Finds what a file says of itself: in the comment at its beginning, of its main type, and in the titles of its tests. Pure. */
import * as HeadComments from "../code/HeadComments.ts"
import * as CommentPurpose from "../index/CommentPurpose.ts"
import { type IndexEntry, type Purpose, statementOf } from "../index/IndexEntry.ts"

export interface Summary {
  readonly text: string
  /** The model that wrote it, which is the one of the purpose of the main type; undefined if a comment says it. */
  readonly model: string | undefined
}

/**
 * Returns what a file is for: the sentence of the comment at its beginning, or else the purpose of its main type.
 * `entries` are its symbols, in order of their start. Undefined if neither says anything.
 */
export const of = (path: string, text: string, entries: ReadonlyArray<IndexEntry>): Summary | undefined => {
  const [first] = entries
  // The comment above a table such as `local M = {}` is that of the file.
  const isOfSymbol = first !== undefined && (first.doc !== undefined || DECLARED.has(first.kind))
  const said = read(path, text, isOfSymbol ? first.startLine : undefined)
  if (said !== undefined) return { text: said, model: undefined }
  const purpose = mainTypeOf(path, entries)?.purpose
  if (purpose === undefined || purpose.stale || purpose.weak !== undefined) return undefined
  const sentence = statementOf(purpose).replaceAll(/\s+/g, " ").trim()
  return { text: sentence, model: modelOf(purpose) }
}

const modelOf = ({ model, origin }: Purpose): string | undefined => (origin === "model" ? model : undefined)

/** Returns the type that has the name of its file, or the only major one. */
const mainTypeOf = (path: string, entries: ReadonlyArray<IndexEntry>): IndexEntry | undefined => {
  const types = entries.filter(({ container, isMajor, kind }) => isMajor && container === undefined && TYPES.has(kind))
  const stem = fold(path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, ""))
  return types.find(({ name }) => fold(name) === stem) ?? (types.length === 1 ? types[0] : undefined)
}

const DECLARED: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "enum", "type"])

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "enum"])

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/**
 * Returns the sentence with which the comment at the beginning of a file says what the file is for. A comment directly
 * above a declaration is that of the declaration, unless the file begins with `firstSymbolLine` further down. Undefined
 * if no comment says anything.
 */
export const read = (path: string, text: string, firstSymbolLine?: number): string | undefined => {
  for (const comment of HeadComments.read(text)) {
    const isOfSymbol = firstSymbolLine !== undefined && comment.end + 1 === firstSymbolLine
    if (isOfSymbol && !HeadComments.isModuleDoc(comment)) return undefined
    // "The authentication handlers" says what `auth.py` has, so the name of the file counts only if it is all there is.
    const found = CommentPurpose.fromComment(comment.text, { qualifiedName: "", signature: "", path: "" })
    if (found !== undefined && !isNameOf(path, found)) return found
  }
  return undefined
}

/** Returns whether a text has no words but those of a path. */
const isNameOf = (path: string, text: string): boolean => {
  const known = path.toLowerCase()
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => known.includes(word))
}

/** The most titles of tests that are read from a file. */
const MAX_TITLES = 200

/** Returns the titles of the tests in a text, in their order, as they are given to `it`, `test` and the like. */
export const testTitles = (text: string): ReadonlyArray<string> =>
  Array.from(
    text
      .slice(0, MAX_TEST_CHARS)
      .matchAll(
        /(?:^|[\s;{(])(?:it|test|specify|scenario)(?:\.\w{1,20}){0,3}[ (]\s{0,40}(["'`])((?:(?!\1)[^\n\\]|\\.){3,200})\1/g,
      ),
    ([, , title = ""]) => title.replaceAll(/\\(["'`])/g, "$1").trim(),
  )
    // A title that is put together of several texts says little.
    .filter((title) => !title.includes("${") && /^[\p{L}\p{N}#`]/u.test(title))
    .slice(0, MAX_TITLES)

const MAX_TEST_CHARS = 400_000
