/** The major symbols without a purpose: those of the code first, and those of the other classes of files separately. */
import * as FileClass from "../code/FileClass.ts"
import type * as Coverage from "./Coverage.ts"
import type { IndexedFile } from "./IndexStore.ts"

export interface WorkLeft {
  readonly focus: Coverage.Focus
  /** Files of the classes that count, those that others use most first. */
  readonly files: ReadonlyArray<IndexedFile>
  /** The other classes, in the order of `FileClass.all`. */
  readonly beside: ReadonlyArray<{
    readonly class: FileClass.FileClass
    readonly files: number
    readonly symbols: number
  }>
}

export const of = (files: ReadonlyArray<IndexedFile>): WorkLeft => {
  const focus = files.some((file) => file.class === "code" && file.major > 0) ? "code" : "all"
  const waiting = files.filter(({ open }) => open > 0)
  const rank = (file: IndexedFile) => FileClass.all.indexOf(file.class)
  return {
    focus,
    files: waiting
      .filter((file) => focus === "all" || file.class === "code")
      .sort((one, other) => rank(one) - rank(other) || other.importance - one.importance || other.open - one.open),
    beside:
      focus === "all"
        ? []
        : FileClass.all.flatMap((name) => {
            const ofClass = waiting.filter((file) => file.class === name)
            return name === "code" || ofClass.length === 0
              ? []
              : [{ class: name, files: ofClass.length, symbols: ofClass.reduce((sum, file) => sum + file.open, 0) }]
          }),
  }
}

/** Writes `483 in tests, 27 in generated files`. */
export const describeBeside = ({ beside }: Pick<WorkLeft, "beside">): string =>
  beside.map(({ class: name, symbols }) => `${symbols} in ${FileClass.nounOf(name)}`).join(", ")
