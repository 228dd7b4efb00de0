/** Packages of Go: folders, by the paths of the modules in `go.mod`. */
import * as path from "node:path/posix"
import type { Files, Rules } from "../../ModuleRules.ts"

export const isConfiguration = (file: string): boolean => path.basename(file) === "go.mod"

/** A package is imported by the path of its folder; that of the root has a name that only `go.mod` knows. */
export const namesOf = (file: string): ReadonlyArray<string> => {
  const folder = file.split("/").at(-2)
  return folder === undefined ? ['"'] : ['"."', folder]
}

export const make = ({ configurations, filesIn }: Files): Rules => {
  let known: ReadonlyArray<readonly [module: string, folder: string]> | undefined
  /** Modules by path, the longest first. */
  const modules = () => {
    known ??= Array.from(configurations)
      .filter(([file]) => isConfiguration(file))
      .flatMap(([file, text]) => {
        const [, name] = /^module\s+"?([^\s"]+)/m.exec(text) ?? []
        return name === undefined ? [] : [[name, path.dirname(file)] as const]
      })
      .sort(([one], [other]) => other.length - one.length)
    return known
  }
  const isGo = (file: string) => file.endsWith(".go")
  const isTest = (file: string) => file.endsWith("_test.go")

  /** The files of the package that was asked for last, by their names without systems. */
  let twins: { readonly folder: string; readonly byName: ReadonlyMap<string | undefined, ReadonlyArray<string>> } = {
    folder: "",
    byName: new Map(),
  }

  const packageOf = (from: string): ReadonlyArray<string> => {
    const all = filesIn(path.dirname(from)).filter((file) => isGo(file) && (isTest(from) || !isTest(file)))
    // The file itself comes first: several files for different systems may declare the same.
    return [from, ...all.filter((file) => file !== from)]
  }

  return {
    resolve: (from, specifier) => {
      if (specifier === "") return [from]
      if (specifier === ".") return packageOf(from)
      for (const [module, folder] of modules()) {
        if (specifier !== module && !specifier.startsWith(`${module}/`)) continue
        const target = path.join(folder, specifier.slice(module.length + 1))
        const found = filesIn(target).filter((file) => isGo(file) && !isTest(file))
        if (found.length > 0) return found
      }
      return []
    },
    peersOf: packageOf,
    twinsOf: (file) => {
      const folder = path.dirname(file)
      if (twins.folder !== folder) twins = { folder, byName: Map.groupBy(filesIn(folder), withoutSystems) }
      const name = withoutSystems(file)
      return name === undefined ? [] : (twins.byName.get(name) ?? []).filter((each) => each !== file)
    },
  }
}

/** Names of systems, and words for the rest of them, that end the names of files with build constraints. */
const systems: ReadonlySet<string> = new Set(
  `386 aix amd64 android arm arm64 bsd cgo darwin default dragonfly fallback freebsd generic illumos ios js linux loong64 mips mips64
   netbsd noasm nocgo nounix openbsd other others plan9 posix ppc64 ppc64le riscv64 s390x solaris stub unix unsupported wasip1 wasm
   windows`.split(/\s+/),
)

/** Returns the name of a file without the systems for which it is built. Tests have none. */
const withoutSystems = (file: string): string | undefined => {
  const name = path.basename(file)
  if (!name.endsWith(".go") || name.endsWith("_test.go")) return undefined
  const parts = name.slice(0, -3).split("_")
  while (parts.length > 1 && systems.has(parts.at(-1) ?? "")) parts.pop()
  return parts.join("_")
}
