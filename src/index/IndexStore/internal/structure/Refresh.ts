/** Brings the tables up to date with the files. Reads only files with another size, time or inode than before. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import { mapInParallel } from "../../../../base/concurrency.ts"
import { makeMutex } from "../../../../base/mutex.ts"
import * as Text from "../../../../base/Text.ts"
import * as Attributes from "../../../../code/Attributes.ts"
import type { FileError, Reason } from "../../../../code/FileError.ts"
import * as Language from "../../../../code/Language.ts"
import * as Repository from "../../../../code/Repository.ts"
import * as Routes from "../../../../code/Routes.ts"
import type * as Symbols from "../../../../code/Symbols.ts"
import { type File, isIgnoreFile, type Listing, type Workspace } from "../../../../code/Workspace.ts"
import type { DiskError } from "../../../../disk/DiskError.ts"
import type { Statements, Steps } from "../../../../disk/Sqlite.ts"
import * as Documents from "../../../../search/Documents.ts"
import * as PostingLists from "../../../../search/PostingLists.ts"
import type { FileChange, Refreshed } from "../../../IndexStore.ts"
import * as RunProgress from "../../../RunProgress.ts"
import type { IndexDatabase } from "../IndexDatabase.ts"
import * as Metadata from "../Metadata.ts"
import * as PurposeTable from "../purposes/PurposeTable.ts"
import * as LinkTable from "../references/LinkTable.ts"
import * as Schema from "../Schema.ts"
import * as Copies from "./Copies.ts"
import * as FileContent from "./FileContent.ts"
import * as FileTable from "./FileTable.ts"

/** Files in one transaction: limits the memory, and the work that is lost if a run is killed. */
const BATCH = 128

/** The most files that wait to be written while a batch is written. */
const MAX_WAITING = 2 * BATCH

/** Files that are read and parsed at a time: enough that all threads have work while a batch is written. */
const CONCURRENCY = 256

/** Files between two reports of progress. */
const REPORT_EVERY = 16

interface Options {
  /**
   * True if files whose outline was cut short for time are outlined again. Each may take seconds, so commands that only
   * read an index leave them.
   */
  readonly retriesCut: boolean
}

export const refresh = (
  workspace: Workspace,
  symbols: Symbols.Service,
  index: IndexDatabase,
  { retriesCut }: Options,
): Effect.Effect<Refreshed, DiskError | FileError> =>
  Effect.gen(function* () {
    const report = yield* FiberRef.get(RunProgress.refreshObserver)
    yield* report({ phase: "walking", done: 0, total: 0, share: 0 })
    // The ignore files may have changed if the index has been open for long.
    yield* workspace.rereadIgnoreFiles
    const { attributes, hidden, removed, suspects, unread } = yield* compare(workspace, index, retriesCut)
    const rules = yield* Attributes.read(workspace, attributes)
    const declaredOf = Attributes.matcher(rules)
    const parsed = yield* parse(workspace, symbols, index, suspects, declaredOf)
    const ruleText = JSON.stringify(rules)
    if ((yield* index.read((sql) => Metadata.get(sql, "attributes"))) !== ruleText) {
      yield* index.write((sql) => classify(sql, declaredOf, ruleText))
    }
    const paths = JSON.stringify(unread)
    if (((yield* index.read((sql) => Metadata.get(sql, "unreadable"))) ?? "[]") !== paths) {
      yield* index.write((sql) => noteUnreadable(sql, paths))
    }
    yield* complete(index, suspects.length, removed)
    const counts = yield* index.read(FileTable.counts)
    return { ...counts, parsed, removed: removed.length, hidden }
  })

/**
 * Refreshes only the files and folders at some paths. If others may be affected, all are refreshed: after a change of
 * an ignore file or attributes file, in an index that is not complete, and if a folder cannot be read.
 */
export const refreshPaths = (
  workspace: Workspace,
  symbols: Symbols.Service,
  index: IndexDatabase,
  paths: ReadonlyArray<string>,
): Effect.Effect<Refreshed, DiskError | FileError> =>
  Effect.gen(function* () {
    const all = refresh(workspace, symbols, index, { retriesCut: false })
    if (paths.some(concernsOthers) || !(yield* index.read(Metadata.isComplete))) return yield* all
    const found = yield* findAt(workspace, paths)
    if (found === undefined) return yield* all
    const { files, hidden } = found
    const { before, known, suspects } = yield* index.read((sql) => {
      const known = new Set(paths.flatMap((path) => FileTable.pathsAt(sql, path)))
      return {
        known,
        before: Array.from(new Set([...known, ...files.keys()]), (path) => ({
          path,
          version: FileTable.versionOf(sql, path),
        })),
        suspects: Array.from(files.values())
          .sort(Repository.byPath)
          .map((file) => FileTable.suspect(sql, file)),
      }
    })
    const removed = [...known].filter((path) => !files.has(path)).sort()
    const stored = yield* index.read((sql) => Metadata.get(sql, "attributes"))
    const parsed = yield* parse(workspace, symbols, index, suspects, Attributes.matcher(Attributes.fromJson(stored)))
    yield* complete(index, suspects.length, removed)
    return yield* index.read((sql) => ({
      ...FileTable.counts(sql),
      parsed,
      removed: removed.length,
      hidden,
      changes: before
        .map(({ path, version }) => changeOf(path, version, FileTable.versionOf(sql, path)))
        .filter((change) => change !== undefined)
        .sort((one, other) => (one.path < other.path ? -1 : 1)),
    }))
  })

/**
 * Finds the files at some paths, which may be files or folders, or gone. Undefined if a folder on the way cannot be
 * read.
 */
const findAt = Effect.fnUntraced(function* (workspace: Workspace, paths: ReadonlyArray<string>) {
  const files = new Map<string, File>()
  const listings = new Map<string, Listing>()
  let hidden = 0
  for (const path of paths) {
    const parent = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
    const listing = listings.get(parent) ?? (yield* listIfThere(workspace, parent))
    if (listing === undefined) return undefined
    listings.set(parent, listing)
    const entry = listing.entries.find((each) => each.path === path)
    if (entry?.kind === "file") files.set(path, entry)
    if (entry?.kind !== "folder") continue
    const visited = yield* Effect.either(
      Repository.visit(workspace, path, (_, listed) =>
        Effect.sync(() => {
          for (const file of listed) files.set(file.path, file)
        }),
      ),
    )
    // The folder was removed or ignored just now, which is an event of its own; or it cannot be read.
    if (Either.isLeft(visited) || visited.right.unreadable.length > 0) return undefined
    hidden += visited.right.hidden
  }
  return { files, hidden }
})

/**
 * Lists a folder: without entries if it is gone or left out, undefined if it cannot be read. The root must be there.
 */
const listIfThere = (workspace: Workspace, folder: string): Effect.Effect<Listing | undefined, FileError> =>
  Effect.catchAll(workspace.list(folder), (error): Effect.Effect<Listing | undefined, FileError> => {
    if (folder === "") return Effect.fail(error)
    switch (error.reason._tag) {
      case "Ignored":
      case "NotAFolder":
      case "NotFound":
      case "Refused":
        return Effect.succeed({ entries: [], hidden: 0 })
      default:
        return Effect.succeed(undefined)
    }
  })

const changeOf = (
  path: string,
  before: FileTable.Version | undefined,
  after: FileTable.Version | undefined,
): FileChange | undefined => {
  if (before?.hash === after?.hash) return undefined
  const old = before?.symbols ?? none
  const now = after?.symbols ?? none
  const names = [...now.keys()]
  return {
    path,
    change: before === undefined ? "added" : after === undefined ? "removed" : "changed",
    added: names.filter((name) => !old.has(name)),
    changed: names.filter((name) => old.has(name) && old.get(name) !== now.get(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
  }
}

const none: FileTable.Version["symbols"] = new Map()

/** Returns whether files with other paths depend on the one at this path. */
const concernsOthers = (path: string): boolean => path === "" || isIgnoreFile(path) || Attributes.isAttributes(path)

/** Files that are compared with the index at a time, which limits the memory. */
const COMPARED = 1_000

/** Walks the files, and keeps only those that differ from the index, and attributes files. */
const compare = Effect.fnUntraced(function* (workspace: Workspace, index: IndexDatabase, retriesCut: boolean) {
  const seen = new Set<number>()
  const suspects: Array<FileTable.Suspect> = []
  const attributes: Array<File> = []
  let waiting: Array<File> = []
  const compareWaiting = Effect.suspend(() => {
    const files = waiting
    waiting = []
    return Effect.map(
      index.read((sql) => FileTable.suspectsOf(sql, files, { retriesCut, seen })),
      (found) => {
        for (const suspect of found) suspects.push(suspect)
      },
    )
  })
  const { hidden, nameless, unreadable } = yield* Repository.visit(workspace, "", (_, files) => {
    for (const file of files) {
      waiting.push(file)
      if (Attributes.isAttributes(file.path)) attributes.push(file)
    }
    return waiting.length < COMPARED ? Effect.void : compareWaiting
  })
  yield* compareWaiting
  const removed = yield* index.read((sql) => FileTable.unseen(sql, seen))
  return {
    attributes,
    hidden,
    removed,
    suspects: suspects.sort((one, other) => Repository.byPath(one.file, other.file)),
    unread: [...unreadable.map((folder) => `${folder}/`), ...nameless],
  }
})

/** Reads, outlines and stores suspects. Returns how many were outlined. */
const parse = Effect.fnUntraced(function* (
  workspace: Workspace,
  symbols: Symbols.Service,
  index: IndexDatabase,
  suspects: ReadonlyArray<FileTable.Suspect>,
  declaredOf: (path: string) => Attributes.Declared,
) {
  const report = yield* FiberRef.get(RunProgress.refreshObserver)
  const total = suspects.length
  const cost = suspects.reduce((sum, { file }) => sum + costOf(file), 0)
  const few = total > RunProgress.MAX_REFRESH_PATHS ? undefined : { paths: suspects.map(({ file }) => file.path) }
  yield* report({ phase: "parsing", done: 0, total, share: 0, ...few })
  let done = 0
  let spent = 0
  let parsed = 0
  let isWriting = false
  const analyze = Documents.analyzer()
  const outline = Copies.outliner(
    symbols,
    suspects.map(({ file }) => file),
  )
  const examineOne = examine(workspace, outline, ({ path }, source) =>
    FileContent.derive(path, source, declaredOf(path), analyze),
  )
  const examined = orderedQueue<FileTable.Examined>()
  const exclusively = makeMutex()
  /**
   * Writes the queue if it holds `least` files. The fibers that fill it go on meanwhile, so that the workers have texts
   * to outline, and wait once `MAX_WAITING` files are in the queue, which limits the memory.
   */
  const flush = (least: number) =>
    Effect.suspend(() => {
      if (examined.length() < least) return Effect.void
      const batch = examined.takeAll()
      isWriting = true
      return Effect.ensuring(
        index.write((sql) => writeBatch(sql, batch)),
        Effect.sync(() => {
          isWriting = false
        }),
      )
    }).pipe(exclusively)
  yield* mapInParallel(
    suspects,
    (suspect, position) =>
      Effect.flatMap(examineOne(suspect), (file) => {
        if (file.content?.text !== undefined) parsed += 1
        examined.put(position, file)
        done += 1
        spent += costOf(suspect.file)
        const written = examined.length() < (isWriting ? MAX_WAITING : BATCH) ? Effect.void : flush(BATCH)
        return done % REPORT_EVERY === 0
          ? Effect.zipRight(report({ phase: "parsing", done, total, share: spent / cost }), written)
          : written
      }),
    CONCURRENCY,
  )
  // The memory of idle workers would add to that of all that follows, such as the wiki.
  yield* symbols.release ?? Effect.void
  yield* flush(1)
  return parsed
})

/**
 * Removes files that are gone, and does what depends on all files together. `total` is the number of files that were
 * examined.
 */
const complete = Effect.fnUntraced(function* (index: IndexDatabase, total: number, removed: ReadonlyArray<string>) {
  const report = yield* FiberRef.get(RunProgress.refreshObserver)
  yield* report({ phase: "resolving", done: total, total, share: 1 })
  if (removed.length > 0 || !(yield* index.read(Metadata.isComplete))) {
    yield* index.write((sql) => finish(sql, removed))
  }
})

/** Estimates how long a file takes, in bytes to parse; reading and storing one takes as long as parsing 2 kB. */
const costOf = ({ path, stat }: File): number =>
  2_000 + (Language.of(path)?.grammar === undefined ? 0 : Math.min(stat.size, 500_000))

/**
 * A queue that is filled in any order and emptied in the order of the positions, so that numbers do not depend on
 * timing.
 */
const orderedQueue = <A>() => {
  const early = new Map<number, A>()
  let queue: Array<A> = []
  let next = 0
  return {
    put: (position: number, item: A): void => {
      early.set(position, item)
      for (let first = early.get(next); first !== undefined; first = early.get(next)) {
        queue.push(first)
        early.delete(next++)
      }
    },
    /** The number of items that can be taken. */
    length: () => queue.length,
    takeAll: (): ReadonlyArray<A> => {
      const taken = queue
      queue = []
      return taken
    },
  }
}

/** Reads and outlines a suspect, and derives what is stored of it. */
const examine =
  (
    workspace: Workspace,
    outlineOf: Copies.Outliner,
    derive: (file: File, source: FileContent.Source) => FileContent.FileContent,
  ) =>
  ({ file, hash: known }: FileTable.Suspect): Effect.Effect<FileTable.Examined> =>
    Effect.gen(function* () {
      const { text } = yield* workspace.read(file)
      const hash = Text.sha256(text)
      if (hash === known) return { file, hash, content: undefined }
      const outline = yield* outlineOf(file, text, hash)
      const routes = yield* Routes.read(file.path, text)
      const language = Language.of(file.path, text)?.id
      return { file, hash, content: derive(file, { text, outline, routes, language }) }
    }).pipe(
      Effect.catchAll(({ reason }) => {
        const { read, source } = unread(file, reason)
        const hash = `unread: ${reason.message}`
        return Effect.succeed({ file: read, hash, content: hash === known ? undefined : derive(file, source) })
      }),
    )

/** Lists a file that cannot be read with the reason. */
const unread = (file: File, reason: Reason): { readonly read: File; readonly source: FileContent.Source } => {
  const isPermanent = reason._tag === "Binary" || reason._tag === "TooLarge"
  return {
    // Other reasons, such as a missing permission, may pass without a change of the file. No file has this size, so the
    // next refresh reads it again.
    read: isPermanent ? file : { ...file, stat: { ...file.stat, size: FileTable.UNREAD } },
    source: {
      text: undefined,
      outline: {
        symbols: [],
        identifiers: new Map(),
        imports: [],
        references: "",
        note: reason.message,
        cut: undefined,
      },
      routes: [],
      language: Language.of(file.path)?.id,
    },
  }
}

function* writeBatch(sql: Statements, batch: ReadonlyArray<FileTable.Examined>): Steps<void> {
  const postings = PostingLists.writer(sql)
  const names = new Set<string>()
  for (const file of batch) {
    for (const name of FileTable.write(sql, postings, file)) names.add(name)
    yield
  }
  yield* postings.flush()
  const wasComplete = Metadata.wasComplete(sql)
  if (batch.some(({ content }) => content !== undefined)) {
    Metadata.set(sql, "structure", wasComplete ? "changed" : "partial")
    Metadata.raiseRevision(sql)
  }
  if (wasComplete) yield* PurposeTable.chooseAll(sql, names)
}

/** Brings the classes of files that have not changed up to date with the attributes files. */
function* classify(
  sql: Statements,
  declaredOf: (path: string) => Attributes.Declared,
  attributes: string,
): Steps<void> {
  const postings = PostingLists.writer(sql)
  yield* FileTable.classifyAll(sql, postings, declaredOf)
  yield* postings.flush()
  Metadata.set(sql, "attributes", attributes)
  Metadata.raiseRevision(sql)
}

function* noteUnreadable(sql: Statements, paths: string): Steps<void> {
  Metadata.set(sql, "unreadable", paths)
  yield
}

/** Does what depends on all files together. */
function* finish(sql: Statements, removed: ReadonlyArray<string>): Steps<void> {
  const postings = PostingLists.writer(sql)
  for (const path of removed) {
    FileTable.remove(sql, postings, path)
    yield
  }
  const rules = Attributes.fromJson(Metadata.get(sql, "attributes"))
  yield* FileTable.classifyExamples(sql, postings, Attributes.matcher(rules))
  yield* postings.flush()
  yield* PostingLists.mergeSegments(sql)
  yield* PostingLists.compact(sql)
  const wasComplete = Metadata.wasComplete(sql)
  if (!wasComplete) yield* Schema.indexNames(sql)
  yield* LinkTable.update(sql, !wasComplete)
  if (!wasComplete) yield* PurposeTable.chooseAll(sql)
  Metadata.set(sql, "structure", "complete")
  Metadata.raiseRevision(sql)
}
