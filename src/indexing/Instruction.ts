/** What a model is told when it is sent to explore a codebase. */
import type { IndexedFile } from "./IndexStore.ts"

/** The specification's own words, to the letter. */
export const system =
  "You are an expert programmer and system architect. Your goal is to deeply understand this codebase. I have provided you with a set of tools to explore the filesystem and the code's structure. Your task is to reason step-by-step, form a hypothesis about the project, and explore it until you understand the purpose of each major symbol. When you fully understand a symbol, you will call the create_index_entry tool. Begin by listing the contents of the root directory to get an overview."

/** The most files that the opening names as waiting for work. */
const mostFiles = 40

/** The first message: where to begin, how much there is, and what earlier runs have left. */
export const opening = (rootPath: string, files: ReadonlyArray<IndexedFile>, iterations: number): string => {
  const symbols = files.reduce((total, file) => total + file.symbols, 0)
  const waiting = files.filter((file) => file.open > 0).sort((a, b) => b.open - a.open)
  const open = waiting.reduce((total, file) => total + file.open, 0)
  return [
    `Begin by exploring the codebase at '${rootPath}'.`,
    "",
    `It has ${files.length} files with ${symbols} symbols; ${open} major symbols in ${waiting.length} files have no purpose yet.`,
    ...(waiting.length === 0 ? [] : ["The files with most of them:"]),
    ...waiting.slice(0, mostFiles).map((file) => `- ${file.path} (${file.open})`),
    "",
    `All paths are relative to the root. You can answer ${iterations} times: call many tools in each answer, and record what you understand as you go, many entries in one call of create_index_entry. When you are done, answer with a short summary of the codebase instead of calling tools.`,
  ].join("\n")
}
