/**
 * Reads what the names of a Scala file mean: those of the blocks around, members of the types around, what the file
 * imports and what it sees of packages. Types and values of one name are different things.
 */
import { UNNAMED } from "../../ModuleRules.ts"
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import { BlockReader, extend, VISIBLE } from "../../Symbols/internal/references/BlockReader.ts"
import { absolute, type Binding, type Expression, Facts, ofModule } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { scala } from "../patterns/jvm.ts"
import { withTemplates } from "../patterns/templates.ts"
import { type Block, type Names, noBlock } from "./Block.ts"
import { isObject } from "./modules.ts"
import { platformFunctions, platformTypes } from "./platform.ts"
import { isTypeName, Words } from "./Words.ts"

const mask = maskWith(scala.literals)

/** The number of arguments of a call; "some" if it is not known, undefined for a name that is not called. */
export type Called = number | "some" | undefined

/** The meaning of a name. A use of a local name is not reported. */
export interface Meaning {
  readonly value: Binding
  readonly isLocal: boolean
}

export abstract class NameReader extends BlockReader<Block, Words> {
  protected readonly file: Block = { ...noBlock, outer: undefined, kind: "file" }
  /** The words to go on with behind what has been read ahead. */
  protected readonly skips = new Map<number, number>()
  /** The types and the objects, values and functions that each symbol declares, by its ordinal and their name. */
  private readonly types = new Map<number, Map<string, number>>()
  private readonly values = new Map<number, Map<string, number>>()
  /** The types that have base types. */
  protected readonly derived = new Set<number>()
  /** The packages whose names the file sees, the innermost first. */
  protected readonly packages: Array<string> = []
  /** The packages and objects of which all names are imported. */
  protected readonly wildcards: Array<Expression> = []

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    const isTemplate = (start: number) => text[start] !== '"' || /[\p{L}\p{N}_]/u.test(text[start - 1] ?? "")
    super(new Facts(text, symbols), new Words(withTemplates(text, mask(text), isTemplate)))
    symbols.forEach((symbol, ordinal) => {
      // A package object is found as its package.
      if (symbol.kind === "module") return
      const owner = this.facts.containerOf(ordinal)
      const all = this.isType(ordinal) ? this.types : this.values
      const names = all.get(owner)
      if (names === undefined) all.set(owner, new Map([[symbol.name, ordinal]]))
      else if (!names.has(symbol.name)) names.set(symbol.name, ordinal)
    })
  }

  protected isType(ordinal: number): boolean {
    const symbol = this.facts.symbols[ordinal]
    return symbol !== undefined && isTypeKind.test(symbol.kind) && !isObject(symbol)
  }

  /** Returns the type or the value that a symbol declares; -1 stands for the file. */
  protected typeIn(owner: number, name: string): number | undefined {
    return this.types.get(owner)?.get(name)
  }

  protected valueIn(owner: number, name: string): number | undefined {
    return this.values.get(owner)?.get(name)
  }

  protected makeBlock(outer: Block, part: Partial<Block>): Block {
    return { ...noBlock, outer, kind: "plain", ...part }
  }

  protected addName(block: Block, name: string, value: Binding): void {
    block.names ??= new Map()
    block.names.set(name, value)
  }

  protected addType(block: Block, name: string, value: Binding): void {
    block.types ??= new Map()
    block.types.set(name, value)
  }

  /** The innermost type around. */
  protected get type(): number | undefined {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined) return at.type
    return undefined
  }

  /** Returns whether one of the types around has base types. */
  private mayInherit(): boolean {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer)
      if (at.type !== undefined && this.derived.has(at.type)) return true
    return false
  }

  /** Returns what a name means where a type stands. */
  protected typeOf(name: string): Binding {
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.types?.has(name)) return at.types.get(name) ?? null
      const own = at.type === undefined ? undefined : this.typeIn(at.type, name)
      if (own !== undefined) return absolute(`#${own}`)
      const imported = at.imported?.get(name)
      if (imported !== undefined) return this.pathOf(imported, "")
    }
    const own = this.typeIn(-1, name)
    if (own !== undefined) return absolute(`#${own}`)
    if (platformTypes.has(name)) return null
    const { type } = this
    if (type !== undefined && this.mayInherit()) return absolute(`#${type}@`, `.${name}>`)
    return absolute(VISIBLE, `.${name}`)
  }

  /** Returns what a name means where a value stands. */
  protected meaningOf(name: string, called: Called): Meaning {
    const path = member(name, called)
    const receivers: Array<Expression> = []
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      if (at.names?.has(name)) return { value: at.names.get(name) ?? null, isLocal: true }
      const own = at.type === undefined ? undefined : this.valueOrClassIn(at.type, name)
      if (at.type !== undefined && own !== undefined)
        return { value: this.ownMember(at.type, own, name, path), isLocal: false }
      const imported = at.imported?.get(name)
      if (imported !== undefined) return { value: this.pathOf(imported, callee("", name, called)), isLocal: false }
      if (at.receiver) receivers.push(at.receiver)
    }
    const own = this.valueOrClassIn(-1, name)
    if (own !== undefined)
      return {
        value: absolute(`#${own}`, typeof called === "number" && !isTypeName.test(name) ? `~${called}` : ""),
        isLocal: false,
      }
    if (platformTypes.has(name) || platformFunctions.has(name)) return { value: null, isLocal: false }
    return { value: this.inherited(path, callee(`.${name}`, name, called), receivers), isLocal: false }
  }

  /** Returns a member of a type around. Those of a package object are no members of an instance. */
  private ownMember(type: number, own: number, name: string, path: string): Expression {
    if (isTypeName.test(name)) return absolute(`#${own}`)
    const [called = ""] = /~\d+$/.exec(path) ?? []
    return this.facts.symbols[type]?.kind === "module" ? absolute(`#${own}`, called) : absolute(`#${type}@`, path)
  }

  /** An object or another value comes before the class of its name, which makes instances. */
  private valueOrClassIn(owner: number, name: string): number | undefined {
    return this.valueIn(owner, name) ?? (isTypeName.test(name) ? this.typeIn(owner, name) : undefined)
  }

  /** Returns a name that a type around may inherit, or else the file sees in packages. */
  private inherited(path: string, visible: string, receivers: ReadonlyArray<Expression>): Binding {
    const { type } = this
    const last = type === undefined ? absolute(VISIBLE, visible) : absolute(`#${type}@`, `${path}>`)
    if (receivers.length === 0) return last
    return this.firstOf([...receivers.slice(0, MAX_ALTERNATIVES).map((each) => extend(each, path)), last])
  }

  /**
   * Returns what the names of a path mean, as an import has them. The first may be that of a value around, of an object
   * that the file sees, or of a package, which may be in one of those around.
   */
  protected pathOf(path: ReadonlyArray<string>, mark: string): Binding {
    const all = this.pathsOf(path, mark)
    return all.length > 1 ? this.firstOf(all) : (all[0] ?? null)
  }

  protected pathsOf(path: ReadonlyArray<string>, mark: string, steps = 0): ReadonlyArray<Expression> {
    const [first = "", ...rest] = path
    const dotted = rest
      .map((name, at) => `.${name}${at < rest.length - 1 && isTypeName.test(name) ? ":" : ""}`)
      .join("")
    const last = `${dotted}${mark}`
    for (let at: Block | undefined = this.block; at !== undefined; at = at.outer) {
      const value = at.names?.get(first)
      if (value !== undefined) return value === null ? [] : [{ ...value, path: value.path + last }]
      const own = at.type === undefined ? undefined : this.valueOrClassIn(at.type, first)
      if (own !== undefined) return [absolute(`#${own}`, last)]
      const imported = at.imported?.get(first)
      // The path may be the one that imports the name.
      if (imported !== undefined && imported[0] !== first && steps < MAX_STEPS)
        return this.pathsOf([...imported, ...rest], mark, steps + 1)
    }
    const own = this.valueOrClassIn(-1, first)
    if (own !== undefined) return [absolute(`#${own}`, last)]
    if (first === "_root_") return rest.length === 0 ? [] : this.pathsFrom(rest, mark)
    if (this.isRoot(first)) return this.pathsFrom(path, mark)
    const relative = this.packages.map((name) =>
      absolute(`"${name}"`, `.${first}${isTypeName.test(first) ? ":" : ""}${last}`),
    )
    return isTypeName.test(first) ? relative : [...relative, ...this.pathsFrom(path, mark)]
  }

  private pathsFrom([first = "", ...rest]: ReadonlyArray<string>, mark: string): ReadonlyArray<Expression> {
    const dotted = rest
      .map((name, at) => `.${name}${at < rest.length - 1 && isTypeName.test(name) ? ":" : ""}`)
      .join("")
    return [absolute(`"${first}"`, `${dotted}${mark}`)]
  }

  /** Returns whether a name can only be that of an outermost package. */
  protected isRoot(name: string): boolean {
    return roots.test(name) || this.packages.some((each) => each === name || each.startsWith(`${name}.`))
  }

  /** Says which package the file is in. That comes before all other facts. */
  protected reportPackage(): void {
    this.facts.export(`@${this.packages[0] ?? ""}`, absolute('""'))
  }

  /** Says of which packages and objects the file sees all names. */
  protected reportVisible(): void {
    const own = this.packages.map((name) => {
      const [outermost = "", ...others] = name.split(".")
      // A package object may inherit what it has.
      return absolute(`"${outermost}"`, others.map((each) => `.${each}`).join(""))
    })
    const packages = own.length === 0 ? [ofModule(UNNAMED)] : own
    for (const each of [...this.wildcards.slice(0, MAX_VISIBLE), ...packages]) this.facts.export("using", each)
  }
}

/** Returns the path of a member: a capital is an object's, and other names may be called. */
export const member = (name: string, called: Called): string => {
  if (isTypeName.test(name)) return `.${name}:`
  return called === "some" ? `.${name}` : `.${name}~${called ?? UNCALLED}`
}

/** Returns the path of what a package declares. */
const callee = (path: string, name: string, called: Called): string => {
  if (isTypeName.test(name) || called === "some") return `${path}:`
  return `${path}:~${called ?? UNCALLED}`
}

export type { Names }

/** The number of arguments that stands for a name that is not called. */
export const UNCALLED = 99

const isTypeKind = /^(?:class|interface|enum|type)$/

/** Matches the names of packages that no project has below its own. */
const roots = /^(?:scala|java|javax|org|com|net|cats|akka|zio|fs2)$/

/** The most instances of types without a name in each other whose members are looked for. */
const MAX_ALTERNATIVES = 3

/** The most packages and objects of which all names are imported. */
const MAX_VISIBLE = 32

/** The most imports that begin with a name of one before. */
const MAX_STEPS = 4
