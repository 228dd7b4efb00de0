/**
 * Where an index is kept. What a language model wrote is text, meant to be committed; everything else is derived
 * and can be made again at any time (DESIGN decision 6).
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FileError } from "../code/FileError.ts"
import type { Cut } from "../code/Symbols.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexEntry, Origin } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"

export class IndexStore extends Context.Tag("vibe/indexing/IndexStore")<IndexStore, Service>() {}

export interface Service {
  /**
   * Makes the caller the one run that explores the workspace, until the scope closes. Fails with `AtWork` where there
   * is another, in this process or any. Readers need no claim, and wait for none.
   */
  readonly claim: (workspace: Workspace) => Effect.Effect<void, IndexError, Scope.Scope>
  /** The index of a workspace, made where there is none. What was learned is safe when the scope closes, or the process dies. */
  readonly open: (workspace: Workspace) => Effect.Effect<Index, IndexError, Scope.Scope>
  /**
   * The same for reading alone, brought up to date: fails with `NotIndexed` where there is none. Where nothing can be
   * written, it is a copy in memory. While another run makes the structure it is left to that: `refresh` fails with
   * `AtWork`. What could not be brought up to date answers all the same.
   */
  readonly openExisting: (workspace: Workspace) => Effect.Effect<Existing, IndexError, Scope.Scope>
}

export interface Existing {
  readonly index: Index
  /** Why it may be out of date; none where it is not. */
  readonly outdated: IndexError | FileError | undefined
}

export interface Index {
  /**
   * Brings the structure up to date with the files, and takes in purposes that were pulled. Parses only what changed,
   * and, of an index that was opened with `open`, the files whose outline was cut short for time.
   */
  readonly refresh: Effect.Effect<Refreshed, IndexError | FileError>
  /** All of them, sorted by path. */
  readonly files: Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** Those at or below a path, which is relative to the root; `.` is the root. */
  readonly filesIn: (path: string) => Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** Of one file, in order of their start; empty for a file that is not in the index. */
  readonly symbolsIn: (path: string) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** By name (`append`) or qualified name (`Forest.append`), in `path` where it is given. Exact spelling. */
  readonly find: (symbol: string, path?: string | undefined) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Names most like `symbol`, best first; in `path` where it is given. */
  readonly nearest: (
    symbol: string,
    options?: { readonly path?: string | undefined; readonly limit?: number | undefined },
  ) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** The files that use the name, most uses first; definitions are not uses. */
  readonly references: (name: string) => Effect.Effect<ReadonlyArray<Reference>, IndexError>
  /** The symbols that most other files use, but for tests and for names that are plain words. */
  readonly landmarks: (limit: number) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Keeps purposes; when it returns, those of origin `model` are on disk. */
  readonly record: (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void, IndexError>
  /** Sees to it that all that was recorded is on disk, even where the index was removed meanwhile. Fails if it is lost. */
  readonly kept: Effect.Effect<void, IndexError>
  /** Best first. */
  readonly search: (text: string, limit: number) => Effect.Effect<ReadonlyArray<Hit>, IndexError>
  readonly status: Effect.Effect<Status, IndexError>
}

export interface Refreshed {
  readonly files: number
  readonly symbols: number
  /** Parsed in this run, for being new or changed. */
  readonly parsed: number
  readonly removed: number
  /** Entries that ignore rules, secrecy or kind kept out. */
  readonly hidden: number
}

export interface IndexedFile {
  readonly path: string
  /** `typescript`, …; none where the name tells nothing. */
  readonly language: string | undefined
  readonly symbols: number
  readonly major: number
  /** Of the major symbols, those that have no purpose, or a stale one. */
  readonly open: number
  /** Of the major symbols, those whose purpose was only derived from their name. */
  readonly derived: number
  /** Why it has no symbols, or not all. */
  readonly note: string | undefined
  /** The limit at which outlining it stopped: some of its symbols, or all, are missing. */
  readonly cut: Cut | undefined
}

export interface Reference {
  readonly path: string
  readonly count: number
}

export interface NewPurpose {
  readonly entry: IndexEntry
  readonly text: string
  readonly origin: Origin
  /** `provider/name`. */
  readonly model: string
  /** The node of the forest that holds the call. */
  readonly node: string
}

export interface Hit {
  readonly entry: IndexEntry
  /** Higher is better; comparable within one answer only. */
  readonly score: number
}

export interface Status {
  readonly files: number
  /** Those whose outline was cut short, so that symbols are missing. */
  readonly partialFiles: number
  readonly symbols: number
  readonly purposes: Readonly<Record<Origin, number>>
  /** Purposes whose symbol has changed since. */
  readonly stale: number
  readonly majorSymbols: number
  /** Major symbols with a purpose of origin `model` or `comment` that is not stale. */
  readonly covered: number
  /** Of everything under `.vibe`. */
  readonly bytesOnDisk: number
}
