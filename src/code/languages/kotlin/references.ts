/**
 * Reads references of Kotlin off its words. A module specifier is the name of a package; `"."` stands for all packages
 * of which the file sees the names. Calls have the number of their arguments, and a function tells how many it takes.
 * What a receiver of an unknown type has is not known.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import {
  absolute,
  type Binding,
  type Expression,
  extend as extendFully,
  Facts,
  makeScope,
} from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { kotlin } from "../patterns/jvm.ts"
import * as Imports from "./Imports.ts"
import {
  collections,
  elementFunctions,
  elementResults,
  listResults,
  memberNames,
  platformFunctions,
  platformTypes,
} from "./platform.ts"
import { withTemplates } from "./templates.ts"
import { isName, isTypeName, Words } from "./Words.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

const mask = maskWith(kotlin.literals)

/** A declaration, a pair of braces or an expression with names of its own. */
interface Block {
  readonly outer: Block | undefined
  readonly kind: "file" | "type" | "function" | "plain"
  names: Map<string, Binding> | undefined
  /** The type whose members are in it. */
  readonly type: { readonly ordinal: number; readonly qualified: string } | undefined
  /** The parameters of the constructor, which only the initializers of a type see. */
  readonly parameters: Map<string, Binding> | undefined
  /** The value of `this` if it is no type of the file; null if nothing is known of it. */
  readonly receiver: Binding | undefined
  /** True if it surely has that receiver, so that nothing is known of its names if nothing is of the receiver. */
  readonly hasReceiver: boolean
  /** The word at which it ends, if it has no braces. */
  readonly end: number | undefined
}

const noBlock = {
  names: undefined,
  type: undefined,
  parameters: undefined,
  receiver: undefined,
  hasReceiver: false,
  end: undefined,
}

/** A method, with the numbers of arguments that it takes. */
interface Method {
  readonly ordinal: number
  readonly least: number
  readonly most: number
}

type Called = number | "some" | undefined

class Reader {
  private readonly facts: Facts
  private readonly words: Words
  private readonly imports: Imports.Imports
  private readonly fileScope = makeScope(undefined, 0)
  private readonly blocks: Array<Block> = []
  /** The contents of braces that are not reached yet, by the word that opens them. */
  private readonly opened = new Map<number, Block>()
  /** Values that go on behind a closing bracket, with the word that names each. */
  private readonly results = new Map<number, { readonly value: Binding; readonly name: number }>()
  /** Words that are names of declarations, parameters and arguments. */
  private readonly labels = new Set<number>()
  private readonly ordinals = new Map<string, number>()
  /** The functions of each type by name, with the number of arguments of each. */
  private readonly methods = new Map<string, Array<Method>>()
  /** The types that have base types. */
  private readonly derived = new Set<number>()
  /** Extensions that the file declares or imports by name. */
  private readonly extensions = new Set<string>()
  /** Extensions that types of the file declare, by name; -1 if several have one name. */
  private readonly memberExtensions = new Map<string, number>()
  /** The value before an infix call. */
  private last: { readonly end: number; readonly value: Binding } = { end: -1, value: null }

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.facts = new Facts(text, symbols)
    const masked = mask(text)
    this.words = new Words(withTemplates(text, masked))
    this.imports = Imports.read(masked.code)
    symbols.forEach(({ container, name, signature }, ordinal) => {
      const qualified = this.qualifiedOf(ordinal)
      if (!this.ordinals.has(qualified)) this.ordinals.set(qualified, ordinal)
      if (container === undefined || !isExtension.test(signature)) return
      if (this.ordinals.has(container.replace(/\.[^.]*$/, "")) && container.includes("."))
        this.memberExtensions.set(name, this.memberExtensions.has(name) ? -1 : ordinal)
      else this.extensions.add(name)
    })
    for (const [name, { path }] of this.imports.named) if (path.length === 1) this.extensions.add(name)
  }

  read(): string {
    const { functions, packageName, visible } = this.imports
    this.facts.export(`@${packageName}`, absolute('""'))
    for (const each of visible) this.facts.export("using", each)
    for (const each of functions) this.facts.export("import", each)
    for (let at = 0; at < this.words.length; ) {
      while (at >= (this.block.end ?? Number.POSITIVE_INFINITY)) this.blocks.pop()
      at = this.readAt(at)
    }
    this.declareOverloads()
    return this.facts.encode()
  }

  private get packageSpecifier(): string {
    return this.imports.visible[0]?.root ?? ""
  }

  private readonly file: Block = { ...noBlock, outer: undefined, kind: "file" }

  private get block(): Block {
    return this.blocks.at(-1) ?? this.file
  }

  private readAt(at: number): number {
    const word = this.words.at(at)
    switch (word) {
      case "{":
        this.blocks.push(this.opened.get(at) ?? this.bracesAt(at))
        return at + 1
      case "}":
        this.blocks.pop()
        return this.behind(at)
      case ")":
      case "]":
      case ">":
      case '"':
        return this.behind(at)
      case "package":
      case "import":
        return this.words.isLineStart(at) ? this.words.lineEnd(at) : at + 1
      case "@":
        // `@get:Inject` names the part that is annotated.
        return this.words.at(at + 2) === ":" && this.words.isTight(at + 2) ? at + 3 : at + 1
      case "return":
      case "break":
      case "continue":
        return this.words.isLabelled(at) ? at + 3 : at + 1
      case "class":
      case "interface":
      case "object":
        return /^(?:::|\.)$/.test(this.words.at(at - 1)) ? at + 1 : this.typeAt(at)
      case "typealias":
        return this.aliasAt(at)
      case "fun":
        return this.functionAt(at)
      case "constructor":
        return this.block.kind === "type" && this.words.at(at + 1) === "(" ? this.constructorAt(at) : at + 1
      case "val":
      case "var":
        return this.variableAt(at)
      case "for":
        return this.loopAt(at)
      case "catch":
        return this.catchAt(at)
      case "get":
      case "set":
        if (this.isAccessor(at)) return this.accessorAt(at)
        break
      case "init":
      case "companion":
      case "by":
      case "where":
      case "finally":
        if (this.isSoftKeyword(at)) return at + 1
    }
    if (this.labels.has(at) || !isName.test(word)) return at + 1
    if (word === "this" || word === "super" || !this.words.isKeyword(at)) return this.chainAt(at)
    return at + 1
  }

  private isSoftKeyword(at: number): boolean {
    const next = this.words.at(at + 1)
    switch (this.words.at(at)) {
      case "init":
      case "finally":
        return next === "{"
      case "companion":
        return next === "object"
    }
    return (isName.test(next) && this.words.isBehindValue(at)) || next === "("
  }

  /** Braces that no declaration has opened: those of a statement, or a function without a name. */
  private bracesAt(open: number): Block {
    return this.words.isLambda(open) ? this.lambda(open, {}) : this.inner({})
  }

  private inner(part: Partial<Block>): Block {
    const { block } = this
    if (this.blocks.length > MAX_DEPTH) return { ...block, end: part.end }
    return { ...noBlock, outer: block, kind: "plain", ...part }
  }

  /** A function in braces. `given` has the values of its parameters, and what `this` is in it. */
  private lambda(
    open: number,
    given: { readonly first?: Binding; readonly parameter?: Expression; readonly receiver?: Binding },
  ): Block {
    const { first = null, parameter, receiver } = given
    const names = new Map<string, Binding>()
    const at = (position: number | undefined): Binding => {
      if (position === 0 && first !== null) return first
      return position === undefined || parameter === undefined ? null : extend(parameter, `$+-${position}`)
    }
    const parameters = this.words.lambdaParameters(open)
    if (parameters === undefined) names.set("it", at(0))
    for (const [name, position] of parameters ?? []) {
      this.labels.add(name)
      const hasType = this.words.at(name + 1) === ":"
      names.set(this.textAt(name), hasType ? this.declaredType(name + 2) : at(position))
    }
    const self = receiver ?? (receiver === null ? null : parameter && extend(parameter, "$+-r"))
    return this.inner({ names, receiver: self, hasReceiver: receiver !== undefined })
  }

  private textAt(at: number): string {
    return Imports.withoutTicks(this.words.at(at))
  }

  // Types

  private typeAt(at: number): number {
    const isObject = this.words.at(at) === "object"
    const isCompanion = isObject && this.words.at(at - 1) === "companion"
    const name = at + 1
    if (isObject && (!isName.test(this.words.at(name)) || this.words.isKeyword(name)))
      return isCompanion ? this.companionAt(name) : this.objectAt(at)
    if (!isName.test(this.words.at(name))) return name
    this.labels.add(name)
    if (isCompanion) return this.companionAt(name + 1)
    const { block } = this
    const ordinal = block.kind === "plain" || block.kind === "function" ? -1 : this.symbolAt(name)
    const text = this.textAt(name)
    const qualified = block.type === undefined ? text : `${block.type.qualified}.${text}`
    // A type within a function is no symbol.
    if (ordinal < 0) this.namesOf(block).set(text, null)
    const names = new Map<string, Binding>()
    let next = name + 1
    this.generics(next, names)
    next = this.words.skipGenerics(next)
    for (let left = 12; left > 0; left--) {
      if (this.words.at(next) === "@") next = this.words.skipAnnotation(next)
      else if (/^(?:private|internal|protected|public|expect|actual|constructor)$/.test(this.words.at(next))) next++
      else break
    }
    const parameters = new Map<string, Binding>()
    // The names of the parameters are seen in the head.
    const head = this.inner({ names, parameters, type: ordinal < 0 ? undefined : { ordinal, qualified } })
    if (this.words.at(next) === "(") {
      const close = this.words.closing(next)
      this.inBlock({ ...head, kind: "type" }, () => this.parameters(next, close, parameters))
      next = close + 1
    }
    const { end, types } = this.inBlock(head, () => this.supertypes(next))
    for (const type of types) this.facts.base(ordinal, type)
    if (types.length > 0) this.derived.add(ordinal)
    // A type that is expected of all systems is like a base of the one that a system has.
    if (block.kind === "file" && this.words.hasModifier(at, "actual")) {
      this.facts.base(ordinal, absolute(this.packageSpecifier, `.${text}!`))
      this.derived.add(ordinal)
    }
    const open = end
    const hasBody = this.words.at(open) === "{"
    if (hasBody) {
      const type = ordinal < 0 ? undefined : { ordinal, qualified }
      const receiver = ordinal < 0 ? null : undefined
      this.opened.set(open, { ...this.inner({ kind: "type", names, parameters, type, receiver }), outer: block })
      if (this.words.at(at - 1) === "enum") this.enumEntries(open, ordinal)
    }
    this.blocks.push({ ...head, names: new Map([...names, ...parameters]), end: open })
    return name + 1
  }

  /** Reads `: A, B(c) by d where …` without reporting uses, and returns the types and the word behind all of it. */
  private supertypes(from: number): { readonly types: ReadonlyArray<Binding>; readonly end: number } {
    const types: Array<Binding> = []
    let at = from
    if (this.words.at(at) === ":") {
      do {
        at++
        while (this.words.at(at) === "@") at = this.words.skipAnnotation(at)
        if (isName.test(this.words.at(at))) types.push(this.typeNamed(at).value)
        at = this.words.skipType(at)
        if (this.words.at(at) === "(") at = this.words.closing(at) + 1
        if (this.words.at(at) === "by")
          while (at < this.words.length && !/^[,{}]$/.test(this.words.at(at)))
            at = /^[([]$/.test(this.words.at(at)) ? this.words.closing(at) + 1 : at + 1
      } while (this.words.at(at) === ",")
    }
    if (this.words.at(at) === "where")
      while (at < this.words.length && !/^[{};=]$/.test(this.words.at(at)) && at - from < MAX_HEADER) at++
    return { types, end: at }
  }

  private companionAt(from: number): number {
    const { block } = this
    const { end, types } = this.supertypes(from)
    for (const type of types) if (block.type !== undefined) this.facts.base(block.type.ordinal, type)
    if (types.length > 0) this.derived.add(block.type?.ordinal ?? -1)
    if (this.words.at(end) === "{")
      this.opened.set(end, { ...block, outer: block, parameters: undefined, end: undefined })
    return from
  }

  /** `object : A() { … }` is an instance of A, and `object { … }` of nothing that is known. */
  private objectAt(at: number): number {
    const { end, types } = this.supertypes(at + 1)
    if (this.words.at(end) === "{") {
      const receiver = types.length === 1 ? extend(types[0] ?? null, "@") : null
      this.opened.set(end, this.inner({ receiver }))
    }
    return at + 1
  }

  /** The entries of an enum are declared here, and may have braces with members of their own. */
  private enumEntries(open: number, ordinal: number): void {
    for (let at = open + 1; at < this.words.closing(open); ) {
      while (this.words.at(at) === "@") at = this.words.skipAnnotation(at)
      if (!isName.test(this.words.at(at)) || this.words.isKeyword(at)) return
      // An entry is no symbol, but what it has is known.
      this.facts.field(ordinal, this.textAt(at), absolute(`#${ordinal}`, "@"))
      this.labels.add(at++)
      if (this.words.at(at) === "(") at = this.words.closing(at) + 1
      if (this.words.at(at) === "{") {
        const body = this.opened.get(open)
        if (body !== undefined)
          this.opened.set(at, { ...this.inner({ receiver: absolute(`#${ordinal}`, "@") }), outer: body })
        at = this.words.closing(at) + 1
      }
      if (this.words.at(at) !== ",") return
      at++
    }
  }

  /** Declares generic parameters as names of which nothing is known. */
  private generics(at: number, names: Map<string, Binding>): void {
    if (this.words.at(at) !== "<") return
    const end = Math.min(this.words.skipGenerics(at), at + MAX_HEADER)
    for (let each = at + 1; each < end; each++) {
      if (!isName.test(this.words.at(each)) || !/^(?:[<,]|reified|in|out)$/.test(this.words.at(each - 1))) continue
      if (/^(?:reified|in|out)$/.test(this.words.at(each))) continue
      const isBounded = this.words.at(each + 1) === ":" && isTypeName.test(this.words.at(each + 2))
      if (!names.has(this.words.at(each)))
        names.set(this.words.at(each), isBounded ? this.typeNamed(each + 2).value : null)
      this.labels.add(each)
    }
  }

  private aliasAt(at: number): number {
    const ordinal = this.symbolAt(at + 1)
    this.labels.add(at + 1)
    const names = new Map<string, Binding>()
    this.generics(at + 2, names)
    const equals = this.words.skipGenerics(at + 2)
    if (this.words.at(equals) !== "=") return at + 2
    const end = this.words.skipType(equals + 1)
    const { next, value } = this.typeNamed(equals + 1)
    if (this.words.skipGenerics(next) === end) this.facts.value(ordinal, value)
    this.blocks.push(this.inner({ names, end }))
    return at + 2
  }

  /** Returns the type that names mean, `A.B`, without reporting a use, and the word behind it. */
  private typeNamed(at: number): { readonly value: Binding; readonly next: number } {
    let next = at
    if (!isTypeName.test(this.words.at(at))) {
      next = this.packageEnd(at)
      if (next === at) return { value: null, next: at + 1 }
    }
    let value = next === at ? this.typeOf(this.textAt(at)) : this.inPackage(at, next, undefined)
    next++
    for (; this.words.at(next) === "." && isTypeName.test(this.words.at(next + 1)); next += 2)
      if (this.words.at(next + 1) !== "Companion") value = extend(value, `.${this.textAt(next + 1)}`)
    return { value, next }
  }

  /** Returns the type behind the names of packages that begin at a word; the word itself if there is none. */
  private packageEnd(at: number): number {
    let next = at
    while (next - at < 20 && isName.test(this.words.at(next)) && !isTypeName.test(this.words.at(next))) {
      if (this.words.isKeyword(next) || this.words.at(next + 1) !== ".") return at
      next += 2
    }
    return next - at >= 4 && isTypeName.test(this.words.at(next)) ? next : at
  }

  private inPackage(from: number, type: number, called: Called): Expression {
    let name = ""
    for (let at = from; at < type - 1; at++) name += this.textAt(at)
    return absolute(`"${name}"`, Imports.callee(`.${this.textAt(type)}`, called))
  }

  /** Returns what a name with a capital means. */
  private typeOf(name: string, called: Called = undefined): Binding {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.names?.has(name)) return at.names.get(name) ?? null
      if (at.type === undefined) continue
      const ordinal = this.ordinals.get(`${at.type.qualified}.${name}`)
      if (ordinal === undefined) continue
      const isType = isTypeKind.test(this.facts.symbols[ordinal]?.kind ?? "")
      return isType ? absolute(`#${ordinal}`) : absolute(`#${at.type.ordinal}`, `@${Imports.member(name, called)}`)
    }
    const imported = this.imports.named.get(name)
    if (imported !== undefined) return Imports.meaningOf(imported, called)
    if (platformTypes.has(name) && !this.ordinals.has(name)) return null
    // A type or a constant may be inherited.
    const { type } = this
    if (type !== undefined && called !== "some" && this.mayInherit())
      return absolute(`#${type.ordinal}`, `@${Imports.member(name, called)}>`)
    return absolute(VISIBLE, Imports.callee(`.${name}`, called))
  }

  /** Returns whether one of the types around has base types. */
  private mayInherit(): boolean {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && this.derived.has(at.type.ordinal)) return true
    return false
  }

  /** The innermost type around. */
  private get type(): Block["type"] {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined) return at.type
    return undefined
  }

  /** Returns an instance of the type that is declared at a word; null for functions and types that are not known. */
  private declaredType(from: number): Binding {
    let at = from
    while (this.words.at(at) === "@") at = this.words.skipAnnotation(at)
    if (!isName.test(this.words.at(at))) return null
    const { next, value } = this.typeNamed(at)
    const after = this.words.skipGenerics(next)
    const end = this.words.at(after) === "?" ? after + 1 : after
    if (/^(?:->|&|\.|\?\.)$/.test(this.words.at(end))) return null
    const name = this.words.at(next - 1)
    if (collections.has(name) && value === null && after > next) {
      let element = next + 1
      if (/^(?:out|in)$/.test(this.words.at(element))) element++
      return extend(this.declaredType(element), "[")
    }
    return extend(value, "@")
  }

  // Functions

  private functionAt(at: number): number {
    let first = at + 1
    if (this.words.at(first) === "interface") return first
    const { block } = this
    const names = new Map<string, Binding>()
    this.generics(first, names)
    first = this.words.skipGenerics(first)
    const { list, name } = this.headAt(first)
    if (this.words.at(list) !== "(") return at + 1
    const close = this.words.closing(list)
    const hasReceiver = name !== undefined && name > first
    const frame = this.inner({ kind: "function", names })
    const extended = hasReceiver ? this.inBlock(frame, () => this.receiverAt(first, name)) : undefined
    const isMember = block.kind === "type" || block.kind === "file"
    const ordinal = name === undefined || !isMember ? -1 : this.symbolAt(name)
    if (name !== undefined) {
      this.labels.add(name)
      // Names of functions that are no symbols hide those of symbols.
      if (ordinal < 0) this.namesOf(block).set(this.textAt(name), null)
    }
    const inner: Block = { ...frame, receiver: extended ?? undefined }
    const { last, least, most } = this.inBlock(inner, () => this.parameters(list, close, names))
    let body = close + 1
    const result = this.words.at(body) === ":" ? body + 1 : undefined
    if (result !== undefined) body = this.words.skipType(result)
    if (this.words.at(body) === "where")
      while (body - close < MAX_HEADER && body < this.words.length && !/^[{}=;]$/.test(this.words.at(body))) body++
    const isExpression = this.words.at(body) === "="
    const isBlock = this.words.at(body) === "{"
    const end = isBlock ? this.words.closing(body) + 1 : isExpression ? this.words.expressionEnd(body + 1) : body
    this.blocks.push({ ...inner, end })
    if (isBlock) this.opened.set(body, this.inner({}))
    if (ordinal < 0) return at + 1
    const isTop = block.kind === "file"
    this.facts.field(ordinal, "()", absolute(`${least}-${most}`))
    if (hasReceiver && isTop) this.facts.field(ordinal, "this", extended ?? absolute("?"))
    if (last !== undefined) this.functionParameter(ordinal, last)
    this.facts.value(
      ordinal,
      result !== undefined ? this.declaredType(result) : isExpression ? this.valueAt(body + 1) : null,
    )
    if (block.type !== undefined && !hasReceiver && name !== undefined) {
      const key = `${block.type.ordinal} ${this.textAt(name)}`
      const known = this.methods.get(key)
      const method = { ordinal, least, most }
      if (known === undefined) this.methods.set(key, [method])
      else known.push(method)
    }
    return at + 1
  }

  /** Returns the name of a function or property, which may have a receiver before it, and the word behind it. */
  private headAt(first: number): { readonly name: number | undefined; readonly list: number } {
    let at = first
    for (let left = 20; left > 0; left--) {
      while (this.words.at(at) === "@") at = this.words.skipAnnotation(at)
      const isBracketed = this.words.at(at) === "("
      if (isBracketed) {
        const end = this.words.closing(at) + 1
        const after = this.words.at(end) === "?" ? end + 1 : end
        if (!/^\??\.$/.test(this.words.at(after))) return { name: undefined, list: at }
        at = after + 1
        continue
      }
      if (!isName.test(this.words.at(at))) return { name: undefined, list: at }
      let after = this.words.skipGenerics(at + 1)
      while (this.words.at(after) === "?") after++
      if (!/^\??\.$/.test(this.words.at(after))) return { name: at, list: at + 1 }
      at = after + 1
    }
    return { name: undefined, list: at }
  }

  /** Returns the value of `this` in a function with a receiver; null if it is not known. */
  private receiverAt(first: number, name: number): Binding {
    if (!isName.test(this.words.at(first))) return null
    const { next, value } = this.typeNamed(first)
    const isWhole = this.words.skipGenerics(next) >= name - 2
    if (!isWhole) return null
    return this.words.at(next - 1) === "Companion" ? value : extend(value, "@")
  }

  private parameters(list: number, close: number, names: Map<string, Binding>) {
    let least = 0
    let most = 0
    let last: number | undefined
    for (const [from, to] of this.words.items(list, close)) {
      let name = from
      let isRest = false
      for (let left = 12; left > 0 && this.words.at(name + 1) !== ":" && name < to; left--) {
        if (this.words.at(name) === "vararg") isRest = true
        name = this.words.at(name) === "@" ? this.words.skipAnnotation(name) : name + 1
      }
      if (name >= to || this.words.at(name + 1) !== ":") continue
      for (let each = from; each <= name && each - from < 12; each++)
        if (this.words.at(each) !== "@" && this.words.at(each - 1) !== "@") {
          if (each === name || this.words.isModifier(each) || isParameterModifier.test(this.words.at(each)))
            this.labels.add(each)
        }
      const type = name + 2
      const hasDefault = this.words.find(this.words.skipType(type), "=", to - type) !== -1
      if (isRest) most = MANY
      else {
        if (!hasDefault) least++
        most++
      }
      last = type
      const value = isRest ? extend(this.declaredType(type), "[") : this.declaredType(type)
      names.set(this.textAt(name), value)
      if (this.block.kind === "type") this.property(this.symbolAt(name), name + 1, value)
    }
    return { least, most: Math.min(most, MANY), last }
  }

  /** Says what a function gives to the function that is its last argument: `block: Scope.(A, B) -> C`. */
  private functionParameter(ordinal: number, type: number): void {
    let at = type
    while (this.words.at(at) === "@") at = this.words.skipAnnotation(at)
    if (this.words.at(at) === "(" && this.words.at(this.words.closing(at) + 1) === "?") at++
    if (this.words.at(at) === "suspend") at++
    let receiver: Binding = null
    if (isName.test(this.words.at(at))) {
      const { next, value } = this.typeNamed(at)
      const dot = this.words.skipGenerics(next)
      if (this.words.at(dot) !== "." || this.words.at(dot + 1) !== "(") return
      receiver = extend(value, "@")
      at = dot + 1
    }
    const close = this.words.closing(at)
    if (this.words.at(at) !== "(" || this.words.at(close + 1) !== "->") return
    this.facts.field(ordinal, "$+-r", receiver)
    let position = 0
    for (const [from, to] of this.words.items(at, close)) {
      if (position === 3) break
      const isNamed = to - from > 2 && this.words.at(from + 1) === ":"
      this.facts.field(ordinal, `$+-${position++}`, this.declaredType(isNamed ? from + 2 : from))
    }
  }

  private constructorAt(at: number): number {
    const list = at + 1
    const close = this.words.closing(list)
    const names = new Map<string, Binding>()
    this.inBlock(this.inner({ kind: "function" }), () => this.parameters(list, close, names))
    let end = close + 1
    if (this.words.at(end) === ":") end = this.words.at(end + 2) === "(" ? this.words.closing(end + 2) + 1 : end + 2
    const hasBody = this.words.at(end) === "{"
    this.blocks.push(this.inner({ kind: "function", names, end: hasBody ? this.words.closing(end) + 1 : end }))
    if (hasBody) this.opened.set(end, this.inner({}))
    return list
  }

  private qualifiedOf(ordinal: number): string {
    const { container, name } = this.facts.symbols[ordinal] ?? { container: undefined, name: "" }
    return container === undefined ? name : `${container}.${name}`
  }

  /** Declares methods by the number of their arguments, where their type may have others of the name. */
  private declareOverloads(): void {
    for (const [key, methods] of this.methods) {
      const [type = "", name = ""] = key.split(" ")
      if (methods.length < 2 && !this.derived.has(Number(type))) continue
      const counts = new Map<number, number>()
      for (const { least, most, ordinal } of methods)
        for (let count = least; count <= Math.min(most, least + MAX_OPTIONAL); count++)
          counts.set(count, counts.has(count) ? -1 : ordinal)
      for (const [count, ordinal] of counts)
        this.facts.field(Number(type), `${name}/${count}`, absolute(ordinal < 0 ? "?" : `#${ordinal}`))
    }
  }

  // Variables

  private variableAt(at: number): number {
    const { block } = this
    const names = new Map<string, Binding>()
    let first = at + 1
    this.generics(first, names)
    first = this.words.skipGenerics(first)
    if (this.words.at(first) === "(" && !/^\??\.$/.test(this.words.at(this.words.closing(first) + 1))) {
      // `val (a, b) = …`
      for (const [from] of this.words.items(first, this.words.closing(first))) {
        this.labels.add(from)
        this.namesOf(block).set(this.textAt(from), null)
      }
      return first + 1
    }
    const { name } = this.headAt(first)
    if (name === undefined) return first
    this.labels.add(name)
    const text = this.textAt(name)
    const mark = this.words.at(name + 1)
    const isMember = block.kind === "type" || block.kind === "file"
    const ordinal = isMember ? this.symbolAt(name) : -1
    if (name > first) {
      const extended = this.inBlock(this.inner({ names }), () => this.receiverAt(first, name))
      if (ordinal >= 0 && block.kind === "file") this.facts.field(ordinal, "this", extended ?? absolute("?"))
      if (ordinal >= 0) this.facts.value(ordinal, mark === ":" ? this.declaredType(name + 2) : null)
      const end = this.words.atOffset(this.facts.symbols[ordinal]?.end ?? this.words.start(name + 1))
      this.blocks.push(this.inner({ kind: "function", names, receiver: extended ?? undefined, end }))
      return at + 1
    }
    const value = this.initialValue(name + 1)
    if (ordinal >= 0) this.property(ordinal, name + 1, value)
    else this.declareName(text, value)
    return at + 1
  }

  /** A property that holds no function has the name of one that is called, but is not meant. */
  private property(ordinal: number, mark: number, value: Binding): void {
    this.facts.value(ordinal, value)
    if (!this.holdsFunction(mark)) this.facts.field(ordinal, "()", absolute(`${PROPERTY}-${PROPERTY}`))
  }

  private holdsFunction(mark: number): boolean {
    if (this.words.at(mark) === "=") return /^(?:\{|::|fun)$/.test(this.words.at(mark + 1))
    if (this.words.at(mark) !== ":") return false
    const end = Math.min(this.words.skipType(mark + 1), mark + MAX_HEADER)
    for (let at = mark; at < end; at++) if (this.words.at(at) === "->") return true
    return false
  }

  /** Returns the value of a variable, by what follows its name. */
  private initialValue(at: number): Binding {
    switch (this.words.at(at)) {
      case ":":
        return this.declaredType(at + 1)
      case "=":
        return this.valueAt(at + 1)
      case "by":
        return this.words.at(at + 1) === "lazy" ? this.lastValue(this.words.find(at + 2, "{", 12)) : null
    }
    return null
  }

  /** The value of braces that hold a single expression. */
  private lastValue(open: number): Binding {
    if (open === -1) return null
    return this.words.expressionEnd(open + 1) === this.words.closing(open) ? this.valueAt(open + 1) : null
  }

  /** A name that is declared again in the same braces may be either. */
  private declareName(name: string, value: Binding): void {
    const names = this.namesOf(this.block)
    names.set(name, names.has(name) ? null : value)
  }

  private namesOf(block: Block): Map<string, Binding> {
    block.names ??= new Map()
    return block.names
  }

  private loopAt(at: number): number {
    const open = at + 1
    if (this.words.at(open) !== "(") return open
    const end = this.words.find(open + 1, "in", 40)
    if (end === -1) return open + 1
    const names = this.namesOf(this.block)
    const isOne = this.words.at(open + 1) !== "("
    for (let each = open + 1; each < end; each++) {
      if (!isName.test(this.words.at(each)) || this.words.isKeyword(each)) continue
      if (!/^[(,]$/.test(this.words.at(each - 1))) continue
      this.labels.add(each)
      const hasType = this.words.at(each + 1) === ":"
      const value = hasType ? this.declaredType(each + 2) : isOne ? extend(this.valueAt(end + 1), "]") : null
      names.set(this.textAt(each), value)
    }
    return open + 1
  }

  private catchAt(at: number): number {
    if (this.words.at(at + 1) !== "(" || this.words.at(at + 3) !== ":") return at + 1
    this.labels.add(at + 2)
    this.namesOf(this.block).set(this.textAt(at + 2), this.declaredType(at + 4))
    return at + 1
  }

  private isAccessor(at: number): boolean {
    if (this.block.kind === "plain" || this.words.at(at - 1) === ".") return false
    return this.words.at(at + 1) === "(" ? /^(?:[={:]|)$/.test(this.words.at(this.words.closing(at + 1) + 1)) : true
  }

  /** `get() = …` and `set(value) { … }` */
  private accessorAt(at: number): number {
    if (this.words.at(at + 1) !== "(") return at + 1
    const close = this.words.closing(at + 1)
    const names = new Map<string, Binding>([["field", null]])
    if (close > at + 2) {
      this.labels.add(at + 2)
      names.set(this.textAt(at + 2), null)
    }
    let body = close + 1
    if (this.words.at(body) === ":") body = this.words.skipType(body + 1)
    const isBlock = this.words.at(body) === "{"
    const end = isBlock ? this.words.closing(body) + 1 : this.words.expressionEnd(body + 1)
    this.blocks.push(this.inner({ kind: "function", names, end }))
    if (isBlock) this.opened.set(body, this.inner({}))
    return at + 1
  }

  private inBlock<A>(block: Block, run: () => A): A {
    this.blocks.push(block)
    const value = run()
    this.blocks.pop()
    return value
  }

  private symbolAt(name: number): number {
    return this.facts.symbolNamed(this.textAt(name), this.words.start(name), this.fileScope)
  }

  // Expressions

  private depth = 0

  /** Returns what an expression is that is a chain of names and calls alone; reports nothing. */
  private valueAt(from: number): Binding {
    const at = from
    if (!isName.test(this.words.at(at))) return null
    if (this.words.isKeyword(at) && !/^(?:this|super)$/.test(this.words.at(at))) return null
    if (this.depth >= MAX_VALUES) return null
    this.depth++
    let { next, value } = this.head(at)
    let owner: Binding = null
    let name = next - 1
    for (let left = MAX_HEADER; left > 0; left--) {
      const mark = this.words.at(next)
      if (mark === "<" && this.isGenericCall(next)) next = this.words.skipGenerics(next)
      else if (this.isCall(next)) {
        const { end } = this.argumentsAt(next)
        value = this.resultOfCall(value, owner, name, next)
        name = -1
        next = end + 1
      } else if (mark === "!!") next++
      else if (/^\??\.$/.test(mark) && isName.test(this.words.at(next + 1))) {
        name = next + 1
        owner = value
        value = this.memberOf(value, name)
        next = name + 1
      } else if (mark === "[" && !this.words.isLineStart(next)) {
        value = extend(value, "]")
        next = this.words.closing(next) + 1
      } else break
    }
    this.depth--
    const mark = this.words.at(next)
    if (/^as$/.test(mark)) return this.declaredType(this.words.at(next + 1) === "?" ? next + 2 : next + 1)
    if (mark === "?:" && /^(?:return|throw|continue|break|null|error)$/.test(this.words.at(next + 1))) return value
    const isWhole =
      /^(?:[)\]},;]|)$/.test(mark) || (this.words.isLineStart(next) && !/^(?:\?:|\.|\?\.|&&|\|\|)$/.test(mark))
    return isWhole ? value : null
  }

  /** Reads a chain, and returns the word after it. */
  private chainAt(at: number): number {
    if (this.words.at(at - 1) === "." || this.words.at(at - 1) === "?.") return at + 1
    if (this.words.at(at - 1) === "::") return this.referenceAt(at)
    if (this.words.isLabelled(at) && !/^(?:this|super)$/.test(this.words.at(at))) return at + 2
    if (this.isLabel(at) || this.words.isModifier(at)) return at + 1
    if (this.operand !== at && this.words.isBehindValue(at)) return this.infixAt(at)
    const { local, next, value } = this.head(at)
    // A call is reported by its number of arguments.
    if (value !== null && !local && (this.countAt(next) === undefined || !/[:~]/.test(value.path)))
      this.use(value, next - 1)
    return this.continued(value, next - 1, next)
  }

  private isLabel(at: number): boolean {
    return this.words.at(at + 1) === "=" && /^[(,]$/.test(this.words.at(at - 1)) && this.words.isInBrackets(at)
  }

  /** `::name` without a type before it. */
  private referenceAt(at: number): number {
    if (this.words.isBehindValue(at - 1)) return at + 1
    const name = this.textAt(at)
    const local = this.local(name)
    if (local === undefined && !this.words.isKeyword(at)) {
      const value = isTypeName.test(name) ? this.typeOf(name, "some") : this.implicit(name, "some")
      if (value !== null) this.use(value, at)
    }
    return at + 1
  }

  /** The word behind the name of an infix call. */
  private operand = -1

  /** `a name b` calls a function of `a`. */
  private infixAt(at: number): number {
    this.operand = at + 1
    const { end, value } = this.last
    const own = this.memberExtension(this.textAt(at))
    if (own !== undefined) this.use(absolute(`#${own}`, "~1"), at)
    else if (
      end === at &&
      value !== null &&
      !/^(?:to|and|or|xor|shl|shr|ushr|until|downTo|step)$/.test(this.words.at(at))
    )
      this.use(
        { ...value, path: `${value.path}${Imports.member(this.textAt(at), 1)}${this.doubt(this.textAt(at))}` },
        at,
      )
    return at + 1
  }

  private isGenericCall(at: number): boolean {
    if (!this.words.isGenericCall(at)) return false
    return /^(?:[({.]|::|\?\.)$/.test(this.words.at(this.words.skipGenerics(at)))
  }

  private isCall(at: number): boolean {
    const mark = this.words.at(at)
    if (this.words.isLineStart(at)) return false
    return mark === "(" || (mark === "{" && this.isTrailing(at))
  }

  /** Returns whether braces are the last argument of the call before them. */
  private isTrailing(open: number): boolean {
    return (
      this.words.at(open) === "{" &&
      !this.opened.has(open) &&
      !this.words.isLineStart(open) &&
      this.words.isLambda(open)
    )
  }

  private use(value: Expression, at: number): void {
    this.facts.use(value.scope, value.root, value.path, this.words.start(at))
  }

  private local(name: string): Binding | undefined {
    let isInFunction = false
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.names?.has(name)) return at.names.get(name) ?? null
      if (at.kind === "type" || at.parameters !== undefined) {
        if (!isInFunction && at.parameters?.has(name)) return at.parameters.get(name) ?? null
        isInFunction = false
      }
      if (at.kind === "function") isInFunction = true
    }
    return undefined
  }

  /** The first name of a chain, which may be that of a package, and the word behind it. */
  private head(at: number): { readonly value: Binding; readonly next: number; readonly local: boolean } {
    const name = this.textAt(at)
    const next = at + 1
    if (name === "this" || name === "super") return this.selfAt(at)
    const local = this.local(name)
    if (local !== undefined) return { value: local, next, local: true }
    const called = this.countAt(next)
    if (isTypeName.test(name)) return { value: this.typeOf(name, called), next, local: false }
    const type = this.packageEnd(at)
    if (type !== at) return { value: this.inPackage(at, type, this.countAt(type + 1)), next: type + 1, local: false }
    return { value: this.implicit(name, called), next, local: false }
  }

  private selfAt(at: number): { readonly value: Binding; readonly next: number; readonly local: boolean } {
    let next = at + 1
    if (this.words.at(at) === "super") {
      next = this.words.skipGenerics(next)
      const owner = this.block.receiver === undefined ? this.type : undefined
      return { value: owner === undefined ? null : absolute(`#${owner.ordinal}`, "^"), next, local: true }
    }
    const label = this.words.isLabelled(at) ? this.textAt(at + 2) : undefined
    if (label !== undefined) next = at + 3
    for (let block: Block | undefined = this.block; block !== undefined; block = block.outer) {
      if (label === undefined && block.receiver !== undefined) {
        // A function in braces may have a receiver or none.
        if (block.receiver?.path.endsWith("$+-r")) return { value: null, next, local: true }
        return { value: block.receiver, next, local: true }
      }
      const { type } = block
      if (type !== undefined && (label === undefined || type.qualified.replace(/^.*\./, "") === label))
        return { value: absolute(`#${type.ordinal}`, "@"), next, local: true }
    }
    return { value: null, next, local: true }
  }

  /** Returns the number of arguments of a call that begins at a word; undefined if none does. */
  private countAt(from: number): Called {
    const open = this.isGenericCall(from) ? this.words.skipGenerics(from) : from
    return this.isCall(open) ? this.argumentsAt(open).count : undefined
  }

  /** The number of arguments of a call, the word at which it ends, and the braces behind the others. */
  private argumentsAt(open: number): {
    readonly count: number | "some"
    readonly end: number
    readonly braces: number
  } {
    let count = 0
    let end = open - 1
    let isKnown = true
    if (this.words.at(open) === "(") {
      end = this.words.closing(open)
      for (const [from, to] of this.words.items(open, end)) {
        if (to > from) count++
        if (this.words.at(from) === "*" || (this.words.at(from + 1) === "=" && this.words.at(from + 2) === "*"))
          isKnown = false
      }
    }
    const hasBraces = this.isTrailing(end + 1)
    const braces = hasBraces ? end + 1 : -1
    if (hasBraces) end = this.words.closing(braces)
    return { count: isKnown ? count + (hasBraces ? 1 : 0) : "some", end, braces }
  }

  /** A name without a receiver: a member of what is around, or what the file sees under that name. */
  private implicit(name: string, called: Called): Binding {
    const isOwn = this.ordinals.has(name)
    const imported = this.imports.named.get(name)
    const receivers: Array<Expression & { readonly mark: string }> = []
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.receiver === null) return imported === undefined ? null : Imports.meaningOf(imported, called)
      if (at.receiver !== undefined) receivers.push({ ...at.receiver, mark: at.hasReceiver ? ">!" : ">" })
      if (at.type !== undefined) break
    }
    const { type } = this
    if (imported !== undefined && !this.isDeclaredAround(name)) {
      const meaning = Imports.meaningOf(imported, called)
      if (typeof called !== "number" || imported.path.length > 1) return meaning
      // Extensions of what is around may have the name.
      const [first] = receivers
      const path = Imports.member(name, called)
      if (first !== undefined) return this.firstOf([extend(first, path), meaning])
      return type === undefined ? meaning : extend(meaning, `>${type.ordinal}`)
    }
    if (platformFunctions.has(name) && !isOwn && !this.isDeclaredAround(name)) return null
    const path = `${Imports.member(name, called)}${typeof called === "number" ? this.doubt(name) : ""}`
    const [innermost, ...others] = receivers
    if (called === "some") {
      if (type !== undefined && this.isDeclaredAround(name)) return absolute(`#${type.ordinal}`, `@.${name}>`)
      return absolute(VISIBLE, Imports.callee(`.${name}`, called))
    }
    const around = type === undefined ? "" : `${type.ordinal}`
    if (innermost !== undefined && (others.length === 0 || innermost.mark === ">!"))
      return extend(innermost, `${path}${innermost.mark}${around}`)
    if (innermost !== undefined)
      return this.firstOf([
        ...receivers.slice(0, -1).map((each) => extend(each, path)),
        extend(receivers.at(-1) ?? null, `${path}${receivers.at(-1)?.mark}${around}`),
      ])
    if (type !== undefined) return absolute(`#${type.ordinal}`, `@${path}>`)
    return absolute(VISIBLE, Imports.callee(`.${name}`, called))
  }

  /** Returns a name that stands for the first of several expressions that leads to something. */
  private firstOf(all: ReadonlyArray<Binding>): Expression {
    const key = all.map((each) => `${each?.root}${each?.path}`).join(" ")
    const known = this.alternatives.get(key)
    if (known !== undefined) return known
    const name = `?${this.alternatives.size}`
    const first = absolute('""', `.${name}`)
    this.alternatives.set(key, first)
    for (const each of all.slice(-MAX_ALTERNATIVES)) this.facts.export(name, each)
    return first
  }

  private readonly alternatives = new Map<string, Expression>()

  /** Returns whether a type around declares a member of a name. */
  private isDeclaredAround(name: string): boolean {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && this.ordinals.has(`${at.type.qualified}.${name}`)) return true
    return false
  }

  /** Returns the mark of a call that can mean an extension only if its receiver is known. */
  private doubt(name: string): string {
    return this.extensions.has(name) && !memberNames.has(name) ? "" : "!"
  }

  /** Returns the only extension of a name in the file, if a type around declares it. */
  private memberExtension(name: string): number | undefined {
    const ordinal = this.memberExtensions.get(name)
    const container = this.facts.symbols[ordinal ?? -1]?.container
    if (ordinal === undefined || container === undefined || memberNames.has(name)) return undefined
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && container.startsWith(`${at.type.qualified}.`)) return ordinal
    return undefined
  }

  private memberOf(value: Binding, at: number): Binding {
    const name = this.textAt(at)
    if (name === "Companion") return value
    const called = this.countAt(at + 1)
    if (value === null) {
      const own = called === undefined ? undefined : this.memberExtension(name)
      if (own !== undefined) return absolute(`#${own}`, typeof called === "number" ? `~${called}` : "")
      if (typeof called !== "number" || this.doubt(name) !== "") return null
      return absolute('"~"', `.${name}/${called}~${called}`)
    }
    // A property may be an extension, too.
    if (called === undefined && !isTypeName.test(name)) return extend(value, `.${name}~${PROPERTY}${this.doubt(name)}`)
    return extend(value, `${Imports.member(name, called)}${typeof called === "number" ? this.doubt(name) : ""}`)
  }

  /** Reads what follows a value, which the word at `name` names. */
  private continued(head: Binding, at: number, from: number, before: Binding = null): number {
    let value = head
    let owner = before
    let name = at
    let next = from
    for (;;) {
      const mark = this.words.at(next)
      if (mark === "<" && this.isGenericCall(next)) {
        this.results.set(this.words.skipGenerics(next) - 1, { value, name })
        this.owners.set(this.words.skipGenerics(next) - 1, owner)
        return next
      }
      if (this.isCall(next)) return this.callAt(value, owner, name, next)
      if (mark === "!!") {
        next++
        continue
      }
      if (mark === "[" && !this.words.isLineStart(next)) {
        this.results.set(this.words.closing(next), { value: extend(value, "]"), name: -1 })
        return next
      }
      if (mark === "::" && isName.test(this.words.at(next + 1)) && !this.words.isKeyword(next + 1)) {
        const target = extend(value, `.${this.textAt(next + 1)}`)
        this.labels.add(next + 1)
        if (target !== null) this.use(target, next + 1)
        return next + 2
      }
      // A function or property with a receiver has its name behind a dot.
      if (!/^\??\.$/.test(mark) || !isName.test(this.words.at(next + 1)) || this.labels.has(next + 1)) {
        this.last = { end: next, value }
        return next
      }
      name = next + 1
      owner = value
      value = this.memberOf(value, name)
      next = name + 1
      if (value !== null && this.countAt(next) === undefined && value !== owner) this.use(value, name)
    }
  }

  /** The values before the names of calls whose generic arguments are being read. */
  private readonly owners = new Map<number, Binding>()

  private callAt(value: Binding, owner: Binding, name: number, open: number): number {
    const { braces, end } = this.argumentsAt(open)
    if (value !== null && name !== -1 && this.isReportable(value, name)) this.use(value, name)
    if (braces !== -1) this.opened.set(braces, this.trailing(value, owner, name, open, braces))
    this.results.set(end, { value: this.resultOfCall(value, owner, name, open), name: -1 })
    return open
  }

  /** A type whose name has no mark of a call is reported where it is named. */
  private isReportable({ path }: Expression, name: number): boolean {
    return !isTypeName.test(this.words.at(name)) || /[:~]/.test(path)
  }

  private resultOfCall(value: Binding, owner: Binding, name: number, open: number): Binding {
    if (name === -1) return null
    switch (this.words.at(name)) {
      case "apply":
      case "also":
      case "takeIf":
      case "takeUnless":
        return owner
      case "let":
      case "run":
      case "use":
        return null
      case "listOf":
      case "setOf":
      case "mutableListOf":
        if (owner === null && value === null) return extend(this.firstArgument(open), "[")
    }
    if (elementResults.has(this.words.at(name))) return extend(owner, "]")
    if (listResults.has(this.words.at(name))) return extend(owner, "][")
    return value === null ? null : extend(value, "()")
  }

  private firstArgument(open: number): Binding {
    return this.words.at(open) === "(" ? this.valueAt(open + 1) : null
  }

  /** The braces behind the arguments of a call. */
  private trailing(value: Binding, owner: Binding, name: number, open: number, braces: number): Block {
    const text = name === -1 ? "" : this.words.at(name)
    switch (text) {
      case "let":
      case "use":
      case "also":
      case "takeIf":
      case "takeUnless":
        return this.lambda(braces, { first: owner })
      case "apply":
        return this.lambda(braces, { receiver: owner })
      case "run":
        return this.words.at(name - 1) === "." || this.words.at(name - 1) === "?."
          ? this.lambda(braces, { receiver: owner })
          : this.lambda(braces, {})
      case "with":
        return this.lambda(braces, { receiver: this.firstArgument(open) })
    }
    if (/^build[A-Z]/.test(text)) return this.lambda(braces, { receiver: null })
    if (elementFunctions.has(text)) return this.lambda(braces, { first: extend(owner, "]") })
    const isTarget = value !== null && /~\d+!?(?:>\d*)?$/.test(value.path) && value.path.length < MAX_TARGET
    return this.lambda(braces, isTarget ? { parameter: value } : {})
  }

  private behind(at: number): number {
    const result = this.results.get(at)
    if (result !== undefined) return this.continued(result.value, result.name, at + 1, this.owners.get(at) ?? null)
    if (!/^\??\.$/.test(this.words.at(at + 1))) return at + 1
    return this.continued(this.words.at(at) === ")" ? this.bracketed(at) : null, -1, at + 1)
  }

  /** Returns the value of an expression in brackets: `(a as B)`. */
  private bracketed(close: number): Binding {
    const open = this.words.opener(close)
    return open === -1 || this.words.isBehindValue(open) ? null : this.valueAt(open + 1)
  }
}

/** Extends an expression. Long ones, which resolve to nothing, would cost quadratic time. */
const extend = (value: Binding, path: string): Binding =>
  value !== null && value.path.length > MAX_PATH ? null : extendFully(value, path)

/** The specifier of all packages of which a file sees the names. */
const VISIBLE = '"."'

const isTypeKind = /^(?:class|interface|enum|type)$/

const isParameterModifier =
  /^(?:va[lr]|vararg|noinline|crossinline|private|protected|public|internal|override|open|final)$/

/** Matches the signature of a function or property with a receiver. */
const isExtension = /\b(?:fun|va[lr])\s+(?:<[^(){}=\n]{0,300}>\s*)?[\w.]{1,200}(?:<[^(){}=\n]{0,200}>)?\??\.[\w`]/

/** The number of arguments that stands for a property, which is not called. */
const PROPERTY = 99

/** Stands for any number of parameters. */
const MANY = 98

/** The most receivers of functions in braces in each other. */
const MAX_ALTERNATIVES = 5

/** The most calls in the first arguments of each other that are followed. */
const MAX_VALUES = 4

/** The most optional arguments for which a method is declared. */
const MAX_OPTIONAL = 8

/** The most words of the head of a declaration that are looked at. */
const MAX_HEADER = 200

/** The most braces in braces with names of their own. */
const MAX_DEPTH = 200

/** The most characters of an expression. */
const MAX_PATH = 300

/** The most characters of a call whose braces may have a receiver. */
const MAX_TARGET = 100
