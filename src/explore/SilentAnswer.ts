/**
 * The answer of a model that name and signature of a symbol say everything, in place of a purpose. It is stored, so
 * that the symbol is not asked for again while its source is the same.
 */

import * as FileEntry from "../index/FileEntry.ts"
import type { IndexEntry } from "../index/IndexEntry.ts"

/** The text that the instruction asks for. `Purposes.NOTHING` is stored in its place. */
export const SIGN = "-"

/** Returns whether a text is such an answer, in any of the forms that models give it. */
export const isSilent = (text: string): boolean =>
  text.trim() !== "" && (!/[\p{L}\p{N}]/u.test(text) || /^\W*(?:nothing(?: to (?:say|add))?|none|n\/a)\W*$/i.test(text))

/** The most lines of a symbol that name and signature may say everything of. */
export const MAX_LINES = 10

/**
 * A call of so many answers may have so large a share of them without a sentence. Otherwise the model avoids its work.
 */
const MIN_ANSWERS = 8
const MAX_SHARE = 0.5

/** Says why such an answer is not accepted for a symbol; undefined if it is. */
export const findObjection = (entry: IndexEntry): string | undefined => {
  const lines = entry.endLine - entry.startLine + 1
  if (FileEntry.isFile(entry)) return "a file has something to say"
  return lines > MAX_LINES ? `${lines} lines are worth a sentence` : undefined
}

/** Says why `silent` such answers among all of a call are too many; undefined if they are not. */
export const findExcess = (silent: number, all: number): string | undefined =>
  all >= MIN_ANSWERS && silent > MAX_SHARE * all
    ? `nothing to say of ${silent} of ${all} symbols; say of each what tells it from the others`
    : undefined
