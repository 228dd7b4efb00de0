/** Imports, with names for what other modules export, and exports besides those of declarations. */

import { absolute, bind, extend, ofModule, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { arrowAfter } from "./Lookahead.ts"
import type { Reader } from "./Reader.ts"
import { readUses } from "./Uses.ts"
import { readChain, valueAt } from "./Value.ts"

/** Reads `import …`, and returns the token after it. */
export const readImport = (reader: Reader, at: number, scope: Scope): number => {
  const { kind } = reader
  if (kind[at + 1] === Token.OPEN_PAREN) {
    readUses(reader, at, scope)
    return at + 2
  }
  if (kind[at + 1] === Token.DOT) return at + 3
  const isType =
    kind[at + 1] === Token.Contextual.type && kind[at + 2] !== Token.COMMA && !reader.textIs(at + 2, "from")
  const start = isType ? at + 2 : at + 1
  if (kind[start] === Token.STRING) return start + 1
  if (reader.isNameable(start) && kind[start + 1] === Token.EQUALS) {
    const { next, value } = readChain(reader, start + 2, scope)
    bind(scope, reader.textOf(start), value)
    return next
  }
  let from = start
  const limit = Math.min(reader.tokens.count, at + 10_000)
  while (from < limit && !(kind[from] === Token.Contextual.from && kind[from + 1] === Token.STRING))
    from = reader.after(from)
  const specifier = reader.specifierAt(from + 1)
  if (specifier === undefined) return start
  const module = ofModule(specifier)
  for (let part = start; part < from; ) {
    if (kind[part] === Token.STAR) {
      bind(scope, reader.textOf(part + 2), module)
      part += 3
    } else if (kind[part] === Token.OPEN_BRACE) {
      const names = namesIn(reader, part)
      for (const { local, name } of names) bind(scope, local, extend(module, `.${name}`))
      part = reader.after(part)
    } else {
      if (reader.isNameable(part)) bind(scope, reader.textOf(part), extend(module, ".default"))
      part++
    }
  }
  return from + 2
}

/** Reads the part that belongs to `export` alone, and returns the token after it. */
export const readExport = (reader: Reader, at: number, scope: Scope): number => {
  const { facts, kind } = reader
  const isType =
    kind[at + 1] === Token.Contextual.type && (kind[at + 2] === Token.OPEN_BRACE || kind[at + 2] === Token.STAR)
  const start = isType ? at + 2 : at + 1
  switch (kind[start]) {
    case Token.STAR: {
      const isNamed = kind[start + 1] === Token.Contextual.as
      const from = isNamed ? start + 3 : start + 1
      const specifier = reader.specifierAt(from + 1)
      if (specifier !== undefined) facts.export(isNamed ? reader.textOf(start + 2) : "*", ofModule(specifier))
      return from + 2
    }
    case Token.OPEN_BRACE: {
      const after = reader.after(start)
      const specifier = kind[after] === Token.Contextual.from ? reader.specifierAt(after + 1) : undefined
      for (const { local, name } of namesIn(reader, start)) {
        const value =
          specifier === undefined ? { scope, root: name, path: "" } : extend(ofModule(specifier), `.${name}`)
        facts.export(local, value)
      }
      return specifier === undefined ? after : after + 2
    }
    case Token.Reserved.default: {
      const value = start + 1
      const isAsync = kind[value] === Token.Contextual.async && kind[value + 1] === Token.Reserved.function
      const keyword = isAsync ? value + 1 : kind[value] === Token.Contextual.abstract ? value + 1 : value
      const defines =
        kind[keyword] === Token.Reserved.function ||
        kind[keyword] === Token.Reserved.class ||
        kind[keyword] === Token.Contextual.interface ||
        arrowAfter(reader, keyword) !== -1
      if (defines) {
        const ordinal = facts.symbolAt(reader.offsetOf(keyword))
        if (ordinal >= 0) facts.export("default", absolute(`#${ordinal}`))
      } else facts.export("default", valueAt(reader, value, scope).value)
      return value
    }
    case Token.EQUALS:
      facts.export("=", valueAt(reader, start + 1, scope).value)
      return start + 1
    default:
      return at + 1
  }
}

/** Returns the names in `{ a, type b, c as d }`. */
const namesIn = (reader: Reader, open: number): ReadonlyArray<{ readonly name: string; readonly local: string }> => {
  const { kind } = reader
  const names: Array<{ readonly name: string; readonly local: string }> = []
  const end = reader.after(open) - 1
  for (let at = open + 1; at < end; at++) {
    if (kind[at] === Token.COMMA) continue
    const isType = kind[at] === Token.Contextual.type && Token.isWord(kind[at + 1] ?? 0) && !reader.textIs(at + 1, "as")
    const from = isType ? at + 1 : at
    const isRenamed = kind[from + 1] === Token.Contextual.as
    const local = isRenamed ? from + 2 : from
    names.push({ name: reader.textOf(from), local: reader.textOf(local) })
    at = local
  }
  return names
}
