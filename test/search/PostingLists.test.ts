import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import type { Statements } from "../../src/disk/Sqlite.ts"
import * as Documents from "../../src/search/Documents.ts"
import * as DocumentTable from "../../src/search/DocumentTable.ts"
import * as Posting from "../../src/search/Posting.ts"
import * as PostingLists from "../../src/search/PostingLists.ts"
import * as Tokenizer from "../../src/search/Tokenizer.ts"
import { isThorough } from "../thoroughness.ts"
import { addTo, database, impactsOf, run, type Sample, sample, vocabulary } from "./Search.fixture.ts"

/** One file with one symbol. */
const one: Sample = {
  source: {
    path: "a.ts",
    isAuxiliary: false,
    symbols: [{ name: "fig", container: undefined, doc: undefined, signature: "" }],
    text: { ofSymbols: ["fig"], outside: "" },
  },
  purposes: [],
}

const terms = Tokenizer.terms(vocabulary.join(" "))

/** A line for each posting of a live file: collection, term, file, symbol and impact. */
const posted = (sql: Statements) => {
  const documents = DocumentTable.read(sql)
  return terms
    .flatMap((term) =>
      PostingLists.read(sql, term).flatMap(({ block, collection, postings }) =>
        Array.from(postings).flatMap((posting) => {
          const file = block * Posting.FILES_PER_BLOCK + Posting.fileInBlock(posting)
          const isLive = DocumentTable.isLive(DocumentTable.entry(documents, file))
          return isLive ? [`${collection} ${term} ${file} ${Posting.symbol(posting)} ${Posting.impact(posting)}`] : []
        }),
      ),
    )
    .sort()
}

const naive = (files: ReadonlyMap<number, Sample>) =>
  Array.from(files, ([number, each]) => {
    const { file, purposes, symbols } = impactsOf(each)
    const lines = (collection: number, symbol: number, impacts: ReadonlyMap<string, number>) =>
      Array.from(impacts, ([term, impact]) => `${collection} ${term} ${number} ${symbol} ${impact}`)
    return [
      ...lines(PostingLists.FILES, 0, file),
      ...symbols.flatMap((impacts, symbol) => lines(PostingLists.SYMBOLS, symbol, impacts)),
      ...purposes.flatMap((impacts, symbol) => lines(PostingLists.PURPOSES, symbol, impacts)),
    ]
  })
    .flat()
    .filter((line) => terms.includes(line.split(" ")[1] ?? ""))
    .sort()

const add = (sql: Statements, each: Sample): number => {
  const writer = PostingLists.writer(sql)
  const file = addTo(writer, each.source)
  run(writer.flush())
  each.purposes.forEach((purpose, symbol) => {
    PostingLists.replacePurpose(sql, { file, symbol }, undefined, purpose)
  })
  return file
}

const remove = (sql: Statements, file: number) => {
  const writer = PostingLists.writer(sql)
  writer.remove(file)
  run(writer.flush())
}

describe("PostingLists", () => {
  it.scoped("are those of the live files, whatever was added and removed before", () =>
    Effect.gen(function* () {
      const changes = FastCheck.sample(FastCheck.tuple(sample, FastCheck.nat(9)), {
        numRuns: isThorough ? 300 : 100,
        seed: 1,
      })
      const sql = yield* database
      const files = new Map<number, Sample>()
      for (const [each, chance] of changes) {
        files.set(add(sql, each), each)
        const gone = chance < 8 ? Array.from(files.keys())[chance] : undefined
        if (gone !== undefined) {
          remove(sql, gone)
          files.delete(gone)
        }
        if (chance === 9) {
          run(PostingLists.mergeSegments(sql))
          run(PostingLists.compact(sql))
          assert.deepStrictEqual(posted(sql), naive(files))
        }
      }
    }),
  )

  it.scoped("are read after a merge", () =>
    Effect.gen(function* () {
      const sql = yield* database
      add(sql, one)
      assert.deepStrictEqual(posted(sql), [])
      run(PostingLists.mergeSegments(sql))
      assert.lengthOf(posted(sql), 2)
      assert.deepStrictEqual(
        ["fig", "appl"].map((term) => PostingLists.count(sql, term)),
        [2, 0],
      )
    }),
  )

  it.scoped("are those of all files of a batch, whichever vocabulary each was counted with", () =>
    Effect.gen(function* () {
      const sql = yield* database
      const writer = PostingLists.writer(sql)
      const [first, second] = [Documents.analyzer(), Documents.analyzer()]
      const samples = FastCheck.sample(sample, { numRuns: 6, seed: 1 })
      samples.forEach(({ source }, file) => {
        writer.add((file % 2 === 0 ? first : second)(source), source.isAuxiliary)
      })
      run(writer.flush())
      run(PostingLists.mergeSegments(sql))
      const withoutPurposes = samples.map(({ source }, file) => [file, { source, purposes: [] }] as const)
      assert.deepStrictEqual(posted(sql), naive(new Map(withoutPurposes)))
    }),
  )

  it.scoped("have no term for a symbol without words", () =>
    Effect.gen(function* () {
      const sql = yield* database
      const writer = PostingLists.writer(sql)
      const symbols = [{ name: "_", container: undefined, doc: undefined, signature: "" }]
      addTo(writer, { path: "_", isAuxiliary: false, symbols, text: { ofSymbols: ["{}"], outside: "" } })
      run(writer.flush())
      run(PostingLists.mergeSegments(sql))
      assert.deepStrictEqual(sql("select term from term").all(), [])
    }),
  )

  it.scoped("change with a purpose and are removed with it", () =>
    Effect.gen(function* () {
      const sql = yield* database
      const file = add(sql, one)
      const about = (collection: number) => posted(sql).filter((line) => line.startsWith(`${collection} `))
      PostingLists.replacePurpose(sql, { file, symbol: 0 }, undefined, "An apple.")
      assert.lengthOf(about(PostingLists.PURPOSES), 1)
      PostingLists.replacePurpose(sql, { file, symbol: 0 }, "An apple.", "A fig and a cherry.")
      assert.lengthOf(about(PostingLists.PURPOSES), 2)
      PostingLists.replacePurpose(sql, { file, symbol: 0 }, "A fig and a cherry.", undefined)
      assert.lengthOf(about(PostingLists.PURPOSES), 0)
    }),
  )

  it.scoped("are compacted, and numbers of files used again, when most files have changed", () =>
    Effect.gen(function* () {
      const sql = yield* database
      for (let round = 0; round < 20; round++) {
        const file = add(sql, one)
        assert.isBelow(file, 3)
        run(PostingLists.mergeSegments(sql))
        remove(sql, file)
        run(PostingLists.compact(sql))
      }
      assert.deepStrictEqual(sql("select id from posting_list union all select id from term").all(), [])
    }),
  )
})
