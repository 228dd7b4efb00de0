/** Shows lines of a file in colour, with their numbers. */
import { languageOf } from "../code/Languages.ts"
import { useLines } from "../code/useLines.ts"

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
