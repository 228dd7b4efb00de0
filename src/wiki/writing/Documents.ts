/**
 * The documents of a project that its start page can cite: READMEs, and manifests with the commands they define. Pure.
 */
import { isObject, tryParse } from "../../base/Json.ts"
import { isManifest, isReadme } from "../../base/ProjectDocuments.ts"
import { splitSentences } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Excerpt from "../../lookup/Excerpt.ts"
import * as Commands from "../Commands.ts"
import * as ManifestFacts from "../ManifestFacts.ts"
import * as ReleaseFacts from "../ReleaseFacts.ts"
import { cut, sizeOf } from "./Material.ts"

/** Files at the root that say how a project is built and run, beside READMEs and manifests. */
const isBuildFile = (name: string): boolean =>
  /^(?:makefile|justfile|rakefile|tox\.ini|noxfile\.py|dockerfile|contributing(?:\.\w+)?|taskfile\.ya?ml|deno\.jsonc?)$/i.test(
    name,
  )

export const isDocument = (path: string): boolean =>
  path.includes("/")
    ? Commands.isCommandFile(path) || isContributing(path)
    : isReadme(path) || isManifest(path) || isBuildFile(path) || ReleaseFacts.isSource(path)

/** Says what a contribution has to have. */
const isContributing = (path: string): boolean => /^(?:\.github\/|docs?\/)?contributing(?:\.\w+)?$/i.test(path)

/**
 * The most lines of a document, the most characters of a line and of a sentence about tests and releases, and the most
 * rules for contributions.
 */
const MAX_LINES = 12
const MAX_LINE = 140
const MAX_SENTENCE = 400
const MAX_RULES = 6

/**
 * Returns the lines of a document that say how the project is built, run and tested. `read`: what `ReleaseFacts` says
 * of it, which comes first.
 */
export const linesOf = (path: string, text: string, read: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...read.map((line) => cut(sanitizeLine(line.replaceAll("`", "")).trim(), MAX_SENTENCE)),
  ...commandsOf(path, text)
    .slice(0, MAX_LINES)
    .map((line) => cut(sanitizeLine(line).trim(), MAX_LINE)),
]

/** Stands before a fact that the program has read of a document. */
export const FACT = "the program read: "

/** The most tokens of the facts of one document beside its passages, and of those for each statement if it has many. */
const MAX_FACTS = 200
const FACTS_EACH = 70

/**
 * Returns the lines of `linesOf` that statements speak of and that the document does not have word for word, those with
 * most of their words first if there are too many: where a tool keeps its commands is not for a check to find out.
 */
export const factsFor = (
  read: ReadonlyArray<string>,
  text: string,
  statements: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const derived = read.filter((line) => !text.includes(line))
  const scores = derived.map(() => 0)
  for (const statement of statements) {
    const { matches, weights } = Excerpt.matchLines(derived, statement)
    for (const [at, stems] of matches.entries()) {
      const score = stems.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0)
      scores[at] = Math.max(scores[at] ?? 0, score)
    }
  }
  let left = Math.max(MAX_FACTS, FACTS_EACH * statements.length)
  const chosen = new Set<string>()
  const ranked = derived
    .map((line, at) => ({ line, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  for (const { line } of ranked) {
    left -= sizeOf(FACT + line)
    if (left < 0) break
    chosen.add(line)
  }
  return derived.filter((line) => chosen.has(line))
}

const commandsOf = (path: string, text: string): ReadonlyArray<string> => {
  const name = path.toLowerCase()
  if (/^(?:makefile|justfile)$/.test(name)) {
    return Array.from(text.matchAll(/^([a-zA-Z][\w.-]*)(?:\s[^:=\n]*)?:(?!=).*$/gm), ([line]) => line)
  }
  if (isContributing(name)) return [...rulesIn(text).slice(0, MAX_RULES), ...commandsIn(text)]
  if (isReadme(path)) return commandsIn(text)
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

/** Words for what a rule for contributions is about, and for a rule. */
const ABOUT =
  /\b(?:tests?|changelog|change ?log|docs|documentation|style|lint\w*|formatt\w+|pull requests?|commits?|changesets?)\b/i
const RULES =
  /\b(?:must|should|please|needs?|require[sd]?|expected?|ensure|make sure|add|include|run|write|follow|update)\b/i

/** Lists the sentences of a document that say what a contribution has to have. */
const rulesIn = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/^[ \t]*(?:```|~~~)[\s\S]*?^[ \t]*(?:```|~~~).*$/gm, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/\]\([^()\s]*\)/g, "]")
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)/)
    .filter((paragraph) => !/^\s*(?:#|\[[^\]]+\]:)/.test(paragraph))
    .flatMap((paragraph) => splitSentences(paragraph.replaceAll(/\s+/g, " ").trim()))
    .map((sentence) => sentence.replace(/^(?:[-*+]|\d+\.)\s+/, ""))
    .filter((sentence) => ABOUT.test(sentence) && RULES.test(sentence) && !sentence.endsWith(":"))

/**
 * Lists the lines of the code blocks of a document that look like commands. A block in a list is indented. The blocks
 * of other languages are read too, since the end of one would be taken for the beginning of the next.
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
