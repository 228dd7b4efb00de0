/** Uses of names and of the members after them, and assignments, which show the values of names and members. */

import type { Expression, Scope } from "../../../Symbols/internal/references/Facts.ts"
import * as Token from "../scanner/Token.ts"
import * as Chain from "./Chain.ts"
import { readExportsAssignment, readExtensions } from "./CommonJs.ts"
import type { Reader } from "./Reader.ts"
import { readChain, rootAt, valueAt } from "./Value.ts"

/** Reads the uses in the chain that begins at a token: `a.b.c()` uses `a`, `a.b` and `a.b.c`. */
export const readUses = (reader: Reader, from: number, scope: Scope): void => {
  const { facts, kind } = reader
  const { next, value: root } = rootAt(reader, from, scope)
  if (root === null) return
  if (kind[from] !== Token.OPEN_PAREN) {
    if (root.scope === undefined) readModule(reader, from, next, scope)
    else if (kind[from] !== Token.Contextual.require) {
      const isKnown = scope.names.known.has(root.root)
      if (kind[next] === Token.EQUALS) readAssignment(reader, from, scope)
      else if (isKnown && kind[from] !== Token.Reserved.this && kind[from] !== Token.Reserved.super)
        facts.use(scope, root.root, "", reader.offsetOf(from))
      // This is a local name of which nothing is known, or a global one.
      if (!isKnown) return
    }
  }
  Chain.readMembers(reader, next, root, scope, from === reader.passedOn ? undefined : readMember)
}

/** Reads what follows a module: `require("./a")(B)`, `exports.a = …`, `module.exports = …`. */
const readModule = (reader: Reader, from: number, next: number, scope: Scope): void => {
  const { kind } = reader
  const isOther = kind[from] === Token.Reserved.import || kind[from] === Token.Contextual.require
  if (isOther) {
    const specifier = kind[next] === Token.OPEN_PAREN ? reader.specifierAt(from + 2) : undefined
    if (specifier !== undefined) readExtensions(reader, next, specifier, scope)
  } else if (kind[next] === Token.EQUALS) readExportsAssignment(reader, "=", next + 1, scope)
  else if (kind[next] === Token.DOT && kind[next + 2] === Token.EQUALS)
    readExportsAssignment(reader, reader.textOf(next + 1), next + 3, scope)
}

/** Reads a member of a chain. Its parameters are those of `Chain.MemberVisitor`. */
const readMember: Chain.MemberVisitor = (reader, dot, root, path, name, scope) => {
  const { kind } = reader
  const next = dot + 2
  if (name === "prototype") {
    const instance = { ...root, path: `${root.path}${path}@` }
    reader.facts.constructs({ ...root, path: root.path + path })
    if (kind[next] === Token.DOT) {
      // `A.prototype.b = function …`
      if (kind[dot + 4] === Token.EQUALS) reader.receivers.set(dot + 5, instance)
      return
    }
    // `A.prototype = {…}` and `Object.assign(A.prototype, {…})`
    if (kind[next] === Token.EQUALS || kind[next] === Token.COMMA) setReceivers(reader, next + 1, instance)
  }
  if (kind[next] === Token.OPEN_PAREN && iterations.has(name)) {
    const callback = kind[next + 1] === Token.Contextual.async ? next + 2 : next + 1
    reader.elements.set(callback, { ...root, path: `${root.path}${path}]` })
  }
  const whole = `${path}.${name}`
  if (kind[next] === Token.EQUALS) readMemberAssignment(reader, dot, root, whole, scope)
  else reader.facts.use(root.scope, root.root, root.path + whole, reader.offsetOf(dot + 1))
}

/** Sets the meaning of `this` in the methods of an object literal. */
const setReceivers = (reader: Reader, open: number, receiver: Expression): void => {
  const { kind } = reader
  if (kind[open] !== Token.OPEN_BRACE) return
  const end = reader.after(open) - 1
  for (let at = open + 1; at < end; at = reader.after(at)) {
    if (kind[at] === Token.COLON) reader.receivers.set(at + 1, receiver)
    else if (kind[at + 1] === Token.OPEN_PAREN) reader.receivers.set(at, receiver)
  }
}

/** Reads a decorator, and returns the token after it. */
export const readDecorator = (reader: Reader, at: number, scope: Scope): number => {
  const { next } = readChain(reader, at + 1, scope)
  readUses(reader, at + 1, scope)
  for (let part = at + 1; part < next; part++) {
    if (reader.kind[part] === Token.OPEN_PAREN) {
      reader.scan(part + 1, reader.after(part) - 1, scope)
      part = reader.after(part) - 1
    }
  }
  return Math.max(next, at + 1)
}

/** Reads `a = value`: the value of a name without another declaration. */
const readAssignment = (reader: Reader, at: number, scope: Scope): void => {
  const name = reader.textOf(at)
  for (let where: Scope | undefined = scope; where !== undefined; where = where.outer) {
    const binding = where.names.get(name)
    if (binding === undefined) continue
    if (binding === null) where.names.set(name, valueAt(reader, at + 2, scope).value)
    return
  }
}

/** Reads `this.a = value` and `A.b = function () {}`. The name at `dot + 1` is assigned to. */
const readMemberAssignment = (reader: Reader, dot: number, root: Expression, path: string, scope: Scope): void => {
  const { facts } = reader
  if (root.root === "this" && path.lastIndexOf(".") === 0) {
    const owner = ownerOf(scope)
    if (owner !== undefined) facts.field(owner, path.slice(1), valueAt(reader, dot + 3, scope).value)
  }
  const offset = reader.offsetOf(dot + 1)
  const symbol = facts.symbols[facts.symbolAt(offset)]
  const isDefinition = symbol?.name === path.slice(path.lastIndexOf(".") + 1)
  if (isDefinition) return
  facts.use(root.scope, root.root, root.path + path, offset)
  if (root.root !== "this") facts.member({ ...root, path: root.path + path }, valueAt(reader, dot + 3, scope).value)
}

/** Returns the class of `this`. */
const ownerOf = (scope: Scope): number | undefined => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const self = at.names.get("this")
    if (self === undefined) continue
    const [, ordinal] = /^#(\d+)$/.exec(self?.root ?? "") ?? []
    return ordinal === undefined ? undefined : Number(ordinal)
  }
  return undefined
}

/** Methods of collections with callbacks that take an element first. */
const iterations: ReadonlySet<string> = new Set([
  "map",
  "forEach",
  "filter",
  "find",
  "findLast",
  "findIndex",
  "some",
  "every",
  "flatMap",
  "sort",
])
