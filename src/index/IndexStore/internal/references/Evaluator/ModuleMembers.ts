/**
 * Modules and what they give under a name: what they declare and export, what they export again of other modules, and
 * the modules and declarations of a namespace or package.
 */
import type { Rules } from "../../../../../code/ModuleRules.ts"
import type { Surface } from "../Surfaces.ts"
import { isSame, type Lookup, MAX_READ, type Value, type Values } from "./Value.ts"

/** The most files that re-export from each other. */
const MAX_REEXPORTS = 500

/** The specifier of all packages of which a file sees the names: its own and those that it imports as a whole. */
export const VISIBLE = "."

/** A file, or a module in it, whose names begin with a prefix. */
interface Module {
  readonly file: number
  readonly prefix: string
  /** True if the names that it imports for itself are seen, too. */
  readonly isInside: boolean
}

export interface ModuleMembers {
  /** Returns the module that a specifier of a file means. */
  readonly moduleNamed: (file: number, specifier: string) => Value | undefined
  /** Returns a member of a namespace, or a module in a folder that is no module itself. */
  readonly memberModule: (file: number, owner: string, name: string) => Value | undefined
  /** Returns the value that files export under a name. */
  readonly exportOf: (files: ReadonlyArray<number>, name: string) => Value | undefined
  /** Returns the value that modules declare or export under a name, and else what they import with all other names. */
  readonly exportedFrom: (start: ReadonlyArray<Module>, name: string) => Value | undefined
}

export const make = (
  { declaring, evaluate, noteRead, numberOf, rules, surfaceOf }: Lookup,
  { heldBy, kindOf }: Pick<Values, "heldBy" | "kindOf">,
  memberOf: (value: Value | undefined, name: string) => Value | undefined,
): ModuleMembers => {
  const moduleNamed = (file: number, specifier: string): Value | undefined => {
    const path = surfaceOf(file)?.path
    if (path === undefined) return undefined
    const files = (rules(path)?.resolve(path, specifier) ?? []).flatMap((target) => numberOf(target) ?? [])
    return files.length === 0 ? undefined : { tag: "module", files }
  }

  const memberModule = (file: number, owner: string, name: string): Value | undefined => {
    if (owner === `"${VISIBLE}"`) return visibleIn(file, name)
    const [, specifier, members = ""] = /^"([^"]+)"((?:\.\w+)*)$/.exec(owner) ?? []
    const path = specifier === undefined ? undefined : surfaceOf(file)?.path
    const language = path === undefined ? undefined : rules(path)
    if (specifier === undefined || path === undefined || language === undefined) return undefined
    const { join, member } = language
    const parts = members.split(".").slice(1)
    const namespace = parts.length === 0 ? specifier : join && parts.reduce(join, specifier)
    const declared = namespace === undefined ? undefined : member?.(path, namespace, name)
    const number = declared === undefined ? undefined : numberOf(declared.path)
    if (declared !== undefined && number !== undefined) {
      surfaceOf(number)
      return { tag: "symbol", file: number, ordinal: declared.ordinal }
    }
    const ancestors = parts.length === 0 ? language.enclosing?.(specifier) : undefined
    if (ancestors !== undefined) return memberOf(evaluate(file, ancestors), name)
    return join && moduleNamed(file, [...parts, name].reduce(join, specifier))
  }

  /** Returns what the first of the packages and types whose names a file sees has under a name. */
  const visibleIn = (file: number, name: string): Value | undefined => {
    for (const owner of surfaceOf(file)?.exports.get("using") ?? []) {
      const isPackage = owner.endsWith('"')
      // A path may name a package as well as an object.
      const found =
        (isPackage || owner.startsWith('"') ? memberModule(file, owner, name) : undefined) ??
        (isPackage ? undefined : memberOf(evaluate(file, owner), name))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Says of files of large modules whether they are plain. It is kept for all of them, unlike their surfaces. */
  const plain = new Map<number, boolean>()

  const exportOf = (files: ReadonlyArray<number>, name: string): Value | undefined =>
    exportedFrom(
      files.map((file) => ({ file, prefix: "", isInside: true })),
      name,
    )

  const exportedFrom = (start: ReadonlyArray<Module>, name: string): Value | undefined => {
    const queue = [...start]
    const seen = new Set(queue.map(keyOf))
    const enqueue = (module: Module): void => {
      if (seen.has(keyOf(module))) return
      seen.add(keyOf(module))
      queue.push(module)
    }
    const isLarge = start.length > MAX_READ
    let first: Value | undefined
    for (let at = 0; at < queue.length && at < MAX_REEXPORTS; at++) {
      const { file, isInside, prefix } = queue[at] ?? { file: 0, prefix: "", isInside: false }
      if (isLarge && prefix === "" && plain.get(file) === true && !declaring(name).has(file)) {
        noteRead(file)
        continue
      }
      const surface = surfaceOf(file)
      if (surface === undefined) continue
      const language = rules(surface.path)
      if (isLarge && !plain.has(file)) plain.set(file, isPlain(surface, language))
      const found = exportedBy(surface, prefix, name, isInside)
      if (found !== undefined) {
        if (language?.hidesDoubles !== true || at < start.length) return found
        if (first !== undefined && !isSame(first, found)) return undefined
        first = found
        continue
      }
      if (prefix === "") {
        for (const below of language?.below?.(surface.path, name) ?? []) {
          const number = numberOf(below)
          if (number !== undefined) return { tag: "module", files: [number] }
        }
      }
      for (const [isOwn, expression] of importsOfAll(surface, prefix, isInside)) {
        const all = evaluate(file, expression)
        const isInner = isOwn && isAround.test(expression)
        const module = all?.tag === "symbol" && kindOf(all) === "module" ? (heldBy(all) ?? all) : all
        if (module?.tag === "module")
          for (const other of module.files) enqueue({ file: other, prefix: "", isInside: isInner })
        else if (module?.tag === "symbol" && kindOf(module) === "module") {
          const qualified = surfaceOf(module.file)?.symbols[module.ordinal]?.qualified ?? ""
          enqueue({ file: module.file, prefix: `${qualified}.`, isInside: isInner })
        } else if (all?.tag === "object") enqueue({ file: all.file, prefix: `${all.name}.`, isInside: false })
        else {
          const value = memberOf(all, name)
          if (value !== undefined) return value
        }
      }
      const [assignment] = prefix === "" ? (surface.exports.get("=") ?? []) : []
      if (assignment !== undefined) {
        const value = evaluate(file, assignment)
        const found = name === "default" ? value : memberOf(value, name)
        if (found !== undefined) return found
      }
    }
    return first
  }

  const exportedBy = (surface: Surface, prefix: string, name: string, isInside: boolean): Value | undefined => {
    const { exports, named, number } = surface
    const own = exports.get(prefix + name) ?? []
    for (const expression of isInside ? [...own, ...(exports.get(`-${prefix}${name}`) ?? [])] : own) {
      const value = evaluate(number, expression)
      if (value !== undefined) return value
    }
    const ordinal = rules(surface.path)?.exportsByReturn === true ? undefined : named.get(prefix + name)?.[0]
    return ordinal === undefined ? undefined : { tag: "symbol", file: number, ordinal }
  }

  return { moduleNamed, memberModule, exportOf, exportedFrom }
}

/** Returns whether a file gives no name but those of its symbols: it is not read to look for another one. */
const isPlain = ({ exports, named }: Surface, language: Rules | undefined): boolean =>
  language?.below === undefined &&
  language?.exportsByReturn !== true &&
  Array.from(exports.keys()).every((name) => named.has(name.replace(/^-/, "")))

const keyOf = ({ file, isInside, prefix }: Module): string => `${file} ${isInside} ${prefix}`

/** The expressions of which a module imports all names, and whether only it and the modules in it see those names. */
const importsOfAll = (
  { exports }: Surface,
  prefix: string,
  isInside: boolean,
): ReadonlyArray<readonly [isOwn: boolean, expression: string]> => [
  ...(exports.get(`${prefix}*`) ?? []).map((expression) => [isInside, expression] as const),
  ...(isInside ? (exports.get(`-${prefix}*`) ?? []) : []).map((expression) => [true, expression] as const),
]

/** Matches the modules around a module of Rust, whose private names it sees. */
const isAround = /^(?:"(?:|super|crate)"(?:\.super)*|#\d+)$/
