/** Finds where types end. No symbol is defined in a type, so types are passed over. */
import * as Token from "./Token.ts"

/** The most levels of nested types. Deeper ones are left to tree-sitter. */
const MAX_TYPE_NESTING = 20

/** Returns the token after the type that begins at `from`; -1 if no type begins there. */
export const afterType = (tokens: Token.Tokens, from: number, depth = 0): number => {
  if (depth > MAX_TYPE_NESTING) return -1
  const { isFirst, kind } = tokens
  let at = from
  for (;;) {
    while (kind[at] === Token.BAR || kind[at] === Token.AND) at++
    at = afterOperand(tokens, at, depth)
    if (at === -1) return -1
    while (kind[at] === Token.OPEN_BRACKET && isFirst[at] === 0) at = Token.after(tokens, at)
    if (kind[at] === Token.BAR || kind[at] === Token.AND) continue
    if (kind[at] === Token.Contextual.is && isFirst[at] === 0) {
      at++
      continue
    }
    if (kind[at] !== Token.Reserved.extends || isFirst[at] === 1) return at
    at = afterType(tokens, at + 1, depth + 1)
    if (at === -1 || kind[at] !== Token.QUESTION) return at
    at = afterType(tokens, at + 1, depth + 1)
    if (at === -1 || kind[at] !== Token.COLON) return -1
    at++
  }
}

const afterOperand = (tokens: Token.Tokens, from: number, depth: number): number => {
  const { isFirst, kind } = tokens
  let at = from
  while (isPrefix(tokens, at)) at++
  switch (kind[at]) {
    case Token.LESS: {
      const parameters = afterParameters(tokens, at, depth)
      return parameters === -1 || kind[parameters] !== Token.OPEN_PAREN ? -1 : afterFunction(tokens, parameters, depth)
    }
    case Token.OPEN_PAREN:
      return isFunction(tokens, at) ? afterFunction(tokens, at, depth) : Token.after(tokens, at)
    case Token.Reserved.new:
      return kind[at + 1] === Token.OPEN_PAREN || kind[at + 1] === Token.LESS ? afterOperand(tokens, at + 1, depth) : -1
    case Token.OPEN_BRACE:
    case Token.OPEN_BRACKET:
    case Token.TEMPLATE:
      return Token.after(tokens, at)
    case Token.STRING:
    case Token.NUMBER:
      return at + 1
    case Token.MINUS:
      return kind[at + 1] === Token.NUMBER ? at + 2 : -1
    case Token.Reserved.import:
      if (kind[at + 1] !== Token.OPEN_PAREN) return -1
      at = Token.after(tokens, at + 1) - 1
      break
    default:
      if (!isTypeWord(kind[at] ?? Token.END)) return -1
  }
  at++
  while (kind[at] === Token.DOT) at += 2
  return kind[at] === Token.LESS && isFirst[at] === 0 ? afterArguments(tokens, at, depth) : at
}

/**
 * Returns whether it is `(a: b) => c`, and not the `(a)` of `(x): (a) => {`, by the rule of the TypeScript compiler.
 */
const isFunction = (tokens: Token.Tokens, parameters: number): boolean => {
  const { kind } = tokens
  if (kind[Token.after(tokens, parameters)] !== Token.ARROW) return false
  const first = parameters + 1
  const token = kind[first] ?? Token.END
  if (token === Token.CLOSE_PAREN || token === Token.SPREAD) return true
  const isPattern = token === Token.OPEN_BRACE || token === Token.OPEN_BRACKET
  if (!isPattern && !Token.isNameable(token) && token !== Token.Reserved.this) return false
  return afterParameter.has(kind[Token.after(tokens, first)] ?? Token.END)
}

const afterParameter: ReadonlySet<number> = new Set([
  Token.COLON,
  Token.COMMA,
  Token.QUESTION,
  Token.EQUALS,
  Token.CLOSE_PAREN,
])

/** Returns the token after a function type with parameters from `parameters` on. */
const afterFunction = (tokens: Token.Tokens, parameters: number, depth: number): number => {
  const arrow = Token.after(tokens, parameters)
  return tokens.kind[arrow] === Token.ARROW ? afterType(tokens, arrow + 1, depth + 1) : -1
}

/** Returns whether this is `keyof`, `typeof`, `infer` or another operator before a type. */
const isPrefix = ({ isFirst, kind }: Token.Tokens, at: number): boolean => {
  const next = kind[at + 1] ?? Token.END
  switch (kind[at]) {
    case Token.Reserved.typeof:
      return true
    case Token.Contextual.abstract:
      return next === Token.Reserved.new
    case Token.Contextual.keyof:
    case Token.Contextual.unique:
    case Token.Contextual.readonly:
    case Token.Contextual.infer:
    case Token.Contextual.asserts:
      return (
        isFirst[at + 1] === 0 &&
        next !== Token.Contextual.is &&
        (isTypeWord(next) || next === Token.Reserved.typeof || typeStarts.has(next))
      )
    default:
      return false
  }
}

const typeStarts: ReadonlySet<number> = new Set([
  Token.OPEN_PAREN,
  Token.OPEN_BRACE,
  Token.OPEN_BRACKET,
  Token.STRING,
  Token.TEMPLATE,
])

/** Returns whether this is an identifier, or a keyword that is a type. */
const isTypeWord = (kind: number): boolean => Token.isNameable(kind) || typeWords.has(kind)

const typeWords: ReadonlySet<number> = new Set([
  Token.Reserved.this,
  Token.Reserved.void,
  Token.Reserved.null,
  Token.Reserved.true,
  Token.Reserved.false,
  Token.Reserved.const,
])

/** Returns the token after the type parameters that begin with the `<` at `from`; -1 if there are none. */
export const afterParameters = (tokens: Token.Tokens, from: number, depth = 0): number => {
  const { kind } = tokens
  const one = (first: number) => {
    let at = first
    while (kind[at] === Token.Reserved.const || kind[at] === Token.Reserved.in || isOut(tokens, at)) at++
    at = afterType(tokens, at, depth + 1)
    // `afterType` stops before an `extends` on a new line, but in type parameters that is a constraint too.
    if (kind[at] === Token.Reserved.extends) at = afterType(tokens, at + 1, depth + 1)
    return kind[at] === Token.EQUALS ? afterType(tokens, at + 1, depth + 1) : at
  }
  return afterList(tokens, from, one)
}

const isOut = ({ kind }: Token.Tokens, at: number): boolean =>
  kind[at] === Token.Contextual.out && Token.isNameable(kind[at + 1] ?? Token.END)

/** Returns the token after the type arguments that begin with the `<` at `from`; -1 if it is a comparison. */
export const afterArguments = (tokens: Token.Tokens, from: number, depth = 0): number =>
  afterList(tokens, from, (at) => afterType(tokens, at, depth + 1))

const afterList = ({ kind }: Token.Tokens, from: number, one: (at: number) => number): number => {
  let at = from + 1
  while (kind[at] !== Token.GREATER) {
    at = one(at)
    if (at === -1) return -1
    if (kind[at] === Token.COMMA) at++
    else if (kind[at] !== Token.GREATER) return -1
  }
  return at + 1
}
