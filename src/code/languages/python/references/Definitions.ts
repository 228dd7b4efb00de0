/** Functions and classes, with their decorators. */
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  functionScope,
  makeScope,
  type Scope,
} from "../../../Symbols/internal/references/Facts.ts"
import type { Owner, Reader, Returns } from "./Reader.ts"
import * as Token from "./Tokens.ts"
import { typeBetween } from "./Types.ts"
import { readAnnotation } from "./Uses.ts"
import { readChain, valueAt } from "./Value.ts"

/** Reads decorators and the definition below them, and returns the token after it. */
export const readDecorated = (reader: Reader, from: number, scope: Scope, owner: Owner): number => {
  const { kind } = reader
  const decorators: Array<string> = []
  let at = from
  while (kind[at] === Token.AT) {
    const end = reader.statementEnd(at, false)
    const [name = ""] =
      /^@\s*[\w.]+/.exec(reader.tokens.text.slice(reader.offsetOf(at), reader.tokens.end[end - 1])) ?? []
    decorators.push(name.slice(name.lastIndexOf(".") + 1).replace(/^@\s*/, ""))
    reader.scan(at + 1, end, scope)
    at = end + 1
  }
  if (reader.textIs(at, "async")) at++
  if (reader.textIs(at, "def")) return readFunction(reader, at, scope, owner, decorators)
  return reader.textIs(at, "class") ? readClass(reader, at, scope) : at
}

/**
 * Reads a function, and returns the token after its body. The result of the function is its declared type, or else the
 * first value that it returns of which anything is known.
 */
export const readFunction = (
  reader: Reader,
  at: number,
  scope: Scope,
  owner: Owner,
  decorators: ReadonlyArray<string>,
): number => {
  const { facts, kind } = reader
  const name = reader.textOf(at + 1)
  const ordinal = declare(reader, at + 1, scope)
  let open = at + 2
  if (kind[open] === Token.OPEN_BRACKET) open = reader.after(open)
  if (kind[open] !== Token.OPEN_PAREN) return open
  const inner = makeScope(scope, reader.offsetOf(open))
  const isMethod = owner.ordinal >= 0
  if (isMethod) {
    const self = absolute(`#${owner.ordinal}`, "@")
    inner.names.set("super", extend(self, "^"))
    inner.names.set("Self", absolute(`#${owner.ordinal}`))
    inner.names.set("__class__", absolute(`#${owner.ordinal}`))
  }
  declareParameters(
    reader,
    open,
    inner,
    scope,
    isMethod && !decorators.includes("staticmethod") ? receiver(owner, name, decorators) : null,
  )
  let colon = reader.after(open)
  let result: Binding = null
  let isDeclared = false
  if (kind[colon] === Token.ARROW) {
    const end = reader.statementEnd(colon, true)
    result = typeBetween(reader, colon + 1, end, inner)
    readAnnotation(reader, colon + 1, end, inner)
    isDeclared = true
    colon = end
  }
  const outer = reader.returns
  const returns: Returns = { value: null, isGenerator: false }
  reader.returns = returns
  const next = reader.readBlock(colon, inner, { ordinal: -1 })
  reader.returns = outer
  if (!isDeclared && !returns.isGenerator) result = returns.value
  // `with` and `for` receive the values that such functions yield.
  if (isDeclared && decorators.some((each) => each.endsWith("contextmanager")) && result?.path.endsWith("["))
    result = { ...result, path: result.path.slice(0, -1) }
  facts.value(ordinal, result)
  if (ordinal >= 0 && decorators.includes("overload")) facts.overloads.push(ordinal)
  const isProperty = decorators.some((each) => /property$/.test(each))
  if (isMethod && isProperty) facts.field(owner.ordinal, name, result)
  return next
}

/** Declares the parameters in brackets at `open`. `self` is the value of the first one. */
const declareParameters = (reader: Reader, open: number, inner: Scope, scope: Scope, self: Binding): void => {
  const { kind } = reader
  const end = reader.after(open) - 1
  let isFirst = true
  for (let at = open + 1; at < end; ) {
    let isStarred = false
    while (kind[at] === Token.STAR || kind[at] === Token.OPERATOR || kind[at] === 47) {
      isStarred = true
      at++
    }
    let last = at
    let colon = -1
    let equals = -1
    for (; last < end && kind[last] !== Token.COMMA; last = reader.after(last)) {
      if (kind[last] === Token.COLON && colon === -1 && equals === -1) colon = last
      else if (kind[last] === Token.EQUALS && equals === -1) equals = last
    }
    if (reader.isName(at)) {
      let value: Binding = isFirst && !isStarred ? self : null
      const typeEnd = equals === -1 ? last : equals
      if (colon !== -1) {
        const declared = typeBetween(reader, colon + 1, typeEnd, scope)
        value = isStarred ? extend(declared, "[") : (declared ?? value)
        readAnnotation(reader, colon + 1, typeEnd, scope)
      } else if (equals !== -1) value ??= valueAt(reader, equals + 1, scope).value
      if (equals !== -1) reader.scan(equals + 1, last, scope)
      inner.names.set(reader.textOf(at), value)
      isFirst = false
    }
    at = last + 1
  }
}

/** Returns the value of the first parameter of a method. */
const receiver = ({ ordinal }: Owner, name: string, decorators: ReadonlyArray<string>): Expression => {
  const isClass = decorators.includes("classmethod") || classMethods.has(name)
  return absolute(`#${ordinal}`, isClass ? "" : "@")
}

/** Methods that receive the class without a decorator. */
const classMethods: ReadonlySet<string> = new Set(["__new__", "__init_subclass__", "__class_getitem__"])

/**
 * Reads a class with its bases, and returns the token after its body. The names of the body are not visible in its
 * methods.
 */
export const readClass = (reader: Reader, at: number, scope: Scope): number => {
  const { facts, kind } = reader
  const ordinal = declare(reader, at + 1, scope)
  let open = at + 2
  if (kind[open] === Token.OPEN_BRACKET) open = reader.after(open)
  if (kind[open] === Token.OPEN_PAREN) {
    const end = reader.after(open) - 1
    for (let part = open + 1; part < end; ) {
      let last = part
      while (last < end && kind[last] !== Token.COMMA) last = reader.after(last)
      if (kind[part + 1] !== Token.EQUALS) {
        const { value } = readChain(reader, part, scope, false)
        facts.base(ordinal, value && { ...value, path: value.path.replace(/\]$/, "") })
      }
      part = last + 1
    }
    reader.scan(open, end + 1, scope)
  }
  const inner = makeScope(scope, reader.offsetOf(at + 1), true)
  return reader.readBlock(reader.statementEnd(at, true), inner, { ordinal })
}

/** Binds the name at a token to its symbol, and returns the ordinal of that symbol; -1 for a name without one. */
const declare = (reader: Reader, at: number, scope: Scope): number => {
  const name = reader.textOf(at)
  const where = functionScope(scope)
  const ordinal = reader.facts.symbolNamed(name, reader.offsetOf(at), where)
  // The last of several overloads has the body.
  if (ordinal >= 0) where.names.set(name, absolute(`#${ordinal}`))
  else bind(where, name, null)
  return ordinal
}
