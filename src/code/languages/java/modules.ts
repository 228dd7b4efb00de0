/**
 * Finds types of Java by package and name, in whatever file, and those of Kotlin as well. A specifier is the name of a
 * package.
 */
import { closest, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared }: Files): Rules => ({
  resolve: (from, specifier) => (specifier === "" ? [from] : []),
  member: (from, specifier, name) => {
    const inPackage = (language: string) =>
      declared(language, name).filter(
        ({ module, qualified }) => qualified === name && module === (specifier === UNNAMED ? "" : specifier),
      )
    const ofKotlin = inPackage("kotlin").filter(
      ({ kind, signature }) => isType.test(kind) && !/^(?:private|actual)\b/.test(signature),
    )
    return closest(from, [...inPackage("java"), ...ofKotlin])
  },
  join: (specifier, name) => `${specifier}.${name}`,
})

const isType = /^(?:class|interface|enum)$/
