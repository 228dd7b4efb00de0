/**
 * Finds what a call means by its number of arguments: one of several overloads, an inherited method, or an extension
 * method. It also finds the values that the called method gives to the parameters of functions among its arguments.
 */
import type { Surface } from "../Surfaces.ts"
import * as ExtensionMethods from "./ExtensionMethods.ts"
import type { Members } from "./Members.ts"
import { MAX_BASES, withoutCount } from "./TypeMembers.ts"
import { isType, type Lookup, type SymbolValue, type Value, type Values } from "./Value.ts"

/**
 * The name of the field of a method that tells how many arguments it can have: `1-2`. A third number is possible, too,
 * as that of a name without a call.
 */
const COUNTS = "()"

/** Stands for the last argument of a call, such as a function in braces behind the others. */
const LAST = "+"

export interface Calls {
  /**
   * Returns what is called with a number of arguments, which may have `!` behind it. `owner` is the expression of the
   * value whose member `name` is called, if it is a member.
   */
  readonly calleeOf: (file: number, owner: string | undefined, name: string, written: string) => Value | undefined
  /**
   * Returns the value that a method gives to a parameter of a function among its arguments. `place` has
   * the positions of the argument and of the parameter: `1-0`. `owner` is the expression of the value
   * that has the method, if any has.
   */
  readonly givenParameter: (file: number, called: string, owner: string | undefined, place: string) => Value | undefined
}

export const make = (lookup: Lookup, values: Values, members: Members): Calls => {
  const { evaluate, numberOf, rules, surfaceOf } = lookup
  const { kindOf } = values
  const { memberModule, memberOf, typeMember } = members

  const calleeOf: Calls["calleeOf"] = (file, owner, name, written) => {
    const count = Number.parseInt(written, 10)
    if (owner !== undefined) return calledMember(file, owner, name, written, count)
    const found = evaluate(file, name)
    const chosen = found?.tag === "symbol" ? overloadOf(found, count) : found
    return chosen === "several" ? undefined : chosen
  }

  const calledMember = (
    file: number,
    owner: string,
    name: string,
    written: string,
    count: number,
  ): Value | undefined => {
    const receiver = owner === ExtensionMethods.UNKNOWN ? undefined : evaluate(file, owner)
    const found = memberOf(receiver, name) ?? memberModule(file, owner, withoutCount(name))
    const chosen = found?.tag === "symbol" ? overloadOf(found, count) : found
    if (chosen === "several") return undefined
    if (chosen !== undefined || (receiver !== undefined && isType.has(kindOf(receiver)))) return chosen
    const bare = withoutCount(name)
    // If several members can be called so, none of them is known to be meant, and no extension is.
    const named = bare === name ? undefined : memberOf(receiver, bare)
    if (named?.tag === "symbol" && overloadOf(named, count) === "several") return undefined
    return extensionOf(file, receiver, owner, bare, written)
  }

  const givenParameter: Calls["givenParameter"] = (file, called, owner, place) => {
    const method = evaluate(file, called)
    const fields = method?.tag === "symbol" ? surfaceOf(method.file)?.fields : undefined
    if (method?.tag !== "symbol" || fields === undefined) return undefined
    const [argument = "", parameter = ""] = place.split("-")
    const receiver = owner === undefined ? undefined : evaluate(file, owner)
    // The first parameter of an extension method is no argument, unless it is called as a member of its class.
    const isExtension =
      fields.has(`${method.ordinal} this`) && !(receiver !== undefined && isType.has(kindOf(receiver)))
    const type =
      fields.get(
        `${method.ordinal} $${isExtension && argument !== LAST ? Number(argument) + 1 : argument}-${parameter}`,
      ) ?? fields.get(`${method.ordinal} $*-${parameter}`)
    return type === undefined ? undefined : evaluate(method.file, type)
  }

  /** Returns whether a method can have a number of arguments; true if its file does not tell. */
  const isCalledWith = (file: number, ordinal: number, count: number): boolean => {
    const told = surfaceOf(file)?.fields.get(`${ordinal} ${COUNTS}`)
    const [least = 0, most = 0, also] = told?.split("-").map(Number) ?? []
    return told === undefined || (least <= count && count <= most) || count === also
  }

  /**
   * Returns the method of a type and a name, or of its bases, that can have a number of arguments: the only one of the
   * lowest type that has any.
   */
  const overloadOf = (found: SymbolValue, count: number, seen: number = 0): SymbolValue | "several" | undefined => {
    const surface = surfaceOf(found.file)
    const qualified = surface?.symbols[found.ordinal]?.qualified ?? ""
    if (surface === undefined || !surface.fields.has(`${found.ordinal} ${COUNTS}`)) return found
    const dot = qualified.lastIndexOf(".")
    const type = qualified.slice(0, Math.max(0, dot))
    const types = surface.named.get(type) ?? []
    const ordinal = Math.max(...types.filter((each) => each < found.ordinal))
    const next = Math.min(...types.filter((each) => each > found.ordinal))
    const all = [
      ...(surface.named.get(qualified) ?? [])
        .filter((each) => each > ordinal && each < next)
        .map((each): SymbolValue => ({ tag: "symbol", file: found.file, ordinal: each })),
      ...inPeers(surface, type, qualified.slice(dot + 1)),
    ]
    const fitting = all.filter((each) => isCalledWith(each.file, each.ordinal, count))
    if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : "several"
    if (seen >= MAX_BASES) return undefined
    const inherited = typeMember(found.file, ordinal, qualified.slice(dot + 1), [], { skipsOwn: true })
    return inherited?.tag === "symbol" ? overloadOf(inherited, count, seen + 1) : undefined
  }

  /** The members of a name that other parts of a type declare. */
  const inPeers = ({ path }: Surface, type: string, name: string): ReadonlyArray<SymbolValue> =>
    (rules(path)?.peersOf?.(path, type) ?? []).flatMap((peer) => {
      const number = numberOf(peer)
      const all = number === undefined ? undefined : surfaceOf(number)?.named.get(`${type}.${name}`)
      return number === undefined ? [] : (all ?? []).map((each) => ({ tag: "symbol", file: number, ordinal: each }))
    })

  const { extensionOf } = ExtensionMethods.make(lookup, values, members, isCalledWith)

  return { calleeOf, givenParameter }
}
