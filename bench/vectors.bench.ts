/**
 * How long it takes to find the nearest of 200,000 vectors of 256 dimensions, by WebAssembly SIMD, beside plain
 * JavaScript; and to read them from the disk, which the first question of a process waits for.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import * as Sqlite from "../src/disk/Sqlite.ts"
import * as Int8Matrix from "../src/embedding/Int8Matrix.ts"
import { type Quantized, quantize } from "../src/embedding/Int8Matrix.ts"
import * as VectorStore from "../src/embedding/VectorStore.ts"
import { NEAREST } from "../src/index/NearestSymbols.ts"
import type { Row } from "./run.ts"

export const title = "How long a question takes among 200,000 vectors of 256 dimensions"

const count = 200_000
const dimensions = 256
const rounds = 20

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    fs.mkdirSync(path.join(root, ".vibe"))
    await Effect.runPromise(Effect.scoped(store(root)))
    return await Effect.runPromise(Effect.scoped(measure(root)))
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}

let seed = 1
/** The same numbers in each run. */
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32 - 0.5
}

const invented = (): Quantized => quantize(Float32Array.from({ length: dimensions }, random))

/** As a run of `vibe index` leaves them: 64 texts of a request at a time. */
const store = (root: string) =>
  Effect.gen(function* () {
    const database = yield* VectorStore.open(root)
    const sql = Sqlite.statements(database)
    yield* Sqlite.transactionInSteps(root, database, function* () {
      for (let first = 0; first < count; first += 64) {
        const added = Array.from({ length: Math.min(64, count - first) }, (_, n) => {
          const name = `symbol${first + n}`
          return { key: name, vector: invented(), symbols: [{ qualifiedName: name, hash: "h" }] }
        })
        yield* VectorStore.add(sql, { embedder: "bench", dimensions }, added)
      }
    })
  })

const measure = (root: string) =>
  Effect.gen(function* () {
    const sql = Sqlite.statements(yield* VectorStore.openToRead(root))
    const before = process.memoryUsage().rss
    let vectors: VectorStore.Vectors | undefined
    const read = timed(1, () => {
      vectors = VectorStore.read(sql)
    })
    if (vectors === undefined) throw new Error("there are no vectors")
    const memory = (process.memoryUsage().rss - before) / 1e6
    const bytes = fs.statSync(VectorStore.fileIn(root)).size / 1e6
    const question = invented()
    const simd = Int8Matrix.makeWithSimd(count, dimensions)
    const plain = Int8Matrix.makePlain(count, dimensions)
    for (const matrix of simd === undefined ? [plain] : [simd, plain]) {
      for (let row = 0; row < count; row++) matrix.set(row, question.values)
    }
    const rows: ReadonlyArray<Row> = [
      { what: "dot products, plain JavaScript", values: timed(rounds, () => plain.dots(question.values)) },
      { what: "dot products, SIMD", values: timed(rounds, () => simd?.dots(question.values)) },
      {
        what: "the nearest symbols of a question",
        values: timed(rounds, () => VectorStore.symbolsAt(sql, vectors?.nearest(invented(), NEAREST) ?? [])),
        wanted: { most: 40 },
      },
      { what: "the file, read whole", values: read },
      { what: "… in memory", values: [memory], unit: "MB" },
      { what: "… on the disk", values: [bytes], unit: "MB" },
    ]
    return rows
  })

const timed = (times: number, body: () => unknown): ReadonlyArray<number> =>
  Array.from({ length: times }, () => {
    const start = performance.now()
    body()
    return performance.now() - start
  })
