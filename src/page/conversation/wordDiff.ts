/** Computes the difference of two texts, word by word. Loaded when answers are compared. */
import { diffLines, diffWordsWithSpace } from "diff"

export interface Part {
  readonly text: string
  readonly is: "same" | "added" | "removed"
}

/**
 * The most changed words that are compared by word; beyond that lines are compared, since the time grows with the
 * square of the difference.
 */
const most = 1000

/** The most characters of a text between two changes that is counted as a part of them. */
const short = 3

export const diffWords = (a: string, b: string): ReadonlyArray<Part> => {
  const found = diffWordsWithSpace(a, b, { maxEditLength: most }) ?? diffLines(a, b)
  const parts: Array<Part> = []
  const change = { removed: "", added: "" }
  const end = () => {
    if (change.removed !== "") parts.push({ text: change.removed, is: "removed" })
    if (change.added !== "") parts.push({ text: change.added, is: "added" })
    change.removed = ""
    change.added = ""
  }
  found.forEach(({ added, removed, value }, index) => {
    const isBetween = index + 1 < found.length && change.removed + change.added !== "" && value.trim().length <= short
    if (added) change.added += value
    else if (removed) change.removed += value
    else if (isBetween) {
      change.added += value
      change.removed += value
    } else {
      end()
      parts.push({ text: value, is: "same" })
    }
  })
  end()
  return parts
}
