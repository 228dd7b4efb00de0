/**
 * The store of an index. What a language model wrote is text, meant to be committed; everything else is derived and can
 * be made again at any time.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FileClass } from "../code/FileClass.ts"
import type { FileError } from "../code/FileError.ts"
import type { Cut } from "../code/Symbols.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { Corpus, Frequency } from "../search/Corpus.ts"
import type { Match } from "../search/Ranking.ts"
import type { Coverage } from "./Coverage.ts"
import type { IndexEntry, Origin } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"
import type { RunProgress } from "./RunProgress.ts"

export type { Corpus, Frequency, Match }

export class IndexStore extends Context.Tag("vibe/indexing/IndexStore")<IndexStore, Service>() {}

export interface Service {
  /**
   * Locks the index for the exploration of the workspace, until the scope closes. Fails with `AtWork` where another run
   * holds the lock, in this process or any. Readers need no lock, and wait for none.
   */
  readonly claim: (workspace: Workspace) => Effect.Effect<void, IndexError, Scope.Scope>
  /** Says to other processes how far the run that holds the lock has come. Does nothing where that cannot be written. */
  readonly publish: (workspace: Workspace, progress: RunProgress) => Effect.Effect<void>
  /** What the run of that process (`AtWork`) has published last, if it has published anything. */
  readonly progressOf: (workspace: Workspace, process: number) => Effect.Effect<RunProgress | undefined>
  /** Opens the index of a workspace, and makes one where there is none. A refresh stores the selection of the workspace. */
  readonly open: (workspace: Workspace) => Effect.Effect<Index, IndexError, Scope.Scope>
  /**
   * Opens an index for reading and brings it up to date. Fails with `NotIndexed` where there is none. Where the folder
   * cannot be written, the index is a copy in memory. While another run makes the first structure, the index is left to
   * that run: `refresh` fails with `AtWork`. An index that could not be brought up to date is returned all the same. With
   * `refresh: "later"` it is returned as it is, for `Freshness`, which refreshes it.
   */
  readonly openExisting: (
    workspace: Workspace,
    options?: { readonly refresh?: "now" | "later" | undefined },
  ) => Effect.Effect<Existing, IndexError, Scope.Scope>
}

/** Queries are answered also while `refresh` runs: from what was committed last. */
export interface Existing {
  readonly index: Index
  /** The workspace with the selection of the last exploration. That of the given one is stored where there is none. */
  readonly workspace: Workspace
  /** Why it may be out of date; none for an index that is up to date. */
  readonly outdated: IndexError | FileError | undefined
}

export interface Index {
  /**
   * Brings the structure up to date with the files, and the tables with `purposes.jsonl`. Parses files that have changed
   * and, in an index that was opened with `open`, files with an outline that was cut short for time.
   */
  readonly refresh: Effect.Effect<Refreshed, IndexError | FileError>
  /**
   * The same for what stands at some paths, relative to the root: files and folders that may be new, changed or removed.
   * It takes time by their number and lists no other folders. All is refreshed where other files are concerned: after a change of an
   * ignore file or of `.gitattributes`, in an index that is not complete, and where a folder cannot be read.
   */
  readonly refreshPaths: (paths: ReadonlyArray<string>) => Effect.Effect<Refreshed, IndexError | FileError>
  /** Whether a refresh was ever completed. Where none was, most files may be missing: the first has not ended, or the index was removed. */
  readonly isMade: Effect.Effect<boolean, IndexError>
  /** All files, sorted by path. */
  readonly files: Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** The files at or below a path, which is relative to the root; `.` is the root. */
  readonly filesIn: (path: string) => Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** Files and folders that the last refresh could not read: folders first, with a slash at their end. */
  readonly unreadable: Effect.Effect<ReadonlyArray<string>, IndexError>
  /** The symbols of a file, in order of their start; none for a file that is not in the index. */
  readonly symbolsIn: (path: string) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * The symbols of the text that a file has now. Where that is not the text in the index they are outlined from it, with
   * the purposes, and the number of uses, that those of their names have in the index.
   */
  readonly symbolsOf: (path: string, text: string) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Symbols with exactly this name (`append`) or qualified name (`Forest.append`); in `path` where it is given. */
  readonly find: (symbol: string, path?: string | undefined) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Symbols with a similar name, the nearest first; in `path` where it is given. */
  readonly nearest: (
    symbol: string,
    options?: { readonly path?: string | undefined; readonly limit?: number | undefined },
  ) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** The symbols with a container of this qualified name, in whatever files, the most used first. */
  readonly membersOf: (container: string, limit: number) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** The uses of a symbol that are resolved: that mean this symbol, not only one of the same name. Code first, then by path and line. */
  readonly references: (entry: IndexEntry) => Effect.Effect<ReadonlyArray<Reference>, IndexError>
  /** The symbols that are used in a symbol and its members, by resolved references, in the order of their first use. */
  readonly callees: (entry: IndexEntry) => Effect.Effect<ReadonlyArray<Callee>, IndexError>
  /** What uses a symbol, and what uses that, by resolved references. Cycles end, and the number of files that are read is limited. */
  readonly dependents: (entry: IndexEntry, options: DependentsOptions) => Effect.Effect<Dependents, IndexError>
  /** What a type inherits from, and what inherits from it; of a method the ones that it overrides, and that override it. */
  readonly inheritance: (entry: IndexEntry) => Effect.Effect<Inheritance, IndexError>
  /** The lines of a file at which a name is resolved, to whichever symbol of that name. */
  readonly resolvedLines: (name: string, path: string) => Effect.Effect<ReadonlySet<number>, IndexError>
  /** The symbols of a file that only declare types of the one after them that has their name, by `callerKey`. */
  readonly overloadsIn: (path: string) => Effect.Effect<ReadonlySet<string>, IndexError>
  /**
   * The names of symbols that use a major symbol of a file that no model has explained, or weakly (`callerKey`), up to three, those of other files first. Far
   * faster than `references` of each. `all`: of every symbol.
   */
  readonly callersIn: (
    path: string,
    which?: "open" | "all",
  ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>, IndexError>
  /** In how many symbols terms of the search (`Tokenizer.terms`) occur, in names and comments too, but not in purposes. */
  readonly termCounts: (terms: ReadonlyArray<string>) => Effect.Effect<TermCounts, IndexError>
  /** The files in which a name occurs, most often first, whatever it means there. Definitions do not count. */
  readonly mentions: (name: string) => Effect.Effect<ReadonlyArray<Mention>, IndexError>
  /** The major symbols with their comment as their purpose. */
  readonly documented: Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** The major symbols that show a weak purpose. */
  readonly weak: Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** The symbols of the code that most other files use; where there is no code, of all files. */
  readonly landmarks: (limit: number) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * The symbols of the code at or below a path that a newcomer needs first: by turns where the project begins and what it is
   * built on, by PageRank over its resolved references; where there is no code, of all files.
   */
  readonly central: (limit: number, path?: string | undefined) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Records what a model wrote; when it returns, that is on disk. */
  readonly record: (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void, IndexError>
  /** Makes sure that all recorded purposes are on disk: records them again where the index was removed meanwhile. */
  readonly ensureRecorded: Effect.Effect<void, IndexError>
  /** What a model wrote of the project as a whole (`ProjectMap`); none where no run has recorded one, or a file that is no map. */
  readonly map: Effect.Effect<string | undefined, IndexError>
  /** Records a map in place of the one before; when it returns, that is on disk. */
  readonly recordMap: (map: string) => Effect.Effect<void, IndexError>
  /** What the index has of the words of a question, for a search in several indexes. */
  readonly corpus: (text: string, also?: ReadonlyArray<string> | undefined) => Effect.Effect<Corpus, IndexError>
  /** The symbols that answer a question best, best first. */
  readonly search: (text: string, options: SearchOptions) => Effect.Effect<ReadonlyArray<Hit>, IndexError>
  readonly status: Effect.Effect<Status, IndexError>
}

export interface SearchOptions {
  /** Answers at most. */
  readonly limit: number
  /**
   * Identifiers that the code may use, guessed without knowledge of it: `retry`, `RetryPolicy`, `Session.send`. Their words
   * count half. Of more than 64 the first are used.
   */
  readonly also?: ReadonlyArray<string> | undefined
  /**
   * A file or a folder, relative to the root, to which the answers are restricted; `.` is the root. Nothing is found in
   * one that the index does not have.
   */
  readonly path?: string | undefined
  /** The symbols nearest to the question by their vectors (`NearestSymbols`). Those that have changed since are left out. */
  readonly similar?: ReadonlyArray<SimilarSymbol> | undefined
  /** The sum of those of several indexes, whose answers go into one list by `Hit.match`; by default that of the index. */
  readonly corpus?: Corpus | undefined
}

export interface SimilarSymbol extends Pick<IndexEntry, "qualifiedName" | "hash"> {
  /** The cosine of its vector and that of the question. */
  readonly similarity: number
}

export interface Refreshed {
  readonly files: number
  readonly symbols: number
  /** Files that were new or changed, and were parsed. */
  readonly parsed: number
  readonly removed: number
  /** Entries that were left out, of the folders that were walked: ignored, secret, or neither file nor folder. */
  readonly hidden: number
  /** What has changed, sorted by path; only of a refresh of some paths. */
  readonly changes?: ReadonlyArray<FileChange> | undefined
}

/** A file that was added to the index, removed from it, or has other content; its symbols by their qualified names. */
export interface FileChange {
  readonly path: string
  readonly change: "added" | "changed" | "removed"
  readonly added: ReadonlyArray<string>
  /** The symbols with source that has changed. */
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

export interface IndexedFile {
  readonly path: string
  /** `typescript`, …; none where it is unknown. */
  readonly language: string | undefined
  readonly class: FileClass
  readonly symbols: number
  readonly major: number
  /** Major symbols without a purpose, or with a stale one. */
  readonly open: number
  /** How many uses by other files those symbols have, all together. */
  readonly importance: number
  /** Why symbols are missing. */
  readonly note: string | undefined
  /** Why some of its symbols, or all, are missing. */
  readonly cut: Cut | undefined
}

export interface Reference {
  readonly path: string
  readonly line: number
  /** The qualified name of the innermost symbol around it; none outside of all symbols. */
  readonly symbol: string | undefined
}

export interface Callee {
  readonly entry: IndexEntry
  /** Where it is used, in order. */
  readonly lines: ReadonlyArray<number>
}

export interface DependentsOptions {
  /** How many steps from the symbol: 1 is what uses it itself. */
  readonly depth: number
  /** Whether uses of what stands within the symbol count as uses of it: of the methods of a class. */
  readonly withMembers: boolean
  /** Dependents of each distance that are returned at most; all are counted. */
  readonly limit: number
}

export interface Dependents {
  /** Nearest first, then the code before other classes of files, then by path and line. */
  readonly dependents: ReadonlyArray<Dependent>
  /** All, for each distance from 1 on at which there are some. */
  readonly counts: ReadonlyArray<DependentCount>
  /** False where the search ended at its limits, so that there are more than were counted. */
  readonly isComplete: boolean
}

export interface DependentCount {
  readonly distance: number
  /** The text of a file outside of all symbols counts as one. */
  readonly symbols: number
  /** How many of them are in code, not in tests and other classes of files. */
  readonly code: number
  readonly files: number
}

/** A symbol that uses another one, or the text of a file outside of all symbols. */
export interface Dependent {
  readonly path: string
  readonly class: FileClass
  /** The qualified name; none outside of all symbols. */
  readonly symbol: string | undefined
  readonly distance: number
  /** The qualified name of what it uses, which is one step nearer. */
  readonly uses: string
  /** Where it does, in order. */
  readonly lines: ReadonlyArray<number>
}

export interface Inheritance {
  /** What it inherits from or overrides, the nearest first. */
  readonly bases: ReadonlyArray<IndexEntry>
  /** What inherits from it or overrides it, the nearest first; at most `MAX_DERIVED`. */
  readonly derived: ReadonlyArray<IndexEntry>
}

/** Types that inherit from one, at most. */
export const MAX_DERIVED = 1_000

/** The key of a symbol among those of its file. */
export const callerKey = ({ qualifiedName, startLine }: Pick<IndexEntry, "qualifiedName" | "startLine">): string =>
  `${startLine} ${qualifiedName}`

export interface TermCounts {
  /** By term, those that occur in none included. */
  readonly counts: ReadonlyMap<string, number>
  /** The terms that occur in any file, within symbols or outside of them. */
  readonly anywhere: ReadonlySet<string>
  /** Of the whole index. */
  readonly symbols: number
}

export interface Mention {
  readonly path: string
  readonly count: number
}

export interface NewPurpose {
  readonly entry: IndexEntry
  readonly text: string
  /** `provider/name`. */
  readonly model: string
  /** The node of the forest with the call that recorded it. */
  readonly node: string
  /** As in `Purpose`. */
  readonly weak?: string | undefined
  readonly lines?: ReadonlyArray<number> | undefined
}

export interface Hit {
  readonly entry: IndexEntry
  /** Higher is better; comparable within one answer only. */
  readonly score: number
  /** Of a search with a `corpus`: what `Ranking.merge` needs of it. */
  readonly match?: Match | undefined
}

export interface Status {
  readonly files: number
  /** Files with an outline that was cut short, so that symbols are missing. */
  readonly partialFiles: number
  readonly symbols: number
  readonly purposes: Readonly<Record<Origin, number>>
  /** Of the purposes by a model, those that were written for another symbol with the same source. */
  readonly copies: number
  /** Purposes of symbols that have changed since. */
  readonly stale: number
  /** Purposes that failed a check when they were recorded, of symbols that have not changed since. */
  readonly weak: number
  /** Major symbols of the code without a purpose, or with a stale one; of all files where no code has major symbols. */
  readonly open: number
  /** Of the code; of all files where no code has major symbols. See `Coverage.ofFocus`. */
  readonly majorSymbols: number
  /** How many of them have a purpose of origin `model` or `comment` that is not stale. */
  readonly covered: number
  /** By the class of file. */
  readonly classes: Coverage
  /** The size of all files in `.vibe`. */
  readonly bytesOnDisk: number
}
