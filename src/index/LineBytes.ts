/**
 * Text of lines that keeps the bytes of lines which are not UTF-8, so that a file with such a line can be merged and
 * written without a loss. Pure.
 */

/** The first character of a line that is not UTF-8; its bytes follow, a character each. No JSON begins with it. */
const MARK = "\0"

const BYTE_ORDER_MARK = "\uFEFF"

interface Decoded {
  /** A byte order mark, or nothing. */
  readonly mark: string
  /** The text after the mark. */
  readonly text: string
}

/** Returns the text of a file. `encode` returns the same bytes for `mark` and `text` together. */
export const decode = (bytes: Uint8Array): Decoded => {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return isMarked
    ? { mark: BYTE_ORDER_MARK, text: decodeText(bytes.subarray(3)) }
    : { mark: "", text: decodeText(bytes) }
}

const decodeText = (bytes: Uint8Array): string => {
  const whole = decodeOrUndefined(bytes)
  if (whole !== undefined && !whole.includes(MARK)) return whole
  return splitLines(bytes).map(decodeLine).join("\n")
}

/** Returns the text of a file after its mark, or all its bytes if a line of it is not UTF-8. */
export const encode = ({ mark, text }: Decoded): string | Uint8Array => {
  if (!text.includes(MARK)) return mark + text
  const lines = text
    .split("\n")
    .map((line) => (line.startsWith(MARK) ? Buffer.from(line.slice(MARK.length), "latin1") : Buffer.from(line)))
  return Buffer.concat([Buffer.from(mark), ...lines.flatMap((line, at) => (at === 0 ? [line] : [LINE_FEED, line]))])
}

const LINE_FEED = Buffer.from("\n")

const decodeLine = (line: Uint8Array): string => {
  const text = decodeOrUndefined(line)
  return text === undefined || text.startsWith(MARK) ? MARK + Buffer.from(line).toString("latin1") : text
}

/** Returns undefined for bytes that are not UTF-8. */
const decodeOrUndefined = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Splits at line feeds. The byte of one is part of no other character in UTF-8. */
const splitLines = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const lines: Array<Uint8Array> = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...lines, bytes.subarray(start)]
}
