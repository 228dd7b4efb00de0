/** Reads what a file says of itself: in the comment at its beginning, and in the type that has its name. Pure. */
import * as HeadComments from "../code/HeadComments.ts"
import * as CommentPurpose from "./CommentPurpose.ts"
import type { IndexEntry } from "./IndexEntry.ts"

/** Returns that sentence; `entries` are the symbols of the file, in order of their start. */
export const ofFile = (path: string, text: string, entries: ReadonlyArray<IndexEntry>): string | undefined => {
  const [first] = entries
  // The comment above a table such as `local M = {}` is that of the file.
  const isOfSymbol = first !== undefined && (first.doc !== undefined || DECLARED.has(first.kind))
  return read(path, text, isOfSymbol ? first.startLine : undefined)
}

const DECLARED: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "enum", "type"])

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

/** Returns the type that has the name of its file, or the only major one. */
export const mainTypeOf = (path: string, entries: ReadonlyArray<IndexEntry>): IndexEntry | undefined => {
  const types = entries.filter(({ container, isMajor, kind }) => isMajor && container === undefined && TYPES.has(kind))
  const stem = fold(path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, ""))
  return types.find(({ name }) => fold(name) === stem) ?? (types.length === 1 ? types[0] : undefined)
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "enum"])

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
