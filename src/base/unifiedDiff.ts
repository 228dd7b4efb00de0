/** Makes unified diffs of two texts. */
import { structuredPatch } from "diff"

interface Side {
  /** The name in the header of the diff. */
  readonly name: string
  readonly text: string
}

/** The time after which the diff replaces the whole text. */
const MAX_DIFF_MS = 2000

/** Returns a diff with three lines of context and no line break at its end; `undefined` for equal texts. */
export const unifiedDiff = (before: Side, after: Side): string | undefined => {
  if (before.text === after.text) return undefined
  const options = { context: 3, timeout: MAX_DIFF_MS }
  const patch = structuredPatch(before.name, after.name, before.text, after.text, undefined, undefined, options)
  return [`--- ${before.name}`, `+++ ${after.name}`, ...(patch?.hunks ?? [whole(before, after)]).flatMap(lines)].join(
    "\n",
  )
}

interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: ReadonlyArray<string>
}

const lines = ({ lines, newLines, newStart, oldLines, oldStart }: Hunk): ReadonlyArray<string> => [
  `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
  ...lines,
]

/** An empty range starts at the line before it. */
const range = (start: number, length: number): string => `${length === 0 ? start - 1 : start},${length}`

const whole = (before: Side, after: Side): Hunk => {
  const [old, fresh] = [linesOf(before.text), linesOf(after.text)]
  return {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: fresh.length,
    lines: [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)],
  }
}

/** Splits a text into lines, and adds the marker of Git if the last line has no line break. */
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const last = lines.pop() ?? ""
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}
