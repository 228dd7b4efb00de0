/** Reads the variables and properties that a Kotlin file declares, with their accessors, and those of loops. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import { ExpressionReader } from "./ExpressionReader.ts"
import { MAX_HEADER } from "./TypeReader.ts"
import { PROPERTY } from "./ValueReader.ts"
import { isName } from "./Words.ts"

export abstract class VariableReader extends ExpressionReader {
  protected variableAt(at: number): number {
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

  /** Returns the name of a function or property, which may have a receiver before it, and the word behind it. */
  protected headAt(first: number): { readonly name: number | undefined; readonly list: number } {
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
  protected receiverAt(first: number, name: number): Binding {
    if (!isName.test(this.words.at(first))) return null
    const { next, value } = this.typeNamed(first)
    const isWhole = this.words.skipGenerics(next) >= name - 2
    if (!isWhole) return null
    return this.words.at(next - 1) === "Companion" ? value : extend(value, "@")
  }

  /** A property that holds no function has the name of one that is called, but is not meant. */
  protected property(ordinal: number, mark: number, value: Binding): void {
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

  protected loopAt(at: number): number {
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

  protected catchAt(at: number): number {
    if (this.words.at(at + 1) !== "(" || this.words.at(at + 3) !== ":") return at + 1
    this.labels.add(at + 2)
    this.namesOf(this.block).set(this.textAt(at + 2), this.declaredType(at + 4))
    return at + 1
  }

  protected isAccessor(at: number): boolean {
    if (this.block.kind === "plain" || this.words.at(at - 1) === ".") return false
    return this.words.at(at + 1) === "(" ? /^(?:[={:]|)$/.test(this.words.at(this.words.closing(at + 1) + 1)) : true
  }

  /** `get() = …` and `set(value) { … }` */
  protected accessorAt(at: number): number {
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
}
