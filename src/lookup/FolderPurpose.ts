/**
 * Finds out what a folder is for from its own files: its README, its manifest, or the documentation of its module.
 * Pure.
 */

import { firstSentence, isManifest, isReadme, readManifest } from "../base/ProjectDocuments.ts"
import * as CommentPurpose from "../index/CommentPurpose.ts"

/** Chooses, of the files directly in a folder, those that may say what it is for, the most telling first. */
export const documentsOf = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = folder.split("/").at(-1) ?? ""
  return names
    .map((name) => ({ name, rank: readers.findIndex(({ reads }) => reads(name, own)) }))
    .filter(({ rank }) => rank !== -1)
    .sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name)
}

/**
 * Returns what a document says of its folder, on one line, or undefined if it says nothing. Reads only the beginning of
 * the text.
 */
export const read = (folder: string, name: string, text: string): string | undefined => {
  const own = folder.split("/").at(-1) ?? ""
  const reader = readers.find(({ reads }) => reads(name, own))
  const found = reader?.read(text.slice(0, MAX_READ_CHARS), name)
  if (found === undefined || found.trim() === "") return undefined
  return CommentPurpose.fromComment(found, { qualifiedName: own, signature: "", path: folder })
}

const MAX_READ_CHARS = 20_000

interface Reader {
  /** `folder`: the name of the folder. */
  readonly reads: (name: string, folder: string) => boolean
  readonly read: (text: string, name: string) => string | undefined
}

/** The comment at the beginning of a file, without its marks. */
const blockComment = (text: string): string | undefined =>
  /^\s*\/\*\*([\s\S]*?)\*\//.exec(text)?.[1]?.replaceAll(/^[ \t]*\*[ \t]?/gm, "")

const lineComments = (text: string, mark: RegExp): string =>
  text
    .split(/\r?\n/)
    .filter((line) => mark.test(line))
    .map((line) => line.replace(mark, ""))
    .join("\n")

const readers: ReadonlyArray<Reader> = [
  { reads: isReadme, read: firstSentence },
  {
    reads: (name) => name === "__init__.py",
    read: (text) => /^(?:\s*#.*\n|\s)*[rRuU]?("""|''')([\s\S]*?)\1/.exec(text)?.[2],
  },
  { reads: (name) => name === "mod.rs" || name === "lib.rs", read: (text) => lineComments(text, /^\s*\/\/!\s?/) },
  {
    reads: (name, folder) => name === "doc.go" || name === `${folder}.go`,
    read: (text) =>
      /((?:^\/\/.*\n)+)package /m
        .exec(text)?.[1]
        ?.replaceAll(/^\/\/ ?/gm, "")
        .replace(/^Package \w+ /, ""),
  },
  { reads: (name) => name === "package-info.java" || /^index\.[cm]?[jt]sx?$/.test(name), read: blockComment },
  { reads: isManifest, read: (text, name) => readManifest(name, text).description },
]
