/** Reads the modules, functions, macros and types that an Elixir file defines. */
import { absolute } from "../../Symbols/internal/references/Facts.ts"
import { type Call, type Head, TYPES } from "./CallReader.ts"
import { DirectiveReader } from "./DirectiveReader.ts"
import { isPartOfModule, limited, MAX_NAME, ofModule } from "./Module.ts"
import { isFunction } from "./NameReader.ts"
import { reserved } from "./Words.ts"

export abstract class DefinitionReader extends DirectiveReader {
  protected moduleAt(at: number): number {
    const first = this.words.at(at + 1)
    const form = this.words.at(at)
    const { module: outer } = this.frame
    // The functions of an implementation are called by way of the protocol.
    if (form === "defimpl" || !isPartOfModule.test(first))
      return this.callAt(at, at, form, undefined, { module: this.addModule(undefined, -1, outer) })
    // The name in a nested definition is that below the module around it, and an alias for it from then on.
    let next = at + 2
    let written = first
    for (; this.words.at(next) === "." && isPartOfModule.test(this.words.at(next + 1)); next += 2)
      if (written.length <= MAX_NAME) written += `.${this.words.at(next + 1)}`
    const whole =
      this.isQuoted || outer.name === undefined ? undefined : outer.name === "" ? written : `${outer.name}.${written}`
    const name = whole === undefined ? undefined : limited(whole)
    const ordinal = this.facts.symbolNamed(written, this.words.start(at + 1), this.scope)
    const module = this.addModule(name, ordinal, outer)
    if (outer.name !== "" && name !== undefined) this.alias(first, `${outer.name}.${first}`)
    this.callAt(at, at, form, undefined, { module })
    return next
  }

  /** Reads `def go(…)` up to its name, so that the name is no use. */
  protected definitionAt(at: number): number {
    const form = this.words.at(at)
    const name = at + 1
    const next = this.callAt(at, at, form, undefined)
    if (!isFunction.test(this.words.at(name)) || reserved.has(this.words.at(name))) return next
    const after = this.words.at(name + 1)
    const hasList = after === "(" && !this.words.isSpaced(name + 1)
    if (
      this.words.at(name) === "unquote" ||
      !(hasList || /^(?:,|do|when|)$/.test(after) || this.words.isLineStart(name + 1))
    )
      return name
    return this.headAt(name, { isPrivate: form.endsWith("p"), isType: false })
  }

  /** Reads the name and the parameters of a definition. */
  private headAt(name: number, { isPrivate, isType }: Pick<Head, "isPrivate" | "isType">): number {
    const text = this.words.at(name)
    const ordinal = this.facts.symbolNamed(text, this.words.start(name), this.scope)
    const head: Head = { name: text, ordinal, isPrivate, isType, defaults: 0 }
    if (this.words.at(name + 1) === "(" && !this.words.isSpaced(name + 1))
      return this.callAt(name, name, "", undefined, { head })
    this.define(head, 0)
    return name + 1
  }

  protected override define({ defaults, isPrivate, isType, name, ordinal }: Head, arity: number): void {
    const { module } = this.frame
    if (ordinal < 0) return
    for (let each = Math.max(0, arity - defaults); each <= arity; each++) {
      const key = `${name}${isType ? ";" : ":"}${each}`
      if (module.own.has(key)) continue
      module.own.set(key, ordinal)
      if (isPrivate || module.ordinal < 0) continue
      const value = absolute(`#${ordinal}`)
      // The members of a protocol are those of a type, and other modules have none but what they export.
      if (this.symbols[module.ordinal]?.kind === "interface") this.facts.field(module.ordinal, key, value)
      else this.facts.export(`${this.qualified(module.ordinal)}.${key}`, value)
    }
  }

  /** Reads `to: A`: the function of that module is called, unless `as:` before or behind it names another one. */
  private delegateTo({ delegated }: Call, at: number): number {
    if (delegated === undefined || !isPartOfModule.test(this.words.at(at))) return at
    const { module, next } = this.moduleNamed(at)
    const other = this.words.at(next + 1) === "as:" ? next + 2 : this.words.at(at - 4) === "as:" ? at - 3 : undefined
    const name = other === undefined ? delegated.name : this.words.at(other).slice(1)
    this.useModule(module, next - 1)
    if (module !== undefined) this.use({ module, name, isType: false }, delegated.arity, next - 1)
    return next
  }

  protected keyAt(at: number): number {
    const key = this.words.at(at).slice(0, -1)
    const call = this.key(key)
    if (call?.form === "defdelegate" && key === "to") return this.delegateTo(call, at + 1)
    return at + 1
  }

  protected attributeAt(at: number): number {
    switch (this.words.at(at)) {
      case "@spec":
      case "@callback":
      case "@macrocallback": {
        const next = this.callAt(at, at, TYPES, undefined)
        // The function of that name is no type.
        return isFunction.test(this.words.at(next)) ? this.callAt(next, next, "", undefined) : next
      }
      case "@type":
      case "@typep":
      case "@opaque": {
        const next = this.callAt(at, at, TYPES, undefined)
        const isPrivate = this.words.at(at) === "@typep"
        return isFunction.test(this.words.at(next)) ? this.headAt(next, { isPrivate, isType: true }) : next
      }
    }
    if (this.words.at(at) === "@behaviour" && !this.isQuoted && isPartOfModule.test(this.words.at(at + 1))) {
      const { module } = this.moduleNamed(at + 1)
      if (module !== undefined) this.facts.base(this.frame.module.ordinal, ofModule(module))
    }
    return this.callAt(at, at, "", undefined)
  }
}
