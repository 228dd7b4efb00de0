/**
 * Reads what a project needs and what it offers to its users, as its manifests say: versions of languages, extras and
 * features, commands that it installs. Pure.
 */
import { at, isObject, tableAt, textAt, tryParse } from "../base/Json.ts"
import * as PythonProject from "./internal/PythonProject.ts"

export interface ManifestFacts {
  /** Versions of languages and tools, such as `Python >=3.10`. */
  readonly needs: ReadonlyArray<string>
  /** Sentences in Markdown. */
  readonly offers: ReadonlyArray<string>
}

const nothing: ManifestFacts = { needs: [], offers: [] }

/** The most names that a sentence lists, and the most characters of one. */
const MAX_NAMES = 12
const MAX_NAME = 60

export const read = (path: string, text: string): ManifestFacts =>
  readers.find(({ names }) => names.test(path))?.read(text) ?? nothing

/** Writes the facts as sentences in Markdown. */
export const sentencesOf = ({ needs, offers }: ManifestFacts): ReadonlyArray<string> => [
  ...(needs.length === 0 ? [] : [`Needs ${list(needs)}.`]),
  ...offers,
]

const list = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, MAX_NAMES)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(", ")} and ${more} more`
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`
}

/** Writes a text as code in one line; undefined if it is too long to be a name or a version. */
const code = (text: string): string | undefined => {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("`", "'").trim()
  return line === "" || line.length > MAX_NAME ? undefined : `\`${line}\``
}

/** Says that there are things of a kind, by their names; nothing without a name. */
const offer = (kind: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const codes = Array.from(new Set(names)).flatMap((name) => code(name) ?? [])
  return codes.length === 0 ? [] : [`${kind}: ${list(codes)}.`]
}

const version = (what: string, value: string | undefined): ReadonlyArray<string> => {
  const text = value === undefined ? undefined : code(value)
  return text === undefined ? [] : [`${what} ${text}`]
}

/** Returns the first group of the first match. */
const first = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.trim()

const all = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([, name = ""]) => name.trim()).filter((name) => name !== "")

interface Reader {
  readonly names: RegExp
  readonly read: (text: string) => ManifestFacts
}

const packageJson = (text: string): ManifestFacts => {
  const manifest = tryParse(text)
  if (!isObject(manifest)) return nothing
  const { bin, exports, name, packageManager, workspaces } = manifest
  const engines = Object.entries(tableAt(manifest, "engines"))
  const own = typeof name === "string" ? name.replace(/^.*\//, "") : undefined
  const subpaths = isObject(exports) ? Object.keys(exports).filter((key) => key.startsWith("./")) : []
  const members = isObject(workspaces) ? workspaces.packages : workspaces
  return {
    needs: [
      ...engines.flatMap(([engine, range]) =>
        typeof range === "string" ? version(engine === "node" ? "Node.js" : engine, range) : [],
      ),
      ...(typeof packageManager === "string"
        ? version("the package manager", packageManager.replace(/\+.*$/, ""))
        : []),
    ],
    offers: [
      ...offer(
        "Commands that it installs",
        isObject(bin) ? Object.keys(bin) : typeof bin === "string" && own ? [own] : [],
      ),
      ...offer("Entry points of the package", subpaths),
      ...offer("Packages of the workspace", Array.isArray(members) ? members.map(String) : []),
      ...offer("Beside it users install", Object.keys(tableAt(manifest, "peerDependencies"))),
    ],
  }
}

const composerJson = (text: string): ManifestFacts => {
  const manifest = tryParse(text)
  const required = Object.entries(tableAt(manifest, "require"))
  const bin = isObject(manifest) && Array.isArray(manifest.bin) ? manifest.bin.map(String) : []
  return {
    needs: [
      ...required.flatMap(([name, range]) => (name === "php" ? version("PHP", String(range)) : [])),
      ...required.flatMap(([name]) => (name.startsWith("ext-") ? [`\`${name}\``] : [])),
    ],
    offers: [
      ...offer("Commands that it installs", bin),
      ...offer("Works with, if installed", Object.keys(tableAt(manifest, "suggest"))),
    ],
  }
}

const pyproject = (text: string): ManifestFacts => {
  const { extras, groups, plugins, scripts } = PythonProject.offersOf(text)
  return {
    needs: version("Python", PythonProject.versionOf(text)),
    offers: [
      ...offer("Extras", extras),
      ...scripts
        .flatMap(({ name, target }) => {
          const [command, called] = [code(name), code(target)]
          return command === undefined || called === undefined ? [] : [`The command ${command} calls ${called}.`]
        })
        .slice(0, MAX_NAMES),
      ...offer("Entry points for plugins", plugins),
      ...offer("Groups of dependencies for its developers", groups),
    ],
  }
}

const cargo = (text: string): ManifestFacts => {
  const manifest = PythonProject.tomlOf(text)
  const setting = (key: string) => textAt(manifest, "package", key) ?? textAt(manifest, "workspace", "package", key)
  const members = at(manifest, "workspace", "members")
  const bins = at(manifest, "bin")
  return {
    needs: [...version("Rust", setting("rust-version")), ...version("the edition", setting("edition"))],
    offers: [
      ...offer("Features", Object.keys(tableAt(manifest, "features"))),
      ...offer(
        "Commands that it installs",
        Array.isArray(bins) ? bins.flatMap((bin) => textAt(bin, "name") ?? []) : [],
      ),
      ...offer("Packages of the workspace", Array.isArray(members) ? members.map(String) : []),
    ],
  }
}

const readers: ReadonlyArray<Reader> = [
  { names: /^package\.json$/, read: packageJson },
  { names: /^composer\.json$/, read: composerJson },
  { names: /^pyproject\.toml$/, read: pyproject },
  {
    names: /^setup\.(?:py|cfg)$/,
    read: (text) => ({
      needs: version("Python", first(text, /^\s*python_requires\s*=\s*["']?([^"'\n#]+)/m)),
      offers: offer(
        "Commands that it installs",
        PythonProject.consoleScripts(text).map(({ name }) => name),
      ),
    }),
  },
  { names: /^Cargo\.toml$/i, read: cargo },
  {
    names: /^go\.mod$/,
    read: (text) => ({ needs: version("Go", first(text, /^go\s+(\S+)/m)), offers: [] }),
  },
  {
    names: /^pom\.xml$/,
    read: (text) => ({
      needs: version("Java", first(text, /<(?:maven\.compiler\.(?:release|source)|java\.version|release)>([\w.]+)</)),
      offers: offer("Modules", all(text, /<module>([^<]+)<\/module>/g)),
    }),
  },
  {
    names: /^build\.gradle(?:\.kts)?$/,
    read: (text) => ({
      needs: version(
        "Java",
        first(text, /(?:languageVersion(?:\.set\(|\s*=\s*)JavaLanguageVersion\.of\(|jvmToolchain\()\s*["']?(\d+)/) ??
          first(text, /(?:source|target)Compatibility\s*=\s*["']?(?:JavaVersion\.VERSION_)?([\d._]+)/)?.replace(
            /^1_/,
            "1.",
          ),
      ),
      offers: [],
    }),
  },
  {
    names: /\.csproj$/i,
    read: (text) => ({
      needs: all(first(text, /<TargetFrameworks?>([^<]+)</)?.replaceAll(";", "\n") ?? "", /^(.+)$/gm).flatMap((name) =>
        version("the framework", name),
      ),
      offers: [],
    }),
  },
  {
    names: /^(?:Gemfile|[\w.-]+\.gemspec)$/i,
    read: (text) => ({
      needs: version(
        "Ruby",
        first(text, /required_ruby_version\s*=\s*(?:Gem::Requirement\.new\()?\[?\s*["']([^"'\n]+)/) ??
          first(text, /^ruby\s+["']([^"'\n]+)/m),
      ),
      offers: offer(
        "Commands that it installs",
        all(first(text, /\.executables\s*=\s*(.+)/) ?? "", /["']([\w.-]+)["']/g),
      ),
    }),
  },
  {
    names: /^CMakeLists\.txt$/i,
    read: (text) => ({
      needs: [
        ...version("CMake", first(text, /^\s*cmake_minimum_required\s*\(\s*VERSION\s+([\d.]+)/im)),
        ...version("C++", first(text, /\bCMAKE_CXX_STANDARD\s+(\d+)/) ?? first(text, /\bcxx_std_(\d+)/)),
        ...version("C", first(text, /\bCMAKE_C_STANDARD\s+(\d+)/)),
      ],
      offers: offer("Options of the build", all(text, /^\s*option\s*\(\s*(\w+)/gim)),
    }),
  },
]
