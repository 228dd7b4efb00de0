/**
 * Values: the meaning of an expression, if its text shows it. `new User(db)` is `User()`, `await load() as Post` is
 * `Post@`. No name is used here; `Uses` reports uses.
 */

import { type Binding, extend, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { afterType } from "../scanner/Types.ts"
import * as Chain from "./Chain.ts"
import { arrowAfter, isOperatorAt } from "./Lookahead.ts"
import type { Reader } from "./Reader.ts"
import { typeAt } from "./Types.ts"

/** Reads the chain that begins at a token, even one in brackets: `(await load()).save`. */
export const readChain = (reader: Reader, from: number, scope: Scope): Chain.Chain => {
  const { next, value } = rootAt(reader, from, scope)
  return value === null ? { value, next } : Chain.readMembers(reader, next, value, scope)
}

/** Reads the beginning of a chain, which may be an expression in brackets. */
export const rootAt = (reader: Reader, at: number, scope: Scope): Chain.Chain => {
  if (reader.kind[at] !== Token.OPEN_PAREN) return Chain.rootAt(reader, at, scope)
  const next = reader.after(at)
  if (!reader.enter()) return { value: null, next }
  const inner = valueAt(reader, at + 1, scope)
  reader.leave()
  return { value: inner.next === next - 1 ? inner.value : null, next }
}

/** Reads an operand with its prefixes, followed by no operator except one that keeps its value. */
export const valueAt = (reader: Reader, from: number, scope: Scope): Chain.Chain => {
  const { kind } = reader
  let at = from
  let isNew = false
  for (; ; at++) {
    if (kind[at] === Token.Reserved.new) isNew = true
    else if (kind[at] !== Token.Contextual.await) break
  }
  const token = kind[at] ?? Token.END
  const isStart =
    Token.isNameable(token) ||
    token === Token.Reserved.this ||
    token === Token.Reserved.super ||
    token === Token.Reserved.import ||
    token === Token.OPEN_PAREN
  if (!isStart) return { value: null, next: at }
  if (token === Token.OPEN_PAREN && arrowAfter(reader, at) !== -1) return { value: null, next: at }
  if (token === Token.Contextual.async && !isOperatorAt(reader, at + 1)) return { value: null, next: at }
  if (kind[at + 1] === Token.ARROW) return { value: null, next: at }
  let { next, value } = readChain(reader, at, scope)
  if (isNew && kind[next - 1] !== Token.CLOSE_PAREN) value = extend(value, "()")
  while (
    (kind[next] === Token.Contextual.as || kind[next] === Token.Contextual.satisfies) &&
    !reader.startsLine(next)
  ) {
    const isConst = kind[next + 1] === Token.Reserved.const
    const end = isConst ? next + 2 : afterType(reader.tokens, next + 1)
    if (end === -1) return { value: null, next }
    if (!isConst) value = typeAt(reader, next + 1, scope)
    next = end
  }
  // The value on the left of `??` and `||` is the usual one.
  if (kind[next] === Token.BINARY && (reader.textIs(next, "??") || reader.textIs(next, "||"))) return { value, next }
  const isEnd =
    reader.startsLine(next) ||
    kind[next] === Token.END ||
    kind[next] === Token.SEMICOLON ||
    kind[next] === Token.COMMA ||
    kind[next] === Token.CLOSE_PAREN ||
    kind[next] === Token.CLOSE_BRACKET ||
    kind[next] === Token.CLOSE_BRACE
  return isEnd ? { value, next } : { value: null, next }
}

/** Reads an initial value: an operand, or the elements of an array literal. */
export const initialValueAt = (reader: Reader, from: number, scope: Scope): Binding => {
  if (reader.kind[from] === Token.OPEN_BRACKET && reader.after(from) > from + 2) {
    const first = valueAt(reader, from + 1, scope)
    return first.value === null ? null : extend(first.value, "[")
  }
  return valueAt(reader, from, scope).value
}
