/** Interfaces, aliases of types, enums and namespaces. */

import { makeScope, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { afterParameters, afterType } from "../scanner/Types.ts"
import { readMembers } from "./Classes.ts"
import { indexOfToken } from "./Lookahead.ts"
import type { Reader } from "./Reader.ts"
import { declareTypeParameters, readBaseTypes, readTypeUses, typeAt } from "./Types.ts"

/** Reads an interface, and returns the token after it. */
export const readInterface = (reader: Reader, at: number, scope: Scope): number => {
  const { kind, tokens } = reader
  const ordinal = reader.declare(at + 1, scope)
  const inner = makeScope(scope, scope.start)
  let next = at + 2
  if (kind[next] === Token.LESS) {
    next = afterParameters(tokens, next)
    if (next === -1) return at + 2
    declareTypeParameters(reader, at + 2, next, inner)
  }
  const open = indexOfToken(reader, Token.OPEN_BRACE, next, tokens.count)
  if (kind[next] === Token.Reserved.extends) {
    readBaseTypes(reader, next + 1, open, ordinal, inner)
    readTypeUses(reader, next + 1, open, inner)
  }
  readMembers(reader, open + 1, reader.after(open) - 1, inner, ordinal)
  return reader.after(open)
}

/** Reads `type A = …`, and returns the token after it. */
export const readTypeAlias = (reader: Reader, at: number, equals: number, scope: Scope): number => {
  const { facts } = reader
  const ordinal = reader.declare(at + 1, scope)
  const inner = makeScope(scope, scope.start)
  if (equals > at + 2) declareTypeParameters(reader, at + 2, equals, inner)
  const end = afterType(reader.tokens, equals + 1)
  if (end === -1) return equals + 1
  facts.value(ordinal, typeAt(reader, equals + 1, inner))
  readTypeUses(reader, equals + 1, end, inner)
  return end
}

/** Reads `enum A { … }` without its values, and returns the token after it. */
export const readEnumeration = (reader: Reader, at: number, scope: Scope): number => {
  reader.declare(at + 1, scope)
  return reader.kind[at + 2] === Token.OPEN_BRACE ? reader.after(at + 2) : at + 2
}

/** Reads a namespace, and returns the token after it. */
export const readNamespace = (reader: Reader, at: number, scope: Scope): number => {
  const { kind } = reader
  let open = at + 2
  if (reader.isNameable(at + 1)) {
    reader.declare(at + 1, scope)
    while (kind[open] === Token.DOT) open += 2
  }
  if (kind[open] !== Token.OPEN_BRACE) return open
  reader.scan(open + 1, reader.after(open) - 1, makeScope(scope, scope.start))
  return reader.after(open)
}
