/**
 * Reads references of Elixir off its words: modules by their names and aliases, functions and macros by name and number
 * of arguments, those that a module imports, structs, and types. A module is written `"=A.B".C`, see `modules.ts`;
 * `"=A.B".C.go:2` is its function `go` with two arguments, `"=A.B".C.t;0` its type `t`, and `"=A.B".C.go*` all that a
 * quote in its function `go` imports. Unqualified calls in a quote are not resolved, since the module that uses the
 * macro decides what they mean.
 */
import { absolute, type Expression, Facts, makeScope } from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { kernel } from "./kernel.ts"
import { isName, reserved, Words } from "./Words.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

/** A module whose body is being read, or the file around all modules. */
interface Module {
  /** The whole name; undefined if code computes it. The file has the empty name. */
  readonly name: string | undefined
  /** Its symbol; -1 if there is none. */
  readonly ordinal: number
  /** Stands for what it imports, as the object `&number`. */
  readonly number: number
  readonly outer: Module | undefined
  /** The ordinals of its functions and macros by `name:arity`, and of its types by `name;arity`. */
  readonly own: Map<string, number>
  /** The modules that it imports whole, and all that the macros which it uses import for it. */
  readonly imports: Map<string, Expression>
  /** The modules of the functions that it imports by `name:arity`; null if there are several. */
  readonly imported: Map<string, string | null>
  /** The functions that some import leaves out. */
  readonly excluded: Set<string>
}

/** A function or a type that is called. */
interface Callee {
  /** The module that is named before it; undefined if none is. */
  readonly module: string | undefined
  readonly name: string
  readonly isType: boolean
}

/** A function, macro or type whose head is being read. */
interface Head {
  readonly name: string
  readonly ordinal: number
  readonly isPrivate: boolean
  readonly isType: boolean
  /** The parameters with default values. */
  defaults: number
}

/** A call of which arguments may still follow. */
interface Call {
  /** The name as it is written, for `quote`, `defmodule` and others that have a meaning of their own. */
  readonly form: string
  readonly callee: Callee | undefined
  readonly head: Head | undefined
  /** The word of the name. */
  readonly at: number
  readonly isPiped: boolean
  isEmpty: boolean
  commas: number
  hasKeys: boolean
  /** True for `quote` behind its `do:`. */
  isQuoting: boolean
  /** The function that `defdelegate` defines. */
  delegated: { readonly name: string; readonly arity: number } | undefined
  /** The module that a block behind the call makes. */
  readonly module: Module | undefined
}

/** A pair of brackets or a block, and what is open in it. */
interface Frame {
  readonly isBlock: boolean
  /** The call whose arguments the brackets hold. */
  readonly call: Call | undefined
  /** Calls without brackets, the outermost first. */
  readonly pending: Array<Call>
  readonly module: Module
  readonly isQuoted: boolean
  readonly isType: boolean
  /** Aliases that the frame has changed, with their meanings before. */
  readonly hidden: Array<readonly [alias: string, before: string | null | undefined]>
}

/** A call without a module that is named before it. It is resolved when all functions of the file are known. */
interface LocalUse {
  readonly module: Module
  readonly key: string
  readonly name: string
  readonly at: number
}

class Reader {
  private readonly facts: Facts
  private readonly words: Words
  private readonly symbols: ReadonlyArray<CodeSymbol>
  private readonly scope = makeScope(undefined, 0)
  private readonly modules: Array<Module> = []
  private readonly frames: Array<Frame> = []
  private readonly aliases = new Map<string, string | null>()
  private readonly locals: Array<LocalUse> = []
  private readonly quotes = new Set<string>()
  private blocks = 0
  private frame: Frame = makeFrame({ isBlock: true, module: this.addModule("", -1, undefined) })
  /** A call with brackets that a block follows. */
  private called: Call | undefined

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.facts = new Facts(text, symbols)
    this.words = new Words(text)
    this.symbols = symbols
  }

  read(): string {
    for (let at = 0; at < this.words.length; ) at = this.readAt(at)
    this.finishPending(0)
    while (this.frames.length > 0) this.pop()
    this.resolveLocals()
    return this.facts.encode()
  }

  /** Reads what begins at a word, and returns the word after it. */
  private readAt(at: number): number {
    const word = this.words.at(at)
    if (this.frame.pending.length > 0 && this.words.endsBefore(at)) this.finishPending(0)
    switch (word) {
      case "(":
      case "[":
      case "{":
      case "<<":
      case "#{":
        this.push({ isBlock: false })
        return at + 1
      case ")":
      case "]":
      case "}":
      case ">>":
      case "#}":
        if (!this.frame.isBlock) this.close(at)
        return at + 1
      case "do":
        this.openBlock()
        return at + 1
      case "fn":
        this.push({ isBlock: true })
        return at + 1
      case "end":
        this.end()
        return at + 1
      case "->":
      case ";":
      case "else":
      case "after":
      case "rescue":
      case "catch":
        this.finishPending(0)
        return at + 1
      case ",":
        this.comma()
        return at + 1
      case "\\\\": {
        const head = this.frame.call?.head
        if (head !== undefined && this.frame.pending.length === 0) head.defaults++
        return at + 1
      }
      case "&":
        return this.captureAt(at + 1)
      case ":":
        // The key `"a b":`, or the atom `:"a b"`.
        if (this.words.at(at - 1) === '"' && !this.words.isSpaced(at)) this.key("")
        return at + 1
      case "__MODULE__":
        return this.aliasAt(at)
    }
    if (word.startsWith("@") && word.length > 1) return this.attributeAt(at)
    if (word.length > 1 && word.endsWith(":") && word !== "::") return this.keyAt(at)
    if (!isName.test(word) || reserved.has(word)) return at + 1
    return isPartOfModule.test(word) ? this.aliasAt(at) : this.nameAt(at)
  }

  // Frames and calls

  private get isQuoted(): boolean {
    const { call, isQuoted, pending } = this.frame
    return isQuoted || call?.isQuoting === true || pending.some(({ isQuoting }) => isQuoting)
  }

  private get isType(): boolean {
    return this.frame.isType || this.frame.pending[0]?.form === TYPES
  }

  private push(options: {
    readonly isBlock: boolean
    readonly call?: Call
    readonly module?: Module
    readonly isQuoted?: boolean
  }): void {
    const { isQuoted, isType } = this
    if (options.isBlock) this.blocks++
    this.frames.push(this.frame)
    this.frame = makeFrame({ module: this.frame.module, isQuoted, isType, ...options })
  }

  /** Closes the innermost frame, and returns the call whose arguments it held. */
  private pop(): Call | undefined {
    this.finishPending(0)
    const { call, hidden, isBlock } = this.frame
    if (isBlock) this.blocks--
    for (const [alias, before] of hidden.reverse()) {
      if (before === undefined) this.aliases.delete(alias)
      else this.aliases.set(alias, before)
    }
    this.frame = this.frames.pop() ?? this.frame
    return call
  }

  private close(at: number): void {
    if (this.frames.length === 0) return
    const isEmpty = /^[([{]$|^<<$/.test(this.words.at(at - 1))
    const call = this.pop()
    if (call === undefined) return
    call.isEmpty = isEmpty
    if (this.words.at(at + 1) === "do" && this.frame.pending.length === 0) this.called = call
    else this.finish(call, 0)
  }

  private openBlock(): void {
    const call = this.called ?? this.frame.pending[0]
    if (this.called === undefined) this.finishPending(1)
    this.called = undefined
    this.frame.pending.length = 0
    if (call !== undefined) this.finish(call, 1)
    const isQuoted = this.isQuoted || call?.form === "quote"
    this.push({ isBlock: true, isQuoted, module: call?.module ?? this.frame.module })
  }

  private end(): void {
    if (this.blocks === 0) return
    while (!this.frame.isBlock) this.pop()
    this.pop()
  }

  private comma(): void {
    this.finishPending(1)
    const call = this.frame.pending[0] ?? this.frame.call
    if (call !== undefined && !call.hasKeys) call.commas++
  }

  private keyAt(at: number): number {
    const key = this.words.at(at).slice(0, -1)
    const call = this.key(key)
    if (call?.form === "defdelegate" && key === "to") return this.delegateTo(call, at + 1)
    return at + 1
  }

  private key(key: string): Call | undefined {
    const call = this.frame.pending.at(-1) ?? this.frame.call
    if (call === undefined) return undefined
    call.hasKeys = true
    if (key === "do" && call.form === "quote") call.isQuoting = true
    return call
  }

  /** Ends calls without brackets but for the outermost ones. */
  private finishPending(kept: number): void {
    const { pending } = this.frame
    while (pending.length > kept) {
      const call = pending.pop()
      if (call !== undefined) this.finish(call, 0)
    }
  }

  /** Ends a call: now the number of its arguments is known, to which a block adds one. */
  private finish(call: Call, more: number): void {
    const arity = (call.isPiped ? 1 : 0) + (call.isEmpty ? 0 : call.commas + 1) + more
    if (call.head !== undefined) {
      this.define(call.head, arity)
      const [around] = this.frame.pending
      if (around?.form === "defdelegate") around.delegated = { name: call.head.name, arity }
    }
    if (call.callee !== undefined) this.use(call.callee, arity, call.at)
  }

  private use({ isType, module, name }: Callee, arity: number, at: number): void {
    const key = `${name}${isType ? ";" : ":"}${arity}`
    if (module === undefined) this.locals.push({ module: this.frame.module, key, name, at })
    else this.useOf(member(module, key), at)
  }

  private useOf(value: Expression | undefined, at: number): void {
    if (value !== undefined) this.facts.use(undefined, value.root, value.path, this.words.start(at))
  }

  private useModule(module: string | undefined, at: number): void {
    if (module !== undefined && module !== this.frame.module.name) this.useOf(ofModule(module), at)
  }

  /** Reads the arguments behind a name, and returns the word after it. */
  private callAt(at: number, name: number, form: string, callee: Callee | undefined, more?: Partial<Call>): number {
    const isPiped = this.words.at(at - 1) === "|>"
    const call: Call = {
      form,
      callee,
      head: undefined,
      at: name,
      isPiped,
      isEmpty: false,
      commas: 0,
      hasKeys: false,
      isQuoting: false,
      delegated: undefined,
      module: undefined,
      ...more,
    }
    const next = name + 1
    if (this.words.at(next) === "(" && !this.words.isSpaced(next)) {
      this.push({ isBlock: false, call, isQuoted: this.isQuoted && !/^unquote(?:_splicing)?$/.test(form) })
      return next + 1
    }
    const hasBlock = this.words.at(next) === "do" && this.frame.pending.length === 0
    if (hasBlock || this.words.beginsArgument(next)) {
      call.isEmpty = hasBlock
      if (this.frame.pending.length < MAX_PENDING) this.frame.pending.push(call)
    } else if (isPiped || callee?.module !== undefined || call.head !== undefined || (callee?.isType ?? false)) {
      call.isEmpty = true
      this.finish(call, 0)
    }
    return next
  }

  // Names

  /** Reads a name that begins with a small letter. */
  private nameAt(at: number): number {
    const name = this.words.at(at)
    if (this.words.at(at - 1) === ".") return this.callAt(at, at, "", undefined)
    if (definitions.has(name)) return this.definitionAt(at)
    switch (name) {
      case "alias":
      case "require":
      case "import":
      case "use":
        return isPartOfModule.test(this.words.at(at + 1)) || this.isOwnModule(at + 1)
          ? this.directiveAt(at)
          : this.callAt(at, at, name, undefined)
      case "defmodule":
      case "defprotocol":
      case "defimpl":
        return this.moduleAt(at)
    }
    const isTypeVariable = this.isType && this.words.at(at + 1) === "::"
    const isOther = this.isQuoted || isTypeVariable || forms.has(name)
    return this.callAt(at, at, name, isOther ? undefined : { module: undefined, name, isType: this.isType })
  }

  /** Reads `A.B`, `A.B.go(…)`, and the same behind `__MODULE__`. */
  private aliasAt(at: number): number {
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
  private moduleNamed(at: number): { readonly module: string | undefined; readonly next: number } {
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
  private captureAt(at: number): number {
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

  // Directives

  /** Reads `alias A.B`, `import A.B, only: [go: 1]`, and the like. */
  private directiveAt(at: number): number {
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
  private isOwnModule(at: number): boolean {
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

  private alias(alias: string, module: string | null): void {
    if (!isPartOfModule.test(alias)) return
    this.frame.hidden.push([alias, this.aliases.get(alias)])
    this.aliases.set(alias, module)
  }

  /** Reads `, only: [go: 1]` or `, except: [go: 1]` behind an import. */
  private importOptions(at: number): {
    readonly only: ReadonlyArray<string> | undefined
    except: ReadonlyArray<string>
  } {
    const key = this.words.at(at + 1)
    if (this.words.at(at) !== "," || !/^(?:only|except):$/.test(key) || this.words.at(at + 2) !== "[")
      return { only: undefined, except: [] }
    const names: Array<string> = []
    for (let each = at + 3; this.words.at(each).endsWith(":") && names.length < MAX_NAMES; each += 3)
      names.push(`${this.words.at(each)}${this.words.at(each + 1)}`)
    return key === "only:" ? { only: names, except: [] } : { only: undefined, except: names }
  }

  private import(module: string | undefined, options: ReturnType<Reader["importOptions"]>, at: number): void {
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

  // Definitions

  private moduleAt(at: number): number {
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

  private addModule(name: string | undefined, ordinal: number, outer: Module | undefined): Module {
    const module: Module = {
      name,
      ordinal,
      number: this.modules.length,
      outer,
      own: new Map(),
      imports: new Map(),
      imported: new Map(),
      excluded: new Set(),
    }
    this.modules.push(module)
    return module
  }

  /** Reads `def go(…)` up to its name, so that the name is no use. */
  private definitionAt(at: number): number {
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

  private define({ defaults, isPrivate, isType, name, ordinal }: Head, arity: number): void {
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

  private qualified(ordinal: number): string {
    const { container, name } = this.symbols[ordinal] ?? { container: undefined, name: "" }
    return container === undefined ? name : `${container}.${name}`
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

  // Attributes and types

  private attributeAt(at: number): number {
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

  // Calls without a module

  private resolveLocals(): void {
    for (const module of this.modules)
      for (const value of importsOf(module).values()) this.facts.export(`${module.number}.*`, value)
    for (const local of this.locals) this.useOf(this.meaningOf(local), local.at)
  }

  private meaningOf({ key, module, name }: LocalUse): Expression | undefined {
    const ordinal = module.own.get(key)
    if (ordinal !== undefined) return absolute(`#${ordinal}`)
    if (key.includes(";")) return undefined
    let hasImports = false
    for (const each of around(module)) {
      const imported = each.imported.get(key)
      if (imported !== undefined) return imported === null ? undefined : member(imported, key)
      if (each.excluded.has(key)) return undefined
      hasImports ||= each.imports.size > 0
    }
    return hasImports && !kernel.has(name) ? absolute(`&${module.number}`, `.${key}`) : undefined
  }
}

const makeFrame = (options: Partial<Frame> & Pick<Frame, "isBlock" | "module">): Frame => ({
  call: undefined,
  pending: [],
  isQuoted: false,
  isType: false,
  hidden: [],
  ...options,
})

/** A module and those around it, the innermost first. */
function* around(module: Module): Generator<Module> {
  let each: Module | undefined = module
  for (let depth = 0; each !== undefined && depth < MAX_MODULES; depth++, each = each.outer) yield each
}

/** The modules that a module imports, with those of the modules around it. */
const importsOf = (module: Module): ReadonlyMap<string, Expression> => {
  const all = new Map<string, Expression>()
  for (const each of around(module))
    for (const [key, value] of each.imports) if (all.size < MAX_IMPORTS) all.set(key, value)
  return all
}

const ofModule = (name: string): Expression => {
  const dot = name.lastIndexOf(".")
  return absolute(`"=${name.slice(0, Math.max(0, dot))}"`, `.${name.slice(dot + 1)}`)
}

const member = (module: string, key: string): Expression => {
  const { path, root } = ofModule(module)
  return absolute(root, `${path}.${key}`)
}

/** A name that is longer is none: resolving it would cost quadratic time. */
const limited = (name: string): string | undefined => (name.length > MAX_NAME ? undefined : name)

const isPartOfModule = /^(?:[A-Z]\w*|__MODULE__)$/

const isFunction = /^[\p{Ll}_][\p{L}\p{N}_]*[?!]?$/u

/** Stands behind the name of a function for all that its quote imports. */
const ALL = "*"

/** The form of an attribute that holds types. */
const TYPES = "@spec"

const definitions: ReadonlySet<string> = new Set(
  "def defp defmacro defmacrop defguard defguardp defdelegate defn defnp".split(" "),
)

/** Special forms of the language. */
const forms: ReadonlySet<string> = new Set(
  "case cond for receive with try super quote unquote unquote_splicing".split(" "),
)

/** The most characters of the name of a module. */
const MAX_NAME = 150

/** The most calls without brackets that are open in one another. */
const MAX_PENDING = 20

/** The most names in one `only:`. */
const MAX_NAMES = 200

/** The most modules around a module whose imports it has. */
const MAX_MODULES = 20

/** The most modules that a module imports whole. */
const MAX_IMPORTS = 50
