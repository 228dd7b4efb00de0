/**
 * Reads references of Swift off its words: types of the target by name, their initialisers, and members of values whose
 * type is declared or made in the file. A module specifier is the type around a place, see `modules.ts`. Members are
 * written with the labels of their arguments, see `LabelledMembers` of the index. What a closure, a generic parameter
 * or an enum case without its type means is not known.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import {
  absolute,
  type Binding,
  type Expression,
  extend as extendFully,
  Facts,
  makeScope,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { swift } from "../patterns/braces.ts"
import { isName, isTypeName, Words } from "./Words.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

const mask = maskWith(swift.literals)

type Side = ":" | ";"

/** A pair of braces, and what is in it. */
interface Block {
  readonly scope: Scope
  /** The qualified name of the type around. */
  readonly type: string | undefined
  /** Says what `self` is: an instance, the type, or nothing that is known. */
  readonly side: Side | undefined
  /** True if the members of a type are directly in it. */
  readonly isType: boolean
}

/** Functions that Swift itself has. */
const platform: ReadonlySet<string> = new Set(
  "abs assert assertionFailure fatalError max min precondition preconditionFailure print swap type zip".split(" "),
)

class Reader {
  private readonly facts: Facts
  private readonly words: Words
  private readonly blocks: Array<Block> = []
  /** The contents of braces that are not reached yet, by the word that opens them. */
  private readonly opened = new Map<number, Block>()
  /** The values of calls, by the bracket that ends each. */
  private readonly results = new Map<number, Binding>()
  /** Words that are names of parameters and labels. */
  private readonly labels = new Set<number>()
  private readonly ordinals = new Map<string, number>()
  private readonly functions = new Map<string, number>()
  private memberSide: Side = ":"

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.facts = new Facts(text, symbols)
    this.words = new Words(mask(text).code)
    symbols.forEach(({ container, kind, name }, ordinal) => {
      const qualified = container === undefined ? name : `${container}.${name}`
      if (/^(?:class|interface|enum)$/.test(kind) && !this.ordinals.has(qualified))
        this.ordinals.set(qualified, ordinal)
      // A call of a name that several functions have may mean any of them.
      if (kind === "function" && container === undefined)
        this.functions.set(name, this.functions.has(name) ? -1 : ordinal)
    })
  }

  read(): string {
    for (let at = 0; at < this.words.length; ) at = this.readAt(at)
    return this.facts.encode()
  }

  private readonly file: Block = { scope: makeScope(undefined, 0), type: undefined, side: undefined, isType: false }

  private get block(): Block {
    return this.blocks.at(-1) ?? this.file
  }

  private readAt(at: number): number {
    const word = this.words.at(at)
    switch (word) {
      case "{":
        this.blocks.push(this.opened.get(at) ?? this.plainBlock(at))
        return at + 1
      case "}":
        this.blocks.pop()
        return at + 1
      case ")":
      case "]": {
        const value = this.results.get(at)
        return value === undefined ? at + 1 : this.members(value, this.afterCall(at + 1))
      }
      case "import":
        return this.words.lineEnd(at)
      case "class":
      case "struct":
      case "actor":
      case "enum":
      case "protocol":
      case "extension":
        if (isName.test(this.words.at(at + 1)) && !/^(?:func|var|let|subscript)$/.test(this.words.at(at + 1)))
          return this.typeAt(at)
        return at + 1
      case "func":
      case "init":
      case "subscript":
        return this.words.at(at - 1) === "." ? at + 1 : this.functionAt(at)
      case "deinit":
        this.opened.set(at + 1, { ...this.block, scope: makeScope(this.block.scope, 0), side: ":", isType: false })
        return at + 1
      case "typealias":
      case "associatedtype":
        return this.aliasAt(at)
      case "let":
      case "var":
        return this.variableAt(at)
      case "case":
        return this.caseAt(at)
      case "for":
        return this.loopAt(at)
    }
    if (this.labels.has(at)) return at + 1
    if (isName.test(word) && !this.words.isKeyword(at)) return this.chainAt(at)
    return at + 1
  }

  /** A closure or the braces of a statement: it sees what is around it. The parameters of a closure are not known. */
  private plainBlock(at: number): Block {
    const { block } = this
    if (this.blocks.length > MAX_DEPTH) return { ...block, isType: false }
    const scope = makeScope(block.scope, 0)
    for (const name of this.words.closureParameters(at)) {
      this.labels.add(name)
      scope.names.set(this.words.at(name), null)
    }
    return { ...block, scope, side: block.isType ? this.memberSide : block.side, isType: false }
  }

  // Types

  private typeAt(at: number): number {
    const isExtension = this.words.at(at) === "extension"
    const { type: outer } = this.block
    let next = at + 1
    let name = this.words.at(next)
    if (!isExtension) next++
    else {
      // The extended type is used; its name may have dots.
      const end = this.chainAt(next)
      name = ""
      for (; next < end; next++) name += this.words.at(next)
    }
    const qualified = isExtension || outer === undefined ? name : `${outer}.${name}`
    const open = this.words.openingBrace(next)
    if (open === -1 || qualified.length > MAX_PATH) return next
    const scope = makeScope(undefined, 0)
    next = this.generics(next, scope)
    this.opened.set(open, { scope, type: qualified, side: undefined, isType: true })
    if (this.words.at(next) !== ":") return next
    // `A, B & C where …`
    for (let base = next + 1; base < open && this.words.at(base) !== "where"; base++) {
      if (!isTypeName.test(this.words.at(base)) || this.words.at(base - 1) === ".") continue
      const value = this.typeNamed(base).value
      this.facts.export(`^${qualified}`, value)
      this.facts.base(this.ordinals.get(qualified) ?? -1, value)
      base = this.words.skipGenerics(base + 1) - 1
    }
    return next
  }

  /** Declares generic parameters as names of which nothing is known, and returns the word after them. */
  private generics(at: number, scope: Scope): number {
    if (this.words.at(at) !== "<") return at
    const end = this.words.skipGenerics(at)
    for (let each = at + 1; each < end; each++) {
      if (!isName.test(this.words.at(each)) || !/^[<,]$/.test(this.words.at(each - 1))) continue
      scope.names.set(this.words.at(each), null)
      this.labels.add(each)
    }
    return at + 1
  }

  private aliasAt(at: number): number {
    const name = this.words.at(at + 1)
    if (this.words.at(at + 2) !== "=") return at + 2
    const ordinal = this.facts.symbolNamed(name, this.words.start(at + 1), this.file.scope)
    const { end, value } = this.typeNamed(at + 3)
    if (/^(?:[\w@}]+|)$/.test(this.words.at(end)) || this.words.at(end) === "<") this.facts.value(ordinal, value)
    return at + 3
  }

  /** Returns the type that names mean, `A.B`, without reporting a use. */
  private typeNamed(at: number): { readonly value: Binding; readonly end: number } {
    const name = this.words.at(at)
    let value: Binding =
      name === "Self" ? this.ownType : isTypeName.test(name) ? (this.local(name) ?? this.constant(name)) : null
    if (value === undefined) value = null
    let end = at + 1
    for (; this.words.at(end) === "." && isTypeName.test(this.words.at(end + 1)); end += 2)
      value = extend(value, `.${this.words.at(end + 1)}`)
    return { value, end }
  }

  /** Returns an instance of the type that is declared at a word; null for types that are more than a name. */
  private declaredType(at: number): Binding {
    let from = at
    while (/^(?:any|some|inout|borrowing|consuming|isolated|sending)$/.test(this.words.at(from))) from++
    const isBracketed = this.words.at(from) === "("
    if (isBracketed && /^(?:any|some)$/.test(this.words.at(from + 1))) from += 2
    const { end, value } = this.typeNamed(from)
    let after = this.words.skipGenerics(end)
    if (isBracketed && this.words.at(after) === ")") after++
    while (/^[?!]$/.test(this.words.at(after))) after++
    return /^(?:->|&|\.|\.\.\.|throws|async)$/.test(this.words.at(after)) ? null : extend(value, "@")
  }

  private get ownType(): Binding {
    const { type } = this.block
    if (type === undefined) return null
    const dot = type.lastIndexOf(".")
    return absolute(`"=${type.slice(0, Math.max(0, dot))}"`, `.${type.slice(dot + 1)}`)
  }

  private constant(name: string): Expression {
    return absolute(`"${this.block.type ?? "="}"`, `.${name}`)
  }

  private local(name: string): Binding | undefined {
    for (let at: Scope | undefined = this.block.scope; at !== undefined; at = at.outer) {
      if (at.names.has(name))
        return at.names.get(name) === null ? null : { scope: this.block.scope, root: name, path: "" }
    }
    return undefined
  }

  // Functions

  private functionAt(at: number): number {
    const isNamed = this.words.at(at) === "func"
    const name = isNamed ? at + 1 : at
    const { isType, scope, type } = this.block
    const isStatic = this.words.hasModifier(at, /^(?:static|class)$/)
    let open = name + 1
    while (/^[?!]$/.test(this.words.at(open))) open++
    const inner = makeScope(scope, 0)
    const list = this.words.skipGenerics(open)
    this.generics(open, inner)
    if (this.words.at(list) !== "(") return name + 1
    const close = this.words.closing(list)
    const ordinal = this.facts.symbolNamed(this.words.at(name), this.words.start(name), this.file.scope)
    const side: Side | undefined = isType ? (isStatic ? ";" : ":") : this.block.side
    const parameters = this.parameters(list, close, inner)
    if (isType && ordinal >= 0 && type !== undefined) {
      this.facts.export(`${type}.${this.words.at(name)}${side}`, absolute(`#${ordinal}`))
      this.facts.field(ordinal, "()", absolute(parameters))
    }
    // A function within another one.
    if (!isType && isNamed && this.blocks.length > 0) scope.names.set(this.words.at(name), null)
    const arrow = this.words.find(close + 1, "->", 8)
    if (arrow !== -1)
      this.facts.value(
        ordinal,
        this.words.at(arrow + 1) === "Self" ? extend(this.ownType, "@") : this.declaredType(arrow + 1),
      )
    const body = this.words.openingBrace(close + 1)
    if (list > open) {
      const end = Math.min(body === -1 ? close : body, list + MAX_HEADER)
      for (let each = list; each < end; each++) if (inner.names.get(this.words.at(each)) === null) this.labels.add(each)
    }
    if (body !== -1) this.opened.set(body, { scope: inner, type, side, isType: false })
    return name + 1
  }

  /** Declares parameters with their types, and returns their labels. */
  private parameters(list: number, close: number, scope: Scope): string {
    const all: Array<string> = []
    for (const [from, to] of this.words.items(list, close)) {
      let first = from
      while (this.words.at(first) === "@") first += 2
      const second = isName.test(this.words.at(first + 1)) ? first + 1 : first
      if (this.words.at(second + 1) !== ":") continue
      this.labels.add(first).add(second)
      const label = this.words.at(first)
      const isRest = this.words.at(to - 1) === "..."
      const hasDefault = this.words.find(second, "=", to - second) !== -1
      all.push(`${label}${hasDefault ? "?" : ""}${isRest ? "*" : ""}`)
      let type = second + 2
      while (this.words.at(type) === "@") type += 2
      const value = this.inScope(scope, () => this.declaredType(type))
      scope.names.set(this.words.at(second), isRest ? null : value)
    }
    return all.join(",")
  }

  /** Looks names up in a scope that is not open yet. */
  private inScope<A>(scope: Scope, run: () => A): A {
    this.blocks.push({ ...this.block, scope })
    const value = run()
    this.blocks.pop()
    return value
  }

  // Variables

  private variableAt(at: number): number {
    const name = at + 1
    const { isType, scope, type } = this.block
    const text = this.words.at(name)
    if (!isName.test(text) || this.words.isKeyword(name)) {
      // `let (a, b) = …`
      if (text === "(")
        for (const [from] of this.words.items(name, this.words.closing(name))) this.declareUnknown(from, scope)
      return name + 1
    }
    this.labels.add(name)
    const mark = this.words.at(name + 1)
    // `if let a {` and `guard let a else {` mean the same a as before.
    if (/^(?:[{,]|else)$/.test(mark) && this.local(text) !== undefined) return name + 1
    const value =
      mark === ":"
        ? this.declaredType(this.words.at(name + 2) === "@" ? name + 4 : name + 2)
        : mark === "="
          ? this.valueAt(name + 2)
          : // `if let a {` means `if let a = a {`.
            mark === "{" || (mark === "," && /^(?:if|guard|while|,)$/.test(this.words.at(at - 1)))
            ? isType
              ? null
              : this.member(text)
            : null
    if (isType) {
      this.memberSide = this.words.hasModifier(at, /^(?:static|class)$/) ? ";" : ":"
      const ordinal = this.facts.symbolNamed(text, this.words.start(name), this.file.scope)
      if (ordinal >= 0 && type !== undefined) {
        this.facts.export(`${type}.${text}${this.memberSide}`, absolute(`#${ordinal}`))
        this.facts.value(ordinal, value)
      }
    } else this.declareName(scope, text, value)
    return name + 1
  }

  /** A name that is declared again in the same braces may be either. */
  private declareName(scope: Scope, name: string, value: Binding): void {
    // A variable that stands for its own name, `let a = a`, would have no end.
    const isOwn = value !== null && value.scope !== undefined && value.root === name
    scope.names.set(name, scope.names.has(name) || isOwn ? null : value)
  }

  private declareUnknown(at: number, scope: Scope): void {
    if (!isName.test(this.words.at(at)) || this.words.isKeyword(at)) return
    this.labels.add(at)
    scope.names.set(this.words.at(at), null)
  }

  /** `case .a(let b)` declares b by itself; `case a, b` in an enum declares no names that are known. */
  private caseAt(at: number): number {
    if (!this.block.isType) return at + 1
    let next = at + 1
    for (; isName.test(this.words.at(next)); next++) {
      this.labels.add(next)
      next++
      if (this.words.at(next) === "(") {
        for (const [from] of this.words.items(next, this.words.closing(next)))
          if (this.words.at(from + 1) === ":") this.labels.add(from)
        const close = this.words.closing(next)
        if (this.words.at(close + 1) !== ",") return next
        // Types in the brackets are read on the way; the names after them are declared now.
        for (let after = close + 1; this.words.at(after) === "," && isName.test(this.words.at(after + 1)); ) {
          this.labels.add(after + 1)
          after = this.words.at(after + 2) === "(" ? this.words.closing(after + 2) + 1 : after + 2
        }
        return next
      }
      if (this.words.at(next) !== ",") break
    }
    return next
  }

  private loopAt(at: number): number {
    const names = at + 1
    const end = this.words.find(names, "in", 30)
    // They are names of the braces of the loop, and known nowhere else; around it they are hidden, too, which is safe.
    for (let each = names; each < end; each++) this.declareUnknown(each, this.block.scope)
    return end === -1 ? names : end
  }

  // Expressions

  /** Returns what an expression is that is a chain of names and calls alone; reports nothing. */
  private valueAt(from: number): Binding {
    let at = from
    while (/^(?:try|await|[?!])$/.test(this.words.at(at))) at++
    if (!isName.test(this.words.at(at))) return null
    let { next, value } = this.head(at)
    for (;;) {
      const mark = this.words.at(next)
      if (mark === "(" && !this.words.isLineStart(next)) {
        const close = this.words.closing(next)
        value = this.called(value, next).value
        next = close + 1
      } else if (/^[?!]$/.test(mark) && this.words.at(next + 1) === ".") next++
      else if (mark === "." && isName.test(this.words.at(next + 1))) {
        value = this.memberOf(value, next + 1)
        next += 2
      } else break
    }
    // An operator makes another value of it.
    const isWhole =
      /^(?:[}),;]|else|)$/.test(this.words.at(next)) || this.words.isLineStart(next) || this.words.at(next) === "{"
    return isWhole && !/^(?:\?\?|as|is|\?|&&|\|\||[-+*/<>.=&|])/.test(this.words.at(next)) ? value : null
  }

  /** Reads a chain, and returns the word after it. */
  private chainAt(at: number): number {
    if (this.isLabel(at)) return at + 1
    if (this.words.at(at - 1) === ".") return at + 1
    const { next, value } = this.head(at)
    if (value !== null && value.path !== "" && !this.isCallNext(next)) this.use(value, at)
    else if (value !== null && this.isCallNext(next) && isTypeName.test(this.words.at(at))) this.use(value, at)
    return this.continued(value, at, next)
  }

  private isLabel(at: number): boolean {
    return this.words.at(at + 1) === ":" && /^[(,]$/.test(this.words.at(at - 1)) && this.words.isInBrackets(at)
  }

  private isCallNext(next: number): boolean {
    return (this.words.at(next) === "(" && !this.words.isLineStart(next)) || this.words.isTrailingClosure(next)
  }

  private use(value: Expression, at: number): void {
    this.facts.use(value.scope, value.root, value.path, this.words.start(at))
  }

  /** The first name of a chain. */
  private head(at: number): { readonly value: Binding; readonly next: number } {
    const name = this.words.at(at)
    const { side } = this.block
    const next = this.words.isGenericCall(at + 1) ? this.words.skipGenerics(at + 1) : at + 1
    if (name === "self")
      return { value: side === undefined ? null : side === ":" ? extend(this.ownType, "@") : this.ownType, next }
    if (name === "super") return { value: side === undefined ? null : extend(this.ownType, "^"), next }
    if (name === "Self") return { value: this.ownType, next }
    const local = this.local(name)
    if (local !== undefined) return { value: local, next }
    if (isTypeName.test(name)) return { value: this.constant(name), next }
    return { value: this.member(name), next }
  }

  /** A member of `self` that is named without it, or a function of the file. */
  private member(name: string): Binding {
    const { side, type } = this.block
    const ordinal = this.functions.get(name)
    if (side === undefined || type === undefined)
      return ordinal === undefined || ordinal < 0 || type !== undefined ? null : absolute(`#${ordinal}`)
    if (platform.has(name) || ordinal !== undefined) return null
    return extend(side === ":" ? extend(this.ownType, "@") : this.ownType, `.${name}${side}`)
  }

  private memberOf(value: Binding, at: number): Binding {
    const name = this.words.at(at)
    if (value === null) return null
    if (isTypeName.test(name)) return isConstant(value) ? extend(value, `.${name}`) : null
    if (name === "self" || name === "Type") return name === "self" ? value : null
    return extend(value, `.${name}${isConstant(value) ? ";" : ":"}`)
  }

  /** Returns the target of a call, with its labels, and the value of the call. */
  private called(value: Binding, open: number): { readonly target: Binding; readonly value: Binding } {
    if (value === null) return { target: null, value: null }
    const hasList = this.words.at(open) === "("
    const close = hasList ? this.words.closing(open) : open - 1
    const labels: Array<string> = []
    if (hasList) {
      for (const [from, to] of this.words.items(open, close)) {
        if (to === from) continue
        const isLabelled = this.words.at(from + 1) === ":" && /^[\w`]/.test(this.words.at(from))
        labels.push(isLabelled ? this.words.at(from) : "_")
      }
    }
    const hasClosure = this.words.isTrailingClosure(close + 1)
    const call = `/${labels.join(",")}${hasClosure ? "+" : ""}`
    if (isConstant(value)) return { target: extend(value, `@.init:${call}`), value: extend(value, "@") }
    if (!/[:;]$/.test(value.path)) return { target: value.path === "" ? value : null, value: extend(value, "()") }
    const target = extend(value, call)
    const isInit = /@?\.init[:;]$/.test(value.path)
    return { target, value: isInit ? null : extend(target, "()") }
  }

  /** Reads what follows the head of a chain. */
  private continued(head: Binding, at: number, from: number): number {
    let value = head
    let name = at
    let next = from
    for (;;) {
      if (this.isCallNext(next)) {
        const { target, value: result } = this.called(value, next)
        if (target !== null) this.use(target, name)
        if (this.words.at(next) !== "(") return next
        this.results.set(this.words.closing(next), result)
        return next
      }
      const after = this.afterCall(next)
      if (this.words.at(after) !== "." || !isName.test(this.words.at(after + 1))) return next
      name = after + 1
      if (this.words.at(name) === "init" && value !== null && isConstant(value)) value = extend(value, "@.init:")
      else value = this.memberOf(value, name)
      next = this.words.isGenericCall(name + 1) ? this.words.skipGenerics(name + 1) : name + 1
      if (value !== null && !this.isCallNext(next)) this.use(value, name)
    }
  }

  private members(value: Binding, at: number): number {
    const isMember = this.words.at(at) === "." && isName.test(this.words.at(at + 1))
    return isMember ? this.continued(value, at, at) : at
  }

  private afterCall(at: number): number {
    let next = at
    while (/^[?!]$/.test(this.words.at(next)) && /^[.?!]$/.test(this.words.at(next + 1))) next++
    return next
  }
}

/** Extends an expression. Long ones, which resolve to nothing, would cost quadratic time. */
const extend = (value: Binding, path: string): Binding =>
  value !== null && value.path.length > MAX_PATH ? null : extendFully(value, path)

/** The most words of the header of a generic function. */
const MAX_HEADER = 200

/** The most braces in braces with names of their own. */
const MAX_DEPTH = 200

/** The most characters of a qualified name or an expression. */
const MAX_PATH = 300

/** Returns whether an expression is a type and not an instance: names of types alone. */
const isConstant = ({ path, root }: Expression): boolean => root.startsWith('"') && /^(?:\.[A-Z_]\w*)+$/.test(path)
