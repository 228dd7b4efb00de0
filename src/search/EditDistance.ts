/**
 * How many letters must be added, dropped or changed to make one word another (Levenshtein). By Myers ("A fast
 * bit-vector algorithm for approximate string matching", 1999): 32 rows of the table of distances are computed at once,
 * so that a word is compared with a hundred thousand others in a few milliseconds.
 */

/** Tells the distance of other words from this one; none where it is more than `most`. */
export const from = (word: string, most: number): ((other: string) => number | undefined) => {
  const bands = Array.from({ length: Math.ceil(word.length / ROWS) }, (_, n) =>
    band(word.slice(n * ROWS, (n + 1) * ROWS)),
  )
  // From one letter of the other word to the next, along the row that was computed last: 1, 0 or -1.
  let steps = new Int8Array(64)
  return (other) => {
    if (Math.abs(word.length - other.length) > most) return undefined
    if (other.length > steps.length) steps = new Int8Array(2 * other.length)
    steps.fill(1, 0, other.length)
    for (const each of bands) cross(each, other, steps)
    let distance = word.length
    for (let at = 0; at < other.length; at++) distance += steps[at] ?? 0
    return distance > most ? undefined : distance
  }
}

/** As many as a number has bits. */
const ROWS = 32

/** Rows of the table: a part of the word, one row a letter. */
interface Band {
  /** By letter: in which rows it stands. */
  readonly rows: Int32Array
  /** The number of the last row. */
  readonly last: number
}

const band = (part: string): Band => {
  const rows = new Int32Array(2 ** 16)
  for (let row = 0; row < part.length; row++) {
    const letter = part.charCodeAt(row)
    rows[letter] = (rows[letter] ?? 0) | (1 << row)
  }
  return { rows, last: part.length - 1 }
}

/** Takes the steps along the row above a band to those along its last row. */
const cross = ({ last, rows }: Band, other: string, steps: Int8Array): void => {
  // In which rows the distance is one more than in the row above, and in which one less.
  let more = -1
  let less = 0
  for (let at = 0; at < other.length; at++) {
    const step = steps[at] ?? 0
    const same = rows[other.charCodeAt(at)] ?? 0
    const diagonal = same | (step < 0 ? 1 : 0)
    const flat = (((diagonal & more) + more) ^ more) | diagonal | less
    // In which rows the distance is one more than a letter before, and in which one less.
    const up = less | ~(flat | more)
    const down = more & flat
    steps[at] = ((up >>> last) & 1) - ((down >>> last) & 1)
    const above = (up << 1) | (step > 0 ? 1 : 0)
    more = (down << 1) | (step < 0 ? 1 : 0) | ~(same | less | above)
    less = above & (same | less)
  }
}
