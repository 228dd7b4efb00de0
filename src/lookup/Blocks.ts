/**
 * The blocks of a symbol that decide a question: all of its lines if they fit, else those that match, with the
 * conditions under which they run. Pure.
 */
import * as Excerpt from "./Excerpt.ts"

/** Returns the pieces that fit into a room of so many characters, in the order of the file. At least one has a line. */
export type Blocks = (room: number) => ReadonlyArray<Excerpt.Excerpt>

/** The characters that shown lines take. */
export interface Sizes {
  readonly sizeOf: (line: string) => number
  /** The characters of the mark between two pieces. */
  readonly gap: number
}

/** The share of the room for lines that match; the rest is for the other lines of their blocks. */
const SHARE_OF_MATCHES = 0.7

/** The most matching lines whose blocks are found. The limit bounds the time for a symbol of thousands of lines. */
const MAX_SEEDS = 40

/** A symbol is shown whole if it takes up to this much more than its room: a cut of a few lines would save nothing. */
const TOLERANCE = 1.15

/** There is at most one piece for so many characters of the room, since many small ones are hard to read. */
const ROOM_OF_PIECE = 300

/**
 * The least room in which the lines that end a symbol are shown. In a smaller one they displace the lines that match.
 */
const ROOM_OF_ENDS = 900

/** A symbol of more lines is examined only near its matches, since each block is looked for line by line. */
const MAX_BLOCK_LINES = 400

/** Finds the blocks of a symbol. The identifiers in `also`, which the code may use, count half. */
export const of = (
  text: string,
  place: Excerpt.Place,
  question: string,
  also: ReadonlyArray<string>,
  { gap, sizeOf }: Sizes,
): Blocks => {
  const body = Excerpt.bodyOf(text, place)
  const sizes = body.map(sizeOf)
  const whole = Excerpt.withoutBlanks(Excerpt.withoutDoc(body, place.doc), body)
  const declaration = Excerpt.longDeclaration(body, place.kind)
  const piece: Excerpt.Range = [Math.min(Math.max(whole[0], declaration), whole[1] - 1), whole[1]]
  const cut = ([from, to]: Excerpt.Range): Excerpt.Excerpt => ({
    firstLine: place.startLine + from,
    lines: body.slice(from, to),
  })
  const sizeOfRange = ([from, to]: Excerpt.Range) => sizes.slice(from, to).reduce((sum, size) => sum + size, 0)
  const seeds = seedsOf(Excerpt.matchLines(body, question, also), piece)
  return (room) => {
    if (sizeOfRange(whole) <= TOLERANCE * room) return [cut(whole)]
    const chosen = new Chosen({ body, sizes, piece, gap, room })
    const [first = piece[0]] = seeds
    // The best line is shown with its conditions, even if that makes more pieces.
    chosen.add(withContext(body, piece, first), room, Number.POSITIVE_INFINITY)
    if (chosen.isEmpty) chosen.add([first], Number.POSITIVE_INFINITY)
    for (const seed of seeds.slice(1)) chosen.add(withContext(body, piece, seed), SHARE_OF_MATCHES * room)
    const lines = chosen.lines
    const inOrder = [first, ...seeds.filter((seed) => seed !== first && lines.includes(seed))]
    for (const seed of inOrder) for (const block of blocksAround(body, piece, seed)) chosen.add(linesOf(block), room)
    for (let at = piece[0]; at < piece[1] && room >= ROOM_OF_ENDS; at++) {
      if (decides.test(body[at] ?? "")) chosen.add(withContext(body, piece, at), room)
    }
    for (const seed of inOrder) chosen.grow(seed)
    return chosen.ranges.map((range) => cut(Excerpt.withoutBlanks(range, body)))
  }
}

/** Returns the lines that match, the best first. Each further line adds most to the words of those before it. */
const seedsOf = ({ matches, weights }: Excerpt.Matches, [from, to]: Excerpt.Range): ReadonlyArray<number> => {
  const left = Array.from({ length: to - from }, (_, n) => from + n).filter((at) => (matches[at]?.length ?? 0) > 0)
  const known = new Set<string>()
  const worth = (at: number) =>
    (matches[at] ?? []).reduce((sum, stem) => sum + (weights.get(stem) ?? 0) * (known.has(stem) ? 0.1 : 1), 0)
  const seeds: Array<number> = []
  while (left.length > 0 && seeds.length < MAX_SEEDS) {
    let best = 0
    for (const [n, at] of left.entries()) if (worth(at) > worth(left[best] ?? at)) best = n
    for (const at of left.splice(best, 1)) {
      seeds.push(at)
      for (const stem of matches[at] ?? []) known.add(stem)
    }
  }
  return seeds
}

/** Collects the lines of a symbol that are shown. They never exceed the room. */
class Chosen {
  readonly #body: ReadonlyArray<string>
  readonly #sizes: ReadonlyArray<number>
  readonly #piece: Excerpt.Range
  readonly #gap: number
  readonly #room: number
  readonly #lines = new Set<number>()
  #size = 0
  #pieces = 0

  constructor(options: {
    readonly body: ReadonlyArray<string>
    readonly sizes: ReadonlyArray<number>
    readonly piece: Excerpt.Range
    readonly gap: number
    readonly room: number
  }) {
    this.#body = options.body
    this.#sizes = options.sizes
    this.#piece = options.piece
    this.#gap = options.gap
    this.#room = options.room
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  get lines(): ReadonlyArray<number> {
    return Array.from(this.#lines).sort((one, other) => one - other)
  }

  /** The chosen lines as ranges. A single line between two of them is shown, since it takes no more than a gap. */
  get ranges(): ReadonlyArray<Excerpt.Range> {
    const ranges: Array<[from: number, to: number]> = []
    for (const at of this.lines) {
      const last = ranges.at(-1)
      if (last !== undefined && at - last[1] <= 1) last[1] = at + 1
      else ranges.push([at, at + 1])
    }
    return ranges
  }

  /** Adds lines if all fit into the room and do not make more pieces than there may be; otherwise adds none of them. */
  add(lines: ReadonlyArray<number>, room: number, pieces = Math.max(1, this.#room / ROOM_OF_PIECE)): void {
    const added = lines.filter((at) => !this.#lines.has(at))
    if (added.length === 0) return
    for (const at of added) this.#lines.add(at)
    const { ranges } = this
    const size = this.#sizeOf(ranges)
    if (size <= room && ranges.length <= Math.max(pieces, this.#pieces)) {
      this.#pieces = ranges.length
      this.#size = size
      return
    }
    for (const at of added) this.#lines.delete(at)
  }

  /** Adds lines below and above the piece of a line, one after the other, while they fit. */
  grow(seed: number): void {
    const [begin, end] = this.#piece
    const has = (at: number) => this.#lines.has(at)
    let [below, above] = [seed, seed]
    while (this.#size < this.#room) {
      while (has(below)) below++
      while (has(above)) above--
      const size = this.#size
      if (below < end) this.add(this.#withText(below, 1), this.#room)
      if (above >= begin) this.add(this.#withText(above, -1), this.#room)
      if (this.#size === size) return
    }
  }

  /** A blank line is added with the next line that has text. */
  #withText(at: number, step: 1 | -1): ReadonlyArray<number> {
    const [begin, end] = this.#piece
    const lines = [at]
    let last = at
    while (this.#body[last]?.trim() === "" && last + step >= begin && last + step < end) {
      last += step
      lines.push(last)
    }
    return lines
  }

  #sizeOf(ranges: ReadonlyArray<Excerpt.Range>): number {
    const lines = ranges.flatMap(linesOf).reduce((sum, at) => sum + (this.#sizes[at] ?? 0), 0)
    return lines + this.#gap * Math.max(0, ranges.length - 1)
  }
}

const linesOf = ([from, to]: Excerpt.Range): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n)

/** Returns a line with those that open the blocks around it. A line of a comment also brings the code below it. */
const withContext = (body: ReadonlyArray<string>, [begin, end]: Excerpt.Range, line: number): ReadonlyArray<number> => {
  const found = [line]
  let last = line
  while (last + 1 < end && last - line < MAX_COMMENT && isComment.test(body[last] ?? "")) found.push(++last)
  let at: number | undefined = line
  while (at !== undefined) {
    const head = branches.test(body[at] ?? "") ? headOfBranch(body, begin, at) : undefined
    if (head !== undefined) found.push(head)
    at = opener(body, begin, at)
    if (at !== undefined) found.push(at)
  }
  return found
}

/** The most lines of a comment that are shown to reach the code below it. */
const MAX_COMMENT = 4

/** Finds the line that opens the block around a line: the nearest one above it that is indented less. */
const opener = (body: ReadonlyArray<string>, begin: number, line: number): number | undefined => {
  const indent = indentOf(body[line] ?? "")
  const first = Math.max(begin, line - MAX_BLOCK_LINES)
  for (let at = line - 1; at >= first && indent > 0; at--) {
    const text = body[at] ?? ""
    if (text.trim() !== "" && !closes.test(text) && !isComment.test(text) && indentOf(text) < indent) return at
  }
  return undefined
}

/** Finds the `if`, `try` or `switch` to which a branch belongs. */
const headOfBranch = (body: ReadonlyArray<string>, begin: number, line: number): number | undefined => {
  const indent = indentOf(body[line] ?? "")
  const first = Math.max(begin, line - MAX_BLOCK_LINES)
  for (let at = line - 1; at >= first; at--) {
    const text = body[at] ?? ""
    if (text.trim() === "" || indentOf(text) > indent || closes.test(text) || isComment.test(text)) continue
    if (indentOf(text) < indent) return undefined
    if (!branches.test(text)) return at
  }
  return undefined
}

/** The blocks around a line, the smallest first: the one that it opens itself, then those that it stands in. */
const blocksAround = (
  body: ReadonlyArray<string>,
  [begin, end]: Excerpt.Range,
  line: number,
): ReadonlyArray<Excerpt.Range> => {
  const blocks: Array<Excerpt.Range> = []
  for (let at: number | undefined = line; at !== undefined; at = opener(body, begin, at)) {
    const indent = indentOf(body[at] ?? "")
    const most = Math.min(end, at + MAX_BLOCK_LINES)
    let to = at + 1
    while (to < most && (body[to]?.trim() === "" || indentOf(body[to] ?? "") > indent)) to++
    // The line that closes it belongs to it.
    if (to < most && closes.test(body[to] ?? "")) to++
    blocks.push([at, to])
  }
  return blocks
}

/** The columns before the first character that is no space. */
const indentOf = (line: string): number => line.length - line.trimStart().length

/** A line that only closes a block. */
const closes = /^\s*(?:[)\]}]+[;,]?|end[;,]?|fi|done|esac)\s*$/

const isComment = /^\s*(?:\/\/|#(?!\[|!|\s*(?:if|ifdef|ifndef|define|include|endif|else|elif)\b)|--\s|\/?\*)/

/** A line that is one branch of several, whose condition is also in the lines above it. */
const branches = /^\s*(?:\}\s*)?(?:else|elif|elsif|elseif|case|default|when|except|catch|rescue|finally|ensure)\b/

/** A line that ends the symbol, or says what it results in. */
const decides = /^\s*(?:return|raise|throw|yield|panic!?|abort|die)\b/
