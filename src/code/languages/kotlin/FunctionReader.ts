/** Reads the functions and constructors that a Kotlin file declares, with their parameters. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import type { Block } from "./Block.ts"
import { MAX_HEADER } from "./TypeReader.ts"
import { VariableReader } from "./VariableReader.ts"
import { isName } from "./Words.ts"

/** A method, with the numbers of arguments that it takes. */
interface Method {
  readonly ordinal: number
  readonly least: number
  readonly most: number
}

export abstract class FunctionReader extends VariableReader {
  /** The functions of each type by name, with the number of arguments of each. */
  private readonly methods = new Map<string, Array<Method>>()

  protected functionAt(at: number): number {
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

  protected parameters(list: number, close: number, names: Map<string, Binding>) {
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

  protected constructorAt(at: number): number {
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

  /** Declares methods by the number of their arguments, where their type may have others of the name. */
  protected declareOverloads(): void {
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
}

const isParameterModifier =
  /^(?:va[lr]|vararg|noinline|crossinline|private|protected|public|internal|override|open|final)$/

/** Stands for any number of parameters. */
const MANY = 98

/** The most optional arguments for which a method is declared. */
const MAX_OPTIONAL = 8
