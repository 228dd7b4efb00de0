/** Finds modules of Lua: `a.b` is `a/b.lua` or `a/b/init.lua`, from the nearest folder upwards, or in its sources. */
import * as path from "node:path/posix"
import type { Files, Rules } from "../../ModuleRules.ts"

export const make = ({ has }: Files): Rules => ({
  resolve: (from, specifier) => {
    if (specifier === "") return [from]
    const name = specifier.replaceAll(".", "/")
    if (name.startsWith("/")) return []
    for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
      for (const sources of ["", "lua", "src", "lib"]) {
        const target = path.join(folder, sources, name)
        const found = [`${target}.lua`, `${target}/init.lua`, `${target}.luau`, `${target}/init.luau`].filter(has)
        if (found.length > 0) return found.slice(0, 1)
      }
      if (folder === ".") return []
    }
  },
  exportsByReturn: true,
})
