/**
 * The members of classes and modules of Ruby. A name ends with `:` for methods of instances, with `;` for methods of
 * the class itself, and with `|` if either may be meant; a name without such a sign is a constant.
 *
 * A class may have parts in several files. Its ancestors are the modules that it includes, the last one first, and its
 * superclass. Its own methods come from those that it extends, too.
 */
import type { Surface } from "../Surfaces.ts"
import type { Lookup, SymbolValue, Value, Values } from "./Value.ts"

interface Part {
  readonly surface: Surface
  readonly ordinal: number
}

/** The most classes and modules that are searched for one member. */
const MAX_SEARCHED = 60

/** Stands for a method that the class has, and that no symbol defines; nothing above it is meant. */
const UNKNOWN = "?"

/** The end of an expression for what makes an instance of a class. */
export const NEW = ".new;"

type Found = { readonly value: Value | undefined } | undefined

const isHolder = (kind: string): boolean => kind === "class" || kind === "module"

export const make = ({ evaluate, numberOf, rules, surfaceOf }: Lookup, { contentOf }: Pick<Values, "contentOf">) => {
  const partsOf = ({ file, ordinal }: { readonly file: number; readonly ordinal: number }): ReadonlyArray<Part> => {
    const surface = surfaceOf(file)
    const qualified = surface?.symbols[ordinal]?.qualified
    if (surface === undefined || qualified === undefined) return []
    const parts: Array<Part> = []
    const add = (part: Surface | undefined): void => {
      const own = part?.named.get(qualified)?.find((each) => isHolder(part.symbols[each]?.kind ?? ""))
      if (part !== undefined && own !== undefined) parts.push({ surface: part, ordinal: own })
    }
    add(surface)
    for (const peer of rules(surface.path)?.peersOf?.(surface.path, qualified) ?? []) {
      const number = numberOf(peer)
      if (number !== undefined) add(surfaceOf(number))
    }
    return parts
  }

  const fieldOf = (parts: ReadonlyArray<Part>, name: string): Found => {
    for (const { ordinal, surface } of parts) {
      const expression = surface.fields.get(`${ordinal} ${name}`)
      if (expression !== undefined)
        return { value: expression === UNKNOWN ? undefined : evaluate(surface.number, expression) }
    }
    return undefined
  }

  const holderOf = (file: number, expression: string): SymbolValue | undefined => {
    const value = contentOf(evaluate(file, expression))
    return value?.tag === "symbol" && isHolder(kindOf(value)) ? value : undefined
  }

  const kindOf = ({ file, ordinal }: SymbolValue): string => surfaceOf(file)?.symbols[ordinal]?.kind ?? ""

  const basesOf = (parts: ReadonlyArray<Part>): ReadonlyArray<SymbolValue> => {
    const all = parts.flatMap(({ ordinal, surface }) =>
      (surface.facts.bases.get(ordinal) ?? []).flatMap((expression) => holderOf(surface.number, expression) ?? []),
    )
    // Modules come before the superclass, in whatever part each is named.
    return [...all.filter((each) => kindOf(each) === "module"), ...all.filter((each) => kindOf(each) === "class")]
  }

  /** Searches a type and its ancestors. */
  const search = (
    type: SymbolValue,
    look: (parts: ReadonlyArray<Part>, type: SymbolValue) => Found,
    seen: Set<string>,
    { skipsOwn = false, follows = () => true }: { skipsOwn?: boolean; follows?: (base: SymbolValue) => boolean } = {},
  ): Found => {
    const key = `${type.file} ${type.ordinal}`
    if (seen.has(key) || seen.size >= MAX_SEARCHED) return undefined
    seen.add(key)
    const parts = partsOf(type)
    const own = skipsOwn ? undefined : look(parts, type)
    if (own !== undefined) return own
    for (const base of basesOf(parts)) {
      const found = follows(base) ? search(base, look, seen, { follows }) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  const ofInstance = (type: SymbolValue, name: string, skipsOwn: boolean, seen = new Set<string>()): Found =>
    search(type, (parts) => fieldOf(parts, `${name}:`), seen, { skipsOwn })

  /** A method of the class itself: its own, those of the modules that it extends, and those of its superclass. */
  const ofType = (type: SymbolValue, name: string, skipsOwn: boolean): Found => {
    const found = search(
      type,
      (parts, { file, ordinal }) => {
        const isFirst = file === type.file && ordinal === type.ordinal
        const own = isFirst && skipsOwn ? undefined : fieldOf(parts, `${name};`)
        return own ?? extended(parts, name)
      },
      new Set(),
      { follows: (base) => kindOf(base) === "class" },
    )
    return found ?? (name === "new" && kindOf(type) === "class" ? ofInstance(type, "initialize", false) : undefined)
  }

  const extended = (parts: ReadonlyArray<Part>, name: string): Found => {
    for (const { ordinal, surface } of parts) {
      for (let at = 0; ; at++) {
        const expression = surface.fields.get(`${ordinal} extend${at}`)
        if (expression === undefined) break
        const module = holderOf(surface.number, expression)
        const found = module === undefined ? undefined : ofInstance(module, name, false)
        if (found !== undefined) return found
      }
    }
    // A module that is included extends the class with its `ClassMethods`, if it has some.
    for (const base of basesOf(parts)) {
      const methods = kindOf(base) === "module" ? constantOf(base, "ClassMethods", false)?.value : undefined
      const found = methods?.tag === "symbol" ? ofInstance(methods, name, false) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  const constantOf = (type: SymbolValue, name: string, skipsOwn: boolean): Found =>
    search(
      type,
      (_, { file, ordinal }) => {
        const surface = surfaceOf(file)
        const qualified = surface?.symbols[ordinal]?.qualified ?? ""
        const declared = surface && rules(surface.path)?.member?.(surface.path, `=${qualified}`, name)
        const number = declared === undefined ? undefined : numberOf(declared.path)
        if (declared === undefined || number === undefined) return undefined
        surfaceOf(number)
        return { value: { tag: "symbol", file: number, ordinal: declared.ordinal } }
      },
      new Set(),
      { skipsOwn },
    )

  const memberOf = (value: Value, written: string): Value | undefined => {
    if (value.tag !== "instance" && value.tag !== "bases" && value.tag !== "symbol") return undefined
    const type: SymbolValue = { tag: "symbol", file: value.file, ordinal: value.ordinal }
    if (!isHolder(kindOf(type))) {
      if (value.tag !== "symbol") return undefined
      const held = contentOf(value)
      const isOther = held?.tag === "instance" || (held?.tag === "symbol" && isHolder(kindOf(held)))
      return held !== undefined && isOther ? memberOf(held, written) : undefined
    }
    const skipsOwn = value.tag === "bases"
    const name = written.slice(0, -1)
    switch (written.at(-1)) {
      case ":":
        return value.tag === "symbol" ? undefined : ofInstance(type, name, skipsOwn)?.value
      case ";":
        return value.tag === "instance" ? undefined : ofType(type, name, skipsOwn)?.value
      case "|": {
        const [one, other] = [ofType(type, name, skipsOwn), ofInstance(type, name, skipsOwn)]
        return one === undefined ? other?.value : other === undefined ? one.value : undefined
      }
    }
    return value.tag === "instance" ? undefined : constantOf(type, written, skipsOwn)?.value
  }

  return { memberOf }
}
