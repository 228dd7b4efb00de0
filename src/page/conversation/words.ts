/** The difference of two texts, word by word. Loaded when answers are compared. */
import { diffLines, diffWordsWithSpace } from "diff"

export interface Part {
  readonly text: string
  readonly is: "same" | "added" | "removed"
}

/** Words that change beyond this are compared by their lines: the time grows with the square of what differs. */
const most = 1000

export const diffWords = (a: string, b: string): ReadonlyArray<Part> =>
  (diffWordsWithSpace(a, b, { maxEditLength: most }) ?? diffLines(a, b)).map(({ added, removed, value }) => ({
    text: value,
    is: added ? "added" : removed ? "removed" : "same",
  }))
