/** Answers a question from the index: the best symbols, with what is shown of each besides its entry. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Hit, SearchOptions } from "../indexing/IndexStore.ts"
import type { Answer } from "./AnswerText.ts"
import * as Excerpt from "./Excerpt.ts"
import { keepRelevant, MOST } from "./keepRelevant.ts"
import type { Project } from "./Project.ts"
import * as Related from "./Related.ts"

export interface Options extends Pick<SearchOptions, "also" | "path"> {
  /** Answers at most; by default `keepRelevant` decides how many are worth showing. */
  readonly limit?: number | undefined
}

/** The best answers first; none where no word of the question is in the index. Reads the file of each. */
export const answer = Effect.fn("Query.answer")(function* (project: Project, question: string, options: Options = {}) {
  const { limit, ...others } = options
  const found = yield* project.index.search(question, { ...others, limit: limit ?? MOST })
  const hits = limit === undefined ? keepRelevant(found) : found
  return yield* Effect.forEach(hits, (hit) => detail(project, hit, question))
})

const detail = Effect.fnUntraced(function* ({ index, workspace }: Project, hit: Hit, question: string) {
  const { entry } = hit
  const code = yield* Effect.either(workspace.read(entry.path))
  const isCallable = entry.kind === "function" || entry.kind === "method"
  const place = { ...entry, doc: entry.purpose?.origin === "comment" ? entry.doc : undefined }
  const answer: Answer = {
    hit,
    members: Related.membersOf(entry, yield* index.symbolsIn(entry.path), question),
    callees: isCallable ? Related.calleesOf(entry, yield* index.callees(entry), question) : Related.none,
    excerpt: Either.map(code, ({ text }) => Excerpt.of(text, place, question)),
  }
  return answer
})
