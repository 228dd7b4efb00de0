/** Brings the tables up to date with the files. Reads only files whose size or time has changed. */

import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Attributes from "../../../../code/Attributes.ts"
import type { FileError, Reason } from "../../../../code/FileError.ts"
import * as Language from "../../../../code/Language.ts"
import * as Repository from "../../../../code/Repository.ts"
import type * as Symbols from "../../../../code/Symbols.ts"
import type { File, Workspace } from "../../../../code/Workspace.ts"
import type { DiskError } from "../../../../disk/DiskError.ts"
import { makeMutex } from "../../../../disk/mutex.ts"
import type { Statements, Steps } from "../../../../disk/Sqlite.ts"
import * as PostingLists from "../../../../search/PostingLists.ts"
import * as Vocabulary from "../../../../search/Vocabulary.ts"
import * as Digest from "../../../Digest.ts"
import type { Refreshed } from "../../../IndexStore.ts"
import * as RefreshProgress from "../../../RefreshProgress.ts"
import type { IndexDatabase } from "../IndexDatabase.ts"
import * as Metadata from "../Metadata.ts"
import * as PurposeTable from "../purposes/PurposeTable.ts"
import * as LinkTable from "../references/LinkTable.ts"
import * as Schema from "../Schema.ts"
import * as FileTable from "./FileTable.ts"

/** Files in one transaction: bounds the memory, and what a run that is killed has to do again. */
const BATCH = 128

/** Files that are read and parsed at a time: enough for all threads to have work while a batch is written. */
const CONCURRENCY = 256

/** Files between two reports of progress. */
const REPORT_EVERY = 16

export interface Options {
  /**
   * Whether files whose outline was cut short for time are outlined again. Each may take seconds, so commands that only
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
    const report = yield* FiberRef.get(RefreshProgress.observer)
    yield* report({ phase: "walking", done: 0, total: 0, share: 0 })
    // They may have changed since an index that is open for long was opened.
    yield* workspace.rereadIgnoreFiles
    const { files, hidden, unreadable } = yield* Repository.walk(workspace)
    const rules = yield* Attributes.read(workspace, files)
    const declaredOf = Attributes.matcher(rules)
    const { removed, suspects } = yield* index.read((sql) => FileTable.compare(sql, files, retriesCut))
    const total = suspects.length
    const cost = suspects.reduce((sum, { file }) => sum + costOf(file), 0)
    yield* report({ phase: "parsing", done: 0, total, share: 0 })
    let done = 0
    let spent = 0
    let parsed = 0
    let vocabulary = Vocabulary.make()
    const examined = orderedQueue<FileTable.Examined>()
    const oneAtATime = makeMutex()
    /** Writes the queue where it holds `least` files. The fibers that fill it wait meanwhile, which bounds the memory. */
    const flush = (least: number) =>
      Effect.suspend(() => {
        if (examined.length() < least) return Effect.void
        const batch = examined.takeAll()
        if (vocabulary.isFull()) vocabulary = Vocabulary.make()
        return index.write((sql) => writeBatch(sql, PostingLists.writer(sql, vocabulary), batch))
      }).pipe(oneAtATime)
    yield* Effect.forEach(
      suspects,
      (suspect, position) =>
        Effect.flatMap(examine(workspace, symbols, declaredOf(suspect.file.path))(suspect), (file) => {
          if (file.content?.text !== undefined) parsed += 1
          examined.put(position, file)
          done += 1
          spent += costOf(suspect.file)
          const written = examined.length() < BATCH ? Effect.void : flush(BATCH)
          return done % REPORT_EVERY === 0
            ? Effect.zipRight(report({ phase: "parsing", done, total, share: spent / cost }), written)
            : written
        }),
      { concurrency: CONCURRENCY, discard: true },
    )
    yield* flush(1)
    const attributes = JSON.stringify(rules)
    if ((yield* index.read((sql) => Metadata.get(sql, "attributes"))) !== attributes) {
      yield* index.write((sql) => classify(sql, declaredOf, attributes))
    }
    const folders = JSON.stringify(unreadable)
    if (((yield* index.read((sql) => Metadata.get(sql, "unreadable"))) ?? "[]") !== folders) {
      yield* index.write((sql) => noteUnreadable(sql, folders))
    }
    yield* report({ phase: "resolving", done: total, total, share: 1 })
    if (removed.length > 0 || !(yield* index.read(Metadata.isComplete))) {
      yield* index.write((sql) => finish(sql, removed))
    }
    const counts = yield* index.read(FileTable.counts)
    return { ...counts, parsed, removed: removed.length, hidden }
  })

/** About how long a file takes, in bytes to parse; reading and storing one takes as long as parsing 2 kB. */
const costOf = ({ path, stat }: File): number =>
  2_000 + (Language.of(path)?.grammar === undefined ? 0 : Math.min(stat.size, 500_000))

/** A queue that is filled in any order and emptied in the order of the positions: numbers do not depend on timing. */
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

const examine =
  (workspace: Workspace, symbols: Symbols.Service, declared: Attributes.Declared) =>
  ({ file, hash: known }: FileTable.Suspect): Effect.Effect<FileTable.Examined> =>
    Effect.gen(function* () {
      const { text } = yield* workspace.read(file)
      const hash = Digest.sha256(text)
      if (hash === known) return { file, hash, declared, content: undefined }
      const outline = yield* symbols.outline(file.path, text)
      return { file, hash, declared, content: { text, outline, language: Language.of(file.path)?.id } }
    }).pipe(Effect.catchAll(({ reason }) => Effect.succeed({ ...unread(file, known, reason), declared })))

/** A file that cannot be read is listed with the reason. */
const unread = (file: File, known: string | undefined, reason: Reason): Omit<FileTable.Examined, "declared"> => {
  const hash = `unread: ${reason.message}`
  const isPermanent = reason._tag === "Binary" || reason._tag === "TooLarge"
  return {
    // Other reasons, such as a missing permission, may pass without a change of the file: no file has this size, so the
    // next refresh reads it again.
    file: isPermanent ? file : { ...file, stat: { ...file.stat, size: FileTable.UNREAD } },
    hash,
    content:
      hash === known
        ? undefined
        : {
            text: undefined,
            outline: {
              symbols: [],
              identifiers: new Map(),
              imports: [],
              references: "",
              note: reason.message,
              cut: undefined,
            },
            language: Language.of(file.path)?.id,
          },
  }
}

function* writeBatch(
  sql: Statements,
  postings: PostingLists.Writer,
  batch: ReadonlyArray<FileTable.Examined>,
): Steps<void> {
  const names = new Set<string>()
  for (const file of batch) {
    for (const name of FileTable.write(sql, postings, file)) names.add(name)
    yield
  }
  yield* postings.flush()
  const wasComplete = Metadata.wasComplete(sql)
  if (batch.some(({ content }) => content !== undefined)) {
    Metadata.set(sql, "structure", wasComplete ? "changed" : "partial")
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
}

function* noteUnreadable(sql: Statements, folders: string): Steps<void> {
  Metadata.set(sql, "unreadable", folders)
  yield
}

/** Does what depends on all files together. */
function* finish(sql: Statements, removed: ReadonlyArray<string>): Steps<void> {
  const postings = PostingLists.writer(sql)
  for (const path of removed) {
    FileTable.remove(sql, postings, path)
    yield
  }
  yield* postings.flush()
  yield* PostingLists.mergeSegments(sql)
  yield* PostingLists.compact(sql)
  const wasComplete = Metadata.wasComplete(sql)
  if (!wasComplete) yield* Schema.indexNames(sql)
  yield* LinkTable.update(sql, !wasComplete)
  if (!wasComplete) yield* PurposeTable.chooseAll(sql)
  Metadata.set(sql, "structure", "complete")
}
