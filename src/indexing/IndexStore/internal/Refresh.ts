/** Brings the tables up to date with the files, looking only into those that changed. */
import * as Effect from "effect/Effect"
import type { FileError, Reason } from "../../../code/FileError.ts"
import * as Language from "../../../code/Language.ts"
import * as Repository from "../../../code/Repository.ts"
import type * as Symbols from "../../../code/Symbols.ts"
import type { File, Workspace } from "../../../code/Workspace.ts"
import type { DiskError } from "../../../disk/DiskError.ts"
import type { Statements, Steps } from "../../../disk/Sqlite.ts"
import * as Digest from "../../Digest.ts"
import type { Refreshed } from "../../IndexStore.ts"
import * as Facts from "./Facts.ts"
import * as Learned from "./Learned.ts"
import * as Names from "./Names.ts"
import * as Postings from "./Postings.ts"
import * as Schema from "./Schema.ts"
import * as Structure from "./Structure.ts"
import type { Tables } from "./Tables.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** Files that are kept in one transaction: a run that is killed begins there again, and memory holds no more of them. */
const BATCH = 128

/** Files that are looked at side by side: enough for several threads to have work while a batch is kept. */
const SIDE_BY_SIDE = 256

export interface Options {
  /**
   * Whether files whose outline was cut short for time are outlined again. Each may take seconds, so what only reads an
   * index leaves them as they are.
   */
  readonly retriesCut: boolean
}

export const refresh = (
  workspace: Workspace,
  symbols: Symbols.Service,
  tables: Tables,
  { retriesCut }: Options,
): Effect.Effect<Refreshed, DiskError | FileError> =>
  Effect.gen(function* () {
    const { files, hidden } = yield* Repository.walk(workspace)
    const { gone, suspects } = yield* tables.read((sql) => Structure.compare(sql, files, retriesCut))
    let parsed = 0
    let vocabulary = Vocabulary.make()
    const line = inLine<Structure.Seen>()
    const oneByOne = (yield* Effect.makeSemaphore(1)).withPermits(1)
    /** Keeps what is in line if that is so many. All who bring more meanwhile wait, so that memory holds no more of it. */
    const keepLine = (least: number) =>
      Effect.suspend(() => {
        if (line.length() < least) return Effect.void
        const seen = line.leave()
        if (vocabulary.isFull()) vocabulary = Vocabulary.make()
        return tables.write((sql) => keep(sql, Postings.batch(sql, vocabulary), seen))
      }).pipe(oneByOne)
    yield* Effect.forEach(
      suspects,
      (suspect, place) =>
        Effect.flatMap(look(workspace, symbols)(suspect), (seen) => {
          if (seen.content?.text !== undefined) parsed += 1
          line.enter(place, seen)
          return line.length() < BATCH ? Effect.void : keepLine(BATCH)
        }),
      { concurrency: SIDE_BY_SIDE, discard: true },
    )
    yield* keepLine(1)
    if (gone.length > 0 || !(yield* tables.read(isComplete))) yield* tables.write((sql) => finish(sql, gone))
    const counts = yield* tables.read(Structure.counts)
    return { ...counts, parsed, removed: gone.length, hidden }
  })

/** Puts what arrives in any order in line again. */
const inLine = <A>() => {
  const early = new Map<number, A>()
  let line: Array<A> = []
  let next = 0
  return {
    enter: (place: number, each: A): void => {
      early.set(place, each)
      for (let first = early.get(next); first !== undefined; first = early.get(next)) {
        line.push(first)
        early.delete(next++)
      }
    },
    length: () => line.length,
    leave: (): ReadonlyArray<A> => {
      const left = line
      line = []
      return left
    },
  }
}

const look =
  (workspace: Workspace, symbols: Symbols.Service) =>
  ({ file, hash: known }: Structure.Suspect): Effect.Effect<Structure.Seen> =>
    Effect.gen(function* () {
      const { text } = yield* workspace.read(file)
      const hash = Digest.of(text)
      if (hash === known) return { file, hash, content: undefined }
      const outline = yield* symbols.outline(file.path, text)
      return { file, hash, content: { text, outline, language: Language.of(file.path)?.id } }
    }).pipe(Effect.catchAll(({ reason }) => Effect.succeed(unread(file, known, reason))))

/** It is listed all the same, with the reason. */
const unread = (file: File, known: string | undefined, reason: Reason): Structure.Seen => {
  const hash = `unread: ${reason.message}`
  const isSettled = reason._tag === "Binary" || reason._tag === "TooLarge"
  return {
    // What a permission or a moment kept from us is asked for again: no file has that size.
    file: isSettled ? file : { ...file, stat: { ...file.stat, size: -1 } },
    hash,
    content:
      hash === known
        ? undefined
        : {
            text: undefined,
            outline: { symbols: [], identifiers: new Map(), imports: [], note: reason.message, cut: undefined },
            language: Language.of(file.path)?.id,
          },
  }
}

const isComplete = (sql: Statements): boolean => Facts.get(sql, "structure") === "complete"

function* keep(sql: Statements, postings: Postings.Batch, seen: ReadonlyArray<Structure.Seen>): Steps<void> {
  const names = new Set<string>()
  for (const each of seen) {
    for (const name of Structure.keep(sql, postings, each)) names.add(name)
    yield
  }
  yield* postings.write()
  const areCounted = Names.areCounted(sql)
  if (seen.some(({ content }) => content !== undefined)) {
    Facts.set(sql, "structure", areCounted ? "changed" : "partial")
  }
  if (areCounted) yield* Learned.showAll(sql, names)
}

/** What depends on all files together. */
function* finish(sql: Statements, gone: ReadonlyArray<string>): Steps<void> {
  const postings = Postings.batch(sql)
  for (const path of gone) {
    Structure.remove(sql, postings, path)
    yield
  }
  yield* postings.write()
  yield* Postings.sort(sql)
  yield* Postings.sweep(sql)
  const areCounted = Names.areCounted(sql)
  if (!areCounted) {
    yield* Schema.indexNames(sql)
    yield* Names.count(sql)
  }
  yield* Names.settle(sql)
  if (!areCounted) yield* Learned.showAll(sql)
  Facts.set(sql, "structure", "complete")
}
