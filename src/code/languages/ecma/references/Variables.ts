/** Variables of declarations and of loops. */

import {
  type Binding,
  bind,
  extend,
  functionScope,
  makeScope,
  type Scope,
} from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { afterType } from "../scanner/Types.ts"
import { exportsObjectAt } from "./CommonJs.ts"
import { readArrowReturnType } from "./Functions.ts"
import { expressionEnd } from "./Lookahead.ts"
import { declarePattern } from "./Pattern.ts"
import type { Reader } from "./Reader.ts"
import { readTypeUses, typeAt } from "./Types.ts"
import { initialValueAt, valueAt } from "./Value.ts"

/** Reads `const a = …, b: B`, without the values, and returns the token after the last name. */
export const readVariables = (reader: Reader, at: number, to: number, block: Scope): number => {
  const { facts, kind, tokens } = reader
  const scope = kind[at] === Token.Reserved.var ? functionScope(block) : block
  let next = at + 1
  for (;;) {
    const start = next
    const isPattern = kind[start] === Token.OPEN_BRACE || kind[start] === Token.OPEN_BRACKET
    if (!isPattern && !reader.isNameable(start)) return start
    next = isPattern ? reader.after(start) : start + 1
    if (kind[next] === Token.NOT) next++
    let value: Binding = null
    if (kind[next] === Token.COLON) {
      const end = afterType(tokens, next + 1)
      value = typeAt(reader, next + 1, scope)
      if (end === -1) return next + 1
      readTypeUses(reader, next + 1, end, scope)
      next = end
    }
    if (kind[next] !== Token.EQUALS) {
      declarePattern(reader, start, value, scope, true)
      if (kind[next] !== Token.COMMA) return next
      next++
      continue
    }
    const from = next + 1
    const object = isPattern ? undefined : exportsObjectAt(reader, from, reader.textOf(start))
    if (object !== undefined) {
      facts.export("=", object)
      bind(scope, reader.textOf(start), object)
    } else {
      value ??= initialValueAt(reader, from, scope)
      declarePattern(reader, start, value, scope, true)
      if (!isPattern) readArrowReturnType(reader, start, from, scope)
    }
    const end = expressionEnd(reader, from, to)
    reader.scan(from, end, scope)
    if (kind[end] !== Token.COMMA) return end
    next = end + 1
  }
}

/** Reads `for (const a of all) …`, in which `a` is an element of `all`, and returns the token after its body. */
export const readLoop = (reader: Reader, at: number, to: number, scope: Scope): number => {
  const { kind } = reader
  const open = kind[at + 1] === Token.Contextual.await ? at + 2 : at + 1
  if (kind[open] !== Token.OPEN_PAREN) return at + 1
  const inner = makeScope(scope, scope.start)
  const close = reader.after(open) - 1
  let from = open + 1
  const isDeclared =
    kind[from] === Token.Reserved.const || kind[from] === Token.Contextual.let || kind[from] === Token.Reserved.var
  if (isDeclared) {
    const isPattern = kind[from + 1] === Token.OPEN_BRACE || kind[from + 1] === Token.OPEN_BRACKET
    const of = isPattern ? reader.after(from + 1) : from + 2
    if (kind[of] === Token.Contextual.of || kind[of] === Token.Reserved.in) {
      const all = kind[of] === Token.Contextual.of ? valueAt(reader, of + 1, scope).value : null
      declarePattern(reader, from + 1, extend(all, "]"), inner, false)
      from = of + 1
    }
  }
  reader.scan(from, close, inner)
  const body = close + 1
  if (kind[body] === Token.OPEN_BRACE) {
    reader.scan(body + 1, reader.after(body) - 1, inner)
    return reader.after(body)
  }
  let end = body
  while (end < to && kind[end] !== Token.SEMICOLON && !(end > body && reader.startsLine(end))) end = reader.after(end)
  end = Math.min(end, to)
  reader.scan(body, end, inner)
  return end
}
