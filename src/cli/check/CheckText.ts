/** The text that `vibe check` prints. Pure. */

import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { wrap } from "../../base/wrap.ts"
import * as PurposesFile from "../../index/PurposesFile.ts"
import type { Finding, RuleId } from "../../review/Findings.ts"
import type { Review } from "../../review/Review.ts"
import * as SymbolDiff from "../../review/SymbolDiff.ts"

export interface Format {
  readonly style: Style
  /** The width of the terminal; undefined if the output is no terminal. */
  readonly columns: number | undefined
  /** Formats a path for printing. */
  readonly show: (path: string) => string
}

/** Lines for stderr that say what limits the answer. */
export const notices = (
  { comparison, unmerged: all }: Pick<Review, "comparison" | "unmerged">,
  show: (path: string) => string,
): ReadonlyArray<string> => {
  // A conflict in the file of purposes is reported as a finding.
  const unmerged = all.filter((path) => !PurposesFile.isPath(path))
  return [
    ...(unmerged.length === 0
      ? []
      : [
          `files with merge conflicts are left out: ${unmerged.slice(0, MAX_PATHS).map(show).join(", ")}${more(unmerged)}`,
        ]),
    ...(comparison.isMerging && all.length === 0
      ? ["a merge is in progress, and what it brings counts as changed"]
      : []),
  ]
}

/** Says that no symbols are compared in submodules. */
export const describeSubmodules = (
  { submodules }: Pick<Review, "submodules">,
  show: (path: string) => string,
): ReadonlyArray<string> => {
  if (submodules.length === 0) return []
  const names = submodules
    .slice(0, MAX_PATHS)
    .map(({ path, status }) => `${show(path)} (submodule${status === "changed" ? "" : `, ${status}`})`)
  const have = submodules.length === 1 ? "has changed, and its symbols are" : "have changed, and their symbols are"
  return [`${names.join(", ")}${more(submodules)} ${have} not compared; run this there`]
}

const MAX_PATHS = 5

const more = (paths: ReadonlyArray<unknown>): string =>
  paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : ""

/** Returns the findings, grouped by their places, and a line that sums them up. */
export const toText = (review: Review, findings: ReadonlyArray<Finding>, { columns, show, style }: Format): string => {
  const lines = findings.flatMap(({ correction, diff = [], line, message, path, rule, verdict }) => [
    `${style.strong(sanitizeLine(`${show(path)}:${line}`))}  ${style.quiet(rule)}`,
    ...wrap(sanitizeLine(message), (columns ?? Number.POSITIVE_INFINITY) - 2).map((line) => `  ${line}`),
    ...wrap(sanitizeLine(describeVerdict(verdict, correction)), (columns ?? Number.POSITIVE_INFINITY) - 2).flatMap(
      (line) => (line === "" ? [] : [`  ${line}`]),
    ),
    ...diff.map((line) => style.quiet(`    ${sanitizeLine(line)}`)),
  ])
  const summary = [...summarize(review, findings), ...describeSubmodules(review, show)]
  return [...lines, ...(lines.length === 0 ? [] : [""]), ...wrapAll(summary, columns)].join("\n")
}

const describeVerdict = (verdict: Finding["verdict"], correction: string | undefined): string => {
  if (verdict === undefined) return ""
  if (verdict === "holds") return "The model says: it holds"
  if (verdict === "unjudged") return "The model could not judge it"
  return correction === undefined ? "The model says: it is untrue" : `The model corrects it: ${correction}`
}

const wrapAll = (lines: ReadonlyArray<string>, columns: number | undefined): ReadonlyArray<string> =>
  lines.flatMap((line) => wrap(sanitizeLine(line), columns ?? Number.POSITIVE_INFINITY))

const summarize = ({ changes, comparison, files }: Review, findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const compared = `compared ${comparison.title}: ${plural(SymbolDiff.withoutImplied(changes).length, "changed symbol")} in ${plural(files.length, "file")}`
  if (findings.length === 0) return [`no findings; ${compared}`]
  const count = (id: RuleId) => findings.filter(({ rule }) => rule === id).length
  const [stale, missing] = [count("stale-purpose"), count("missing-purpose")]
  const [all, gone, untrue] = [count("touched-statement"), count("gone-statement"), count("untrue-statement")]
  const holds = findings.filter(({ verdict }) => verdict === "holds").length
  const touched = all - holds
  const inFile = findings.length - stale - missing - all - gone - untrue
  const counts = [
    ...(stale > 0 ? [plural(stale, "stale purpose")] : []),
    ...(missing > 0 ? [`${plural(missing, "new symbol")} without a purpose`] : []),
    ...(untrue > 0 ? [`${plural(untrue, "untrue statement")} of the wiki`] : []),
    ...(holds > 0 ? [`${plural(holds, "statement")} of the wiki that the model found true`] : []),
    ...(touched > 0 ? [`${plural(touched, "statement")} of the wiki to look at again`] : []),
    ...(gone > 0 ? [`${plural(gone, "statement")} of the wiki about what is gone`] : []),
    ...(inFile > 0 ? [`${plural(inFile, "flaw")} of purposes.jsonl`] : []),
  ].join(", ")
  const advice = [
    ...(stale + missing > 0
      ? [
          findings.some(({ isBehindComment }) => isBehindComment)
            ? "'vibe index --documented' explains what is stale or new, also what has a comment"
            : "'vibe index' explains what is stale or new",
        ]
      : []),
    ...(touched + gone + untrue > 0 ? ["'vibe index' with a model judges statements and rewrites what is untrue"] : []),
    ...(inFile > 0 ? ["'vibe check --fix' repairs purposes.jsonl"] : []),
  ].join("; ")
  return [`${counts}; ${compared}`, ...(advice === "" ? [] : [advice])]
}

export const toJson = (
  { changes, comparison, files, submodules, unmerged }: Review,
  findings: ReadonlyArray<Finding>,
) => ({
  base: comparison.from,
  title: comparison.title,
  files: files.length,
  changedSymbols: changes.length,
  submodules: submodules.map(({ path, status }) => ({ path, status })),
  unmerged,
  findings: findings.map(({ correction, level, line, message, path, purpose, rule, statement, symbol, verdict }) => ({
    rule,
    level,
    path,
    line,
    symbol: symbol?.qualifiedName ?? null,
    kind: symbol?.kind ?? null,
    startLine: symbol?.startLine ?? null,
    endLine: symbol?.endLine ?? null,
    message,
    purpose: purpose?.text ?? null,
    statement: statement ?? null,
    verdict: verdict ?? null,
    correction: correction ?? null,
  })),
})
