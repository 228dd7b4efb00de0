/** Modules of Rust: the files of a crate, and other crates of the repository by the names in `Cargo.toml`. */
import * as path from "node:path/posix"
import type { Files, Rules } from "../../ModuleRules.ts"

export const isConfiguration = (file: string): boolean => path.basename(file) === "Cargo.toml"

/** The root of a crate has a name that only `Cargo.toml` knows. */
export const namesOf = (file: string): ReadonlyArray<string> | undefined =>
  /(?:^|\/)(?:lib|main)\.rs$/.test(file) ? ['"'] : undefined

export const make = ({ configurations, filesIn, has }: Files): Rules => {
  const roots = new Set(["lib.rs", "main.rs", "mod.rs"])

  /** The folder of the modules that a file declares. */
  const folderOf = (file: string): string =>
    roots.has(path.basename(file)) || isRoot(file)
      ? path.dirname(file)
      : path.join(path.dirname(file), path.basename(file, ".rs"))

  /** Tests, examples, benches and programs are crates of one file. */
  const isRoot = (file: string): boolean => {
    const folder = path.dirname(file)
    return /(?:^|\/)(?:tests|examples|benches|bin)$/.test(folder) && !has(`${folder}/mod.rs`)
  }

  const moduleIn = (folder: string, name: string): ReadonlyArray<string> =>
    [path.join(folder, `${name}.rs`), path.join(folder, name, "mod.rs")].filter(has).slice(0, 1)

  const crateOf = (from: string): ReadonlyArray<string> => {
    // Each file of such a folder is a crate, or a module of one beside it.
    if (isRoot(from)) return [from, ...filesIn(path.dirname(from)).filter((file) => isRust(file) && file !== from)]
    for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
      const found = [path.join(folder, "lib.rs"), path.join(folder, "main.rs")].filter(has)
      if (found.length > 0) return found
      if (folder === ".") return []
    }
  }

  let known: ReadonlyMap<string, string> | undefined
  /** The folders of crates by name. */
  const crates = (): ReadonlyMap<string, string> => {
    known ??= new Map(
      Array.from(configurations)
        .filter(([file]) => isConfiguration(file))
        .flatMap(([file, text]) => {
          // A list above the name may have brackets, so the section ends with the next line that begins with one.
          const [, name] = /^\[package\].*(?:\n(?!\[).*)*?\nname\s*=\s*"([^"\n]+)"/m.exec(text) ?? []
          return name === undefined ? [] : [[name.replaceAll("-", "_"), path.dirname(file)] as const]
        }),
    )
    return known
  }

  const superOf = (from: string): ReadonlyArray<string> => {
    const folder = roots.has(path.basename(from)) ? path.dirname(path.dirname(from)) : path.dirname(from)
    const own = [`${folder}/mod.rs`, `${folder}.rs`, `${folder}/lib.rs`, `${folder}/main.rs`]
    return own
      .map((file) => path.normalize(file))
      .filter((file) => has(file) && file !== from)
      .slice(0, 1)
  }

  const resolve = (from: string, specifier: string): ReadonlyArray<string> => {
    if (specifier === "") return [from]
    if (specifier === "crate") return crateOf(from)
    if (specifier === "super") return superOf(from)
    if (specifier.startsWith("super::")) {
      const outer = superOf(from)
      return outer.flatMap((file) => (/^super(?:::super)*$/.test(specifier) ? resolve(file, specifier.slice(7)) : []))
    }
    if (specifier.startsWith("path:")) return [path.join(path.dirname(from), specifier.slice(5))].filter(has)
    if (specifier.startsWith("self::")) {
      const target = path.join(folderOf(from), specifier.slice(6))
      return moduleIn(path.dirname(target), path.basename(target))
    }
    const folder = crates().get(specifier)
    return folder === undefined
      ? []
      : [path.join(folder, "src/lib.rs"), path.join(folder, "lib.rs")].filter(has).slice(0, 1)
  }

  return {
    resolve,
    join: (specifier, name) => `${specifier}::${name}`,
    hidesDoubles: true,
    // A type and its implementations are mostly in one folder.
    peersOf: (file) => [...filesIn(path.dirname(file)), ...filesIn(folderOf(file))].filter(isRust).slice(0, MAX_PEERS),
  }
}

const isRust = (file: string): boolean => file.endsWith(".rs")

const MAX_PEERS = 100
