/**
 * From a text to its tokens. It gives up on what it is not sure of (a bracket that closes nothing, a `/` that may be the
 * start of a pattern): who reads so quickly must leave the rest to a parser.
 */
import * as Character from "./Character.ts"
import * as Element from "./Element.ts"
import * as End from "./End.ts"
import * as Token from "./Token.ts"

/**
 * None where the text is not understood. The tokens are good until the next text is read: they share their columns.
 * `hasElements`: a `<` where an operand is due begins an element of JSX, and no type.
 */
export const make = (): ((text: string, hasElements: boolean) => Token.Tokens | undefined) => {
  let kept = columnsOf(FEW)
  return (text, hasElements) => {
    const columns = text.length + 2 <= kept.kind.length ? kept : columnsOf(2 * text.length + 2)
    if (text.length < MANY) kept = columns
    const { end, isFirst, kind, match, start } = columns
    const comments: Array<number> = []
    const open: Array<number> = []
    const length = text.length
    // What was read around each element, and around each piece of code in one; by the token that begins it.
    const around: Array<number> = []
    const within: Array<number> = []
    let mode = Element.CODE
    let count = 0
    let at = text.startsWith("#!") ? End.line(text, 0) : 0
    let isNewLine = 1

    // What changes with each token is handed to them: a function that shared it would slow all of this down.
    const begin = (at: number, mode: number): void => {
      open.push(at)
      within.push(at)
      around.push(mode)
    }
    /** What is read once the last that is open is closed by that token; `match` says which it was. */
    const close = (at: number, mode: number): number => {
      const opener = open.pop()
      if (opener === undefined) return Element.NOTHING
      match[opener] = at
      match[at] = opener
      if (opener !== within.at(-1)) return mode
      within.pop()
      return around.pop() ?? Element.CODE
    }

    for (;;) {
      if (mode === Element.SAID) {
        at = Element.afterSaid(text, at)
        if (at === -1) return undefined
      }
      const from = at
      const code = text.charCodeAt(at)
      const sort = code < 128 ? (Character.sorts[code] ?? Character.MARK) : Character.sortOf(text, at)
      let token = code
      let isClosing = sort === Character.CLOSE
      // Space and comments stand between the parts of a tag as anywhere.
      const isCode =
        mode === Element.CODE || mode === Element.TYPES || sort === Character.SPACE || sort === Character.BREAK
      if (!isCode && !isComment(text, at, code)) {
        const next = text.charCodeAt(at + 1)
        if (code === Token.OPEN_BRACE && mode !== Element.CLOSING) {
          begin(count, mode)
          mode = Element.CODE
          at++
        } else if (code === Token.LESS && next === Token.SLASH && mode === Element.SAID) {
          mode = Element.CLOSING
          at += 2
        } else if (code === Token.LESS && (mode === Element.SAID || kind[count - 1] === Token.EQUALS)) {
          begin(count, mode)
          mode = Element.TAG
          token = Token.ELEMENT
          at++
        } else if (mode === Element.TAG && code === Token.LESS && kind[count - 1] === Token.NAME) {
          begin(count, mode)
          mode = Element.TYPES
          at++
        } else if (sort === Character.LETTER && kind[count - 1] !== Token.EQUALS) {
          token = Token.NAME
          at = Element.afterName(text, at)
        } else if (code === Token.DOT || code === Token.COLON) {
          at++
        } else if (mode === Element.TAG && code === Token.EQUALS) {
          at++
        } else if (mode === Element.TAG && sort === Character.QUOTE) {
          token = Token.STRING
          at = Element.afterString(text, at)
        } else if (mode === Element.TAG && code === Token.GREATER) {
          mode = Element.SAID
          at++
        } else if (mode === Element.CLOSING ? code === Token.GREATER : code === Token.SLASH && next === Token.GREATER) {
          const isNamed = mode === Element.CLOSING
          mode = close(count, mode)
          if (isNamed && !Element.isEnded(text, columns, count)) return undefined
          isClosing = true
          token = Token.ELEMENT_END
          at += isNamed ? 1 : 2
        } else return undefined
      } else
        switch (sort) {
          case Character.SPACE:
            at++
            continue
          case Character.BREAK:
            at++
            isNewLine = 1
            continue
          case Character.LETTER:
            at = End.word(text, at)
            token = isBehindDot(kind, count) ? Token.NAME : (Token.words.get(text.slice(from, at)) ?? Token.NAME)
            break
          case Character.DIGIT:
            at = End.number(text, at)
            token = Token.NUMBER
            break
          case Character.QUOTE:
            at = End.string(text, at)
            token = Token.STRING
            break
          case Character.TICK:
            at = End.template(text, at + 1)
            token = Token.TEMPLATE
            if (text.charCodeAt(at - 1) === Token.OPEN_BRACE) open.push(count)
            break
          case Character.OPEN:
            at++
            open.push(count)
            break
          case Character.CLOSE: {
            at++
            mode = close(count, mode)
            if (mode === Element.NOTHING) return undefined
            const opener = match[count] ?? count
            const opened = kind[opener] ?? Token.END
            if (opened === Token.TEMPLATE && code === Token.CLOSE_BRACE) {
              at = End.template(text, at)
              const isOpen = text.charCodeAt(at - 1) === Token.OPEN_BRACE
              token = isOpen ? Token.TEMPLATE_MIDDLE : Token.TEMPLATE_END
              if (isOpen) open.push(opener)
            } else if (closers[opened] !== code) return undefined
            break
          }
          case Character.HASH:
            at = End.word(text, at + 1)
            token = Token.PRIVATE
            break
          default: {
            const next = text.charCodeAt(at + 1)
            if (isComment(text, at, code)) {
              at = next === Token.SLASH ? End.line(text, at) : End.block(text, at)
              if (at === -1) return undefined
              if (hasBreak(text, from, at)) isNewLine = 1
              comments.push(from, at)
              continue
            }
            if (code === Token.DOT && next >= Character.ZERO && next <= Character.NINE) {
              at = End.number(text, at)
              token = Token.NUMBER
            } else if (code === Token.SLASH && isOperandNext(columns, count)) {
              // What ends with a brace may be a block or an operand, and `</a>` ends an element of JSX.
              if (kind[count - 1] === Token.CLOSE_BRACE || kind[count - 1] === Token.LESS) return undefined
              at = End.pattern(text, at + 1)
              token = Token.REGEX
            } else if (mode === Element.TYPES && code === Token.LESS) {
              begin(count, mode)
              at++
            } else if (mode === Element.TYPES && code === Token.GREATER) {
              mode = close(count, mode)
              if (kind[match[count] ?? count] !== Token.LESS) return undefined
              isClosing = true
              at++
            } else if (
              hasElements &&
              code === Token.LESS &&
              Element.begins(text, at) &&
              isOperandNext(columns, count)
            ) {
              if (kind[count - 1] === Token.CLOSE_BRACE) return undefined
              begin(count, mode)
              mode = Element.TAG
              at++
              token = Token.ELEMENT
            } else {
              const length = lengthOf(text, at, code, next)
              at += length
              token = length === 1 ? code : kindOf(code, next)
            }
          }
        }
      if (at === -1 || (sort === Character.STOP && from < length)) return undefined
      if (sort === Character.STOP) break
      if (!isClosing) match[count] = count
      kind[count] = token
      start[count] = from
      end[count] = at
      isFirst[count] = isNewLine
      isNewLine = 0
      count++
    }
    if (open.length > 0) return undefined
    // Who looks two tokens ahead of the last one sees the end as well.
    for (const last of [count, count + 1]) {
      kind[last] = Token.END
      start[last] = length
      end[last] = length
      match[last] = last
      isFirst[last] = 1
    }
    return { text, count, kind, start, end, match, isFirst, comments }
  }
}

/** Rows of 14 bytes, one for each character at most: for a usual file, and for the largest whose columns are kept. */
const FEW = 16_384
const MANY = 150_000

const isComment = (text: string, at: number, code: number): boolean => {
  if (code !== Token.SLASH) return false
  const next = text.charCodeAt(at + 1)
  return next === Token.SLASH || next === Token.STAR
}

const isBehindDot = (kind: Uint8Array, count: number): boolean =>
  count > 0 && (kind[count - 1] === Token.DOT || kind[count - 1] === Token.OPTIONAL)

/** Of a punctuator. */
const lengthOf = (text: string, at: number, code: number, next: number): number => {
  switch (code) {
    case Token.DOT:
      return next === Token.DOT && text.charCodeAt(at + 2) === Token.DOT ? 3 : 1
    case Token.QUESTION: {
      if (next === Token.QUESTION) return withEquals(text, at + 2)
      const isChoice = text.charCodeAt(at + 2) >= Character.ZERO && text.charCodeAt(at + 2) <= Character.NINE
      return next === Token.DOT && !isChoice ? 2 : 1
    }
    case Token.EQUALS:
      return next === Token.EQUALS ? withEquals(text, at + 2) : next === Token.GREATER ? 2 : 1
    case Token.NOT:
      return next === Token.EQUALS ? withEquals(text, at + 2) : 1
    case Token.LESS:
    case Token.STAR:
    case Token.AND:
    case Token.BAR:
      return next === code ? withEquals(text, at + 2) : next === Token.EQUALS ? 2 : 1
    case Token.PLUS:
    case Token.MINUS:
      return next === code || next === Token.EQUALS ? 2 : 1
    case Token.SLASH:
    case Token.PERCENT:
    case Token.CARET:
      return next === Token.EQUALS ? 2 : 1
    default:
      return 1
  }
}

const withEquals = (text: string, at: number): number => (text.charCodeAt(at) === Token.EQUALS ? 3 : 2)

/** Of a punctuator of more than one character. */
const kindOf = (code: number, next: number): number => {
  if (code === Token.EQUALS && next === Token.GREATER) return Token.ARROW
  if (next === Token.DOT) return code === Token.DOT ? Token.SPREAD : Token.OPTIONAL
  return next === code && (code === Token.PLUS || code === Token.MINUS) ? Token.STEP : Token.BINARY
}

const hasBreak = (text: string, from: number, to: number): boolean => {
  const at = text.indexOf("\n", from)
  return at !== -1 && at < to
}

/** Whether the last token asks for an operand, so that a `/` begins a pattern. */
const isOperandNext = ({ kind, match }: Columns, count: number): boolean => {
  const before = count - 1
  const token = count === 0 ? Token.END : (kind[before] ?? Token.END)
  if (token === Token.CLOSE_PAREN) return holdsCondition.has(kind[(match[before] ?? 0) - 1] ?? Token.END)
  return token === Token.CLOSE_BRACE || (!operandEnds.has(token) && !Token.isNameable(token))
}

const holdsCondition: ReadonlySet<number> = new Set([Token.Reserved.if, Token.Reserved.while, Token.Reserved.for])

const operandEnds: ReadonlySet<number> = new Set([
  Token.PRIVATE,
  Token.NUMBER,
  Token.STRING,
  Token.REGEX,
  Token.TEMPLATE,
  Token.TEMPLATE_END,
  Token.ELEMENT_END,
  Token.CLOSE_BRACKET,
  Token.STEP,
  Token.Reserved.this,
  Token.Reserved.super,
  Token.Reserved.null,
  Token.Reserved.true,
  Token.Reserved.false,
])

/** By the bracket that opens. */
const closers: Readonly<Record<number, number>> = {
  [Token.OPEN_PAREN]: Token.CLOSE_PAREN,
  [Token.OPEN_BRACKET]: Token.CLOSE_BRACKET,
  [Token.OPEN_BRACE]: Token.CLOSE_BRACE,
}

type Columns = Pick<Token.Tokens, "kind" | "start" | "end" | "match" | "isFirst">

const columnsOf = (size: number): Columns => ({
  kind: new Uint8Array(size),
  start: new Int32Array(size),
  end: new Int32Array(size),
  match: new Int32Array(size),
  isFirst: new Uint8Array(size),
})
