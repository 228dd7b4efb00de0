/**
 * Finds where expressions end, and which expressions are functions or classes. Contents of brackets are passed over.
 */
import * as Token from "./Token.ts"
import { afterArguments, afterParameters, afterType } from "./Types.ts"

/** Returns the token after the expression that begins at `from`; -1 if its end is not certain. */
export const afterExpression = (tokens: Token.Tokens, from: number): number => {
  const { kind, match } = tokens
  let at = from
  let openConditionals = 0
  for (;;) {
    at = afterOperand(tokens, at)
    const isBody = kind[at - 1] === Token.CLOSE_BRACE && kind[(match[at - 1] ?? 0) - 1] === Token.ARROW
    if (!isBody) at = afterSuffixes(tokens, at)
    if (at === -1) return -1
    const token = kind[at] ?? Token.END
    if (token === Token.QUESTION) openConditionals++
    else if (token === Token.COLON && openConditionals > 0) openConditionals--
    else if (token === Token.COLON) {
      // The return type of an arrow function.
      at = kind[at - 1] === Token.CLOSE_PAREN ? afterType(tokens, at + 1) : -1
      if (kind[at] !== Token.ARROW) return -1
    } else if (isBody || !isOperator(token)) return isEnd(tokens, at) ? at : -1
    at++
  }
}

/** Returns the token after an operand and its prefixes: `-a`, `new A`, `async function () {}`. */
const afterOperand = (tokens: Token.Tokens, from: number): number => {
  const { isFirst, kind } = tokens
  const at = afterPrefixes(tokens, from)
  const token = kind[at] ?? Token.END
  switch (token) {
    case Token.OPEN_BRACE:
    case Token.OPEN_PAREN:
    case Token.OPEN_BRACKET:
    case Token.TEMPLATE:
    case Token.ELEMENT:
      return Token.after(tokens, at)
    case Token.Reserved.function: {
      const body = afterHeader(tokens, afterName(tokens, at))
      return kind[body] === Token.OPEN_BRACE ? Token.after(tokens, body) : -1
    }
    case Token.Reserved.class: {
      const body = afterHeritage(tokens, at + 1)
      return body === -1 ? -1 : Token.after(tokens, body)
    }
    case Token.Contextual.async: {
      const next = kind[at + 1] ?? Token.END
      // `async a => …` and `async <A = B>(a: A) => …`
      const isPartOfOperand =
        next === Token.Reserved.function || next === Token.LESS || (next === Token.NAME && kind[at + 2] === Token.ARROW)
      return isPartOfOperand && isFirst[at + 1] === 0 ? afterOperand(tokens, at + 1) : at + 1
    }
    // `new.target`
    case Token.DOT:
      return kind[at - 1] === Token.Reserved.new ? at + 2 : -1
    default:
      return Token.isNameable(token) || isOperand.has(token) ? at + 1 : -1
  }
}

const afterPrefixes = (tokens: Token.Tokens, from: number): number => {
  const { end, kind, start } = tokens
  let at = from
  for (;;) {
    const token = kind[at] ?? Token.END
    if (isPrefix.has(token)) at++
    else if (token === Token.LESS) at = afterParameters(tokens, at)
    // This is the rest of `>>` and `>=`.
    else if (kind[at - 1] === Token.GREATER && restOfGreater.has(token) && start[at] === end[at - 1]) at++
    else return at
  }
}

/** Returns the token after the suffixes of an operand: `.a`, `(b)`, `<c>(d)`, `as E`. */
const afterSuffixes = (tokens: Token.Tokens, from: number): number => {
  const { isFirst, kind } = tokens
  let at = from
  for (;;) {
    switch (kind[at]) {
      case Token.DOT:
        at += 2
        break
      case Token.OPTIONAL:
        at += kind[at + 1] === Token.NAME || kind[at + 1] === Token.PRIVATE ? 2 : 1
        break
      case Token.OPEN_PAREN:
      case Token.OPEN_BRACKET:
      case Token.TEMPLATE:
        at = Token.after(tokens, at)
        break
      case Token.NOT:
      case Token.STEP:
        if (isFirst[at] === 1) return at
        at++
        break
      case Token.LESS: {
        const end = afterArguments(tokens, at)
        if (end === -1 || !mayFollowArguments(tokens, end)) return at
        at = end
        break
      }
      case Token.Contextual.as:
      case Token.Contextual.satisfies:
        if (isFirst[at] === 1) return at
        at = kind[at + 1] === Token.Reserved.const ? at + 2 : afterType(tokens, at + 1)
        if (at === -1) return -1
        break
      default:
        return at
    }
  }
}

const restOfGreater: ReadonlySet<number> = new Set([Token.GREATER, Token.EQUALS])

const isPrefix: ReadonlySet<number> = new Set([
  Token.NOT,
  Token.TILDE,
  Token.PLUS,
  Token.MINUS,
  Token.STEP,
  Token.SPREAD,
  Token.Reserved.new,
  Token.Reserved.typeof,
  Token.Reserved.void,
  Token.Reserved.delete,
  Token.Contextual.await,
])

const isOperand: ReadonlySet<number> = new Set([
  Token.PRIVATE,
  Token.NUMBER,
  Token.STRING,
  Token.REGEX,
  Token.Reserved.this,
  Token.Reserved.super,
  Token.Reserved.null,
  Token.Reserved.true,
  Token.Reserved.false,
  Token.Reserved.import,
])

const isOperator = (kind: number): boolean => kind === Token.BINARY || operators.has(kind)

const operators: ReadonlySet<number> = new Set([
  Token.EQUALS,
  Token.ARROW,
  Token.PLUS,
  Token.MINUS,
  Token.STAR,
  Token.SLASH,
  Token.PERCENT,
  Token.CARET,
  Token.LESS,
  Token.AND,
  Token.BAR,
  Token.GREATER,
  Token.Reserved.in,
  Token.Reserved.instanceof,
])

/** Returns whether a token cannot continue the expression before it. */
export const isEnd = ({ isFirst, kind }: Token.Tokens, at: number): boolean =>
  isFirst[at] === 1 || closes.has(kind[at] ?? Token.END)

const closes: ReadonlySet<number> = new Set([
  Token.END,
  Token.SEMICOLON,
  Token.COMMA,
  Token.CLOSE_BRACE,
  Token.CLOSE_BRACKET,
  Token.CLOSE_PAREN,
])

/**
 * Returns whether a token may follow type arguments, by the rule of the TypeScript compiler: `a<b>c` is a comparison,
 * `a<b>(c)` and `a<b>` have type arguments.
 */
const mayFollowArguments = ({ isFirst, kind }: Token.Tokens, at: number): boolean => {
  const next = kind[at] ?? Token.END
  if (next === Token.OPEN_PAREN || next === Token.TEMPLATE) return true
  if (next === Token.LESS || next === Token.GREATER || next === Token.PLUS || next === Token.MINUS) return false
  return (
    isFirst[at] === 1 ||
    isOperator(next) ||
    !(
      Token.isWord(next) ||
      isOperand.has(next) ||
      isPrefix.has(next) ||
      next === Token.OPEN_BRACE ||
      next === Token.OPEN_BRACKET
    )
  )
}

/** Returns the token after the name of a function or class, if it has one, from its keyword. */
export const afterName = ({ kind }: Token.Tokens, keyword: number): number => {
  const at = kind[keyword + 1] === Token.STAR ? keyword + 2 : keyword + 1
  return Token.isNameable(kind[at] ?? Token.END) ? at + 1 : at
}

/** Returns the token after type parameters, parameters and return type; -1 if there are no parameters. */
export const afterHeader = (tokens: Token.Tokens, from: number): number => {
  const { kind } = tokens
  const parameters = kind[from] === Token.LESS ? afterParameters(tokens, from) : from
  if (kind[parameters] !== Token.OPEN_PAREN) return -1
  const at = Token.after(tokens, parameters)
  return kind[at] === Token.COLON ? afterType(tokens, at + 1) : at
}

/** Returns the `{` of a class, from the token after its keyword; -1 if there is none. */
export const afterHeritage = (tokens: Token.Tokens, from: number): number => {
  const { kind } = tokens
  let at = from
  if (Token.isNameable(kind[at] ?? Token.END) && kind[at] !== Token.Contextual.implements) at++
  if (kind[at] === Token.LESS) at = afterParameters(tokens, at)
  if (kind[at] === Token.Reserved.extends) {
    at++
    const base = kind[at] ?? Token.END
    if (base === Token.OPEN_PAREN) at = Token.after(tokens, at)
    else if (Token.isNameable(base) || base === Token.Reserved.null || base === Token.Reserved.this) at++
    else return -1
    for (;;) {
      const next = kind[at]
      if (next === Token.DOT) at += 2
      else if (next === Token.OPEN_PAREN || next === Token.OPEN_BRACKET || next === Token.TEMPLATE)
        at = Token.after(tokens, at)
      else if (next === Token.LESS) at = afterArguments(tokens, at)
      else break
    }
  }
  if (kind[at] === Token.Contextual.implements) {
    do at = afterType(tokens, at + 1)
    while (kind[at] === Token.COMMA)
  }
  return kind[at] === Token.OPEN_BRACE ? at : -1
}

interface FunctionOrClass {
  readonly type: "arrow_function" | "function_expression" | "generator_function" | "class"
  /** The token of its own name; -1 for an anonymous one. */
  readonly name: number
  /** The first and the last token of its body. */
  readonly body: number
  readonly last: number
}

/** Returns the function or class that the expression from `from` up to `to` is; `undefined` for anything else. */
export const functionOrClass = (tokens: Token.Tokens, from: number, to: number): FunctionOrClass | undefined => {
  const { isFirst, kind, match } = tokens
  const isAsync = kind[from] === Token.Contextual.async && isFirst[from + 1] === 0 && kind[from + 1] !== Token.ARROW
  const at = isAsync ? from + 1 : from
  if (kind[at] === Token.Reserved.function) {
    const next = afterName(tokens, at)
    const body = afterHeader(tokens, next)
    const last = match[body] ?? -1
    if (last + 1 !== to) return undefined
    const isGenerator = kind[at + 1] === Token.STAR
    const name = next > (isGenerator ? at + 2 : at + 1) ? next - 1 : -1
    return { type: isGenerator ? "generator_function" : "function_expression", name, body, last }
  }
  if (kind[at] === Token.Reserved.class) {
    const body = afterHeritage(tokens, at + 1)
    const last = match[body] ?? -1
    const isNamed = Token.isNameable(kind[at + 1] ?? Token.END) && kind[at + 1] !== Token.Contextual.implements
    return last + 1 === to ? { type: "class", name: isNamed ? at + 1 : -1, body, last } : undefined
  }
  const arrow = Token.isNameable(kind[at] ?? Token.END) ? at + 1 : afterHeader(tokens, at)
  if (kind[arrow] !== Token.ARROW) return undefined
  return { type: "arrow_function", name: -1, body: arrow + 1, last: to - 1 }
}
