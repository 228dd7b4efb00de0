/**
 * Merges two versions of `statements.jsonl` with their common ancestor, line by line, so that two branches never
 * conflict in it. Pure.
 */
import * as Evidence from "./Evidence.ts"

/** The texts of the three files that Git passes to a merge driver; `base` is empty if both branches made the file. */
export interface Sides {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

export interface Merged {
  readonly text: string
  /** The number of lines of both sides that are no evidence. They are at the end, between the markers of a conflict. */
  readonly damaged: number
}

/** Returns whether one of the sides has lines of evidence, and not those of another file. */
export const isEvidence = ({ base, ours, theirs }: Sides): boolean =>
  [base, ours, theirs].some((text) => Evidence.parse(text).lines.length > 0)

/**
 * A line that only one side changed or removed is changed or removed. If both changed it, the one that comes last in
 * the alphabet stays, so that the result does not depend on which side is ours; a change wins over a removal.
 */
export const merge = ({ base, ours, theirs }: Sides): Merged => {
  const before = read(base)
  const one = read(ours)
  const other = read(theirs)
  const lines = Array.from(new Set([...one.lines.keys(), ...other.lines.keys()])).flatMap((key) => {
    const line = mergeLine(before.lines.get(key), one.lines.get(key), other.lines.get(key))
    return line === undefined ? [] : [line]
  })
  const text = Evidence.render({ lines, invalid: [] })
  const damaged = one.invalid.length + other.invalid.length
  const conflict = ["<<<<<<< ours", ...one.invalid, "=======", ...other.invalid, ">>>>>>> theirs"]
  return { text: damaged === 0 ? text : text + conflict.map((line) => `${line}\n`).join(""), damaged }
}

/** The lines of a text by page, digest and the number among equal statements of the page. */
const read = (text: string) => {
  const { invalid, lines } = Evidence.parse(text)
  const counts = new Map<string, number>()
  const byKey = new Map<string, Evidence.Line>()
  for (const line of lines) {
    const statement = JSON.stringify([line.page, line.digest])
    const count = counts.get(statement) ?? 0
    counts.set(statement, count + 1)
    byKey.set(`${statement} ${count}`, line)
  }
  return { invalid, lines: byKey }
}

const mergeLine = (
  base: Evidence.Line | undefined,
  one: Evidence.Line | undefined,
  other: Evidence.Line | undefined,
): Evidence.Line | undefined => {
  const [before, ours, theirs] = [base, one, other].map((line) => JSON.stringify(line) ?? "")
  if (ours === before) return other
  if (theirs === before) return one
  if (one === undefined || other === undefined) return one ?? other
  return (ours ?? "") >= (theirs ?? "") ? one : other
}
