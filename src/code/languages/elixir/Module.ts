/** Modules of Elixir while their file is read, and how they and their members are written in references. */
import { absolute, type Expression } from "../../Symbols/internal/references/Facts.ts"
import { kernel } from "./kernel.ts"

/** A module whose body is being read, or the file around all modules. */
export interface Module {
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

/** A module that imports nothing yet. */
export const make = (options: Pick<Module, "name" | "ordinal" | "number" | "outer">): Module => ({
  ...options,
  own: new Map(),
  imports: new Map(),
  imported: new Map(),
  excluded: new Set(),
})

/** Returns what a function, macro or type means that a module names without another module; undefined if unknown. */
export const meaningOf = (module: Module, name: string, key: string): Expression | undefined => {
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

/** A module and those around it, the innermost first. */
function* around(module: Module): Generator<Module> {
  let each: Module | undefined = module
  for (let depth = 0; each !== undefined && depth < MAX_MODULES; depth++, each = each.outer) yield each
}

/** The modules that a module imports, with those of the modules around it. */
export const importsOf = (module: Module): ReadonlyMap<string, Expression> => {
  const all = new Map<string, Expression>()
  for (const each of around(module))
    for (const [key, value] of each.imports) if (all.size < MAX_IMPORTS) all.set(key, value)
  return all
}

export const ofModule = (name: string): Expression => {
  const dot = name.lastIndexOf(".")
  return absolute(`"=${name.slice(0, Math.max(0, dot))}"`, `.${name.slice(dot + 1)}`)
}

export const member = (module: string, key: string): Expression => {
  const { path, root } = ofModule(module)
  return absolute(root, `${path}.${key}`)
}

/** A name that is longer is none: resolving it would cost quadratic time. */
export const limited = (name: string): string | undefined => (name.length > MAX_NAME ? undefined : name)

export const isPartOfModule = /^(?:[A-Z]\w*|__MODULE__)$/

/** The most characters of the name of a module. */
export const MAX_NAME = 150

/** The most modules around a module whose imports it has. */
const MAX_MODULES = 20

/** The most modules that a module imports whole. */
export const MAX_IMPORTS = 50
