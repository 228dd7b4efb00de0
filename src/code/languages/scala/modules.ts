/**
 * Finds declarations of Scala by package and name, in whatever file, and types of Java and Kotlin as well. A specifier
 * is the name of a package. A name with `:` behind it is that of a value: an object comes before its class then.
 */
import { closest, type Declaration, type Files, type Rules, UNNAMED } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared, extensions }: Files): Rules => {
  /** Returns what files declare under a name in a package, or in the package object of that package. */
  const inPackage = (specifier: string, name: string): ReadonlyArray<Declaration> => {
    const dot = specifier.lastIndexOf(".")
    const outer = dot === -1 ? "" : specifier.slice(0, dot)
    const inner = `${specifier.slice(dot + 1)}.${name}`
    const packageName = specifier === UNNAMED ? "" : specifier
    return declared("scala", name).filter(({ module, path, qualified }) => {
      if (qualified === name) return module === packageName
      if (qualified !== inner || module !== outer) return false
      const packages = declared("scala", specifier.slice(dot + 1))
      return packages.some((each) => each.path === path && each.kind === "module" && each.module === outer)
    })
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) => {
      const word = name.replace(":", "")
      const seesTests = isTest.test(from)
      const all = inPackage(specifier, word).filter(({ path }) => seesTests || !isTest.test(path))
      const types = all.filter((each) => isType.test(each.kind) && !isObject(each))
      const values = all.filter((each) => !isType.test(each.kind) || isObject(each))
      const isValue = name !== word || !/^\p{Lu}/u.test(word)
      const [first, second] = isValue ? [values, types] : [types, values]
      const found = first.length > 0 ? first : second
      if (found.length > 0) return chosen(from, found)
      const others = ["java", "kotlin"].flatMap((language) =>
        declared(language, word).filter(
          ({ kind, module, qualified }) => qualified === word && module === specifier && isType.test(kind),
        ),
      )
      return closest(from, others)
    },
    extensions: (from, name, namespaces) => {
      const { isMember, methods } = extensions("scala", name)
      const seesTests = isTest.test(from)
      const visible = methods.filter(
        ({ module, path }) =>
          path === from || ((seesTests || !isTest.test(path)) && namespaces.some((each) => isNear(each, module))),
      )
      return { isMember, methods: visible, hasReceiver: true, isTyped: true }
    },
    join: (specifier, name) => `${specifier}.${name}`,
    hasCompanions: true,
  }
}

/**
 * Returns whether a package or object, of which a file sees the names, is in the same part of the packages as another
 * one. Traits pass extensions on, so that the import may name another object.
 */
const isNear = (seen: string, module: string): boolean => {
  const parts = module.split(".")
  const root = parts.slice(0, Math.min(2, Math.max(1, parts.length - 1))).join(".")
  return module === "" || seen === root || seen.startsWith(`${root}.`)
}

/** Returns whether a declaration is an object, and not the class of its name. */
export const isObject = ({ signature }: { readonly signature: string }): boolean => object.test(signature)

const object = /^(?:[a-z]+(?:\[\w+\])? ){0,8}object\b/

const isType = /^(?:class|interface|enum|type)$/

/** Matches the files of source sets of tests. */
const isTest = /(?:^|\/)src\/(?:test|it)\//

/** The declaration that a file means: its own one, or the closest one. */
const chosen = (from: string, all: ReadonlyArray<Declaration>): Declaration | undefined =>
  all.find(({ path }) => path === from) ?? closest(from, all)
