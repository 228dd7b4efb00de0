/**
 * Finds types and functions of PHP by namespace and name, in whatever file. A specifier is a namespace with slashes;
 * brackets after it stand for its functions, and a question mark for its functions or else those without a namespace.
 */
import * as path from "node:path/posix"
import { closest, type Declared, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared }: Files): Rules => {
  const named = (namespace: string, name: string, isFunction: boolean) => {
    const qualified = namespace === UNNAMED ? name : `${namespace.replaceAll("/", "\\")}.${name}`
    return declared("php", name).filter(
      (each) => each.qualified === qualified && (each.kind === "function") === isFunction,
    )
  }

  /** Programs that are included, and not loaded by a name, often have functions of the same name. */
  const functionOf = (from: string, namespace: string, name: string): Declared | undefined => {
    const all = named(namespace, name, true)
    if (all.length < 2) return all[0]
    const beside = all.filter((each) => path.dirname(each.path) === path.dirname(from))
    return beside.length === 1 ? beside[0] : undefined
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) => {
      if (specifier.endsWith("()")) return functionOf(from, specifier.slice(0, -2), name)
      if (!specifier.endsWith("?")) return closest(from, named(specifier, name, false))
      const namespace = specifier.slice(0, -1)
      return functionOf(from, namespace, name) ?? functionOf(from, UNNAMED, name)
    },
  }
}
