/** The values of expressions, and what the modules that find members of types ask of the evaluator. */
import type { Rules } from "../../../../code/ModuleRules.ts"
import type { Surface } from "./Surfaces.ts"

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

/** The operations of an evaluator that `Mixins` and `LabelledMembers` need. */
export interface Lookup {
  readonly surfaceOf: (file: number) => Surface | undefined
  readonly rules: (path: string) => Rules | undefined
  readonly numberOf: (path: string) => number | undefined
  readonly evaluate: (file: number, expression: string) => Value | undefined
  /** Returns the value that a constant, a field or an alias of a type holds; other values stand for themselves. */
  readonly contentOf: (value: Value | undefined) => Value | undefined
}
