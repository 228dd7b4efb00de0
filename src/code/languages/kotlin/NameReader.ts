/**
 * Reads what the names of a Kotlin file mean: those of the blocks around, members of the types around, what the file
 * imports and what it sees of other packages.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import { BlockReader, extend, VISIBLE } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding, type Expression, Facts } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { kotlin } from "../patterns/jvm.ts"
import { withTemplates } from "../patterns/templates.ts"
import { type Block, noBlock } from "./Block.ts"
import * as Imports from "./Imports.ts"
import { memberNames, platformFunctions, platformTypes } from "./platform.ts"
import { Words } from "./Words.ts"

const mask = maskWith(kotlin.literals)

/** The number of arguments of a call; "some" if it is not known, as in a call with a spread, undefined for no call. */
export type Called = number | "some" | undefined

export abstract class NameReader extends BlockReader<Block, Words> {
  protected readonly imports: Imports.Imports
  protected readonly file: Block = { ...noBlock, outer: undefined, kind: "file" }
  private readonly ordinals = new Map<string, number>()
  /** The types that have base types. */
  protected readonly derived = new Set<number>()
  /** Extensions that the file declares or imports by name. */
  private readonly extensions = new Set<string>()
  /** Extensions that types of the file declare, by name; -1 if several have one name. */
  private readonly memberExtensions = new Map<string, number>()

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    const masked = mask(text)
    super(new Facts(text, symbols), new Words(withTemplates(text, masked)))
    this.imports = Imports.read(masked.code)
    symbols.forEach(({ container, name, signature }, ordinal) => {
      const qualified = this.qualifiedOf(ordinal)
      if (!this.ordinals.has(qualified)) this.ordinals.set(qualified, ordinal)
      if (container === undefined || !isExtension.test(signature)) return
      if (this.ordinals.has(container.replace(/\.[^.]*$/, "")) && container.includes("."))
        this.memberExtensions.set(name, this.memberExtensions.has(name) ? -1 : ordinal)
      else this.extensions.add(name)
    })
    for (const [name, { path }] of this.imports.named) if (path.length === 1) this.extensions.add(name)
  }

  private qualifiedOf(ordinal: number): string {
    const { container, name } = this.facts.symbols[ordinal] ?? { container: undefined, name: "" }
    return container === undefined ? name : `${container}.${name}`
  }

  protected get packageSpecifier(): string {
    return this.imports.visible[0]?.root ?? ""
  }

  protected makeBlock(outer: Block, part: Partial<Block>): Block {
    return { ...noBlock, outer, kind: "plain", ...part }
  }

  protected namesOf(block: Block): Map<string, Binding> {
    block.names ??= new Map()
    return block.names
  }

  /** Returns what a name with a capital means. */
  protected typeOf(name: string, called: Called = undefined): Binding {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.names?.has(name)) return at.names.get(name) ?? null
      if (at.type === undefined) continue
      const ordinal = this.ordinals.get(`${at.type.qualified}.${name}`)
      if (ordinal === undefined) continue
      const isType = isTypeKind.test(this.facts.symbols[ordinal]?.kind ?? "")
      return isType ? absolute(`#${ordinal}`) : absolute(`#${at.type.ordinal}`, `@${Imports.member(name, called)}`)
    }
    const imported = this.imports.named.get(name)
    if (imported !== undefined) return Imports.meaningOf(imported, called)
    if (platformTypes.has(name) && !this.ordinals.has(name)) return null
    // A type or a constant may be inherited.
    const { type } = this
    if (type !== undefined && called !== "some" && this.mayInherit())
      return absolute(`#${type.ordinal}`, `@${Imports.member(name, called)}>`)
    return absolute(VISIBLE, Imports.callee(`.${name}`, called))
  }

  /** The innermost type around. */
  protected get type(): Block["type"] {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined) return at.type
    return undefined
  }

  /** Returns whether one of the types around has base types. */
  private mayInherit(): boolean {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && this.derived.has(at.type.ordinal)) return true
    return false
  }

  protected local(name: string): Binding | undefined {
    let isInFunction = false
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.names?.has(name)) return at.names.get(name) ?? null
      if (at.kind === "type" || at.parameters !== undefined) {
        if (!isInFunction && at.parameters?.has(name)) return at.parameters.get(name) ?? null
        isInFunction = false
      }
      if (at.kind === "function") isInFunction = true
    }
    return undefined
  }

  /** A name without a receiver: a member of what is around, or what the file sees under that name. */
  protected implicit(name: string, called: Called): Binding {
    const isOwn = this.ordinals.has(name)
    const imported = this.imports.named.get(name)
    const receivers: Array<Expression & { readonly mark: string }> = []
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.receiver === null) return imported === undefined ? null : Imports.meaningOf(imported, called)
      if (at.receiver !== undefined) receivers.push({ ...at.receiver, mark: at.hasReceiver ? ">!" : ">" })
      if (at.type !== undefined) break
    }
    const { type } = this
    if (imported !== undefined && !this.isDeclaredAround(name)) {
      const meaning = Imports.meaningOf(imported, called)
      if (typeof called !== "number" || imported.path.length > 1) return meaning
      // Extensions of what is around may have the name.
      const [first] = receivers
      const path = Imports.member(name, called)
      if (first !== undefined) return this.firstOf([extend(first, path), meaning])
      return type === undefined ? meaning : extend(meaning, `>${type.ordinal}`)
    }
    if (platformFunctions.has(name) && !isOwn && !this.isDeclaredAround(name)) return null
    const path = `${Imports.member(name, called)}${typeof called === "number" ? this.doubt(name) : ""}`
    const [innermost, ...others] = receivers
    if (called === "some") {
      if (type !== undefined && this.isDeclaredAround(name)) return absolute(`#${type.ordinal}`, `@.${name}>`)
      return absolute(VISIBLE, Imports.callee(`.${name}`, called))
    }
    const around = type === undefined ? "" : `${type.ordinal}`
    if (innermost !== undefined && (others.length === 0 || innermost.mark === ">!"))
      return extend(innermost, `${path}${innermost.mark}${around}`)
    if (innermost !== undefined)
      return this.firstOf([
        ...receivers.slice(-MAX_ALTERNATIVES, -1).map((each) => extend(each, path)),
        extend(receivers.at(-1) ?? null, `${path}${receivers.at(-1)?.mark}${around}`),
      ])
    if (type !== undefined) return absolute(`#${type.ordinal}`, `@${path}>`)
    return absolute(VISIBLE, Imports.callee(`.${name}`, called))
  }

  /** Returns whether a type around declares a member of a name. */
  private isDeclaredAround(name: string): boolean {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && this.ordinals.has(`${at.type.qualified}.${name}`)) return true
    return false
  }

  /** Returns the mark of a call that can mean an extension only if its receiver is known. */
  protected doubt(name: string): string {
    return this.extensions.has(name) && !memberNames.has(name) ? "" : "!"
  }

  /** Returns the only extension of a name in the file, if a type around declares it. */
  protected memberExtension(name: string): number | undefined {
    const ordinal = this.memberExtensions.get(name)
    const container = this.facts.symbols[ordinal ?? -1]?.container
    if (ordinal === undefined || container === undefined || memberNames.has(name)) return undefined
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && container.startsWith(`${at.type.qualified}.`)) return ordinal
    return undefined
  }
}

const isTypeKind = /^(?:class|interface|enum|type)$/

/** Matches the signature of a function or property with a receiver. */
const isExtension = /\b(?:fun|va[lr])\s+(?:<[^(){}=\n]{0,300}>\s*)?[\w.]{1,200}(?:<[^(){}=\n]{0,200}>)?\??\.[\w`]/

/** The most receivers of functions in braces in each other. */
const MAX_ALTERNATIVES = 5
