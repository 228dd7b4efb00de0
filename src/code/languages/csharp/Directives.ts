/**
 * Blanks what the grammar of C# cannot read, so that the error does not hide the class behind it: all but one branch of
 * `#if A internal #else public #endif class B`, directives within a declaration, and the
 * modifier of `ref partial struct`.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import { isStopped, type Retry } from "../../Symbols/internal/treeSitter/Grammar.ts"
import { character, line, slashComments } from "../patterns/common.ts"

interface Branch {
  /** The offset of the line of its directive, and of the line below. */
  readonly directive: number
  readonly start: number
  end: number
}

const mask = maskWith([...slashComments, line('"'), character])

const directive = /^[ \t]*#[ \t]*(if|elif|else|endif)\b.*$/gm

/**
 * Returns the text with one branch of each `#if` whose branches are parts of a declaration, the one of most words
 * or the last of these, and without the rest that the grammar cannot read. The result is as long as the text;
 * undefined if nothing was blanked.
 */
export const blank = (text: string): string | undefined => {
  const { code } = mask(text)
  const ranges: Array<readonly [start: number, end: number]> = []
  const open: Array<Array<Branch>> = []
  for (const match of code.matchAll(directive)) {
    const at = match.index
    const below = at + match[0].length
    const branch = { directive: at, start: below, end: below }
    if (match[1] === "if") {
      open.push([branch])
      continue
    }
    const branches = open.at(-1)
    const last = branches?.at(-1)
    if (branches === undefined || last === undefined) continue
    last.end = at
    if (match[1] !== "endif") {
      branches.push(branch)
      continue
    }
    open.pop()
    const codeOf = ({ end, start }: Branch): string => code.slice(start, end).replace(/^[ \t]*#.*$/gm, "")
    if (branches.every((each) => isWhole(codeOf(each)))) continue
    const words = branches.map((each) => codeOf(each).match(/\S+/g)?.length ?? 0)
    const kept = words.lastIndexOf(Math.max(...words))
    for (const [number, { directive, end, start }] of branches.entries())
      ranges.push([directive, number === kept ? start : end])
    ranges.push([at, below])
  }
  for (const match of code.matchAll(unreadable)) ranges.push([match.index, match.index + match[0].length])
  return ranges.length === 0 ? undefined : blankRanges(text, ranges)
}

const unreadable = /^[ \t]*#[ \t]*pragma\b.*$|\bref(?=\s+partial\s+struct\b)/gm

/** Returns whether a branch can stand for itself: its brackets are closed, and nothing follows its last end. */
const isWhole = (branch: string): boolean => {
  const code = branch.trim()
  const count = (bracket: string): number => code.split(bracket).length
  return (code === "" || /[;}\],]$/.test(code)) && count("{") === count("}") && count("(") === count(")")
}

const blankRanges = (text: string, ranges: ReadonlyArray<readonly [start: number, end: number]>): string => {
  const pieces: Array<string> = []
  let from = 0
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    // A range may be within another one.
    if (end <= from) continue
    pieces.push(text.slice(from, Math.max(start, from)), text.slice(Math.max(start, from), end).replace(/[^\n]/g, " "))
    from = end
  }
  return pieces.join("") + text.slice(from)
}

/** Reads C# without these parts, if the first parse has errors. */
export const withoutDirectives: Retry = (first, read) => {
  const text = first.tree.rootNode.hasError ? blank(first.text) : undefined
  const other = text === undefined ? undefined : read(text)
  if (other === undefined || isStopped(other.outline)) return first
  const isBetter = !other.tree.rootNode.hasError || other.outline.symbols.length >= first.outline.symbols.length
  return isBetter ? other : first
}
