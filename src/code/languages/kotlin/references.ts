/**
 * Reads references of Kotlin off its words: types and blocks here, the rest in a chain of classes, each of which reads
 * more than the one below it: `NameReader`, `TypeReader`, `ValueReader`, `ExpressionReader`, `VariableReader` and
 * `FunctionReader`. A module specifier is the name of a package; `"."` stands for all packages of which the file sees
 * the names. Calls have the number of their arguments, and a function tells how many it takes. What a receiver of an
 * unknown type has is not known.
 */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import type { Block } from "./Block.ts"
import { FunctionReader } from "./FunctionReader.ts"
import { MAX_HEADER } from "./TypeReader.ts"
import { isName } from "./Words.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

class Reader extends FunctionReader {
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
}
