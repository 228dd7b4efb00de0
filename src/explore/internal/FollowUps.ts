/**
 * The symbols that a run asks for once more: batches were sent for them, and they have no purpose, or a weak one. They
 * are sent in batches of their own, so that nothing else is sent again.
 */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { IndexEntry, isOpen, versionOf } from "../../index/IndexEntry.ts"
import type { NewPurpose } from "../../index/IndexStore.ts"
import type { Batch } from "../Batch.ts"
import type { OpenSymbols } from "../Batches.ts"
import type { OnRefused, RefusedPurpose } from "../ExplorationTools.ts"
import type * as Instruction from "../Instruction.ts"

export interface FollowUps {
  /** Adds the symbols of weak purposes that were recorded, and removes the others. */
  readonly noteRecorded: (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void>
  /** Keeps the sentences that were refused, to say so when their symbols are asked for again. */
  readonly noteRefused: OnRefused
  readonly add: (symbols: ReadonlyArray<IndexEntry>) => Effect.Effect<void>
  /** The number of symbols that wait. */
  readonly size: Effect.Effect<number>
  /** The symbols that wait, by version. Those that were taken are never added again. */
  readonly take: Effect.Effect<ReadonlyMap<string, IndexEntry>>
  /** Returns the earlier purposes of the symbols of a batch, and why they are not enough. */
  readonly earlierIn: (batch: Batch) => Effect.Effect<ReadonlyArray<Instruction.EarlierPurpose>>
}

export const make: Effect.Effect<FollowUps> = Effect.gen(function* () {
  const waiting = yield* Ref.make<ReadonlyMap<string, IndexEntry>>(new Map())
  const taken = yield* Ref.make<ReadonlySet<string>>(new Set())
  const refused = yield* Ref.make<ReadonlyMap<string, RefusedPurpose>>(new Map())

  const change = (edit: (waiting: Map<string, IndexEntry>, taken: ReadonlySet<string>) => void) =>
    Effect.flatMap(Ref.get(taken), (taken) =>
      Ref.update(waiting, (before) => {
        const after = new Map(before)
        edit(after, taken)
        return after
      }),
    )
  const put = (entry: IndexEntry, after: Map<string, IndexEntry>, taken: ReadonlySet<string>) => {
    const version = versionOf(entry)
    if (!taken.has(version)) after.set(version, entry)
  }

  return {
    noteRecorded: (purposes) =>
      change((after, taken) => {
        for (const { entry, weak } of purposes) {
          if (weak === undefined) after.delete(versionOf(entry))
          // A symbol that its comment explains is not asked for again.
          else if (isOpen(entry)) put(entry, after, taken)
        }
      }),
    noteRefused: (purposes) =>
      Ref.update(
        refused,
        (before) => new Map([...before, ...purposes.map((each) => [keyOf(each.path, each.symbol), each] as const)]),
      ),
    add: (symbols) =>
      change((after, taken) => {
        for (const entry of symbols) put(entry, after, taken)
      }),
    size: Effect.map(Ref.get(waiting), ({ size }) => size),
    take: Effect.tap(Ref.getAndSet(waiting, new Map()), (found) =>
      Ref.update(taken, (before) => new Set([...before, ...found.keys()])),
    ),
    earlierIn: ({ symbols }) =>
      Effect.map(Ref.get(refused), (refused) =>
        symbols.flatMap((entry, at) => {
          const earlier = earlierOf(entry, refused.get(keyOf(entry.path, entry.qualifiedName)))
          return earlier === undefined ? [] : [{ number: at + 1, ...earlier }]
        }),
      ),
  }
})

const earlierOf = (
  { purpose }: IndexEntry,
  refused: RefusedPurpose | undefined,
): Pick<RefusedPurpose, "purpose" | "reason"> | undefined => {
  if (refused !== undefined) return { purpose: refused.purpose, reason: refused.reason }
  if (purpose?.weak !== undefined) return { purpose: purpose.text, reason: purpose.weak }
  // The purpose from a comment is stale only if the symbol is to be explained all the same. It is left out here, since
  // the model sees the comment with the source.
  return purpose?.stale === true && purpose.origin === "model"
    ? { purpose: purpose.text, reason: "stale, the code has changed since" }
    : undefined
}

/** Returns the index as if these symbols alone were open, by version. */
export const viewOf = (index: OpenSymbols, symbols: ReadonlyMap<string, IndexEntry>): OpenSymbols => {
  const byPath = Map.groupBy(symbols.values(), ({ path }) => path)
  return {
    ...index,
    files: Effect.map(index.files, (files) =>
      files.map((file) => ({ ...file, open: byPath.get(file.path)?.length ?? 0 })),
    ),
    fileEntry: (path) =>
      Effect.map(index.fileEntry(path), (entry) =>
        entry !== undefined && symbols.has(versionOf(entry)) ? toOpen(entry) : undefined,
      ),
    symbolsIn: (path) =>
      Effect.map(index.symbolsIn(path), (entries) =>
        entries.map((entry) =>
          symbols.has(versionOf(entry)) ? toOpen(entry) : new IndexEntry({ ...entry, isMajor: false }),
        ),
      ),
  }
}

/** Marks a weak purpose as stale. */
const toOpen = (entry: IndexEntry): IndexEntry =>
  entry.purpose === undefined || entry.purpose.stale
    ? entry
    : new IndexEntry({ ...entry, purpose: { ...entry.purpose, stale: true } })

const keyOf = (path: string, symbol: string): string => `${path}\0${symbol}`
