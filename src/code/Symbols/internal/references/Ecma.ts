/**
 * Reads references of TypeScript and JavaScript off the tokens of the scanner, in one pass: scopes, imports, exports, types
 * that are declared or constructed in sight, and uses of names with the members after them.
 */
import type { CodeSymbol } from "../../../Symbols.ts"
import { afterExpression, afterHeader, afterHeritage } from "../scanner/Expression.ts"
import * as Token from "../scanner/Token.ts"
import { afterArguments, afterParameters, afterType } from "../scanner/Types.ts"
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  Facts,
  functionScope,
  makeScope,
  ofModule,
  type Scope,
} from "./Facts.ts"

/** The references of a file, as `References.encode` writes them. */
export const read = (tokens: Token.Tokens, symbols: ReadonlyArray<CodeSymbol>): string => {
  const reader = new Reader(tokens, symbols)
  const file = makeScope(undefined, 0)
  // Functions and classes can be used before they are declared.
  for (const { name } of symbols) file.names.known.add(name)
  reader.scan(0, tokens.count, file)
  return reader.facts.encode()
}

/** Deeper nested code is passed over. */
const MAX_DEPTH = 100

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

const collections: ReadonlySet<string> = new Set(["Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable"])

/** Methods of collections whose callbacks take an element first. */
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

interface Chain {
  readonly value: Binding
  readonly next: number
}

class Reader {
  readonly facts: Facts
  private readonly tokens: Token.Tokens
  private readonly kind: Uint8Array
  private readonly match: Int32Array
  private depth = 0
  /** What the first parameter of a function holds, by its first token: the callback of an iteration. */
  private readonly elements = new Map<number, Expression>()
  /** What `this` is in a function, by its first token: a method that is assigned to a prototype. */
  private readonly receivers = new Map<number, Expression>()
  /** Where an expression begins that is exported as it is. */
  private passedOn = -1
  /** The bracket before the parameters of the function that the file exports. */
  private exportedFunction = -1

  constructor(tokens: Token.Tokens, symbols: ReadonlyArray<CodeSymbol>) {
    this.tokens = tokens
    this.kind = tokens.kind
    this.match = tokens.match
    this.facts = new Facts(tokens.text, symbols)
  }

  private textOf(at: number): string {
    return this.tokens.text.slice(this.tokens.start[at], this.tokens.end[at])
  }
  private textIs(at: number, word: string): boolean {
    const from = this.tokens.start[at] ?? 0
    return (this.tokens.end[at] ?? 0) - from === word.length && this.tokens.text.startsWith(word, from)
  }
  private offset(at: number): number {
    return this.tokens.start[at] ?? 0
  }
  private after(at: number): number {
    return Math.max(at, this.match[at] ?? at) + 1
  }
  private nameable(at: number): boolean {
    return Token.isNameable(this.kind[at] ?? Token.END)
  }
  private startsLine(at: number): boolean {
    return this.tokens.isFirst[at] === 1
  }
  private specifier(at: number): string | undefined {
    if (this.kind[at] !== Token.STRING) return undefined
    const text = this.textOf(at).slice(1, -1)
    return /^[^"\\\p{Cc}]+$/u.test(text) ? text : undefined
  }

  scan(from: number, to: number, scope: Scope): void {
    if (this.depth >= MAX_DEPTH) return
    this.depth++
    for (let at = from; at < to; ) at = Math.max(at + 1, this.step(at, to, scope))
    this.depth--
  }

  /** Reads what begins at a token; the token after it. */
  private step(at: number, to: number, scope: Scope): number {
    const { kind } = this
    const token = kind[at] ?? Token.END
    const next = kind[at + 1] ?? Token.END
    const before = kind[at - 1] ?? Token.END
    switch (token) {
      case Token.DOT:
      case Token.OPTIONAL:
        return Token.isWord(next) || next === Token.PRIVATE ? at + 2 : at + 1
      case Token.OPEN_BRACE: {
        const end = this.after(at)
        this.scan(at + 1, end - 1, makeScope(scope, scope.start))
        return end
      }
      case Token.OPEN_PAREN: {
        const arrow = this.arrowAfter(at)
        if (arrow !== -1) return this.arrow(at, arrow, to, scope)
        const end = this.after(at)
        if (kind[end] === Token.DOT || kind[end] === Token.OPTIONAL) this.chain(at, scope, true)
        return at + 1
      }
      case Token.ELEMENT:
        return this.element(at, scope)
      case Token.Reserved.import:
        return this.importStatement(at, scope)
      case Token.Reserved.export:
        return this.exportStatement(at, scope)
      case Token.Reserved.const:
        return next === Token.Reserved.enum ? this.enumeration(at + 1, scope) : this.variables(at, to, scope)
      case Token.Reserved.var:
        return this.variables(at, to, scope)
      case Token.Reserved.enum:
        return this.enumeration(at, scope)
      case Token.Reserved.function:
        return this.functionAt(at, scope)
      case Token.Reserved.class:
        return this.classAt(at, scope)
      case Token.Reserved.catch: {
        if (next !== Token.OPEN_PAREN) return at + 1
        const inner = makeScope(scope, scope.start)
        const body = this.after(at + 1)
        this.parameters(at + 1, inner)
        if (kind[body] !== Token.OPEN_BRACE) return body
        this.scan(body + 1, this.after(body) - 1, inner)
        return this.after(body)
      }
      case Token.Reserved.for:
        return this.loop(at, to, scope)
      case Token.Reserved.this:
      case Token.Reserved.super:
        this.chain(at, scope, true)
        return at + 1
      case Token.Contextual.let:
        return this.nameable(at + 1) || next === Token.OPEN_BRACE || next === Token.OPEN_BRACKET
          ? this.variables(at, to, scope)
          : at + 1
      case Token.Contextual.type:
        if (this.nameable(at + 1) && !this.startsLine(at + 1)) {
          const value = kind[at + 2] === Token.LESS ? afterParameters(this.tokens, at + 2) : at + 2
          if (value !== -1 && kind[value] === Token.EQUALS) return this.typeAlias(at, value, scope)
        }
        break
      case Token.Contextual.interface:
        if (this.nameable(at + 1) && !this.startsLine(at + 1)) return this.interfaceAt(at, scope)
        break
      case Token.Contextual.namespace:
      case Token.Contextual.module:
        if ((this.nameable(at + 1) || next === Token.STRING) && !this.startsLine(at + 1))
          return this.namespace(at, scope)
        break
      case Token.Contextual.as:
      case Token.Contextual.satisfies:
        if (!this.startsLine(at) && this.isOperandEnd(at - 1) && !this.isOperatorNext(at + 1)) {
          if (next === Token.Reserved.const) return at + 2
          const end = afterType(this.tokens, at + 1)
          if (end === -1) return at + 1
          this.scanType(at + 1, end, scope)
          return end
        }
        break
      case Token.Contextual.async:
      case Token.Contextual.await:
      case Token.Contextual.abstract:
      case Token.Contextual.declare:
      case Token.Contextual.yield:
        if (!this.startsLine(at + 1) && !this.isOperatorNext(at + 1)) return at + 1
        break
      case Token.Contextual.of:
        return at + 1
    }
    if (!Token.isNameable(token)) return at + 1
    if (next === Token.ARROW) return this.arrow(at, at + 1, to, scope)
    // The key of an object literal, or a label.
    if (next === Token.COLON && (before === Token.OPEN_BRACE || before === Token.COMMA)) return at + 2
    if (next === Token.OPEN_PAREN && this.isMethodKey(before)) {
      const body = this.after(at + 1)
      if (kind[body] === Token.OPEN_BRACE || kind[body] === Token.COLON) {
        const header = afterHeader(this.tokens, at + 1)
        if (header !== -1 && kind[header] === Token.OPEN_BRACE) return this.body(at + 1, header, scope, null)
      }
    }
    this.chain(at, scope, true)
    return at + 1
  }

  private isMethodKey(before: number): boolean {
    return (
      before === Token.OPEN_BRACE ||
      before === Token.COMMA ||
      before === Token.STAR ||
      before === Token.Contextual.async ||
      before === Token.Contextual.get ||
      before === Token.Contextual.set
    )
  }
  private isOperandEnd(at: number): boolean {
    const token = this.kind[at] ?? Token.END
    return (
      Token.isNameable(token) ||
      token === Token.CLOSE_PAREN ||
      token === Token.CLOSE_BRACKET ||
      token === Token.CLOSE_BRACE ||
      token === Token.STRING ||
      token === Token.NUMBER ||
      token === Token.TEMPLATE ||
      token === Token.TEMPLATE_END ||
      token === Token.NOT ||
      token === Token.Reserved.this ||
      token === Token.Reserved.null
    )
  }
  /** Whether a word before the token is an identifier: an operator or an end follows. */
  private isOperatorNext(at: number): boolean {
    const token = this.kind[at] ?? Token.END
    return (
      token === Token.DOT ||
      token === Token.OPTIONAL ||
      token === Token.EQUALS ||
      token === Token.COMMA ||
      token === Token.CLOSE_PAREN ||
      token === Token.CLOSE_BRACKET ||
      token === Token.CLOSE_BRACE ||
      token === Token.SEMICOLON ||
      token === Token.COLON ||
      token === Token.BINARY ||
      token === Token.END
    )
  }

  /** The expression that begins at a token, as far as it is names, members and calls. `isUse`: these are uses. */
  private chain(from: number, scope: Scope, isUse: boolean): Chain {
    const { kind, tokens } = this
    let at = from
    let root: Expression
    let path = ""
    switch (kind[at]) {
      case Token.OPEN_PAREN: {
        const end = this.after(at)
        if (this.depth >= MAX_DEPTH) return { value: null, next: end }
        this.depth++
        const inner = this.operand(at + 1, scope)
        this.depth--
        if (inner.value === null || inner.next !== end - 1) return { value: null, next: end }
        root = inner.value
        at = end
        break
      }
      case Token.Reserved.import:
      case Token.Contextual.require: {
        const specifier = kind[at + 1] === Token.OPEN_PAREN ? this.specifier(at + 2) : undefined
        if (specifier !== undefined && this.after(at + 1) === at + 4) {
          root = ofModule(specifier)
          at += 4
          if (isUse && kind[at] === Token.OPEN_PAREN) this.extensions(at, specifier, scope)
          break
        }
        if (kind[at] === Token.Reserved.import) return { value: null, next: at + 1 }
        root = { scope, root: this.textOf(at), path: "" }
        at++
        break
      }
      default:
        root = { scope, root: this.textOf(at), path: "" }
        if (kind[at] === Token.Contextual.module && kind[at + 1] === Token.DOT && this.textIs(at + 2, "exports")) {
          root = ofModule("")
          if (isUse && kind[at + 3] === Token.EQUALS) this.exportsAssigned("=", at + 4, scope)
          else if (isUse && kind[at + 3] === Token.DOT && kind[at + 5] === Token.EQUALS)
            this.exportsAssigned(this.textOf(at + 4), at + 6, scope)
          at += 3
        } else if (this.textIs(at, "exports") && kind[at] === Token.NAME && !isBound(scope, "exports")) {
          root = ofModule("")
          if (isUse && kind[at + 1] === Token.EQUALS) this.exportsAssigned("=", at + 2, scope)
          else if (isUse && kind[at + 1] === Token.DOT && kind[at + 3] === Token.EQUALS)
            this.exportsAssigned(this.textOf(at + 2), at + 4, scope)
          at++
        } else {
          // A local name of which nothing is known, or a global one.
          if (isUse && !scope.names.known.has(root.root)) {
            if (kind[at + 1] === Token.EQUALS) this.assigned(at, scope)
            return { value: null, next: at + 1 }
          }
          if (isUse && kind[at] !== Token.Reserved.this && kind[at] !== Token.Reserved.super) {
            if (kind[at + 1] !== Token.EQUALS) this.facts.use(scope, root.root, "", this.offset(at))
            else this.assigned(at, scope)
          }
          at++
        }
    }
    for (;;) {
      switch (kind[at]) {
        case Token.NOT:
          if (this.startsLine(at)) return { value: extend(root, path), next: at }
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
          at = this.after(at)
          continue
        case Token.OPEN_BRACKET:
          path += "]"
          at = this.after(at)
          continue
        case Token.LESS: {
          const end = afterArguments(tokens, at)
          if (end === -1 || kind[end] !== Token.OPEN_PAREN) return { value: extend(root, path), next: at }
          at = end
          continue
        }
        default:
          return { value: extend(root, path), next: at }
      }
      const member = kind[at + 1] ?? Token.END
      if (!Token.isWord(member) && member !== Token.PRIVATE) return { value: extend(root, path), next: at }
      const name = this.textOf(at + 1)
      if (kind[at + 2] === Token.OPEN_PAREN && iterations.has(name) && isUse) {
        const callback = kind[at + 3] === Token.Contextual.async ? at + 4 : at + 3
        this.elements.set(callback, { ...root, path: `${root.path}${path}]` })
      }
      // `a.prototype.b = function …` and `a.b.bind(c)`
      if (name === "prototype" && kind[at + 2] === Token.DOT) {
        if (isUse && kind[at + 4] === Token.EQUALS)
          this.receivers.set(at + 5, { ...root, path: `${root.path}${path}@` })
        at += 2
        continue
      }
      path += `.${name}`
      if (isUse) {
        const isTarget = kind[at + 2] === Token.EQUALS
        if (isTarget) this.memberAssigned(at, root, path, scope)
        else if (from !== this.passedOn) {
          this.facts.use(root.scope, root.root, root.path + path, this.offset(at + 1))
        }
      }
      at += 2
    }
  }

  /** An operand with its prefixes, and no other operator after it than one that keeps its value. */
  private operand(from: number, scope: Scope): Chain {
    const { kind } = this
    let at = from
    let isNew = false
    for (; ; at++) {
      if (kind[at] === Token.Reserved.new) isNew = true
      else if (kind[at] !== Token.Contextual.await) break
    }
    const token = kind[at] ?? Token.END
    const isStart =
      Token.isNameable(token) ||
      token === Token.Reserved.this ||
      token === Token.Reserved.super ||
      token === Token.Reserved.import ||
      token === Token.OPEN_PAREN
    if (!isStart) return { value: null, next: at }
    if (token === Token.OPEN_PAREN && this.arrowAfter(at) !== -1) return { value: null, next: at }
    if (token === Token.Contextual.async && !this.isOperatorNext(at + 1)) return { value: null, next: at }
    if (kind[at + 1] === Token.ARROW) return { value: null, next: at }
    let { next, value } = this.chain(at, scope, false)
    if (isNew && kind[next - 1] !== Token.CLOSE_PAREN) value = extend(value, "()")
    while (
      (kind[next] === Token.Contextual.as || kind[next] === Token.Contextual.satisfies) &&
      !this.startsLine(next)
    ) {
      const isConst = kind[next + 1] === Token.Reserved.const
      const end = isConst ? next + 2 : afterType(this.tokens, next + 1)
      if (end === -1) return { value: null, next }
      if (!isConst) value = this.typeExpression(next + 1, scope).value
      next = end
    }
    // The value on the left of `??` and `||` is the usual one.
    if (kind[next] === Token.BINARY && (this.textIs(next, "??") || this.textIs(next, "||"))) return { value, next }
    const isEnd =
      this.startsLine(next) ||
      kind[next] === Token.END ||
      kind[next] === Token.SEMICOLON ||
      kind[next] === Token.COMMA ||
      kind[next] === Token.CLOSE_PAREN ||
      kind[next] === Token.CLOSE_BRACKET ||
      kind[next] === Token.CLOSE_BRACE
    return isEnd ? { value, next } : { value: null, next }
  }

  /** `a = value`, which tells what a name without another declaration holds. */
  private assigned(at: number, scope: Scope): void {
    const name = this.textOf(at)
    for (let where: Scope | undefined = scope; where !== undefined; where = where.outer) {
      const binding = where.names.get(name)
      if (binding === undefined) continue
      if (binding === null) where.names.set(name, this.operand(at + 2, scope).value)
      return
    }
  }

  /** `this.a = value` and `A.b = function () {}`. The name at `dot + 1` is assigned to. */
  private memberAssigned(dot: number, root: Expression, path: string, scope: Scope): void {
    const { facts } = this
    if (root.root === "this" && path.lastIndexOf(".") === 0) {
      const owner = ownerOf(scope)
      if (owner !== undefined) facts.field(owner, path.slice(1), this.operand(dot + 3, scope).value)
    }
    const offset = this.offset(dot + 1)
    const symbol = facts.symbols[facts.symbolAt(offset)]
    const isDefinition = symbol?.name === path.slice(path.lastIndexOf(".") + 1)
    if (isDefinition) return
    facts.use(root.scope, root.root, root.path + path, offset)
    if (root.root !== "this") facts.member({ ...root, path: root.path + path }, this.operand(dot + 3, scope).value)
  }

  /** What is assigned to `exports`, `module.exports` (`=`) or one of their members. */
  private exportsAssigned(name: string, at: number, scope: Scope): void {
    const { facts, kind } = this
    const start = kind[at] === Token.Contextual.async ? at + 1 : at
    if (kind[start] === Token.OPEN_BRACE && name === "=") {
      this.exportedObject(start, scope)
      return
    }
    if (
      kind[start] === Token.Reserved.function ||
      kind[start] === Token.Reserved.class ||
      this.arrowAfter(start) !== -1
    ) {
      const owned = facts.symbolAt(this.offset(at))
      const symbol = facts.symbols[owned]
      const isIt = symbol !== undefined && symbol.start >= scope.start
      if (isIt) facts.export(name, absolute(`#${owned}`))
      if (name === "=" && kind[start] !== Token.Reserved.class) {
        const open = kind[start] === Token.OPEN_PAREN ? start : this.parenAfter(start)
        facts.parameters = this.parameterNames(open)
        this.exportedFunction = open
      }
      return
    }
    // `exports = module.exports = …` is read at its last target.
    if (this.textIs(start, "exports") || this.textIs(start, "module")) return
    const { value } = this.operand(at, scope)
    // `exports.a = require("./b").a` passes an export on, as `export { a } from "./b"` does, and does not use it.
    if (kind[at] === Token.Contextual.require && value !== null && !/[^\w$.]/.test(value.path)) this.passedOn = at
    facts.export(name, value)
  }

  private parenAfter(at: number): number {
    let paren = at
    while (this.kind[paren] !== Token.OPEN_PAREN && paren < at + 4) paren++
    return paren
  }

  private parameterNames(open: number): ReadonlyArray<string> {
    const names: Array<string> = []
    const end = this.after(open) - 1
    for (let at = open + 1; at < end; at = this.after(at)) {
      if (this.nameable(at) && (at === open + 1 || this.kind[at - 1] === Token.COMMA)) names.push(this.textOf(at))
    }
    return names
  }

  /** `module.exports = { a, b: c, ...d }` */
  private exportedObject(open: number, scope: Scope): void {
    const { facts, kind } = this
    const end = this.after(open) - 1
    for (let at = open + 1; at < end; at = this.after(at)) {
      const isFirst = at === open + 1 || kind[at - 1] === Token.COMMA
      if (!isFirst) continue
      if (kind[at] === Token.SPREAD) facts.export("*", this.operand(at + 1, scope).value)
      else if (!Token.isWord(kind[at] ?? 0) && kind[at] !== Token.STRING) continue
      else if (kind[at + 1] === Token.COLON) {
        const name = kind[at] === Token.STRING ? this.specifier(at) : this.textOf(at)
        const value = this.operand(at + 2, scope).value
        if (name !== undefined && value !== null) facts.export(name, value)
      } else if (kind[at + 1] === Token.COMMA || at + 1 === end)
        facts.export(this.textOf(at), { scope, root: this.textOf(at), path: "" })
    }
  }

  /** `require("./a")(B, c)`: the other module may add members to the arguments. */
  private extensions(open: number, specifier: string, scope: Scope): void {
    const { facts, kind } = this
    const end = this.after(open) - 1
    let argument = 0
    for (let at = open + 1; at < end; at = this.after(at)) {
      const isWhole = kind[at + 1] === Token.COMMA || at + 1 === end
      const isFirst = at === open + 1 || kind[at - 1] === Token.COMMA
      if (isWhole && isFirst && this.nameable(at))
        facts.extension({ scope, root: this.textOf(at), path: "" }, specifier, argument)
      if (kind[at] === Token.COMMA) argument++
    }
  }

  /** The arrow after parameters that begin at `(`; -1 where it is no arrow function. */
  private arrowAfter(open: number): number {
    const { kind } = this
    if (kind[open] !== Token.OPEN_PAREN) return -1
    const after = this.after(open)
    if (kind[after] === Token.ARROW) return after
    if (kind[after] !== Token.COLON) return -1
    const isParameters =
      after === open + 2 ||
      ((this.nameable(open + 1) ||
        kind[open + 1] === Token.OPEN_BRACE ||
        kind[open + 1] === Token.OPEN_BRACKET ||
        kind[open + 1] === Token.SPREAD) &&
        kind[open - 1] !== Token.QUESTION)
    if (!isParameters) return -1
    const end = afterType(this.tokens, after + 1)
    return end !== -1 && kind[end] === Token.ARROW ? end : -1
  }

  /** Reads an arrow function from its parameters; the token after it. */
  private arrow(from: number, arrow: number, to: number, scope: Scope): number {
    const { kind } = this
    const inner = makeScope(scope, this.offset(from))
    const element = this.elements.get(from)
    if (kind[from] === Token.OPEN_PAREN) {
      this.parameters(from, inner, element)
      this.annotation(this.after(from), arrow, inner)
    } else bind(inner, this.textOf(from), element ?? null)
    const body = arrow + 1
    const end = kind[body] === Token.OPEN_BRACE ? this.after(body) : this.expressionEnd(body, to)
    if (kind[body] === Token.OPEN_BRACE) this.scan(body + 1, end - 1, inner)
    else this.scan(body, end, inner)
    return end
  }

  /** The token after the expression at `from`, at most `to`. */
  private expressionEnd(from: number, to: number): number {
    const end = afterExpression(this.tokens, from)
    if (end !== -1) return Math.min(end, to)
    let at = from
    while (at < to && this.kind[at] !== Token.COMMA && this.kind[at] !== Token.SEMICOLON) at = this.after(at)
    return Math.min(at, to)
  }

  /** Uses in `: type` between two tokens. */
  private annotation(from: number, to: number, scope: Scope): void {
    if (this.kind[from] === Token.COLON) this.scanType(from + 1, to, scope)
  }

  /** Reads `function a(…) {…}`; the token after it. */
  private functionAt(at: number, scope: Scope): number {
    const { facts, kind } = this
    const name = kind[at + 1] === Token.STAR ? at + 2 : at + 1
    let open = name
    let ordinal = -1
    if (this.nameable(name)) {
      const text = this.textOf(name)
      ordinal = facts.symbolNamed(text, this.offset(name), scope)
      if (ordinal >= 0) scope.names.set(text, absolute(`#${ordinal}`))
      else bind(scope, text, null)
      open = name + 1
    }
    const body = afterHeader(this.tokens, open)
    if (body === -1) return open
    const paren = kind[open] === Token.LESS ? afterParameters(this.tokens, open) : open
    this.returns(ordinal, this.after(paren), scope)
    if (kind[body] !== Token.OPEN_BRACE) {
      this.parameters(paren, makeScope(scope, this.offset(at)))
      return body
    }
    return this.body(open, body, scope, this.receivers.get(at) ?? null, this.elements.get(at))
  }

  /** The type that a function returns, where one is declared after its parameters. */
  private returns(ordinal: number, colon: number, scope: Scope): void {
    if (ordinal >= 0 && this.kind[colon] === Token.COLON)
      this.facts.value(ordinal, this.typeExpression(colon + 1, scope).value)
  }

  /** Reads a function from its type parameters or parameters; the token after its body. */
  private body(open: number, body: number, scope: Scope, receiver: Binding, element?: Expression): number {
    const { kind } = this
    const inner = makeScope(scope, this.offset(open))
    inner.names.set("this", receiver)
    inner.names.set("super", receiver === null ? null : extend(receiver, "^"))
    const paren = kind[open] === Token.LESS ? afterParameters(this.tokens, open) : open
    if (kind[open] === Token.LESS) this.typeParameters(open, paren, inner)
    this.parameters(paren, inner, element)
    this.annotation(this.after(paren), body, inner)
    const end = this.after(body)
    this.scan(body + 1, end - 1, inner)
    return end
  }

  /** Declares type parameters, and reads their constraints. */
  private typeParameters(from: number, to: number, scope: Scope): void {
    let level = 0
    for (let at = from; at < to; at++) {
      if (this.kind[at] === Token.LESS) level++
      else if (this.kind[at] === Token.GREATER) level--
      const before = this.kind[at - 1]
      const isName = this.nameable(at) && level === 1
      if (isName && (before === Token.LESS || before === Token.COMMA || before === Token.Reserved.const))
        bind(scope, this.textOf(at), this.constraint(at + 1, scope))
    }
    this.scanType(from + 1, to - 1, scope)
  }

  /** A type parameter stands for the type that it extends. */
  private constraint(at: number, scope: Scope): Binding {
    const { value } = this.kind[at] === Token.Reserved.extends ? this.typeExpression(at + 1, scope) : { value: null }
    return value?.path.endsWith("@") ? { ...value, path: value.path.slice(0, -1) } : null
  }

  /** Declares the parameters in brackets at `open`; `owner`: the class whose constructor it is. */
  private parameters(open: number, scope: Scope, element?: Expression, owner = -1): void {
    const { facts, kind, tokens } = this
    if (kind[open] !== Token.OPEN_PAREN) return
    const end = this.after(open) - 1
    let isFirst = true
    let position = 0
    for (let at = open + 1; at < end; ) {
      while (kind[at] === Token.AT) at = this.decorator(at, scope)
      let isProperty = false
      while (isModifier.has(kind[at] ?? 0) && this.nameable(at + 1)) {
        isProperty = true
        at++
      }
      if (kind[at] === Token.SPREAD) at++
      const start = at
      const isPattern = kind[at] === Token.OPEN_BRACE || kind[at] === Token.OPEN_BRACKET
      let next = isPattern ? this.after(at) : at + 1
      if (kind[next] === Token.QUESTION) next++
      let value: Binding = isFirst ? (element ?? null) : null
      if (open === this.exportedFunction) value = absolute(`%${position}`)
      isFirst = false
      position++
      if (kind[next] === Token.COLON) {
        const type = afterType(tokens, next + 1)
        value = this.typeExpression(next + 1, scope).value
        if (kind[start - 1] === Token.SPREAD && value?.path.endsWith("[") !== true) value = null
        if (type === -1) return
        this.scanType(next + 1, type, scope)
        next = type
      }
      if (kind[next] === Token.EQUALS) {
        value ??= this.operand(next + 1, scope).value
        const after = this.expressionEnd(next + 1, end)
        this.scan(next + 1, after, scope)
        next = after
      }
      this.pattern(start, value, scope, false)
      if (isProperty) facts.field(owner, this.textOf(start), value)
      at = next + 1
    }
  }

  /** Declares the names in a pattern; the token after it. `isSymbol`: names may be those of symbols. */
  private pattern(at: number, value: Binding, scope: Scope, isSymbol: boolean): number {
    const { kind } = this
    if (this.nameable(at)) {
      this.declareName(at, value, scope, isSymbol)
      return at + 1
    }
    const isObject = kind[at] === Token.OPEN_BRACE
    if (!isObject && kind[at] !== Token.OPEN_BRACKET) return at + 1
    if (this.depth >= MAX_DEPTH) return this.after(at)
    this.depth++
    const end = this.after(at) - 1
    for (let part = at + 1; part < end; ) {
      if (kind[part] === Token.COMMA) part++
      else if (kind[part] === Token.SPREAD) part = this.pattern(part + 1, null, scope, isSymbol)
      else if (isObject) {
        const name = this.textOf(part)
        const isName = Token.isWord(kind[part] ?? 0)
        const colon = this.after(part)
        const member = isName ? extend(value, `.${name}`) : null
        part =
          kind[colon] === Token.COLON
            ? this.pattern(colon + 1, member, scope, isSymbol)
            : this.pattern(part, member, scope, isSymbol)
        // Names that are taken out of a module are an import.
        if (isName && value !== null && !value.root.startsWith('"'))
          this.facts.use(value.scope, value.root, `${value.path}.${name}`, this.offset(part - 1))
      } else part = this.pattern(part, extend(value, "]"), scope, isSymbol)
      if (kind[part] === Token.EQUALS) {
        const after = this.expressionEnd(part + 1, end)
        this.scan(part + 1, after, scope)
        part = after
      }
    }
    this.depth--
    return end + 1
  }

  private declareName(at: number, value: Binding, scope: Scope, isSymbol: boolean): void {
    const name = this.textOf(at)
    const ordinal = isSymbol ? this.facts.symbolNamed(name, this.offset(at), scope) : -1
    if (ordinal < 0) {
      const before = scope.names.get(name)
      if (before === undefined || before === null) scope.names.set(name, value)
      return
    }
    this.facts.value(ordinal, value)
    // A name for what another module exports is that export.
    const isAlias = value !== null && /^"/.test(value.root) && /^(?:\.[\w$]+)*$/.test(value.path)
    bind(scope, name, isAlias ? value : absolute(`#${ordinal}`))
  }

  /** Reads `const a = …, b: B`, without the values; the token after the last name. */
  private variables(at: number, to: number, block: Scope): number {
    const { facts, kind, tokens } = this
    const scope = kind[at] === Token.Reserved.var ? functionScope(block) : block
    let next = at + 1
    for (;;) {
      const start = next
      const isPattern = kind[start] === Token.OPEN_BRACE || kind[start] === Token.OPEN_BRACKET
      if (!isPattern && !this.nameable(start)) return start
      next = isPattern ? this.after(start) : start + 1
      if (kind[next] === Token.NOT) next++
      let value: Binding = null
      if (kind[next] === Token.COLON) {
        const end = afterType(tokens, next + 1)
        value = this.typeExpression(next + 1, scope).value
        if (end === -1) return next + 1
        this.scanType(next + 1, end, scope)
        next = end
      }
      if (kind[next] !== Token.EQUALS) {
        this.pattern(start, value, scope, true)
        if (kind[next] !== Token.COMMA) return next
        next++
        continue
      }
      const from = next + 1
      const object = isPattern ? undefined : this.exportsObject(from, this.textOf(start))
      if (object !== undefined) {
        facts.export("=", object)
        bind(scope, this.textOf(start), object)
      } else {
        value ??= this.initial(from, scope)
        this.pattern(start, value, scope, true)
        if (!isPattern) this.arrowReturns(start, from, scope)
      }
      const end = this.expressionEnd(from, to)
      this.scan(from, end, scope)
      if (kind[end] !== Token.COMMA) return end
      next = end + 1
    }
  }

  /** What an initial value is: an operand, or the elements of an array literal. */
  private initial(from: number, scope: Scope): Binding {
    if (this.kind[from] === Token.OPEN_BRACKET && this.after(from) > from + 2) {
      const first = this.operand(from + 1, scope)
      return first.value === null ? null : extend(first.value, "[")
    }
    return this.operand(from, scope).value
  }

  /** `const a = (): B => …` returns a `B`. */
  private arrowReturns(name: number, from: number, scope: Scope): void {
    const { kind } = this
    const ordinal = this.facts.symbolNamed(this.textOf(name), this.offset(name), scope)
    if (ordinal < 0) return
    const start = kind[from] === Token.Contextual.async ? from + 1 : from
    if (kind[start] === Token.OPEN_PAREN && this.arrowAfter(start) !== -1)
      this.returns(ordinal, this.after(start), scope)
    else if (kind[start] === Token.Reserved.function) {
      const paren = this.parenAfter(start)
      this.returns(ordinal, this.after(paren), scope)
    }
  }

  /** `const A = module.exports` and `exports = module.exports = {}`: an object to which the file adds members. */
  private exportsObject(from: number, name: string): Expression | undefined {
    const { kind } = this
    let at = from
    let isExports = false
    for (;;) {
      const isModule =
        kind[at] === Token.Contextual.module && kind[at + 1] === Token.DOT && this.textIs(at + 2, "exports")
      if (!isModule && !this.textIs(at, "exports")) break
      isExports = true
      at += isModule ? 3 : 1
      if (kind[at] !== Token.EQUALS) return this.isEnd(at) ? absolute(`&${name}`) : undefined
      at++
    }
    return isExports && kind[at] === Token.OPEN_BRACE && this.after(at) === at + 2 ? absolute(`&${name}`) : undefined
  }

  private isEnd(at: number): boolean {
    return this.startsLine(at) || this.kind[at] === Token.SEMICOLON || this.kind[at] === Token.COMMA
  }

  /** Reads a loop; the token after its body. */
  private loop(at: number, to: number, scope: Scope): number {
    const { kind } = this
    const open = kind[at + 1] === Token.Contextual.await ? at + 2 : at + 1
    if (kind[open] !== Token.OPEN_PAREN) return at + 1
    const inner = makeScope(scope, scope.start)
    const close = this.after(open) - 1
    let from = open + 1
    const isDeclared =
      kind[from] === Token.Reserved.const || kind[from] === Token.Contextual.let || kind[from] === Token.Reserved.var
    if (isDeclared) {
      const isPattern = kind[from + 1] === Token.OPEN_BRACE || kind[from + 1] === Token.OPEN_BRACKET
      const of = isPattern ? this.after(from + 1) : from + 2
      if (kind[of] === Token.Contextual.of || kind[of] === Token.Reserved.in) {
        const all = kind[of] === Token.Contextual.of ? this.operand(of + 1, scope).value : null
        this.pattern(from + 1, extend(all, "]"), inner, false)
        from = of + 1
      }
    }
    this.scan(from, close, inner)
    const body = close + 1
    if (kind[body] === Token.OPEN_BRACE) {
      this.scan(body + 1, this.after(body) - 1, inner)
      return this.after(body)
    }
    let end = body
    while (end < to && kind[end] !== Token.SEMICOLON && !(end > body && this.startsLine(end))) end = this.after(end)
    end = Math.min(end, to)
    this.scan(body, end, inner)
    return end
  }

  /** Reads a class; the token after it. */
  private classAt(at: number, scope: Scope): number {
    const { facts, kind, tokens } = this
    const open = afterHeritage(tokens, at + 1)
    if (open === -1) return at + 1
    const end = this.after(open)
    const hasName = this.nameable(at + 1) && !(kind[at + 1] === Token.Contextual.implements && open !== at + 2)
    let ordinal: number
    if (hasName) {
      const name = this.textOf(at + 1)
      ordinal = facts.symbolNamed(name, this.offset(at + 1), scope)
      bind(scope, name, ordinal < 0 ? null : absolute(`#${ordinal}`))
    } else {
      // `export default class {}` and `const A = class {}`
      const found = facts.symbolAt(this.offset(at))
      ordinal = facts.symbols[found]?.kind === "class" && (facts.symbols[found]?.start ?? 0) >= scope.start ? found : -1
    }
    const inner = makeScope(scope, scope.start)
    let next = hasName ? at + 2 : at + 1
    if (kind[next] === Token.LESS) {
      const after = afterParameters(tokens, next)
      this.typeParameters(next, after, inner)
      next = after
    }
    if (kind[next] === Token.Reserved.extends) {
      facts.base(ordinal, this.chain(next + 1, inner, false).value)
      const interfaces = this.indexOf(Token.Contextual.implements, next, open)
      this.scan(next + 1, interfaces, inner)
      next = interfaces
    }
    if (kind[next] === Token.Contextual.implements) {
      this.baseTypes(next + 1, open, ordinal, inner)
      this.scanType(next + 1, open, inner)
    }
    this.members(open + 1, end - 1, inner, ordinal)
    return end
  }

  private indexOf(token: number, from: number, to: number): number {
    let at = from
    while (at < to && this.kind[at] !== token) at++
    return at
  }

  /** The types in a list: `A, b.C<D>`. */
  private baseTypes(from: number, to: number, ordinal: number, scope: Scope): void {
    for (let at = from; at < to; ) {
      const { value } = this.typeExpression(at, scope)
      if (value?.path.endsWith("@")) this.facts.base(ordinal, { ...value, path: value.path.slice(0, -1) })
      const end = afterType(this.tokens, at)
      if (end === -1 || this.kind[end] !== Token.COMMA) return
      at = end + 1
    }
  }

  private members(from: number, to: number, scope: Scope, ordinal: number): void {
    if (this.depth >= MAX_DEPTH) return
    this.depth++
    for (let at = from; at < to; ) at = Math.max(at + 1, this.member(at, to, scope, ordinal))
    this.depth--
  }

  /** Reads a member of a class; the token after it. */
  private member(from: number, to: number, scope: Scope, ordinal: number): number {
    const { facts, kind, tokens } = this
    let at = from
    if (kind[at] === Token.SEMICOLON || kind[at] === Token.COMMA) return at + 1
    while (kind[at] === Token.AT) at = this.decorator(at, scope)
    let isStatic = false
    let isGetter = false
    while ((isMemberModifier.has(kind[at] ?? 0) && !endsName.has(kind[at + 1] ?? 0)) || kind[at] === Token.STAR) {
      isStatic ||= kind[at] === Token.Contextual.static
      isGetter ||= kind[at] === Token.Contextual.get
      at++
      if (isStatic && kind[at] === Token.OPEN_BRACE) break
    }
    const self = ordinal < 0 ? null : absolute(`#${ordinal}`, isStatic ? "" : "@")
    const inside = makeScope(scope, scope.start)
    inside.names.set("this", self)
    inside.names.set("super", extend(self, "^"))
    if (kind[at] === Token.OPEN_BRACE) {
      this.scan(at + 1, this.after(at) - 1, inside)
      return this.after(at)
    }
    if (kind[at] === Token.OPEN_BRACKET) this.scan(at + 1, this.after(at) - 1, scope)
    const name = this.textOf(at)
    let next = this.after(at)
    if (kind[next] === Token.QUESTION || kind[next] === Token.NOT) next++
    if (kind[next] === Token.OPEN_PAREN || kind[next] === Token.LESS) {
      const body = afterHeader(tokens, next)
      if (body === -1) return next + 1
      const paren = kind[next] === Token.LESS ? afterParameters(tokens, next) : next
      const method = makeScope(inside, this.offset(next))
      if (kind[next] === Token.LESS) this.typeParameters(next, paren, method)
      this.parameters(paren, method, undefined, name === "constructor" ? ordinal : -1)
      this.annotation(this.after(paren), body, method)
      const symbol = facts.symbolNamed(name, this.offset(at), scope)
      this.returns(symbol, this.after(paren), method)
      if (isGetter && symbol < 0 && kind[this.after(paren)] === Token.COLON)
        facts.field(ordinal, name, this.typeExpression(this.after(paren) + 1, method).value)
      if (kind[body] !== Token.OPEN_BRACE) return body
      this.scan(body + 1, this.after(body) - 1, method)
      return this.after(body)
    }
    let value: Binding = null
    if (kind[next] === Token.COLON) {
      const end = afterType(tokens, next + 1)
      if (end === -1) return next + 1
      value = this.typeExpression(next + 1, inside).value
      this.scanType(next + 1, end, inside)
      next = end
    }
    if (kind[next] === Token.EQUALS) {
      value ??= this.initial(next + 1, inside)
      const end = this.expressionEnd(next + 1, to)
      this.scan(next + 1, end, inside)
      next = end
    }
    facts.field(ordinal, name, value)
    return next
  }

  /** Reads a decorator; the token after it. */
  private decorator(at: number, scope: Scope): number {
    const { next } = this.chain(at + 1, scope, false)
    this.chain(at + 1, scope, true)
    for (let part = at + 1; part < next; part++) {
      if (this.kind[part] === Token.OPEN_PAREN) {
        this.scan(part + 1, this.after(part) - 1, scope)
        part = this.after(part) - 1
      }
    }
    return Math.max(next, at + 1)
  }

  /** Reads an interface; the token after it. */
  private interfaceAt(at: number, scope: Scope): number {
    const { facts, kind, tokens } = this
    const name = this.textOf(at + 1)
    const ordinal = facts.symbolNamed(name, this.offset(at + 1), scope)
    bind(scope, name, ordinal < 0 ? null : absolute(`#${ordinal}`))
    const inner = makeScope(scope, scope.start)
    let next = at + 2
    if (kind[next] === Token.LESS) {
      next = afterParameters(tokens, next)
      if (next === -1) return at + 2
      this.typeParameters(at + 2, next, inner)
    }
    const open = this.indexOf(Token.OPEN_BRACE, next, tokens.count)
    if (kind[next] === Token.Reserved.extends) {
      this.baseTypes(next + 1, open, ordinal, inner)
      this.scanType(next + 1, open, inner)
    }
    this.members(open + 1, this.after(open) - 1, inner, ordinal)
    return this.after(open)
  }

  /** Reads `type A = …`; the token after it. */
  private typeAlias(at: number, equals: number, scope: Scope): number {
    const { facts } = this
    const name = this.textOf(at + 1)
    const ordinal = facts.symbolNamed(name, this.offset(at + 1), scope)
    bind(scope, name, ordinal < 0 ? null : absolute(`#${ordinal}`))
    const inner = makeScope(scope, scope.start)
    if (equals > at + 2) this.typeParameters(at + 2, equals, inner)
    const end = afterType(this.tokens, equals + 1)
    if (end === -1) return equals + 1
    facts.value(ordinal, this.typeExpression(equals + 1, inner).value)
    this.scanType(equals + 1, end, inner)
    return end
  }

  /** Reads `enum A { … }`, whose values are passed over; the token after it. */
  private enumeration(at: number, scope: Scope): number {
    const name = this.textOf(at + 1)
    const ordinal = this.facts.symbolNamed(name, this.offset(at + 1), scope)
    bind(scope, name, ordinal < 0 ? null : absolute(`#${ordinal}`))
    return this.kind[at + 2] === Token.OPEN_BRACE ? this.after(at + 2) : at + 2
  }

  /** Reads a namespace; the token after it. */
  private namespace(at: number, scope: Scope): number {
    const { facts, kind } = this
    let open = at + 2
    if (this.nameable(at + 1)) {
      const name = this.textOf(at + 1)
      const ordinal = facts.symbolNamed(name, this.offset(at + 1), scope)
      bind(scope, name, ordinal < 0 ? null : absolute(`#${ordinal}`))
      while (kind[open] === Token.DOT) open += 2
    }
    if (kind[open] !== Token.OPEN_BRACE) return open
    this.scan(open + 1, this.after(open) - 1, makeScope(scope, scope.start))
    return this.after(open)
  }

  /** Reads a JSX element: its component, and the expressions in it. */
  private element(at: number, scope: Scope): number {
    const { kind } = this
    const end = this.after(at)
    if (this.depth >= MAX_DEPTH) return end
    this.depth++
    if (kind[at + 1] === Token.NAME && (/^\p{Lu}/u.test(this.textOf(at + 1)) || kind[at + 2] === Token.DOT))
      this.chain(at + 1, scope, true)
    for (let part = at + 1; part < end - 1; ) {
      if (kind[part] === Token.OPEN_BRACE) {
        this.scan(part + 1, this.after(part) - 1, scope)
        part = this.after(part)
      } else part = kind[part] === Token.ELEMENT ? this.element(part, scope) : part + 1
    }
    this.depth--
    return end
  }

  /** Reads `import …`; the token after it. */
  private importStatement(at: number, scope: Scope): number {
    const { kind } = this
    if (kind[at + 1] === Token.OPEN_PAREN) {
      this.chain(at, scope, true)
      return at + 2
    }
    if (kind[at + 1] === Token.DOT) return at + 3
    const isType =
      kind[at + 1] === Token.Contextual.type && kind[at + 2] !== Token.COMMA && !this.textIs(at + 2, "from")
    const start = isType ? at + 2 : at + 1
    if (kind[start] === Token.STRING) return start + 1
    if (this.nameable(start) && kind[start + 1] === Token.EQUALS) {
      const { next, value } = this.chain(start + 2, scope, false)
      bind(scope, this.textOf(start), value)
      return next
    }
    let from = start
    const limit = Math.min(this.tokens.count, at + 10_000)
    while (from < limit && !(kind[from] === Token.Contextual.from && kind[from + 1] === Token.STRING))
      from = this.after(from)
    const specifier = this.specifier(from + 1)
    if (specifier === undefined) return start
    const module = ofModule(specifier)
    for (let part = start; part < from; ) {
      if (kind[part] === Token.STAR) {
        bind(scope, this.textOf(part + 2), module)
        part += 3
      } else if (kind[part] === Token.OPEN_BRACE) {
        const names = this.clause(part)
        for (const { local, name } of names) bind(scope, local, extend(module, `.${name}`))
        part = this.after(part)
      } else {
        if (this.nameable(part)) bind(scope, this.textOf(part), extend(module, ".default"))
        part++
      }
    }
    return from + 2
  }

  /** The names in `{ a, type b, c as d }`. */
  private clause(open: number): ReadonlyArray<{ readonly name: string; readonly local: string }> {
    const { kind } = this
    const names: Array<{ readonly name: string; readonly local: string }> = []
    const end = this.after(open) - 1
    for (let at = open + 1; at < end; at++) {
      if (kind[at] === Token.COMMA) continue
      const isType = kind[at] === Token.Contextual.type && Token.isWord(kind[at + 1] ?? 0) && !this.textIs(at + 1, "as")
      const from = isType ? at + 1 : at
      const isRenamed = kind[from + 1] === Token.Contextual.as
      const local = isRenamed ? from + 2 : from
      names.push({ name: this.textOf(from), local: this.textOf(local) })
      at = local
    }
    return names
  }

  /** Reads what belongs to `export` alone; the token after it. */
  private exportStatement(at: number, scope: Scope): number {
    const { facts, kind } = this
    const isType =
      kind[at + 1] === Token.Contextual.type && (kind[at + 2] === Token.OPEN_BRACE || kind[at + 2] === Token.STAR)
    const start = isType ? at + 2 : at + 1
    switch (kind[start]) {
      case Token.STAR: {
        const isNamed = kind[start + 1] === Token.Contextual.as
        const from = isNamed ? start + 3 : start + 1
        const specifier = this.specifier(from + 1)
        if (specifier !== undefined) facts.export(isNamed ? this.textOf(start + 2) : "*", ofModule(specifier))
        return from + 2
      }
      case Token.OPEN_BRACE: {
        const after = this.after(start)
        const specifier = kind[after] === Token.Contextual.from ? this.specifier(after + 1) : undefined
        for (const { local, name } of this.clause(start)) {
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
          this.arrowAfter(keyword) !== -1
        if (defines) {
          const ordinal = facts.symbolAt(this.offset(keyword))
          if (ordinal >= 0) facts.export("default", absolute(`#${ordinal}`))
        } else facts.export("default", this.operand(value, scope).value)
        return value
      }
      case Token.EQUALS:
        facts.export("=", this.operand(start + 1, scope).value)
        return start + 1
      default:
        return at + 1
    }
  }

  /** Uses in a type between two tokens. */
  private scanType(from: number, to: number, scope: Scope): void {
    const { kind } = this
    for (let at = from; at < to; at++) {
      const token = kind[at] ?? Token.END
      if (!Token.isNameable(token) || token >= Token.Predefined.any) continue
      const before = kind[at - 1]
      if (before === Token.DOT || before === Token.OPTIONAL) continue
      const next = kind[at + 1] ?? Token.END
      if (next === Token.COLON && before !== Token.QUESTION) continue
      if (next === Token.QUESTION && kind[at + 2] === Token.COLON) continue
      if (next === Token.OPEN_PAREN && before !== Token.Contextual.asserts) continue
      if (token !== Token.NAME && Token.isNameable(next) && !this.startsLine(at + 1)) continue
      const root = this.textOf(at)
      this.facts.use(scope, root, "", this.offset(at))
      let path = ""
      while (kind[at + 1] === Token.DOT && Token.isWord(kind[at + 2] ?? 0)) {
        path += `.${this.textOf(at + 2)}`
        this.facts.use(scope, root, path, this.offset(at + 2))
        at += 2
      }
    }
  }

  /** The type that begins at a token as an expression for its instances, `A@`; nothing for what is no single type. */
  private typeExpression(from: number, scope: Scope): { readonly value: Binding } {
    if (this.depth >= MAX_DEPTH) return { value: null }
    this.depth++
    const value = this.union(from, scope)
    this.depth--
    return { value }
  }

  private union(from: number, scope: Scope): Binding {
    const { kind, tokens } = this
    let found: Binding = null
    let at = from
    for (let parts = 0; parts < 8; parts++) {
      if (kind[at] === Token.BAR || kind[at] === Token.AND) at++
      const end = this.afterTypeOperand(at)
      if (end === -1) return null
      const token = kind[at] ?? Token.END
      const isNothing =
        token === Token.Reserved.null || token === Token.Reserved.void || token === Token.Predefined.undefined
      const value = isNothing ? null : this.singleType(at, scope)
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

  /** The token after one part of a union; -1 where no type begins. */
  private afterTypeOperand(from: number): number {
    const { kind, tokens } = this
    let at = from
    while (kind[at] === Token.Contextual.readonly || kind[at] === Token.Reserved.typeof) at++
    if (kind[at] === Token.OPEN_PAREN || kind[at] === Token.OPEN_BRACE || kind[at] === Token.OPEN_BRACKET)
      at = this.after(at)
    else {
      at++
      while (kind[at] === Token.DOT) at += 2
      if (kind[at] === Token.LESS) at = afterArguments(tokens, at)
      if (at === -1) return -1
    }
    while (kind[at] === Token.OPEN_BRACKET && !this.startsLine(at)) at = this.after(at)
    return at
  }

  private singleType(from: number, scope: Scope): Binding {
    const { kind } = this
    let at = from
    while (kind[at] === Token.Contextual.readonly && this.nameable(at + 1)) at++
    if (kind[at] === Token.Reserved.typeof) return this.chain(at + 1, scope, false).value
    let value: Binding = null
    if (kind[at] === Token.Reserved.this) {
      value = { scope, root: "this", path: "" }
      at++
    } else if (kind[at] === Token.OPEN_PAREN) {
      if (kind[this.after(at)] === Token.ARROW) return null
      value = this.typeExpression(at + 1, scope).value
      at = this.after(at)
    } else {
      const token = kind[at] ?? Token.END
      if (!Token.isNameable(token) || token >= Token.Predefined.any) return null
      const root = this.textOf(at)
      let path = ""
      at++
      while (kind[at] === Token.DOT) {
        path += `.${this.textOf(at + 1)}`
        at += 2
      }
      value = { scope, root, path: `${path}@` }
      if (kind[at] === Token.LESS) {
        const inner = path === "" && (transparent.has(root) || collections.has(root))
        if (inner) {
          value = this.typeExpression(at + 1, scope).value
          if (collections.has(root)) value = extend(value, "[")
        }
        at = afterArguments(this.tokens, at)
        if (at === -1) return value
      }
    }
    while (kind[at] === Token.OPEN_BRACKET && !this.startsLine(at)) {
      value = kind[at + 1] === Token.CLOSE_BRACKET ? extend(value, "[") : null
      at = this.after(at)
    }
    return value
  }
}

const isBound = (scope: Scope, name: string): boolean => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return true
  return false
}

/** The class whose instance `this` is. */
const ownerOf = (scope: Scope): number | undefined => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const self = at.names.get("this")
    if (self === undefined) continue
    const [, ordinal] = /^#(\d+)$/.exec(self?.root ?? "") ?? []
    return ordinal === undefined ? undefined : Number(ordinal)
  }
  return undefined
}

const isModifier: ReadonlySet<number> = new Set([
  Token.Contextual.public,
  Token.Contextual.private,
  Token.Contextual.protected,
  Token.Contextual.readonly,
  Token.Contextual.override,
])

const isMemberModifier: ReadonlySet<number> = new Set([
  ...isModifier,
  Token.Contextual.abstract,
  Token.Contextual.accessor,
  Token.Contextual.async,
  Token.Contextual.declare,
  Token.Contextual.get,
  Token.Contextual.set,
  Token.Contextual.static,
])

/** Tokens that follow the name of a member and never a modifier. */
const endsName: ReadonlySet<number> = new Set([
  Token.END,
  Token.OPEN_PAREN,
  Token.LESS,
  Token.EQUALS,
  Token.COLON,
  Token.SEMICOLON,
  Token.COMMA,
  Token.QUESTION,
  Token.NOT,
  Token.CLOSE_BRACE,
])
