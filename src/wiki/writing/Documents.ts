/** The documents of a project that its start page can cite: READMEs, and manifests with the commands they define. Pure. */
import { isObject, tryParse } from "../../message/Json.ts"
import { isManifest, isReadme } from "../../message/ProjectDocuments.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import { cut } from "./Material.ts"

/** Files at the root that say how a project is built and run, beside READMEs and manifests. */
const isBuildFile = (name: string): boolean =>
  /^(?:makefile|justfile|dockerfile|contributing(?:\.\w+)?|taskfile\.ya?ml|deno\.jsonc?)$/i.test(name)

export const isDocument = (path: string): boolean =>
  !path.includes("/") && (isReadme(path) || isManifest(path) || isBuildFile(path))

/** The most lines of a document, and the most characters of a line. */
const MAX_LINES = 12
const MAX_LINE = 110

/** Returns the lines of a document that say how the project is built, run and tested. */
export const linesOf = (path: string, text: string): ReadonlyArray<string> =>
  commandsOf(path, text)
    .slice(0, MAX_LINES)
    .map((line) => cut(sanitizeLine(line).trim(), MAX_LINE))

const commandsOf = (path: string, text: string): ReadonlyArray<string> => {
  const name = path.toLowerCase()
  if (/^(?:package|deno)\.jsonc?$/.test(name)) {
    const manifest = tryParse(text)
    const scripts = isObject(manifest) ? (manifest.scripts ?? manifest.tasks) : undefined
    return isObject(scripts) ? Object.entries(scripts).map(([name, command]) => `${name}: ${String(command)}`) : []
  }
  if (/^(?:makefile|justfile)$/.test(name)) {
    return Array.from(text.matchAll(/^([a-zA-Z][\w.-]*)(?:\s[^:=\n]*)?:(?!=).*$/gm), ([line]) => line)
  }
  if (isReadme(path) || name.startsWith("contributing")) return commandsIn(text)
  if (name === "pyproject.toml") {
    const section =
      /^\[(?:project\.scripts|tool\.poetry\.scripts)\]\n([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.[1] ?? ""
    return section.split("\n").filter((line) => line.includes("="))
  }
  return []
}

/** Lists the lines of the code blocks of a document that look like commands. */
const commandsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^```(?:sh|bash|shell|console)?\n([\s\S]*?)^```/gm), ([, block = ""]) =>
    block.split("\n").filter((line) => /^\s*(?:\$\s*)?[a-z][\w./-]*(?:\s|$)/.test(line) && !/[{};]\s*$/.test(line)),
  ).flat()
