/**
 * Returns lines of at most `width` UTF-16 units. It breaks at spaces, and inside a word only if that alone is longer:
 * behind one of `BOUNDARY`, if the piece before it fills a third of a line. The indentation of the text stays on the
 * first line.
 */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const most = Math.max(width, 1)
  let rest = text
  while (rest.length > most) {
    const indentation = rest.length - rest.trimStart().length
    const space = rest.lastIndexOf(" ", most)
    const end = space > indentation ? space : endInWord(rest, indentation, most)
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return (rest === "" && lines.length > 0 ? lines : [...lines, rest]).map((line) => line.replaceAll(NO_BREAK, " "))
}

/** Returns the text with spaces at which `wrap` does not break; it prints them as usual ones. */
export const unbroken = (text: string): string => text.replaceAll(" ", NO_BREAK)

const NO_BREAK = "\u00a0"

/** Wraps a text, and puts a margin before every line but the first. The margin is not part of the text. */
export const wrapHanging = (text: string, width: number, margin: number): ReadonlyArray<string> => {
  const [first = ""] = wrap(text, width)
  const rest = text.slice(first.length).trimStart()
  return rest === "" ? [first] : [first, ...wrap(rest, width - margin).map((line) => `${" ".repeat(margin)}${line}`)]
}

const endInWord = (text: string, indentation: number, most: number): number => {
  for (let end = most; end > indentation + (most - indentation) / 3; end--) {
    if (BOUNDARY.includes(text.charAt(end - 1))) return end
  }
  return Math.max(wholeCharacters(text, most), 1)
}

/** Characters after which paths, names and code can be broken. */
const BOUNDARY = "/._-:,;=(){}[]<>|&"

/** Returns a length of at most `width` that does not end between the two halves of a surrogate pair. */
const wholeCharacters = (text: string, width: number): number =>
  text.isWellFormed() && !text.slice(0, width).isWellFormed() ? width - 1 : width
