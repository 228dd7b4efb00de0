/** Splits a text into tokens. It fails if it is unsure: a bracket that closes nothing, an ambiguous `/`. */
import * as Character from "./Character.ts"
import * as Jsx from "./Jsx.ts"
import * as LiteralEnd from "./LiteralEnd.ts"
import * as Token from "./Token.ts"

/**
 * Makes a lexer, which returns `undefined` if it is unsure. Its tokens are valid until the next call, which uses the
 * same columns. With `hasElements`, a `<` begins a JSX element, not a type, if an operand is expected.
 */
export const make = (): ((text: string, hasElements: boolean) => Token.Tokens | undefined) => {
  let kept = columnsOf(INITIAL_CHARS)
  return (text, hasElements) => {
    const columns = text.length + 2 <= kept.kind.length ? kept : columnsOf(2 * text.length + 2)
    if (text.length < MAX_KEPT_CHARS) kept = columns
    const { end, isFirst, kind, match, start } = columns
    const comments: Array<number> = []
    const open: Array<number> = []
    const length = text.length
    // The mode around each JSX element and each expression in one, with the token that begins it.
    const around: Array<number> = []
    const within: Array<number> = []
    let mode = Jsx.CODE
    let count = 0
    let at = text.startsWith("#!") ? LiteralEnd.line(text, 0) : 0
    let isNewLine = 1

    // These functions take `at` and `mode` as parameters: closures over variables that change would slow the whole
    // lexer down.
    const begin = (at: number, mode: number): void => {
      open.push(at)
      within.push(at)
      around.push(mode)
    }
    /** Closes the innermost bracket with the token `at`, and returns the mode after it. */
    const close = (at: number, mode: number): number => {
      const opener = open.pop()
      if (opener === undefined) return Jsx.UNBALANCED
      match[opener] = at
      match[at] = opener
      if (opener !== within.at(-1)) return mode
      within.pop()
      return around.pop() ?? Jsx.CODE
    }

    for (;;) {
      if (mode === Jsx.TEXT) {
        at = Jsx.afterText(text, at)
        if (at === -1) return undefined
      }
      const from = at
      const code = text.charCodeAt(at)
      const characterClass =
        code < 128 ? (Character.classes[code] ?? Character.PUNCTUATOR) : Character.classOf(text, at)
      let token = code
      let isClosing = characterClass === Character.CLOSE
      // Space and comments are allowed between the parts of a tag, as everywhere.
      const isCode =
        mode === Jsx.CODE ||
        mode === Jsx.TYPE_ARGUMENTS ||
        characterClass === Character.SPACE ||
        characterClass === Character.LINE_BREAK
      if (!isCode && !isComment(text, at, code)) {
        const next = text.charCodeAt(at + 1)
        if (code === Token.OPEN_BRACE && mode !== Jsx.CLOSING_TAG) {
          begin(count, mode)
          mode = Jsx.CODE
          at++
        } else if (code === Token.LESS && next === Token.SLASH && mode === Jsx.TEXT) {
          mode = Jsx.CLOSING_TAG
          at += 2
        } else if (code === Token.LESS && (mode === Jsx.TEXT || kind[count - 1] === Token.EQUALS)) {
          begin(count, mode)
          mode = Jsx.TAG
          token = Token.ELEMENT
          at++
        } else if (mode === Jsx.TAG && code === Token.LESS && kind[count - 1] === Token.NAME) {
          begin(count, mode)
          mode = Jsx.TYPE_ARGUMENTS
          at++
        } else if (characterClass === Character.LETTER && kind[count - 1] !== Token.EQUALS) {
          token = Token.NAME
          at = Jsx.afterName(text, at)
        } else if (code === Token.DOT || code === Token.COLON) {
          at++
        } else if (mode === Jsx.TAG && code === Token.EQUALS) {
          at++
        } else if (mode === Jsx.TAG && characterClass === Character.QUOTE) {
          token = Token.STRING
          at = Jsx.afterString(text, at)
        } else if (mode === Jsx.TAG && code === Token.GREATER) {
          mode = Jsx.TEXT
          at++
        } else if (mode === Jsx.CLOSING_TAG ? code === Token.GREATER : code === Token.SLASH && next === Token.GREATER) {
          const isNamed = mode === Jsx.CLOSING_TAG
          mode = close(count, mode)
          if (isNamed && !Jsx.isClosedByItsName(text, columns, count)) return undefined
          isClosing = true
          token = Token.ELEMENT_END
          at += isNamed ? 1 : 2
        } else return undefined
      } else
        switch (characterClass) {
          case Character.SPACE:
            at++
            continue
          case Character.LINE_BREAK:
            at++
            isNewLine = 1
            continue
          case Character.LETTER:
            at = LiteralEnd.word(text, at)
            token = isBehindDot(kind, count) ? Token.NAME : (Token.words.get(text.slice(from, at)) ?? Token.NAME)
            break
          case Character.DIGIT:
            at = LiteralEnd.number(text, at)
            token = Token.NUMBER
            break
          case Character.QUOTE:
            at = LiteralEnd.string(text, at)
            token = Token.STRING
            break
          case Character.BACKTICK:
            at = LiteralEnd.template(text, at + 1)
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
            if (mode === Jsx.UNBALANCED) return undefined
            const opener = match[count] ?? count
            const opened = kind[opener] ?? Token.END
            if (opened === Token.TEMPLATE && code === Token.CLOSE_BRACE) {
              at = LiteralEnd.template(text, at)
              const isOpen = text.charCodeAt(at - 1) === Token.OPEN_BRACE
              token = isOpen ? Token.TEMPLATE_MIDDLE : Token.TEMPLATE_END
              if (isOpen) open.push(opener)
            } else if (closers[opened] !== code) return undefined
            break
          }
          case Character.HASH:
            at = LiteralEnd.word(text, at + 1)
            token = Token.PRIVATE
            break
          default: {
            const next = text.charCodeAt(at + 1)
            if (isComment(text, at, code)) {
              at = next === Token.SLASH ? LiteralEnd.line(text, at) : LiteralEnd.block(text, at)
              if (at === -1) return undefined
              if (hasBreak(text, from, at)) isNewLine = 1
              comments.push(from, at)
              continue
            }
            if (code === Token.DOT && next >= Character.ZERO && next <= Character.NINE) {
              at = LiteralEnd.number(text, at)
              token = Token.NUMBER
            } else if (code === Token.SLASH && isOperandNext(columns, count)) {
              // A `/` begins a pattern after the `}` of a block, but not after that of an object; and `</a>` closes an
              // element.
              if (kind[count - 1] === Token.CLOSE_BRACE || kind[count - 1] === Token.LESS) return undefined
              at = LiteralEnd.pattern(text, at + 1)
              token = Token.REGEX
            } else if (mode === Jsx.TYPE_ARGUMENTS && code === Token.LESS) {
              begin(count, mode)
              at++
            } else if (mode === Jsx.TYPE_ARGUMENTS && code === Token.GREATER) {
              mode = close(count, mode)
              if (kind[match[count] ?? count] !== Token.LESS) return undefined
              isClosing = true
              at++
            } else if (
              hasElements &&
              code === Token.LESS &&
              Jsx.startsElement(text, at) &&
              isOperandNext(columns, count)
            ) {
              if (kind[count - 1] === Token.CLOSE_BRACE) return undefined
              begin(count, mode)
              mode = Jsx.TAG
              at++
              token = Token.ELEMENT
            } else {
              const length = lengthOf(text, at, code, next)
              at += length
              token = length === 1 ? code : kindOf(code, next)
            }
          }
        }
      if (at === -1 || (characterClass === Character.STOP && from < length)) return undefined
      if (characterClass === Character.STOP) break
      if (!isClosing) match[count] = count
      kind[count] = token
      start[count] = from
      end[count] = at
      isFirst[count] = isNewLine
      isNewLine = 0
      count++
    }
    if (open.length > 0) return undefined
    // There are two, because readers look up to two tokens ahead.
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

/** Columns take 14 bytes a token, and a text has at most a token a character, so this is enough for a usual file. */
const INITIAL_CHARS = 16_384
/** Columns for longer texts are not kept. */
const MAX_KEPT_CHARS = 150_000

const isComment = (text: string, at: number, code: number): boolean => {
  if (code !== Token.SLASH) return false
  const next = text.charCodeAt(at + 1)
  return next === Token.SLASH || next === Token.STAR
}

const isBehindDot = (kind: Uint8Array, count: number): boolean =>
  count > 0 && (kind[count - 1] === Token.DOT || kind[count - 1] === Token.OPTIONAL)

/** Returns the length of the punctuator at an offset. */
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

/** Returns the kind of a punctuator of more than one character. */
const kindOf = (code: number, next: number): number => {
  if (code === Token.EQUALS && next === Token.GREATER) return Token.ARROW
  if (next === Token.DOT) return code === Token.DOT ? Token.SPREAD : Token.OPTIONAL
  return next === code && (code === Token.PLUS || code === Token.MINUS) ? Token.STEP : Token.BINARY
}

const hasBreak = (text: string, from: number, to: number): boolean => {
  const at = text.indexOf("\n", from)
  return at !== -1 && at < to
}

/** Returns whether an operand follows the last token, so that a `/` begins a regular expression. */
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

/** The closing bracket of each opening bracket. */
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

const lexNext = make()
let last:
  | { readonly text: string; readonly hasElements: boolean; readonly tokens: Token.Tokens | undefined }
  | undefined

/**
 * Does what a lexer of `make` does, with columns for the whole thread, and knows the tokens of the last text unless it
 * is long: the scanner and `SourceTokens` read each text one after the other.
 */
export const lex = (text: string, hasElements: boolean): Token.Tokens | undefined => {
  if (last?.text === text && last.hasElements === hasElements) return last.tokens
  const tokens = lexNext(text, hasElements)
  last = text.length < MAX_KEPT_CHARS ? { text, hasElements, tokens } : undefined
  return tokens
}
