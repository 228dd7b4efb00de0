/** Reads what the expressions of a Scala file stand for: chains of names and calls. It reports no uses. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import type { Block } from "./Block.ts"
import { type Called, type Meaning, member } from "./NameReader.ts"
import { collections, elementResults, listResults, memberNames } from "./platform.ts"
import { TypeReader } from "./TypeReader.ts"
import { isName, isTypeName } from "./Words.ts"

/** The first name of a chain and what it means. */
export interface Head extends Meaning {
  readonly next: number
}

export abstract class ValueReader extends TypeReader {
  private nested = 0

  /** Returns what an expression is that is a chain of names and calls alone; reports nothing. */
  protected valueAt(at: number): Binding {
    const isNew = this.words.at(at) === "new"
    if (!isNew && !/^(?:this|super)$/.test(this.words.at(at)) && !this.words.isFreeName(at)) return null
    if (this.nested >= MAX_VALUES) return null
    this.nested++
    const { next, value } = isNew ? this.instanceAt(at) : this.chainValue(at)
    this.nested--
    const mark = this.words.at(next)
    if (mark === "{" && isNew) return value
    const isWhole = /^(?:[)\]},;]|)$/.test(mark) || (this.words.isLineStart(next) && mark !== ".")
    return isWhole ? value : null
  }

  /** `new A[B](c)` */
  private instanceAt(at: number): { readonly value: Binding; readonly next: number } {
    const { end, value } = this.readType(at + 1, { reports: false, hasArrows: false })
    let next = end
    while (this.words.at(next) === "(" && !this.words.isLineStart(next)) next = this.words.closing(next) + 1
    return { value, next }
  }

  private chainValue(at: number): { readonly value: Binding; readonly next: number } {
    let { next, value } = this.head(at)
    let owner: Binding = null
    let name = next - 1
    let isCalled = false
    for (let left = MAX_LINKS; left > 0; left--) {
      const mark = this.words.at(next)
      if (mark === "[" && !this.words.isLineStart(next)) {
        // A collection of what the type argument says: `TableQuery[Accounts]`.
        if (value === null && owner === null && collections.has(this.words.at(name))) {
          value = extend(this.readType(next + 1, { reports: false }).value, "[")
          isCalled = true
        }
        next = this.words.closing(next) + 1
      } else if (this.isCall(next)) {
        if (!isCalled) value = this.resultOfCall(value, owner, name)
        else if (isTypeName.test(this.words.at(name))) value = null
        isCalled = true
        next = this.words.closing(next) + 1
      } else if (mark === "." && isName.test(this.words.at(next + 1))) {
        if (!isCalled) value = this.resultOfName(value, owner, name, next)
        name = next + 1
        owner = value
        value = this.memberOf(value, name)
        isCalled = false
        next = name + 1
      } else break
    }
    return { value: isCalled ? value : this.resultOfName(value, owner, name, next), next }
  }

  /** The first name of a chain, which may be that of a package, and the word behind it. */
  protected head(at: number): Head {
    const name = this.textAt(at)
    const next = at + 1
    if (name === "this" || name === "super") return this.selfAt(at)
    const meaning = this.meaningOf(name, this.countAt(next))
    if (meaning.isLocal || isTypeName.test(name) || this.words.at(next) !== ".") return { ...meaning, next }
    const end = this.packageEnd(at)
    if (end === at) return { ...meaning, next }
    const path: Array<string> = []
    for (let each = at; each <= end; each += 2) path.push(this.textAt(each))
    const value = this.pathOf(path, isTypeName.test(path.at(-1) ?? "") ? ":" : "")
    // A single name may be that of a member or of a package in one around.
    const isSure = path.length > 2 || this.isRoot(name)
    return { value: isSure ? value : this.firstOf([meaning.value, value]), isLocal: false, next: end + 1 }
  }

  /** Returns the object behind the names of packages that begin at a word; the word itself if there is none. */
  private packageEnd(at: number): number {
    let next = at
    while (next - at < 20 && this.words.at(next + 1) === "." && !isTypeName.test(this.words.at(next))) {
      if (!this.words.isFreeName(next)) return at
      next += 2
    }
    if (isTypeName.test(this.words.at(next))) return next
    // The last name is a member of an object.
    return this.isRoot(this.textAt(at)) && next - at >= 4 ? next - 2 : at
  }

  private selfAt(at: number): Head {
    let next = at + 1
    if (this.words.at(at) === "super") {
      if (this.words.at(next) === "[") next = this.words.closing(next) + 1
      const isOfType = !this.isInInstance()
      return { value: isOfType && this.type !== undefined ? absolute(`#${this.type}`, "^") : null, isLocal: true, next }
    }
    for (let block: Block | undefined = this.block; block !== undefined; block = block.outer) {
      if (block.receiver !== undefined) return { value: block.receiver, isLocal: true, next }
      if (block.type !== undefined) return { value: absolute(`#${block.type}@`), isLocal: true, next }
    }
    return { value: null, isLocal: true, next }
  }

  private isInInstance(): boolean {
    for (let at: Block | undefined = this.block; at !== undefined && at.type === undefined; at = at.outer)
      if (at.receiver !== undefined) return true
    return false
  }

  protected isCall(at: number): boolean {
    const mark = this.words.at(at)
    if (this.words.isLineStart(at)) return false
    return mark === "(" || (mark === "{" && !this.opened.has(at))
  }

  /** Returns the number of arguments of a call that begins at a word; undefined if none does. */
  protected countAt(from: number): Called {
    let open = from
    if (this.words.at(open) === "[" && !this.words.isLineStart(open)) open = this.words.closing(open) + 1
    return this.isCall(open) ? this.argumentsAt(open) : undefined
  }

  private readonly counts = new Map<number, Called>()

  private argumentsAt(open: number): Called {
    if (this.words.at(open) === "{") return 1
    const known = this.counts.get(open)
    if (known !== undefined) return known
    let count: Called = 0
    for (const [from, to] of this.words.items(open, this.words.closing(open))) {
      if (to > from && count !== "some") count++
      // `(using a)` and `(all: _*)`
      if (this.words.at(from) === "using" || this.words.at(to - 1) === "*") count = "some"
    }
    this.counts.set(open, count)
    return count
  }

  protected memberOf(value: Binding, at: number): Binding {
    if (value === null) return this.extensionOf(at)
    if (this.words.at(at) === "this") return extend(value, "@")
    if (/^(?:type|super|match)$/.test(this.words.at(at))) return null
    const path = member(this.textAt(at), this.countAt(at + 1))
    return extend(value, memberNames.has(this.words.at(at)) && path.includes("~") ? `${path}!` : path)
  }

  /** Returns the method that may extend a value of which nothing is known. */
  private extensionOf(at: number): Binding {
    const called = this.countAt(at + 1)
    const name = this.textAt(at)
    if (isTypeName.test(name) || called === "some" || memberNames.has(name) || this.words.isKeyword(at)) return null
    return absolute('"~"', member(name, called))
  }

  /** Returns what a member gives that is not called, or that is called if `value` is the result. */
  private resultOf(value: Binding, owner: Binding, name: number): Binding {
    const text = this.words.at(name)
    const mark = elementResults.has(text) ? "]" : listResults.has(text) ? "][" : undefined
    if (mark === undefined || owner === null) return value
    const element = extend(owner, mark)
    // A type of the project may have members of those names.
    return owner.path.endsWith("[") || value === null ? element : this.firstOf([element, value])
  }

  protected resultOfCall(value: Binding, owner: Binding, name: number): Binding {
    return name === -1 ? null : this.resultOf(extend(value, "()"), owner, name)
  }

  /** Returns the value of a name before a dot. An object with type arguments is called: `Monad[F].pure`. */
  protected resultOfName(value: Binding, owner: Binding, name: number, next: number): Binding {
    if (name === -1) return value
    if (isTypeName.test(this.words.at(name))) return this.words.at(next - 1) === "]" ? extend(value, "()") : value
    return this.resultOf(value, owner, name)
  }
}

/** The most links of a chain that are followed. */
const MAX_LINKS = 200

/** The most values in values that are followed. */
const MAX_VALUES = 4
