/** Gives a component lines of code in colour: plain ones until the language is loaded. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Highlighter, Line } from "./Highlighter.ts"
import { highlighterOf, loadHighlighter, MAX_COLOURED } from "./Languages.ts"

export const useLines = (lines: ReadonlyArray<string>, language: string): ReadonlyArray<Line> => {
  const [highlight, setHighlight] = useState<{ readonly by: Highlighter | undefined }>({ by: highlighterOf(language) })
  useEffect(() => {
    let isWanted = true
    void loadHighlighter(language).then((by) => {
      if (isWanted) setHighlight((before) => (before.by === by ? before : { by }))
    })
    return () => {
      isWanted = false
    }
  }, [language])
  return useMemo(() => {
    const text = lines.join("\n")
    const plain = () => lines.map((line): Line => [{ text: line, kind: "" }])
    return highlight.by === undefined || text.length > MAX_COLOURED ? plain() : highlight.by(text)
  }, [lines, highlight.by])
}
