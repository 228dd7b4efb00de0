/** Reads `alias`, `require`, `import` and `use` of an Elixir file, and what a quote imports for others. */
import { absolute, type Expression } from "../../Symbols/internal/references/Facts.ts"
import { isPartOfModule, limited, MAX_IMPORTS, member, ofModule } from "./Module.ts"
import { NameReader } from "./NameReader.ts"

/** The functions that an import names, each as `name:arity`. */
interface ImportOptions {
  /** Undefined if it imports all but those of `except`. */
  readonly only: ReadonlyArray<string> | undefined
  readonly except: ReadonlyArray<string>
}

export abstract class DirectiveReader extends NameReader {
  private readonly quotes = new Set<string>()

  /** Reads `alias A.B`, `import A.B, only: [go: 1]`, and the like. */
  protected directiveAt(at: number): number {
    const form = this.words.at(at)
    const { next, modules } = this.modulesAt(at + 1)
    if (form === "alias" || form === "require") return this.aliasesAt(form, modules, next)
    const options = form === "import" ? this.importOptions(next) : undefined
    for (const [module, name] of modules) {
      this.useModule(module, name)
      if (options !== undefined) this.import(module, options, at)
      else if (module !== undefined) this.useMacros(module, name, next)
    }
    return next
  }

  /** Notes what `use A` does: it calls a macro of that module, which may import others for the module around. */
  private useMacros(module: string, at: number, next: number): void {
    this.useOf(member(module, "__using__:1"), at)
    this.importAll(member(module, `__using__${ALL}`), at)
    // `use A, :b` often has the quote of the function `b`.
    const [, chosen] = this.words.at(next) === "," ? (/^:([a-z_]\w*)$/.exec(this.words.at(next + 1)) ?? []) : []
    if (chosen !== undefined) this.importAll(member(module, `${chosen}${ALL}`), at)
  }

  private importAll(value: Expression, at: number): void {
    const { imports } = this.frame.module
    const quote = this.isQuoted ? this.quoteAround(at) : undefined
    if (quote !== undefined) this.facts.export(`${quote}.*`, value)
    else if (!this.isQuoted && imports.size < MAX_IMPORTS) imports.set(value.root + value.path, value)
  }

  /**
   * Returns the name under which the imports in a quote are kept, as those of an object. A module that uses this one
   * has them. A quote outside of functions is that of `using`, which tests have.
   */
  private quoteAround(at: number): string | undefined {
    const { number, ordinal } = this.frame.module
    if (ordinal < 0) return undefined
    const around = this.facts.symbolAt(this.words.start(at))
    const name = around === ordinal ? "__using__" : (this.symbols[around]?.name ?? "")
    const quote = `${number}${name}`
    if (!this.quotes.has(quote)) this.facts.export(`${this.qualified(ordinal)}.${name}${ALL}`, absolute(`&${quote}`))
    this.quotes.add(quote)
    return quote
  }

  /** Reads `A.B`, or `A.{B, C}`, as whole names of modules with the word at which each ends. */
  private modulesAt(at: number): {
    readonly modules: ReadonlyArray<readonly [module: string | undefined, at: number]>
    readonly next: number
  } {
    if (this.isOwnModule(at)) return { modules: [[this.frame.module.name || undefined, at]], next: at + 4 }
    const { module, next } = this.moduleNamed(at)
    if (this.words.at(next) !== "." || this.words.at(next + 1) !== "{") return { modules: [[module, next - 1]], next }
    const modules: Array<readonly [string | undefined, number]> = []
    let each = next + 2
    while (isPartOfModule.test(this.words.at(each))) {
      let name = module
      for (; isPartOfModule.test(this.words.at(each)); each += this.words.at(each + 1) === "." ? 2 : 1)
        name = name === undefined ? undefined : limited(`${name}.${this.words.at(each)}`)
      modules.push([name, each - 1])
      if (this.words.at(each) === ",") each++
    }
    return { modules, next: this.words.at(each) === "}" ? each + 1 : each }
  }

  /** Returns whether words are `unquote(__MODULE__)`, by which a quote names the module that it is in. */
  protected isOwnModule(at: number): boolean {
    return ["unquote", "(", "__MODULE__", ")"].every((word, offset) => this.words.at(at + offset) === word)
  }

  private aliasesAt(
    form: string,
    modules: ReadonlyArray<readonly [module: string | undefined, at: number]>,
    next: number,
  ): number {
    const isNamed = this.words.at(next) === "," && this.words.at(next + 1) === "as:"
    for (const [module, at] of modules) {
      if (isNamed) this.alias(this.words.at(next + 2), module ?? null)
      else if (form === "alias") this.alias(this.words.at(at), module ?? null)
    }
    return isNamed ? next + 3 : next
  }

  /** Reads `, only: [go: 1]` or `, except: [go: 1]` behind an import. */
  private importOptions(at: number): ImportOptions {
    const key = this.words.at(at + 1)
    if (this.words.at(at) !== "," || !/^(?:only|except):$/.test(key) || this.words.at(at + 2) !== "[")
      return { only: undefined, except: [] }
    const names: Array<string> = []
    for (let each = at + 3; this.words.at(each).endsWith(":") && names.length < MAX_NAMES; each += 3)
      names.push(`${this.words.at(each)}${this.words.at(each + 1)}`)
    return key === "only:" ? { only: names, except: [] } : { only: undefined, except: names }
  }

  private import(module: string | undefined, options: ImportOptions, at: number): void {
    const { excluded, imported } = this.frame.module
    if (!this.isQuoted) for (const name of options.except) excluded.add(name)
    if (module === undefined) return
    if (options.only === undefined) {
      this.importAll(ofModule(module), at)
      return
    }
    const quote = this.isQuoted ? this.quoteAround(at) : undefined
    for (const name of options.only) {
      const before = imported.get(name)
      if (quote !== undefined) this.facts.export(`${quote}.${name}`, member(module, name))
      else if (!this.isQuoted) imported.set(name, before === undefined || before === module ? module : null)
    }
  }

  protected qualified(ordinal: number): string {
    const { container, name } = this.symbols[ordinal] ?? { container: undefined, name: "" }
    return container === undefined ? name : `${container}.${name}`
  }
}

/** Stands behind the name of a function for all that its quote imports. */
const ALL = "*"

/** The most names in one `only:`. */
const MAX_NAMES = 200
