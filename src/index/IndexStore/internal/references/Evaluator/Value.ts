/**
 * The values that expressions denote: modules, symbols, instances of types and others. A value may hold another one,
 * and gives one if it is called; a type gives its instances and its bases.
 */
import type { Rules } from "../../../../../code/ModuleRules.ts"
import type { Declaration, Surface } from "../Surfaces.ts"
import * as EvaluationCache from "./EvaluationCache.ts"

export type Value =
  | { readonly tag: "module"; readonly files: ReadonlyArray<number> }
  | { readonly tag: "symbol"; readonly file: number; readonly ordinal: number }
  /** An instance of a type. */
  | { readonly tag: "instance"; readonly file: number; readonly ordinal: number }
  /** The members that a type inherits, without its own: `super`. */
  | { readonly tag: "bases"; readonly file: number; readonly ordinal: number }
  /** An object without a symbol of its own. */
  | { readonly tag: "object"; readonly file: number; readonly name: string }
  | { readonly tag: "list"; readonly of: Value }

export type SymbolValue = Extract<Value, { readonly tag: "symbol" }>

type ModuleValue = Extract<Value, { readonly tag: "module" }>

/**
 * A module of more files than this is not read as a whole for each name. A package of Go may have hundreds of files,
 * with 100,000 constants together, which is more than the surfaces that are kept.
 */
export const MAX_READ = 8

/** The files of a project, and the evaluator itself, since each part of it may have to evaluate further expressions. */
export interface Lookup {
  /** Returns the surface of a file, and notes that the file was read. */
  readonly surfaceOf: (file: number) => Surface | undefined
  /** Notes that a result depends on a file whose surface was not needed. */
  readonly noteRead: (file: number) => void
  readonly rules: (path: string) => Rules | undefined
  readonly numberOf: (path: string) => number | undefined
  /** Returns the first symbol with a qualified name of each file that has one. */
  readonly declaring: (qualified: string) => ReadonlyMap<number, Declaration>
  readonly evaluate: (file: number, expression: string) => Value | undefined
}

export interface Values {
  /** Returns the kind of a symbol; the empty string for other values. */
  readonly kindOf: (value: Value) => string
  /** Returns how the members of the types of a file are found, if the language has a way of its own. */
  readonly membersIn: (file: number) => Rules["members"]
  /** Returns the value that a variable, a field or a module holds; other values stand for themselves. */
  readonly contentOf: (value: Value | undefined) => Value | undefined
  /** Returns the value that a symbol holds if it is neither a type nor a function. */
  readonly heldBy: (symbol: SymbolValue) => Value | undefined
  /** Returns the value that is assigned to `module.exports`. */
  readonly assigned: (module: ModuleValue) => Value | undefined
  /** Follows what a symbol holds, up to a limit: `a = b; b = a` has no end. */
  readonly bounded: (follow: () => Value | undefined) => Value | undefined
  /** Returns what a value gives if it is called: what a function returns, or an instance of a type. */
  readonly call: (called: Value | undefined) => Value | undefined
  /** Returns an instance of a type, or of the type that an alias names. */
  readonly instanceOf: (type: Value | undefined) => Value | undefined
}

export const make = ({ evaluate, rules, surfaceOf }: Lookup): Values => {
  const kindOf = (value: Value): string =>
    value.tag === "symbol" ? (surfaceOf(value.file)?.symbols[value.ordinal]?.kind ?? "") : ""

  const membersIn = (file: number): Rules["members"] => rules(surfaceOf(file)?.path ?? "")?.members

  const contentOf = (value: Value | undefined): Value | undefined => {
    let content = value
    for (let steps = 0; steps < EvaluationCache.MAX_DEPTH && content !== undefined; steps++) {
      const next = content.tag === "symbol" ? heldBy(content) : content.tag === "module" ? assigned(content) : undefined
      if (next === undefined) return content
      content = next
    }
    return content
  }

  const heldBy = ({ file, ordinal }: SymbolValue): Value | undefined => {
    const surface = surfaceOf(file)
    const symbol = surface?.symbols[ordinal]
    if (surface === undefined || symbol === undefined) return undefined
    const isProperty = symbol.kind === "method"
    if (!isProperty && !holdsValue.has(symbol.kind)) return undefined
    const value = isProperty ? undefined : surface.facts.values.get(ordinal)
    const expression = value ?? fieldOf(surface, symbol.qualified)
    return expression === undefined ? undefined : evaluate(file, expression)
  }

  const assigned = ({ files }: ModuleValue): Value | undefined => {
    for (const file of files) {
      const expression = surfaceOf(file)?.exports.get("=")?.[0]
      const value = expression === undefined ? undefined : evaluate(file, expression)
      if (value !== undefined) return value
    }
    return undefined
  }

  let steps = 0
  const bounded = (follow: () => Value | undefined): Value | undefined => {
    if (steps >= EvaluationCache.MAX_DEPTH) return undefined
    steps += 1
    const value = follow()
    steps -= 1
    return value
  }

  const call = (called: Value | undefined): Value | undefined => {
    const value = called?.tag === "module" ? assigned(called) : called
    if (value?.tag !== "symbol") return undefined
    const surface = surfaceOf(value.file)
    const kind = surface?.symbols[value.ordinal]?.kind ?? ""
    if (isType.has(kind)) {
      const made = surface?.fields.get(`${value.ordinal} ${MADE}`)
      return made === undefined ? { ...value, tag: "instance" } : bounded(() => evaluate(value.file, made))
    }
    if (isFunction.has(kind)) {
      const result = surface?.facts.values.get(value.ordinal)
      return result === undefined ? undefined : evaluate(value.file, result)
    }
    const held = heldBy(value)
    if (kind === "field" && membersIn(value.file) === "mixed") return held
    return held?.tag === "symbol" ? bounded(() => call(held)) : undefined
  }

  const instanceOf = (type: Value | undefined): Value | undefined => {
    const value = type?.tag === "module" ? assigned(type) : type
    if (value?.tag === "instance" || value?.tag === "list") return value
    if (value?.tag !== "symbol") return undefined
    const surface = surfaceOf(value.file)
    const kind = surface?.symbols[value.ordinal]?.kind ?? ""
    const alias = isFunction.has(kind) ? undefined : surface?.facts.values.get(value.ordinal)
    if (alias !== undefined && kind !== "class" && kind !== "interface") {
      const held = evaluate(value.file, alias)
      return held?.tag === "symbol" ? bounded(() => instanceOf(held)) : held
    }
    const isHolder = isType.has(kind) || (kind === "module" && membersIn(value.file) === "mixed")
    return isHolder || isConstructor(surface, value.ordinal) ? { ...value, tag: "instance" } : undefined
  }

  return { kindOf, membersIn, contentOf, heldBy, assigned, bounded, call, instanceOf }
}

/** The name of the field of an object that tells what a call of it gives, which is no instance of the object. */
const MADE = "apply()"

const fieldOf = ({ fields, named }: Surface, qualified: string): string | undefined => {
  const dot = qualified.lastIndexOf(".")
  for (const owner of dot === -1 ? [] : (named.get(qualified.slice(0, dot)) ?? [])) {
    const expression = fields.get(`${owner} ${qualified.slice(dot + 1)}`)
    if (expression !== undefined) return expression
  }
  return undefined
}

/** Returns whether a function has a prototype, so that it returns instances of itself. */
const isConstructor = (surface: Surface | undefined, ordinal: number): boolean =>
  surface?.facts.values.get(ordinal) === `#${ordinal}@`

export const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other)

export const isType: ReadonlySet<string> = new Set(["class", "interface", "type", "enum"])

export const isFunction: ReadonlySet<string> = new Set(["function", "method"])

const holdsValue: ReadonlySet<string> = new Set(["constant", "variable", "field", "module"])
