/**
 * Finds types of Swift by their qualified names, in whatever file of a target. A specifier is `=A.B` for
 * the types in `A.B` alone, `=` for those of the target, and otherwise the type around a place, in which
 * those around it are seen, too.
 */
import type { Declaration, Declared, Files, Rules } from "../../ModuleRules.ts"

export const findsDeclarations = true

export const make = ({ declared, extended }: Files): Rules => {
  const find = (from: string, qualified: string): Declared | undefined => {
    const name = qualified.slice(qualified.lastIndexOf(".") + 1)
    const all = declared("swift", name).filter((each) => each.qualified === qualified && each.kind !== "function")
    return oneOf(from, all)
  }

  return {
    resolve: (from, specifier) => (specifier === "" ? [from] : []),
    member: (from, specifier, name) => {
      if (specifier.startsWith("=")) return find(from, specifier === "=" ? name : `${specifier.slice(1)}.${name}`)
      for (let around = specifier; around !== ""; around = around.slice(0, Math.max(0, around.lastIndexOf(".")))) {
        const found = find(from, `${around}.${name}`)
        if (found !== undefined) return found
      }
      return find(from, name)
    },
    peersOf: (file, qualified) =>
      extended(qualified)
        .filter((path) => path !== file && (targetOf(path) === targetOf(file) || !isTest.test(path)))
        .slice(0, MAX_PARTS),
    enclosing: (specifier) => {
      const dot = specifier.lastIndexOf(".")
      if (specifier.startsWith("=") || specifier === "") return undefined
      return `"=${dot === -1 ? "" : specifier.slice(0, dot)}".${specifier.slice(dot + 1)}^`
    },
    members: "labelled",
  }
}

/** The most further files whose extensions of a type are looked up. */
const MAX_PARTS = 100

/** The only type in the target of a file, or else the only one outside of tests. */
const oneOf = (from: string, all: ReadonlyArray<Declaration>): Declared | undefined => {
  if (all.length < 2) return all[0]
  const own = all.filter(({ path }) => path === from)
  if (own.length > 0) return own.length === 1 ? own[0] : undefined
  const near = all.filter(({ path }) => targetOf(path) === targetOf(from))
  const some = near.length > 0 ? near : all.filter(({ path }) => !isTest.test(path))
  return some.length === 1 ? some[0] : undefined
}

const isTest = /(?:^|\/)(?:Tests?|Specs?|Examples?)\//i

/** Returns the folder of the target that a file belongs to: `Sources/Name`, or the topmost folder. */
const targetOf = (path: string): string =>
  /^(?:.*?\/)?(?:Sources|Tests|Plugins|Examples)\/[^/]+\//i.exec(path)?.[0] ?? path.slice(0, path.indexOf("/") + 1)
