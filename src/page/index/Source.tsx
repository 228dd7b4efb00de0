/** Shows lines of a file in colour, with their numbers. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Highlighter, Line } from "../code/Highlighter.ts"
import { highlighterOf, languageOf, loadHighlighter, MAX_COLOURED } from "../code/Languages.ts"

interface Props {
  readonly path: string
  /** The number of the first line, from 1. */
  readonly first: number
  readonly lines: ReadonlyArray<string>
  /** The number of the line to highlight. */
  readonly marked?: number | undefined
}

export const Source = ({ first, lines, marked, path }: Props) => (
  <pre class="source" tabindex={0}>
    {useLines(lines, languageOf(path)).map((tokens, n) => (
      // The index is a stable key: a line does not move within its text.
      <span key={n} class={first + n === marked ? "line marked" : "line"} data-line={first + n}>
        {tokens.map(({ kind, text }, at) =>
          kind === "" ? (
            text
          ) : (
            <span key={at} class={kind}>
              {text}
            </span>
          ),
        )}
        {"\n"}
      </span>
    ))}
  </pre>
)

/** Returns the lines in colour: plain ones until the language is loaded. */
const useLines = (lines: ReadonlyArray<string>, language: string): ReadonlyArray<Line> => {
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
