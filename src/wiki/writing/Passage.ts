/**
 * Finds the passages of a document that statements speak of: paragraphs, lists and blocks of commands with the headings
 * above them. A README says how it is installed far below its head. Pure.
 */
import * as Excerpt from "../../lookup/Excerpt.ts"
import { sizeOf } from "./Material.ts"

interface Block {
  /** The first line, from 0, and the line after the last one. */
  readonly from: number
  readonly to: number
  /** The heading above it. */
  readonly heading: number | undefined
}

/** A longer table or list is divided. */
const MAX_LINES = 14

/** Tokens of the number of a line. */
const FRAME = 3

/**
 * Returns the positions of the lines that statements speak of, within a limit of tokens that they share: for each, the
 * passages that have most of its words, rare ones above all, and then those with further words of it.
 */
export const find = (
  lines: ReadonlyArray<string>,
  statements: ReadonlyArray<string>,
  maxTokens: number,
): ReadonlySet<number> => {
  const blocks = blocksOf(lines)
  const shown = new Set<number>()
  for (const statement of statements) {
    const { matches, weights } = Excerpt.matchLines(lines, statement)
    const stemsOf = ({ from, to }: Block) => new Set(matches.slice(from, to).flat())
    const covered = new Set<string>()
    const gainOf = (block: Block): number =>
      Array.from(stemsOf(block)).reduce((sum, stem) => sum + (covered.has(stem) ? 0 : (weights.get(stem) ?? 0)), 0)
    let left = maxTokens / statements.length
    for (;;) {
      const [best] = blocks
        .map((block) => ({ block, gain: gainOf(block) }))
        .filter(({ gain }) => gain > 0)
        .toSorted((one, other) => other.gain - one.gain)
      if (best === undefined) break
      for (const stem of stemsOf(best.block)) covered.add(stem)
      const { from, heading, to } = best.block
      const positions = [heading, ...Array.from({ length: to - from }, (_, at) => from + at)]
      for (const position of positions) {
        if (position === undefined || shown.has(position)) continue
        left -= sizeOf(lines[position] ?? "") + FRAME
        if (left < 0) break
        shown.add(position)
      }
      if (left <= 0) break
    }
  }
  return shown
}

/** Divides a document at blank lines and headings. A block of code belongs to the paragraph that introduces it. */
const blocksOf = (lines: ReadonlyArray<string>): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let heading: number | undefined
  let from: number | undefined
  let isCode = false
  const end = (to: number) => {
    if (from === undefined) return
    for (let start = from; start < to; start += MAX_LINES) {
      blocks.push({ from: start, to: Math.min(to, start + MAX_LINES), heading })
    }
    from = undefined
  }
  for (const [at, line] of lines.entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    const isBlank = line.trim() === ""
    if (!isCode && isHeading(lines, at)) {
      end(at)
      heading = at
    } else if (isFence) {
      if (!isCode) from ??= introduction(lines, at, blocks)
      isCode = !isCode
      if (!isCode) end(at + 1)
    } else if (isCode || !isBlank) from ??= at
    else end(at)
  }
  end(lines.length)
  return blocks
}

/** Takes the block above a block of code back if only blank lines are between them, and returns where it begins. */
const introduction = (lines: ReadonlyArray<string>, at: number, blocks: Array<Block>): number => {
  const last = blocks.at(-1)
  const isAbove = last !== undefined && lines.slice(last.to, at).every((line) => line.trim() === "")
  const isFence = isAbove && /^\s*(?:```|~~~)/.test(lines[last.to - 1] ?? "")
  if (!isAbove || isFence) return at
  blocks.pop()
  return last.from
}

/** A heading of Markdown, underlined text, or the section of a manifest such as `[scripts]`. */
const isHeading = (lines: ReadonlyArray<string>, at: number): boolean =>
  /^(?:#{1,6} |\[[^\]]+\]\s*$)/.test(lines[at] ?? "") ||
  (/\S/.test(lines[at] ?? "") && /^(?:={3,}|-{3,})\s*$/.test(lines[at + 1] ?? ""))
