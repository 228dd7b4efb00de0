/**
 * From a text to its tokens. It gives up on what it is not sure of (a bracket that closes nothing, a `/` that may be the
 * start of a pattern): who reads so quickly must leave the rest to a parser.
 */
import * as Token from "./Token.ts"

/** None where the text is not understood. The tokens are good until the next text is read: they share their columns. */
export const make = (): ((text: string) => Token.Tokens | undefined) => {
  let kept = columnsOf(FEW)
  return (text) => {
    const columns = text.length + 2 <= kept.kind.length ? kept : columnsOf(2 * text.length + 2)
    if (text.length < MANY) kept = columns
    const { end, isFirst, kind, match, start } = columns
    const comments: Array<number> = []
    const open: Array<number> = []
    const length = text.length
    let count = 0
    let at = text.startsWith("#!") ? lineEnd(text, 0) : 0
    let isNewLine = 1

    for (;;) {
      const from = at
      const code = text.charCodeAt(at)
      const sort = code < 128 ? (sorts[code] ?? MARK) : sortOf(text, at)
      let token = code
      switch (sort) {
        case SPACE:
          at++
          continue
        case BREAK:
          at++
          isNewLine = 1
          continue
        case LETTER:
          at = wordEnd(text, at)
          token = isBehindDot(kind, count) ? Token.NAME : (Token.words.get(text.slice(from, at)) ?? Token.NAME)
          break
        case DIGIT:
          at = numberEnd(text, at)
          token = Token.NUMBER
          break
        case QUOTE:
          at = stringEnd(text, at)
          token = Token.STRING
          break
        case TICK:
          at = templateEnd(text, at + 1)
          token = Token.TEMPLATE
          if (text.charCodeAt(at - 1) === Token.OPEN_BRACE) open.push(count)
          break
        case OPEN:
          at++
          open.push(count)
          break
        case CLOSE: {
          at++
          const opener = open.pop()
          if (opener === undefined) return undefined
          const opened = kind[opener] ?? Token.END
          if (opened === Token.TEMPLATE && code === Token.CLOSE_BRACE) {
            at = templateEnd(text, at)
            const isOpen = text.charCodeAt(at - 1) === Token.OPEN_BRACE
            token = isOpen ? Token.TEMPLATE_MIDDLE : Token.TEMPLATE_END
            if (isOpen) open.push(opener)
          } else if (closers[opened] !== code) return undefined
          match[opener] = count
          match[count] = opener
          break
        }
        case HASH:
          at = wordEnd(text, at + 1)
          token = Token.PRIVATE
          break
        default: {
          const next = text.charCodeAt(at + 1)
          if (code === Token.SLASH && (next === Token.SLASH || next === Token.STAR)) {
            at = next === Token.SLASH ? lineEnd(text, at) : blockEnd(text, at)
            if (at === -1) return undefined
            if (hasBreak(text, from, at)) isNewLine = 1
            comments.push(from, at)
            continue
          }
          if (code === Token.DOT && next >= ZERO && next <= NINE) {
            at = numberEnd(text, at)
            token = Token.NUMBER
          } else if (code === Token.SLASH && isOperandNext(columns, count)) {
            // What ends with a brace may be a block or an operand, and `</a>` ends an element of JSX.
            if (kind[count - 1] === Token.CLOSE_BRACE || kind[count - 1] === Token.LESS) return undefined
            at = patternEnd(text, at + 1)
            token = Token.REGEX
          } else {
            const length = lengthOf(text, at, code, next)
            at += length
            token = length === 1 ? code : kindOf(code, next)
          }
        }
      }
      if (at === -1 || (sort === STOP && from < length)) return undefined
      if (sort === STOP) break
      if (sort !== CLOSE) match[count] = count
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

const MARK = 0
const SPACE = 1
const BREAK = 2
const LETTER = 3
const DIGIT = 4
const QUOTE = 5
const TICK = 6
const OPEN = 7
const CLOSE = 8
const HASH = 9
/** The end of the text, or what begins no token. */
const STOP = 10

const ZERO = 48
const NINE = 57

/** What a character begins, by its code. */
const sorts = new Uint8Array(128).fill(STOP)
const begin = (sort: number, characters: string): void => {
  for (const character of characters) sorts[character.charCodeAt(0)] = sort
}
begin(MARK, "!%&*+,-./:;<=>?@^|~")
begin(SPACE, " \t\v\f")
begin(BREAK, "\n\r")
begin(LETTER, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$")
begin(DIGIT, "0123456789")
begin(QUOTE, "\"'")
begin(TICK, "`")
begin(OPEN, "([{")
begin(CLOSE, ")]}")
begin(HASH, "#")

/** Of a character beyond ASCII. */
const sortOf = (text: string, at: number): number => {
  const point = text.codePointAt(at)
  if (point === undefined) return STOP
  const character = String.fromCodePoint(point)
  if (/[\u2028\u2029]/.test(character)) return BREAK
  if (/\s/.test(character)) return SPACE
  return /\p{ID_Start}/u.test(character) ? LETTER : STOP
}

const isBehindDot = (kind: Uint8Array, count: number): boolean =>
  count > 0 && (kind[count - 1] === Token.DOT || kind[count - 1] === Token.OPTIONAL)

const wordEnd = (text: string, from: number): number => {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    const sort = sorts[code]
    if (sort === LETTER || sort === DIGIT) continue
    // A word of another script goes on where one of ASCII ends.
    return code >= 128 ? endOf(/[\p{ID_Continue}$\u200c\u200d]*/uy, text, from) : at
  }
}

const numberEnd = (text: string, from: number): number =>
  endOf(/0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?n?/y, text, from)

const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from + 1
}

/** Of a punctuator. */
const lengthOf = (text: string, at: number, code: number, next: number): number => {
  switch (code) {
    case Token.DOT:
      return next === Token.DOT && text.charCodeAt(at + 2) === Token.DOT ? 3 : 1
    case Token.QUESTION: {
      if (next === Token.QUESTION) return withEquals(text, at + 2)
      const isChoice = text.charCodeAt(at + 2) >= ZERO && text.charCodeAt(at + 2) <= NINE
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

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

const blockEnd = (text: string, from: number): number => {
  const end = text.indexOf("*/", from + 2)
  return end === -1 ? -1 : end + 2
}

/** `from` is its quote; -1 where it does not end on its line. */
const stringEnd = (text: string, from: number): number => {
  const quote = text.charCodeAt(from)
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === 0x5c) {
      // A line break of two characters is escaped as one.
      if (text.charCodeAt(++at) === 0x0d && text.charCodeAt(at + 1) === 0x0a) at++
    } else if (code === 0x0a || code === 0x0d) return -1
  }
  return -1
}

/** After the next `${` of a template, or after its end; -1 where there is neither. */
const templateEnd = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x60) return at + 1
    if (code === 0x5c) at++
    else if (code === 0x24 && text.charCodeAt(at + 1) === Token.OPEN_BRACE) return at + 2
  }
  return -1
}

/** After a pattern and its flags; -1 where it does not end on its line. */
const patternEnd = (text: string, from: number): number => {
  let isClass = false
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) return -1
    if (code === 0x5c) at++
    else if (code === Token.OPEN_BRACKET) isClass = true
    else if (code === Token.CLOSE_BRACKET) isClass = false
    else if (code === Token.SLASH && !isClass) return wordEnd(text, at + 1)
  }
  return -1
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
