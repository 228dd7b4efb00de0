/** Reads the names of modules in an Elixir file, by its aliases, and the functions that are named behind them. */
import { CallReader, type Frame } from "./CallReader.ts"
import { isPartOfModule, limited, MAX_NAME } from "./Module.ts"

export abstract class NameReader extends CallReader {
  /** The whole names of modules by their aliases; null if code computes it. */
  private readonly aliases = new Map<string, string | null>()

  protected alias(alias: string, module: string | null): void {
    if (!isPartOfModule.test(alias)) return
    this.frame.hidden.push([alias, this.aliases.get(alias)])
    this.aliases.set(alias, module)
  }

  protected override restore(hidden: Frame["hidden"]): void {
    for (const [alias, before] of hidden.toReversed()) {
      if (before === undefined) this.aliases.delete(alias)
      else this.aliases.set(alias, before)
    }
  }

  /** Reads `A.B`, `A.B.go(…)`, and the same behind `__MODULE__`. */
  protected aliasAt(at: number): number {
    if (this.words.at(at - 1) === ".") return at + 1
    const { module, next } = this.moduleNamed(at)
    const isCall = this.words.at(next) === "." && isFunction.test(this.words.at(next + 1))
    this.useModule(module, next - 1)
    if (!isCall) return next
    const name = this.words.at(next + 1)
    const callee = module === undefined ? undefined : { module, name, isType: this.isType }
    return this.callAt(at, next + 1, "", callee)
  }

  /** Returns the whole name of the module that words name, and the word after them. */
  protected moduleNamed(at: number): { readonly module: string | undefined; readonly next: number } {
    const first = this.words.at(at)
    let next = at + 1
    let rest = ""
    while (this.words.at(next) === "." && isPartOfModule.test(this.words.at(next + 1))) {
      if (rest.length <= MAX_NAME) rest += `.${this.words.at(next + 1)}`
      next += 2
    }
    if (first === "__MODULE__") {
      const { name } = this.frame.module
      return { module: this.isQuoted || !name ? undefined : limited(name + rest), next }
    }
    if (first === "Elixir") return { module: limited(rest.slice(1)), next }
    const alias = this.aliases.get(first)
    return { module: alias === null ? undefined : limited((alias ?? first) + rest), next }
  }

  /** Reads `&go/1` and `&A.go/1`; any other code behind `&` is read as such. */
  protected captureAt(at: number): number {
    if (this.isQuoted && !isPartOfModule.test(this.words.at(at))) return at
    const isQualified = isPartOfModule.test(this.words.at(at))
    const { module, next } = isQualified ? this.moduleNamed(at) : { module: undefined, next: at - 1 }
    if (isQualified && this.words.at(next) !== ".") return at
    const name = next + 1
    const arity = this.words.at(name + 2)
    if (!isFunction.test(this.words.at(name)) || this.words.at(name + 1) !== "/" || !/^\d{1,3}$/.test(arity)) return at
    if (isQualified) this.useModule(module, next - 1)
    if (!isQualified || module !== undefined)
      this.use({ module, name: this.words.at(name), isType: false }, Number(arity), name)
    return name + 3
  }
}

export const isFunction = /^[\p{Ll}_][\p{L}\p{N}_]*[?!]?$/u
