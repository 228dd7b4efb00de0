/**
 * Reads references of Lua off its words: required modules, the tables to which a module adds its functions, and
 * functions of the file. A module specifier is what `require` takes. Members of a table are known if the file assigns
 * them. A metatable adds those of the class that it names: an object has them, and so has what a function returns that
 * makes one.
 */
import { maskWith } from "../../Symbols/internal/patterns/Masked.ts"
import {
  absolute,
  type Binding,
  bind,
  type Expression,
  extend,
  Facts,
  makeScope,
  ofModule,
  type Scope,
} from "../../Symbols/internal/references/Facts.ts"
import type { CodeSymbol } from "../../Symbols.ts"
import { patterns } from "./patterns.ts"

export const read = (text: string, symbols: ReadonlyArray<CodeSymbol>): string => new Reader(text, symbols).read()

const mask = maskWith(patterns.literals)

const keywords: ReadonlySet<string> = new Set(patterns.keywords.split(" ").filter((word) => word !== "self"))

interface Token {
  readonly text: string
  readonly start: number
}

/** A block that is open, and the symbol of its function; -1 for other blocks and functions without a symbol. */
interface Block {
  readonly scope: Scope
  readonly ordinal: number
  readonly isFunction: boolean
  /** The names of the function's variables that hold an object, with its class. Only blocks of functions have some. */
  readonly objects: Map<string, Expression>
}

class Reader {
  private readonly facts: Facts
  private readonly text: string
  private readonly tokens: ReadonlyArray<Token>
  private readonly file: Scope = makeScope(undefined, 0)
  private readonly blocks: Array<Block> = []
  /** Holds the blocks that are functions, the innermost last. */
  private readonly functions: Array<Block> = []
  private hasReturned = false
  /** The names that the next block of a loop declares. */
  private loopNames: ReadonlyArray<string> = []

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.text = text
    this.facts = new Facts(text, symbols)
    const { code } = mask(text)
    this.tokens = Array.from(
      code.matchAll(/[A-Za-z_]\w*|\d[\w.]*|\.{2,3}|::|[=~<>]=|[^\s\w]/g),
      ({ 0: text, index }) => ({
        text,
        start: index,
      }),
    )
  }

  read(): string {
    for (let at = 0; at < this.tokens.length; ) at = this.readAt(at)
    return this.facts.encode()
  }

  private get scope(): Scope {
    return this.blocks.at(-1)?.scope ?? this.file
  }

  private get function(): Block | undefined {
    return this.functions.at(-1)
  }

  private close(): void {
    if (this.blocks.pop()?.isFunction === true) this.functions.pop()
  }

  private textAt(at: number): string {
    return this.tokens[at]?.text ?? ""
  }

  private isNameAt(at: number): boolean {
    const text = this.textAt(at)
    return /^[A-Za-z_]/.test(text) && !keywords.has(text)
  }

  private open(isFunction: boolean, ordinal = -1, start = this.scope.start): Scope {
    const scope = makeScope(this.scope, start)
    const block = { scope, ordinal, isFunction, objects: new Map() }
    this.blocks.push(block)
    if (isFunction) this.functions.push(block)
    return scope
  }

  /** Reads what begins at a token, and returns the token after it. */
  private readAt(at: number): number {
    switch (this.textAt(at)) {
      case "local":
        return this.textAt(at + 1) === "function" ? this.localFunction(at + 1) : this.local(at + 1)
      case "function":
        return this.functionAt(at)
      case "for":
        return this.loop(at + 1)
      case "do":
      case "then":
      case "repeat": {
        const scope = this.open(false)
        for (const name of this.loopNames) bind(scope, name, null)
        this.loopNames = []
        return at + 1
      }
      case "else":
        this.close()
        this.open(false)
        return at + 1
      case "elseif":
      case "end":
      case "until":
        this.close()
        return at + 1
      case "return":
        return this.returned(at + 1)
      case "goto":
        return at + 2
    }
    if (!this.isNameAt(at)) return at + 1
    const isKey = this.textAt(at + 1) === "=" && /^[{,;]$/.test(this.textAt(at - 1))
    if (isKey && this.isInTable(at)) return at + 1
    return this.chain(at).next
  }

  /** Returns whether the nearest open bracket before a token is that of a table. */
  private isInTable(at: number): boolean {
    let depth = 0
    for (let before = at - 1; before >= 0 && before > at - MAX_LOOK_BACK; before--) {
      const text = this.textAt(before)
      if (text === "}" || text === ")" || text === "]") depth++
      else if (text === "{" || text === "(" || text === "[") {
        if (depth === 0) return text === "{"
        depth--
      }
    }
    return false
  }

  /** Reads `a.b:c`, reports its uses, and returns it as an expression, with a call behind it if there is one. */
  private chain(at: number): { readonly value: Binding; readonly next: number } {
    const required = this.required(at)
    const { scope } = this
    let next = required === undefined ? at + 1 : required.next
    let value: Binding = required?.value ?? { scope, root: this.textAt(at), path: "" }
    const isAlone = !/^[.:]$/.test(this.textAt(next))
    if (required === undefined && isAlone) this.use(value, at)
    while (/^[.:]$/.test(this.textAt(next)) && this.isNameAt(next + 1)) {
      const further = this.requiredBy(next)
      if (further !== undefined) {
        value = further.value
        next = further.next
        continue
      }
      value = extend(value, `.${this.textAt(next + 1)}`)
      // An assignment defines the member and does not use it.
      if (value !== null && this.textAt(next + 2) !== "=") this.use(value, next + 1)
      next += 2
    }
    return { value: /^[("{]$/.test(this.textAt(next)) ? extend(value, "()") : value, next }
  }

  private use(value: Expression, at: number): void {
    this.facts.use(value.scope, value.root, value.path, this.tokens[at]?.start ?? 0)
  }

  /** Reads `require("a.b")`, also without brackets. */
  private required(at: number): { readonly value: Expression; readonly next: number } | undefined {
    return this.textAt(at) === "require" ? this.moduleAfter(at + 1) : undefined
  }

  /** Reads `.lazy_require("a.b")`: functions of such names require a module when it is used first. */
  private requiredBy(dot: number): { readonly value: Expression; readonly next: number } | undefined {
    return /_require$/.test(this.textAt(dot + 1)) ? this.moduleAfter(dot + 2) : undefined
  }

  private moduleAfter(at: number): { readonly value: Expression; readonly next: number } | undefined {
    const hasBracket = this.textAt(at) === "("
    const string = hasBracket ? at + 1 : at
    const specifier = this.stringAt(string)
    if (specifier === undefined || (hasBracket && this.textAt(string + 1) !== ")")) return undefined
    return { value: ofModule(specifier), next: hasBracket ? string + 2 : string + 1 }
  }

  /** The content of a string that can be the name of a module. */
  private stringAt(at: number): string | undefined {
    const token = this.tokens[at]
    if (token === undefined || !/^["']$/.test(token.text)) return undefined
    return /^["']([\w./-]+)["']/.exec(this.text.slice(token.start, token.start + MAX_SPECIFIER))?.[1]
  }

  private localFunction(at: number): number {
    const name = this.textAt(at + 1)
    const ordinal = this.facts.symbolNamed(name, this.tokens[at + 1]?.start ?? 0, this.scope)
    this.scope.names.set(name, ordinal < 0 ? null : absolute(`#${ordinal}`))
    return this.parameters(at + 2, ordinal, undefined)
  }

  /** Reads `local a, b <const> = …`. */
  private local(from: number): number {
    const names: Array<number> = []
    let at = from
    for (; this.isNameAt(at); at++) {
      names.push(at)
      at++
      if (this.textAt(at) === "<") at += 3
      if (this.textAt(at) === ":") while (at < this.tokens.length && !/^[=,]$/.test(this.textAt(at))) at++
      if (this.textAt(at) !== ",") break
    }
    if (this.textAt(at) !== "=") {
      for (const name of names) this.scope.names.set(this.textAt(name), null)
      return at
    }
    const { scope } = this
    const values = this.valuesAt(at + 1, names.length)
    // The names are declared behind their values: `local a = a` means the outer one.
    this.blocks.push({ scope: makeScope(scope, scope.start), ordinal: -1, isFunction: false, objects: new Map() })
    const next = values.next
    this.blocks.pop()
    // A variable of the file is a table with members of its own.
    const made = this.function === undefined ? undefined : this.objectAt(at + 1)
    names.forEach((name, position) => {
      const text = this.textAt(name)
      if (made !== undefined && position === 0) {
        this.function?.objects.set(text, made)
        scope.names.set(text, made)
        return
      }
      const ordinal = this.facts.symbolNamed(text, this.tokens[name]?.start ?? 0, scope)
      const value = values.all[position]
      const isTable = value === undefined && position === 0 && /^(?:\{|setmetatable)$/.test(this.textAt(at + 1))
      const own = ordinal < 0 ? (isTable && scope === this.file ? absolute(`&${text}`) : null) : absolute(`#${ordinal}`)
      scope.names.set(text, value ?? own)
    })
    return next
  }

  /** Reads modules and chains at the beginning of values; `next` is the token from which reading goes on. */
  private valuesAt(
    at: number,
    names: number,
  ): { readonly all: ReadonlyArray<Binding | undefined>; readonly next: number } {
    // `local ok, module = pcall(require, "a.b")`
    if (names > 1 && ["pcall", "(", "require", ","].every((text, offset) => this.textAt(at + offset) === text)) {
      const specifier = this.stringAt(at + 4)
      return { all: [null, specifier === undefined ? null : ofModule(specifier)], next: at + 5 }
    }
    if (!this.isNameAt(at) || this.textAt(at) === "setmetatable") return { all: [undefined], next: at }
    const { next, value } = this.chain(at)
    // An operator makes another value of it.
    const isWhole = names === 1 && !/^(?:[-+*/%^#<>,[]|\.\.|[=~<>]=|or|and|not)$/.test(this.textAt(next))
    return { all: [isWhole ? value : null], next }
  }

  /** Reads `function M.a:b(…)`, or a function without a name. */
  private functionAt(at: number): number {
    if (this.textAt(at + 1) === "(") return this.parameters(at + 1, this.assignedAt(at), undefined)
    let name = at + 1
    let owner: Binding = null
    let isMethod = false
    while (/^[.:]$/.test(this.textAt(name + 1))) {
      owner =
        owner === null
          ? { scope: this.scope, root: this.textAt(name), path: "" }
          : extend(owner, `.${this.textAt(name)}`)
      isMethod = this.textAt(name + 1) === ":"
      name += 2
    }
    const ordinal = this.facts.symbolNamed(this.textAt(name), this.tokens[name]?.start ?? 0, this.scope)
    if (owner === null) bind(this.file, this.textAt(name), ordinal < 0 ? null : absolute(`#${ordinal}`))
    return this.parameters(name + 1, ordinal, isMethod ? owner : undefined)
  }

  /** Returns the ordinal of the symbol in `M.a = function`. */
  private assignedAt(at: number): number {
    if (this.textAt(at - 1) !== "=" || !this.isNameAt(at - 2)) return -1
    return this.facts.symbolNamed(this.textAt(at - 2), this.tokens[at - 2]?.start ?? 0, this.scope)
  }

  /** Reads parameters, and opens the body. `self` is the table of a method. */
  private parameters(open: number, ordinal: number, self: Binding | undefined): number {
    const outer = this.scope
    const scope = this.open(true, ordinal, this.tokens[open]?.start ?? outer.start)
    if (self !== undefined) bind(scope, "self", self)
    let at = open + 1
    for (; at < this.tokens.length && this.textAt(at) !== ")"; at++) {
      if (this.isNameAt(at) && /^[(,]$/.test(this.textAt(at - 1))) scope.names.set(this.textAt(at), null)
    }
    return at + 1
  }

  /** Reads the names of a loop; its values are read as any others. */
  private loop(from: number): number {
    let at = from
    const names: Array<string> = []
    for (; this.isNameAt(at); at++) {
      names.push(this.textAt(at))
      at++
      if (this.textAt(at) !== ",") break
    }
    this.loopNames = names
    return at
  }

  /** Reads what a module or a function returns. */
  private returned(at: number): number {
    // A module returns once. What follows is not read as its value, so that the time stays linear.
    const isModule = this.blocks.length === 0 && !this.hasReturned
    if (isModule) this.hasReturned = true
    if (isModule && this.textAt(at) === "{") this.exportTable(at + 1)
    else if (isModule) this.exportValue(this.textAt(at) === "setmetatable" ? at + 2 : at)
    else {
      const isWhole = /^(?:end|else|elseif|until|;|)$/.test(this.textAt(at + 1))
      const made = this.objectAt(at) ?? (isWhole ? this.function?.objects.get(this.textAt(at)) : undefined)
      if (made !== undefined) this.facts.value(this.function?.ordinal ?? -1, made)
    }
    return at
  }

  private exportValue(at: number): void {
    const required = this.required(at)
    if (required !== undefined) this.facts.export("=", required.value)
    else if (this.isNameAt(at) && !/^[.:([]$/.test(this.textAt(at + 1)))
      this.facts.export("=", { scope: this.file, root: this.textAt(at), path: "" })
  }

  /** Reads `return { a = b, c = M.d }`. */
  private exportTable(from: number): void {
    let depth = 0
    for (let at = from; at < Math.min(this.tokens.length, from + MAX_LOOK_AHEAD) && depth >= 0; at++) {
      const text = this.textAt(at)
      if (/^[{([]$/.test(text)) depth++
      else if (/^[})\]]$/.test(text)) depth--
      if (depth !== 0 || !this.isNameAt(at) || this.textAt(at + 1) !== "=" || !/^[{,;]$/.test(this.textAt(at - 1)))
        continue
      const required = this.required(at + 2)
      if (required !== undefined) this.facts.export(text, required.value)
      else if (this.isNameAt(at + 2) && /^[,;}]$/.test(this.textAt(at + 3)))
        this.facts.export(text, { scope: this.file, root: this.textAt(at + 2), path: "" })
    }
  }

  /**
   * Returns the class whose members `setmetatable({ … }, Class)` has, or `setmetatable({ … }, { __index = Class })`.
   */
  private objectAt(from: number): Expression | undefined {
    if (this.textAt(from) !== "setmetatable" || this.textAt(from + 1) !== "(") return undefined
    let depth = 0
    for (let at = from + 2; at < Math.min(this.tokens.length, from + MAX_LOOK_AHEAD) && depth >= 0; at++) {
      const text = this.textAt(at)
      if (/^[{([]$/.test(text)) depth++
      else if (/^[})\]]$/.test(text)) depth--
      else if (depth === 0 && text === ",") {
        const isIndex = ["{", "__index", "="].every((each, offset) => this.textAt(at + 1 + offset) === each)
        const name = isIndex ? at + 4 : at + 1
        const isAlone = this.isNameAt(name) && this.textAt(name + 1) === (isIndex ? "}" : ")")
        return isAlone ? { scope: this.scope, root: this.textAt(name), path: "" } : undefined
      }
    }
    return undefined
  }
}

/** The most tokens that are looked at to tell a key of a table. */
const MAX_LOOK_BACK = 200

/** The most tokens of what a module or a function returns. */
const MAX_LOOK_AHEAD = 500

const MAX_SPECIFIER = 200
