/**
 * Classes and their members: base types, the values of fields, and `this` and `super` in methods. A field that a symbol
 * does not stand for is reported as one, such as `constructor(private db: Db)`.
 */

import { absolute, type Binding, extend, makeScope, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import { afterHeader, afterHeritage } from "../scanner/Expression.ts"
import { endsMemberName } from "../scanner/Members.ts"
import * as Token from "../scanner/Token.ts"
import { afterParameters, afterType } from "../scanner/Types.ts"
import { declareParameters, parameterModifiers, readReturnType } from "./Functions.ts"
import { expressionEnd, indexOfToken } from "./Lookahead.ts"
import type { Reader } from "./Reader.ts"
import { declareTypeParameters, readAnnotation, readBaseTypes, readTypeUses, typeAt } from "./Types.ts"
import { readDecorator } from "./Uses.ts"
import { initialValueAt, readChain } from "./Value.ts"

/** Reads a class, and returns the token after it. */
export const readClass = (reader: Reader, at: number, scope: Scope): number => {
  const { facts, kind, tokens } = reader
  const open = afterHeritage(tokens, at + 1)
  if (open === -1) return at + 1
  const end = reader.after(open)
  const hasName = reader.isNameable(at + 1) && !(kind[at + 1] === Token.Contextual.implements && open !== at + 2)
  let ordinal: number
  if (hasName) {
    ordinal = reader.declare(at + 1, scope)
  } else {
    // `export default class {}` and `const A = class {}`
    const found = facts.symbolAt(reader.offsetOf(at))
    ordinal = facts.symbols[found]?.kind === "class" && (facts.symbols[found]?.start ?? 0) >= scope.start ? found : -1
  }
  const inner = makeScope(scope, scope.start)
  let next = hasName ? at + 2 : at + 1
  if (kind[next] === Token.LESS) {
    const after = afterParameters(tokens, next)
    declareTypeParameters(reader, next, after, inner)
    next = after
  }
  if (kind[next] === Token.Reserved.extends) {
    facts.base(ordinal, readChain(reader, next + 1, inner).value)
    const interfaces = indexOfToken(reader, Token.Contextual.implements, next, open)
    reader.scan(next + 1, interfaces, inner)
    next = interfaces
  }
  if (kind[next] === Token.Contextual.implements) {
    readBaseTypes(reader, next + 1, open, ordinal, inner)
    readTypeUses(reader, next + 1, open, inner)
  }
  readMembers(reader, open + 1, end - 1, inner, ordinal)
  return end
}

/** Reads the members of a class or an interface between two tokens; the ordinal is -1 for one that is no symbol. */
export const readMembers = (reader: Reader, from: number, to: number, scope: Scope, ordinal: number): void => {
  if (!reader.enter()) return
  for (let at = from; at < to; ) at = Math.max(at + 1, readMember(reader, at, to, scope, ordinal))
  reader.leave()
}

/** Reads a member of a class, and returns the token after it. */
const readMember = (reader: Reader, from: number, to: number, scope: Scope, ordinal: number): number => {
  const { facts, kind, tokens } = reader
  let at = from
  if (kind[at] === Token.SEMICOLON || kind[at] === Token.COMMA) return at + 1
  while (kind[at] === Token.AT) at = readDecorator(reader, at, scope)
  let isStatic = false
  let isGetter = false
  while ((memberModifiers.has(kind[at] ?? 0) && !endsMemberName.has(kind[at + 1] ?? 0)) || kind[at] === Token.STAR) {
    isStatic ||= kind[at] === Token.Contextual.static
    isGetter ||= kind[at] === Token.Contextual.get
    at++
    if (isStatic && kind[at] === Token.OPEN_BRACE) break
  }
  const self = ordinal < 0 ? null : absolute(`#${ordinal}`, isStatic ? "" : "@")
  const inside = makeScope(scope, scope.start)
  inside.names.set("this", self)
  inside.names.set("super", extend(self, "^"))
  if (kind[at] === Token.OPEN_BRACE) {
    reader.scan(at + 1, reader.after(at) - 1, inside)
    return reader.after(at)
  }
  if (kind[at] === Token.OPEN_BRACKET) reader.scan(at + 1, reader.after(at) - 1, scope)
  const name = reader.textOf(at)
  let next = reader.after(at)
  if (kind[next] === Token.QUESTION || kind[next] === Token.NOT) next++
  if (kind[next] === Token.OPEN_PAREN || kind[next] === Token.LESS) {
    const body = afterHeader(tokens, next)
    if (body === -1) return next + 1
    const paren = kind[next] === Token.LESS ? afterParameters(tokens, next) : next
    const method = makeScope(inside, reader.offsetOf(next))
    if (kind[next] === Token.LESS) declareTypeParameters(reader, next, paren, method)
    declareParameters(reader, paren, method, undefined, name === "constructor" ? ordinal : -1)
    readAnnotation(reader, reader.after(paren), body, method)
    const symbol = facts.symbolNamed(name, reader.offsetOf(at), scope)
    readReturnType(reader, symbol, reader.after(paren), method)
    if (isGetter && symbol < 0 && kind[reader.after(paren)] === Token.COLON)
      facts.field(ordinal, name, typeAt(reader, reader.after(paren) + 1, method))
    if (kind[body] !== Token.OPEN_BRACE) return body
    reader.scan(body + 1, reader.after(body) - 1, method)
    return reader.after(body)
  }
  let value: Binding = null
  if (kind[next] === Token.COLON) {
    const end = afterType(tokens, next + 1)
    if (end === -1) return next + 1
    value = typeAt(reader, next + 1, inside)
    readTypeUses(reader, next + 1, end, inside)
    next = end
  }
  if (kind[next] === Token.EQUALS) {
    value ??= initialValueAt(reader, next + 1, inside)
    const end = expressionEnd(reader, next + 1, to)
    reader.scan(next + 1, end, inside)
    next = end
  }
  facts.field(ordinal, name, value)
  return next
}

/** Words before the name of a member, which can be names of members themselves. */
const memberModifiers: ReadonlySet<number> = new Set([
  ...parameterModifiers,
  Token.Contextual.abstract,
  Token.Contextual.accessor,
  Token.Contextual.async,
  Token.Contextual.declare,
  Token.Contextual.get,
  Token.Contextual.set,
  Token.Contextual.static,
])
