/**
 * Chains: a name or a module with the members, calls and indices after it. `db.users[0].save()` is the name `db` with
 * the path `.users].save()`, in the notation of `References`.
 */

import {
  type Binding,
  type Expression,
  extend,
  ofModule,
  type Scope,
} from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import { afterArguments } from "../scanner/Types.ts"
import type { Reader } from "./Reader.ts"

/** An expression, and the token after it. `value` is `null` if nothing is known of it. */
export interface Chain {
  readonly value: Binding
  readonly next: number
}

/**
 * Called at each member of a chain, with the part before it: `root` and then `path`. `dot` is the token before its
 * name.
 */
export type MemberVisitor = (
  reader: Reader,
  dot: number,
  root: Expression,
  path: string,
  name: string,
  scope: Scope,
) => void

/** Reads the chain that begins at a name or a module. */
export const read = (reader: Reader, from: number, scope: Scope): Chain => {
  const { next, value } = rootAt(reader, from, scope)
  return value === null ? { value, next } : readMembers(reader, next, value, scope)
}

/** Reads the beginning of a chain: a name, `require("a")`, `import("a")`, `exports` or `module.exports`. */
export const rootAt = (reader: Reader, at: number, scope: Scope): Chain => {
  const { kind } = reader
  switch (kind[at]) {
    case Token.Reserved.import:
    case Token.Contextual.require: {
      const specifier = kind[at + 1] === Token.OPEN_PAREN ? reader.specifierAt(at + 2) : undefined
      if (specifier !== undefined && reader.after(at + 1) === at + 4)
        return { value: ofModule(specifier), next: at + 4 }
      if (kind[at] === Token.Reserved.import) return { value: null, next: at + 1 }
      break
    }
    case Token.Contextual.module:
      if (kind[at + 1] === Token.DOT && reader.textIs(at + 2, "exports")) return { value: ofModule(""), next: at + 3 }
      break
    case Token.NAME:
      if (reader.textIs(at, "exports") && !isBound(scope, "exports")) return { value: ofModule(""), next: at + 1 }
  }
  return { value: { scope, root: reader.textOf(at), path: "" }, next: at + 1 }
}

/** Reads the members, calls and indices that follow a root at `from`. */
export const readMembers = (
  reader: Reader,
  from: number,
  root: Expression,
  scope: Scope,
  visit?: MemberVisitor,
): Chain => {
  const { kind } = reader
  let at = from
  let path = ""
  for (;;) {
    switch (kind[at]) {
      case Token.NOT:
        if (reader.startsLine(at)) return { value: extend(root, path), next: at }
        at++
        continue
      case Token.OPTIONAL:
        if (kind[at + 1] === Token.OPEN_PAREN || kind[at + 1] === Token.OPEN_BRACKET) {
          at++
          continue
        }
        break
      case Token.DOT:
        break
      case Token.OPEN_PAREN:
        path += "()"
        at = reader.after(at)
        continue
      case Token.OPEN_BRACKET:
        path += "]"
        at = reader.after(at)
        continue
      case Token.LESS: {
        const end = afterArguments(reader.tokens, at)
        if (end === -1 || kind[end] !== Token.OPEN_PAREN) return { value: extend(root, path), next: at }
        at = end
        continue
      }
      default:
        return { value: extend(root, path), next: at }
    }
    const member = kind[at + 1] ?? Token.END
    if (!Token.isWord(member) && member !== Token.PRIVATE) return { value: extend(root, path), next: at }
    const name = reader.textOf(at + 1)
    visit?.(reader, at, root, path, name, scope)
    // `A.prototype.b` is a member of `A`, as far as the path goes.
    if (name !== "prototype" || kind[at + 2] !== Token.DOT) path += `.${name}`
    at += 2
  }
}

const isBound = (scope: Scope, name: string): boolean => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return true
  return false
}
