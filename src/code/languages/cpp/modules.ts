/**
 * Finds what a name of C or C++ means among the files that a file includes. A specifier tells the sort of name and
 * where it stands: `t:a.b` for a type that is named in the namespace `a.b`, `s:` for what follows `struct`, `union` or
 * `enum`, `v:` for a value and `2:` for what is called with two arguments. `+c` adds a namespace that is used as a
 * whole, and `<c.d` says that the name is a member of `c.d`.
 */
import type { Declaration, Declared, Files, Rules } from "../../ModuleRules.ts"
import * as Includes from "./Includes.ts"
import { isMacro, isStatic, isTypedef, parametersOf } from "./Signature.ts"

export const findsDeclarations = true

/** A file is included by its name, and what it includes itself counts for others. */
export const namesOf = (file: string): ReadonlyArray<string> => [file.slice(file.lastIndexOf("/") + 1)]

/** The most definitions of one function for different systems. */
const MAX_VARIANTS = 4

export const make = (files: Files): Rules => {
  const { declared, unitOf } = files
  const includes = Includes.make(files)
  const named = (name: string): ReadonlyArray<Declaration> => {
    const [c, cpp] = [declared("c", name), declared("cpp", name)]
    return cpp.length === 0 ? c : c.length === 0 ? cpp : [...c, ...cpp]
  }
  const isPrototype = ({ ordinal, path }: Declared): boolean => unitOf(path)?.prototypes.has(ordinal) === true

  /**
   * The only declaration that a name can mean among those that a file sees; none if they differ in their types alone.
   */
  const choose = (from: string, visible: ReadonlyArray<Declaration>, sort: string): Declared | undefined => {
    // `typedef struct a a;` is what `a` alone means, and the definition is what follows `struct`.
    const typedefs = sort === "t" ? visible.filter(({ signature }) => isTypedef(signature)) : []
    if (typedefs.length > 0) return onlyOf(from, typedefs)
    const own = visible.filter(({ path }) => path === from)
    const count = Number.parseInt(sort, 10)
    const macros = Number.isNaN(count) ? [] : visible.filter(isMacroOf)
    if (macros.length > 0) return onlyOf(from, macros)
    const fitting = isC(from) || Number.isNaN(count) ? visible : visible.filter((each) => isCalledWith(each, count))
    const functions = fitting.filter(({ kind }) => kind === "function" || kind === "method")
    if (functions.length > 0) return isC(from) ? (own[0] ?? functionOf(functions)) : overloadOf(from, functions)
    return onlyOf(from, fitting)
  }

  /** Returns the declaration in a file or in the only file that has any. */
  const onlyOf = (from: string, all: ReadonlyArray<Declaration>): Declaration | undefined => {
    const own = all.find(({ path }) => path === from)
    if (own !== undefined) return own
    // `extern` in a header and the value elsewhere are one variable.
    const isVariable = all.every(({ kind }) => kind === "variable" || kind === "constant")
    return isVariable || all.every(({ path }) => path === all[0]?.path) ? all[0] : undefined
  }

  /** A name stands for one function in C, unless several headers define one for themselves. */
  const functionOf = (all: ReadonlyArray<Declaration>): Declaration | undefined => {
    const definitions = all.filter((each) => !isPrototype(each))
    const ownFiles = new Set(definitions.map(({ path }) => path))
    return ownFiles.size > 1 && definitions.some(({ signature }) => isStatic(signature)) ? undefined : all[0]
  }

  /** Returns the function if all are the same one, declared once or several times. */
  const overloadOf = (from: string, all: ReadonlyArray<Declaration>): Declaration | undefined => {
    const types = new Map<string, Set<string>>()
    for (const each of all) {
      const key = `${each.path} ${isPrototype(each)}`
      const text = parametersOf(each.signature, nameOf(each))?.types ?? ""
      const known = types.get(key)
      if (known === undefined) types.set(key, new Set([text]))
      else known.add(text)
    }
    if (Array.from(types.values()).some(({ size }) => size > 1)) return undefined
    const shapes = new Set(Array.from(types.values(), (each) => Array.from(each)[0]))
    if (shapes.size > 1 && new Set(all.map(({ path }) => path)).size > 1) return undefined
    return all.find(({ path }) => path === from) ?? all[0]
  }

  const memberOf = (from: string, specifier: string, name: string): Declared | undefined => {
    const all = named(name)
    if (all.length === 0) return undefined
    if (!specifier.includes(":")) return undefined
    const { places, qualifier, sort } = parse(specifier)
    const fitting = all.filter((each) => isOfSort(each, sort, isC(from)))
    if (fitting.length === 0) return undefined
    const seen = includes.seenBy(from)
    for (const place of places) {
      const container = [place, qualifier ?? ""].filter((part) => part !== "").join(".")
      const inPlace = fitting.filter(
        ({ qualified }) => qualified === (container === "" ? name : `${container}.${name}`),
      )
      const visible = inPlace.filter(({ path }) => seen.has(path))
      if (visible.length > 0) return choose(from, visible, sort)
      // `class Name;` is enough to name a class that another file defines.
      if (sort === "t" && place !== "" && inPlace.length === 1 && inPlace[0]?.kind === "class") return inPlace[0]
    }
    // A struct that a header only names is often defined in one file.
    return sort === "s" && fitting.length === 1 ? fitting[0] : undefined
  }

  /** Returns whether one of two files sees the other. */
  const areRelated = (one: string, other: string): boolean =>
    one === other || includes.seenBy(other).has(one) || includes.seenBy(one).has(other)

  const counterpartsOf = (self: Declaration): ReadonlyArray<Declared> => {
    const own = parametersOf(self.signature, nameOf(self))
    const all = named(nameOf(self)).filter(
      (each) =>
        !(each.path === self.path && each.ordinal === self.ordinal) &&
        each.qualified === self.qualified &&
        each.kind === self.kind &&
        isMacroOf(each) === isMacroOf(self),
    )
    // A file that defines a type or a macro several times does so for different systems.
    const others = isMacroOf(self) || isType(self) ? all.filter(({ path }) => path === self.path) : all
    const same = others.filter((each) => {
      if (isC(self.path) || isC(each.path) || !/^(?:function|method)$/.test(self.kind)) return true
      const { most, types } = parametersOf(each.signature, nameOf(each)) ?? { most: -1, types: "" }
      if (own === undefined || most !== own.most) return own === undefined && most === -1
      return types === own.types || others.filter((other) => other.path === each.path).length === 1
    })
    const related = same.filter(({ path }) => areRelated(self.path, path))
    const definitions = related.filter((each) => !isPrototype(each))
    const only = same.filter((each) => !isPrototype(each) && !isStatic(each.signature))
    if (isPrototype(self) && definitions.length === 0) return only.length === 1 ? only : []
    if (definitions.length <= 1) return related
    const stem = stemOf(self.path)
    const besides = definitions.filter((each) => stemOf(each.path) === stem)
    const chosen = besides.length > 0 ? besides : definitions.length <= MAX_VARIANTS ? definitions : []
    return [...related.filter(isPrototype), ...chosen]
  }

  const counterparts = new Map<string, ReadonlyArray<Declared>>()

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: memberOf,
    counterparts: ({ ordinal, path, qualified }) => {
      const key = `${path} ${ordinal}`
      const known = counterparts.get(key)
      if (known !== undefined) return known
      const self = named(qualified.slice(qualified.lastIndexOf(".") + 1)).find(
        (each) => each.path === path && each.ordinal === ordinal,
      )
      const found = self === undefined ? [] : counterpartsOf(self)
      counterparts.set(key, found)
      return found
    },
  }
}

interface Specifier {
  readonly sort: string
  /** The namespaces in which the name is looked up, the innermost first. */
  readonly places: ReadonlyArray<string>
  readonly qualifier: string | undefined
}

const parse = (specifier: string): Specifier => {
  const colon = specifier.indexOf(":")
  const [where = "", qualifier] = specifier.slice(colon + 1).split("<")
  const [around = "", ...used] = where.split("+")
  const places: Array<string> = []
  for (let at = around; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) places.push(at)
  return { sort: specifier.slice(0, colon), places: [...places, "", ...used], qualifier }
}

const nameOf = ({ qualified }: Declaration): string => qualified.slice(qualified.lastIndexOf(".") + 1)

const isC = (file: string): boolean => file.endsWith(".c")

const isType = ({ kind }: Pick<Declaration, "kind">): boolean => kind === "class" || kind === "enum" || kind === "type"

const isMacroOf = ({ signature }: Declaration): boolean => isMacro(signature)

const isOfSort = ({ kind, signature }: Declaration, sort: string, isInC: boolean): boolean => {
  const isOfType = isType({ kind })
  if (sort === "t") return isOfType && (!isInC || isTypedef(signature))
  if (sort === "s") return kind === "class" || kind === "enum"
  if (isOfType) return sort !== "v" && !isInC
  return true
}

/** Returns whether a function can have that many arguments; true for other declarations. */
const isCalledWith = (declaration: Declaration, count: number): boolean => {
  if (declaration.kind !== "function" && declaration.kind !== "method") return true
  const parameters = parametersOf(declaration.signature, nameOf(declaration))
  return parameters === undefined || (parameters.least <= count && count <= parameters.most)
}

/** Returns the name of a file before its first dot. */
const stemOf = (file: string): string | undefined => file.slice(file.lastIndexOf("/") + 1).split(".")[0]
