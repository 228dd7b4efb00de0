/** Uses of names and of the members after them, in expressions and in annotations. */
import { bind, functionScope, makeScope, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import { readForClause } from "./Assignments.ts"
import { keywords, type Reader } from "./Reader.ts"
import * as Token from "./Tokens.ts"
import { readChain, valueAt } from "./Value.ts"

/** Reads the uses between two tokens. */
export const readUses = (reader: Reader, from: number, to: number, scope: Scope): void => {
  const { kind } = reader
  if (!reader.enter()) return
  for (let at = from; at < to; at++) {
    const token = kind[at]
    if (token === Token.OPEN_PAREN || token === Token.OPEN_BRACKET || token === Token.OPEN_BRACE) {
      const end = Math.min(reader.after(at), to)
      readBracket(reader, at, end, scope)
      at = end - 1
    } else if (token === Token.DOT) {
      if (kind[at + 1] === Token.NAME) at++
    } else if (token === Token.NAME) {
      const name = reader.textOf(at)
      if (name === "lambda") {
        at = readLambda(reader, at, to, scope) - 1
        continue
      }
      if (name === "yield" && reader.returns !== undefined) reader.returns.isGenerator = true
      if (keywords.has(name)) continue
      if (kind[at + 1] === Token.WALRUS) {
        bind(functionScope(scope), name, valueAt(reader, at + 2, scope).value)
        continue
      }
      readChain(reader, at, scope, true)
    }
  }
  reader.leave()
}

/** Reads the content of brackets: arguments, elements, or a comprehension, which has a scope of its own. */
const readBracket = (reader: Reader, open: number, end: number, scope: Scope): void => {
  const { kind } = reader
  let inner = scope
  let isCall = kind[open] === Token.OPEN_PAREN
  for (let at = open + 1; at < end - 1; at = reader.after(at)) {
    if (kind[at] !== Token.NAME || !reader.textIs(at, "for")) continue
    if (inner === scope) inner = makeScope(scope, reader.offsetOf(open))
    readForClause(reader, at, end - 1, inner)
  }
  isCall &&=
    kind[open - 1] === Token.NAME || kind[open - 1] === Token.CLOSE_PAREN || kind[open - 1] === Token.CLOSE_BRACKET
  let from = open + 1
  if (isCall) {
    // The names of keyword arguments are no uses.
    for (let at = open + 1; at < end - 1; at = reader.after(at)) {
      const isKeyword =
        kind[at] === Token.NAME && kind[at + 1] === Token.EQUALS && (at === open + 1 || kind[at - 1] === Token.COMMA)
      if (!isKeyword) continue
      reader.scan(from, at, inner)
      from = at + 2
    }
  }
  reader.scan(from, end - 1, inner)
}

/** Reads a lambda, and returns the token after it. */
const readLambda = (reader: Reader, at: number, to: number, scope: Scope): number => {
  const { kind } = reader
  const inner = makeScope(scope, reader.offsetOf(at))
  let colon = at + 1
  for (; colon < to && kind[colon] !== Token.COLON; colon = reader.after(colon)) {
    const isParameter = kind[colon - 1] !== Token.EQUALS && reader.isName(colon)
    if (isParameter) inner.names.set(reader.textOf(colon), null)
  }
  let end = colon + 1
  while (end < to && kind[end] !== Token.COMMA) end = reader.after(end)
  reader.scan(colon + 1, Math.min(end, to), inner)
  return Math.min(end, to)
}

/** Reads the uses in an annotation, in strings as well. */
export const readAnnotation = (reader: Reader, from: number, to: number, scope: Scope): void => {
  reader.scan(from, to, scope)
  for (let at = from; at < to; at++) {
    if (reader.kind[at] !== Token.STRING) continue
    const text = reader.textOf(at)
    for (const { 0: word, index } of text.matchAll(/(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*/g)) {
      const [root = "", ...members] = word.split(".")
      reader.facts.use(scope, root, "", reader.offsetOf(at) + index)
      let path = ""
      for (const member of members) {
        path += `.${member}`
        reader.facts.use(scope, root, path, reader.offsetOf(at) + index)
      }
    }
  }
}
