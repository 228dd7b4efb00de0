/** The index of a run that asks for weak purposes again (`vibe index --refresh-weak`). */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { IndexEntry, type Purpose } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"
import type { Index, IndexedFile } from "./IndexStore.ts"

/**
 * An index in which weak purposes count as stale, and so as open, until another one is recorded through it. One that is
 * weak again is not asked for again: a run that goes on until nothing is open ends. Neither is one for which a model of the
 * run (`provider/name`) had a second try: it would be paid for in each run.
 */
export const reopen = (index: Index, models: ReadonlyArray<string>): Effect.Effect<Index> =>
  Effect.map(Ref.make<ReadonlySet<string>>(new Set()), (recorded): Index => {
    const isConfirmed = ({ confirmed = false, model = "" }: Purpose) => confirmed && models.includes(model)
    const isWaiting = (recorded: ReadonlySet<string>) => (entry: IndexEntry) =>
      entry.purpose?.weak !== undefined && !isConfirmed(entry.purpose) && !recorded.has(keyOf(entry))
    const entries = (found: Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>) =>
      Effect.zipWith(found, Ref.get(recorded), (entries, recorded) => {
        const waits = isWaiting(recorded)
        return entries.map((entry) => (waits(entry) ? toStale(entry) : entry))
      })
    const files = (found: Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>) =>
      Effect.gen(function* () {
        const waiting = (yield* index.weak).filter(isWaiting(yield* Ref.get(recorded)))
        const byPath = Map.groupBy(waiting, ({ path }) => path)
        return (yield* found).map((file) => {
          const more = byPath.get(file.path) ?? []
          return {
            ...file,
            open: file.open + more.length,
            importance: more.reduce((sum, { usedBy }) => sum + usedBy, file.importance),
          }
        })
      })
    return {
      ...index,
      files: files(index.files),
      filesIn: (path) => files(index.filesIn(path)),
      symbolsIn: (path) => entries(index.symbolsIn(path)),
      find: (symbol, path) => entries(index.find(symbol, path)),
      landmarks: (limit) => entries(index.landmarks(limit)),
      record: (purposes) =>
        Effect.zipRight(
          index.record(purposes),
          Ref.update(recorded, (known) => new Set([...known, ...purposes.map(({ entry }) => keyOf(entry))])),
        ),
    }
  })

const toStale = (entry: IndexEntry): IndexEntry =>
  entry.purpose === undefined
    ? entry
    : new IndexEntry({ ...entry, purpose: { ...entry.purpose, stale: true } }, { disableValidation: true })

const keyOf = ({ hash, path, qualifiedName }: IndexEntry): string => `${path}\0${qualifiedName}\0${hash}`
