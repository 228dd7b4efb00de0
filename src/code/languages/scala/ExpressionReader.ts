/** Reports the uses in the expressions of a Scala file, and says what functions without a name are given. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import type { Binding } from "../../Symbols/internal/references/Facts.ts"
import type { Block, Names } from "./Block.ts"
import { member } from "./NameReader.ts"
import { elementFunctions, memberNames } from "./platform.ts"
import { ValueReader } from "./ValueReader.ts"
import { isName, isTypeName } from "./Words.ts"

/** An expression that goes on behind a closing bracket. */
interface Result {
  readonly value: Binding
  /** The function that was called, which may have further lists of arguments. */
  readonly called: Binding
  readonly name: number
  /** The result of the infix call before if this is its operand. */
  readonly infix?: Binding | undefined
}

export abstract class ExpressionReader extends ValueReader {
  private readonly results = new Map<number, Result>()
  /** The value that a function is given which is the only argument between brackets. */
  private readonly given = new Map<number, Binding>()
  /** The names of objects that patterns match by: `A(b)`. */
  protected readonly extractors = new Set<number>()
  /** The value before an infix call. */
  private last: { readonly end: number; readonly value: Binding; readonly isInfix: boolean } = nothingBefore
  /** The operand of an infix call, and what the call gives. */
  private operand: { readonly at: number; readonly infix: Binding } = { at: -1, infix: null }

  /** Reads a chain, and returns the word after it. */
  protected chainAt(at: number): number {
    const before = this.words.at(at - 1)
    if (before === ".") return at + 1
    // A name before a string interpolates it.
    if (this.words.at(at + 1) === '"' && this.words.isTight(at + 1)) return at + 1
    if (this.words.at(at + 1) === "=" && /^[(,]$/.test(before) && this.words.isInBrackets(at)) return at + 1
    if (before === "@" && this.words.isTight(at)) return at + 1
    if (this.isParameter(at)) return this.functionOf(at)
    if (this.words.at(at) === "_") return this.placeholderAt(at)
    const infix = this.operand.at === at ? this.operand.infix : undefined
    if (infix === undefined && this.words.isBehindValue(at)) return this.infixAt(at)
    const { isLocal, next, value } = this.head(at)
    if (!isLocal) this.report(value, next - 1)
    const name = isLocal && next - 1 !== at ? -1 : next - 1
    return this.continued({ value, called: null, name, infix }, next, null)
  }

  /** Reports the use of a name, and what its object makes if it is called. */
  private report(value: Binding, name: number): void {
    if (value === null) return
    this.use(value, name)
    const called = isTypeName.test(this.words.at(name)) ? this.countAt(name + 1) : undefined
    if (called === undefined) return
    this.use(extend(value, this.extractors.has(name) ? ".unapply" : member("apply", called)), name)
  }

  /** `_.name` in a function is a member of what it is given. */
  private placeholderAt(at: number): number {
    if (this.words.at(at + 1) !== ".") return at + 1
    const value = this.given.get(this.words.bracketAround(at)) ?? null
    return this.continued({ value, called: null, name: -1 }, at + 1, null)
  }

  /** `a name b` calls a method of `a`. */
  private infixAt(at: number): number {
    const { end, value } = this.last
    const method = end === at ? this.infixMethod(value, at) : null
    this.use(method, at)
    this.operand = { at: at + 1, infix: extend(method, "()") }
    return at + 1
  }

  private infixMethod(value: Binding, at: number): Binding {
    const path = member(this.textAt(at), this.operands(at))
    return extend(value, memberNames.has(this.words.at(at)) ? `${path}!` : path)
  }

  private operands(at: number): number {
    if (this.words.at(at + 1) !== "(") return 1
    const count = this.countAt(at + 1)
    return typeof count === "number" ? count : 1
  }

  /** `a + b` calls a method of `a` as well, if no letter of its name has a meaning in expressions of references. */
  protected operatorAt(at: number): number {
    const { end, isInfix, value } = this.last
    const name = this.words.at(at)
    if (end === at && !isInfix && isSafeOperator.test(name)) {
      const doubt = isCommonOperator.test(name) ? "!" : ""
      this.use(extend(value, `.${name}~${this.operands(at)}${doubt}`), at)
    }
    if (!isMark.test(name)) this.operand = { at: at + 1, infix: null }
    return at + 1
  }

  /** Reads what follows a value. */
  private continued(head: Result, from: number, before: Binding): number {
    const { infix } = head
    let { called, name, value } = head
    let owner = before
    let next = from
    for (;;) {
      const mark = this.words.at(next)
      if (mark === "[" && !this.words.isLineStart(next)) {
        const close = this.words.closing(next)
        for (const [item] of this.words.items(next, close)) this.readType(item, { reports: true })
        next = close + 1
        continue
      }
      if (this.isCall(next)) return this.callAt({ value, called, name, infix }, owner, next)
      const result = called === null ? this.resultOfName(value, owner, name, next) : value
      if (mark !== "." || !isName.test(this.words.at(next + 1))) {
        this.last = { end: next, value: infix === undefined ? result : infix, isInfix: infix !== undefined }
        return next
      }
      name = next + 1
      owner = result
      value = this.memberOf(result, name)
      called = null
      next = name + 1
      if (!/^(?:this|type|super|match)$/.test(this.words.at(name))) this.report(value, name)
      if (this.words.at(name) === "match") return next
    }
  }

  /** Reads the beginning of a list of arguments; what is behind it is read when its end is reached. */
  private callAt({ called, infix, name, value }: Result, owner: Binding, open: number): number {
    const end = this.words.closing(open)
    const isFirst = called === null
    const result = isFirst
      ? this.resultOfCall(value, owner, name)
      : name !== -1 && isTypeName.test(this.words.at(name))
        ? null
        : value
    const callee = isFirst ? value : called
    this.results.set(end, { value: result, called: callee ?? NOTHING, name, infix })
    const text = name === -1 ? "" : this.words.at(name)
    if (isFirst && elementFunctions.has(text) && owner !== null) this.given.set(open, this.elementOf(owner, value))
    else if (callee !== null && callee !== NOTHING && isCounted.test(callee.path) && callee.path.length < MAX_TARGET)
      this.given.set(open, extend(callee, isFirst ? "$0-0" : "$+-0"))
    if (this.words.at(open) === "{") this.blocks.push(this.braces(open))
    return open + 1
  }

  /** Returns what a collection gives to a function; a type of the project may have a method of that name. */
  private elementOf(owner: Binding, value: Binding): Binding {
    const element = extend(owner, "]")
    if (owner?.path.endsWith("[") || value === null || !isCounted.test(value.path)) return element
    return this.firstOf([element, extend(value, "$0-0")])
  }

  /** Returns the content of braces. What it declares hides other things of those names from its beginning on. */
  protected braces(open: number, part: Partial<Block> = {}): Block {
    const block = this.inner(part)
    const close = this.words.closing(open)
    for (let at = open + 1; at < close; ) {
      const text = this.words.at(at)
      const name = at + 1
      if (isName.test(this.words.at(name)) && this.words.at(at - 1) !== ".") {
        if (/^(?:class|trait|type|enum)$/.test(text)) this.addType(block, this.textAt(name), null)
        if (/^(?:class|def|val|var|object|given)$/.test(text)) this.addName(block, this.textAt(name), null)
      }
      at = /^[([{]$/.test(text) ? this.words.closing(at) + 1 : name
    }
    return block
  }

  /** Notes what is made by `new`, whose arguments end at a bracket. */
  protected madeAt(close: number, value: Binding): void {
    this.results.set(close, { value, called: NOTHING, name: -1 })
  }

  /** Goes on behind a closing bracket. */
  protected behind(at: number): number {
    const result = this.results.get(at)
    if (result !== undefined) {
      // A list of arguments begins on the same line.
      return this.continued(result, at + 1, null)
    }
    if (this.words.at(at + 1) !== ".") {
      if (this.words.at(at) === ")") this.last = { end: at + 1, value: this.bracketed(at), isInfix: false }
      return at + 1
    }
    return this.continued(
      { value: this.words.at(at) === ")" ? this.bracketed(at) : null, called: null, name: -1 },
      at + 1,
      null,
    )
  }

  /** Returns the value of an expression in brackets. */
  private bracketed(close: number): Binding {
    const open = this.words.opener(close)
    if (open === -1 || this.words.isBehindValue(open)) return null
    if (this.words.isFreeName(open + 1) && this.words.at(open + 2) === ":")
      return this.readType(open + 3, { reports: false }).value
    return this.valueAt(open + 1)
  }

  /** Returns whether a name is the parameter of a function: `a => b` and `a: A => b`. */
  private isParameter(at: number): boolean {
    const next = this.words.at(at + 1)
    if (next === "=>" || next === "⇒" || next === "?=>")
      return !isTypeName.test(this.words.at(at)) || /^[({]$/.test(this.words.at(at - 1))
    if (next !== ":" || !/^(?:[({=]|implicit)$/.test(this.words.at(at - 1))) return false
    const { end } = this.readType(at + 2, { reports: false, hasArrows: false })
    return /^(?:=>|⇒)$/.test(this.words.at(end)) && end > at + 2
  }

  private functionOf(at: number): number {
    const names: Names = new Map()
    let value: Binding = this.givenAt(at)
    this.labels.add(at)
    let next = at + 1
    if (this.words.at(next) === ":") {
      const type = this.readType(next + 1, { reports: true, hasArrows: false })
      value = type.value
      next = type.end
    }
    if (this.words.at(at) !== "_") names.set(this.textAt(at), value)
    this.blocks.push(this.inner({ names, end: this.functionEnd(at, next) }))
    return next + 1
  }

  /** `(a, b: B) => c`; returns undefined if the brackets hold no parameters. */
  protected lambdaAt(open: number): number | undefined {
    const close = this.words.closing(open)
    if (!/^(?:=>|⇒|\?=>)$/.test(this.words.at(close + 1)) || this.skips.has(close + 1)) return undefined
    const names: Names = new Map()
    const items = Array.from(this.words.items(open, close))
    if (items.length > MAX_PARAMETERS) return undefined
    for (const [first, end] of items) {
      const isTyped = this.words.at(first + 1) === ":"
      if (!isName.test(this.words.at(first)) || (end > first + 1 && !isTyped)) return undefined
      if (!isTyped && isTypeName.test(this.words.at(first))) return undefined
    }
    for (const [first] of items) {
      const isTyped = this.words.at(first + 1) === ":"
      const type = isTyped ? this.readType(first + 2, { reports: true }).value : null
      const value = isTyped ? type : items.length === 1 ? this.givenAt(open) : null
      this.labels.add(first)
      names.set(this.textAt(first), value)
    }
    this.blocks.push(this.inner({ names, end: this.functionEnd(open, close + 1) }))
    return close + 2
  }

  /** Returns what a function is given that begins at a word. */
  private givenAt(at: number): Binding {
    const open = this.words.bracketAround(at)
    const isFirst = open === at - 1 || (open === at - 2 && this.words.at(at - 1) === "implicit")
    return isFirst ? (this.given.get(open) ?? null) : null
  }

  /** Returns the word behind a function whose parameters begin at a word. */
  private functionEnd(from: number, arrow: number): number {
    const open = this.words.bracketAround(from)
    if (open !== -1 && this.words.at(open) !== "{") return this.words.argumentEnd(from)
    const isWhole = open === from - 1 || (open === from - 2 && this.words.at(from - 1) === "implicit")
    if (open !== -1 && isWhole) return this.words.closing(open)
    if (this.words.at(arrow + 1) === "{") return this.words.closing(arrow + 1) + 1
    return this.words.indentedEnd(from)
  }
}

/** Stands for a call of something that is not known. */
const NOTHING = { scope: undefined, root: "?", path: "" }

const isCounted = /~\d+!?$/

const nothingBefore = { end: -1, value: null, isInfix: false }

/** Matches the operators that are marks of the language. */
const isMark = /^(?:=>|⇒|<-|=|:|@|#|<:|>:|\?=>)$/

const isSafeOperator = /^(?!(?:=|<-|=>|:)$)[-+*|&%<=#?\\]{1,4}$/

/** Matches the operators that many types of libraries have. */
const isCommonOperator = /^(?:<=?|[-+*%&|]|[-+*%&|]=|==|===|\+\+|&&|\|\|)$/

/** The most characters of a call whose function is given something. */
const MAX_TARGET = 100

/** The most parameters of a function without a name. */
const MAX_PARAMETERS = 22
