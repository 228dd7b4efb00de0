/**
 * The members of types of Swift, which extensions declare in any file. A name ends with `:` for members of instances
 * and with `;` for those of the type itself; `/` and the labels of the arguments follow if it is called: `run:/with,_`.
 * Labels are part of a name: where several members fit, none is meant.
 */
import type { Surface } from "../Surfaces.ts"
import type { Lookup, SymbolValue, Value, Values } from "./Value.ts"

/** The most types that are searched for one member. */
const MAX_SEARCHED = 40

const isType: ReadonlySet<string> = new Set(["class", "interface", "enum"])

const isMember = /^([^:;/]+)([:;])(?:\/(.*))?$/

type Found = { readonly value: Value | undefined } | undefined

export const make = ({ evaluate, numberOf, rules, surfaceOf }: Lookup, { contentOf }: Pick<Values, "contentOf">) => {
  const kindOf = ({ file, ordinal }: SymbolValue): string => surfaceOf(file)?.symbols[ordinal]?.kind ?? ""

  /** The surfaces of the files that declare members of a type, and its qualified name. */
  const partsOf = ({ file, ordinal }: SymbolValue): readonly [string, ReadonlyArray<Surface>] => {
    const surface = surfaceOf(file)
    const qualified = surface?.symbols[ordinal]?.qualified
    if (surface === undefined || qualified === undefined) return ["", []]
    const peers = (rules(surface.path)?.peersOf?.(surface.path, qualified) ?? []).flatMap((path) => {
      const number = numberOf(path)
      return (number === undefined ? undefined : surfaceOf(number)) ?? []
    })
    return [qualified, [surface, ...peers]]
  }

  const search = (
    type: SymbolValue,
    look: (qualified: string, parts: ReadonlyArray<Surface>) => Found,
    skipsOwn: boolean,
    seen: Set<string> = new Set(),
  ): Found => {
    const key = `${type.file} ${type.ordinal}`
    if (seen.has(key) || seen.size >= MAX_SEARCHED) return undefined
    seen.add(key)
    const [qualified, parts] = partsOf(type)
    const own = skipsOwn ? undefined : look(qualified, parts)
    if (own !== undefined) return own
    for (const { exports, number } of parts) {
      for (const expression of exports.get(`^${qualified}`) ?? []) {
        const base = contentOf(evaluate(number, expression))
        const found = base?.tag === "symbol" && isType.has(kindOf(base)) ? search(base, look, false, seen) : undefined
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  const declared = (parts: ReadonlyArray<Surface>, key: string, call: string | undefined): Found => {
    const all = parts.flatMap(({ exports, fields, number }) =>
      (exports.get(key) ?? []).map((expression) => ({
        parameters: fields.get(`${expression.slice(1)} ()`),
        value: { tag: "symbol", file: number, ordinal: Number(expression.slice(1)) } as const,
      })),
    )
    // A property may hold a function, and a method that is not called is a value.
    const fitting = all.filter(
      ({ parameters }) => parameters === undefined || call === undefined || fits(parameters, call),
    )
    if (fitting.length === 0) return undefined
    return { value: fitting.length === 1 ? fitting[0]?.value : undefined }
  }

  const nestedIn = (type: SymbolValue, name: string, skipsOwn: boolean): Found =>
    search(
      type,
      (qualified, [part]) => {
        const found = part && rules(part.path)?.member?.(part.path, `=${qualified}`, name)
        const number = found === undefined ? undefined : numberOf(found.path)
        if (found === undefined || number === undefined) return undefined
        // A generic parameter often has the name of an associated type of a protocol, and hides it.
        const isInherited = qualified !== surfaceOf(type.file)?.symbols[type.ordinal]?.qualified
        if (isInherited && surfaceOf(number)?.symbols[found.ordinal]?.kind === "type") return undefined
        return { value: { tag: "symbol", file: number, ordinal: found.ordinal } }
      },
      skipsOwn,
    )

  const memberOf = (value: Value, written: string): Value | undefined => {
    if (value.tag !== "instance" && value.tag !== "bases" && value.tag !== "symbol") return undefined
    const type: SymbolValue = { tag: "symbol", file: value.file, ordinal: value.ordinal }
    if (!isType.has(kindOf(type))) {
      if (value.tag !== "symbol") return undefined
      const held = contentOf(value)
      const isOther = held?.tag === "instance" || (held?.tag === "symbol" && isType.has(kindOf(held)))
      return held !== undefined && isOther ? memberOf(held, written) : undefined
    }
    const skipsOwn = value.tag === "bases"
    const [, name, side = "", call] = isMember.exec(written) ?? []
    if (name === undefined) return value.tag === "instance" ? undefined : nestedIn(type, written, skipsOwn)?.value
    if ((value.tag === "instance" && side === ";") || (value.tag === "symbol" && side === ":")) return undefined
    return search(type, (qualified, parts) => declared(parts, `${qualified}.${name}${side}`, call), skipsOwn)?.value
  }

  return { memberOf }
}

/**
 * Returns whether a call can mean a method. The parameters are labels, with `?` behind those that have a default and
 * `*` behind those that take any number of arguments; the labels of the call end with `+` if a closure follows them.
 */
const fits = (parameters: string, call: string): boolean => {
  const hasClosure = call.endsWith("+")
  const given = (hasClosure ? call.slice(0, -1) : call).split(",").filter((label) => label !== "")
  let at = 0
  let left = 0
  for (const parameter of parameters.split(",").filter((label) => label !== "")) {
    const label = parameter.replace(/[?*]+$/, "")
    if (given[at] === label) {
      at++
      if (parameter.endsWith("*")) while (given[at] === "_") at++
    } else if (!/[?*]$/.test(parameter)) left++
  }
  return at === given.length && left <= (hasClosure ? 1 : 0)
}
