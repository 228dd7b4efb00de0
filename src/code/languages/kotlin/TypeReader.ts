/** Reads the types that a Kotlin file writes: what they name, and which values they stand for. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding, type Expression } from "../../Symbols/internal/references/Facts.ts"
import * as Imports from "./Imports.ts"
import { type Called, NameReader } from "./NameReader.ts"
import { collections } from "./platform.ts"
import { isName, isTypeName } from "./Words.ts"

export abstract class TypeReader extends NameReader {
  /** Declares generic parameters as names of which nothing is known. */
  protected generics(at: number, names: Map<string, Binding>): void {
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

  /** Returns the type that names mean, `A.B`, without reporting a use, and the word behind it. */
  protected typeNamed(at: number): { readonly value: Binding; readonly next: number } {
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
  protected packageEnd(at: number): number {
    let next = at
    while (next - at < 20 && isName.test(this.words.at(next)) && !isTypeName.test(this.words.at(next))) {
      if (this.words.isKeyword(next) || this.words.at(next + 1) !== ".") return at
      next += 2
    }
    return next - at >= 4 && isTypeName.test(this.words.at(next)) ? next : at
  }

  protected inPackage(from: number, type: number, called: Called): Expression {
    let name = ""
    for (let at = from; at < type - 1; at++) name += this.textAt(at)
    return absolute(`"${name}"`, Imports.callee(`.${this.textAt(type)}`, called))
  }

  /** Returns an instance of the type that is declared at a word; null for functions and types that are not known. */
  protected declaredType(from: number): Binding {
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
}

/** The most words of the head of a declaration that are looked at. */
export const MAX_HEADER = 200
