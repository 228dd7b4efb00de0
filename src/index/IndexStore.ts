/**
 * The store of an index. The text that a language model wrote is meant to be committed; everything else is derived and
 * can be made again at any time.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FileClass } from "../code/FileClass.ts"
import type { FileError } from "../code/FileError.ts"
import type { Stat } from "../code/Files.ts"
import type { Cut } from "../code/Symbols.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { Corpus, Frequency } from "../search/Corpus.ts"
import type { Match } from "../search/Ranking.ts"
import type { Coverage } from "./Coverage.ts"
import type { IndexEntry, Origin } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"
import type { RunProgress } from "./RunProgress.ts"

export type { Corpus, Frequency, Match }

/**
 * Opens the index of a folder: its files, symbols, references, and the purposes that models wrote.
 *
 * When to use it: to look something up, with `openExisting`, which needs no model. `open` makes an index if there is
 * none, and is what `IndexingOrchestrator` calls to have a model explain the symbols. A program without Effect uses
 * `CodeIndex` of `vibe-index/promise`.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Files, IndexStore, SqliteIndexStore, Workspace } from "vibe-index"
 * import { ScannerSymbols } from "vibe-index/code"
 *
 * const program = Effect.gen(function* () {
 *   const store = yield* IndexStore.IndexStore
 *   const index = yield* store.open(yield* Workspace.open("/repo"))
 *   yield* index.refresh
 *   for (const { entry } of yield* index.search("add numbers", { limit: 1 })) {
 *     const references = yield* index.references(entry)
 *     const uses = references.map(({ line, path }) => `${path}:${line}`).join(", ")
 *     yield* Console.log(`${entry.path}:${entry.startLine} ${entry.name}: used at ${uses}`)
 *   }
 * }).pipe(Effect.scoped)
 *
 * const files = Files.layerMemory({
 *   "/repo/add.ts": "// Adds two numbers.\nexport const add = (a: number, b: number) => a + b",
 *   "/repo/main.ts": 'import { add } from "./add.ts"\n\nexport const five = add(2, 3)',
 * })
 * // On the disk it is SqliteIndexStore.layer over NodeFiles.layer; the index is then in the folder .vibe.
 * const vibe = SqliteIndexStore.layerMemory.pipe(Layer.provideMerge(ScannerSymbols.layer), Layer.provideMerge(files))
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: add.ts:2 add: used at main.ts:3
 * ```
 */
export class IndexStore extends Context.Tag("vibe/index/IndexStore")<IndexStore, Service>() {}

export interface Service {
  /**
   * Locks the index for the exploration of the workspace, until the scope closes. Fails with `AtWork` if another run
   * holds the lock, in this process or another. Readers need no lock, and wait for none.
   */
  readonly claim: (workspace: Workspace) => Effect.Effect<void, IndexError, Scope.Scope>
  /**
   * Publishes to other processes how far the run that holds the lock has come. Does nothing if that cannot be written.
   */
  readonly publish: (workspace: Workspace, progress: RunProgress) => Effect.Effect<void>
  /** Returns the progress that the run of that process (`AtWork`) has published last, if any. */
  readonly progressOf: (workspace: Workspace, process: number) => Effect.Effect<RunProgress | undefined>
  /**
   * Opens the index of a workspace, and makes one if there is none. A refresh stores the selection of the workspace.
   */
  readonly open: (workspace: Workspace) => Effect.Effect<Index, IndexError, Scope.Scope>
  /**
   * Opens an index for reading and brings it up to date. Fails with `NotIndexed` if there is none. If the folder cannot
   * be written, the index is a copy in memory. While another run makes the first structure, the index is left to that
   * run: `refresh` fails with `AtWork`. An index that could not be brought up to date is returned all the same. With
   * `refresh: "later"` it is returned as it is, for `Freshness`, which refreshes it.
   */
  readonly openExisting: (
    workspace: Workspace,
    options?: { readonly refresh?: "now" | "later" | undefined },
  ) => Effect.Effect<Existing, IndexError, Scope.Scope>
}

/** Queries are answered from the last commit, also while `refresh` runs. */
export interface Existing {
  readonly index: Index
  /**
   * The workspace with the selection of the last exploration. If none is stored, that of the given workspace is stored.
   */
  readonly workspace: Workspace
  /** Why it may be out of date; undefined for an index that is up to date. */
  readonly outdated: IndexError | FileError | undefined
}

export interface Index {
  /**
   * Brings the structure up to date with the files, and the tables with `purposes.jsonl`. Parses files that have
   * changed and, in an index that was opened with `open`, files whose outline was cut short for time.
   */
  readonly refresh: Effect.Effect<Refreshed, IndexError | FileError>
  /**
   * Refreshes only what stands at some paths, relative to the root: files and folders that may be new, changed or
   * removed. The time depends on their number, and no other folders are listed. Refreshes everything if other files are
   * concerned: after a change of an ignore file or of `.gitattributes`, in an index that is not complete, and if a
   * folder cannot be read.
   */
  readonly refreshPaths: (paths: ReadonlyArray<string>) => Effect.Effect<Refreshed, IndexError | FileError>
  /**
   * True if a refresh was ever completed. If not, most files may be missing: the first refresh has not ended, or the
   * index was removed.
   */
  readonly isMade: Effect.Effect<boolean, IndexError>
  /** All files, sorted by path. */
  readonly files: Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** Returns the files at or below a path, which is relative to the root; `.` is the root. */
  readonly filesIn: (path: string) => Effect.Effect<ReadonlyArray<IndexedFile>, IndexError>
  /** Returns the same files with less about them. It takes a quarter of the time, since it reads no symbols. */
  readonly sizesIn: (path: string) => Effect.Effect<ReadonlyArray<FileSize>, IndexError>
  /** Files and folders that the last refresh could not read: folders first, with a slash at their end. */
  readonly unreadable: Effect.Effect<ReadonlyArray<string>, IndexError>
  /** Returns the symbols of a file, in order of their start; none for a file that is not in the index. */
  readonly symbolsIn: (path: string) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * Returns the symbols of the text that a file has now. If the index has another text, they are outlined from the new
   * one, and take purposes and numbers of uses from the symbols of the same name in the index. With `stat`, as the file
   * had it when it was read, a file that has not changed since then needs no hash, which takes longer than the rest.
   */
  readonly symbolsOf: (
    path: string,
    text: string,
    stat?: Stat | undefined,
  ) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Finds symbols with exactly this name (`append`) or qualified name (`Forest.append`); in `path` if it is given. */
  readonly find: (symbol: string, path?: string | undefined) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * Finds the routes that fit best what is typed: `GET /owners/new`, `/owners/new`, `GET /owners/7` for
   * `/owners/{ownerId}`. Each is an entry of the kind `route`, which is no symbol of its file.
   */
  readonly routes: (typed: string) => Effect.Effect<ReadonlyArray<IndexedRoute>, IndexError>
  /**
   * Returns the entry of a file of the code that declares something, with the sentence that a model wrote of it
   * (`FileEntry.ofContent`); undefined for any other file.
   */
  readonly fileEntry: (path: string) => Effect.Effect<IndexEntry | undefined, IndexError>
  /** Finds symbols with a similar name, the nearest first; in `path` if it is given. */
  readonly nearest: (
    symbol: string,
    options?: { readonly path?: string | undefined; readonly limit?: number | undefined },
  ) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Returns the symbols with a container of this qualified name, in any file, the most used first. */
  readonly membersOf: (container: string, limit: number) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * Returns the resolved uses of a symbol: those that mean this symbol, and not only one of the same name. Code comes
   * first; then the order is by path and line.
   */
  readonly references: (entry: IndexEntry) => Effect.Effect<ReadonlyArray<Reference>, IndexError>
  /** Returns the symbols that a symbol and its members use, by resolved references, in the order of their first use. */
  readonly callees: (entry: IndexEntry) => Effect.Effect<ReadonlyArray<Callee>, IndexError>
  /**
   * Returns how often the files use the symbols of each other, by resolved references, sorted by path. Uses outside of
   * all symbols count too.
   */
  readonly fileUses: Effect.Effect<ReadonlyArray<FileUses>, IndexError>
  /**
   * Returns how often the symbols of some files use each other and other files, and are used by those, as `fileUses`
   * counts it. Uses between two of the other files are left out.
   */
  readonly symbolUses: (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<SymbolUses>, IndexError>
  /** The symbols of the code that can be called or hold something, and which of them use which. */
  readonly symbolGraph: Effect.Effect<SymbolGraph, IndexError>
  /**
   * Returns the users of a symbol, and their users, by resolved references. Cycles end, and the number of files that
   * are read is limited.
   */
  readonly dependents: (entry: IndexEntry, options: DependentsOptions) => Effect.Effect<Dependents, IndexError>
  /**
   * Returns the types that a type inherits from, and those that inherit from it. For a method it returns the methods
   * that it overrides, and those that override it.
   */
  readonly inheritance: (entry: IndexEntry) => Effect.Effect<Inheritance, IndexError>
  /** Returns the lines of a file at which a name is resolved to any symbol of that name. */
  readonly resolvedLines: (name: string, path: string) => Effect.Effect<ReadonlySet<number>, IndexError>
  /** Returns the symbols of a file that only declare types for a later one of the same name, by `callerKey`. */
  readonly overloadsIn: (path: string) => Effect.Effect<ReadonlySet<string>, IndexError>
  /**
   * Returns up to three callers of each open symbol in a file, by `callerKey`; callers in other files come first. A
   * symbol is open here if it is major and has no purpose from a model, or a stale or weak one. Far faster than
   * `references` for each. With `all` it covers every symbol.
   */
  readonly callersIn: (
    path: string,
    which?: "open" | "all",
  ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>, IndexError>
  /**
   * Counts the symbols in which terms of the search (`Tokenizer.terms`) occur, in names and comments too, but not in
   * purposes.
   */
  readonly termCounts: (terms: ReadonlyArray<string>) => Effect.Effect<TermCounts, IndexError>
  /**
   * Returns the files in which a name occurs, the most frequent first, whatever it means there. Definitions do not
   * count.
   */
  readonly mentions: (name: string) => Effect.Effect<ReadonlyArray<Mention>, IndexError>
  /** The major symbols with their comment as their purpose. */
  readonly documented: Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** The major symbols that show a weak purpose. */
  readonly weak: Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /** Returns the symbols of the code that most other files use, or of all files if there is no code. */
  readonly landmarks: (limit: number) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * Returns the symbols of the code at or below a path that a newcomer needs first. Symbols with which the project
   * begins alternate with those that it is built on, by PageRank over the resolved references. If there is no code, all
   * files count.
   */
  readonly central: (limit: number, path?: string | undefined) => Effect.Effect<ReadonlyArray<IndexEntry>, IndexError>
  /**
   * Records what a model wrote. When it returns, that is on disk: in the journal beside the file of purposes, which
   * takes it in when the index is closed, or opened again.
   */
  readonly record: (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void, IndexError>
  /** Makes sure that all recorded purposes are on disk: records them again if the index was removed meanwhile. */
  readonly ensureRecorded: Effect.Effect<void, IndexError>
  /**
   * The page that a model wrote about the whole project (`ProjectMap`); undefined if no run has recorded one, or if the
   * file is no map.
   */
  readonly map: Effect.Effect<string | undefined, IndexError>
  /** Records a map in place of the earlier one; when it returns, that is on disk. */
  readonly recordMap: (map: string) => Effect.Effect<void, IndexError>
  /** Returns what the index knows about the words of a question, for a search in several indexes. */
  readonly corpus: (text: string, also?: ReadonlyArray<string> | undefined) => Effect.Effect<Corpus, IndexError>
  /** Returns the symbols that answer a question best, best first. */
  readonly search: (text: string, options: SearchOptions) => Effect.Effect<ReadonlyArray<Hit>, IndexError>
  readonly status: Effect.Effect<Status, IndexError>
}

export interface SearchOptions {
  /** The most answers. */
  readonly limit: number
  /**
   * Identifiers that the code may use, guessed without knowledge of it: `retry`, `RetryPolicy`, `Session.send`. Their
   * words count half. Only the first 64 are used.
   */
  readonly also?: ReadonlyArray<string> | undefined
  /**
   * A file or a folder, relative to the root, to which the answers are restricted; `.` is the root. If the index does
   * not have it, nothing is found.
   */
  readonly path?: string | undefined
  /**
   * The symbols nearest to the question by their vectors (`NearestSymbols`). Symbols that have changed since are left
   * out.
   */
  readonly similar?: ReadonlyArray<SimilarSymbol> | undefined
  /**
   * The sum of the corpora of several indexes, whose answers go into one list by `Hit.match`; by default that of the
   * index.
   */
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
  /** Entries of the walked folders that were left out: ignored, secret, or neither file nor folder. */
  readonly hidden: number
  /** The changes, sorted by path; set only by a refresh of some paths. */
  readonly changes?: ReadonlyArray<FileChange> | undefined
}

/**
 * A file that was added to the index, removed from it, or has other content. Its symbols are given by their qualified
 * names.
 */
export interface FileChange {
  readonly path: string
  readonly change: "added" | "changed" | "removed"
  readonly added: ReadonlyArray<string>
  /** The symbols whose source has changed. */
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

/** How much a file declares. */
export interface FileSize {
  readonly path: string
  readonly class: FileClass
  /** The number of its symbols. */
  readonly symbols: number
}

export interface IndexedFile extends FileSize {
  /** The language, such as `typescript`; undefined if it is unknown. */
  readonly language: string | undefined
  readonly major: number
  /** Major symbols without a purpose, or with a stale one. */
  readonly open: number
  /** How many uses by other files its open symbols have, all together. */
  readonly importance: number
  /** Why symbols are missing. */
  readonly note: string | undefined
  /** Why some of its symbols, or all, are missing. */
  readonly cut: Cut | undefined
}

export interface Reference {
  readonly path: string
  readonly line: number
  /** The qualified name of the innermost symbol around it; undefined outside of all symbols. */
  readonly symbol: string | undefined
}

/** A path and a method that a file registers with a web framework. */
export interface IndexedRoute {
  /** Its name is the method and the path: `GET /owners/{ownerId}`. Its lines are those of the registration. */
  readonly entry: IndexEntry
  /** The handler as the file writes it: `owners.create`; undefined if it is a function that is written in place. */
  readonly handler: string | undefined
}

export interface Callee {
  readonly entry: IndexEntry
  /** The lines of its uses, in order. */
  readonly lines: ReadonlyArray<number>
}

/** How often one file uses the symbols of another one. */
export interface FileUses {
  readonly from: string
  readonly to: string
  /** The number of lines, counted once for each symbol that they use. */
  readonly count: number
}

/** How often one side uses the other, of which at least one is in a file whose symbols are asked for. */
export interface SymbolUses {
  readonly from: UseSide
  readonly to: UseSide
  readonly count: number
}

export interface UseSide {
  readonly path: string
  /** The qualified name; undefined outside of all symbols, and in a file that was not asked for. */
  readonly symbol: string | undefined
}

/** Functions, methods, classes and values of the code. What is declared in a function is a part of it. */
export interface SymbolGraph {
  /** Sorted by path, then by their order in the file. */
  readonly symbols: ReadonlyArray<GraphSymbol>
  /** The positions of the symbols that each symbol uses, in the order of `symbols`. */
  readonly uses: ReadonlyArray<ReadonlyArray<number>>
}

export interface GraphSymbol {
  readonly path: string
  readonly qualifiedName: string
  readonly startLine: number
  /** True for functions and methods. */
  readonly isCallable: boolean
  readonly isExported: boolean
  /** True if the project offers it to its importers or at its start: an entry file defines, exports or runs it. */
  readonly isOffered: boolean
  /** True if code outside of all symbols uses it, such as a call at the top level or the registration of a handler. */
  readonly isUsedOutside: boolean
  /** How many other files use it. */
  readonly usedBy: number
}

export interface DependentsOptions {
  /** The most steps from the symbol: its own users are one step away. */
  readonly depth: number
  /** True if uses of symbols inside the symbol count too, such as those of the methods of a class. */
  readonly withMembers: boolean
  /**
   * True if the search goes on through what a method overrides or implements: a use of that may mean the method. This
   * is how code depends on classes behind an interface.
   */
  readonly throughBases?: boolean | undefined
  /** The most dependents that are returned for each distance; all are counted. */
  readonly limit: number
}

export interface Dependents {
  /** The nearest come first, then code before other classes of files; then the order is by path and line. */
  readonly dependents: ReadonlyArray<Dependent>
  /** The numbers of all dependents, for each distance from 1 on that has any. */
  readonly counts: ReadonlyArray<DependentCount>
  /** False if the search ended at its limits, so that there are more than were counted. */
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
  /** The qualified name; undefined outside of all symbols. */
  readonly symbol: string | undefined
  readonly distance: number
  /** The qualified name of the symbol that it uses, which is one step nearer. */
  readonly uses: string
  /**
   * The qualified name of the method that overrides or implements what is used, if the search went on
   * there: the use may mean this method.
   */
  readonly through?: string | undefined
  /** The lines of these uses, in order. */
  readonly lines: ReadonlyArray<number>
}

export interface Inheritance {
  /** The symbols that it inherits from or overrides, the nearest first. */
  readonly bases: ReadonlyArray<IndexEntry>
  /** The symbols that inherit from it or override it, the nearest first; at most `MAX_DERIVED`. */
  readonly derived: ReadonlyArray<IndexEntry>
}

/** The most types that inherit from one. */
export const MAX_DERIVED = 1_000

/** Returns the key of a symbol among those of its file. */
export const callerKey = ({ qualifiedName, startLine }: Pick<IndexEntry, "qualifiedName" | "startLine">): string =>
  `${startLine} ${qualifiedName}`

export interface TermCounts {
  /** The number of symbols for each term, including terms that occur in none. */
  readonly counts: ReadonlyMap<string, number>
  /** The terms that occur in any file, within symbols or outside of them. */
  readonly anywhere: ReadonlySet<string>
  /** The number of symbols in the whole index. */
  readonly symbols: number
}

export interface Mention {
  readonly path: string
  readonly count: number
}

export interface NewPurpose {
  readonly entry: IndexEntry
  readonly text: string
  /** The model that wrote it, as `provider/name`. */
  readonly model: string
  /** The node of the forest with the call that recorded it. */
  readonly node: string
  /** The reason why it is weak, as in `Purpose`. */
  readonly weak?: string | undefined
  readonly lines?: ReadonlyArray<number> | undefined
}

export interface Hit {
  readonly entry: IndexEntry
  /** Higher is better; comparable within one answer only. */
  readonly score: number
  /** The data that `Ranking.merge` needs; set by a search with a `corpus`. */
  readonly match?: Match | undefined
}

export interface Status {
  readonly files: number
  /** Files with an outline that was cut short, so that symbols are missing. */
  readonly partialFiles: number
  readonly symbols: number
  readonly purposes: Readonly<Record<Origin, number>>
  /** How many purposes by a model were written for another symbol with the same source. */
  readonly copies: number
  /** Purposes of symbols that have changed since. */
  readonly stale: number
  /** Purposes that failed a check when they were recorded, of symbols that have not changed since. */
  readonly weak: number
  /**
   * Major symbols of the code without a purpose, or with a stale one. If no code has major symbols, all files count.
   */
  readonly open: number
  /** Major symbols of the code, or of all files if no code has any. See `Coverage.ofFocus`. */
  readonly majorSymbols: number
  /** How many of them have a purpose of origin `model` or `comment` that is not stale. */
  readonly covered: number
  /** The coverage of each class of files. */
  readonly classes: Coverage
  /** The size of all files in `.vibe`. */
  readonly bytesOnDisk: number
}
