/** Reports the uses in the expressions of a Kotlin file, and says what the functions in braces are given. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding, type Expression } from "../../Symbols/internal/references/Facts.ts"
import type { Block } from "./Block.ts"
import * as Imports from "./Imports.ts"
import { elementFunctions } from "./platform.ts"
import { ValueReader } from "./ValueReader.ts"
import { isName, isTypeName } from "./Words.ts"

export abstract class ExpressionReader extends ValueReader {
  /** Values that go on behind a closing bracket, with the word that names each. */
  private readonly results = new Map<number, { readonly value: Binding; readonly name: number }>()
  /** The values before the names of calls whose generic arguments are being read. */
  private readonly owners = new Map<number, Binding>()
  /** The value before an infix call. */
  private last: { readonly end: number; readonly value: Binding } = { end: -1, value: null }
  /** The word behind the name of an infix call. */
  private operand = -1

  /** Reads a chain, and returns the word after it. */
  protected chainAt(at: number): number {
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

  /** A function in braces. `given` has the values of its parameters, and what `this` is in it. */
  protected lambda(
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

  protected behind(at: number): number {
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

/** The most characters of a call whose braces may have a receiver. */
const MAX_TARGET = 100
