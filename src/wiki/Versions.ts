/** Reads where the version number of a project stands, and what builds its package. Pure. */
import { at, isObject, tableAt, textAt, tryParse } from "../base/Json.ts"
import { code } from "./internal/ProjectStatements.ts"
import * as PythonProject from "./internal/PythonProject.ts"

/** Says where a version number stands. */
export type Version =
  /** It stands in the manifest itself, under a key. */
  | { readonly in: "manifest"; readonly key: string }
  /** A tool makes it from the tags of Git. */
  | { readonly in: "tags"; readonly by: string }
  /** It stands in one of some files, as the value of a variable if that has a name. */
  | { readonly in: "file"; readonly paths: ReadonlyArray<string>; readonly variable?: string | undefined }

/** Reads where a manifest at the root says that the version number stands; undefined if it does not say. */
export const read = (path: string, text: string): Version | undefined => {
  const name = path.toLowerCase()
  if (name.endsWith(".gemspec")) return ofGem(text)
  switch (name) {
    case "package.json":
      return ofPackage(text)
    case "pyproject.toml":
      return ofPyproject(text)
    case "setup.cfg":
      return ofSetupCfg(text)
    case "setup.py":
      return ofSetupPy(text)
    case "cargo.toml":
      return ofCargo(text)
    case "pom.xml":
      return ofPom(text)
    default:
      return undefined
  }
}

/** Says where the version number stands. `path`: for a version in another file the one that has it. */
export const sentenceOf = (version: Version, manifest: string, path = manifest): string => {
  switch (version.in) {
    case "manifest":
      return `The version number stands in ${code(manifest)} (${code(version.key)}).`
    case "tags":
      return `The version number comes from the tags of Git (${code(version.by)}).`
    case "file": {
      const variable = version.variable === undefined ? "" : ` (${code(version.variable)})`
      return `The version number stands in ${code(path)}${variable}.`
    }
  }
}

/** A number that a tool replaces when it publishes, or that is never published, says nothing. */
const isNumber = (version: unknown): boolean =>
  typeof version === "string" && /^\d/.test(version) && !/^0\.0\.0/.test(version)

const ofPackage = (text: string): Version | undefined => {
  const manifest = tryParse(text)
  if (!isObject(manifest) || !isNumber(manifest.version)) return undefined
  return manifest.private === true && manifest.workspaces !== undefined ? undefined : { in: "manifest", key: "version" }
}

const ofCargo = (text: string): Version | undefined => {
  const manifest = PythonProject.tomlOf(text)
  if (isNumber(at(manifest, "package", "version"))) return { in: "manifest", key: "package.version" }
  return isNumber(at(manifest, "workspace", "package", "version"))
    ? { in: "manifest", key: "workspace.package.version" }
    : undefined
}

const ofPom = (text: string): Version | undefined => {
  const head = text
    .replace(/<parent>[\s\S]*?<\/parent>/, "")
    .split(/<(?:dependencies|dependencyManagement|build|properties|modules|profiles)>/)[0]
  return isNumber(/<version>\s*([^<\s]+)/.exec(head ?? "")?.[1]) ? { in: "manifest", key: "version" } : undefined
}

const ofGem = (text: string): Version | undefined => {
  const given = /\.version\s*=\s*(.+)/.exec(text)?.[1]?.trim() ?? ""
  if (/^["']\d/.test(given)) return { in: "manifest", key: "version" }
  const required = /\brequire(?:_relative)?\s*\(?\s*["'](?:\.\/)?((?:lib\/)?[\w/-]*version)["']/.exec(text)?.[1]
  const variable = /^(?:\w+::)*(\w+)/.exec(given)?.[1]
  if (required === undefined || variable === undefined) return undefined
  const file = required.replace(/^lib\//, "")
  return { in: "file", paths: [`lib/${file}.rb`], variable }
}

/** Returns the files that a module of Python may have. */
const modulePaths = (module: string): ReadonlyArray<string> => {
  const path = module.replaceAll(".", "/")
  return ["", "src/", "lib/"].flatMap((folder) => [`${folder}${path}/__init__.py`, `${folder}${path}.py`])
}

/** Reads a value such as `httpie.__version__`. */
const ofAttribute = (attribute: string): Version | undefined => {
  const [, module, variable] = /^([\w.]+)[.:](\w+)$/.exec(attribute) ?? []
  return module === undefined ? undefined : { in: "file", paths: modulePaths(module), variable }
}

const ofFile = (path: unknown, variable?: string): Version | undefined =>
  typeof path === "string" && path !== "" ? { in: "file", paths: [path.replace(/^\.\//, "")], variable } : undefined

const firstText = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

const ofPyproject = (text: string): Version | undefined => {
  const manifest = PythonProject.tomlOf(text)
  const tool = tableAt(manifest, "tool")
  if (isObject(tool["poetry-dynamic-versioning"])) return { in: "tags", by: "poetry-dynamic-versioning" }
  if (isNumber(at(manifest, "project", "version"))) return { in: "manifest", key: "project.version" }
  if (isNumber(at(tool, "poetry", "version"))) return { in: "manifest", key: "tool.poetry.version" }
  const dynamic = at(manifest, "project", "dynamic")
  const isDynamic = Array.isArray(dynamic) && dynamic.includes("version")
  if (!isDynamic && !isObject(tool.setuptools_scm)) return undefined
  return ofTables(tool) ?? ofBackend(manifest)
}

/** Reads the tables of the tools that make a version number. */
const ofTables = (tool: Readonly<Record<string, unknown>>): Version | undefined => {
  const ofSetuptools = tableAt(tool, "setuptools", "dynamic", "version")
  const attribute = textAt(ofSetuptools, "attr")
  if (attribute !== undefined) return ofAttribute(attribute)
  if (ofSetuptools.file !== undefined) return ofFile(firstText(ofSetuptools.file))
  const hatch = tableAt(tool, "hatch", "version")
  if (hatch.source === "vcs") return { in: "tags", by: "hatch-vcs" }
  if (hatch.path !== undefined) return ofFile(hatch.path)
  const pdm = tableAt(tool, "pdm", "version")
  if (pdm.source === "scm") return { in: "tags", by: "pdm" }
  if (pdm.source === "file") return ofFile(pdm.path)
  const known = ["setuptools_scm", "setuptools-git-versioning", "versioningit", "versioneer"]
  const by = known.find((name) => isObject(tool[name]))
  return by === undefined ? undefined : { in: "tags", by: by.replace("_", "-") }
}

/** Reads what the backend does if no table of a tool says more. */
const ofBackend = (manifest: unknown): Version | undefined => {
  const requires = at(manifest, "build-system", "requires")
  const needed = Array.isArray(requires) ? requires.map(String) : []
  if (needed.some((each) => /^setuptools[-_]scm\b/i.test(each))) return { in: "tags", by: "setuptools-scm" }
  const backend = textAt(manifest, "build-system", "build-backend") ?? ""
  if (backend === "maturin") return { in: "file", paths: ["Cargo.toml"] }
  if (!backend.startsWith("flit_core")) return undefined
  const module = textAt(manifest, "tool", "flit", "module", "name") ?? textAt(manifest, "project", "name")
  return module === undefined ? undefined : ofAttribute(`${module.replaceAll("-", "_")}.__version__`)
}

const ofSetupCfg = (text: string): Version | undefined => {
  if (PythonProject.iniSection(text, "versioneer") !== undefined) return { in: "tags", by: "versioneer" }
  const [value = ""] = PythonProject.iniSection(text, "metadata")?.get("version") ?? []
  const [, kind, rest = ""] = /^(attr|file):\s*(\S+)$/.exec(value) ?? []
  if (kind !== undefined) return kind === "attr" ? ofAttribute(rest) : ofFile(rest)
  return isNumber(value) ? { in: "manifest", key: "metadata.version" } : undefined
}

const ofSetupPy = (text: string): Version | undefined => {
  if (/\buse_scm_version\s*=\s*(?:True|\{|dict)/.test(text)) return { in: "tags", by: "setuptools-scm" }
  if (/\bversion\s*=\s*versioneer\.get_version\(/.test(text)) return { in: "tags", by: "versioneer" }
  return isNumber(/\bsetup\([\s\S]*?\bversion\s*=\s*["']([^"']+)/.exec(text)?.[1])
    ? { in: "manifest", key: "version" }
    : undefined
}

/** Says what builds the package of a project in Python; undefined if the manifest does not say. */
export const builderOf = (path: string, text: string): string | undefined => {
  if (path === "setup.py") {
    return /^(?:from setuptools import|import setuptools)\b/m.test(text)
      ? "setuptools builds the package (`setup.py`)."
      : undefined
  }
  if (path !== "pyproject.toml") return undefined
  const backend = textAt(PythonProject.tomlOf(text), "build-system", "build-backend")
  if (backend === undefined) return undefined
  const tool = BUILDERS.find(([prefix]) => backend.startsWith(prefix))?.[1]
  return tool === undefined
    ? `${code(backend)} builds the package (\`build-backend\`).`
    : `${tool} builds the package (${code(backend)}).`
}

const BUILDERS = [
  ["flit", "Flit"],
  ["hatchling", "Hatch"],
  ["setuptools", "setuptools"],
  ["poetry", "Poetry"],
  ["pdm", "PDM"],
  ["maturin", "maturin"],
  ["uv_build", "uv"],
  ["scikit_build", "scikit-build"],
  ["mesonpy", "Meson"],
] as const
