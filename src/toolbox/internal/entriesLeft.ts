/** Says what is left to explain in the answers of `create_index_entry`: a line for each batch or file. */
import * as Effect from "effect/Effect"
import type * as Batch from "../../explore/Batch.ts"
import { type IndexEntry, isOpen } from "../../index/IndexEntry.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as WorkLeft from "../../index/WorkLeft.ts"
import { numberedName } from "./claimedSymbols.ts"

/** Returns no lines if all symbols are answered. */
export const inBatch = (batch: Batch.Batch, isAnswered: (entry: IndexEntry) => boolean): ReadonlyArray<string> => {
  const left = batch.symbols.filter((entry) => !isAnswered(entry)).map((entry) => numberedName(batch, entry))
  return left.length === 0 ? [] : [`not explained yet here: ${enumerate(left, MAX_OF_BATCH)}`]
}

const MAX_OF_BATCH = 50

/** Lists the open symbols of some files, and the first other file with open symbols. */
export const inFiles = (index: Index, paths: ReadonlySet<string>) =>
  Effect.gen(function* () {
    const here = yield* Effect.forEach(paths, (path) =>
      Effect.map(index.symbolsIn(path), (entries) => {
        const names = new Set(entries.filter(isOpen).map(({ qualifiedName }) => qualifiedName))
        return names.size === 0 ? [] : [`not explained yet in ${path}: ${enumerate(Array.from(names), MAX_OF_FILE)}`]
      }),
    )
    const { files } = WorkLeft.of(yield* index.files)
    const next = files.find(({ path }) => !paths.has(path))
    return [
      ...here.flat().slice(0, MAX_FILES),
      ...(here.flat().length > MAX_FILES ? [`and in ${here.flat().length - MAX_FILES} more of these files`] : []),
      ...(next !== undefined
        ? [`next: ${next.path} (${next.open})`]
        : here.flat().length === 0
          ? ["nothing is left to explain"]
          : []),
    ]
  })

const MAX_OF_FILE = 10

const MAX_FILES = 10

const enumerate = (names: ReadonlyArray<string>, limit: number): string =>
  `${names.slice(0, limit).join(", ")}${names.length > limit ? ` and ${names.length - limit} more` : ""}`
