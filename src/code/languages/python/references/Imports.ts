/**
 * Imports, whose names stand for the exports of other modules. A name that a file imports at its top is one that it
 * exports.
 */
import {
  type Binding,
  extend,
  functionScope,
  ofModule,
  type Scope,
} from "../../../Symbols/internal/references/Facts.ts"
import { fileScope, type Reader } from "./Reader.ts"
import * as Token from "./Tokens.ts"

/** Reads `import a.b, c as d`, and returns its end. Without `as`, `a` is the name, and `.b` its member. */
export const readImport = (reader: Reader, at: number, scope: Scope): number => {
  const { kind } = reader
  const end = reader.statementEnd(at, false)
  for (let part = at + 1; part < end; ) {
    let last = part
    while (kind[last + 1] === Token.DOT && kind[last + 2] === Token.NAME) last += 2
    const path = textBetween(reader, part, last + 1)
    const isRenamed = reader.textIs(last + 1, "as")
    const local = isRenamed ? last + 2 : part
    if (reader.isName(local))
      declareImport(reader, reader.textOf(local), ofModule(isRenamed ? path : reader.textOf(part)), scope)
    part = isRenamed ? last + 4 : last + 2
  }
  return end
}

/** Reads `from .a import b as c`, and returns its end. */
export const readFromImport = (reader: Reader, at: number, scope: Scope): number => {
  const { facts, kind } = reader
  const end = reader.statementEnd(at, false)
  let word = at + 1
  while (word < end && !reader.textIs(word, "import")) word++
  const module = ofModule(textBetween(reader, at + 1, word))
  let part = word + 1
  let last = end
  if (kind[part] === Token.OPEN_PAREN) {
    last = reader.after(part) - 1
    part++
  }
  if (kind[part] === Token.STAR) {
    facts.export("*", module)
    fileScope(scope).names.set("*", null)
    return end
  }
  for (; part < last; part++) {
    if (kind[part] !== Token.NAME) continue
    const isRenamed = reader.textIs(part + 1, "as")
    const local = isRenamed ? part + 2 : part
    declareImport(reader, reader.textOf(local), extend(module, `.${reader.textOf(part)}`), scope)
    part = local
  }
  return end
}

/** Binds an imported name, which other files can import from this one. */
const declareImport = (reader: Reader, local: string, value: Binding, scope: Scope): void => {
  const where = functionScope(scope)
  const known = where.names.get(local)
  if (known === undefined || known === null) where.names.set(local, value)
  if (where.outer === undefined) reader.facts.export(local, value)
}

const textBetween = (reader: Reader, from: number, to: number): string => {
  let path = ""
  for (let at = from; at < to; at++) path += reader.textOf(at)
  return path
}
