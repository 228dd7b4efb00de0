import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Matches from "../../../src/indexing/IndexStore/internal/Matches.ts"
import * as Posting from "../../../src/indexing/IndexStore/internal/Posting.ts"
import * as Postings from "../../../src/indexing/IndexStore/internal/Postings.ts"
import * as Roster from "../../../src/indexing/IndexStore/internal/Roster.ts"
import * as Search from "../../../src/indexing/Search.ts"
import { database, type Made, made, run, told, vocabulary } from "./Postings.fixture.ts"

/** The same sums, term by term over every document. */
const naive = (files: ReadonlyArray<Made>, terms: ReadonlyArray<string>) => {
  const all = files.map((each) => ({ ...told(each), weight: Search.isAside(each.source.path) ? 0.5 : 1 }))
  const rarity = (count: number, occurrences: number) =>
    Math.max(0, Math.log(1 + (count - occurrences + 0.5) / (occurrences + 0.5))) / Posting.MAX_IMPACT
  const sum = (of: (term: string) => number) => terms.reduce((sum, term) => sum + of(term), 0)
  const having = (term: string, documents: ReadonlyArray<ReadonlyMap<string, number>>) =>
    documents.filter((impacts) => impacts.has(term)).length
  const ofFile = (term: string) => {
    const told = all.filter(({ purposes }) => having(term, purposes) > 0).length
    return rarity(
      all.length,
      Math.max(
        having(
          term,
          all.map(({ file }) => file),
        ),
        told,
      ),
    )
  }
  const symbols = all.flatMap(({ symbols }) => symbols)
  const purposes = all.flatMap(({ purposes }) => purposes)
  const ofSymbol = (term: string) => rarity(symbols.length, Math.max(having(term, symbols), having(term, purposes)))
  return all.flatMap(({ file, purposes, symbols, weight }, number) => {
    const most = (term: string) => Math.max(0, ...purposes.map((impacts) => impacts.get(term) ?? 0))
    const fileMatch = sum((term) => ofFile(term) * ((file.get(term) ?? 0) + Matches.PURPOSE_WEIGHT * most(term)))
    return symbols.map((impacts, symbol) => {
      const purpose = (term: string) => Matches.PURPOSE_WEIGHT * (purposes[symbol]?.get(term) ?? 0)
      const match = sum((term) => ofSymbol(term) * ((impacts.get(term) ?? 0) + purpose(term)))
      return { file: number, symbol, match, value: Search.relevance(match, fileMatch) * weight }
    })
  })
}

describe("Matches", () => {
  it.scoped("finds the symbols that scoring every one of them finds", () =>
    Effect.gen(function* () {
      const repositories = FastCheck.sample(
        FastCheck.tuple(
          FastCheck.array(made, { minLength: 1, maxLength: 30 }),
          FastCheck.uniqueArray(FastCheck.constantFrom(...Search.asked(vocabulary.join(" "))), { minLength: 1 }),
        ),
        { numRuns: 100, seed: 1 },
      )
      for (const [files, terms] of repositories) {
        const sql = yield* database
        const batch = Postings.batch(sql)
        for (const { source } of files) batch.add(source)
        run(batch.write())
        run(Postings.sort(sql))
        files.forEach(({ purposes }, file) => {
          purposes.forEach((purpose, symbol) => {
            Postings.replacePurpose(sql, { file, symbol }, undefined, purpose)
          })
        })

        const roster = Roster.read(sql)
        const lists = terms.map((term) => Postings.find(sql, term))
        const best = Matches.bestFiles(roster, Matches.files(roster, lists), 0.5, files.length)
        const found = Matches.bestSymbols(roster, lists, best, 10)

        const expected = naive(files, terms)
        const worth = ({ file, symbol }: { readonly file: number; readonly symbol: number }) =>
          expected.find((each) => each.file === file && each.symbol === symbol)?.value ?? Number.NaN
        const largest = expected
          .filter(({ match }) => match > 0)
          .map(({ value }) => value)
          .sort((one, other) => other - one)
          .slice(0, 10)
        assert.lengthOf(found, largest.length)
        found.forEach((each, place) => {
          assert.closeTo(worth(each), largest[place] ?? Number.NaN, 1e-4)
        })
      }
    }),
  )
})
