/**
 * Evaluates the expressions of `References`: follows imports, re-exports, members, base types and declared types from
 * file to file. Each result comes with the files that were read for it, because a change of one of them can change it.
 *
 * `Expression` walks over an expression. Each of its steps asks another part: `Value` for what a value holds and what a
 * call of it gives, `Members` for its members, and `Calls` for what is meant by the number of arguments.
 */
import type { Rules } from "../../../../code/ModuleRules.ts"
import * as Calls from "./Evaluator/Calls.ts"
import * as EvaluationCache from "./Evaluator/EvaluationCache.ts"
import * as Expression from "./Evaluator/Expression.ts"
import * as Members from "./Evaluator/Members.ts"
import * as Value from "./Evaluator/Value.ts"
import type { Declaration, Surface, Surfaces } from "./Surfaces.ts"

interface Project {
  readonly surfaces: Surfaces
  readonly rules: (path: string) => Rules | undefined
  readonly numberOf: (path: string) => number | undefined
  /** Returns the first symbol with a qualified name of each file that has one. */
  readonly declaring: (qualified: string) => ReadonlyMap<number, Declaration>
}

export interface Evaluator {
  /** Returns the symbol that an expression of a file denotes; `undefined` if it denotes none, or is unknown. */
  readonly symbolOf: (file: number, expression: string) => Value.SymbolValue | undefined
  /** Returns the symbols that other systems have in place of a symbol. */
  readonly twinsOf: (symbol: Value.SymbolValue) => ReadonlyArray<Value.SymbolValue>
  /** Returns the files that were read since the last call. */
  readonly takeRead: () => ReadonlyArray<number>
  /** Forgets the results of a file, since other files need few of them again. */
  readonly forget: (file: number) => void
}

export const make = ({ declaring, numberOf, rules, surfaces }: Project): Evaluator => {
  const cache = EvaluationCache.make<Value.Value>()

  const surfaceOf = (file: number): Surface | undefined => {
    cache.noteRead(file)
    return surfaces.of(file)
  }

  const evaluate = (file: number, expression: string): Value.Value | undefined =>
    cache.valueOf(file, expression, compute)

  const lookup = { surfaceOf, noteRead: cache.noteRead, rules, numberOf, declaring, evaluate }
  const values = Value.make(lookup)
  const members = Members.make(lookup, values)
  const calls = Calls.make(lookup, values, members)
  const compute = Expression.make(lookup, values, members, calls)

  return {
    symbolOf: (file, expression) => {
      const value = evaluate(file, expression)
      // The module may be a function or a class: `const A = require("./A")`.
      const isWhole = value?.tag === "module" && expression.endsWith('"')
      const symbol = isWhole ? values.assigned(value) : value
      if (symbol?.tag !== "symbol") return undefined
      const kind = values.kindOf(symbol)
      return isWhole && !Value.isType.has(kind) && !Value.isFunction.has(kind) ? undefined : symbol
    },
    twinsOf: ({ file, ordinal }) => {
      const surface = surfaceOf(file)
      const symbol = surface?.symbols[ordinal]
      if (surface === undefined || symbol === undefined) return []
      const language = rules(surface.path)
      const { path } = surface
      const counterparts = language?.counterparts?.({ path, ordinal, qualified: symbol.qualified }) ?? []
      const elsewhere = counterparts.flatMap((each): ReadonlyArray<Value.SymbolValue> => {
        const number = numberOf(each.path)
        if (number === undefined || surfaceOf(number) === undefined) return []
        return [{ tag: "symbol", file: number, ordinal: each.ordinal }]
      })
      if (elsewhere.length > 0) return elsewhere
      const twins = language?.twinsOf?.(path) ?? []
      if (twins.length === 0) return []
      // A package of the systems' constants has hundreds of files with thousands of symbols, so no twin is read.
      const declarations = declaring(symbol.qualified)
      return twins.flatMap((path): ReadonlyArray<Value.SymbolValue> => {
        const number = numberOf(path)
        if (number === undefined) return []
        cache.noteRead(number)
        const same = declarations.get(number)
        return same?.kind === symbol.kind ? [{ tag: "symbol", file: number, ordinal: same.ordinal }] : []
      })
    },
    forget: cache.forget,
    takeRead: cache.takeRead,
  }
}
