/**
 * Collects the facts of a file about references. A reader of a language declares names in scopes and reports uses. Once
 * all of the file is read, each use is resolved as far as the file goes, and local or unknown names are dropped.
 */
import { lastUpTo } from "../../../../base/Text.ts"
import * as References from "../../../References.ts"
import type { CodeSymbol } from "../../../Symbols.ts"

/** `root` is a name to look up in `scope`; without a scope it is the beginning of an expression (see `References`). */
export interface Expression {
  readonly scope: Scope | undefined
  readonly root: string
  readonly path: string
}

/** The meaning of a name; `null` for a local name of which nothing is known. */
export type Binding = Expression | null

export interface Scope {
  readonly outer: Scope | undefined
  readonly names: Names
  /** Symbols that begin before this offset are not declared in the scope. */
  readonly start: number
  /** Names of a class in Python are not visible in its methods. */
  readonly isHidden: boolean
}

/** The names of a scope. Most blocks declare none, so the map is made with the first name. */
export class Names {
  /** The names that stand for something known in any scope of the file so far. */
  readonly known: Set<string>
  private bindings: Map<string, Binding> | undefined = undefined

  constructor(known: Set<string>) {
    this.known = known
  }

  get(name: string): Binding | undefined {
    return this.bindings?.get(name)
  }
  get size(): number {
    return this.bindings?.size ?? 0
  }
  has(name: string): boolean {
    return this.bindings?.has(name) ?? false
  }
  set(name: string, binding: Binding): void {
    this.bindings ??= new Map()
    this.bindings.set(name, binding)
    if (binding !== null) this.known.add(name)
  }
}

export const makeScope = (outer: Scope | undefined, start: number, isHidden = false): Scope => ({
  outer,
  names: new Names(outer?.names.known ?? new Set()),
  start,
  isHidden,
})

/** Returns the scope of the function around a block, or of the file. */
export const functionScope = (block: Scope): Scope => {
  let scope = block
  while (scope.outer !== undefined && scope.outer.start === scope.start) scope = scope.outer
  return scope
}

/** Binds a name. If a name is bound several times, the first binding of which anything is known counts. */
export const bind = (scope: Scope, name: string, binding: Binding): void => {
  if (scope.names.get(name)) return
  scope.names.set(name, binding)
}

export const absolute = (root: string, path = ""): Expression => ({ scope: undefined, root, path })

export const extend = (expression: Binding | undefined, path: string): Binding =>
  expression ? { ...expression, path: expression.path + path } : null

/** Returns the expression of a module specifier. */
export const ofModule = (specifier: string): Expression => absolute(`"${specifier}"`)

/** Longer expressions are dropped. */
const MAX_EXPRESSION_CHARS = 200

/** The most steps from a name to its meaning: `a = b; b = c`. */
const MAX_STEPS = 12

/** The most lines that are kept for one expression in one symbol. */
const MAX_LINES = 1_000

/** The most different expressions that are kept for a file. */
const MAX_USES = 50_000

export class Facts {
  readonly symbols: ReadonlyArray<CodeSymbol>
  private readonly parents: Int32Array
  private readonly lineStarts: Array<number>
  /** The uses are kept in columns: an object for each would take longer than reading it. */
  private readonly useScopes: Array<Scope | undefined> = []
  private readonly useRoots: Array<string> = []
  private readonly usePaths: Array<string> = []
  private readonly useOffsets: Array<number> = []
  private readonly exports: Array<{ readonly name: string; readonly value: Expression }> = []
  private readonly bases: Array<{ readonly owner: number; readonly value: Expression }> = []
  private readonly values: Array<{ readonly owner: number; readonly value: Expression }> = []
  private readonly fields: Array<{ readonly owner: number; readonly name: string; readonly value: Expression }> = []
  private readonly members: Array<{ readonly object: Expression; readonly value: Expression }> = []
  private readonly extensions: Array<{
    readonly object: Expression
    readonly module: string
    readonly argument: number
  }> = []
  private readonly constructors: Array<Expression> = []
  parameters: ReadonlyArray<string> = []
  /** Ordinals of symbols that only declare types of the one after them that has their name. */
  readonly overloads: Array<number> = []
  private last = 0

  constructor(text: string, symbols: ReadonlyArray<CodeSymbol>) {
    this.symbols = symbols
    this.parents = new Int32Array(symbols.length)
    const open: Array<number> = []
    symbols.forEach(({ end, start }, ordinal) => {
      while (open.length > 0 && (symbols[open.at(-1) ?? 0]?.end ?? 0) <= start) open.pop()
      const outer = open.at(-1) ?? -1
      this.parents[ordinal] = outer
      // If one statement defines several symbols, each is beside the others.
      if (outer >= 0 && symbols[outer]?.start === start && symbols[outer]?.end === end) {
        this.parents[ordinal] = this.parents[outer] ?? -1
        open.pop()
      }
      open.push(ordinal)
    })
    this.lineStarts = [0]
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.lineStarts.push(at + 1)
  }

  /** Returns the innermost symbol at an offset; -1 outside of all. */
  symbolAt(offset: number): number {
    const { symbols } = this
    let at = this.last
    if ((symbols[at]?.start ?? 0) > offset || (symbols[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= offset) {
      at = 0
      let high = symbols.length
      while (high - at > 1) {
        const middle = (at + high) >>> 1
        if ((symbols[middle]?.start ?? 0) <= offset) at = middle
        else high = middle
      }
    }
    this.last = at
    while (at >= 0) {
      const symbol = symbols[at]
      if (symbol !== undefined && symbol.start <= offset && offset < symbol.end) return at
      at = symbol === undefined ? -1 : (this.parents[at] ?? -1)
    }
    return -1
  }

  /** Returns the symbol of that name that is declared at an offset; -1 if the name is local. */
  symbolNamed(name: string, offset: number, scope: Scope): number {
    const found = this.symbolAt(offset)
    if (found < 0) return -1
    const { end, start } = this.symbols[found] ?? { start: 0, end: 0 }
    if (start < scope.start) return -1
    for (let at = found; at >= 0; at--) {
      const symbol = this.symbols[at]
      if (symbol === undefined || symbol.start !== start || symbol.end !== end) return -1
      if (symbol.name === name) return at
    }
    return -1
  }

  containerOf(ordinal: number): number {
    return this.parents[ordinal] ?? -1
  }

  lineOf(offset: number): number {
    return lastUpTo(this.lineStarts, offset) + 1
  }

  use(scope: Scope | undefined, root: string, path: string, offset: number): void {
    this.useScopes.push(scope)
    this.useRoots.push(root)
    this.usePaths.push(path)
    this.useOffsets.push(offset)
  }
  export(name: string, value: Binding): void {
    if (value !== null) this.exports.push({ name, value })
  }
  base(owner: number, value: Binding): void {
    if (value !== null && owner >= 0) this.bases.push({ owner, value })
  }
  value(owner: number, value: Binding): void {
    if (value !== null && owner >= 0) this.values.push({ owner, value })
  }
  field(owner: number, name: string, value: Binding): void {
    if (value !== null && owner >= 0) this.fields.push({ owner, name, value })
  }
  /** Reports a function with a prototype, which returns instances of itself. */
  constructs(called: Expression): void {
    this.constructors.push(called)
  }
  /** Reports a member that is assigned to an object. `object` is the member itself, `A.b`. */
  member(object: Expression, value: Binding): void {
    if (value !== null) this.members.push({ object, value })
  }
  extension(object: Expression, module: string, argument: number): void {
    this.extensions.push({ object, module, argument })
  }

  /** Returns the text of the collected facts; see `References.encode`. */
  encode(): string {
    const exports = this.exports.flatMap(({ name, value }) => {
      const expression = resolve(value)
      return expression === undefined ? [] : [{ name, expression }]
    })
    const bases = new Map<number, Array<string>>()
    for (const { owner, value } of this.bases) {
      const expression = resolve(value)
      if (expression !== undefined) bases.set(owner, [...(bases.get(owner) ?? []), expression])
    }
    const values = new Map<number, string>()
    for (const { owner, value } of this.values) {
      const expression = values.has(owner) ? undefined : resolve(value)
      if (expression !== undefined && expression !== `#${owner}`) values.set(owner, expression)
    }
    for (const called of this.constructors) {
      const expression = resolve(called)
      const [, ordinal] = /^#(\d+)$/.exec(expression ?? "") ?? []
      const isFunction = ordinal !== undefined && this.symbols[Number(ordinal)]?.kind === "function"
      if (isFunction && !values.has(Number(ordinal))) values.set(Number(ordinal), `${expression}@`)
    }
    const fields = new Map<string, { owner: number; name: string; expression: string }>()
    for (const { name, owner, value } of this.fields) {
      const key = `${owner} ${name}`
      const expression = fields.has(key) ? undefined : resolve(value)
      if (expression !== undefined) fields.set(key, { owner, name, expression })
    }
    const members = new Map<string, { name: string; expression: string }>()
    for (const { object, value } of this.members) {
      const name = this.nameOf(resolve(object))
      const expression = name === undefined || members.has(name) ? undefined : resolve(value)
      if (name !== undefined && expression !== undefined) members.set(name, { name, expression })
    }
    const extensions = this.extensions.flatMap(({ argument, module, object }) => {
      const name = this.nameOf(resolve(object))
      return name === undefined ? [] : [{ object: name, module, argument }]
    })
    return References.encode({
      exports,
      bases,
      values,
      fields: Array.from(fields.values()),
      members: Array.from(members.values()),
      extensions,
      parameters: this.parameters,
      overloads: this.overloads,
      uses: this.uses(),
    })
  }

  /** Returns the qualified name of an object that an expression is. */
  private nameOf(expression: string | undefined): string | undefined {
    const [, kind, root = "", path = ""] = /^([#&%])([\w$]+)((?:\.[\w$]+)*)$/.exec(expression ?? "") ?? []
    if (kind === undefined) return undefined
    if (kind === "&") return root + path
    if (kind === "%") {
      const parameter = this.parameters[Number(root)]
      return parameter && parameter + path
    }
    const symbol = this.symbols[Number(root)]
    return symbol && (symbol.container === undefined ? symbol.name : `${symbol.container}.${symbol.name}`) + path
  }

  /** Returns whether a name is that of an import or of a symbol, and not a local variable with such a value. */
  private isDeclared({ root, scope }: Expression): boolean {
    const binding = scope && lookUp(scope, root)
    if (!binding) return true
    if (binding.scope !== undefined) return false
    // Readers mark names of methods and types by a sign behind them if a field may have the same name.
    const name = root.replace(/(?:\/\d+)?[(:]$/, "")
    return !binding.root.startsWith("#") || this.symbols[Number(binding.root.slice(1))]?.name === name
  }

  private uses(): ReadonlyArray<References.Use> {
    const uses = new Map<string, Map<number, Array<number>>>()
    let count = 0
    for (const [index, offset] of this.useOffsets.entries()) {
      const use = { scope: this.useScopes[index], root: this.useRoots[index] ?? "", path: this.usePaths[index] ?? "" }
      const expression = resolve(use)
      const isAlone = use.path === "" || use.path.startsWith("~")
      if (expression === undefined || !(isAlone ? isName : isMember).test(expression)) continue
      if (isAlone && !this.isDeclared(use)) continue
      const symbol = this.symbolAt(offset)
      const line = this.lineOf(offset)
      const places = uses.get(expression)
      const lines = places?.get(symbol)
      if (lines !== undefined) {
        if (lines.length < MAX_LINES) insert(lines, line)
      } else if (++count > MAX_USES) break
      else if (places === undefined) uses.set(expression, new Map([[symbol, [line]]]))
      else places.set(symbol, [line])
    }
    return Array.from(uses, ([expression, places]) => ({
      expression,
      places: Array.from(places, ([symbol, lines]) => ({ symbol, lines })),
    }))
  }
}

/** Inserts a line in order, once. Nearly all come in order. */
const insert = (lines: Array<number>, line: number): void => {
  let at = lines.length
  while (at > 0 && (lines[at - 1] ?? 0) > line) at--
  if (lines[at - 1] !== line) lines.splice(at, 0, line)
}

/** Matches the expressions that a name alone can refer to; other names are local variables. */
const isName = /^(?:#\d+(?:~\d+)?|"[^"]*"(?:\.[^.()@^[\]]+)*)$/

const isMember = /\.[^.()@^[\]"]+$/

/** Returns the expression as other files can resolve it; `undefined` if its root is local or global. */
export const resolve = ({ path, root, scope }: Expression): string | undefined => {
  let suffix = path
  let name = root
  let where = scope
  for (let steps = 0; steps < MAX_STEPS && suffix.length <= MAX_EXPRESSION_CHARS; steps++) {
    if (where === undefined) return name + suffix
    const binding = lookUp(where, name)
    // Nothing declares this name, but the file imports all names of a module.
    if (binding === undefined && lookUp(where, "*") === null) return `"".${name}${suffix}`
    if (!binding) return ofUnknown(suffix)
    suffix = binding.path + suffix
    name = binding.root
    where = binding.scope
  }
  return undefined
}

/**
 * Returns the members of a value of which nothing is known from the first one that may be an extension method, since
 * that one can be found by its name; see `References`.
 */
const ofUnknown = (path: string): string | undefined => {
  const [called] = /\.[^.()@^[\]"~]+~\d+(?![\d!]).*$/.exec(path) ?? []
  return called && `"~"${called}`
}

const lookUp = (scope: Scope, name: string): Binding | undefined => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    if (at.isHidden && at !== scope) continue
    const binding = at.names.get(name)
    if (binding !== undefined) return binding
  }
  return undefined
}
