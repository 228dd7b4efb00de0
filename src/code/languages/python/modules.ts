/**
 * Finds modules of Python: relative ones, and absolute ones from the root, from `src` or from the folder of a top
 * package.
 */
import * as path from "node:path/posix"
import type { Files, Rules } from "../../ModuleRules.ts"

export const make = (files: Files): Rules => {
  const moduleAt = (target: string): string | undefined => {
    if (target.startsWith("../") || target === "..") return undefined
    const folder = target === "." ? "" : `${target}/`
    for (const each of [`${folder}__init__.py`, `${target}.py`, `${folder}__init__.pyi`, `${target}.pyi`])
      if (files.has(each)) return each
    return undefined
  }

  const roots = new Map<string, string>()
  /** The folder that holds the outermost package around a file. */
  const rootOf = (folder: string): string => {
    const known = roots.get(folder)
    if (known !== undefined) return known
    const isPackage = folder !== "." && files.has(`${folder}/__init__.py`)
    const root = isPackage ? rootOf(path.dirname(folder)) : folder
    roots.set(folder, root)
    return root
  }

  let topPackages: ReadonlyMap<string, string> | undefined
  /** Returns the folder that holds the only outermost package of that name; none if there are several. */
  const folderOf = (name: string): ReadonlyArray<string> => {
    if (topPackages === undefined) {
      const found = new Map<string, string>()
      for (const file of files.all()) {
        const [, folder] = /^(.*)\/__init__\.pyi?$/.exec(file) ?? []
        if (folder === undefined || files.has(`${path.dirname(folder)}/__init__.py`)) continue
        const package_ = path.basename(folder)
        found.set(package_, found.has(package_) ? "" : path.dirname(folder))
      }
      topPackages = found
    }
    const folder = topPackages.get(name)
    return folder === undefined || folder === "" ? [] : [folder]
  }

  return {
    resolve: (from, specifier) => {
      if (specifier === "") return [from]
      const [, dots = "", name = ""] = /^(\.*)(.*)$/.exec(specifier) ?? []
      const rest = name.replaceAll(".", "/")
      const folder = path.dirname(from)
      let bases: ReadonlyArray<string>
      if (dots !== "") {
        let base = folder
        for (let level = 1; level < dots.length; level++) base = path.dirname(base)
        bases = [base]
      } else bases = [...new Set([rootOf(folder), folder, ".", "src", "lib", ...folderOf(name.replace(/\..*$/, ""))])]
      for (const base of bases) {
        const found = moduleAt(rest === "" ? base : path.join(base, rest))
        if (found !== undefined) return [found]
      }
      return []
    },
    join: (specifier, name) => (specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`),
    below: (file, name) => {
      if (!/(?:^|\/)__init__\.pyi?$/.test(file)) return []
      const found = moduleAt(path.join(path.dirname(file), name))
      return found === undefined ? [] : [found]
    },
  }
}
