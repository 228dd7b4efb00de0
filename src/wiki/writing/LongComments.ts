/**
 * Finds the lines of long comments within a source, docstrings among them, that a request can do without: a comment is
 * often longer than the code, and says what a symbol is for in its first paragraph. Pure.
 */
import * as CommentLines from "../../code/CommentLines.ts"
import { sizeOf } from "./Material.ts"
import * as Passage from "./Passage.ts"

/** The tokens up to which a comment is shown whole. */
const SHORT = 60

/** The most lines of the first paragraph that are shown in any case. */
const OPENING = 3

/** A note about fewer lines is as long as they are. */
const MIN_HIDDEN = 3

/**
 * Returns the positions of the lines that are left out: those of long comments, but for the beginning of each and for
 * the passages that have most words of the statements, of which each comment may show `maxTokens`.
 */
export const find = (
  lines: ReadonlyArray<string>,
  statements: ReadonlyArray<string>,
  maxTokens: number,
): ReadonlySet<number> => {
  const hidden = new Set<number>()
  for (const { end, start, texts } of CommentLines.commentsIn(lines)) {
    const own = lines.slice(start, end)
    if (own.reduce((sum, line) => sum + sizeOf(line), 0) <= SHORT) continue
    const blank = texts.findIndex((text, at) => at > 0 && text.trim() === "")
    const opening = Math.min(OPENING, blank === -1 ? OPENING : blank)
    const said = statements.length === 0 ? new Set<number>() : Passage.find(texts, statements, maxTokens)
    const hide = (run: ReadonlyArray<number>) => {
      const words = run.filter((at) => (texts[at] ?? "").trim() !== "")
      if (words.length < MIN_HIDDEN) return
      // Paragraphs are left out together; an empty line at an end may be that of the marks of the comment.
      for (let at = words[0] ?? 0; at <= (words.at(-1) ?? -1); at += 1) hidden.add(start + at)
    }
    const run: Array<number> = []
    for (const at of own.keys()) {
      if (at >= opening && !said.has(at)) run.push(at)
      else hide(run.splice(0))
    }
    hide(run)
  }
  return hidden
}
