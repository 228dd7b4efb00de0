/**
 * Functions: their parameters, their results, and their bodies. A body is a scope of its own, in which parameters stand
 * for what their types or default values say.
 */

import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  makeScope,
  type Scope,
} from "../../../Symbols/internal/references/Facts.ts"
import { afterHeader } from "../scanner/Expression.ts"
import * as Token from "../scanner/Token.ts"
import { afterParameters, afterType } from "../scanner/Types.ts"
import { arrowAfter, expressionEnd, parenthesisAfter } from "./Lookahead.ts"
import { declarePattern } from "./Pattern.ts"
import type { Reader } from "./Reader.ts"
import { declareTypeParameters, readAnnotation, readTypeUses, typeAt } from "./Types.ts"
import { readDecorator } from "./Uses.ts"
import { valueAt } from "./Value.ts"

/** The tokens after which `function` begins an expression. */
const operators: ReadonlySet<number> = new Set([
  Token.EQUALS,
  Token.OPEN_PAREN,
  Token.OPEN_BRACKET,
  Token.COMMA,
  Token.COLON,
  Token.QUESTION,
  Token.NOT,
  Token.TILDE,
  Token.PLUS,
  Token.MINUS,
  Token.ARROW,
  Token.AND,
  Token.BAR,
  Token.BINARY,
  Token.SPREAD,
  Token.Reserved.return,
  Token.Reserved.new,
  Token.Reserved.typeof,
  Token.Reserved.void,
])

/** Reads `function a(…) {…}`, and returns the token after it. */
export const readFunction = (reader: Reader, at: number, outer: Scope): number => {
  const { facts, kind } = reader
  const before = kind[at - 1] === Token.Contextual.async ? at - 2 : at - 1
  // The name of a function expression is known in the function alone.
  const scope = operators.has(kind[before] ?? Token.END) ? makeScope(outer, outer.start) : outer
  const name = kind[at + 1] === Token.STAR ? at + 2 : at + 1
  let open = name
  let ordinal = -1
  if (reader.isNameable(name)) {
    const text = reader.textOf(name)
    ordinal = facts.symbolNamed(text, reader.offsetOf(name), scope)
    if (ordinal >= 0) scope.names.set(text, absolute(`#${ordinal}`))
    else bind(scope, text, null)
    open = name + 1
  }
  const body = afterHeader(reader.tokens, open)
  if (body === -1) return open
  const paren = kind[open] === Token.LESS ? afterParameters(reader.tokens, open) : open
  readReturnType(reader, ordinal, reader.after(paren), scope)
  if (kind[body] !== Token.OPEN_BRACE) {
    declareParameters(reader, paren, makeScope(scope, reader.offsetOf(at)))
    return body
  }
  const receiver = reader.receivers.get(at) ?? (ordinal < 0 ? null : absolute(`#${ordinal}`, "@"))
  return readBody(reader, open, body, scope, receiver, reader.elements.get(at))
}

/** Reads an arrow function from its parameters on, and returns the token after it. */
export const readArrow = (reader: Reader, from: number, arrow: number, to: number, scope: Scope): number => {
  const { kind } = reader
  const inner = makeScope(scope, reader.offsetOf(from))
  const element = reader.elements.get(from)
  if (kind[from] === Token.OPEN_PAREN) {
    declareParameters(reader, from, inner, element)
    readAnnotation(reader, reader.after(from), arrow, inner)
  } else bind(inner, reader.textOf(from), element ?? null)
  const body = arrow + 1
  const end = kind[body] === Token.OPEN_BRACE ? reader.after(body) : expressionEnd(reader, body, to)
  if (kind[body] === Token.OPEN_BRACE) reader.scan(body + 1, end - 1, inner)
  else reader.scan(body, end, inner)
  return end
}

/** Reads a function from its type parameters or parameters on, and returns the token after its body. */
export const readBody = (
  reader: Reader,
  open: number,
  body: number,
  scope: Scope,
  receiver: Binding,
  element?: Expression,
): number => {
  const { kind } = reader
  const inner = makeScope(scope, reader.offsetOf(open))
  inner.names.set("this", receiver)
  inner.names.set("super", receiver === null ? null : extend(receiver, "^"))
  const paren = kind[open] === Token.LESS ? afterParameters(reader.tokens, open) : open
  if (kind[open] === Token.LESS) declareTypeParameters(reader, open, paren, inner)
  declareParameters(reader, paren, inner, element)
  readAnnotation(reader, reader.after(paren), body, inner)
  const end = reader.after(body)
  reader.scan(body + 1, end - 1, inner)
  return end
}

/** Declares the parameters in brackets at `open`; `owner` is the class, if it is a constructor. */
export const declareParameters = (
  reader: Reader,
  open: number,
  scope: Scope,
  element?: Expression,
  owner = -1,
): void => {
  const { facts, kind, tokens } = reader
  if (kind[open] !== Token.OPEN_PAREN) return
  const end = reader.after(open) - 1
  let isFirst = true
  let position = 0
  for (let at = open + 1; at < end; ) {
    while (kind[at] === Token.AT) at = readDecorator(reader, at, scope)
    let isProperty = false
    while (parameterModifiers.has(kind[at] ?? 0) && reader.isNameable(at + 1)) {
      isProperty = true
      at++
    }
    if (kind[at] === Token.SPREAD) at++
    const start = at
    const isPattern = kind[at] === Token.OPEN_BRACE || kind[at] === Token.OPEN_BRACKET
    let next = isPattern ? reader.after(at) : at + 1
    if (kind[next] === Token.QUESTION) next++
    let value: Binding = isFirst ? (element ?? null) : null
    if (open === reader.exportedFunction) value = absolute(`%${position}`)
    isFirst = false
    position++
    if (kind[next] === Token.COLON) {
      const type = afterType(tokens, next + 1)
      value = typeAt(reader, next + 1, scope)
      if (kind[start - 1] === Token.SPREAD && value?.path.endsWith("[") !== true) value = null
      if (type === -1) return
      readTypeUses(reader, next + 1, type, scope)
      next = type
    }
    if (kind[next] === Token.EQUALS) {
      value ??= valueAt(reader, next + 1, scope).value
      const after = expressionEnd(reader, next + 1, end)
      reader.scan(next + 1, after, scope)
      next = after
    }
    declarePattern(reader, start, value, scope, false)
    if (isProperty) facts.field(owner, reader.textOf(start), value)
    at = next + 1
  }
}

/** Reads the type that a function returns, if one is declared after its parameters. */
export const readReturnType = (reader: Reader, ordinal: number, colon: number, scope: Scope): void => {
  if (ordinal >= 0 && reader.kind[colon] === Token.COLON) reader.facts.value(ordinal, typeAt(reader, colon + 1, scope))
}

/** `const a = (): B => …` returns a `B`. */
export const readArrowReturnType = (reader: Reader, name: number, from: number, scope: Scope): void => {
  const { kind } = reader
  const ordinal = reader.facts.symbolNamed(reader.textOf(name), reader.offsetOf(name), scope)
  if (ordinal < 0) return
  const start = kind[from] === Token.Contextual.async ? from + 1 : from
  if (kind[start] === Token.OPEN_PAREN && arrowAfter(reader, start) !== -1)
    readReturnType(reader, ordinal, reader.after(start), scope)
  else if (kind[start] === Token.Reserved.function) {
    reader.receivers.set(start, absolute(`#${ordinal}`, "@"))
    const paren = parenthesisAfter(reader, start)
    readReturnType(reader, ordinal, reader.after(paren), scope)
  }
}

/** Words that make a parameter of a constructor a property. */
export const parameterModifiers: ReadonlySet<number> = new Set([
  Token.Contextual.public,
  Token.Contextual.private,
  Token.Contextual.protected,
  Token.Contextual.readonly,
  Token.Contextual.override,
])
