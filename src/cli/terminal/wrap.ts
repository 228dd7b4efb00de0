/**
 * Lines of at most `width` UTF-16 units. Breaks at spaces, and inside a word only where that alone is longer; the
 * indentation of the text stays on the first line.
 */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const most = Math.max(width, 1)
  let rest = text
  while (rest.length > most) {
    const indentation = rest.length - rest.trimStart().length
    const space = rest.lastIndexOf(" ", most)
    const end = space > indentation ? space : Math.max(wholeCharacters(rest, most), 1)
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === "" && lines.length > 0 ? lines : [...lines, rest]
}

/** At most `width`, and not between the two halves of a surrogate pair. */
const wholeCharacters = (text: string, width: number): number =>
  text.isWellFormed() && !text.slice(0, width).isWellFormed() ? width - 1 : width
