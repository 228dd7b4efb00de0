/** Names that a variable or a parameter declares, alone or taken apart: `a`, `{ b, c: d }`, `[e, ...f]`. */

import { absolute, type Binding, bind, extend, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { expressionEnd } from "./Lookahead.ts"
import type { Reader } from "./Reader.ts"

/**
 * Declares the names in a pattern, and returns the token after it. `isSymbol` says that the names may be those of
 * symbols.
 */
export const declarePattern = (reader: Reader, at: number, value: Binding, scope: Scope, isSymbol: boolean): number => {
  const { kind } = reader
  if (reader.isNameable(at)) {
    declareName(reader, at, value, scope, isSymbol)
    return at + 1
  }
  const isObject = kind[at] === Token.OPEN_BRACE
  if (!isObject && kind[at] !== Token.OPEN_BRACKET) return at + 1
  if (!reader.enter()) return reader.after(at)
  const end = reader.after(at) - 1
  for (let part = at + 1; part < end; ) {
    if (kind[part] === Token.COMMA) part++
    else if (kind[part] === Token.SPREAD) part = declarePattern(reader, part + 1, null, scope, isSymbol)
    else if (isObject) {
      const name = reader.textOf(part)
      const isName = Token.isWord(kind[part] ?? 0)
      const colon = reader.after(part)
      const member = isName ? extend(value, `.${name}`) : null
      part =
        kind[colon] === Token.COLON
          ? declarePattern(reader, colon + 1, member, scope, isSymbol)
          : declarePattern(reader, part, member, scope, isSymbol)
      // Names that are taken out of a module are an import.
      if (isName && value !== null && !value.root.startsWith('"'))
        reader.facts.use(value.scope, value.root, `${value.path}.${name}`, reader.offsetOf(part - 1))
    } else part = declarePattern(reader, part, extend(value, "]"), scope, isSymbol)
    if (kind[part] === Token.EQUALS) {
      const after = expressionEnd(reader, part + 1, end)
      reader.scan(part + 1, after, scope)
      part = after
    }
  }
  reader.leave()
  return end + 1
}

const declareName = (reader: Reader, at: number, value: Binding, scope: Scope, isSymbol: boolean): void => {
  const name = reader.textOf(at)
  const ordinal = isSymbol ? reader.facts.symbolNamed(name, reader.offsetOf(at), scope) : -1
  if (ordinal < 0) {
    const before = scope.names.get(name)
    if (before === undefined || before === null) scope.names.set(name, value)
    return
  }
  reader.facts.value(ordinal, value)
  // A name for what another module exports is that export.
  const isAlias = value !== null && /^"/.test(value.root) && /^(?:\.[\w$]+)*$/.test(value.path)
  bind(scope, name, isAlias ? value : absolute(`#${ordinal}`))
}
