/** What the files of a folder say that the folder is for: its README, its manifest, or the documentation of its module. Pure. */
import * as CommentPurpose from "../indexing/CommentPurpose.ts"
import { firstSentence, isManifest, isReadme, readManifest } from "../message/ProjectDocuments.ts"

/** The names of files that may say it, the most telling first, of the files directly in a folder. */
export const documentsOf = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = folder.split("/").at(-1) ?? ""
  return names
    .map((name) => ({ name, rank: readers.findIndex(({ reads }) => reads(name, own)) }))
    .filter(({ rank }) => rank !== -1)
    .sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name)
}

/** What a document says of its folder, on one line; undefined where it says nothing. Only the beginning of a text is read. */
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
