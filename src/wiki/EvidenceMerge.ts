/** Merges two versions of `statements.jsonl` with their common ancestor (`LineMerge`). Pure. */
import * as Json from "../base/Json.ts"
import * as LineMerge from "../index/LineMerge.ts"
import * as Evidence from "./Evidence.ts"

/** Returns whether one of the sides has lines of evidence, and not those of another file. */
export const isEvidence = ({ base, ours, theirs }: LineMerge.Sides): boolean =>
  [base, ours, theirs].some((text) =>
    text.split("\n").some((line) => line.includes(DIGEST) && Evidence.parse(line).lines.length > 0),
  )

/**
 * The key that each line of evidence has, and a purpose has in no string, where quotes are escaped. To decode all lines
 * of a file of purposes would take most of the time of a merge.
 */
const DIGEST = '"digest"'

/**
 * A line that only one side changed or removed is changed or removed. If both changed it, the one that comes last in
 * the alphabet stays, so that the result does not depend on which side is ours; a change wins over a removal.
 */
export const merge = (sides: LineMerge.Sides): LineMerge.Merged =>
  LineMerge.merge(
    { read, mergeLine, render: (lines) => Evidence.render({ lines, invalid: [] }, Evidence.withAllKeys) },
    sides,
  )

/** The lines of a text by page, digest and the number among equal statements of the page. */
const read = (text: string) => {
  const { invalid, lines } = Evidence.parse(text, Evidence.withAllKeys)
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

/** Compares by content, since a newer version or a person may have the keys in another order. */
const mergeLine = (
  base: Evidence.Line | undefined,
  one: Evidence.Line | undefined,
  other: Evidence.Line | undefined,
): Evidence.Line | undefined => {
  const [before, ours, theirs] = [base, one, other].map((line) => Json.canonicalText(line ?? null))
  if (ours !== theirs && ours === before) return other
  if (ours !== theirs && theirs === before) return one
  if (one === undefined || other === undefined) return one ?? other
  return JSON.stringify(one) >= JSON.stringify(other) ? one : other
}
