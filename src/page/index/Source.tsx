/** Shows lines of a file in colour, with their numbers. */
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Highlighter, Line } from "../code/Highlighter.ts"
import { highlighterOf, languageOf, loadHighlighter, MAX_COLOURED } from "../code/Languages.ts"
import { formatPlural } from "../format.ts"

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

/** A longer source shows its first lines only, so that what stands below it is near. */
const FOLD = 40
/** A fold hides at least so many lines. */
const LEAST_HIDDEN = 8

interface FoldedProps extends Props {
  /** The number of lines that follow and are not known here. */
  readonly more: number
}

/** Shows the beginning of a long source, with a button for the rest. A line to highlight is never hidden. */
export const Folded = ({ more, ...props }: FoldedProps) => {
  const { first, lines, marked } = props
  const [isOpen, setIsOpen] = useState(false)
  const isFolded = !isOpen && lines.length >= FOLD + LEAST_HIDDEN && (marked === undefined || marked < first + FOLD)
  return (
    <>
      <Source {...props} lines={isFolded ? lines.slice(0, FOLD) : lines} />
      {isFolded ? (
        <button type="button" onClick={() => setIsOpen(true)}>
          Show {formatPlural(lines.length - FOLD, "more line")}
        </button>
      ) : (
        more > 0 && <p class="meta">{formatPlural(more, "more line")}</p>
      )}
    </>
  )
}

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
