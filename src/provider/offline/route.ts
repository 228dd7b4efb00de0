/** Chooses the next calls with which the offline guide explores a codebase. Pure. */
import { firstSentence, isManifest, isReadme } from "../../base/ProjectDocuments.ts"
import { keyOf, type Notes, type Place } from "./notes.ts"

interface Call {
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * Returns the next calls, or none at the end. The guide begins with the root. The documents of the root, its folders
 * and the files of the symbols that most files use come next. Last comes the document or the file that describes each
 * part of the codebase.
 */
export const nextCalls = (notes: Notes): ReadonlyArray<Call> => {
  if (notes.answers >= MAX_ANSWERS) return []
  const root = notes.folders.get(".")
  if (root === undefined) return callsFor(notes, ["."], "list_filesystem")
  const parts = partsOf(notes)
  return [
    ...callsFor(notes, documentsIn(root), "read_file", { endLine: MAX_LINES }),
    ...callsFor(notes, nextToList(notes), "list_filesystem"),
    ...callsFor(notes, landmarkFiles(notes), "list_symbols_in_file", { all: true }),
    ...callsFor(notes, unlistedParts(notes, parts), "list_filesystem"),
    ...callsFor(
      notes,
      parts.flatMap(({ path }) => describingFile(notes, path) ?? []),
      "read_file",
      { endLine: MAX_LINES },
    ),
  ]
}

/** The most answers of the guide; it usually gives five or six. */
const MAX_ANSWERS = 10

/** The most lines of a document, enough for its beginning. */
const MAX_LINES = 120

/** The most parts of a codebase that the guide lists. */
const MAX_PARTS = 8

/** The most folders between the root and a part. */
const MAX_DEPTH = 5

const MAX_MANIFESTS = 4

const MAX_LANDMARK_FILES = 6

const callsFor = (
  { calls }: Notes,
  paths: ReadonlyArray<string>,
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): ReadonlyArray<Call> =>
  Array.from(new Set(paths))
    .filter((path) => !calls.has(keyOf(name, path)))
    .map((path) => ({ name, parameters: { path, ...options } }))

const documentsIn = (root: ReadonlyArray<Place>): ReadonlyArray<string> => {
  const paths = root.map(({ path }) => path)
  return [...paths.filter(isReadme).slice(0, 1), ...paths.filter(isManifest).slice(0, MAX_MANIFESTS)]
}

const landmarkFiles = ({ landmarks }: Notes): ReadonlyArray<string> =>
  Array.from(new Set(landmarks.map(({ path }) => path))).slice(0, MAX_LANDMARK_FILES)

/**
 * Returns the folders that hold the code, most symbols first, tests and the like last. A folder that has most of the
 * code of its siblings is replaced by its contents.
 */
export const partsOf = (notes: Notes): ReadonlyArray<Place> => {
  const { parts } = descend(notes)
  const all = total(parts)
  return parts.filter(({ symbols }) => symbols * MIN_SHARE >= all).slice(0, MAX_PARTS)
}

/** A part has at least this fraction of all symbols: one in a hundred. */
const MIN_SHARE = 100

/** Returns the folder on the way down that is not listed yet. */
const nextToList = (notes: Notes): ReadonlyArray<string> => {
  const { next } = descend(notes)
  return next === undefined ? [] : [next]
}

const unlistedParts = (notes: Notes, parts: ReadonlyArray<Place>): ReadonlyArray<string> =>
  nextToList(notes).length > 0 ? [] : parts.map(({ path }) => path).filter((path) => !notes.folders.has(path))

const descend = ({ folders }: Notes) => {
  let parts = sortPlaces((folders.get(".") ?? []).filter(isFolderWithSymbols))
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const [first, ...others] = parts
    if (first === undefined || !first.isCode || first.symbols <= totalOfCode(others)) break
    const content = folders.get(first.path)
    if (content === undefined) return { parts, next: first.path }
    const inside = content.filter(isFolderWithSymbols)
    // The files of the folder itself hold most of its code.
    if (2 * totalOfCode(inside) <= first.symbols) break
    parts = sortPlaces([...inside, ...others])
  }
  return { parts, next: undefined }
}

const isFolderWithSymbols = ({ path, symbols }: Place): boolean => path.endsWith("/") && symbols > 0

const total = (places: ReadonlyArray<Place>): number => places.reduce((sum, { symbols }) => sum + symbols, 0)

const totalOfCode = (places: ReadonlyArray<Place>): number => total(places.filter(({ isCode }) => isCode))

const sortPlaces = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  places.toSorted(
    (one, other) =>
      Number(other.isCode) - Number(one.isCode) || other.symbols - one.symbols || (one.path < other.path ? -1 : 1),
  )

/** Returns the file of a listed folder that describes it. */
export const describingFile = ({ folders }: Notes, folder: string): string | undefined => {
  const files = (folders.get(folder) ?? []).map(({ path }) => path).filter((path) => !path.endsWith("/"))
  const nameOf = (path: string) => path.slice(folder.length)
  return files.find((path) => isReadme(nameOf(path))) ?? mainFiles(files, folder)[0]
}

/**
 * Returns the files that describe their folder, the best first: `index.ts`, `__init__.py`, `mod.rs`, or one with the
 * folder's name.
 */
export const mainFiles = (paths: ReadonlyArray<string>, folder: string): ReadonlyArray<string> => {
  const name = folder.split("/").at(-2) ?? ""
  const stems = ["index", "__init__", "mod", "lib", "doc", "main", "__main__", "app", name.toLowerCase()]
  const rank = (path: string) => stems.indexOf((path.split("/").at(-1) ?? "").replace(/\.\w+$/, "").toLowerCase())
  return paths
    .filter((path) => rank(path) !== -1 && /\.\w+$/.test(path))
    .toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

/** Returns the first sentence of the comment at the top of a source file, unless the comment is a licence. */
export const topComment = (source: string): string | undefined => {
  const text = source.replace(/^#!.*\n/, "").replace(/^(?:\s|['"]use strict['"];?)+/, "")
  const blocks = [
    text.match(/^[rRuU]?("""|''')([\s\S]*?)\1/)?.[2],
    text.match(/^\/\*[*!]?([\s\S]*?)\*\//)?.[1]?.replaceAll(/^\s*\*+ ?/gm, ""),
    text.match(/^(?:\/\/.*(?:\n|$))+/)?.[0].replaceAll(/^\/\/+!? ?/gm, ""),
    text.match(/^(?:#(?!\s*(?:include|define|if|pragma)\b).*(?:\n|$))+/)?.[0].replaceAll(/^#+ ?/gm, ""),
  ]
  const comment = blocks.find((block) => block !== undefined)
  if (comment === undefined || /copyright|licen[cs]e|eslint|coding:|@(?:flow|jsx)\b/i.test(comment)) return undefined
  return firstSentence(comment.replaceAll(/^[ \t]+/gm, "").replace(/\n\s*@[\s\S]*$/, ""))
}
