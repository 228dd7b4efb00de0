/** The map of a project: what a model wrote of it as a whole, for the batches of an exploration and for people. */
import { sanitize } from "../message/Sanitize.ts"
import type { IndexedFile } from "./IndexStore.ts"
import * as WorkLeft from "./WorkLeft.ts"

/** In characters: some 350 words. */
export const MAX_LENGTH = 2_000

/**
 * A text as a map: without control characters, blank lines in a row and what is beyond the limit, which ends at a line where
 * there is one in its last quarter. Undefined where nothing is left.
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

/** A text of others as lines for a model, marked as a quotation. */
export const quote = (text: string): ReadonlyArray<string> => [FENCE, text.replaceAll(FENCE, "'".repeat(3)), FENCE]

const FENCE = '"""'

/**
 * Whether a run asks for a map: where there is none; or where a quarter of the major symbols (of the code, if any) are open and a quarter of the
 * files are new or changed since the last run. After an interrupt much is open, and the map still holds.
 */
export const isDue = (map: string | undefined, files: ReadonlyArray<IndexedFile>, parsed: number): boolean => {
  if (map === undefined) return true
  const { files: waiting, focus } = WorkLeft.of(files)
  const open = waiting.reduce((total, file) => total + file.open, 0)
  const major = files.reduce((total, file) => total + (focus === "all" || file.class === "code" ? file.major : 0), 0)
  return 4 * open >= major && 4 * parsed >= files.length
}

/** What a model answers that has nothing to change in the map of an earlier run. */
export const UNCHANGED = "The map holds."

/** Whether an answer says that the earlier map holds. */
export const isUnchanged = (answer: string): boolean => /^\W*the map (?:still )?holds\W*$/i.test(answer.trim())
