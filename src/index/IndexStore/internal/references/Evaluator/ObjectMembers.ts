/**
 * Objects without a type, and the members that are added to them: `app.use = …`. A file may pass an object to a
 * function that another file exports, and that one adds members, too.
 */
import type { Surface } from "../Surfaces.ts"
import type { Lookup, Value } from "./Value.ts"

export interface ObjectMembers {
  /**
   * Returns a member of an object. The file itself may define it, or a module to which the file passes the object.
   */
  readonly objectMember: (file: number, object: string, name: string) => Value | undefined
  /** Returns the object that other files pass to the function that a file exports. */
  readonly argument: (file: number, position: number) => Value | undefined
}

export const make = (
  { evaluate, numberOf, rules, surfaceOf }: Lookup,
  moduleNamed: (file: number, specifier: string) => Value | undefined,
): ObjectMembers => {
  const objectMember = (file: number, object: string, name: string): Value | undefined => {
    const surface = surfaceOf(file)
    if (surface === undefined) return undefined
    const own = ownMember(surface, object, name)
    if (own !== undefined) return own
    for (const { argument, module, object: passed } of surface.facts.extensions) {
      const isIt = passed === object
      if (!isIt && !object.startsWith(`${passed}.`)) continue
      const target = moduleNamed(file, module)
      if (target?.tag !== "module") continue
      for (const other of target.files) {
        const extension = surfaceOf(other)
        const parameter = extension?.facts.parameters[argument]
        if (extension === undefined || parameter === undefined) continue
        const found = ownMember(extension, parameter + object.slice(passed.length), name)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  const ownMember = ({ members, named, number }: Surface, object: string, name: string): Value | undefined => {
    const ordinal = named.get(`${object}.${name}`)?.[0]
    if (ordinal !== undefined) return { tag: "symbol", file: number, ordinal }
    const held = members.get(`${object}.${name}`)
    if (held !== undefined) return evaluate(number, held)
    // An object may have members of its own: `A.b = {}; A.b.c = …`
    const prefix = `${object}.${name}.`
    for (const qualified of named.keys())
      if (qualified.startsWith(prefix)) return { tag: "object", file: number, name: `${object}.${name}` }
    return undefined
  }

  const argument = (file: number, position: number): Value | undefined => {
    const path = surfaceOf(file)?.path
    if (path === undefined) return undefined
    for (const caller of rules(path)?.callersOf?.(path) ?? []) {
      const number = numberOf(caller)
      const surface = number === undefined ? undefined : surfaceOf(number)
      for (const { argument, module, object } of surface?.facts.extensions ?? []) {
        if (argument !== position || surface === undefined) continue
        const passed = rules(caller)?.resolve(caller, module) ?? []
        if (passed.includes(path)) return { tag: "object", file: surface.number, name: object }
      }
    }
    return undefined
  }

  return { objectMember, argument }
}
