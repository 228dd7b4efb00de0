/**
 * Reads references of Python, in one pass over its tokens: scopes, imports, types that are declared or constructed in
 * sight, and uses. The folder `python/` reads definitions, imports and expressions; this file reads statements.
 */

import {
  absolute,
  bind,
  extend,
  functionScope,
  makeScope,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { assign, readForClause, readTarget } from "./references/Assignments.ts"
import { readClass, readDecorated, readFunction } from "./references/Definitions.ts"
import { readFromImport, readImport } from "./references/Imports.ts"
import { fileScope, type Owner, Reader } from "./references/Reader.ts"
import * as Token from "./references/Tokens.ts"
import { typeBetween } from "./references/Types.ts"
import { readAnnotation, readUses } from "./references/Uses.ts"
import { instanceCheckAt, readChain, valueAt } from "./references/Value.ts"

/** Returns the references of a file, as `References.encode` writes them. */
export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => {
  const reader = new PythonReader(Token.tokenize(text), symbols)
  readStatements(reader, 0, makeScope(undefined, 0), { ordinal: -1 })
  return reader.facts.encode()
}

class PythonReader extends Reader {
  scan(from: number, to: number, scope: Scope): void {
    readUses(this, from, to, scope)
  }

  readBlock(colon: number, scope: Scope, owner: Owner): number {
    const { kind } = this
    if (kind[colon] !== Token.COLON) return colon
    if (kind[colon + 1] === Token.NEWLINE) {
      return kind[colon + 2] === Token.INDENT ? readStatements(this, colon + 3, scope, owner) : colon + 2
    }
    let at = colon + 1
    while (at < this.tokens.count && kind[at] !== Token.NEWLINE)
      at = Math.max(at + 1, readStatement(this, at, scope, owner))
    return at
  }
}

/** Reads statements up to the end of their block, and returns the token after it. */
const readStatements = (reader: Reader, from: number, scope: Scope, owner: Owner): number => {
  const { kind, tokens } = reader
  let at = from
  if (!reader.enter()) return skipBlock(reader, from)
  while (at < tokens.count && kind[at] !== Token.DEDENT) {
    const next = readStatement(reader, at, scope, owner)
    at = next > at ? next : at + 1
  }
  reader.leave()
  return at < tokens.count ? at + 1 : at
}

/** Returns the token after a block. */
const skipBlock = (reader: Reader, from: number): number => {
  let level = 1
  let at = from
  for (; at < reader.tokens.count && level > 0; at++) {
    if (reader.kind[at] === Token.INDENT) level++
    else if (reader.kind[at] === Token.DEDENT) level--
  }
  return at
}

/** Reads a statement with the blocks in it, and returns the token after it. */
const readStatement = (reader: Reader, at: number, scope: Scope, owner: Owner): number => {
  const { facts, kind } = reader
  const token = kind[at]
  if (token === Token.NEWLINE || token === Token.SEMICOLON) return at + 1
  if (token === Token.INDENT) return readStatements(reader, at + 1, scope, owner)
  if (token === Token.AT) return readDecorated(reader, at, scope, owner)
  if (token !== Token.NAME) return readSimpleStatement(reader, at, scope, owner)
  switch (reader.textOf(at)) {
    case "def":
      return readFunction(reader, at, scope, owner, [])
    case "async":
      return readStatement(reader, at + 1, scope, owner)
    case "class":
      return readClass(reader, at, scope)
    case "import":
      return readImport(reader, at, scope)
    case "from":
      return readFromImport(reader, at, scope)
    case "for": {
      const end = reader.statementEnd(at, true)
      const last = readForClause(reader, at, end, scope)
      reader.scan(last, end, scope)
      return reader.readBlock(end, scope, owner)
    }
    case "with":
      return readWith(reader, at, scope, owner)
    case "except": {
      const end = reader.statementEnd(at, true)
      reader.scan(at + 1, end, scope)
      if (reader.textIs(end - 2, "as") && reader.isName(end - 1)) {
        const { next, value } = readChain(reader, at + 1, scope, false)
        assign(reader, end - 1, next === end - 2 ? extend(value, "@") : null, scope, owner)
      }
      return reader.readBlock(end, scope, owner)
    }
    case "if":
    case "elif":
    case "while": {
      const end = reader.statementEnd(at, true)
      reader.scan(at + 1, end, scope)
      return reader.readBlock(end, narrowedScope(reader, at + 1, end, scope), owner)
    }
    case "else":
    case "try":
    case "finally": {
      const end = reader.statementEnd(at, true)
      return reader.readBlock(end, scope, owner)
    }
    case "global":
    case "nonlocal": {
      const end = reader.statementEnd(at, false)
      for (let name = at + 1; name < end; name++) {
        const outer = reader.textIs(at, "global") ? fileScope(scope) : functionScope(scope).outer
        if (reader.isName(name) && outer !== undefined && outer !== scope)
          functionScope(scope).names.set(reader.textOf(name), { scope: outer, root: reader.textOf(name), path: "" })
      }
      return end
    }
    case "return": {
      const end = reader.statementEnd(at, false)
      const { next, value } = valueAt(reader, at + 1, scope)
      if (reader.returns !== undefined && value !== null && next === end) reader.returns.value ??= value
      reader.scan(at + 1, end, scope)
      return end
    }
    case "assert": {
      const end = reader.statementEnd(at, false)
      reader.scan(at + 1, end, scope)
      const narrowed = instanceCheckAt(reader, at + 1, end, scope)
      if (narrowed !== undefined) bind(functionScope(scope), narrowed.name, narrowed.value)
      return end
    }
    case "match":
    case "case": {
      const end = reader.statementEnd(at, true)
      if (kind[end] !== Token.COLON || kind[end + 1] !== Token.NEWLINE || kind[end + 2] !== Token.INDENT) break
      reader.scan(at + 1, end, scope)
      return reader.readBlock(end, scope, owner)
    }
    case "type":
      if (reader.isName(at + 1) && kind[at + 2] === Token.EQUALS) {
        const end = reader.statementEnd(at, false)
        const ordinal = facts.symbolNamed(reader.textOf(at + 1), reader.offsetOf(at + 1), scope)
        facts.value(ordinal, typeBetween(reader, at + 3, end, scope))
        bind(scope, reader.textOf(at + 1), ordinal < 0 ? null : absolute(`#${ordinal}`))
        reader.scan(at + 3, end, scope)
        return end
      }
  }
  return readSimpleStatement(reader, at, scope, owner)
}

/** Reads an assignment or an expression, and returns the token after it. */
const readSimpleStatement = (reader: Reader, at: number, scope: Scope, owner: Owner): number => {
  const { kind } = reader
  const end = reader.statementEnd(at, false)
  const assignments: Array<number> = []
  let colon = -1
  let lambdas = 0
  for (let part = at; part < end; part = reader.after(part)) {
    if (kind[part] === Token.EQUALS && lambdas === 0) assignments.push(part)
    else if (kind[part] === Token.COLON && assignments.length === 0 && lambdas === 0 && colon === -1) colon = part
    else if (kind[part] === Token.NAME && reader.textIs(part, "lambda")) lambdas++
  }
  if (colon !== -1) {
    const equals = assignments[0] ?? end
    readTarget(reader, at, colon, typeBetween(reader, colon + 1, equals, scope), scope, owner)
    readAnnotation(reader, colon + 1, equals, scope)
    reader.scan(equals + 1, end, scope)
    return end
  }
  const last = assignments.at(-1)
  if (last === undefined) {
    reader.scan(at, end, scope)
    return end
  }
  const { next, value } = valueAt(reader, last + 1, scope)
  let from = at
  for (const equals of assignments) {
    readTarget(reader, from, equals, next === end ? value : null, scope, owner)
    from = equals + 1
  }
  reader.scan(last + 1, end, scope)
  return end
}

/** Reads `with a as b, c as d:`, and returns the token after its block. */
const readWith = (reader: Reader, at: number, scope: Scope, owner: Owner): number => {
  const { kind } = reader
  const end = reader.statementEnd(at, true)
  reader.scan(at + 1, end, scope)
  let from = at + 1
  let to = end
  if (kind[from] === Token.OPEN_PAREN && reader.after(from) === end) {
    from++
    to--
  }
  for (let part = from; part < to; ) {
    let last = part
    let as = -1
    for (; last < to && kind[last] !== Token.COMMA; last = reader.after(last)) if (reader.textIs(last, "as")) as = last
    if (as !== -1) {
      const { next, value } = valueAt(reader, part, scope)
      readTarget(reader, as + 1, last, next === as ? value : null, scope, owner)
    }
    part = last + 1
  }
  return reader.readBlock(end, scope, owner)
}

/** Returns the scope of a block under `if isinstance(a, B):`. */
const narrowedScope = (reader: Reader, from: number, to: number, scope: Scope): Scope => {
  const narrowed = instanceCheckAt(reader, from, to, scope)
  if (narrowed === undefined) return scope
  const inner = makeScope(scope, scope.start)
  inner.names.set(narrowed.name, narrowed.value)
  return inner
}
