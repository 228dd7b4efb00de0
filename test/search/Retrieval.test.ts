import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Corpus from "../../src/search/Corpus.ts"
import * as Documents from "../../src/search/Documents.ts"
import { NEW_WORD_WEIGHT, PURPOSE_WEIGHT } from "../../src/search/Documents.ts"
import * as DocumentTable from "../../src/search/DocumentTable.ts"
import * as Posting from "../../src/search/Posting.ts"
import * as PostingLists from "../../src/search/PostingLists.ts"
import type { WeightedTerm } from "../../src/search/Question.ts"
import * as Ranking from "../../src/search/Ranking.ts"
import * as Retrieval from "../../src/search/Retrieval.ts"
import * as Tokenizer from "../../src/search/Tokenizer.ts"
import * as Unexplained from "../../src/search/Unexplained.ts"
import { cases } from "../thoroughness.ts"
import { addTo, database, impactsOf, run, type Sample, sample, vocabulary } from "./Search.fixture.ts"

const auxiliaryWeight = 0.5

/** More symbols than there are. */
const ALL = 1_000

/** BM25 of every symbol, by its definition, term by term over all documents. */
const naive = (files: ReadonlyArray<Sample>, terms: ReadonlyArray<WeightedTerm>) => {
  const all = files.map((each) => ({
    ...impactsOf(each),
    weight: each.source.isAuxiliary ? auxiliaryWeight : 1,
  }))
  const idf = (count: number, frequency: number) =>
    Math.max(0, Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))) / Posting.MAX_IMPACT
  const sum = (of: (term: string) => number) => terms.reduce((sum, { term, weight }) => sum + weight * of(term), 0)
  const frequency = (term: string, documents: ReadonlyArray<ReadonlyMap<string, number>>) =>
    documents.filter((impacts) => impacts.has(term)).length
  const fileIdf = (term: string) => {
    const ofFiles = frequency(
      term,
      all.map(({ file }) => file),
    )
    const ofPurposes = all.filter(({ purposes }) => frequency(term, purposes) > 0).length
    return idf(all.length, Math.max(ofFiles, ofPurposes))
  }
  const symbols = all.flatMap(({ symbols }) => symbols)
  const purposes = all.flatMap(({ purposes }) => purposes)
  const symbolIdf = (term: string) => idf(symbols.length, Math.max(frequency(term, symbols), frequency(term, purposes)))
  const weightOf = (term: string) => (frequency(term, symbols) > 0 ? PURPOSE_WEIGHT : NEW_WORD_WEIGHT)
  const scoredFiles = all.map(({ file, purposes, symbols }) => ({
    own: sum((term) => fileIdf(term) * (file.get(term) ?? 0)),
    ofPurpose: sum(
      (term) => weightOf(term) * fileIdf(term) * Math.max(0, ...purposes.map((impacts) => impacts.get(term) ?? 0)),
    ),
    explained: Unexplained.shareOfFile(purposes.filter((impacts) => impacts.size > 0).length, symbols.length),
  }))
  const scoredSymbols = all.flatMap(({ purposes, symbols, weight }, file) =>
    symbols.map((impacts, symbol) => ({
      file,
      symbol,
      weight,
      own: sum((term) => symbolIdf(term) * (impacts.get(term) ?? 0)),
      ofPurpose: sum((term) => weightOf(term) * symbolIdf(term) * (purposes[symbol]?.get(term) ?? 0)),
      explained: (purposes[symbol]?.size ?? 0) > 0 ? 1 : 0,
    })),
  )
  const gainOfFiles = Unexplained.averageGain(scoredFiles.filter(({ ofPurpose, own }) => own + ofPurpose > 0))
  const gainOfSymbols = Unexplained.averageGain(scoredSymbols.filter(({ own, weight }) => own > 0 && weight === 1))
  return scoredSymbols.map((each) => {
    const { file, symbol, weight } = each
    const score = Unexplained.score(each, gainOfSymbols)
    const ofFile = scoredFiles[file]
    const fileScore = ofFile === undefined ? Number.NaN : Unexplained.score(ofFile, gainOfFiles)
    return { file, symbol, score, retrievalScore: Ranking.retrievalScore(score, fileScore, weight) }
  })
}

describe("Retrieval", () => {
  it.scoped("returns the symbols that have the highest scores when every symbol is scored", () =>
    Effect.gen(function* () {
      const repositories = FastCheck.sample(
        FastCheck.tuple(
          FastCheck.array(sample, { minLength: 1, maxLength: 30 }),
          FastCheck.uniqueArray(
            FastCheck.record({
              term: FastCheck.constantFrom(...Tokenizer.terms(vocabulary.join(" "))),
              weight: FastCheck.constantFrom(0.1, 0.5, 1),
            }),
            { minLength: 1, selector: ({ term }) => term },
          ),
        ),
        { numRuns: cases(100), seed: 1 },
      )
      for (const [files, terms] of repositories) {
        const sql = yield* database
        const writer = PostingLists.writer(sql)
        for (const { source } of files) addTo(writer, source)
        run(writer.flush())
        run(PostingLists.mergeSegments(sql))
        files.forEach(({ purposes }, file) => {
          purposes.forEach((purpose, symbol) => {
            PostingLists.replacePurpose(sql, { file, symbol }, undefined, purpose)
          })
        })

        const explained = new Map(
          files.map(({ purposes }, file) => [
            file,
            purposes.flatMap((text, symbol) => (Documents.analyzePurpose(text ?? "").size > 0 ? [symbol] : [])),
          ]),
        )

        const documents = DocumentTable.read(sql)
        const lists = terms.map((each) => {
          const lists = PostingLists.read(sql, each.term)
          return { ...each, lists, idf: Corpus.idf(documents, Retrieval.frequencyOf(lists)) }
        })
        const scores = Retrieval.scoreFiles(documents, lists)
        const found = Retrieval.topFiles(documents, scores, { auxiliaryWeight, limit: files.length, within: undefined })
        const top = Retrieval.completeFiles(documents, scores, found, explained)
        const symbols = Retrieval.symbolScores(documents, top, explained)
        // In two steps, as the question and its feedback.
        symbols.add(lists.slice(0, 1))
        symbols.add(lists.slice(1))
        const best = symbols.top(ALL)

        const expected = naive(files, terms)
        const scoreOf = ({ file, symbol }: { readonly file: number; readonly symbol: number }) =>
          expected.find((each) => each.file === file && each.symbol === symbol)?.retrievalScore ?? Number.NaN
        const highest = expected
          .filter(({ score }) => score > 0)
          .map(({ retrievalScore }) => retrievalScore)
          .sort((one, other) => other - one)
        assert.lengthOf(best, highest.length)
        best.forEach((each, position) => {
          assert.closeTo(scoreOf(each), highest[position] ?? Number.NaN, 1e-4)
        })
      }
    }),
  )
})
