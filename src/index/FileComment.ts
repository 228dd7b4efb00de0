/** Reads what a file says of itself: in the comment at its beginning or of its module, and by its main type. Pure. */
import * as HeadComments from "../code/HeadComments.ts"
import * as CommentPurpose from "./CommentPurpose.ts"
import { type IndexEntry, statementOf } from "./IndexEntry.ts"

/**
 * Returns the sentence of the comment at the beginning of a file, or else of the comment of its module. `entries` are
 * the symbols of the file, in order of their start.
 */
export const ofFile = (path: string, text: string, entries: ReadonlyArray<IndexEntry>): string | undefined => {
  // The comment above a table such as `local M = {}` is that of the file. A namespace may
  // stand above the first function.
  const declared = entries.filter(({ doc, kind }, at) => DECLARED.has(kind) || (at === 0 && doc !== undefined))
  const said = read(path, text, new Set(declared.map(({ startLine }) => startLine)))
  if (said !== undefined) return said
  const ofModule = mainModuleOf(path, entries)?.purpose
  return ofModule?.origin === "comment" && ofModule.weak === undefined ? statementOf(ofModule) : undefined
}

const DECLARED: ReadonlySet<string> = new Set(["function", "method", "class", "interface", "enum", "type"])

/**
 * Returns the sentence with which the comment at the beginning of a file says what the file is for. A comment directly
 * above a declaration is that of the declaration, if one begins on a line of `declared`, and a comment above a
 * condition or another such statement is that of the statement. Undefined if no comment says anything.
 */
export const read = (path: string, text: string, declared: ReadonlySet<number> = new Set()): string | undefined => {
  const lines = text.slice(0, MAX_TEXT).split(/\r?\n/)
  for (const comment of HeadComments.read(text)) {
    const isOfNext = declared.has(comment.end + 1) || STATEMENT.test(lines[comment.end] ?? "")
    if (isOfNext && !HeadComments.isModuleDoc(comment)) return undefined
    // "The authentication handlers" says what `auth.py` has, so the name of the file counts only if it is all there is.
    const found = CommentPurpose.fromComment(comment.text, { qualifiedName: "", signature: "", path: "" })
    if (found !== undefined && !isNameOf(path, found)) return found
  }
  return undefined
}

/** Matches a line that does something, and does not import or declare. */
const STATEMENT = /^\s*(?:if|unless|for|foreach|while|switch|try|return|throw|raise|echo|with|await)\b/

/** Comments are read no further (`HeadComments`). */
const MAX_TEXT = 10_000

/** Returns whether a text has no words but those of a path. */
const isNameOf = (path: string, text: string): boolean => {
  const known = path.toLowerCase()
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => known.includes(word))
}

/** Returns the type that has the name of its file, or the only major one. */
export const mainTypeOf = (path: string, entries: ReadonlyArray<IndexEntry>): IndexEntry | undefined => {
  const types = entries.filter(({ container, isMajor, kind }) => isMajor && container === undefined && TYPES.has(kind))
  const fileName = foldedName(path)
  return types.find(({ name }) => fold(name) === fileName) ?? (types.length === 1 ? types[0] : undefined)
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "enum"])

/**
 * Returns the module that has the name of its file, as `Plug.Upload` in `upload.ex`, or the only one. Its comment is
 * about the file in languages whose files are modules.
 */
const mainModuleOf = (path: string, entries: ReadonlyArray<IndexEntry>): IndexEntry | undefined => {
  const modules = entries.filter(({ container, kind }) => container === undefined && kind === "module")
  const fileName = foldedName(path)
  return (
    modules.find(({ name }) => fold(name.slice(name.lastIndexOf(".") + 1)) === fileName) ??
    (modules.length === 1 ? modules[0] : undefined)
  )
}

/** Returns the name of a file without its extension, as `fold` compares names. */
const foldedName = (path: string): string => fold(path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, ""))

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")
