/**
 * Finds the files that a module specifier means by the rules of each language. Reads nothing but configuration files.
 */
import * as Language from "../../../../code/Language.ts"
import * as CSharp from "./modules/CSharp.ts"
import * as Ecma from "./modules/Ecma.ts"
import * as Go from "./modules/Go.ts"
import * as Java from "./modules/Java.ts"
import * as Lua from "./modules/Lua.ts"
import * as Php from "./modules/Php.ts"
import * as Python from "./modules/Python.ts"
import type { Files, Rules } from "./modules/Rules.ts"
import * as Rust from "./modules/Rust.ts"

/** Returns names that a specifier of the file at `path` holds: a file that mentions none of them cannot import it. */
export const namesOf = (path: string): ReadonlyArray<string> => {
  // A package of Go in the root, and the root of a crate, have names that only a configuration file knows.
  const isNamedElsewhere = /^[^/]+\.go$|(?:^|\/)(?:lib|main)\.rs$/.test(path)
  if (isNamedElsewhere) return ['"']
  if (path.endsWith(".go")) return ['"."', path.split("/").at(-2) ?? '"']
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
  Ecma.isConfiguration(path) || Go.isConfiguration(path) || Rust.isConfiguration(path)

/** Returns the files by which the topmost packages are imported and started, as their configuration files say. */
export const entriesOf = (files: Files): ReadonlyArray<string> => Ecma.make(files).entries()

export const make = (files: Files): ((path: string) => Rules | undefined) => {
  const ecma = Ecma.make(files)
  const python = Python.make(files)
  const byLanguage: ReadonlyMap<string | undefined, Rules> = new Map([
    ["typescript", ecma],
    ["javascript", ecma],
    ["vue", ecma],
    ["svelte", ecma],
    ["python", python],
    ["csharp", CSharp.make(files)],
    ["go", Go.make(files)],
    ["java", Java.make(files)],
    ["lua", Lua.make(files)],
    ["php", Php.make(files)],
    ["rust", Rust.make(files)],
  ])
  const byPath = new Map<string, Rules | undefined>()
  return (path) => {
    if (!byPath.has(path)) byPath.set(path, byLanguage.get(Language.of(path)?.id))
    return byPath.get(path)
  }
}
