/**
 * The edit distance of two words: how many letters must be inserted, deleted, substituted or, side by side, transposed
 * to make one the other (optimal string alignment). The program has no other one.
 *
 * It uses the bit-vector algorithm of Myers (1999) with the transpositions of Hyyrö (2003). It computes 32 rows of the
 * table of distances at once, so that a word is compared with a hundred thousand others in a few milliseconds.
 */

/**
 * Returns a function for the distance of other words from this one; undefined if it is above `max`. O(length / 32 ×
 * length of the other), and O(1) if the lengths alone differ by more than `max`.
 */
export const from = (word: string, max: number): ((other: string) => number | undefined) => {
  // A band takes 256 kB, and no name is as long as a question of thousands of words.
  let bands: ReadonlyArray<Band> | undefined
  let border: Border = { steps: new Int8Array(64), transpositions: new Int8Array(64) }
  return (other) => {
    if (Math.abs(word.length - other.length) > max) return undefined
    if (other.length > border.steps.length) {
      border = { steps: new Int8Array(2 * other.length), transpositions: new Int8Array(2 * other.length) }
    }
    border.steps.fill(1, 0, other.length)
    border.transpositions.fill(0, 0, other.length)
    bands ??= bandsOf(word)
    for (const band of bands) computeBand(band, other, border)
    let distance = word.length
    for (let at = 0; at < other.length; at++) distance += border.steps[at] ?? 0
    return distance > max ? undefined : distance
  }
}

/** The bits of a number. */
const ROWS = 32

/** Rows of the table: one for each letter of a part of the word. */
interface Band {
  /** The rows that have a letter, one bit each, by character code. */
  readonly rows: Int32Array
  /** The number of the last row. */
  readonly last: number
}

/** The values that a band passes to the next one, by letter of the other word. */
interface Border {
  /** The difference of a distance in its last row from the one before it: 1, 0 or -1. */
  readonly steps: Int8Array
  /** 1 if a transposition may begin in its last row. */
  readonly transpositions: Int8Array
}

const bandsOf = (word: string): ReadonlyArray<Band> =>
  Array.from({ length: Math.ceil(word.length / ROWS) }, (_, n) => makeBand(word.slice(n * ROWS, (n + 1) * ROWS)))

const makeBand = (part: string): Band => {
  const rows = new Int32Array(2 ** 16)
  for (let row = 0; row < part.length; row++) {
    const letter = part.charCodeAt(row)
    rows[letter] = (rows[letter] ?? 0) | (1 << row)
  }
  return { rows, last: part.length - 1 }
}

/** Computes the rows of a band, letter by letter of the other word. Reads and replaces the border. */
const computeBand = ({ last, rows }: Band, other: string, { steps, transpositions }: Border): void => {
  // Rows whose distance is one more, or one less, than in the row above.
  let more = -1
  let less = 0
  // The state of the letter before: the rows that have it, and the rows whose distance equals the one diagonally above.
  let rowsBefore = 0
  let equalBefore = 0
  for (let at = 0; at < other.length; at++) {
    const step = steps[at] ?? 0
    const same = rows[other.charCodeAt(at)] ?? 0
    const begins = ~equalBefore & same
    const transposed = ((begins << 1) | (transpositions[at] ?? 0)) & rowsBefore
    const diagonal = same | (step < 0 ? 1 : 0)
    const equal = (((diagonal & more) + more) ^ more) | diagonal | less | transposed
    // Rows whose distance is one more, or one less, than a letter before.
    const up = less | ~(equal | more)
    const down = more & equal
    transpositions[at] = (begins >>> last) & 1
    steps[at] = ((up >>> last) & 1) - ((down >>> last) & 1)
    const above = (up << 1) | (step > 0 ? 1 : 0)
    const below = (down << 1) | (step < 0 ? 1 : 0)
    more = below | ~(equal | above)
    less = above & equal
    rowsBefore = same
    equalBefore = equal
  }
}
