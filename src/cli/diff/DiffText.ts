/** The text that `vibe diff` prints: the changed symbols of each file, code first, short enough for a review. Pure. */

import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { wrap } from "../../base/wrap.ts"
import * as FileClass from "../../code/FileClass.ts"
import { statementOf } from "../../index/IndexEntry.ts"
import * as SymbolText from "../../lookup/SymbolText.ts"
import type { Review, ReviewedFile } from "../../review/Review.ts"
import { WORKING_TREE } from "../../review/Revisions.ts"
import * as SymbolDiff from "../../review/SymbolDiff.ts"
import type { SymbolVersion } from "../../review/SymbolVersion.ts"
import { describeSubmodules, type Format } from "../check/CheckText.ts"
import * as CodeColours from "../terminal/CodeColours.ts"

export const toText = (review: Review, format: Format): string => {
  const { style } = format
  const byPath = groupByPath(review)
  const inCode = review.files.filter((file) => file.class === "code")
  const detail = detailFor(inCode.reduce((sum, { path }) => sum + (byPath.get(path)?.length ?? 0), 0))
  const sections = [...review.files].sort(byClass).flatMap((file) => {
    const changes = byPath.get(file.path) ?? []
    if (changes.length === 0) return []
    const heading = style.strong(sanitizeLine(format.show(file.path)))
    // Code is listed symbol by symbol; tests and other files are only listed by name.
    return file.class === "code" && detail !== "names"
      ? [[heading, ...describeAll(changes, detail, format)].join("\n")]
      : [[heading, ...wrapIndented(namesOf(changes), 2, format)].join("\n")]
  })
  return [
    wrapIndented(sanitizeLine(titleOf(review)), 0, format).join("\n"),
    ...sections,
    ...purposesOf(review),
    ...othersOf(review, format),
    ...describeSubmodules(review, format.show).map((line) => wrapIndented(sanitizeLine(line), 0, format).join("\n")),
  ].join("\n\n")
}

/** How much is printed of each symbol of the code: signature and purpose, one line, or its name in a list. */
type Detail = "full" | "line" | "names"

/** A review is read by people: the more symbols it has, the less is printed of each. */
const detailFor = (symbols: number): Detail => (symbols <= MAX_FULL ? "full" : symbols <= MAX_LINES ? "line" : "names")

const MAX_FULL = 80
const MAX_LINES = 400

/** The changes that are printed. */
const groupByPath = ({ changes }: Review): ReadonlyMap<string, ReadonlyArray<SymbolDiff.SymbolChange>> =>
  Map.groupBy(SymbolDiff.withoutImplied(changes), (change) => SymbolDiff.subjectOf(change).path)

const byClass = (one: ReviewedFile, other: ReviewedFile): number =>
  FileClass.all.indexOf(one.class) - FileClass.all.indexOf(other.class)

const titleOf = (review: Review): string => {
  const printed = Array.from(groupByPath(review).values()).flat()
  const counts = (["added", "changed", "moved", "renamed", "removed"] as const).flatMap((kind) => {
    const count = printed.filter(({ change }) => change === kind).length
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  const symbols = counts.length === 0 ? "no symbol has changed" : `symbols: ${counts.join(", ")}`
  return `compared ${review.comparison.title}; ${symbols}`
}

/** Symbols that have moved together, unchanged, are printed in one line. */
const describeAll = (
  changes: ReadonlyArray<SymbolDiff.SymbolChange>,
  detail: Detail,
  format: Format,
): ReadonlyArray<string> => {
  const moved = Map.groupBy(changes, (change) => (change.change === "moved" ? change.before.path : ""))
  const together = new Set(
    Array.from(moved).flatMap(([from, some]) => (from !== "" && some.length > MAX_MOVED ? [from] : [])),
  )
  return [
    ...Array.from(together, (from) => {
      const names = (moved.get(from) ?? []).map((change) => SymbolDiff.subjectOf(change).qualifiedName)
      return wrapIndented(sanitizeLine(`${marks.moved} from ${format.show(from)}: ${listOf(names)}`), 2, format)
    }).flat(),
    ...changes
      .filter((change) => change.change !== "moved" || !together.has(change.before.path))
      .flatMap((change) => describe(change, detail, format)),
  ]
}

/** The most moved symbols of one file that are printed each on a line; more are printed in one line. */
const MAX_MOVED = 3

const marks = { added: "+", removed: "-", changed: "~", moved: ">", renamed: ">" } as const

const colourOf = {
  added: "added",
  removed: "removed",
  changed: "changed",
  moved: "changed",
  renamed: "changed",
} as const

/** Formats `~ method Forest.edit (body)` with its place, and its purpose below it. */
const describe = (change: SymbolDiff.SymbolChange, detail: Detail, format: Format): ReadonlyArray<string> => {
  const subject = SymbolDiff.subjectOf(change)
  const { quiet } = format.style
  const place = change.change === "removed" ? "" : `:${subject.startLine}`
  const heading = sanitizeLine(
    `${marks[change.change]} ${subject.kind} ${subject.qualifiedName}${wordsOf(change, format)}`,
  )
  if (detail === "line") {
    const [purpose] = purposeOf(change, MAX_PURPOSE_IN_LINE)
    return wrapIndented(`${heading}${purpose === undefined ? "" : `: ${purpose}`}`, 2, format)
  }
  const colours = CodeColours.of(format.style)
  const paint = colours?.paint(subject.path) ?? quiet
  const [first = "", ...rest] = wrapIndented(`${heading}${place === "" ? "" : `  ${place}`}`, 2, format)
  return [
    first.replace(marks[change.change], colours?.[colourOf[change.change]] ?? ((mark) => mark)),
    ...rest,
    ...signaturesOf(change).flatMap((line) => wrapIndented(line, 6, format).map(paint)),
    ...purposeOf(change, MAX_PURPOSE).flatMap((line) => wrapIndented(line, 6, format)),
  ]
}

const wordsOf = (change: SymbolDiff.SymbolChange, { show }: Format): string => {
  switch (change.change) {
    case "added":
    case "removed":
      return ""
    case "changed":
      return ` (${change.extent}${change.before.path === change.after.path ? "" : `, from ${show(change.before.path)}`})`
    case "moved":
      return ` (from ${show(change.before.path)})`
    case "renamed": {
      const { after, before } = change
      return ` (was ${before.qualifiedName}${before.path === after.path ? "" : ` in ${show(before.path)}`})`
    }
  }
}

/** Both signatures of a changed symbol. A new symbol has its own, if it says more than the heading. */
const signaturesOf = (change: SymbolDiff.SymbolChange): ReadonlyArray<string> => {
  const shorten = ({ signature }: SymbolVersion) => SymbolText.cut(sanitizeLine(signature), MAX_SIGNATURE)
  if (change.change === "changed" && change.extent === "signature") {
    return [`was ${shorten(change.before)}`, `now ${shorten(change.after)}`]
  }
  return change.change === "added" && change.after.signature.includes("(") ? [shorten(change.after)] : []
}

const MAX_SIGNATURE = 120

/** The purpose of the symbol, or else one that a model wrote for it under another name, or as another kind. */
const purposeOf = (change: SymbolDiff.SymbolChange, most: number): ReadonlyArray<string> => {
  const own = SymbolDiff.subjectOf(change).purpose
  const former = change.change === "added" ? undefined : change.before.purpose
  const purpose = own ?? (former?.origin === "model" ? former : undefined)
  if (purpose === undefined) return []
  const isStale = purpose.stale || (own === undefined && change.change !== "removed")
  return [`${SymbolText.cut(sanitizeLine(statementOf(purpose)), most)}${isStale ? " (stale)" : ""}`]
}

const MAX_PURPOSE = 200
const MAX_PURPOSE_IN_LINE = 100

/** `+ a, b; ~ c`. */
const namesOf = (changes: ReadonlyArray<SymbolDiff.SymbolChange>): string =>
  Array.from(
    Map.groupBy(changes, ({ change }) => marks[change]),
    ([mark, some]) => {
      return `${mark} ${listOf(some.map((change) => SymbolDiff.subjectOf(change).qualifiedName))}`
    },
  ).join("; ")

const listOf = (names: ReadonlyArray<string>): string =>
  sanitizeLine(
    `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ""}`,
  )

const MAX_NAMES = 8

const purposesOf = ({ purposeChanges }: Review): ReadonlyArray<string> => {
  const counts = (["new", "rewritten", "removed"] as const).flatMap((kind) =>
    purposeChanges[kind] === 0 ? [] : [`${purposeChanges[kind]} ${kind}`],
  )
  return counts.length === 0 ? [] : [`purposes: ${counts.join(", ")}`]
}

const othersOf = ({ others }: Review, format: Format): ReadonlyArray<string> => {
  if (others.length === 0) return []
  const names = others.slice(0, MAX_OTHERS).map(({ path, status }) => {
    const mark = status === "changed" ? "" : ` (${status})`
    return `${format.show(path)}${mark}`
  })
  const left = others.length - names.length
  const list = `${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`
  return [wrapIndented(`${plural(others.length, "other file")}: ${sanitizeLine(list)}`, 0, format).join("\n")]
}

const MAX_OTHERS = 10

const wrapIndented = (text: string, indent: number, { columns }: Format): ReadonlyArray<string> =>
  wrap(text, (columns ?? Number.POSITIVE_INFINITY) - indent).map((line) => `${" ".repeat(indent)}${line}`)

export const toJson = (review: Review) => {
  const { comparison, files, others, purposeChanges, submodules, unmerged } = review
  const byPath = Map.groupBy(review.changes, (change) => SymbolDiff.subjectOf(change).path)
  return {
    from: comparison.from,
    to: comparison.to === WORKING_TREE ? null : comparison.to,
    title: comparison.title,
    files: [...files].sort(byClass).map((file) => ({
      path: file.path,
      class: file.class,
      symbols: (byPath.get(file.path) ?? []).map((change) => ({
        change: change.change,
        extent: change.change === "changed" ? change.extent : null,
        ...symbolJson(SymbolDiff.subjectOf(change)),
        before: change.change === "added" || change.change === "removed" ? null : symbolJson(change.before),
      })),
    })),
    others: others.map(({ path, status }) => ({ path, status })),
    submodules: submodules.map(({ path, status }) => ({ path, status })),
    purposes: purposeChanges,
    unmerged,
  }
}

const symbolJson = (symbol: SymbolVersion) => ({
  path: symbol.path,
  symbol: symbol.qualifiedName,
  kind: symbol.kind,
  startLine: symbol.startLine,
  endLine: symbol.endLine,
  signature: symbol.signature,
  purpose: symbol.purpose?.text ?? null,
  purposeOrigin: symbol.purpose?.origin ?? null,
  stale: symbol.purpose?.stale ?? false,
})
