/** Colours the code blocks of rendered Markdown, and keeps their text as it is. */
import type { Highlighter } from "./Highlighter.ts"
import { highlighterOf, loadHighlighter, MAX_COLOURED } from "./Languages.ts"

/**
 * Colours the blocks in an element that name their language. In an answer that is being written this happens at once,
 * if the language is loaded; other blocks are coloured when the user comes near them, so that a long conversation costs
 * no more than what is read.
 */
export const paint = (root: HTMLElement): void => {
  const isWritten = root.closest("[aria-busy=true]") !== null
  for (const code of root.querySelectorAll<HTMLElement>("code[data-language]")) {
    if (isWritten) paintBlock(code)
    else near.observe(code)
  }
}

/** How far from what is seen a block is coloured, as a margin in CSS. */
const MARGIN = "600px"

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue
      near.unobserve(target)
      paintBlock(target)
    }
  },
  { rootMargin: MARGIN },
)

const paintBlock = (code: HTMLElement): void => {
  const language = code.dataset.language ?? ""
  const text = code.textContent ?? ""
  if (text.length > MAX_COLOURED) return
  const known = highlighterOf(language)
  if (known !== undefined) colour(code, text, known)
  else {
    void loadHighlighter(language).then((found) => {
      // The block may have gone, or have grown and been coloured, meanwhile.
      if (found !== undefined && code.isConnected && code.textContent === text) colour(code, text, found)
    })
  }
}

const colour = (code: HTMLElement, text: string, highlight: Highlighter): void => {
  const parts = document.createDocumentFragment()
  for (const [at, line] of highlight(text).entries()) {
    if (at > 0) parts.append("\n")
    for (const { kind, text } of line) {
      if (kind === "") parts.append(text)
      else {
        const span = document.createElement("span")
        span.className = kind
        span.textContent = text
        parts.append(span)
      }
    }
  }
  code.replaceChildren(parts)
}
