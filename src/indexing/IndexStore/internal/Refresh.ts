/** Brings the tables up to date with the files, looking only into those that changed. */
import * as Crypto from "node:crypto"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { FileError, Reason } from "../../../code/FileError.ts"
import * as Language from "../../../code/Language.ts"
import * as Repository from "../../../code/Repository.ts"
import type * as Symbols from "../../../code/Symbols.ts"
import type { Workspace } from "../../../code/Workspace.ts"
import type { DiskError } from "../../../disk/DiskError.ts"
import type { Statements } from "../../../disk/Sqlite.ts"
import type { Refreshed } from "../../IndexStore.ts"
import * as Facts from "./Facts.ts"
import * as Learned from "./Learned.ts"
import * as Structure from "./Structure.ts"
import type { Tables } from "./Tables.ts"

/** Files that are kept in one transaction: a run that is killed begins there again, and memory holds no more of them. */
const BATCH = 128

/** Files that are read at the same time. */
const READERS = 8

export const refresh = (
  workspace: Workspace,
  symbols: Symbols.Service,
  tables: Tables,
): Effect.Effect<Refreshed, DiskError | FileError> =>
  Effect.gen(function* () {
    const { files, hidden } = yield* Repository.walk(workspace)
    const { gone, suspects } = yield* tables.read((sql) => Structure.compare(sql, files))
    let parsed = 0
    for (const batch of Arr.chunksOf(suspects, BATCH)) {
      const seen = yield* Effect.forEach(batch, look(workspace, symbols), { concurrency: READERS })
      yield* tables.write((sql) => keep(sql, seen))
      parsed += seen.filter(({ content }) => content?.text !== undefined).length
    }
    if (gone.length > 0 || !(yield* tables.read(isComplete))) yield* tables.write((sql) => finish(sql, gone))
    const counts = yield* tables.read(Structure.counts)
    return { ...counts, parsed, removed: gone.length, hidden }
  })

const look =
  (workspace: Workspace, symbols: Symbols.Service) =>
  ({ file, hash: known }: Structure.Suspect): Effect.Effect<Structure.Seen> =>
    Effect.gen(function* () {
      const { text } = yield* workspace.read(file.path)
      const hash = Crypto.hash("sha256", text)
      if (hash === known) return { file, hash, content: undefined }
      const outline = yield* symbols.outline(file.path, text)
      return { file, hash, content: { text, outline, language: Language.of(file.path)?.id } }
    }).pipe(Effect.catchAll(({ reason }) => Effect.succeed(unread(file, known, reason))))

/** It is listed all the same, with the reason. */
const unread = (file: Repository.SourceFile, known: string | undefined, reason: Reason): Structure.Seen => {
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
            outline: { symbols: [], identifiers: new Map(), imports: [], note: reason.message },
            language: Language.of(file.path)?.id,
          },
  }
}

const isComplete = (sql: Statements): boolean => Facts.get(sql, "structure") === "complete"

const keep = (sql: Statements, seen: ReadonlyArray<Structure.Seen>): void => {
  const names = new Set(seen.flatMap((each) => Structure.keep(sql, each)))
  if (seen.some(({ content }) => content !== undefined)) Facts.set(sql, "structure", "partial")
  const described = Learned.symbols(sql)
  for (const name of names) if (described.has(name)) Learned.show(sql, name)
}

/** What depends on all files together. */
const finish = (sql: Statements, gone: ReadonlyArray<string>): void => {
  for (const path of gone) Structure.remove(sql, path)
  Structure.recount(sql)
  Facts.set(sql, "structure", "complete")
}
