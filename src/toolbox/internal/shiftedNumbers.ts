/** Finds purposes that a model has written beside the wrong numbers of a batch. */
import * as Effect from "effect/Effect"
import * as Batch from "../../explore/Batch.ts"
import * as PurposeCheck from "../../explore/PurposeCheck.ts"
import * as FileEntry from "../../index/FileEntry.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"

interface Shifted {
  readonly entries: ReadonlySet<IndexEntry>
  /** The reasons for the model, one for each row of numbers. */
  readonly reasons: ReadonlyArray<string>
}

export const none: Shifted = { entries: new Set(), reasons: [] }

/** See `PurposeCheck.findShifted`. `sourceOf`: the lines of a symbol. */
export const find = (
  index: Index,
  batch: Batch.Batch,
  candidates: ReadonlyArray<PurposeCheck.Candidate>,
  sourceOf: (entry: IndexEntry) => Effect.Effect<ReadonlyArray<string>>,
): Effect.Effect<Shifted, IndexError> =>
  Effect.gen(function* () {
    const positions = new Map(batch.symbols.map((entry, position) => [entry, position]))
    const numbered = candidates.flatMap(({ entry, text }) => {
      const position = positions.get(entry)
      // All of its symbols fit a file, so nothing can be told from what fits it.
      return position === undefined || FileEntry.isFile(entry) ? [] : [{ position, text }]
    })
    const symbols = yield* Effect.forEach(batch.symbols, (entry) =>
      Effect.map(FileEntry.isFile(entry) ? Effect.succeed([]) : sourceOf(entry), (source) => ({ entry, source })),
    )
    const shifted = yield* PurposeCheck.findShifted(index, numbered, symbols)
    return {
      entries: new Set(batch.symbols.filter((_, position) => shifted.has(position))),
      reasons: rowsOf(shifted).map(
        ({ by, first, last }) =>
          `${Batch.mark(first + 1)} to ${Batch.mark(last + 1)}: these purposes fit the symbols of the ${by === 1 ? "next" : "previous"} numbers better; compare them with the marks, and send them again`,
      ),
    }
  })

/** Groups neighbours with the same direction. Single numbers between two rows belong to the row. */
const rowsOf = (shifted: ReadonlyMap<number, -1 | 1>) => {
  const rows: Array<{ readonly by: -1 | 1; readonly first: number; last: number }> = []
  for (const [position, by] of Array.from(shifted).sort(([one], [other]) => one - other)) {
    const row = rows.at(-1)
    if (row !== undefined && row.by === by && position - row.last <= 2) row.last = position
    else rows.push({ by, first: position, last: position })
  }
  return rows
}
