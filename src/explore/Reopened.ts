/**
 * The index of a run that asks again for symbols with a purpose: for weak ones (`vibe index --refresh-weak`), or for
 * those that have only a comment (`--documented`).
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { decorate } from "../index/decorate.ts"
import { IndexEntry, type Purpose, versionOf } from "../index/IndexEntry.ts"
import type { Index } from "../index/IndexStore.ts"

interface Which {
  /**
   * Reopens weak purposes, except those for which one of these models had a second try: they would be paid for in each
   * run. The models are `provider/name`.
   */
  readonly weak?: { readonly models: ReadonlyArray<string> } | undefined
  /** Reopens major symbols whose purpose is their comment, unless a model had nothing to add to it. */
  readonly documented?: boolean | undefined
}

/**
 * Returns an index in which these purposes count as stale, and so as open, until another one is recorded through it,
 * even a weak one. So a run that goes on until nothing is open ends. Returns the same index if nothing is to be
 * reopened.
 */
export const reopen = (index: Index, { documented = false, weak }: Which): Effect.Effect<Index> =>
  !documented && weak === undefined
    ? Effect.succeed(index)
    : Effect.map(Ref.make<ReadonlySet<string>>(new Set()), (recorded): Index => {
        const isConfirmed = ({ confirmed = false, model = "" }: Purpose) =>
          confirmed && weak?.models.includes(model) === true
        const isMeant = ({ isMajor, purpose }: IndexEntry) =>
          purpose !== undefined &&
          ((weak !== undefined && purpose.weak !== undefined && !isConfirmed(purpose)) ||
            (documented && isMajor && purpose.origin === "comment" && purpose.confirmed !== true))
        const isWaiting = (recorded: ReadonlySet<string>) => (entry: IndexEntry) =>
          isMeant(entry) && !recorded.has(versionOf(entry))
        const listed = Effect.zipWith(
          weak === undefined ? none : index.weak,
          documented ? index.documented : none,
          (one, other) => [...one, ...other],
        )
        return decorate(index, {
          symbols: (entries) =>
            Effect.map(Ref.get(recorded), (recorded) => {
              const waits = isWaiting(recorded)
              return entries.map((entry) => (waits(entry) ? toStale(entry) : entry))
            }),
          files: Effect.fnUntraced(function* (files) {
            const waiting = (yield* listed).filter(isWaiting(yield* Ref.get(recorded)))
            const byPath = Map.groupBy(waiting, ({ path }) => path)
            return files.map((file) => {
              const more = byPath.get(file.path) ?? []
              return {
                ...file,
                open: file.open + more.length,
                importance: more.reduce((sum, { usedBy }) => sum + usedBy, file.importance),
              }
            })
          }),
          onRecorded: (purposes) =>
            Ref.update(recorded, (known) => new Set([...known, ...purposes.map(({ entry }) => versionOf(entry))])),
        })
      })

const none: Effect.Effect<ReadonlyArray<IndexEntry>> = Effect.succeed([])

const toStale = (entry: IndexEntry): IndexEntry =>
  entry.purpose === undefined ? entry : new IndexEntry({ ...entry, purpose: { ...entry.purpose, stale: true } })
