/** Answers a question with files, best first, each with the symbols that say why: `vibe query --files`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { sanitizeLine } from "../base/Sanitize.ts"
import { plain, type Style } from "../base/Style.ts"
import { wrapHanging } from "../base/wrap.ts"
import type { Hit, SearchOptions } from "../index/IndexStore.ts"
import type { DisplayPath, Project } from "./Project.ts"
import * as RepositoryPath from "./repositories/RepositoryPath.ts"
import * as SymbolText from "./SymbolText.ts"

interface FileAnswer {
  readonly path: string
  /** The symbols of the file that answer the question, best first. There is at least one. */
  readonly hits: readonly [Hit, ...ReadonlyArray<Hit>]
}

/** The number of files if the user gives no limit. */
const FILES = 10

/** The symbols that are named of each file. */
const MOST_SYMBOLS = 3

/** The most symbols that a search looks at closely. They are in more than ten files, unless most are in one. */
const MAX_SYMBOLS = 200

/** Finds as many files as `limit` says, unless fewer have a word of the question. Leaves out files that are gone. */
export const find = Effect.fn("FileAnswers.find")(function* (
  { index, workspace }: Project,
  question: string,
  { limit = FILES, ...options }: Pick<SearchOptions, "also" | "path"> & { readonly limit?: number | undefined },
) {
  const hits = yield* index.search(question, { ...options, limit: MAX_SYMBOLS })
  const answers: Array<FileAnswer> = []
  for (const answer of byFile(hits)) {
    if (answers.length === limit) break
    const read = yield* Effect.either(workspace.read(answer.path))
    if (Either.isRight(read) || read.left.reason._tag !== "NotFound") answers.push(answer)
  }
  return answers
})

/** Groups symbols by file. The first symbol of a file decides the place of the file. */
export const byFile = (hits: ReadonlyArray<Hit>): ReadonlyArray<FileAnswer> =>
  Array.from(Map.groupBy(hits, ({ entry }) => entry.path)).flatMap(([path, [first, ...others]]) =>
    first === undefined ? [] : [{ path, hits: [first, ...others] }],
  )

interface Format {
  readonly displayPath: DisplayPath
  readonly style?: Style | undefined
  /** The width of the terminal; unlimited by default. */
  readonly columns?: number | undefined
}

/** One line for each file: `src/sessions.py  Session.send 673-748, Session.request 500-591, and 4 more`. */
export const format = (
  answers: ReadonlyArray<FileAnswer>,
  { columns = SymbolText.UNLIMITED, displayPath, style = plain }: Format,
): string =>
  answers
    .flatMap(({ hits, path }) => {
      const names = namesOf(hits).map(({ entry: { endLine, qualifiedName, startLine } }) =>
        sanitizeLine(`${qualifiedName} ${startLine === endLine ? startLine : `${startLine}-${endLine}`}`),
      )
      const left = hits.length - names.length
      const all = [...names, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")
      const [first = "", ...rest] = wrapHanging(`${sanitizeLine(displayPath(path))}  ${all}`, columns, 4)
      const end = first.indexOf("  ")
      return [end === -1 ? style.strong(first) : `${style.strong(first.slice(0, end))}${first.slice(end)}`, ...rest]
    })
    .join("\n")

/** `files` of `--json`. If there are several repositories, each file names its own. */
export const toJson = (
  answers: ReadonlyArray<FileAnswer>,
  repositories?: ReadonlyArray<RepositoryPath.Repository> | undefined,
): ReadonlyArray<object> =>
  answers.map(({ hits, path }) => ({
    ...RepositoryPath.toJson(repositories, path),
    path,
    score: hits[0].score,
    symbols: namesOf(hits).map(({ entry, score }) => {
      const { endLine, kind, startLine, symbol } = SymbolText.place(entry)
      return { symbol, kind, startLine, endLine, score }
    }),
  }))

/** The first symbols, each name once: overloads and parts of one class say no more. */
const namesOf = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> =>
  Array.from(new Map(hits.toReversed().map((hit) => [hit.entry.qualifiedName, hit])).values())
    .sort((one, other) => hits.indexOf(one) - hits.indexOf(other))
    .slice(0, MOST_SYMBOLS)
