/**
 * Indexes and stores that do some things differently than those below them: they show other purposes, notice what is
 * recorded, or search with more. All other members are those of the index below.
 */
import * as Effect from "effect/Effect"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"
import type { Index, IndexedFile, NewPurpose, SearchOptions, Service } from "./IndexStore.ts"

export interface Changes {
  /** Changes the files that the index returns (`files`, `filesIn`). */
  readonly files?: (found: ReadonlyArray<IndexedFile>) => Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** Changes the symbols that the index returns (`symbolsIn`, `find`, `landmarks`). */
  readonly symbols?: (found: ReadonlyArray<IndexEntry>) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Adds to the options of a search. */
  readonly searchOptions?: (text: string, options: SearchOptions) => Effect.Effect<SearchOptions, IndexError>
  /** Receives purposes once they are recorded. */
  readonly onRecorded?: (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void>
  /** Receives the failure of a record, which fails all the same. */
  readonly onRecordFailed?: (error: IndexError) => Effect.Effect<unknown>
}

/** Returns an index with these changes over another one. */
export const decorate = (index: Index, changes: Changes): Index => {
  const { files, onRecordFailed, onRecorded, searchOptions, symbols } = changes
  return {
    ...index,
    ...(files && {
      files: Effect.flatMap(index.files, files),
      filesIn: (path) => Effect.flatMap(index.filesIn(path), files),
    }),
    ...(symbols && {
      symbolsIn: (path) => Effect.flatMap(index.symbolsIn(path), symbols),
      find: (symbol, path) => Effect.flatMap(index.find(symbol, path), symbols),
      landmarks: (limit) => Effect.flatMap(index.landmarks(limit), symbols),
    }),
    ...(searchOptions && {
      search: (text, options) => Effect.flatMap(searchOptions(text, options), (more) => index.search(text, more)),
    }),
    record: (purposes) =>
      index.record(purposes).pipe(
        Effect.tapError((error) => onRecordFailed?.(error) ?? Effect.void),
        Effect.zipLeft(onRecorded?.(purposes) ?? Effect.void),
      ),
  }
}

/** Returns a store whose indexes have the changes that are made for each of their workspaces. */
export const decorateStore = (store: Service, changesFor: (workspace: Workspace) => Changes): Service => ({
  ...store,
  open: (workspace) => Effect.map(store.open(workspace), (index) => decorate(index, changesFor(workspace))),
  openExisting: (workspace, options) =>
    Effect.map(store.openExisting(workspace, options), (existing) => ({
      ...existing,
      index: decorate(existing.index, changesFor(workspace)),
    })),
})
