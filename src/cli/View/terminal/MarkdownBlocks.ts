/**
 * Splits Markdown into blocks while it is streamed: finished blocks, which are rendered once, and the open one,
 * which may still change. Long blocks are divided: a list into items, code into groups of lines. The marks around a
 * PRD end a block, and are left out.
 */
import * as Data from "effect/Data"
import * as Prd from "../../../conversation/prd/Prd.ts"
import * as CodeSyntax from "./CodeSyntax.ts"

/** `isTight` is true if no empty line is above the block. */
export type Block = Data.TaggedEnum<{
  Prose: { readonly text: string; readonly isTight: boolean }
  /**
   * `isFirst` and `isClosed` are true if it begins or ends with its fence. `language` is that of the fence; `state`
   * says what its first line begins in.
   */
  Code: {
    readonly language: string
    readonly isFirst: boolean
    readonly state: CodeSyntax.State
    readonly lines: ReadonlyArray<string>
    readonly isClosed: boolean
    readonly isTight: boolean
  }
}>
export const Block = Data.taggedEnum<Block>()

/** The blocks of a complete text. */
export const parse = (text: string): ReadonlyArray<Block> => {
  const parser = new Parser()
  return [...parser.push(text), ...parser.end()]
}

/** The number of lines into which code is divided: fewer than most terminals have. */
const MAX_CODE_BLOCK_LINES = 8

interface OpenCode {
  readonly fence: string
  readonly language: string
  readonly isFirst: boolean
  readonly state: CodeSyntax.State
  readonly lines: Array<string>
  readonly isTight: boolean
}

export class Parser {
  /** The incomplete last line. */
  #rest = ""
  #prose: Array<string> = []
  #isTight = false
  /** A blank line follows the last line of prose. */
  #hasGap = false
  /** The fence of a code block in a list item. */
  #innerFence: string | undefined
  #code: OpenCode | undefined

  /** Returns the blocks that the text finishes. */
  push(text: string): ReadonlyArray<Block> {
    const lines = text.split("\n")
    lines[0] = this.#rest + lines[0]
    this.#rest = lines.pop() ?? ""
    return lines.flatMap((line) => this.#line(line))
  }

  /** The block that may still change. */
  get open(): Block | undefined {
    if (this.#code !== undefined) {
      const { fence: _, lines, ...code } = this.#code
      const rest = this.#rest === "" || /^\s*[`~]+$/.test(this.#rest) ? [] : [this.#rest]
      if (!code.isFirst && lines.length + rest.length === 0) return undefined
      return Block.Code({ ...code, lines: [...lines, ...rest], isClosed: false })
    }
    const rest = this.#innerFence === undefined && Prd.mayBecomeMark(this.#rest) ? "" : this.#rest
    const gap = this.#hasGap && rest !== "" && this.#prose.length > 0 ? [""] : []
    const text = [...this.#prose, ...gap, rest].join("\n")
    return text.trim() === "" ? undefined : Block.Prose({ text, isTight: this.#isTight })
  }

  /** The remaining blocks, at the end of the text. */
  end(): ReadonlyArray<Block> {
    const last = this.#rest === "" ? [] : this.#line(this.#rest)
    this.#rest = ""
    if (this.#code === undefined) return [...last, ...this.#finishProse()]
    return [...last, this.#finishCode(this.#code, true)]
  }

  #line(line: string): ReadonlyArray<Block> {
    if (this.#code !== undefined) return this.#codeLine(line, this.#code)
    if (this.#innerFence !== undefined) {
      if (closes(line, this.#innerFence)) this.#innerFence = undefined
      this.#prose.push(line)
      return []
    }
    if (line.trim() === "") {
      this.#hasGap = this.#prose.length > 0 || this.#hasGap
      return []
    }
    if (Prd.isMark(line)) return this.#finishProse()
    const fence = parseFence(line)
    const begins = this.#begins(line, fence !== undefined)
    const finished = begins ? this.#finishProse() : []
    if (begins && fence !== undefined && indentation(line) <= 3) {
      const { language, marks } = fence
      this.#code = { fence: marks, language, isFirst: true, state: undefined, lines: [], isTight: false }
      return finished
    }
    if (!begins && this.#hasGap) this.#prose.push("")
    this.#hasGap = false
    this.#innerFence = fence?.marks
    this.#prose.push(line)
    return finished
  }

  /** Returns whether a new block begins with this line. */
  #begins(line: string, isFence: boolean): boolean {
    const first = this.#prose[0]
    if (first === undefined) return true
    const isWithin = isItem(first) && indentation(line) >= 2
    if (this.#hasGap) return !isWithin
    const begins = isHeading(line) || isHeading(first) || (isFence && !isWithin)
    if (begins) return true
    // Only a list that begins with 1 may interrupt a paragraph.
    const isNextItem = indentation(line) < 2 && isItem(line) && (isItem(first) || /^\s*([-*+]|1[.)])\s/.test(line))
    this.#isNextTight = isNextItem
    return isNextItem
  }

  #isNextTight = false

  #finishProse(): ReadonlyArray<Block> {
    const text = this.#prose.join("\n")
    const block = text === "" ? [] : [Block.Prose({ text, isTight: this.#isTight })]
    this.#prose = []
    this.#isTight = this.#isNextTight
    this.#isNextTight = false
    this.#hasGap = false
    return block
  }

  #codeLine(line: string, code: OpenCode): ReadonlyArray<Block> {
    if (closes(line, code.fence)) {
      this.#code = undefined
      return [this.#finishCode(code, true)]
    }
    code.lines.push(line)
    if (code.lines.length < MAX_CODE_BLOCK_LINES) return []
    const { fence, language, lines, state } = code
    const after = lines.reduce((state, line) => CodeSyntax.spans(line, language, state).state, state)
    this.#code = { fence, language, isFirst: false, state: after, lines: [], isTight: true }
    return [this.#finishCode(code, false)]
  }

  #finishCode({ fence: _, ...code }: OpenCode, isClosed: boolean): Block {
    return Block.Code({ ...code, isClosed })
  }
}

const indentation = (line: string): number => {
  const space = /^[ \t]*/.exec(line)?.[0] ?? ""
  return space.replaceAll("\t", "    ").length
}

const isItem = (line: string): boolean => /^\s*([-*+]|\d{1,9}[.)])(\s|$)/.test(line)

const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(\s|$)/.test(line)

const parseFence = (line: string): { readonly marks: string; readonly language: string } | undefined => {
  const [, marks, info] = /^\s*(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line) ?? []
  return marks === undefined ? undefined : { marks, language: info?.trim() ?? "" }
}

const closes = (line: string, marks: string): boolean => {
  const end = line.trim()
  return end.length >= marks.length && end === marks.charAt(0).repeat(end.length)
}
