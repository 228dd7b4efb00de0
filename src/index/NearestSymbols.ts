/**
 * Finds the symbols whose vectors are nearest to that of a question: one request for the question, then a look at all
 * vectors.
 */
import * as fs from "node:fs"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { endWith } from "../base/concurrency.ts"
import * as Sqlite from "../disk/Sqlite.ts"
import { quantize } from "../embedding/Int8Matrix.ts"
import * as VectorStore from "../embedding/VectorStore.ts"
import type * as Embedder from "../model/Embedder.ts"
import { RetryPolicy } from "../model/Retry.ts"
import type { SimilarSymbol } from "./IndexStore.ts"

export interface Found {
  /** The symbols for `Index.search`, the nearest first. */
  readonly symbols: ReadonlyArray<SimilarSymbol>
  /** One line that says why there are none, so that a search goes on by words alone. */
  readonly problem: string | undefined
}

/** `root` is that of the workspace. Takes about two seconds at most, and never fails. */
export type Finder = (root: string, question: string) => Effect.Effect<Found>

/** How long to wait for the vector of a question. */
const TIME_LIMIT = Duration.seconds(2)

/** How many vectors a search takes in. Beyond them the distances hardly differ. */
export const NEAREST = 200

/**
 * The most characters of a question, about a thousand tokens. Models read 500 to 8,000 tokens, and refuse or cut a
 * longer text.
 */
const MAX_QUESTION = 3_000

/** Reads the vectors of each root once, until their file changes. */
export const makeFinder = (embedder: Embedder.Service): Finder => {
  const loaded = new Map<string, { readonly version: string; readonly vectors: VectorStore.Vectors }>()

  const vectorsOf = (sql: Sqlite.Statements, root: string): VectorStore.Vectors | undefined => {
    const version = versionOf(VectorStore.fileIn(root))
    const known = loaded.get(root)
    if (known?.version === version) return known.vectors
    const vectors = VectorStore.read(sql)
    if (vectors !== undefined) loaded.set(root, { version, vectors })
    return vectors
  }

  const search = (root: string, question: string) =>
    Effect.gen(function* () {
      const file = VectorStore.fileIn(root)
      const sql = Sqlite.statements(yield* VectorStore.openToRead(root))
      const owner = yield* Sqlite.attempt(file, () => VectorStore.owner(sql))
      if (owner === undefined) return without("the index has no vectors yet: 'vibe index' makes them")
      if (owner.embedder !== embedder.id) {
        return without(`the vectors of the index are of ${owner.embedder}: 'vibe index' makes those of ${embedder.id}`)
      }
      const { vectors } = yield* embedder.embedQuery(question.slice(0, MAX_QUESTION))
      const [vector] = vectors
      if (vector === undefined || vector.length !== owner.dimensions) {
        const has = `the server returned ${vector?.length ?? 0} dimensions, and the index has ${owner.dimensions}`
        // A run would not help: it finds that all symbols have vectors, and asks for none.
        return without(`${String(embedder.model)}: ${has}: remove .vibe/index.db.vectors and run 'vibe index'`)
      }
      return yield* Sqlite.attempt(file, (): Found => {
        const near = vectorsOf(sql, root)?.nearest(quantize(vector), NEAREST) ?? []
        const symbols: ReadonlyArray<SimilarSymbol> = VectorStore.symbolsAt(sql, near)
        return { symbols, problem: undefined }
      })
    })

  const tooSlow = without(`${String(embedder.model)}: no answer within ${Duration.format(TIME_LIMIT)}`)
  return (root, question) =>
    Effect.scoped(search(root, question)).pipe(
      Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero }),
      endWith(Effect.as(Effect.sleep(TIME_LIMIT), tooSlow)),
      Effect.catchAll((error) => Effect.succeed(without(error.message))),
    )
}

const without = (problem: string): Found => ({ symbols: [], problem })

/** Identifies the state of the file: it changes with each write to the file or to its write-ahead log. */
const versionOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((path) => fs.statSync(path, { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? "" : `${stat.mtimeMs} ${stat.size} ${stat.ino}`))
    .join("|")
