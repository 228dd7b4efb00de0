/**
 * Types: the uses of names in them, and their meaning for the values that have them. `Promise<Array<User>>` means
 * `User@[`, a collection of instances of `User`.
 */

import { type Binding, bind, extend, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { afterArguments, afterType } from "../scanner/Types.ts"
import * as Chain from "./Chain.ts"
import type { Reader } from "./Reader.ts"

/** Types that stand for the type of their first argument. */
const transparent: ReadonlySet<string> = new Set([
  "Promise",
  "PromiseLike",
  "Awaited",
  "Readonly",
  "Partial",
  "Required",
  "NonNullable",
  "Ref",
  "ShallowRef",
  "ComputedRef",
])

/** Types with elements of their first argument. */
const collections: ReadonlySet<string> = new Set(["Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable"])

/**
 * Returns the type that begins at a token as an expression for its instances, `A@`; nothing for a type that is not a
 * single one.
 */
export const typeAt = (reader: Reader, from: number, scope: Scope): Binding => {
  if (!reader.enter()) return null
  const value = unionAt(reader, from, scope)
  reader.leave()
  return value
}

/** Reads a type of several parts, of which at most one may be anything but `null`, `undefined` and `void`. */
const unionAt = (reader: Reader, from: number, scope: Scope): Binding => {
  const { kind, tokens } = reader
  let found: Binding = null
  let at = from
  for (let parts = 0; parts < 8; parts++) {
    if (kind[at] === Token.BAR || kind[at] === Token.AND) at++
    const end = afterTypeOperand(reader, at)
    if (end === -1) return null
    const token = kind[at] ?? Token.END
    const isNothing =
      token === Token.Reserved.null || token === Token.Reserved.void || token === Token.Predefined.undefined
    const value = isNothing ? null : singleTypeAt(reader, at, scope)
    if (!isNothing) {
      if (found !== null || (value === null && kind[end] === Token.BAR)) return null
      found = value
    }
    if (kind[end] === Token.AND) return found
    if (kind[end] !== Token.BAR) break
    at = end + 1
  }
  // A conditional type, or a type predicate.
  const next = afterType(tokens, from)
  if (next === -1 || kind[at + 1] === Token.Contextual.is) return null
  return found
}

/** Returns the token after one part of a union; -1 if no type begins. */
const afterTypeOperand = (reader: Reader, from: number): number => {
  const { kind, tokens } = reader
  let at = from
  while (kind[at] === Token.Contextual.readonly || kind[at] === Token.Reserved.typeof) at++
  if (kind[at] === Token.OPEN_PAREN || kind[at] === Token.OPEN_BRACE || kind[at] === Token.OPEN_BRACKET)
    at = reader.after(at)
  else {
    at++
    while (kind[at] === Token.DOT) at += 2
    if (kind[at] === Token.LESS) at = afterArguments(tokens, at)
    if (at === -1) return -1
  }
  while (kind[at] === Token.OPEN_BRACKET && !reader.startsLine(at)) at = reader.after(at)
  return at
}

/** Reads a part of a union: `a.B`, `typeof c`, `Promise<D>`, `E[]`. */
const singleTypeAt = (reader: Reader, from: number, scope: Scope): Binding => {
  const { kind } = reader
  let at = from
  while (kind[at] === Token.Contextual.readonly && reader.isNameable(at + 1)) at++
  if (kind[at] === Token.Reserved.typeof) return Chain.read(reader, at + 1, scope).value
  let value: Binding = null
  if (kind[at] === Token.Reserved.this) {
    value = { scope, root: "this", path: "" }
    at++
  } else if (kind[at] === Token.OPEN_PAREN) {
    if (kind[reader.after(at)] === Token.ARROW) return null
    value = typeAt(reader, at + 1, scope)
    at = reader.after(at)
  } else {
    const token = kind[at] ?? Token.END
    if (!Token.isNameable(token) || token >= Token.Predefined.any) return null
    const root = reader.textOf(at)
    let path = ""
    at++
    while (kind[at] === Token.DOT) {
      path += `.${reader.textOf(at + 1)}`
      at += 2
    }
    value = { scope, root, path: `${path}@` }
    if (kind[at] === Token.LESS) {
      const inner = path === "" && (transparent.has(root) || collections.has(root))
      if (inner) {
        value = typeAt(reader, at + 1, scope)
        if (collections.has(root)) value = extend(value, "[")
      }
      at = afterArguments(reader.tokens, at)
      if (at === -1) return value
    }
  }
  while (kind[at] === Token.OPEN_BRACKET && !reader.startsLine(at)) {
    value = kind[at + 1] === Token.CLOSE_BRACKET ? extend(value, "[") : null
    at = reader.after(at)
  }
  return value
}

/** Reads the uses in a type between two tokens. */
export const readTypeUses = (reader: Reader, from: number, to: number, scope: Scope): void => {
  const { kind } = reader
  for (let at = from; at < to; at++) {
    const token = kind[at] ?? Token.END
    if (!Token.isNameable(token) || token >= Token.Predefined.any) continue
    const before = kind[at - 1]
    if (before === Token.DOT || before === Token.OPTIONAL) continue
    const next = kind[at + 1] ?? Token.END
    if (next === Token.COLON && before !== Token.QUESTION) continue
    if (next === Token.QUESTION && kind[at + 2] === Token.COLON) continue
    if (next === Token.OPEN_PAREN && before !== Token.Contextual.asserts) continue
    if (token !== Token.NAME && Token.isNameable(next) && !reader.startsLine(at + 1)) continue
    const root = reader.textOf(at)
    reader.facts.use(scope, root, "", reader.offsetOf(at))
    let path = ""
    while (kind[at + 1] === Token.DOT && Token.isWord(kind[at + 2] ?? 0)) {
      path += `.${reader.textOf(at + 2)}`
      reader.facts.use(scope, root, path, reader.offsetOf(at + 2))
      at += 2
    }
  }
}

/** Reads the uses in `: type` between two tokens. */
export const readAnnotation = (reader: Reader, from: number, to: number, scope: Scope): void => {
  if (reader.kind[from] === Token.COLON) readTypeUses(reader, from + 1, to, scope)
}

/** Declares type parameters, and reads their constraints. */
export const declareTypeParameters = (reader: Reader, from: number, to: number, scope: Scope): void => {
  let level = 0
  for (let at = from; at < to; at++) {
    if (reader.kind[at] === Token.LESS) level++
    else if (reader.kind[at] === Token.GREATER) level--
    const before = reader.kind[at - 1]
    const isName = reader.isNameable(at) && level === 1
    if (isName && (before === Token.LESS || before === Token.COMMA || before === Token.Reserved.const))
      bind(scope, reader.textOf(at), constraintAt(reader, at + 1, scope))
  }
  readTypeUses(reader, from + 1, to - 1, scope)
}

/** Returns the type that a type parameter extends, which it stands for. */
const constraintAt = (reader: Reader, at: number, scope: Scope): Binding => {
  const value = reader.kind[at] === Token.Reserved.extends ? typeAt(reader, at + 1, scope) : null
  return value?.path.endsWith("@") ? { ...value, path: value.path.slice(0, -1) } : null
}

/** Reads the types in a list: `A, b.C<D>`. */
export const readBaseTypes = (reader: Reader, from: number, to: number, ordinal: number, scope: Scope): void => {
  for (let at = from; at < to; ) {
    const value = typeAt(reader, at, scope)
    if (value?.path.endsWith("@")) reader.facts.base(ordinal, { ...value, path: value.path.slice(0, -1) })
    const end = afterType(reader.tokens, at)
    if (end === -1 || reader.kind[end] !== Token.COMMA) return
    at = end + 1
  }
}
