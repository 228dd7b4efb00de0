/**
 * CommonJS: values that are assigned to `exports` and `module.exports`, and modules that add members to their
 * arguments.
 */

import { absolute, type Expression, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { arrowAfter, endsVariable, parenthesisAfter } from "./Lookahead.ts"
import type { Reader } from "./Reader.ts"
import { valueAt } from "./Value.ts"

/** Reads the value that is assigned to `exports`, `module.exports` (`=`) or one of their members. */
export const readExportsAssignment = (reader: Reader, name: string, at: number, scope: Scope): void => {
  const { facts, kind } = reader
  const start = kind[at] === Token.Contextual.async ? at + 1 : at
  if (kind[start] === Token.OPEN_BRACE && name === "=") {
    readExportedObject(reader, start, scope)
    return
  }
  if (
    kind[start] === Token.Reserved.function ||
    kind[start] === Token.Reserved.class ||
    arrowAfter(reader, start) !== -1
  ) {
    const owned = facts.symbolAt(reader.offsetOf(at))
    const symbol = facts.symbols[owned]
    const isIt = symbol !== undefined && symbol.start >= scope.start
    if (isIt) facts.export(name, absolute(`#${owned}`))
    if (name === "=" && kind[start] !== Token.Reserved.class) {
      const open = kind[start] === Token.OPEN_PAREN ? start : parenthesisAfter(reader, start)
      facts.parameters = parameterNames(reader, open)
      reader.exportedFunction = open
    }
    return
  }
  // `exports = module.exports = …` is read at its last target.
  if (reader.textIs(start, "exports") || reader.textIs(start, "module")) return
  const { value } = valueAt(reader, at, scope)
  // `exports.a = require("./b").a` passes an export on, as `export { a } from "./b"` does, and does not use it.
  if (kind[at] === Token.Contextual.require && value !== null && !/[^\w$.]/.test(value.path)) reader.passedOn = at
  facts.export(name, value)
}

/** Reads `module.exports = { a, b: c, ...d }`. */
const readExportedObject = (reader: Reader, open: number, scope: Scope): void => {
  const { facts, kind } = reader
  const end = reader.after(open) - 1
  for (let at = open + 1; at < end; at = reader.after(at)) {
    const isFirst = at === open + 1 || kind[at - 1] === Token.COMMA
    if (!isFirst) continue
    if (kind[at] === Token.SPREAD) facts.export("*", valueAt(reader, at + 1, scope).value)
    else if (!Token.isWord(kind[at] ?? 0) && kind[at] !== Token.STRING) continue
    else if (kind[at + 1] === Token.COLON) {
      const name = kind[at] === Token.STRING ? reader.specifierAt(at) : reader.textOf(at)
      const value = valueAt(reader, at + 2, scope).value
      if (name !== undefined && value !== null) facts.export(name, value)
    } else if (kind[at + 1] === Token.COMMA || at + 1 === end)
      facts.export(reader.textOf(at), { scope, root: reader.textOf(at), path: "" })
  }
}

/** Returns the names of the parameters in brackets at `open`, without those that are patterns. */
const parameterNames = (reader: Reader, open: number): ReadonlyArray<string> => {
  const names: Array<string> = []
  const end = reader.after(open) - 1
  for (let at = open + 1; at < end; at = reader.after(at)) {
    if (reader.isNameable(at) && (at === open + 1 || reader.kind[at - 1] === Token.COMMA)) names.push(reader.textOf(at))
  }
  return names
}

/** Reads `const A = module.exports` and `exports = module.exports = {}`: an object to which the file adds members. */
export const exportsObjectAt = (reader: Reader, from: number, name: string): Expression | undefined => {
  const { kind } = reader
  let at = from
  let isExports = false
  for (;;) {
    const isModule =
      kind[at] === Token.Contextual.module && kind[at + 1] === Token.DOT && reader.textIs(at + 2, "exports")
    if (!isModule && !reader.textIs(at, "exports")) break
    isExports = true
    at += isModule ? 3 : 1
    if (kind[at] !== Token.EQUALS) return endsVariable(reader, at) ? absolute(`&${name}`) : undefined
    at++
  }
  return isExports && kind[at] === Token.OPEN_BRACE && reader.after(at) === at + 2 ? absolute(`&${name}`) : undefined
}

/** Reads `require("./a")(B, c)`: the other module may add members to the arguments. */
export const readExtensions = (reader: Reader, open: number, specifier: string, scope: Scope): void => {
  const { facts, kind } = reader
  const end = reader.after(open) - 1
  let argument = 0
  for (let at = open + 1; at < end; at = reader.after(at)) {
    const isWhole = kind[at + 1] === Token.COMMA || at + 1 === end
    const isFirst = at === open + 1 || kind[at - 1] === Token.COMMA
    if (isWhole && isFirst && reader.isNameable(at))
      facts.extension({ scope, root: reader.textOf(at), path: "" }, specifier, argument)
    if (kind[at] === Token.COMMA) argument++
  }
}
