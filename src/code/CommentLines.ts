/**
 * Finds the comments of a source that have their lines for themselves, docstrings among them. It goes by the shape of
 * the lines, for any language, and may take the text of a template for a comment. Pure.
 */

/** The most characters of a line that is examined. */
export const MAX_LINE_CHARS = 1_000

export const indentOf = (line: string): string => /^[\t ]*/.exec(line)?.[0] ?? ""

export interface Comment {
  readonly indent: string
  readonly opener: string
  readonly closer: string
  /** The text before each of its lines after the first. */
  readonly leader: string
  /** The text of each of its lines. */
  readonly texts: ReadonlyArray<string>
  /** The position of the line after its last one. */
  readonly end: number
}

/** Finds the comment that begins on a line and has its lines for itself. */
export const commentAt = (lines: ReadonlyArray<string>, at: number): Comment | undefined => {
  const line = lines[at] ?? ""
  const indent = indentOf(line)
  const { leader, opener } =
    /^(?:(?<opener>\/\*+|[a-zA-Z]{0,2}(?:"""|'''))|(?<leader>\/\/+!?|#:?(?= |$)|--(?= |$)|;+(?= ))) ?/.exec(
      line.slice(indent.length),
    )?.groups ?? {}
  if (leader !== undefined) {
    const texts: Array<string> = []
    let end = at
    for (; end < lines.length; end++) {
      const next = lines[end] ?? ""
      const text = next.trimStart()
      const rest = text.slice(leader.length)
      const isNext = text.startsWith(leader) && (leader.startsWith("/") || rest === "" || rest.startsWith(" "))
      if (indentOf(next) !== indent || !isNext || next.length > MAX_LINE_CHARS) break
      texts.push(rest)
    }
    return { indent, opener: leader, closer: "", leader: `${leader} `, texts, end }
  }
  if (opener === undefined) return undefined
  const closer = opener.startsWith("/") ? "*/" : opener.slice(-3)
  const texts: Array<string> = []
  for (let end = at; end < lines.length; end++) {
    const next = lines[end] ?? ""
    if (next.length > MAX_LINE_CHARS) return undefined
    const text = end === at ? next.slice(indent.length + opener.length) : next
    const close = text.indexOf(closer)
    texts.push((close < 0 ? text : text.slice(0, close)).replace(closer === "*/" ? /^\s*\*+/ : /^/, ""))
    if (close >= 0) {
      // A comment with code after it does not have its lines for itself.
      if (text.slice(close + closer.length).trim() !== "") return undefined
      return { indent, opener, closer, leader: closer === "*/" ? " * " : "", texts, end: end + 1 }
    }
  }
  return undefined
}

/**
 * If a text in three quotes that is no comment begins on this line, returns the line after its end; otherwise the next
 * line.
 */
export const endOfText = (lines: ReadonlyArray<string>, at: number): number => {
  let open: string | undefined
  for (let end = at; end < lines.length; end++) {
    for (const [quote] of (lines[end] ?? "").slice(0, MAX_LINE_CHARS).matchAll(/"""|'''/g)) {
      if (open === undefined) open = quote
      else if (open === quote) open = undefined
    }
    if (open === undefined) return end + 1
  }
  // The text does not end, so it did not begin with quotes.
  return at + 1
}

/** Lists all comments of a source, each with the position of its first line. O(length of the lines). */
export const commentsIn = (lines: ReadonlyArray<string>): ReadonlyArray<Comment & { readonly start: number }> => {
  const found: Array<Comment & { readonly start: number }> = []
  for (let at = 0; at < lines.length; ) {
    const comment = (lines[at] ?? "").length > MAX_LINE_CHARS ? undefined : commentAt(lines, at)
    if (comment !== undefined) found.push({ ...comment, start: at })
    at = comment?.end ?? endOfText(lines, at)
  }
  return found
}
