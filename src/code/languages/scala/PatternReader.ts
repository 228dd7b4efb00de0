/** Reads the patterns of a Scala file, which give names to what they match, and the generators of `for`. */

import { extend } from "../../Symbols/internal/references/BlockReader.ts"
import type { Binding } from "../../Symbols/internal/references/Facts.ts"
import type { Block, Names } from "./Block.ts"
import { ExpressionReader } from "./ExpressionReader.ts"
import { isTypeName } from "./Words.ts"

export abstract class PatternReader extends ExpressionReader {
  /** The word of each case whose names are seen. */
  private readonly cases = new Map<Block, number>()
  /** The names of each generator of `for`, by the word of its arrow. */
  private readonly generators = new Map<number, { readonly names: Names; readonly isSingle: boolean }>()

  /** `case pattern if condition => …`; what it names is seen up to the next case. */
  protected caseAt(at: number): number {
    const around = this.words.bracketAround(at)
    this.closeCases(at, around)
    const arrow = this.words.arrowAfter(at + 1)
    if (arrow === -1) return at + 1
    const names: Names = new Map()
    this.pattern(at + 1, arrow, names)
    this.skips.set(arrow, arrow + 1)
    const end = this.words.isLineStart(at) ? this.words.outdent(at) : this.words.enclosingEnd(at)
    const block = this.inner({ kind: "case", names, around, end })
    this.cases.set(block, at)
    this.blocks.push(block)
    return at + 1
  }

  /** Leaves the cases before one in the same brackets, unless it is in them by its indentation. */
  private closeCases(at: number, around: number): void {
    const least = Math.max(0, this.blocks.length - MAX_OPEN)
    for (let index = this.blocks.length - 1; index >= least; index--) {
      const block = this.blocks[index]
      if (block?.kind !== "case" || block.around !== around) continue
      if (this.words.isLineStart(at) && this.words.isDeeper(at, this.cases.get(block) ?? at)) return
      this.blocks.length = index
    }
  }

  /** Declares the names of a pattern: `a`, `a: A`, `a @ B(c, d)`, `(a, b)`. */
  protected pattern(from: number, to: number, names: Names): void {
    for (let at = from; at < to; at++) {
      if (this.words.at(at) === "if" && this.words.bracketAround(at) === this.words.bracketAround(to)) return
      if (!this.words.isFreeName(at) || this.words.at(at).startsWith("`")) continue
      const next = this.words.at(at + 1)
      if (next === "(" && isTypeName.test(this.words.at(at))) this.extractors.add(at)
      if (this.words.at(at - 1) === "." || next === "." || next === "(") continue
      if (next === '"' && this.words.isTight(at + 1)) continue
      if (next === ":") {
        const type = this.readType(at + 2, { reports: true, hasArrows: false })
        this.name(at, names, type.value)
        this.skips.set(at + 1, Math.max(type.end, at + 2))
        at = Math.max(at, type.end - 1)
      } else if (next === "@") this.name(at, names, this.extracted(at + 2))
      // An infix pattern has the name of an object between others, which is a capital or an operator.
      else if (!isTypeName.test(this.words.at(at))) this.name(at, names, this.fieldOf(at))
    }
  }

  private name(at: number, names: Names, value: Binding): void {
    this.labels.add(at)
    if (this.words.at(at) !== "_") names.set(this.textAt(at), value)
  }

  /** Returns the value that matches `A(b)`. */
  private extracted(at: number): Binding {
    if (!isTypeName.test(this.words.at(at)) || this.words.at(at + 1) !== "(") return null
    return extend(this.typeOf(this.textAt(at)), "@")
  }

  /** Returns the field of a class to which `A(name)` gives a name. */
  private fieldOf(at: number): Binding {
    const open = this.words.bracketAround(at)
    const type = open - 1
    if (open < 1 || this.words.at(open) !== "(" || !isTypeName.test(this.words.at(type))) return null
    if (this.words.at(type - 1) === "." || !/^[,)]$/.test(this.words.at(at + 1))) return null
    let position = 0
    for (const [first] of this.words.items(open, this.words.closing(open))) {
      if (first === at) return extend(this.typeOf(this.textAt(type)), `@._${position}`)
      if (++position >= MAX_FIELDS) return null
    }
    return null
  }

  /** `for (a <- b; c = d if e) …` */
  protected forAt(at: number): number {
    const open = at + 1
    const isBracketed = /^[({]$/.test(this.words.at(open))
    const close = isBracketed ? this.words.closing(open) : this.words.indentedEnd(at)
    const names: Names = new Map()
    const around = isBracketed ? open : this.words.bracketAround(at)
    let from = isBracketed ? open + 1 : open
    for (let each = from; each < close; ) {
      const text = this.words.at(each)
      if (!isBracketed && /^(?:yield|do)$/.test(text)) break
      if (this.words.isLineStart(each)) from = each
      if (text === "<-" || text === "←" || text === "=") {
        const own: Names = new Map()
        if (each - from < MAX_GENERATOR) this.pattern(from, each, own)
        for (const [name] of own) names.set(name, null)
        this.generators.set(each, { names: own, isSingle: from === each - 1 })
      }
      if (text === ";") from = each + 1
      each = /^[([{]$/.test(text) ? this.words.closing(each) + 1 : each + 1
    }
    const body = !isBracketed ? at : /^(?:yield|do)$/.test(this.words.at(close + 1)) ? close + 2 : close + 1
    const end = this.words.at(body) === "{" ? this.words.closing(body) + 1 : this.forEnd(at, body)
    this.blocks.push(this.inner({ kind: "for", names, around, end }))
    if (!isBracketed) return open
    this.opened.set(open, this.inner({}))
    return open
  }

  private forEnd(at: number, body: number): number {
    const open = this.words.bracketAround(at)
    if (open !== -1 && this.words.at(open) !== "{") return this.words.argumentEnd(at)
    return Math.max(this.words.indentedEnd(at), Math.min(body + 1, this.words.enclosingEnd(at)))
  }

  /** Says what the names of a generator of `for` are, whose arrow or equals sign is at a word. */
  protected generatorAt(at: number): number {
    const generator = this.generators.get(at)
    if (generator === undefined) return at + 1
    let block: Block | undefined = this.block
    while (block !== undefined && block.kind !== "for") block = block.outer
    const value = generator.isSingle ? this.valueAt(at + 1) : null
    const isElement = this.words.at(at) !== "="
    for (const [name, own] of generator.names)
      if (block !== undefined) this.addName(block, name, own ?? (isElement ? extend(value, "]") : value))
    return at + 1
  }
}

/** The most fields to which patterns give names. */
const MAX_FIELDS = 12

/** The most words of a pattern in `for`. */
const MAX_GENERATOR = 60

/** The most blocks among which the case before is looked for. */
const MAX_OPEN = 200
