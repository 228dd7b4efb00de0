/** The summary of `vibe index`, on stderr. Pure. */
import * as Duration from "effect/Duration"
import { plural } from "../../base/Prose.ts"
import { sanitize, sanitizeLine } from "../../base/Sanitize.ts"
import { wrap } from "../../base/wrap.ts"
import type { IndexEvent } from "../../explore/IndexEvent.ts"
import { describeFailures, type Report } from "../../explore/Report.ts"
import * as Coverage from "../../index/Coverage.ts"
import type { ModelReport } from "../../index/WikiReport.ts"
import * as WorkLeft from "../../index/WorkLeft.ts"
import * as Cost from "../../model/Cost.ts"
import * as StatusText from "../project/StatusText.ts"
import * as Screen from "../terminal/Screen.ts"
import { clock, tokens } from "./Progress.ts"

/**
 * Formats the map of the project, or the model's closing words, wrapped to `columns`; then warnings, the figures of the
 * run, and what to try next. `displayPath` formats a path of the index.
 */
export const of = (
  report: Report,
  { columns, displayPath }: { readonly columns: number; readonly displayPath: (path: string) => string },
): ReadonlyArray<string> => describe(withPaths(report, displayPath), columns)

const withPaths = (report: Report, displayPath: (path: string) => string): Report => ({
  ...report,
  left: report.left.map((file) => ({ ...file, path: displayPath(file.path) })),
  partial: report.partial.map((file) => ({ ...file, path: displayPath(file.path) })),
  notOutlined: {
    ...report.notOutlined,
    refused: report.notOutlined.refused.map((file) => ({ ...file, path: displayPath(file.path) })),
  },
  unreadable: { ...report.unreadable, paths: report.unreadable.paths.map(displayPath) },
})

const describe = (report: Report, columns: number): ReadonlyArray<string> => [
  ...opening(report, columns),
  ...warning(report),
  ...unreadableWarning(report),
  ...partialWarning(report),
  ...lackOfCode(report),
  `${plural(report.symbols, "symbol")} in ${plural(report.files, "file")}${work(report)}`,
  figures(report),
  ...notOutlined(report),
  ...remaining(report),
  ...weakHint(report),
  ...wiki(report),
  ...(report.symbols === 0 ? [] : ["", "Next:", ...suggestions(report)]),
]

/** One line. What the run has spent is set apart from the counts of tests and examples. */
const figures = (report: Report): string => {
  const share = explainedShare(report)
  const used = [...spent(report), `took ${clock(Duration.millis(report.durationMs))}`].join(", ")
  return `${share}${share.includes(";") ? ";" : ","} ${used}`
}

const work = (report: Report): string => {
  // The offline guide writes no purposes, so its requests say nothing to a reader.
  if (isOffline(report) && report.iterations > 0) return ", read without a language model"
  return report.iterations === 0 && report.outcome === "complete"
    ? "; nothing was left to explain, so no model was asked"
    : `, ${plural(report.purposesWritten, "purpose")} written in ${plural(report.iterations, "request")}${inBatches(report)} by ${modelsOf(report)}`
}

const isOffline = ({ model }: Report): boolean => model === "offline"

/** One line about the wiki. What is wrong with its files comes first. */
const wiki = ({ wiki }: Report): ReadonlyArray<string> => {
  if (wiki === null) return []
  if (wiki.pages === 0 && wiki.failure !== null) return [sanitizeLine(`The wiki was not written: ${wiki.failure}`)]
  const { gone, left, touched, written } = wiki
  const states = [
    ...(gone === 0 ? [] : [`${plural(gone, "statement")} about code that is gone`]),
    ...(touched === 0 ? [] : [`${touched} to look at again`]),
  ]
  const parts = [
    written.length === 0
      ? ""
      : written.length === wiki.pages
        ? "all new or changed"
        : `${written.length} new or changed`,
    ...states,
    ...(left.length === 0 ? [] : [`${left.join(", ")} left as ${left.length === 1 ? "it is" : "they are"}`]),
    wiki.failure ?? "",
  ].filter((part) => part !== "")
  return [
    sanitizeLine(`Wiki: ${[plural(wiki.pages, "page"), ...parts].join(", ")} (vibe wiki)`),
    ...byModel(wiki.model),
  ]
}

/** One line about what a model wrote of the wiki; none if it was asked nothing. */
const byModel = (model: ModelReport | null): ReadonlyArray<string> => {
  if (model === null || (model.requests === 0 && model.missing.length === 0)) return []
  const { checked, judged, missing, outcome, reason, written } = model
  const why =
    outcome === "budget"
      ? ", since the next request would cost more than the run may"
      : outcome === "failed" && reason !== null
        ? `: ${reason}`
        : ""
  const did = [
    ...(written.length === 0 ? [] : [`wrote ${plural(written.length, "page")}`]),
    ...(checked.corrected + checked.dropped === 0
      ? []
      : [`had ${plural(checked.corrected + checked.dropped, "statement")} corrected or dropped by the source`]),
    ...(checked.undecided === 0 ? [] : [`left ${plural(checked.undecided, "statement")} marked as not checked`]),
    ...(judged.statements === 0
      ? []
      : [
          `judged ${plural(judged.statements, "statement")} about changed code (${judged.corrected} corrected, ${judged.dropped} dropped)`,
        ]),
    ...(missing.length === 0 ? [] : [`${plural(missing.length, "page")} left to write${why}`]),
  ]
  return did.length === 0 ? [] : [sanitizeLine(`  The model: ${did.join("; ")}`)]
}

/**
 * The map, which is limited in length, or else the summary. Empty if no model was asked: the map has not changed then.
 */
const opening = (report: Report, columns: number): ReadonlyArray<string> =>
  report.iterations === 0
    ? []
    : report.map === null
      ? summary(report, columns)
      : [...Screen.wrapLines(report.map, columns), ""]

/** The most lines of a summary; a longer text is cut behind them. */
const MAX_SUMMARY_LINES = 12

/** Empty for a run that was cut short: its last text is no summary. */
const summary = ({ outcome, summary }: Report, columns: number): ReadonlyArray<string> => {
  if (outcome === "unexplained" || outcome === "limit" || outcome === "budget") return []
  const lines = sanitize(summary)
    .trim()
    .replaceAll(/\n(?:[^\S\n]*\n)+/g, "\n")
    .split("\n")
    .flatMap((line) => wrap(line.trimEnd(), columns))
  const shown = lines.length <= MAX_SUMMARY_LINES ? lines : [...lines.slice(0, MAX_SUMMARY_LINES - 1), "…"]
  return summary.trim() === "" ? [] : [...shown, ""]
}

/** The next three commands, each with what it does. One names a symbol that this codebase uses a lot. */
export const suggestions = ({ landmarks: [landmark] }: Pick<Report, "landmarks">): ReadonlyArray<string> => {
  const commands = [
    ['vibe query "your question"', "find the code that answers it"],
    landmark === undefined
      ? ["vibe map", "the project in a page"]
      : [`vibe show ${sanitizeLine(landmark.symbol)}`, "what a symbol is for, and what uses it"],
    ["vibe serve --open", "read all of it in the browser"],
  ] as const
  const width = Math.max(...commands.map(([command]) => command.length))
  return commands.map(([command, does]) => `  ${command.padEnd(width)}   ${does}`)
}

type Stopped = Extract<IndexEvent, { readonly _tag: "Stopped" }>

/** The summary of a run that failed or was interrupted. */
export const ofStopped = (stopped: Stopped): string => {
  const { lost, purposesWritten } = stopped
  const used = spent(stopped).map((part) => `, ${part}`)
  if (purposesWritten === 0) {
    const kept = lost === undefined ? "; the files read so far are kept" : ""
    return `stopped before any purpose was written${used.join("")}${kept}`
  }
  const verb = purposesWritten === 1 ? "is" : "are"
  const fate = lost === undefined ? "kept" : `lost: ${sanitizeLine(lost.message)}`
  const hint = lost === undefined ? "; run it again to go on" : ""
  return `stopped; ${plural(purposesWritten, "purpose")} written so far ${verb} ${fate}${used.join("")}${hint}`
}

const warning = (report: Report): ReadonlyArray<string> => {
  const { iterations, left, leftBeside, leftFiles, leftSymbols, outcome } = report
  if (outcome === "partial") return [sanitizeLine(`warning: ${describeFailures(report)}`)]
  if (outcome === "truncated") return ["warning: the model's last words were cut off"]
  // The failure of the command says why.
  if (outcome === "complete" || outcome === "unexplained") return []
  if (outcome === "budget" && iterations === 0) {
    return [
      `warning: no request was sent, since even one for a single symbol would exceed the limit of the run, with ${leftOf({ leftBeside, leftFiles, leftSymbols })} left; 'vibe index --estimate' says what a run costs`,
    ]
  }
  const rest = leftFiles - left.length
  const why = outcome === "budget" ? ", since the next would cost more than the run may" : ""
  return [
    `warning: stopped after ${plural(iterations, "request")}${why}, with ${leftOf({ leftBeside, leftFiles, leftSymbols })} left`,
    ...left.map(({ path, symbols }) => `  ${sanitizeLine(path)} (${symbols})`),
    ...(rest > 0 ? [`  and ${plural(rest, "more file")}`] : []),
    ...(leftSymbols > 0 ? ["  Run it again to go on: what is known is kept."] : []),
  ]
}

/** Lists the work left after a model has ended its exploration. A run that was cut short has a warning instead. */
const remaining = (report: Report): ReadonlyArray<string> =>
  report.leftSymbols === 0 || report.outcome === "limit" || report.outcome === "budget"
    ? []
    : isOffline(report)
      ? [`A language model can explain ${leftOf(report)} that no comment explains (vibe models)`]
      : [`${leftOf(report)} still without a purpose; ${wayOn(report)}`]

const wayOn = ({ batches, purposesWritten }: Report): string =>
  batches > 0 && purposesWritten === 0
    ? "no batch was explained, for the reasons above: another model may do better"
    : "run it again to go on"

const weakHint = ({ weak }: Report): ReadonlyArray<string> =>
  weak === 0
    ? []
    : [`${plural(weak, "purpose")} failed a check (vibe show NAME says why); vibe index --refresh-weak asks again`]

/** `10 major symbols in 3 files of code (and 483 in tests)`. */
const leftOf = ({ leftBeside, leftFiles, leftSymbols }: Pick<Report, "leftBeside" | "leftFiles" | "leftSymbols">) => {
  const ofCode = `${plural(leftSymbols, "major symbol")} in ${plural(leftFiles, "file")}`
  return leftBeside.length === 0 ? ofCode : `${ofCode} of code (and ${WorkLeft.describeBeside({ beside: leftBeside })})`
}

/** A warning is enough, and the exit code stays 0: all that can be read is indexed. */
const unreadableWarning = ({ unreadable }: Report): ReadonlyArray<string> => {
  const text = StatusText.unreadable(unreadable)
  if (text === undefined) return []
  const rest = unreadable.files + unreadable.folders - unreadable.paths.length
  return [
    `warning: ${text}, so the index has nothing of ${unreadable.files + unreadable.folders === 1 ? "it" : "them"}`,
    ...unreadable.paths.map((path) => `  ${sanitizeLine(path)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ]
}

const partialWarning = ({ partial, partialFiles }: Report): ReadonlyArray<string> => {
  if (partialFiles === 0) return []
  const rest = partialFiles - partial.length
  return [
    `warning: ${plural(partialFiles, "file")} only partly outlined, so some of their symbols are missing`,
    ...partial.map(({ note, path }) => `  ${sanitizeLine(path)} (${sanitizeLine(note)})`),
    ...(rest > 0 ? [`  and ${plural(rest, "more file")}`] : []),
    ...(partial.some(({ cut }) => cut === "time") ? ["  Run it again: what took too long is outlined anew."] : []),
  ]
}

/** The source files that have no symbols in the index, in one line. */
const notOutlined = ({ notOutlined }: Report): ReadonlyArray<string> => {
  const text = StatusText.notOutlined(notOutlined, (path) => path)
  return text === undefined ? [] : [`not outlined: ${text}`]
}

const inBatches = ({ batches, explorations }: Report): string => {
  const parts = [
    ...(explorations > 1 ? [plural(explorations, "exploration")] : []),
    ...(batches === 0 ? [] : [batches === 1 ? "1 batch" : `${batches} batches`]),
  ]
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`
}

const modelsOf = ({ liteModel, model }: Report): string =>
  sanitizeLine(liteModel === null || liteModel === model ? model : `${model} and ${liteModel}`)

/** The work of a further run: stale purposes, weak ones, and symbols without any. */
const describeUnfinished = ({ leftSymbols, stale, weak }: Report): string =>
  [
    ...(stale === 0 ? [] : [`, ${stale} stale`]),
    ...(weak === 0 ? [] : [`, ${weak} weak`]),
    ...(leftSymbols === 0 ? [] : [`, ${leftSymbols} not yet`]),
  ].join("")

/** Empty for a model that uses no tokens. */
const spent = ({
  cost,
  usage,
}: Pick<Report, "usage"> & { readonly cost: Stopped["cost"] | null }): ReadonlyArray<string> =>
  usage.inputTokens + usage.outputTokens === 0
    ? []
    : [`${tokens(usage)} tokens`, ...(cost === 0 ? [] : [Cost.describe(cost ?? undefined)])]

/**
 * Formats `10 of 20 major symbols in code (50%) are explained by models and comments, 2 stale, 4 weak, 10 not yet;
 * tests: 4 of 487`. If no language model was asked, the last lines say how many it could explain.
 */
const explainedShare = (report: Report): string => {
  const { classes, coveredSymbols: covered, majorSymbols, purposes } = report
  if (majorSymbols === 0) return "no major symbols"
  const others = describeUnfinished(isOffline(report) ? { ...report, leftSymbols: 0 } : report)
  return `${StatusText.explained({ classes, covered, majorSymbols, purposes })}${others}${Coverage.describeBeside(classes)}`
}

/** The note if no code has major symbols: an attributes file may mark everything as something else. */
const lackOfCode = ({ classes }: Report): ReadonlyArray<string> => {
  const described = Coverage.describeLackOfCode(classes)
  return described === undefined ? [] : [`note: ${described}`]
}
