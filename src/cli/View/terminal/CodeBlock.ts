/** Code of an answer in the columns of a terminal, with the colours of a theme. Pure. */
import * as CodeSyntax from "./CodeSyntax.ts"
import * as TextLayout from "./TextLayout.ts"
import type { Theme } from "./Theme.ts"

/** `state` says what the first line begins in. */
export const render = (
  lines: ReadonlyArray<string>,
  { language, state }: { readonly language: string; readonly state: CodeSyntax.State },
  columns: number,
  theme: Theme,
): ReadonlyArray<string> => {
  let current = state
  return lines.flatMap((line) => {
    const text = line.replaceAll("\t", "    ")
    const found = CodeSyntax.spans(text, language, current)
    current = found.state
    return paint(TextLayout.fold(text, columns), found.spans, theme)
  })
}

/** Each row is a part of the line, and a span may go over several. */
const paint = (
  rows: ReadonlyArray<string>,
  spans: ReadonlyArray<CodeSyntax.Span>,
  theme: Theme,
): ReadonlyArray<string> => {
  const rest = [...spans]
  return rows.map((row) => {
    let painted = ""
    for (let at = 0; at < row.length; ) {
      const { kind, length } = rest.shift() ?? { kind: "other", length: row.length }
      const taken = Math.min(length, row.length - at)
      if (taken < length) rest.unshift({ kind, length: length - taken })
      painted += styleOf(kind, theme)(row.slice(at, at + taken))
      at += taken
    }
    return painted
  })
}

const styleOf = (kind: CodeSyntax.Kind, theme: Theme): ((text: string) => string) => {
  switch (kind) {
    case "comment":
      return theme.quiet
    case "added":
    case "string":
      return theme.added
    case "removed":
      return theme.removed
    case "keyword":
      return theme.keyword
    case "number":
      return theme.number
    case "other":
      return String
  }
}
