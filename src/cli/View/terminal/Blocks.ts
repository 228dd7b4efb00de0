/**
 * Markdown as it comes, in blocks: those that what follows cannot change any more, each to be rendered once, and the
 * one that is still open. A long one comes in pieces: a list by items, code by lines.
 */
import * as Data from "effect/Data"

/** `isTight`: no empty line before it. */
export type Block = Data.TaggedEnum<{
  Prose: { readonly text: string; readonly isTight: boolean }
  /** `language` where its fence opens it, which may be empty; `isClosed` where its fence ends it. */
  Code: {
    readonly language: string | undefined
    readonly lines: ReadonlyArray<string>
    readonly isClosed: boolean
    readonly isTight: boolean
  }
}>
export const Block = Data.taggedEnum<Block>()

/** Of a text that is all there. */
export const of = (text: string): ReadonlyArray<Block> => {
  const reader = new Reader()
  return [...reader.read(text), ...reader.end()]
}

/** So many lines of code are a block of their own: less than most terminals are high. */
const CODE_LINES = 8

interface OpenCode {
  readonly fence: string
  /** Of the fence, as long as its line is not settled. */
  readonly language: string | undefined
  readonly lines: Array<string>
  readonly isTight: boolean
}

export class Reader {
  /** The line that has no end yet. */
  #rest = ""
  #prose: Array<string> = []
  #isTight = false
  /** Since the last line of prose. */
  #hasGap = false
  /** Of code that a list item holds. */
  #inner: string | undefined
  #code: OpenCode | undefined

  /** What the next words settle. */
  read(text: string): ReadonlyArray<Block> {
    const lines = text.split("\n")
    lines[0] = this.#rest + lines[0]
    this.#rest = lines.pop() ?? ""
    return lines.flatMap((line) => this.#line(line))
  }

  /** What may change yet. */
  get open(): Block | undefined {
    if (this.#code !== undefined) {
      const { isTight, language, lines } = this.#code
      const rest = this.#rest === "" || /^\s*[`~]+$/.test(this.#rest) ? [] : [this.#rest]
      if (language === undefined && lines.length + rest.length === 0) return undefined
      return Block.Code({ language, lines: [...lines, ...rest], isClosed: false, isTight })
    }
    const gap = this.#hasGap && this.#rest !== "" && this.#prose.length > 0 ? [""] : []
    const text = [...this.#prose, ...gap, this.#rest].join("\n")
    return text.trim() === "" ? undefined : Block.Prose({ text, isTight: this.#isTight })
  }

  /** What is left, at the end of the text. */
  end(): ReadonlyArray<Block> {
    const last = this.#rest === "" ? [] : this.#line(this.#rest)
    this.#rest = ""
    if (this.#code === undefined) return [...last, ...this.#settleProse()]
    return [...last, this.#settleCode(this.#code, true)]
  }

  #line(line: string): ReadonlyArray<Block> {
    if (this.#code !== undefined) return this.#codeLine(line, this.#code)
    if (this.#inner !== undefined) {
      if (closes(line, this.#inner)) this.#inner = undefined
      this.#prose.push(line)
      return []
    }
    if (line.trim() === "") {
      this.#hasGap = this.#prose.length > 0 || this.#hasGap
      return []
    }
    const fence = fenceOf(line)
    const begins = this.#begins(line, fence !== undefined)
    const settled = begins ? this.#settleProse() : []
    if (begins && fence !== undefined && indentation(line) <= 3) {
      this.#code = { fence: fence.marks, language: fence.language, lines: [], isTight: false }
      return settled
    }
    if (!begins && this.#hasGap) this.#prose.push("")
    this.#hasGap = false
    this.#inner = fence?.marks
    this.#prose.push(line)
    return settled
  }

  /** A block of its own begins with this line. */
  #begins(line: string, isFence: boolean): boolean {
    const first = this.#prose[0]
    if (first === undefined) return true
    const isWithin = isItem(first) && indentation(line) >= 2
    if (this.#hasGap) return !isWithin
    const begins = isHeading(line) || isHeading(first) || (isFence && !isWithin)
    if (begins) return true
    // Only a list that begins with 1 may interrupt a paragraph.
    const isNext = indentation(line) < 2 && isItem(line) && (isItem(first) || /^\s*([-*+]|1[.)])\s/.test(line))
    this.#isTightNext = isNext
    return isNext
  }

  #isTightNext = false

  #settleProse(): ReadonlyArray<Block> {
    const text = this.#prose.join("\n")
    const block = text === "" ? [] : [Block.Prose({ text, isTight: this.#isTight })]
    this.#prose = []
    this.#isTight = this.#isTightNext
    this.#isTightNext = false
    this.#hasGap = false
    return block
  }

  #codeLine(line: string, code: OpenCode): ReadonlyArray<Block> {
    if (closes(line, code.fence)) {
      this.#code = undefined
      return [this.#settleCode(code, true)]
    }
    code.lines.push(line)
    if (code.lines.length < CODE_LINES) return []
    this.#code = { fence: code.fence, language: undefined, lines: [], isTight: true }
    return [this.#settleCode(code, false)]
  }

  #settleCode({ isTight, language, lines }: OpenCode, isClosed: boolean): Block {
    return Block.Code({ language, lines, isClosed, isTight })
  }
}

const indentation = (line: string): number => {
  const space = /^[ \t]*/.exec(line)?.[0] ?? ""
  return space.replaceAll("\t", "    ").length
}

const isItem = (line: string): boolean => /^\s*([-*+]|\d{1,9}[.)])(\s|$)/.test(line)

const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(\s|$)/.test(line)

const fenceOf = (line: string): { readonly marks: string; readonly language: string } | undefined => {
  const [, marks, info] = /^\s*(`{3,}|~{3,}(?!~))([^`]*)$/.exec(line) ?? []
  return marks === undefined ? undefined : { marks, language: info?.trim() ?? "" }
}

const closes = (line: string, marks: string): boolean => {
  const end = line.trim()
  return end.length >= marks.length && end === marks.charAt(0).repeat(end.length)
}
