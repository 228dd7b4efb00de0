/** The system instruction and the first message of an exploration. */
import * as FileClass from "../code/FileClass.ts"
import { plural } from "../message/Plural.ts"
import type { IndexEntry } from "./IndexEntry.ts"
import type { IndexedFile } from "./IndexStore.ts"
import * as WorkLeft from "./WorkLeft.ts"

/** As specified, letter for letter. */
export const system =
  "You are an expert programmer and system architect. Your goal is to deeply understand this codebase. I have provided you with a set of tools to explore the filesystem and the code's structure. Your task is to reason step-by-step, form a hypothesis about the project, and explore it until you understand the purpose of each major symbol. When you fully understand a symbol, you will call the create_index_entry tool. Begin by listing the contents of the root directory to get an overview."

/** Files with work left that the first message lists. */
const MAX_FILES = 40

/** Symbols that most files use, and that the first message lists. */
export const MAX_LANDMARKS = 20

/** The first message: the root, the size of the codebase, the symbols that most files use, and the work left. */
export const opening = (
  rootPath: string,
  files: ReadonlyArray<IndexedFile>,
  landmarks: ReadonlyArray<IndexEntry>,
  iterations: number,
): string => {
  const { beside, files: waiting, focus } = WorkLeft.of(files)
  const hasOthers = focus === "code" && files.some((file) => file.class !== "code" && file.major > 0)
  const counted = hasOthers ? files.filter((file) => file.class === "code") : files
  const symbols = sum(files, (file) => file.symbols)
  const open = sum(counted, (file) => file.open)
  return [
    `Begin by exploring the codebase at '${rootPath}'.`,
    "",
    `It has ${plural(files.length, "file")} with ${plural(symbols, "symbol")}; ${without(open, hasOthers)}.`,
    ...languages(counted),
    ...(landmarks.length === 0 ? [] : ["The symbols that most files use:"]),
    ...landmarks.map(({ path, qualifiedName, usedBy }) => `- ${qualifiedName} in ${path} (${usedBy})`),
    ...(waiting.length === 0
      ? []
      : [
          `Work is left in ${plural(waiting.length, "file")}${hasOthers ? " of code" : ""}${waiting.length === 1 ? "" : ", the most used first"}:`,
        ]),
    ...waiting.slice(0, MAX_FILES).map((file) => `- ${file.path} (${file.open})`),
    ...(beside.length === 0 ? [] : [`Of less use: ${WorkLeft.describeBeside({ beside })}.`]),
    "",
    `All paths are relative to the root. You can answer ${plural(iterations, "time")}: call many tools in each answer, and record what you understand as you go, many entries in one call of create_index_entry. When you are done, answer with a short summary of the codebase instead of calling tools.`,
  ].join("\n")
}

/**
 * `Code: 83 files of python, 6 of html.`: the files of languages that have symbols, most symbols first. `Tests: …` where
 * those are of another class, `Files: …` where they are of several.
 */
const languages = (files: ReadonlyArray<IndexedFile>): ReadonlyArray<string> => {
  const groups = Map.groupBy(files, ({ language }) => language)
  const [first, ...others] = Array.from(groups)
    .map(([name, files]) => ({ name, files: files.length, symbols: sum(files, (file) => file.symbols) }))
    .filter(({ name, symbols }) => name !== undefined && symbols > 0)
    .sort((a, b) => b.symbols - a.symbols || b.files - a.files)
    .slice(0, MAX_LANGUAGES)
  return first === undefined
    ? []
    : [
        `${labelOf(files)}: ${[`${plural(first.files, "file")} of ${first.name}`, ...others.map(({ files, name }) => `${files} of ${name}`)].join(", ")}.`,
      ]
}

const MAX_LANGUAGES = 6

const labelOf = (files: ReadonlyArray<IndexedFile>): string => {
  const [first, ...others] = new Set(files.filter(({ symbols }) => symbols > 0).map((file) => file.class))
  const label = first === undefined || others.length > 0 ? "files" : FileClass.plurals[first]
  return label.charAt(0).toUpperCase() + label.slice(1)
}

const without = (open: number, isOfCode: boolean): string =>
  `${plural(open, "major symbol")}${isOfCode ? " in code" : ""} ${open === 1 ? "has" : "have"} no purpose yet`

const sum = (files: ReadonlyArray<IndexedFile>, of: (file: IndexedFile) => number): number =>
  files.reduce((total, file) => total + of(file), 0)
