/** Module specifiers of TypeScript and JavaScript: relative ones, path aliases, packages of a workspace. */
import * as path from "node:path/posix"
import { type Files, type Rules, topmost } from "../../ModuleRules.ts"

export const isConfiguration = (file: string): boolean =>
  /(?:^|\/)(?:package|[tj]sconfig(?:\.[\w-]+)*)\.json$/.test(file)

export const make = (files: Files): Rules => {
  const configurations = new Map<string, Json | undefined>()
  const configurationAt = (file: string): Json | undefined => {
    if (!configurations.has(file)) configurations.set(file, parse(files.configurations.get(file)))
    return configurations.get(file)
  }

  const aliases = new Map<string, Aliases | undefined>()
  /** The aliases of the nearest configuration at or above a folder. */
  const aliasesOf = (folder: string): Aliases | undefined => {
    if (aliases.has(folder)) return aliases.get(folder)
    const own = configurationNames
      .map((name) => readAliases(path.join(folder, name), configurationAt, 0))
      .find((found) => found !== undefined)
    const found = own ?? (folder === "." ? undefined : aliasesOf(path.dirname(folder)))
    aliases.set(folder, found)
    return found
  }

  let packages: ReadonlyMap<string, string> | undefined
  /** Folders by package name. */
  const packagesByName = (): ReadonlyMap<string, string> => {
    if (packages !== undefined) return packages
    const found = new Map<string, string>()
    for (const file of Array.from(files.configurations.keys()).sort()) {
      if (path.basename(file) !== "package.json") continue
      const name = configurationAt(file)?.name
      if (typeof name === "string" && !found.has(name)) found.set(name, path.dirname(file))
    }
    packages = found
    return found
  }

  /** Finds the file that a path without its extension, or with that of its output, means. */
  const fileAt = (target: string): string | undefined => {
    if (target.startsWith("../") || target === "..") return undefined
    if (files.has(target)) return target
    const [, base, extension] = /^(.*)\.([cm]?)jsx?$/.exec(target) ?? []
    if (base !== undefined) {
      for (const each of [`.${extension}ts`, ".tsx", `.d.${extension}ts`, ".vue"])
        if (files.has(base + each)) return base + each
    }
    const folder = target === "." ? "" : `${target}/`
    for (const each of extensions) if (files.has(target + each)) return target + each
    for (const each of extensions) if (files.has(`${folder}index${each}`)) return `${folder}index${each}`
    return undefined
  }

  /**
   * Finds the file that an entry of `main`, `exports` or `imports` means, or its likely source if the file is not
   * indexed.
   */
  const entryAt = (folder: string, entry: string): string | undefined => {
    const target = path.join(folder, entry)
    const found = fileAt(target)
    if (found !== undefined) return found
    const inside = path.normalize(entry).replace(/\.d\.([cm]?)ts$/, ".$1js")
    const [, rest] = /^(?:dist|lib|build|out|esm|cjs|es)\/(.*)$/.exec(inside) ?? []
    if (rest === undefined) return undefined
    const withoutFormat = rest.replace(/^(?:esm|cjs|es|lib|src)\//, "")
    for (const source of ["src", "lib", "."]) {
      const file = fileAt(path.join(folder, source, withoutFormat))
      if (file !== undefined) return file
    }
    return undefined
  }

  const packageEntry = (folder: string, rest: string): string | undefined => {
    const description = configurationAt(path.join(folder, "package.json"))
    const exported = targetsIn(description?.exports, rest === "" ? "." : `./${rest}`)
    for (const target of exported) {
      const found = entryAt(folder, target)
      if (found !== undefined) return found
    }
    if (rest !== "") return fileAt(path.join(folder, rest)) ?? fileAt(path.join(folder, "src", rest))
    for (const main of [description?.types, description?.module, description?.main]) {
      const found = typeof main === "string" ? entryAt(folder, main) : undefined
      if (found !== undefined) return found
    }
    return fileAt(folder) ?? fileAt(path.join(folder, "src")) ?? fileAt(path.join(folder, "lib"))
  }

  /** Returns the files that `bin`, `exports` and `main` of the topmost packages mean. */
  const entries = (): ReadonlyArray<string> => {
    const packages = Array.from(files.configurations.keys()).filter((file) => path.basename(file) === "package.json")
    return topmost(packages)
      .toSorted()
      .flatMap((file) => {
        const folder = path.dirname(file)
        const programs = conditions(configurationAt(file)?.bin, 0)
        return [packageEntry(folder, ""), ...programs.map((program) => entryAt(folder, program))]
      })
      .filter((file) => file !== undefined)
  }

  const resolveAlias = (from: string, specifier: string): string | undefined => {
    const found = aliasesOf(path.dirname(from))
    for (const target of found === undefined ? [] : found.targets(specifier)) {
      const file = fileAt(target)
      if (file !== undefined) return file
    }
    return undefined
  }

  const resolvePackage = (from: string, specifier: string): string | undefined => {
    if (specifier.startsWith("#")) {
      for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
        const imports = configurationAt(path.join(folder, "package.json"))?.imports
        for (const target of targetsIn(imports, specifier)) {
          const found = entryAt(folder, target)
          if (found !== undefined) return found
        }
        if (imports !== undefined || folder === ".") return undefined
      }
    }
    const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
    const folder = packagesByName().get(name)
    return folder === undefined ? undefined : packageEntry(folder, specifier.slice(name.length + 1))
  }

  /** A slash at the end stands for a folder, also if a file has its name. */
  const relative = (target: string): string | undefined => {
    if (!target.endsWith("/")) return fileAt(target)
    const folder = target === "./" ? "" : target
    return extensions.map((each) => `${folder}index${each}`).find(files.has)
  }

  const resolve = (from: string, specifier: string): ReadonlyArray<string> => {
    if (specifier === "") return [from]
    const plain = specifier.replace(/[?].*$/, "")
    const found = /^\.\.?(?:\/|$)/.test(plain)
      ? relative(path.join(path.dirname(from), plain))
      : (resolveAlias(from, plain) ?? resolvePackage(from, plain))
    return found === undefined ? [] : [found]
  }
  return {
    entries,
    resolve,
    callersOf: (file) => {
      const folder = path.dirname(file)
      return [`${folder}/index.js`, `${folder}.js`, `${folder}/index.ts`, `${folder}.ts`].filter(files.has)
    },
  }
}

const extensions = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"]

const configurationNames = ["tsconfig.json", "jsconfig.json"]

type Json = { readonly [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses JSON with comments and trailing commas. */
const parse = (text: string | undefined): Json | undefined => {
  if (text === undefined) return undefined
  const plain = text
    .replace(/^\ufeff/, "")
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? " ")
    .replace(/("(?:[^"\\\n]|\\.)*")|,(\s*[}\]])/g, (_, string: string | undefined, end: string) => string ?? end)
  try {
    const value: unknown = JSON.parse(plain)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

interface Aliases {
  /** Paths that a specifier may mean, the likeliest first. */
  readonly targets: (specifier: string) => ReadonlyArray<string>
}

const MAX_EXTENDS = 5

/** The aliases of a configuration, or of the one that it extends. */
const readAliases = (
  file: string,
  configurationAt: (file: string) => Json | undefined,
  depth: number,
): Aliases | undefined => {
  const configuration = configurationAt(file)
  if (configuration === undefined) return undefined
  const options = isJson(configuration.compilerOptions) ? configuration.compilerOptions : {}
  const folder = path.dirname(file)
  const baseUrl = typeof options.baseUrl === "string" ? path.join(folder, options.baseUrl) : undefined
  const paths = isJson(options.paths) ? options.paths : undefined
  if (baseUrl === undefined && paths === undefined) {
    const extended = [configuration.extends].flat().filter((each) => typeof each === "string" && /^\.\.?\//.test(each))
    const references = Array.isArray(configuration.references)
      ? configuration.references.flatMap((each) => (isJson(each) && typeof each.path === "string" ? [each.path] : []))
      : []
    if (depth === MAX_EXTENDS) return undefined
    for (const each of [...extended, ...references]) {
      const target = path.join(folder, String(each))
      const candidates = target.endsWith(".json") ? [target] : [`${target}.json`, `${target}/tsconfig.json`]
      for (const candidate of candidates) {
        const found = readAliases(candidate, configurationAt, depth + 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }
  const patterns = Object.entries(paths ?? {})
    .flatMap(([pattern, targets]) => {
      const [before = "", after] = pattern.split("*")
      return Array.isArray(targets) ? [{ before, after, targets: targets.map(String) }] : []
    })
    .sort((one, other) => other.before.length - one.before.length)
  return {
    targets: (specifier) => [
      ...patterns.flatMap(({ after, before, targets }) => {
        const isMatch =
          after === undefined
            ? specifier === before
            : specifier.startsWith(before) &&
              specifier.endsWith(after) &&
              specifier.length >= before.length + after.length
        if (!isMatch) return []
        const star = after === undefined ? "" : specifier.slice(before.length, specifier.length - after.length)
        return targets.map((target) =>
          path.join(
            baseUrl ?? folder,
            target.replace("*", () => star),
          ),
        )
      }),
      ...(baseUrl === undefined ? [] : [path.join(baseUrl, specifier)]),
    ],
  }
}

/** The targets of a key in `exports` or `imports`, under all conditions. */
const targetsIn = (field: unknown, key: string): ReadonlyArray<string> => {
  if (typeof field === "string" || Array.isArray(field)) return key === "." ? conditions(field, 0) : []
  if (!isJson(field)) return []
  const isKeyed = Object.keys(field).some((each) => each.startsWith(".") || each.startsWith("#"))
  if (!isKeyed) return key === "." ? conditions(field, 0) : []
  if (field[key] !== undefined) return conditions(field[key], 0)
  for (const [pattern, value] of Object.entries(field)) {
    const [before = "", after] = pattern.split("*")
    if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) continue
    const star = key.slice(before.length, key.length - after.length)
    return conditions(value, 0).map((target) => target.replace("*", () => star))
  }
  return []
}

const conditions = (value: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (depth === MAX_EXTENDS) return []
  if (Array.isArray(value)) return value.flatMap((each) => conditions(each, depth + 1))
  return isJson(value) ? Object.values(value).flatMap((each) => conditions(each, depth + 1)) : []
}
