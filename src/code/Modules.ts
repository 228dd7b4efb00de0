/**
 * Finds the files that a module specifier means, by the rules of each language. Reads nothing but configuration files.
 */
import * as find from "./languages/find.ts"
import { entries } from "./languages/table.ts"
import type { Files, ModuleResolver, Rules } from "./ModuleRules.ts"

const resolvers: ReadonlySet<ModuleResolver> = new Set(entries.flatMap(({ modules }) => modules ?? []))

/** The languages whose uses of other files are resolved, by the id of `Language`. */
export const languages: ReadonlySet<string> = new Set(entries.flatMap(({ id, modules }) => (modules ? [id] : [])))

/** The languages whose types are found by namespace or package, in whatever file. */
export const languagesWithDeclarations: ReadonlySet<string> = new Set(
  entries.flatMap(({ id, modules }) => (modules?.findsDeclarations ? [id] : [])),
)

/** Returns names that a specifier of the file at `path` holds: a file that mentions none of them cannot import it. */
export const namesOf = (path: string): ReadonlyArray<string> => {
  const names = find.ofFile(path)?.modules?.namesOf?.(path)
  if (names !== undefined) return names
  const parts = path.split("/")
  const file = parts.at(-1) ?? ""
  const stem = file.replace(/\..*$/, "")
  const folder = parts.at(-2)
  if (!indexNames.has(stem)) return [stem]
  // `".."` and `"./"` mean the index of a folder, too.
  return folder === undefined ? [stem, '."', './"'] : [stem, folder, '."', './"']
}

const indexNames: ReadonlySet<string> = new Set(["index", "__init__", "init", "mod", "lib", "main"])

/** Returns whether module specifiers of other files depend on the text of this file. */
export const isConfiguration = (path: string): boolean =>
  Array.from(resolvers).some((resolver) => resolver.isConfiguration?.(path))

/** Returns the files by which the topmost packages are imported and started, as their configuration files say. */
export const entriesOf = (files: Files): ReadonlyArray<string> =>
  Array.from(resolvers).flatMap(({ make }) => make(files).entries?.() ?? [])

/** Makes a function from a path to the rules of its language; `undefined` for a language without them. */
export const make = (files: Files): ((path: string) => Rules | undefined) => {
  const rules = new Map(Array.from(resolvers, (resolver) => [resolver, resolver.make(files)] as const))
  const byPath = new Map<string, Rules | undefined>()
  return (path) => {
    if (!byPath.has(path)) {
      const resolver = find.ofFile(path)?.modules
      byPath.set(path, resolver && rules.get(resolver))
    }
    return byPath.get(path)
  }
}
