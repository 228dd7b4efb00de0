/**
 * The map of a project: the page that a model wrote about the whole project, for the batches of an exploration and for
 * users.
 */
import { sanitize } from "../base/Sanitize.ts"
import type { IndexedFile } from "./IndexStore.ts"
import * as WorkLeft from "./WorkLeft.ts"

/** The most characters of a map: some 350 words. */
export const MAX_LENGTH = 2_000

/**
 * Turns a text into a map: removes control characters, repeated blank lines, and everything beyond the limit. The cut
 * is at the end of a line if one ends in the last quarter. Undefined if nothing is left.
 */
export const parse = (text: string): string | undefined => {
  const clean = sanitize(text.toWellFormed())
    .replaceAll(/[^\S\n]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()
  if (clean === "") return undefined
  if (clean.length <= MAX_LENGTH) return clean
  const head = clean.slice(0, MAX_LENGTH - 2).toWellFormed()
  const lineEnd = head.lastIndexOf("\n")
  return `${head.slice(0, lineEnd > MAX_LENGTH * 0.75 ? lineEnd : undefined).trimEnd()}\n…`
}

/** Returns a foreign text as lines for a model, marked as a quotation. */
export const quote = (text: string): ReadonlyArray<string> => [FENCE, text.replaceAll(FENCE, "'".repeat(3)), FENCE]

const FENCE = '"""'

/**
 * Returns whether a run asks for a map. It does if there is none. It also does if a quarter of the major symbols (of
 * the code, if any) are open and a quarter of the files are new or changed since the last run. After an interrupt much
 * is open, and the map still holds.
 */
export const isDue = (map: string | undefined, files: ReadonlyArray<IndexedFile>, parsed: number): boolean => {
  if (map === undefined) return true
  const { files: waiting, focus } = WorkLeft.of(files)
  const open = waiting.reduce((total, file) => total + file.open, 0)
  const major = files.reduce((total, file) => total + (focus === "all" || file.class === "code" ? file.major : 0), 0)
  return 4 * open >= major && 4 * parsed >= files.length
}

/** The answer of a model that has nothing to change in the map of an earlier run. */
export const UNCHANGED = "The map holds."

/** Returns whether an answer says that the earlier map holds. */
export const isUnchanged = (answer: string): boolean => /^\W*the map (?:still )?holds\W*$/i.test(answer.trim())
