/** What changed from one text to another, as a unified diff. Pure. */
import { structuredPatch } from "diff"

export interface Side {
  /** What it is called at the head of the diff. */
  readonly name: string
  readonly text: string
}

/** Milliseconds after which two long texts are told apart as wholes. */
const PATIENCE = 2000

/** Three lines around each change; without a line break at its end. None where they say the same. */
export const unifiedDiff = (before: Side, after: Side): string | undefined => {
  if (before.text === after.text) return undefined
  const options = { context: 3, timeout: PATIENCE }
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

/** Of no lines, the line that they would follow. */
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

/** With the mark of git behind a last line that does not end. */
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const last = lines.pop() ?? ""
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}
