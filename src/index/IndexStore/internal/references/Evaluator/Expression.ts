/**
 * Walks over an expression from its end: each step evaluates what is before it, `"./db".User@` before `.save`.
 * `References` has the notation.
 */
import type { Calls } from "./Calls.ts"
import type { Members } from "./Members.ts"
import { NEW } from "./Mixins.ts"
import { VISIBLE } from "./ModuleMembers.ts"
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
    const outward = expression.lastIndexOf(">")
    if (outward > expression.lastIndexOf(".")) {
      if (isOutward.test(expression))
        return memberOrAround(file, expression.slice(0, outward), expression.slice(outward + 1))
    }
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
    const [, given, place = ""] = (expression.includes("$") && isGiven.exec(expression)) || []
    if (given !== undefined) return givenParameter(file, given, ownerOf(given), place)
    const [, path, called = ""] = (expression.includes("~") && isCall.exec(expression)) || []
    if (path !== undefined) return calleeOf(file, ownerOf(path), path.slice(lastDot(path) + 1), called)
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

  /** Returns a member of a type, or of the types around it, or else what the file sees under its name. */
  const memberOrAround = (file: number, member: string, written: string): Value | undefined => {
    const found = evaluate(file, member)
    if (found !== undefined) return found
    const dot = lastDot(member)
    const isSure = written.startsWith("!")
    if (isSure && contentOf(evaluate(file, member.slice(0, dot)))?.tag !== "instance") return undefined
    const ordinal = isSure ? written.slice(1) : written
    const name = member.slice(dot + 1)
    const [, imported, count] = /^(.+);~(\d+)$/.exec(name) ?? []
    // A function that a file imports by name may be an extension of the type around.
    if (imported !== undefined) return evaluate(file, `#${ordinal}@.${imported}~${count}`)
    const around = ordinal === "" ? typeAround(file, member.slice(0, dot)) : ordinal
    if (around !== undefined) return evaluate(file, `#${around}@.${name}>`)
    const [, called, given] = /^([^/~]+)(?:\/\d+)?(~\d+)?/.exec(name) ?? []
    return evaluate(file, given === undefined ? `"${VISIBLE}".${called}` : `"${VISIBLE}".${called}:${given}`)
  }

  /** Returns the type around the one whose instance an expression is, if that is in the file. */
  const typeAround = (file: number, owner: string): number | undefined => {
    const [, ordinal] = /^#(\d+)@$/.exec(owner) ?? []
    const surface = ordinal === undefined ? undefined : surfaceOf(file)
    const qualified = surface?.symbols[Number(ordinal)]?.qualified ?? ""
    const dot = qualified.lastIndexOf(".")
    const around = dot === -1 ? undefined : surface?.named.get(qualified.slice(0, dot))
    // The nearest one before is around, if a class and an object have one name.
    return around?.findLast((each) => each < Number(ordinal)) ?? around?.[0]
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

/** Matches `path~2` and `path~2!`; see `References`. */
const isCall = /^(.+)~(\d+!?)$/

/** Matches `path~2$1-0`. */
const isGiven = /^(.+~.+)\$((?:\d+|\+)-(?:\d+|r))$/

/** Matches `owner.name>`, `owner.name>3` and `owner.name>!3`. */
const isOutward = />!?\d*$/

const ownerOf = (member: string): string | undefined => {
  const dot = lastDot(member)
  return dot === -1 ? undefined : member.slice(0, dot)
}

const isSpecifier = (expression: string): boolean =>
  expression.startsWith('"') && expression.indexOf('"', 1) === expression.length - 1

/** The position of the dot before the last member, or -1. Dots in a module specifier do not count. */
const lastDot = (expression: string): number => {
  const dot = expression.lastIndexOf(".")
  return dot > expression.lastIndexOf('"') ? dot : -1
}
