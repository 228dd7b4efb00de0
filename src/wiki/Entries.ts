/**
 * The files and functions with which the programs and the library of a project begin, as its
 * manifests and their names say.
 */
import * as Effect from "effect/Effect"
import { isObject, textAt, tryParse } from "../base/Json.ts"
import * as PythonProject from "./internal/PythonProject.ts"

/** A file with which a project begins, and the name under which a manifest offers it. */
export interface Entry {
  readonly name: string
  readonly path: string
  /** The function at which it begins, if the manifest says it. */
  readonly symbol?: string | undefined
  readonly manifest: string
}

/**
 * Reads the entries that the manifests at the root name, of those files that the project has. A module of Python may
 * lie below a folder for sources, or be a folder.
 */
export const read = Effect.fn("Entries.read")(function* (
  paths: ReadonlySet<string>,
  textOf: (path: string) => Effect.Effect<string | undefined>,
) {
  const found: Array<Entry> = []
  for (const manifest of Array.from(paths).filter(isManifestOfEntries).sort()) {
    const text = yield* textOf(manifest)
    for (const entry of text === undefined ? [] : entriesOf(manifest, text)) {
      const module = entry.path.replace(/\.py$/, "/__init__.py")
      const path = [entry.path, `src/${entry.path}`, `lib/${entry.path}`, module, `src/${module}`].find((path) =>
        paths.has(path),
      )
      if (path !== undefined) found.push({ ...entry, path })
    }
  }
  return found
})

const isManifestOfEntries = (path: string): boolean =>
  /^(?:package\.json|pyproject\.toml|setup\.cfg|setup\.py|Cargo\.toml)$/.test(path)

/**
 * Reads what a manifest at the root names as the beginning of a program or a library,
 * whether the project has it or not.
 */
const entriesOf = (path: string, text: string): ReadonlyArray<Entry> => {
  const toEntry = (name: string, target: string, symbol?: string): Entry => ({
    name,
    path: target.replace(/^\.\//, ""),
    symbol,
    manifest: path,
  })
  const toScript = ({ name, target }: PythonProject.Script): Entry => {
    const [module = "", symbol] = target.split(":")
    return toEntry(name, `${module.trim().replaceAll(".", "/")}.py`, symbol?.replace(/\[.*/, "").trim())
  }
  if (path === "package.json") {
    const manifest = tryParse(text)
    if (!isObject(manifest)) return []
    const name = typeof manifest.name === "string" ? manifest.name : "the package"
    const { bin, main, module } = manifest
    return [
      ...(typeof bin === "string" ? [toEntry(name, bin)] : []),
      ...(isObject(bin)
        ? Object.entries(bin).flatMap(([name, target]) => (typeof target === "string" ? [toEntry(name, target)] : []))
        : []),
      ...[main, module].flatMap((target) => (typeof target === "string" ? [toEntry(name, target)] : [])),
    ]
  }
  if (path === "pyproject.toml") {
    return PythonProject.offersOf(text).scripts.map(toScript)
  }
  if (path === "setup.cfg" || path === "setup.py") return PythonProject.consoleScripts(text).map(toScript)
  if (path === "Cargo.toml") {
    const manifest = PythonProject.tomlOf(text)
    const name = textAt(manifest, "package", "name") ?? "the program"
    const programs = Array.isArray(manifest.bin) ? manifest.bin : []
    return programs.flatMap((program) => {
      const target = textAt(program, "path")
      return target === undefined ? [] : [toEntry(textAt(program, "name") ?? name, target)]
    })
  }
  return []
}

/**
 * Returns whether a path has a name by which a language or a custom enters a program, and
 * not one of styles or settings.
 */
export const isEntryName = (path: string): boolean =>
  (/(?:^|\/)(?:main|__main__|cli|app|server|index|lib|init|program)\.\w+$/i.test(path) ||
    /(?:^|\/)(?:bin|cmd)\//.test(path)) &&
  !/\.(?:css|s[ac]ss|less|styl|svg|json[5c]?|ya?ml|toml|ini|xml|properties|txt)$/i.test(path)
