/**
 * Values: the meaning of an expression, if its text shows it. `await load(db)` is `load()`, `[a]` a collection of `a`.
 */
import { type Binding, type Expression, extend, type Scope } from "../../../Symbols/internal/references/Facts.ts"
import { keywords, type Reader } from "./Reader.ts"
import * as Token from "./Tokens.ts"

/** An expression, and the token after it. `value` is `null` if nothing is known of it. */
export interface Chain {
  readonly value: Binding
  readonly next: number
}

/**
 * Reads the expression that begins at a name, as far as it is names, members and calls. With `isUse`, it reports them
 * as uses.
 */
export const readChain = (reader: Reader, from: number, scope: Scope, isUse: boolean): Chain => {
  const { facts, kind } = reader
  let at = from
  let path = ""
  if (kind[at] !== Token.NAME) return { value: null, next: at }
  const root = reader.textOf(at)
  if (keywords.has(root)) return { value: null, next: at }
  if (isUse && root !== "super") facts.use(scope, root, "", reader.offsetOf(at))
  at++
  // `super()` stands for the bases of the class.
  if (root === "super" && kind[at] === Token.OPEN_PAREN) at = reader.after(at)
  for (;;) {
    switch (kind[at]) {
      case Token.OPEN_PAREN:
        path += "()"
        at = reader.after(at)
        continue
      case Token.OPEN_BRACKET:
        path += "]"
        at = reader.after(at)
        continue
      case Token.DOT: {
        if (kind[at + 1] !== Token.NAME) return { value: { scope, root, path }, next: at }
        path += `.${reader.textOf(at + 1)}`
        if (isUse) facts.use(scope, root, path, reader.offsetOf(at + 1))
        at += 2
        continue
      }
      default:
        return { value: { scope, root, path }, next: at }
    }
  }
}

/** Reads an operand with `await` before it, in brackets, or the first of `a or b`. */
export const valueAt = (reader: Reader, from: number, scope: Scope): Chain => {
  const { kind } = reader
  let at = from
  while (kind[at] === Token.NAME && reader.textIs(at, "await")) at++
  if (kind[at] === Token.OPEN_PAREN && reader.enter()) {
    const inner = valueAt(reader, at + 1, scope)
    reader.leave()
    const end = reader.after(at)
    return inner.next === end - 1 ? { value: inner.value, next: end } : { value: null, next: end }
  }
  if (kind[at] === Token.OPEN_BRACKET) {
    // The list has elements like its first one.
    const end = reader.after(at)
    const first = valueAt(reader, at + 1, scope)
    const isElement = kind[first.next] === Token.COMMA || first.next === end - 1
    return { value: isElement ? extend(first.value, "[") : null, next: end }
  }
  const found = readChain(reader, at, scope, false)
  // The first operand of `a or b` and `a if b else c` is the usual value.
  if (kind[found.next] === Token.NAME && (reader.textIs(found.next, "or") || reader.textIs(found.next, "if"))) {
    let end = found.next
    while (
      kind[end] !== Token.NEWLINE &&
      kind[end] !== Token.SEMICOLON &&
      kind[end] !== Token.CLOSE_PAREN &&
      end < reader.tokens.count
    )
      end = reader.after(end)
    return { value: found.value, next: end }
  }
  return found
}

/** Returns what `isinstance(a, B)` says about `a`: it is `B@`. */
export const instanceCheckAt = (
  reader: Reader,
  from: number,
  to: number,
  scope: Scope,
): { readonly name: string; readonly value: Expression } | undefined => {
  const { kind } = reader
  if (!reader.textIs(from, "isinstance") || kind[from + 1] !== Token.OPEN_PAREN || kind[from + 3] !== Token.COMMA)
    return undefined
  const end = reader.after(from + 1)
  // `or` and `not` say something else.
  if (end < to && !reader.textIs(end, "and")) return undefined
  const { next, value } = readChain(reader, from + 4, scope, false)
  if (value === null || next !== end - 1 || !reader.isName(from + 2)) return undefined
  return { name: reader.textOf(from + 2), value: { ...value, path: `${value.path}@` } }
}
