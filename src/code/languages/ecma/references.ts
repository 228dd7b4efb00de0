/**
 * Reads references of TypeScript and JavaScript off the tokens of the scanner, in one pass: scopes, imports, exports,
 * types that are declared or constructed in sight, and uses of names with the members after them. The folder `ecma/`
 * knows what each construct declares and uses; this file recognises which construct begins at a token.
 */

import { makeScope, type Scope } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { readClass } from "./references/Classes.ts"
import { declareParameters, readArrow, readBody, readFunction } from "./references/Functions.ts"
import { readExport, readImport } from "./references/ImportsAndExports.ts"
import { arrowAfter, endsOperand, isOperatorAt } from "./references/Lookahead.ts"
import { Reader } from "./references/Reader.ts"
import { readEnumeration, readInterface, readNamespace, readTypeAlias } from "./references/TypeDeclarations.ts"
import { readTypeUses } from "./references/Types.ts"
import { readUses } from "./references/Uses.ts"
import { readLoop, readVariables } from "./references/Variables.ts"
import { afterHeader } from "./scanner/Expression.ts"
import * as Token from "./scanner/Token.ts"
import { afterParameters, afterType } from "./scanner/Types.ts"

/** Returns the references of a file, as `References.encode` writes them. */
export const read = (tokens: Token.Tokens, symbols: ReadonlyArray<CodeSymbol>): string => {
  const reader = new EcmaReader(tokens, symbols)
  const file = makeScope(undefined, 0)
  // Functions and classes can be used before they are declared.
  for (const { name } of symbols) file.names.known.add(name)
  reader.scan(0, tokens.count, file)
  return reader.facts.encode()
}

class EcmaReader extends Reader {
  scan(from: number, to: number, scope: Scope): void {
    if (!this.enter()) return
    for (let at = from; at < to; ) at = Math.max(at + 1, step(this, at, to, scope))
    this.leave()
  }
}

/** Reads the construct that begins at a token, and returns the token after it. */
const step = (reader: Reader, at: number, to: number, scope: Scope): number => {
  const { kind } = reader
  const token = kind[at] ?? Token.END
  const next = kind[at + 1] ?? Token.END
  const before = kind[at - 1] ?? Token.END
  switch (token) {
    case Token.DOT:
    case Token.OPTIONAL:
      return Token.isWord(next) || next === Token.PRIVATE ? at + 2 : at + 1
    case Token.OPEN_BRACE: {
      const end = reader.after(at)
      reader.scan(at + 1, end - 1, makeScope(scope, scope.start))
      return end
    }
    case Token.OPEN_PAREN: {
      const arrow = arrowAfter(reader, at)
      if (arrow !== -1) return readArrow(reader, at, arrow, to, scope)
      const end = reader.after(at)
      if (kind[end] === Token.DOT || kind[end] === Token.OPTIONAL) readUses(reader, at, scope)
      return at + 1
    }
    case Token.ELEMENT:
      return readElement(reader, at, scope)
    case Token.Reserved.import:
      return readImport(reader, at, scope)
    case Token.Reserved.export:
      return readExport(reader, at, scope)
    case Token.Reserved.const:
      return next === Token.Reserved.enum
        ? readEnumeration(reader, at + 1, scope)
        : readVariables(reader, at, to, scope)
    case Token.Reserved.var:
      return readVariables(reader, at, to, scope)
    case Token.Reserved.enum:
      return readEnumeration(reader, at, scope)
    case Token.Reserved.function:
      return readFunction(reader, at, scope)
    case Token.Reserved.class:
      return readClass(reader, at, scope)
    case Token.Reserved.catch: {
      if (next !== Token.OPEN_PAREN) return at + 1
      const inner = makeScope(scope, scope.start)
      const body = reader.after(at + 1)
      declareParameters(reader, at + 1, inner)
      if (kind[body] !== Token.OPEN_BRACE) return body
      reader.scan(body + 1, reader.after(body) - 1, inner)
      return reader.after(body)
    }
    case Token.Reserved.for:
      return readLoop(reader, at, to, scope)
    case Token.Reserved.this:
    case Token.Reserved.super:
      readUses(reader, at, scope)
      return at + 1
    case Token.Contextual.let:
      return reader.isNameable(at + 1) || next === Token.OPEN_BRACE || next === Token.OPEN_BRACKET
        ? readVariables(reader, at, to, scope)
        : at + 1
    case Token.Contextual.type:
      if (reader.isNameable(at + 1) && !reader.startsLine(at + 1)) {
        const value = kind[at + 2] === Token.LESS ? afterParameters(reader.tokens, at + 2) : at + 2
        if (value !== -1 && kind[value] === Token.EQUALS) return readTypeAlias(reader, at, value, scope)
      }
      break
    case Token.Contextual.interface:
      if (reader.isNameable(at + 1) && !reader.startsLine(at + 1)) return readInterface(reader, at, scope)
      break
    case Token.Contextual.namespace:
    case Token.Contextual.module:
      if ((reader.isNameable(at + 1) || next === Token.STRING) && !reader.startsLine(at + 1))
        return readNamespace(reader, at, scope)
      break
    case Token.Contextual.as:
    case Token.Contextual.satisfies:
      if (!reader.startsLine(at) && endsOperand(reader, at - 1) && !isOperatorAt(reader, at + 1)) {
        if (next === Token.Reserved.const) return at + 2
        const end = afterType(reader.tokens, at + 1)
        if (end === -1) return at + 1
        readTypeUses(reader, at + 1, end, scope)
        return end
      }
      break
    case Token.Contextual.async:
    case Token.Contextual.await:
    case Token.Contextual.abstract:
    case Token.Contextual.declare:
    case Token.Contextual.yield:
      if (!reader.startsLine(at + 1) && !isOperatorAt(reader, at + 1)) return at + 1
      break
    case Token.Contextual.of:
      return at + 1
  }
  if (!Token.isNameable(token)) return at + 1
  if (next === Token.ARROW) return readArrow(reader, at, at + 1, to, scope)
  // This is the key of an object literal, or a label.
  if (next === Token.COLON && (before === Token.OPEN_BRACE || before === Token.COMMA)) return at + 2
  if (next === Token.OPEN_PAREN && isMethodKey(before)) {
    const body = reader.after(at + 1)
    if (kind[body] === Token.OPEN_BRACE || kind[body] === Token.COLON) {
      const header = afterHeader(reader.tokens, at + 1)
      if (header !== -1 && kind[header] === Token.OPEN_BRACE)
        return readBody(reader, at + 1, header, scope, reader.receivers.get(at) ?? null)
    }
  }
  readUses(reader, at, scope)
  return at + 1
}

/** Returns whether a name after the token can be that of a method in an object literal. */
const isMethodKey = (before: number): boolean =>
  before === Token.OPEN_BRACE ||
  before === Token.COMMA ||
  before === Token.STAR ||
  before === Token.Contextual.async ||
  before === Token.Contextual.get ||
  before === Token.Contextual.set

/** Reads a JSX element: its component, and the expressions in it. */
const readElement = (reader: Reader, at: number, scope: Scope): number => {
  const { kind } = reader
  const end = reader.after(at)
  if (!reader.enter()) return end
  if (kind[at + 1] === Token.NAME && (/^\p{Lu}/u.test(reader.textOf(at + 1)) || kind[at + 2] === Token.DOT))
    readUses(reader, at + 1, scope)
  for (let part = at + 1; part < end - 1; ) {
    if (kind[part] === Token.OPEN_BRACE) {
      reader.scan(part + 1, reader.after(part) - 1, scope)
      part = reader.after(part)
    } else part = kind[part] === Token.ELEMENT ? readElement(reader, part, scope) : part + 1
  }
  reader.leave()
  return end
}
