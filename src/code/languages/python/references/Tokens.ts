/** The tokens of Python, in columns. Reading them never fails: broken source yields tokens that mean little. */

export interface Tokens {
  readonly text: string
  readonly count: number
  /** One of the kinds below, or the code of a punctuator of one character. `kind[count]` is `END`. */
  readonly kind: ReadonlyArray<number>
  readonly start: ReadonlyArray<number>
  readonly end: ReadonlyArray<number>
  /** The token that closes a bracket; for any other token, the token itself. */
  readonly match: ReadonlyArray<number>
}

export const END = 0
export const NAME = 1
export const NUMBER = 2
export const STRING = 3
/** The end of a logical line. */
export const NEWLINE = 4
export const INDENT = 5
export const DEDENT = 6
/** `->` */
export const ARROW = 7
/** `:=` */
export const WALRUS = 8
/** Operators of more than one character, `**` among them. */
export const OPERATOR = 9

export const OPEN_PAREN = 40
export const CLOSE_PAREN = 41
export const STAR = 42
export const COMMA = 44
export const DOT = 46
export const COLON = 58
export const SEMICOLON = 59
export const EQUALS = 61
export const AT = 64
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93
export const OPEN_BRACE = 123
export const CLOSE_BRACE = 125

const word = /[\p{ID_Continue}]+/uy
const asciiWord = /[A-Za-z0-9_]+/y
const quote = /[A-Za-z]{0,2}("""|'''|"|')/y
const number = /(?:0[xXoObB][\da-fA-F_]+|[\d_]*\.?[\d_]+(?:[eE][+-]?\d+)?\.?)[jJ]?/y
const operator = /->|:=|\*\*=?|\/\/=?|>>=?|<<=?|[-+*/%&|^@<>=!]=|\.\.\./y

const closers: Readonly<Record<number, number>> = {
  [OPEN_PAREN]: CLOSE_PAREN,
  [OPEN_BRACKET]: CLOSE_BRACKET,
  [OPEN_BRACE]: CLOSE_BRACE,
}

/** The most levels of expressions in f-strings within expressions in f-strings. */
const MAX_NESTED_STRINGS = 3

export const tokenize = (text: string): Tokens => {
  const kind: Array<number> = []
  const start: Array<number> = []
  const end: Array<number> = []
  const match: Array<number> = []
  const open: Array<number> = []
  const indents = [0]

  const add = (token: number, from: number, to: number): void => {
    match.push(kind.length)
    kind.push(token)
    start.push(from)
    end.push(to)
  }
  const close = (code: number): void => {
    const at = open.findLastIndex((opener) => closers[kind[opener] ?? 0] === code)
    if (at === -1) return
    const opener = open[at] ?? 0
    open.length = at
    match[opener] = kind.length - 1
    match[kind.length - 1] = opener
  }

  /** Adds the tokens between two offsets; with `isLine`, line ends and indentation too. */
  const scan = (from: number, to: number, isLine: boolean, depth: number): void => {
    let at = from
    let isStart = isLine
    const floor = open.length
    while (at < to) {
      if (isStart && open.length === floor) {
        let column = 0
        for (; at < to; at++) {
          const code = text.charCodeAt(at)
          if (code === 32) column++
          else if (code === 9) column += 8 - (column % 8)
          else if (code !== 12) break
        }
        const code = text.charCodeAt(at)
        if (code === 10 || code === 13) {
          at++
          continue
        }
        if (code === 35) {
          at = lineEnd(text, at)
          continue
        }
        if (at >= to) break
        if (column > (indents.at(-1) ?? 0)) {
          indents.push(column)
          add(INDENT, at, at)
        }
        while (column < (indents.at(-1) ?? 0)) {
          indents.pop()
          add(DEDENT, at, at)
        }
      }
      isStart = false
      const code = text.charCodeAt(at)
      if (code === 32 || code === 9 || code === 12 || code === 13) at++
      else if (code === 10) {
        if (isLine && open.length === floor) {
          add(NEWLINE, at, at)
          isStart = true
        }
        at++
      } else if (code === 35) at = lineEnd(text, at)
      else if (code === 92) at += text.charCodeAt(at + 1) === 13 ? 3 : 2
      else if (code === 34 || code === 39) at = string(at, at, to, depth)
      else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128) {
        quote.lastIndex = at
        const isPrefix = code !== 95 && code < 128 && quote.test(text)
        if (isPrefix) at = string(at, quote.lastIndex, to, depth)
        else {
          asciiWord.lastIndex = at
          let last = asciiWord.test(text) ? asciiWord.lastIndex : at
          if (text.charCodeAt(last) >= 128) {
            word.lastIndex = at
            last = word.test(text) ? word.lastIndex : at + 1
          }
          add(NAME, at, last)
          at = last
        }
      } else if ((code >= 48 && code <= 57) || (code === DOT && isDigit(text.charCodeAt(at + 1)))) {
        number.lastIndex = at
        const last = number.test(text) ? number.lastIndex : at + 1
        add(NUMBER, at, last)
        at = last
      } else {
        operator.lastIndex = at
        const isLong = operator.test(text)
        const last = isLong ? operator.lastIndex : at + 1
        const written = isLong ? text.slice(at, last) : ""
        add(isLong ? (written === "->" ? ARROW : written === ":=" ? WALRUS : OPERATOR) : code, at, last)
        if (code === OPEN_PAREN || code === OPEN_BRACKET || code === OPEN_BRACE) open.push(kind.length - 1)
        else if (code === CLOSE_PAREN || code === CLOSE_BRACKET || code === CLOSE_BRACE) close(code)
        at = last
      }
    }
  }

  /** Adds the string that begins at `from`, and returns the offset after it. `first` is a quote of it. */
  const string = (from: number, first: number, to: number, depth: number): number => {
    quote.lastIndex = from
    const mark = quote.exec(text)?.[1] ?? text.charAt(first)
    const inside = quote.lastIndex > from ? quote.lastIndex : first + 1
    const prefix = text.slice(from, inside - mark.length).toLowerCase()
    let at = inside
    for (; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code === 92) at++
      else if (code === 10 && mark.length === 1) break
      else if (text.startsWith(mark, at)) {
        at += mark.length
        break
      }
    }
    const last = Math.min(at, to)
    add(STRING, from, last)
    if (prefix.includes("f") && depth < MAX_NESTED_STRINGS) fields(inside, last - mark.length, depth)
    return last
  }

  /** Adds the expressions in an f-string, each in brackets. */
  const fields = (from: number, to: number, depth: number): void => {
    for (let at = from; at < to; at++) {
      if (text.charCodeAt(at) !== OPEN_BRACE) continue
      if (text.charCodeAt(at + 1) === OPEN_BRACE) {
        at++
        continue
      }
      let level = 0
      let last = at + 1
      let expression = -1
      for (; last < to; last++) {
        const code = text.charCodeAt(last)
        if (code === OPEN_PAREN || code === OPEN_BRACKET || code === OPEN_BRACE) level++
        else if (code === CLOSE_BRACE && level === 0) break
        else if (code === CLOSE_PAREN || code === CLOSE_BRACKET || code === CLOSE_BRACE) level--
        else if (level === 0 && expression === -1 && (code === COLON || (code === 33 && text[last + 1] !== "=")))
          expression = last
      }
      add(OPEN_PAREN, at, at)
      open.push(kind.length - 1)
      scan(at + 1, expression === -1 ? last : expression, false, depth + 1)
      add(CLOSE_PAREN, last, last)
      close(CLOSE_PAREN)
      at = last
    }
  }

  scan(0, text.length, true, 0)
  const { length } = kind
  add(NEWLINE, text.length, text.length)
  for (let level = indents.length; level > 1; level--) add(DEDENT, text.length, text.length)
  const count = kind.length
  // A bracket that nothing closes ends with the text.
  for (const opener of open) match[opener] = Math.max(opener, length - 1)
  add(END, text.length, text.length)
  return { text, count, kind, start, end, match }
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
