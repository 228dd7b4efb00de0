/**
 * Merges two versions of a file with their common ancestor if each of its lines is a record with a key, so that two
 * branches never conflict in it. Pure, and linear in the number of lines.
 */

/** The texts of the three files that Git passes to a merge driver; `base` is empty if both branches made the file. */
export interface Sides {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

export interface Merged {
  readonly text: string
  /** The number of lines of both sides that are no records. They are at the end, between the markers of a conflict. */
  readonly damaged: number
}

export interface Records<Line> {
  readonly lines: ReadonlyMap<string, Line>
  /** The lines that are no records. */
  readonly invalid: ReadonlyArray<string>
}

interface Format<Line> {
  readonly read: (text: string) => Records<Line>
  /** Merges the lines of one key; undefined for a version that has none, and if the line is removed. */
  readonly mergeLine: (base: Line | undefined, one: Line | undefined, other: Line | undefined) => Line | undefined
  readonly render: (lines: ReadonlyArray<Line>) => string
}

export const merge = <Line>({ mergeLine, read, render }: Format<Line>, { base, ours, theirs }: Sides): Merged => {
  const before = read(base)
  const one = read(ours)
  const other = read(theirs)
  const lines = Array.from(new Set([...one.lines.keys(), ...other.lines.keys()])).flatMap((key) => {
    const line = mergeLine(before.lines.get(key), one.lines.get(key), other.lines.get(key))
    return line === undefined ? [] : [line]
  })
  const damaged = one.invalid.length + other.invalid.length
  const conflict = ["<<<<<<< ours", ...one.invalid, "=======", ...other.invalid, ">>>>>>> theirs"]
  return { text: render(lines) + (damaged === 0 ? "" : conflict.map((line) => `${line}\n`).join("")), damaged }
}
