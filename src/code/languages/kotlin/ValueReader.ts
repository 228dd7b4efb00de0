/** Reads what the expressions of a Kotlin file stand for: chains of names and calls. It reports no uses. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import type { Block } from "./Block.ts"
import * as Imports from "./Imports.ts"
import type { Called } from "./NameReader.ts"
import { elementResults, listResults } from "./platform.ts"
import { MAX_HEADER, TypeReader } from "./TypeReader.ts"
import { isName, isTypeName } from "./Words.ts"

export abstract class ValueReader extends TypeReader {
  private depth = 0

  /** Returns what an expression is that is a chain of names and calls alone; reports nothing. */
  protected valueAt(at: number): Binding {
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
    if (mark === "as") return this.declaredType(this.words.at(next + 1) === "?" ? next + 2 : next + 1)
    if (mark === "?:" && /^(?:return|throw|continue|break|null|error)$/.test(this.words.at(next + 1))) return value
    const isWhole =
      /^(?:[)\]},;]|)$/.test(mark) || (this.words.isLineStart(next) && !/^(?:\?:|\.|\?\.|&&|\|\|)$/.test(mark))
    return isWhole ? value : null
  }

  /** The first name of a chain, which may be that of a package, and the word behind it. */
  protected head(at: number): { readonly value: Binding; readonly next: number; readonly local: boolean } {
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

  protected isGenericCall(at: number): boolean {
    if (!this.words.isGenericCall(at)) return false
    return /^(?:[({.]|::|\?\.)$/.test(this.words.at(this.words.skipGenerics(at)))
  }

  protected isCall(at: number): boolean {
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

  /** Returns the number of arguments of a call that begins at a word; undefined if none does. */
  protected countAt(from: number): Called {
    const open = this.isGenericCall(from) ? this.words.skipGenerics(from) : from
    return this.isCall(open) ? this.argumentsAt(open).count : undefined
  }

  /** The number of arguments of a call, the word at which it ends, and the braces behind the others. */
  protected argumentsAt(open: number): {
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

  protected memberOf(value: Binding, at: number): Binding {
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

  protected resultOfCall(value: Binding, owner: Binding, name: number, open: number): Binding {
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

  protected firstArgument(open: number): Binding {
    return this.words.at(open) === "(" ? this.valueAt(open + 1) : null
  }
}

/** The number of arguments that stands for a property, which is not called. */
export const PROPERTY = 99

/** The most calls in the first arguments of each other that are followed. */
const MAX_VALUES = 4
