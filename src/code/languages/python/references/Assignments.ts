/** Names and members that a statement, a loop or a comprehension assigns to. */
import {
  absolute,
  type Binding,
  bind,
  extend,
  functionScope,
  type Scope,
} from "../../../Symbols/internal/references/Facts.ts"
import type { Owner, Reader } from "./Reader.ts"
import * as Token from "./Tokens.ts"
import { valueAt } from "./Value.ts"

/** Declares the names between two tokens that are assigned to, and reads the uses there. */
export const readTarget = (
  reader: Reader,
  from: number,
  to: number,
  value: Binding,
  scope: Scope,
  owner: Owner,
): void => {
  const { facts, kind } = reader
  const isBracket = kind[from] === Token.OPEN_PAREN || kind[from] === Token.OPEN_BRACKET
  if (isBracket && reader.after(from) === to) {
    readTarget(reader, from + 1, to - 1, value, scope, owner)
    return
  }
  const parts: Array<readonly [number, number]> = []
  let start = from
  for (let at = from; at < to; at = reader.after(at)) {
    if (kind[at] !== Token.COMMA) continue
    parts.push([start, at])
    start = at + 1
  }
  if (start < to) parts.push([start, to])
  if (parts.length > 1) {
    for (const [first, last] of parts) readTarget(reader, first, last, null, scope, owner)
    return
  }
  const name = kind[from] === Token.STAR ? from + 1 : from
  if (name + 1 === to && reader.isName(name)) {
    assign(reader, name, value, scope, owner)
    return
  }
  // `self.a = …` declares a member of the class.
  if (name + 3 === to && kind[name + 1] === Token.DOT && reader.isName(name)) {
    const self = scope.names.get(reader.textOf(name)) ?? functionScope(scope).names.get(reader.textOf(name))
    const [, ordinal] = /^#(\d+)$/.exec(self?.scope === undefined ? (self?.root ?? "") : "") ?? []
    if (ordinal !== undefined) facts.field(Number(ordinal), reader.textOf(name + 2), value)
  }
  reader.scan(from, to, scope)
}

/** Binds a name to a value. */
export const assign = (reader: Reader, at: number, value: Binding, scope: Scope, owner: Owner): void => {
  const { facts } = reader
  const name = reader.textOf(at)
  const where = functionScope(scope)
  const ordinal = facts.symbolNamed(name, reader.offsetOf(at), where)
  if (ordinal >= 0) {
    facts.value(ordinal, value)
    if (owner.ordinal >= 0) facts.field(owner.ordinal, name, value)
    bind(where, name, absolute(`#${ordinal}`))
    return
  }
  const known = where.names.get(name)
  const [, first] = /^#(\d+)$/.exec(known?.scope === undefined && known?.path === "" ? known.root : "") ?? []
  // This is a later assignment to a variable that is a symbol.
  if (first !== undefined && where.outer === undefined) facts.value(Number(first), value)
  bind(where, name, value)
}

/**
 * Declares the targets of `for a in b`, of a loop or in a comprehension, and returns the token of the value that is
 * iterated over.
 */
export const readForClause = (reader: Reader, at: number, end: number, scope: Scope): number => {
  let word = at + 1
  while (word < end && !reader.textIs(word, "in")) word = reader.after(word)
  if (word >= end) return at + 1
  const { value } = valueAt(reader, word + 1, scope)
  const isEnumerated = reader.textIs(word + 1, "enumerate") && reader.kind[word + 2] === Token.OPEN_PAREN
  if (isEnumerated && reader.isName(at + 1) && reader.kind[at + 2] === Token.COMMA) {
    readTarget(reader, at + 1, at + 2, null, scope, { ordinal: -1 })
    readTarget(reader, at + 3, word, extend(valueAt(reader, word + 3, scope).value, "]"), scope, { ordinal: -1 })
  } else readTarget(reader, at + 1, word, extend(value, "]"), scope, { ordinal: -1 })
  return word + 1
}
