/** Reads the types that a Scala file writes: the uses in them, and which values they stand for. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding } from "../../Symbols/internal/references/Facts.ts"
import type { Names } from "./Block.ts"
import { NameReader } from "./NameReader.ts"
import { collections } from "./platform.ts"
import { isName, isOperator, isTypeName } from "./Words.ts"

/** A type, as the instance of it that a value is, and the word behind it. */
export interface Type {
  readonly value: Binding
  readonly end: number
}

/** How a type is read. */
interface Options {
  /** True if uses are reported. */
  readonly reports: boolean
  /** True if it may be that of a function. No arrow belongs to the type of a pattern or of a parameter before one. */
  readonly hasArrows?: boolean
  /** True if a word that joins it to others, such as `with`, is left for the caller. */
  readonly isSingle?: boolean
}

export abstract class TypeReader extends NameReader {
  private depth = 0

  /** Reads a type that begins at a word. */
  protected readType(from: number, options: Options): Type {
    if (this.depth >= MAX_TYPES) return { value: null, end: from }
    this.depth++
    const { hasArrows = true } = options
    let at = from
    let value: Binding = null
    let isWhole = true
    if (/^=>$|^⇒$/.test(this.words.at(at))) at++
    for (let left = MAX_PARTS; left > 0; left--) {
      const part = this.simpleType(at, options)
      if (part.end === at) break
      if (left === MAX_PARTS) value = part.value
      at = part.end
      if (options.isSingle) break
      const mark = this.words.at(at)
      if (mark === "*" && /^[),=]?$/.test(this.words.at(at + 1))) {
        at++
        value = extend(value, "[")
        break
      }
      if (mark === "=>" || mark === "⇒" || mark === "?=>" || mark === "=>>") {
        if (!hasArrows) break
        isWhole = false
      } else if (mark === "with" || mark === "&") {
        // The members of the first are known.
      } else if (/^(?:[|]|<:|>:|<:<|=:=|~>|:#|#)$/.test(mark)) isWhole = false
      else {
        // An infix type: `A Or B`.
        if (!isTypeName.test(mark) || this.words.isLineStart(at) || this.words.isKeyword(at)) break
        if (options.reports) this.use(this.typeOf(this.textAt(at)), at)
        isWhole = false
      }
      at++
    }
    this.depth--
    return { value: isWhole ? value : null, end: at }
  }

  private simpleType(from: number, options: Options): Type {
    let at = from
    while (this.words.at(at) === "@" && isName.test(this.words.at(at + 1))) at = this.annotation(at, options.reports)
    const word = this.words.at(at)
    if (word === "(") {
      const close = this.words.closing(at)
      for (const [first, end] of this.words.items(at, close)) {
        const isNamed = isName.test(this.words.at(first)) && this.words.at(first + 1) === ":" && end - first > 2
        this.readType(isNamed ? first + 2 : first, options)
      }
      return { value: null, end: close + 1 }
    }
    if (word === "[") {
      // A type lambda: `[X] =>> F[X]`.
      const types: Names = new Map()
      this.typeParameters(at, types, options.reports)
      const close = this.words.closing(at)
      if (!/^=>>?$/.test(this.words.at(close + 1))) return { value: null, end: close + 1 }
      return this.inBlock(this.inner({ types }), () => this.readType(close + 2, options))
    }
    if (word === '"' || /^\d/.test(word)) return { value: null, end: at + 1 }
    if (word === "?" || word === "_" || word === "*" || /^[-+]$/.test(word)) {
      const isVariable = /^[-+]$/.test(word) && isName.test(this.words.at(at + 1))
      return isVariable ? this.simpleType(at + 1, options) : { value: null, end: at + 1 }
    }
    if (word === "this" || this.words.isFreeName(at)) return this.namedType(at, options)
    return { value: null, end: from }
  }

  /** `a.b.C[D]`, `A.B`, `a.type` and `A#B` */
  private namedType(from: number, options: Options): Type {
    const path: Array<string> = []
    let at = from
    for (; path.length < MAX_PATH; at += 2) {
      path.push(this.textAt(at))
      if (this.words.at(at + 1) !== "." || !isName.test(this.words.at(at + 2))) break
      if (this.words.at(at + 2) === "type") break
    }
    let type = this.namedPath(path, from, at, options.reports)
    let value = extend(type, "@")
    if (this.words.at(at + 1) === ".") {
      value = path.length === 1 ? this.meaningOf(path[0] ?? "", undefined).value : null
      at += 2
    }
    at++
    const open = at
    if (this.words.at(at) === "[") {
      const close = this.words.closing(at)
      let first: Binding = null
      let count = 0
      for (const [item] of this.words.items(at, close)) {
        const { value } = this.readType(item, options)
        if (count++ === 0) first = value
      }
      if (count === 1 && collections.has(path.at(-1) ?? "")) value = extend(first, "[")
      at = close + 1
    }
    while (this.words.at(at) === "#" && isName.test(this.words.at(at + 1))) {
      type = extend(type, `.${this.textAt(at + 1)}`)
      if (options.reports) this.use(type, at + 1)
      value = extend(type, "@")
      at += 2
    }
    return { value, end: Math.max(at, open) }
  }

  /** Returns the type that a path means. `last` is the word of its last name. */
  private namedPath(path: ReadonlyArray<string>, from: number, last: number, reports: boolean): Binding {
    const [first = ""] = path
    if (path.length === 1) {
      const type = first === "this" ? null : this.typeOf(first)
      if (reports) this.use(type, from)
      return type
    }
    if (first === "this")
      return path.length === 2 && this.type !== undefined
        ? this.reported(absolute(`#${this.type}@`, `.${path[1]}`), last, reports)
        : null
    if (isTypeName.test(first)) {
      const { isLocal, value } = this.meaningOf(first, undefined)
      if (reports && !isLocal) this.use(value, from)
      let type = value
      for (const [at, name] of path.slice(1).entries()) {
        const isLast = at === path.length - 2
        type = extend(type, `.${name}${isLast || !isTypeName.test(name) ? "" : ":"}`)
        if (reports) this.use(type, from + 2 * (at + 1))
      }
      return type
    }
    return this.reported(this.pathOf(path, ""), last, reports)
  }

  private reported(value: Binding, at: number, reports: boolean): Binding {
    if (reports) this.use(value, at)
    return value
  }

  /** `@annotation(arguments)`; the arguments are read by what comes after. */
  protected annotation(at: number, reports: boolean): number {
    if (reports) {
      const { end } = this.namedType(at + 1, { reports })
      return this.words.at(end) === "(" && this.words.isTight(end) ? this.words.closing(end) + 1 : end
    }
    return this.words.skipAnnotation(at)
  }

  /** Reads `[F[_]: Monad, A <: B]`: the parameters are types of which nothing is known but their bounds. */
  protected typeParameters(open: number, types: Names, reports: boolean): void {
    const close = this.words.closing(open)
    const bounds: Array<readonly [name: string, bound: number]> = []
    for (const [first, end] of this.words.items(open, close)) {
      let name = first
      while (this.words.at(name) === "@" && name < end) name = this.words.skipAnnotation(name)
      if (isOperator.test(this.words.at(name))) name++
      if (!isName.test(this.words.at(name))) continue
      this.labels.add(name)
      const text = this.textAt(name)
      if (text !== "_") types.set(text, null)
      let at = name + 1
      if (this.words.at(at) === "[") {
        const inner: Names = new Map()
        if (this.depth < MAX_TYPES) {
          this.depth++
          this.typeParameters(at, inner, reports)
          this.depth--
        }
        at = this.words.closing(at) + 1
      }
      bounds.push([text, at])
    }
    this.inBlock(this.inner({ types }), () => {
      for (const [name, from] of bounds) {
        let at = from
        for (let left = 8; left > 0 && /^(?:<:|>:|:|<%)$/.test(this.words.at(at)); left--) {
          const mark = this.words.at(at)
          const { end, value } = this.readType(at + 1, { reports })
          if (mark === "<:" && name !== "_" && value?.path.endsWith("@"))
            types.set(name, { ...value, path: value.path.slice(0, -1) })
          if (end === at + 1) break
          at = end
        }
      }
    })
  }
}

/** The most types in types. */
const MAX_TYPES = 40

/** The most types that operators join. */
const MAX_PARTS = 60

/** The most names of a path. */
const MAX_PATH = 12
