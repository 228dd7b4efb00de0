/**
 * Walks over an expression from its end: each step evaluates what is before it, `"./db".User@` before `.save`.
 * `References` has the notation.
 */
import type { Calls } from "./Calls.ts"
import type { Members } from "./Members.ts"
import { NEW } from "./Mixins.ts"
import { withoutCount } from "./TypeMembers.ts"
import { isType, type Lookup, type Value, type Values } from "./Value.ts"

/** Returns a function that evaluates an expression of a file, and what is before its last step by `Lookup.evaluate`. */
export const make = (
  { evaluate, surfaceOf }: Pick<Lookup, "evaluate" | "surfaceOf">,
  { call, contentOf, instanceOf, kindOf }: Values,
  { argument, memberModule, memberOf, moduleNamed }: Members,
  { calleeOf, givenParameter }: Calls,
) => {
  const compute = (file: number, expression: string): Value | undefined => {
    if (isSpecifier(expression)) return moduleNamed(file, expression.slice(1, -1))
    switch (expression.at(-1)) {
      case ")": {
        const called = expression.slice(0, -2)
        return called.endsWith(NEW) ? made(file, called) : call(evaluate(file, called))
      }
      case "@":
        return instanceOf(evaluate(file, expression.slice(0, -1)))
      case "^":
        return basesOf(evaluate(file, expression.slice(0, -1)))
      case "[": {
        const of = evaluate(file, expression.slice(0, -1))
        return of && { tag: "list", of }
      }
      case "]": {
        const value = evaluate(file, expression.slice(0, -1))
        // The brackets hold the arguments of a generic type.
        if (value?.tag === "symbol" && isType.has(kindOf(value))) return value
        const list = contentOf(value)
        return list?.tag === "list" ? list.of : undefined
      }
    }
    const [, path, called = "", parameter] = (expression.includes("~") && isCall.exec(expression)) || []
    if (path !== undefined) return ofCall(file, path, called, parameter)
    const dot = lastDot(expression)
    if (dot !== -1) {
      const name = expression.slice(dot + 1)
      const owner = expression.slice(0, dot)
      const found = memberOf(evaluate(file, owner), name)
      return found ?? memberModule(file, owner, withoutCount(name))
    }
    const rest = expression.slice(1)
    switch (expression.charAt(0)) {
      case "#":
        return { tag: "symbol", file, ordinal: Number(rest) }
      case "&":
        return { tag: "object", file, name: rest }
      case "%":
        return argument(file, Number(rest))
    }
    return undefined
  }

  /** Returns what is called with a number of arguments, or what that gives to a parameter of a function among them. */
  const ofCall = (file: number, path: string, called: string, parameter: string | undefined): Value | undefined => {
    const whole = parameter === undefined ? path : `${path}~${called}`
    const dot = lastDot(whole)
    const owner = dot === -1 ? undefined : whole.slice(0, dot)
    if (parameter !== undefined) return givenParameter(file, whole, owner, parameter)
    return calleeOf(file, owner, whole.slice(dot + 1), called)
  }

  /** Returns what `new` makes: an instance, unless the class has a method of that name. */
  const made = (file: number, called: string): Value | undefined => {
    const method = evaluate(file, called)
    const isOwn =
      method?.tag === "symbol" && surfaceOf(method.file)?.symbols[method.ordinal]?.qualified.endsWith(".new")
    return isOwn ? call(method) : instanceOf(contentOf(evaluate(file, called.slice(0, -NEW.length))))
  }

  return compute
}

const basesOf = (value: Value | undefined): Value | undefined =>
  value?.tag === "instance" || value?.tag === "symbol" ? { ...value, tag: "bases" } : undefined

/** Matches `path~2`, `path~2!` and `path~2$1-0`; see `References`. */
const isCall = /^(.+)~(\d+!?)(?:\$(\d+-\d+))?$/

const isSpecifier = (expression: string): boolean =>
  expression.startsWith('"') && expression.indexOf('"', 1) === expression.length - 1

/** The position of the dot before the last member, or -1. Dots in a module specifier do not count. */
const lastDot = (expression: string): number => {
  const dot = expression.lastIndexOf(".")
  return dot > expression.lastIndexOf('"') ? dot : -1
}
