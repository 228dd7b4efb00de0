/**
 * The tokens of Haskell, with its blocks by the layout rule: a line in the column of a block begins the next item of
 * it.
 */
import { visitTokens } from "../../internal/tokens/literalTokens.ts"
import * as TokenWriter from "../../internal/tokens/TokenWriter.ts"
import { patterns } from "./patterns.ts"

const layout: TokenWriter.Layout = { lines: "nothing", keepsSpaces: true, dropsCommas: false }

/** A block, by the column of its items; one in braces has a column that no line has. */
interface Block {
  readonly column: number
  readonly isLet: boolean
}

const IN_BRACES = -1

export const haskellTokens = (text: string): TokenWriter.TokenText => {
  const writer = TokenWriter.make(text, layout)
  const blocks: Array<Block> = [{ column: 0, isLet: false }]
  let at = 0
  let column = 0
  let isFirst = true
  let last = ""
  let opener: string | undefined

  const moveTo = (offset: number): void => {
    for (; at < offset; at++) {
      const code = text.charCodeAt(at)
      if (code === 10) isFirst = true
      column = code === 10 ? 0 : code === 9 ? column + 8 - (column % 8) : column + 1
    }
  }
  const close = (offset: number): void => {
    blocks.pop()
    writer.addLayout(offset, TokenWriter.DEDENT)
  }

  visitTokens(text, patterns.literals, (token) => {
    const { end, kind, start } = token
    moveTo(start)
    if (kind !== "comment") {
      const written = text.slice(start, end)
      const isBlock = opener !== undefined && written !== "{"
      if (isBlock && column > (blocks.at(-1)?.column ?? 0)) {
        blocks.push({ column, isLet: opener === "let" })
        writer.addLayout(start, TokenWriter.INDENT)
      } else if (isFirst) {
        while (column < (blocks.at(-1)?.column ?? 0)) close(start)
        if (column === blocks.at(-1)?.column) writer.addLayout(start, TokenWriter.LINE)
      }
      if (written === "in" && blocks.at(-1)?.isLet) close(start)
      if (written === "{") blocks.push({ column: IN_BRACES, isLet: false })
      if (written === "}" && blocks.at(-1)?.column === IN_BRACES) blocks.pop()
      opener = openers.test(written) || (written === "case" && last === "\\") ? written : undefined
      isFirst = false
      last = written
    }
    writer.add(token)
    moveTo(end)
    if (kind !== "comment") isFirst = false
  })
  return writer.textOf
}

const openers = /^(?:where|let|do|of|mdo|rec)$/
