/**
 * Finds types of Java by package and name, in whatever file, and those of Kotlin and Scala as well. A specifier is
 * the name of a package.
 */
import { closest, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"
import { isObject } from "../scala/modules.ts"

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
    const ofScala = inPackage("scala").filter(({ kind }) => isType.test(kind))
    const classes = ofScala.filter((each) => !isObject(each))
    return closest(from, [...inPackage("java"), ...ofKotlin, ...(classes.length > 0 ? classes : ofScala)])
  },
  join: (specifier, name) => `${specifier}.${name}`,
})

const isType = /^(?:class|interface|enum)$/
