/** The map of a codebase with which the offline guide ends. Pure, and the same for the same conversation. */
import { firstSentence, isManifest, isReadme, nameOf, readManifest } from "../../base/ProjectDocuments.ts"
import { keyOf, type Notes, type Place } from "./notes.ts"
import { describingFile, partsOf, topComment } from "./route.ts"

/**
 * Draws at most twelve lines of 80 columns: the project's own description, its size and languages, its folders with
 * their contents, and the symbols that most files use.
 */
export const draw = (notes: Notes): string => {
  const parts = partsOf(notes).slice(0, MAX_PARTS)
  const used = notes.landmarks.slice(0, MAX_LANDMARKS)
  return [
    cut(headline(notes), 2 * COLUMNS - 12),
    ...(notes.size === undefined ? [] : [cut(`${notes.size}${inLanguages(notes, notes.size.length)}.`)]),
    ...parts.map((part) => cut(`  ${part.path} (${count(part)})${withPrefix(": ", contentOf(notes, part.path))}`)),
    ...(used.length === 0 ? [] : ["Most used:"]),
    ...used.map(({ path, symbol }) =>
      cut(`  ${symbol} in ${path}${withPrefix(": ", notes.purposes.get(keyOf(path, symbol)))}`),
    ),
  ].join("\n")
}

const MAX_PARTS = 5

const MAX_LANDMARKS = 3

const COLUMNS = 80

const headline = (notes: Notes): string => {
  const readme = Array.from(notes.texts).find(([path]) => isReadme(path))?.[1] ?? ""
  const manifests = Array.from(notes.texts)
    .filter(([path]) => isManifest(path))
    .map(([path, text]) => readManifest(path, text))
  const title = nameOf(
    readme,
    manifests.flatMap(({ name }) => name ?? []),
  )
  const about = firstSentence(readme) ?? manifests.flatMap(({ description }) => description ?? [])[0]
  if (about === undefined) return title === undefined ? "No README says what this codebase is." : `${title}.`
  const beginning = about.split(" ", TITLE_WORDS).join(" ").toLowerCase()
  return title === undefined || beginning.includes(title.toLowerCase()) ? about : `${title}: ${about}`
}

/** The title is left out if the description names it among so many of its first words. */
const TITLE_WORDS = 6

/** Lists as many languages as there is room for behind `length` characters. */
const inLanguages = ({ languages }: Notes, length: number): string => {
  const shown = languages.filter(
    (_, at) => length + languages.slice(0, at + 1).join(", ").length + "; ".length + ".".length < COLUMNS,
  )
  return shown.length === 0 ? "" : `; ${shown.join(", ")}`
}

/** Describes a folder by its document, by the symbols that most files use, or by the names in it. */
const contentOf = (notes: Notes, folder: string): string | undefined => {
  const file = describingFile(notes, folder)
  const text = file === undefined ? undefined : notes.texts.get(file)
  const said =
    file === undefined || text === undefined
      ? undefined
      : isReadme(file.slice(folder.length))
        ? firstSentence(text)
        : topComment(text)
  if (said !== undefined) return said
  const landmarks = new Set(notes.landmarks.filter(({ path }) => path.startsWith(folder)).map(({ symbol }) => symbol))
  const names = landmarks.size > 1 ? Array.from(landmarks) : largestIn(notes, folder)
  return names.length === 0 ? undefined : names.slice(0, MAX_NAMES).join(", ")
}

const MAX_NAMES = 8

/** The names of its largest files and folders. */
const largestIn = ({ folders }: Notes, folder: string): ReadonlyArray<string> =>
  (folders.get(folder) ?? [])
    .filter(({ symbols }) => symbols > 0)
    .toSorted((one, other) => other.symbols - one.symbols || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path.slice(folder.length).replace(/\.\w+$/, ""))

const count = ({ symbols }: Place): string => `${symbols} ${symbols === 1 ? "symbol" : "symbols"}`

const withPrefix = (prefix: string, text: string | undefined): string => (text === undefined ? "" : `${prefix}${text}`)

/** Shortens a text at the end of a word. */
const cut = (text: string, length = COLUMNS - 1): string => {
  const line = text.replaceAll(/\s+/g, " ").trimEnd()
  const indented = text.startsWith("  ") ? ` ${line}` : line
  if (indented.length <= length) return indented
  const start = indented.slice(0, length - 1)
  const space = start.lastIndexOf(" ")
  return `${(space > length / 2 ? start.slice(0, space) : start).replace(/[,;:.]$/, "").toWellFormed()}…`
}
