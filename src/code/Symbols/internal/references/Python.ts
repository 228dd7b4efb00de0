/** Reads references of Python: scopes, imports, types that are declared or constructed in sight, and uses. */
import type { CodeSymbol } from "../../../Symbols.ts"
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
import * as Token from "./PythonTokens.ts"

/** The references of a file, as `References.encode` writes them. */
export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => {
  const reader = new Reader(Token.tokenize(text), symbols)
  const file = makeScope(undefined, 0)
  reader.statements(0, file, { ordinal: -1 })
  return reader.facts.encode()
}

/** Deeper nested code is passed over. */
const MAX_DEPTH = 100

const keywords: ReadonlySet<string> = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
)

/** Types that stand for the type of their first argument. */
const transparent: ReadonlySet<string> = new Set([
  "Optional",
  "Annotated",
  "ClassVar",
  "Final",
  "Awaitable",
  "ContextManager",
  "AbstractContextManager",
  "InitVar",
  "Required",
  "NotRequired",
  "ReadOnly",
])

/** Types whose elements are of their first argument. */
const collections: ReadonlySet<string> = new Set(
  "list List set Set frozenset FrozenSet tuple Tuple Sequence MutableSequence Iterable Iterator Collection AsyncIterator AsyncIterable Generator AsyncGenerator deque Deque".split(
    " ",
  ),
)

interface Owner {
  /** The class around; -1 for none. */
  readonly ordinal: number
}

interface Chain {
  readonly value: Binding
  readonly next: number
}

/** What a function is known to return. */
interface Returns {
  value: Binding
  isGenerator: boolean
}

class Reader {
  readonly facts: Facts
  private readonly tokens: Token.Tokens
  private readonly kind: ReadonlyArray<number>
  private depth = 0
  private returns: Returns | undefined = undefined

  constructor(tokens: Token.Tokens, symbols: ReadonlyArray<CodeSymbol>) {
    this.tokens = tokens
    this.kind = tokens.kind
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
    return Math.max(at, this.tokens.match[at] ?? at) + 1
  }
  private isName(at: number): boolean {
    return this.kind[at] === Token.NAME && !keywords.has(this.textOf(at))
  }

  /** Reads statements up to the end of their block; the token after it. */
  statements(from: number, scope: Scope, owner: Owner): number {
    const { kind, tokens } = this
    let at = from
    if (this.depth >= MAX_DEPTH) return this.skipBlock(from)
    this.depth++
    while (at < tokens.count && kind[at] !== Token.DEDENT) {
      const next = this.statement(at, scope, owner)
      at = next > at ? next : at + 1
    }
    this.depth--
    return at < tokens.count ? at + 1 : at
  }

  private skipBlock(from: number): number {
    let level = 1
    let at = from
    for (; at < this.tokens.count && level > 0; at++) {
      if (this.kind[at] === Token.INDENT) level++
      else if (this.kind[at] === Token.DEDENT) level--
    }
    return at
  }

  /** The end of the simple statement or header at `from`: a line end, a semicolon, or the colon of a header. */
  private statementEnd(from: number, isHeader: boolean): number {
    const { kind, tokens } = this
    let at = from
    let lambdas = 0
    while (at < tokens.count && kind[at] !== Token.NEWLINE && kind[at] !== Token.SEMICOLON) {
      if (kind[at] === Token.NAME && this.textIs(at, "lambda")) lambdas++
      else if (kind[at] === Token.COLON && isHeader) {
        if (lambdas === 0) return at
        lambdas--
      }
      at = this.after(at)
    }
    return Math.min(at, tokens.count)
  }

  /** Reads the block after the colon of a header, indented or on the same line; the token after it. */
  private block(colon: number, scope: Scope, owner: Owner): number {
    const { kind } = this
    if (kind[colon] !== Token.COLON) return colon
    if (kind[colon + 1] === Token.NEWLINE) {
      return kind[colon + 2] === Token.INDENT ? this.statements(colon + 3, scope, owner) : colon + 2
    }
    let at = colon + 1
    while (at < this.tokens.count && kind[at] !== Token.NEWLINE) at = Math.max(at + 1, this.statement(at, scope, owner))
    return at
  }

  private statement(at: number, scope: Scope, owner: Owner): number {
    const { facts, kind } = this
    const token = kind[at]
    if (token === Token.NEWLINE || token === Token.SEMICOLON) return at + 1
    if (token === Token.INDENT) return this.statements(at + 1, scope, owner)
    if (token === Token.AT) return this.decorated(at, scope, owner)
    if (token !== Token.NAME) return this.simple(at, scope, owner)
    switch (this.textOf(at)) {
      case "def":
        return this.functionAt(at, scope, owner, [])
      case "async":
        return this.statement(at + 1, scope, owner)
      case "class":
        return this.classAt(at, scope)
      case "import":
        return this.importAt(at, scope)
      case "from":
        return this.fromAt(at, scope)
      case "for": {
        const end = this.statementEnd(at, true)
        const last = this.forClause(at, end, scope)
        this.scan(last, end, scope)
        return this.block(end, scope, owner)
      }
      case "with":
        return this.withAt(at, scope, owner)
      case "except": {
        const end = this.statementEnd(at, true)
        this.scan(at + 1, end, scope)
        if (this.textIs(end - 2, "as") && this.isName(end - 1)) {
          const { next, value } = this.chain(at + 1, scope, false)
          this.assign(end - 1, next === end - 2 ? extend(value, "@") : null, scope, owner)
        }
        return this.block(end, scope, owner)
      }
      case "if":
      case "elif":
      case "while": {
        const end = this.statementEnd(at, true)
        this.scan(at + 1, end, scope)
        return this.block(end, this.narrowed(at + 1, end, scope), owner)
      }
      case "else":
      case "try":
      case "finally": {
        const end = this.statementEnd(at, true)
        return this.block(end, scope, owner)
      }
      case "global":
      case "nonlocal": {
        const end = this.statementEnd(at, false)
        for (let name = at + 1; name < end; name++) {
          const outer = this.textIs(at, "global") ? fileScope(scope) : functionScope(scope).outer
          if (this.isName(name) && outer !== undefined && outer !== scope)
            functionScope(scope).names.set(this.textOf(name), { scope: outer, root: this.textOf(name), path: "" })
        }
        return end
      }
      case "return": {
        const end = this.statementEnd(at, false)
        const { next, value } = this.operand(at + 1, scope)
        if (this.returns !== undefined && value !== null && next === end) this.returns.value ??= value
        this.scan(at + 1, end, scope)
        return end
      }
      case "assert": {
        const end = this.statementEnd(at, false)
        this.scan(at + 1, end, scope)
        const narrowed = this.instanceCheck(at + 1, end, scope)
        if (narrowed !== undefined) bind(functionScope(scope), narrowed.name, narrowed.value)
        return end
      }
      case "match":
      case "case": {
        const end = this.statementEnd(at, true)
        if (kind[end] !== Token.COLON || kind[end + 1] !== Token.NEWLINE || kind[end + 2] !== Token.INDENT) break
        this.scan(at + 1, end, scope)
        return this.block(end, scope, owner)
      }
      case "type":
        if (this.isName(at + 1) && kind[at + 2] === Token.EQUALS) {
          const end = this.statementEnd(at, false)
          const ordinal = facts.symbolNamed(this.textOf(at + 1), this.offset(at + 1), scope)
          facts.value(ordinal, this.type(at + 3, end, scope))
          bind(scope, this.textOf(at + 1), ordinal < 0 ? null : absolute(`#${ordinal}`))
          this.scan(at + 3, end, scope)
          return end
        }
    }
    return this.simple(at, scope, owner)
  }

  /** Reads an assignment or an expression; the token after it. */
  private simple(at: number, scope: Scope, owner: Owner): number {
    const { kind } = this
    const end = this.statementEnd(at, false)
    const assignments: Array<number> = []
    let colon = -1
    let lambdas = 0
    for (let part = at; part < end; part = this.after(part)) {
      if (kind[part] === Token.EQUALS && lambdas === 0) assignments.push(part)
      else if (kind[part] === Token.COLON && assignments.length === 0 && lambdas === 0 && colon === -1) colon = part
      else if (kind[part] === Token.NAME && this.textIs(part, "lambda")) lambdas++
    }
    if (colon !== -1) {
      const equals = assignments[0] ?? end
      this.target(at, colon, this.type(colon + 1, equals, scope), scope, owner)
      this.annotation(colon + 1, equals, scope)
      this.scan(equals + 1, end, scope)
      return end
    }
    const last = assignments.at(-1)
    if (last === undefined) {
      this.scan(at, end, scope)
      return end
    }
    const { next, value } = this.operand(last + 1, scope)
    let from = at
    for (const equals of assignments) {
      this.target(from, equals, next === end ? value : null, scope, owner)
      from = equals + 1
    }
    this.scan(last + 1, end, scope)
    return end
  }

  /** Declares what is assigned to between two tokens, and reads uses in it. */
  private target(from: number, to: number, value: Binding, scope: Scope, owner: Owner): void {
    const { facts, kind } = this
    const isBracket = kind[from] === Token.OPEN_PAREN || kind[from] === Token.OPEN_BRACKET
    if (isBracket && this.after(from) === to) {
      this.target(from + 1, to - 1, value, scope, owner)
      return
    }
    const parts: Array<readonly [number, number]> = []
    let start = from
    for (let at = from; at < to; at = this.after(at)) {
      if (kind[at] !== Token.COMMA) continue
      parts.push([start, at])
      start = at + 1
    }
    if (start < to) parts.push([start, to])
    if (parts.length > 1) {
      for (const [first, last] of parts) this.target(first, last, null, scope, owner)
      return
    }
    const name = kind[from] === Token.STAR ? from + 1 : from
    if (name + 1 === to && this.isName(name)) {
      this.assign(name, value, scope, owner)
      return
    }
    // `self.a = …` declares a member of the class.
    if (name + 3 === to && kind[name + 1] === Token.DOT && this.isName(name)) {
      const self = scope.names.get(this.textOf(name)) ?? functionScope(scope).names.get(this.textOf(name))
      const [, ordinal] = /^#(\d+)$/.exec(self?.scope === undefined ? (self?.root ?? "") : "") ?? []
      if (ordinal !== undefined) facts.field(Number(ordinal), this.textOf(name + 2), value)
    }
    this.scan(from, to, scope)
  }

  /** Binds a name to a value. */
  private assign(at: number, value: Binding, scope: Scope, owner: Owner): void {
    const { facts } = this
    const name = this.textOf(at)
    const where = functionScope(scope)
    const ordinal = facts.symbolNamed(name, this.offset(at), where)
    if (ordinal >= 0) {
      facts.value(ordinal, value)
      if (owner.ordinal >= 0) facts.field(owner.ordinal, name, value)
      bind(where, name, absolute(`#${ordinal}`))
      return
    }
    const known = where.names.get(name)
    const [, first] = /^#(\d+)$/.exec(known?.scope === undefined && known?.path === "" ? known.root : "") ?? []
    // A later assignment to a variable that is a symbol.
    if (first !== undefined && where.outer === undefined) facts.value(Number(first), value)
    bind(where, name, value)
  }

  /** Reads decorators and what they decorate; the token after it. */
  private decorated(from: number, scope: Scope, owner: Owner): number {
    const { kind } = this
    const decorators: Array<string> = []
    let at = from
    while (kind[at] === Token.AT) {
      const end = this.statementEnd(at, false)
      const [name = ""] = /^@\s*[\w.]+/.exec(this.tokens.text.slice(this.offset(at), this.tokens.end[end - 1])) ?? []
      decorators.push(name.slice(name.lastIndexOf(".") + 1).replace(/^@\s*/, ""))
      this.scan(at + 1, end, scope)
      at = end + 1
    }
    if (this.textIs(at, "async")) at++
    if (this.textIs(at, "def")) return this.functionAt(at, scope, owner, decorators)
    return this.textIs(at, "class") ? this.classAt(at, scope) : at
  }

  private functionAt(at: number, scope: Scope, owner: Owner, decorators: ReadonlyArray<string>): number {
    const { facts, kind } = this
    const name = this.textOf(at + 1)
    const where = functionScope(scope)
    const ordinal = facts.symbolNamed(name, this.offset(at + 1), where)
    if (ordinal >= 0) where.names.set(name, absolute(`#${ordinal}`))
    else bind(where, name, null)
    let open = at + 2
    if (kind[open] === Token.OPEN_BRACKET) open = this.after(open)
    if (kind[open] !== Token.OPEN_PAREN) return open
    const inner = makeScope(scope, this.offset(open))
    const isMethod = owner.ordinal >= 0
    if (isMethod) {
      const self = absolute(`#${owner.ordinal}`, "@")
      inner.names.set("super", extend(self, "^"))
      inner.names.set("Self", absolute(`#${owner.ordinal}`))
      inner.names.set("__class__", absolute(`#${owner.ordinal}`))
    }
    this.parameters(
      open,
      inner,
      scope,
      isMethod && !decorators.includes("staticmethod") ? receiver(owner, name, decorators) : null,
    )
    let colon = this.after(open)
    let result: Binding = null
    let isDeclared = false
    if (kind[colon] === Token.ARROW) {
      const end = this.statementEnd(colon, true)
      result = this.type(colon + 1, end, inner)
      this.annotation(colon + 1, end, inner)
      isDeclared = true
      colon = end
    }
    const outer = this.returns
    const returns: Returns = { value: null, isGenerator: false }
    this.returns = returns
    const next = this.block(colon, inner, { ordinal: -1 })
    this.returns = outer
    if (!isDeclared && !returns.isGenerator) result = returns.value
    // `with` and `for` receive what such functions yield.
    if (isDeclared && decorators.some((each) => each.endsWith("contextmanager")) && result?.path.endsWith("["))
      result = { ...result, path: result.path.slice(0, -1) }
    facts.value(ordinal, result)
    const isProperty = decorators.some((each) => /property$/.test(each))
    if (isMethod && isProperty) facts.field(owner.ordinal, name, result)
    return next
  }

  private parameters(open: number, inner: Scope, scope: Scope, self: Binding): void {
    const { kind } = this
    const end = this.after(open) - 1
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
      for (; last < end && kind[last] !== Token.COMMA; last = this.after(last)) {
        if (kind[last] === Token.COLON && colon === -1 && equals === -1) colon = last
        else if (kind[last] === Token.EQUALS && equals === -1) equals = last
      }
      if (this.isName(at)) {
        let value: Binding = isFirst && !isStarred ? self : null
        const typeEnd = equals === -1 ? last : equals
        if (colon !== -1) {
          const declared = this.type(colon + 1, typeEnd, scope)
          value = isStarred ? extend(declared, "[") : (declared ?? value)
          this.annotation(colon + 1, typeEnd, scope)
        } else if (equals !== -1) value ??= this.operand(equals + 1, scope).value
        if (equals !== -1) this.scan(equals + 1, last, scope)
        inner.names.set(this.textOf(at), value)
        isFirst = false
      }
      at = last + 1
    }
  }

  private classAt(at: number, scope: Scope): number {
    const { facts, kind } = this
    const name = this.textOf(at + 1)
    const where = functionScope(scope)
    const ordinal = facts.symbolNamed(name, this.offset(at + 1), where)
    if (ordinal >= 0) where.names.set(name, absolute(`#${ordinal}`))
    else bind(where, name, null)
    let open = at + 2
    if (kind[open] === Token.OPEN_BRACKET) open = this.after(open)
    if (kind[open] === Token.OPEN_PAREN) {
      const end = this.after(open) - 1
      for (let part = open + 1; part < end; ) {
        let last = part
        while (last < end && kind[last] !== Token.COMMA) last = this.after(last)
        if (kind[part + 1] !== Token.EQUALS) {
          const { value } = this.chain(part, scope, false)
          facts.base(ordinal, value && { ...value, path: value.path.replace(/\]$/, "") })
        }
        part = last + 1
      }
      this.scan(open, end + 1, scope)
    }
    const inner = makeScope(scope, this.offset(at + 1), true)
    return this.block(this.statementEnd(at, true), inner, { ordinal })
  }

  /** Reads `with a as b, c as d:`; the token after its block. */
  private withAt(at: number, scope: Scope, owner: Owner): number {
    const { kind } = this
    const end = this.statementEnd(at, true)
    this.scan(at + 1, end, scope)
    let from = at + 1
    let to = end
    if (kind[from] === Token.OPEN_PAREN && this.after(from) === end) {
      from++
      to--
    }
    for (let part = from; part < to; ) {
      let last = part
      let as = -1
      for (; last < to && kind[last] !== Token.COMMA; last = this.after(last)) if (this.textIs(last, "as")) as = last
      if (as !== -1) {
        const { next, value } = this.operand(part, scope)
        this.target(as + 1, last, next === as ? value : null, scope, owner)
      }
      part = last + 1
    }
    return this.block(end, scope, owner)
  }

  /** Declares the targets of `for a in b`, of a loop or in a comprehension; the token of what is iterated over. */
  private forClause(at: number, end: number, scope: Scope): number {
    let word = at + 1
    while (word < end && !this.textIs(word, "in")) word = this.after(word)
    if (word >= end) return at + 1
    const { value } = this.operand(word + 1, scope)
    const isEnumerated = this.textIs(word + 1, "enumerate") && this.kind[word + 2] === Token.OPEN_PAREN
    if (isEnumerated && this.isName(at + 1) && this.kind[at + 2] === Token.COMMA) {
      this.target(at + 1, at + 2, null, scope, { ordinal: -1 })
      this.target(at + 3, word, extend(this.operand(word + 3, scope).value, "]"), scope, { ordinal: -1 })
    } else this.target(at + 1, word, extend(value, "]"), scope, { ordinal: -1 })
    return word + 1
  }

  /** The scope of a block under `if isinstance(a, B):`. */
  private narrowed(from: number, to: number, scope: Scope): Scope {
    const narrowed = this.instanceCheck(from, to, scope)
    if (narrowed === undefined) return scope
    const inner = makeScope(scope, scope.start)
    inner.names.set(narrowed.name, narrowed.value)
    return inner
  }

  private instanceCheck(
    from: number,
    to: number,
    scope: Scope,
  ): { readonly name: string; readonly value: Expression } | undefined {
    const { kind } = this
    if (!this.textIs(from, "isinstance") || kind[from + 1] !== Token.OPEN_PAREN || kind[from + 3] !== Token.COMMA)
      return undefined
    const end = this.after(from + 1)
    // `or` and `not` say something else.
    if (end < to && !this.textIs(end, "and")) return undefined
    const { next, value } = this.chain(from + 4, scope, false)
    if (value === null || next !== end - 1 || !this.isName(from + 2)) return undefined
    return { name: this.textOf(from + 2), value: { ...value, path: `${value.path}@` } }
  }

  private importAt(at: number, scope: Scope): number {
    const { kind } = this
    const end = this.statementEnd(at, false)
    for (let part = at + 1; part < end; ) {
      let last = part
      while (kind[last + 1] === Token.DOT && kind[last + 2] === Token.NAME) last += 2
      const path = this.joined(part, last + 1)
      const isRenamed = this.textIs(last + 1, "as")
      const local = isRenamed ? last + 2 : part
      if (this.isName(local)) this.importName(this.textOf(local), ofModule(isRenamed ? path : this.textOf(part)), scope)
      part = isRenamed ? last + 4 : last + 2
    }
    return end
  }

  private joined(from: number, to: number): string {
    let path = ""
    for (let at = from; at < to; at++) path += this.textOf(at)
    return path
  }

  private importName(local: string, value: Binding, scope: Scope): void {
    const where = functionScope(scope)
    const known = where.names.get(local)
    if (known === undefined || known === null) where.names.set(local, value)
    if (where.outer === undefined) this.facts.export(local, value)
  }

  private fromAt(at: number, scope: Scope): number {
    const { facts, kind } = this
    const end = this.statementEnd(at, false)
    let word = at + 1
    while (word < end && !this.textIs(word, "import")) word++
    const module = ofModule(this.joined(at + 1, word))
    let part = word + 1
    let last = end
    if (kind[part] === Token.OPEN_PAREN) {
      last = this.after(part) - 1
      part++
    }
    if (kind[part] === Token.STAR) {
      facts.export("*", module)
      fileScope(scope).names.set("*", null)
      return end
    }
    for (; part < last; part++) {
      if (kind[part] !== Token.NAME) continue
      const isRenamed = this.textIs(part + 1, "as")
      const local = isRenamed ? part + 2 : part
      this.importName(this.textOf(local), extend(module, `.${this.textOf(part)}`), scope)
      part = local
    }
    return end
  }

  /** Uses between two tokens. */
  private scan(from: number, to: number, scope: Scope): void {
    const { kind } = this
    if (this.depth >= MAX_DEPTH) return
    this.depth++
    for (let at = from; at < to; at++) {
      const token = kind[at]
      if (token === Token.OPEN_PAREN || token === Token.OPEN_BRACKET || token === Token.OPEN_BRACE) {
        const end = Math.min(this.after(at), to)
        this.bracket(at, end, scope)
        at = end - 1
      } else if (token === Token.DOT) {
        if (kind[at + 1] === Token.NAME) at++
      } else if (token === Token.NAME) {
        const name = this.textOf(at)
        if (name === "lambda") {
          at = this.lambda(at, to, scope) - 1
          continue
        }
        if (name === "yield" && this.returns !== undefined) this.returns.isGenerator = true
        if (keywords.has(name)) continue
        if (kind[at + 1] === Token.WALRUS) {
          bind(functionScope(scope), name, this.operand(at + 2, scope).value)
          continue
        }
        this.chain(at, scope, true)
      }
    }
    this.depth--
  }

  /** Reads what is in brackets: arguments, elements, or a comprehension, which has a scope of its own. */
  private bracket(open: number, end: number, scope: Scope): void {
    const { kind } = this
    let inner = scope
    let isCall = kind[open] === Token.OPEN_PAREN
    for (let at = open + 1; at < end - 1; at = this.after(at)) {
      if (kind[at] !== Token.NAME || !this.textIs(at, "for")) continue
      if (inner === scope) inner = makeScope(scope, this.offset(open))
      this.forClause(at, end - 1, inner)
    }
    isCall &&=
      kind[open - 1] === Token.NAME || kind[open - 1] === Token.CLOSE_PAREN || kind[open - 1] === Token.CLOSE_BRACKET
    let from = open + 1
    if (isCall) {
      // The names of keyword arguments are no uses.
      for (let at = open + 1; at < end - 1; at = this.after(at)) {
        const isKeyword =
          kind[at] === Token.NAME && kind[at + 1] === Token.EQUALS && (at === open + 1 || kind[at - 1] === Token.COMMA)
        if (!isKeyword) continue
        this.scan(from, at, inner)
        from = at + 2
      }
    }
    this.scan(from, end - 1, inner)
  }

  /** Reads a lambda; the token after it. */
  private lambda(at: number, to: number, scope: Scope): number {
    const { kind } = this
    const inner = makeScope(scope, this.offset(at))
    let colon = at + 1
    for (; colon < to && kind[colon] !== Token.COLON; colon = this.after(colon)) {
      const isParameter = kind[colon - 1] !== Token.EQUALS && this.isName(colon)
      if (isParameter) inner.names.set(this.textOf(colon), null)
    }
    let end = colon + 1
    while (end < to && kind[end] !== Token.COMMA) end = this.after(end)
    this.scan(colon + 1, Math.min(end, to), inner)
    return Math.min(end, to)
  }

  /** Uses in an annotation, in strings as well. */
  private annotation(from: number, to: number, scope: Scope): void {
    this.scan(from, to, scope)
    for (let at = from; at < to; at++) {
      if (this.kind[at] !== Token.STRING) continue
      const text = this.textOf(at)
      for (const { 0: word, index } of text.matchAll(/(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*/g)) {
        const [root = "", ...members] = word.split(".")
        this.facts.use(scope, root, "", this.offset(at) + index)
        let path = ""
        for (const member of members) {
          path += `.${member}`
          this.facts.use(scope, root, path, this.offset(at) + index)
        }
      }
    }
  }

  /** The expression that begins at a name, as far as it is names, members and calls. `isUse`: these are uses. */
  private chain(from: number, scope: Scope, isUse: boolean): Chain {
    const { facts, kind } = this
    let at = from
    let path = ""
    if (kind[at] !== Token.NAME) return { value: null, next: at }
    const root = this.textOf(at)
    if (keywords.has(root)) return { value: null, next: at }
    if (isUse && root !== "super") facts.use(scope, root, "", this.offset(at))
    at++
    // `super()` is the bases of the class.
    if (root === "super" && kind[at] === Token.OPEN_PAREN) at = this.after(at)
    for (;;) {
      switch (kind[at]) {
        case Token.OPEN_PAREN:
          path += "()"
          at = this.after(at)
          continue
        case Token.OPEN_BRACKET:
          path += "]"
          at = this.after(at)
          continue
        case Token.DOT: {
          if (kind[at + 1] !== Token.NAME) return { value: { scope, root, path }, next: at }
          path += `.${this.textOf(at + 1)}`
          if (isUse) facts.use(scope, root, path, this.offset(at + 1))
          at += 2
          continue
        }
        default:
          return { value: { scope, root, path }, next: at }
      }
    }
  }

  /** An operand with `await` before it, in brackets, or the first of `a or b`. */
  private operand(from: number, scope: Scope): Chain {
    const { kind } = this
    let at = from
    while (kind[at] === Token.NAME && this.textIs(at, "await")) at++
    if (kind[at] === Token.OPEN_PAREN && this.depth < MAX_DEPTH) {
      this.depth++
      const inner = this.operand(at + 1, scope)
      this.depth--
      const end = this.after(at)
      return inner.next === end - 1 ? { value: inner.value, next: end } : { value: null, next: end }
    }
    if (kind[at] === Token.OPEN_BRACKET) {
      // A list of what its first element is.
      const end = this.after(at)
      const first = this.operand(at + 1, scope)
      const isElement = kind[first.next] === Token.COMMA || first.next === end - 1
      return { value: isElement ? extend(first.value, "[") : null, next: end }
    }
    const found = this.chain(at, scope, false)
    if (kind[found.next] === Token.NAME && this.textIs(found.next, "or")) {
      let end = found.next
      while (
        kind[end] !== Token.NEWLINE &&
        kind[end] !== Token.SEMICOLON &&
        kind[end] !== Token.CLOSE_PAREN &&
        end < this.tokens.count
      )
        end = this.after(end)
      return { value: found.value, next: end }
    }
    // `a if b else c`
    if (kind[found.next] === Token.NAME && this.textIs(found.next, "if")) {
      let end = found.next
      while (
        kind[end] !== Token.NEWLINE &&
        kind[end] !== Token.SEMICOLON &&
        kind[end] !== Token.CLOSE_PAREN &&
        end < this.tokens.count
      )
        end = this.after(end)
      return { value: found.value, next: end }
    }
    return found
  }

  /** The type between two tokens as an expression for its instances. */
  private type(from: number, to: number, scope: Scope): Binding {
    const text = this.tokens.text.slice(this.offset(from), this.tokens.end[to - 1] ?? 0)
    return to <= from || text.length > MAX_TYPE_CHARS ? null : typeOf(text, scope, 0)
  }
}

const MAX_TYPE_CHARS = 500

const typeOf = (written: string, scope: Scope, depth: number): Binding => {
  const text = written
    .replace(/#[^\n]*/g, "")
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2")
    .trim()
  if (depth > 8) return null
  const alternatives = splitAt(text, "|").filter((each) => each.trim() !== "None")
  if (alternatives.length > 1) return null
  const [single = ""] = alternatives
  if (single !== text) return typeOf(single, scope, depth + 1)
  const [, head, inside] = /^([\w.]+)\s*\[(.*)\]$/s.exec(text) ?? []
  if (head !== undefined && inside !== undefined) {
    const name = head.slice(head.lastIndexOf(".") + 1)
    const [first = "", ...rest] = splitAt(inside, ",")
    if (transparent.has(name)) return typeOf(first, scope, depth + 1)
    if (collections.has(name)) {
      const isUniform = name.toLowerCase() !== "tuple" || rest.every((each) => each.trim() === "...")
      return isUniform ? extend(typeOf(first, scope, depth + 1), "[") : null
    }
    if (name === "Coroutine") return typeOf(rest[1] ?? "", scope, depth + 1)
    if (name === "Union") {
      const others = [first, ...rest].filter((each) => each.trim() !== "None")
      return others.length === 1 ? typeOf(others[0] ?? "", scope, depth + 1) : null
    }
    if (name === "Type" || name === "type") {
      const instance = typeOf(first, scope, depth + 1)
      return instance?.path.endsWith("@") ? { ...instance, path: instance.path.slice(0, -1) } : null
    }
    return typeOf(head, scope, depth + 1)
  }
  if (!/^[A-Za-z_]\w*(?:\.\w+)*$/.test(text)) return null
  const dot = text.indexOf(".")
  return dot === -1
    ? { scope, root: text, path: "@" }
    : { scope, root: text.slice(0, dot), path: `${text.slice(dot)}@` }
}

/** The parts between separators that are in no brackets and in no string. */
const splitAt = (text: string, separator: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let level = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "[" || character === "(") level++
    else if (character === "]" || character === ")") level--
    else if (character === separator && level === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}

/** What the first parameter of a method holds. */
const receiver = ({ ordinal }: Owner, name: string, decorators: ReadonlyArray<string>): Expression => {
  const isClass = decorators.includes("classmethod") || classMethods.has(name)
  return absolute(`#${ordinal}`, isClass ? "" : "@")
}

const classMethods: ReadonlySet<string> = new Set(["__new__", "__init_subclass__", "__class_getitem__"])

const fileScope = (scope: Scope): Scope => {
  let file = scope
  while (file.outer !== undefined) file = file.outer
  return file
}
