/** Resolved references of one file, and their form in the database. */

/** Uses of one symbol in another, or in the text outside of all symbols. */
export interface Link {
  /** The number of the file that defines the symbol, and the symbol's ordinal in it. */
  readonly file: number
  readonly symbol: number
  /** The ordinal of the symbol around the use; -1 outside of all symbols. */
  readonly from: number
  /** Line numbers from 1, in order. */
  readonly lines: ReadonlyArray<number>
}

export interface FileLinks {
  /** The files on which the links depend, sorted; they include those that define the symbols. */
  readonly read: ReadonlyArray<number>
  /** The links, sorted by file and symbol, then by `from`. */
  readonly links: ReadonlyArray<Link>
}

export const none: FileLinks = { read: [], links: [] }

/** Encodes ordered numbers by their differences, with seven bits in each byte. */
export const encode = ({ links, read }: FileLinks): Uint8Array => {
  const bytes: Array<number> = []
  const put = (value: number): void => {
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
    bytes.push(rest)
  }
  put(read.length)
  let before = 0
  for (const file of read) {
    put(file - before)
    before = file
  }
  before = 0
  for (const { file, from, lines, symbol } of links) {
    put(file - before)
    before = file
    put(symbol)
    put(from + 1)
    put(lines.length)
    let line = 0
    for (const each of lines) {
      put(each - line)
      line = each
    }
  }
  return Uint8Array.from(bytes)
}

/** Returns no links for a file that has none yet. */
export const decode = (bytes: unknown): FileLinks => {
  if (!(bytes instanceof Uint8Array)) return none
  let at = 0
  const take = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[at++] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }
  const read: Array<number> = []
  let before = 0
  for (let count = take(); count > 0; count--) {
    before += take()
    read.push(before)
  }
  const links: Array<Link> = []
  before = 0
  while (at < bytes.length) {
    before += take()
    const symbol = take()
    const from = take() - 1
    const lines: Array<number> = []
    let line = 0
    for (let count = take(); count > 0; count--) {
      line += take()
      lines.push(line)
    }
    links.push({ file: before, symbol, from, lines })
  }
  return { read, links }
}
