/**
 * Answers a question from the index: the best symbols, as many as are about as good as the first, with what is shown of
 * each besides its entry.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { flawOfCount } from "../base/UsageError.ts"
import * as FileEntry from "../index/FileEntry.ts"
import { sameSymbol } from "../index/IndexEntry.ts"
import { callerKey, type Hit, type SearchOptions } from "../index/IndexStore.ts"
import * as SymbolSearch from "../search/SymbolSearch.ts"
import * as Tokenizer from "../search/Tokenizer.ts"
import { type Answer, sizes } from "./AnswerText.ts"
import * as Blocks from "./Blocks.ts"
import * as Excerpt from "./Excerpt.ts"
import { findRoutes } from "./findRoutes.ts"
import * as Overloads from "./Overloads.ts"
import type { Project } from "./Project.ts"
import * as Related from "./Related.ts"

export interface Options<E = never> extends Pick<SearchOptions, "also" | "path"> {
  /** The most answers; by default `keepRelevant` decides how many are worth showing. */
  readonly limit?: number | undefined
  /** Puts the first results of the search in another order. */
  readonly rerank?: Rerank<E> | undefined
}

export interface Rerank<E> {
  /** How many results it takes. */
  readonly results: number
  /** Returns the same results in another order, and how many of the first are worth showing, if that is known. */
  readonly order: (hits: ReadonlyArray<Hit>) => Effect.Effect<Reordered, E>
}

interface Reordered {
  readonly hits: ReadonlyArray<Hit>
  readonly relevant: number | undefined
}

/** Returns answers, the best first; none if no word of the question is in the index. Reads the file of each. */
export const answer = Effect.fn("Query.answer")(function* <E = never>(
  project: Project,
  question: string,
  { limit, rerank, ...others }: Options<E> = {},
) {
  const flaw = flawOfCount("limit", limit, 0)
  if (flaw !== undefined) return yield* Effect.die(new RangeError(flaw))
  const most = limit ?? MOST
  const routes = yield* answerRoutes(project, question, others.path)
  if (routes.length > 0) return routes.slice(0, most)
  const wanted = Math.max(limit === undefined || limit === 0 ? most : limit + SPARE, rerank?.results ?? 0)
  const symbols = yield* searchSymbols(project, question, others, wanted)
  // A single result needs no other order.
  const { hits, relevant } =
    rerank === undefined || symbols.length < 2 ? { hits: symbols, relevant: undefined } : yield* rerank.order(symbols)
  // A search within a path returns the best of that path, even if all of it is a weak answer.
  const chosen = others.path === undefined ? keepRelevant(hits) : hits.slice(0, MOST)
  const kept = limit === undefined ? (relevant === undefined ? chosen : hits.slice(0, relevant)) : hits
  const answers: Array<Answer> = []
  for (const hit of kept) {
    if (answers.length === most) break
    const answer = yield* detail(project, hit, question, others.also)
    if (answer !== undefined) answers.push(answer)
  }
  return answers
})

/**
 * Answers a question that names a route of the project, such as `GET /owners/7`: the registration first, then its
 * handler. Words say little of it, so nothing else is searched.
 */
const answerRoutes = Effect.fnUntraced(function* (project: Project, question: string, within: string | undefined) {
  const { index, workspace } = project
  const answers: Array<Answer> = []
  const seen = new Set<string>()
  for (const { entry, handlers } of yield* findRoutes(index, question)) {
    if (within !== undefined && !isWithin(entry.path, within)) continue
    const code = yield* Effect.either(workspace.read(entry.path))
    if (Either.isLeft(code) && code.left.reason._tag === "NotFound") continue
    answers.push({
      hit: { entry, score: 1 },
      members: Related.none,
      callees: Related.none,
      excerpt: Either.map(code, ({ text }) => Excerpt.of(text, entry, question)),
      blocks: Either.map(code, ({ text }) => Blocks.of(text, entry, question, [], sizes)),
    })
    for (const handler of handlers) {
      const key = `${handler.path}\0${callerKey(handler)}`
      if (seen.has(key)) continue
      seen.add(key)
      const answer = yield* detail(project, { entry: handler, score: 1 }, question)
      if (answer !== undefined) answers.push(answer)
    }
  }
  return answers
})

const isWithin = (path: string, folder: string): boolean =>
  folder === "." || path === folder || path.startsWith(`${folder}/`)

/** How many more symbols are searched than are wanted, since the files of some may be gone. */
const SPARE = 5

/** Finds as many symbols as are wanted, unless fewer match. A symbol and its overloads count as one. */
const searchSymbols = Effect.fnUntraced(function* (
  { index }: Project,
  question: string,
  options: Pick<SearchOptions, "also" | "path">,
  wanted: number,
) {
  for (let most = wanted; ; most *= 2) {
    const found = yield* index.search(question, { ...options, limit: most })
    const merged = yield* Overloads.merge(index, found)
    if (merged.length >= wanted || found.length < most || most >= 8 * wanted) return merged.slice(0, wanted)
  }
})

/** Adds the lines that the symbol or the file has now. Returns undefined if its file no longer has the symbol. */
const detail = Effect.fnUntraced(function* (
  { index, workspace }: Project,
  found: Hit,
  question: string,
  also?: ReadonlyArray<string>,
) {
  const { path } = found.entry
  const code = yield* Effect.either(workspace.read(path))
  if (Either.isLeft(code) && code.left.reason._tag === "NotFound") return undefined
  const inFile = yield* Either.isRight(code)
    ? index.symbolsOf(path, code.right.text, code.right.stat)
    : index.symbolsIn(path)
  const entry = FileEntry.isFile(found.entry) ? found.entry : sameSymbol(inFile, found.entry)
  if (entry === undefined) return undefined
  const lines = Either.match(code, { onLeft: () => [], onRight: ({ text }) => text.split("\n") })
  const isCallable = entry.kind === "function" || entry.kind === "method"
  const place = { ...entry, doc: entry.purpose?.origin === "comment" ? entry.doc : undefined }
  const answer: Answer = {
    hit: { ...found, entry },
    members: Related.membersOf(entry, inFile, question),
    callees: isCallable
      ? Related.calleesOf(entry, yield* index.callees(entry), question, (line) => lines[line - 1] ?? "")
      : Related.none,
    excerpt: Either.map(code, ({ text }) => Excerpt.of(text, place, question, also)),
    blocks: Either.map(code, ({ text }) => Blocks.of(text, place, question, also ?? [], sizes)),
  }
  return answer
})

/**
 * Returns the results behind those of `answer`, of the first twenty. A model that reads them together with the answers
 * puts all in order itself. By file they take 230 tokens of the request that it makes anyway, while one that only ranks
 * (`explore/Reranking`) takes 1,300 tokens and a wait of its own. Of the 252 questions of `bench/retrieval.ts`, 88 %
 * have a right file among the answers, and 95 % with these; of the 109 with a known symbol, 56 and 75 % have it.
 */
export const further = Effect.fn("Query.further")(function* (
  { index }: Project,
  question: string,
  answers: ReadonlyArray<Answer>,
  options: Pick<SearchOptions, "also" | "path"> = {},
) {
  const shown = new Set(answers.map(({ hit }) => placeOf(hit)))
  const found = yield* Overloads.merge(index, yield* index.search(question, { ...options, limit: FURTHER }))
  return found.filter((hit) => !shown.has(placeOf(hit)))
})

const FURTHER = 20

const placeOf = ({ entry }: Hit): string => `${entry.path}\0${callerKey(entry)}`

/**
 * Returns the identifiers in some texts, each once: `retry, RetryPolicy` → `retry`, `RetryPolicy`. The left side says
 * what is required, if a text has no identifier or all together have too many.
 */
export const identifiersIn = (texts: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, string> => {
  const identifiers = Tokenizer.names(texts.join("\n"))
  if (texts.some((text) => Tokenizer.names(text).length === 0))
    return Either.left("identifiers, as in retry,RetryPolicy")
  if (identifiers.length <= SymbolSearch.MAX_IDENTIFIERS) return Either.right(identifiers)
  return Either.left(`at most ${SymbolSearch.MAX_IDENTIFIERS} identifiers, and five are mostly enough`)
}

/** The most results. */
const MOST = 5

/**
 * The share of the best score that other results need to be kept. With five results, a right file is among them for 91
 * % of the 252 questions of `bench/retrieval.ts`; with these shares there are 3.65 results on average, and a right file
 * for 87.7 %. With the same share for the second there would be 3.51, and a right file for 85.3 %.
 */
const LEAST_SHARE = 0.6

/**
 * The share for the second result. A result that a longer question names has twice the score of all others, and is not
 * always what the question asks for.
 */
const LEAST_SHARE_OF_SECOND = 0.3

/**
 * Returns the results that are about as good as the first, best first. For a question that is a name, these are the
 * symbols with that name.
 */
export const keepRelevant = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const best = hits[0]?.score ?? 0
  return hits.slice(0, MOST).filter(({ score }, at) => score >= best * (at === 1 ? LEAST_SHARE_OF_SECOND : LEAST_SHARE))
}
