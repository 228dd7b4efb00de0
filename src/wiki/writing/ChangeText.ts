/** The change of a source as a request shows it: its lines of before and of now, with those around them. Pure. */
import { unifiedDiff } from "../../base/unifiedDiff.ts"
import { sizeOf } from "./Material.ts"
import * as SourceText from "./SourceText.ts"

/** The beginning of a group of changed lines: the first line in the source of now. */
const HUNK = /^@@ -\d+,\d+ \+(\d+),\d+ @@$/

export interface ChangeText {
  readonly lines: ReadonlyArray<string>
  /** True if each line of the source as it is now is among them. */
  readonly isAllOfNow: boolean
}

/**
 * Writes what has changed in a source: lines that begin with `-` were there before, and lines with `+` are there now.
 * Each line that is there now has its number in the file. If that is too long, unchanged lines are left out, and then
 * what the statements need least.
 */
export const write = (
  before: string,
  now: string,
  startLine: number,
  statements: ReadonlyArray<string>,
  maxTokens: number,
): ChangeText => {
  const all = linesOf(before, now, startLine)
  const fits = all.reduce((sum, { label, text }) => sum + sizeOf(`${label} ${text}`), 0) <= maxTokens
  const shown = fits ? all : all.filter((line, at) => line.isChanged || isBeside(all, at))
  return {
    lines: SourceText.excerptOf(shown, "module", statements, maxTokens),
    isAllOfNow: fits && all.filter(({ isNow }) => isNow).length === now.split("\n").length,
  }
}

interface Line extends SourceText.Line {
  readonly isChanged: boolean
  readonly isNow: boolean
}

const isBeside = (lines: ReadonlyArray<Line>, at: number): boolean =>
  [lines[at - 1], lines[at + 1]].some((line) => line?.isChanged === true)

/** Lists the lines of the difference, with a line between groups that are apart. */
const linesOf = (before: string, now: string, startLine: number): ReadonlyArray<Line> => {
  const diff = unifiedDiff({ name: "before", text: `${before}\n` }, { name: "now", text: `${now}\n` }) ?? ""
  const lines: Array<Line> = []
  let number = startLine
  for (const line of diff.split("\n").slice(2)) {
    const [, first] = HUNK.exec(line) ?? []
    if (first !== undefined) {
      number = startLine + Number(first) - 1
      if (lines.length > 0) lines.push({ label: "", text: "(unchanged lines)", isChanged: false, isNow: false })
      continue
    }
    const [sign, text] = [line.charAt(0), line.slice(1)]
    const isNow = sign !== "-"
    lines.push({
      label: isNow ? `${number}${sign === "+" ? " +" : ""}` : "-",
      text,
      isChanged: sign !== " ",
      isNow,
    })
    if (isNow) number += 1
  }
  return lines
}
