/** The documents of a project that its start page can cite: READMEs, and manifests with the commands they define. Pure. */
import { isObject, tryParse } from "../../base/Json.ts"
import { isManifest, isReadme } from "../../base/ProjectDocuments.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Commands from "../Commands.ts"
import * as ManifestFacts from "../ManifestFacts.ts"
import { cut } from "./Material.ts"

/** Files at the root that say how a project is built and run, beside READMEs and manifests. */
const isBuildFile = (name: string): boolean =>
  /^(?:makefile|justfile|rakefile|tox\.ini|noxfile\.py|dockerfile|contributing(?:\.\w+)?|taskfile\.ya?ml|deno\.jsonc?)$/i.test(
    name,
  )

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
  if (/^(?:makefile|justfile)$/.test(name)) {
    return Array.from(text.matchAll(/^([a-zA-Z][\w.-]*)(?:\s[^:=\n]*)?:(?!=).*$/gm), ([line]) => line)
  }
  if (isReadme(path) || name.startsWith("contributing")) return commandsIn(text)
  const { needs, offers } = ManifestFacts.read(path, text)
  return [
    ...ManifestFacts.sentencesOf({ needs, offers: [] }),
    ...scriptsOf(path, text),
    ...ManifestFacts.sentencesOf({ needs: [], offers }),
  ].map((line) => line.replaceAll("`", ""))
}

const scriptsOf = (path: string, text: string): ReadonlyArray<string> => {
  if (!/^(?:package|deno)\.jsonc?$/i.test(path)) return Commands.read(path, text).map((command) => command.text)
  const manifest = tryParse(text)
  const scripts = isObject(manifest) ? (manifest.scripts ?? manifest.tasks) : undefined
  return isObject(scripts) ? Object.entries(scripts).map(([name, runs]) => `${name}: ${String(runs)}`) : []
}

/**
 * Lists the lines of the code blocks of a document that look like commands. A block in a list is indented. The blocks of
 * other languages are read too, since the end of one would be taken for the beginning of the next.
 */
const commandsIn = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let language: string | undefined
  for (const line of text.split("\n")) {
    const tag = /^[ \t]*```([^`]*)$/.exec(line)?.[1]?.trim()
    if (tag !== undefined && (language === undefined || tag === "")) language = language === undefined ? tag : undefined
    else if (language !== undefined && isShell.test(language) && isCommand(line)) found.push(line)
  }
  return found
}

const isShell = /^(?:sh|bash|shell|console)?$/

const isCommand = (line: string): boolean => /^\s*(?:\$\s*)?[a-z][\w./-]*(?:\s|$)/.test(line) && !/[{};]\s*$/.test(line)
