/**
 * `query` and `show`, for agents that have tools of their own to search and read files. Their answers are small. They
 * say if the index is not up to date, even if nothing is found.
 */
import * as Effect from "effect/Effect"
import { isObject } from "../base/Json.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import * as Shape from "../base/Shape.ts"
import * as FileAnswers from "../lookup/FileAnswers.ts"
import { findPath } from "../lookup/findPath.ts"
import * as MissingText from "../lookup/MissingText.ts"
import type { Project } from "../lookup/Project.ts"
import * as Tokens from "../message/Tokens.ts"
import * as LateTool from "../tool/LateTool.ts"
import type { Tool } from "../tool/Tool.ts"
import { type Failed, fail, orFail } from "../tool/ToolError.ts"
import * as FindSymbols from "./internal/findSymbols.ts"
import * as Definitions from "./internal/lookupDefinitions.ts"

/** A project with an index that is as current as it can be at once. */
export interface Current {
  readonly project: Project
  /** The line that says why answers may be out of date; undefined if the index is up to date. */
  readonly notice: string | undefined
}

export const { DEFAULT_TOKENS, maxTokens: maxTokensSchema } = Definitions

/**
 * The most characters of a question, a keyword or a target. The schema does not say so, since that would cost every
 * conversation tokens.
 */
const MAX_CHARS = 2_000

const MAX_KEYWORDS = 20

const requireShort = (name: string, text: string): Effect.Effect<void, Failed> =>
  text.length <= MAX_CHARS ? Effect.void : fail(`the ${name} is longer than ${MAX_CHARS} characters`)

export const tokensOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(value, Definitions.LEAST_TOKENS), Definitions.MAX_TOKENS)
    : DEFAULT_TOKENS

/** Reads the arguments of a tool that are plainly valid: they have no unknown name, and no value of another type. */
const reader =
  <A>({ parameters }: { readonly parameters: { readonly properties: object } }, shape: Shape.Shape<A>) =>
  (input: unknown): A | undefined =>
    isObject(input) && Object.keys(input).every((name) => Object.hasOwn(parameters.properties, name))
      ? Shape.readOrUndefined(shape, input)
      : undefined

const maxTokensShape = Shape.optional(Shape.integerFrom(Definitions.LEAST_TOKENS, Definitions.MAX_TOKENS))

const readQuery = reader(
  Definitions.query,
  Shape.struct({
    query: Shape.text,
    keywords: Shape.optional(Shape.list(Shape.text)),
    path: Shape.optional(Shape.text),
    limit: Shape.optional(Shape.integerFrom(1, Definitions.MAX_LIMIT)),
    files: Shape.optional(Shape.boolean),
    maxTokens: maxTokensShape,
  }),
)

const readShow = reader(Definitions.show, Shape.struct({ target: Shape.text, maxTokens: maxTokensShape }))

/**
 * Returns the folder that contains everything that a pattern such as `src/**\/*.ts` can match, and any other path
 * unchanged.
 */
const folderOf = (path: string): string => {
  const parts = path.split("/")
  const at = parts.findIndex((part) => /[*?{}]|\[.*\]/.test(part))
  return at === -1 ? path : parts.slice(0, at).join("/") || "."
}

/** Makes the tools. `current` runs for each call. */
export const make = (current: Effect.Effect<Current, Failed>): ReadonlyArray<Tool> => [query(current), show(current)]

const query = (current: Effect.Effect<Current, Failed>): Tool =>
  LateTool.make({
    definition: Definitions.query,
    read: readQuery,
    loadSchema: async () => (await import("./internal/lookupSchemas.ts")).Query,
    run: ({ files = false, keywords, limit: most, maxTokens = DEFAULT_TOKENS, path, query }) =>
      Effect.gen(function* () {
        yield* requireShort("query", query)
        if (path !== undefined) yield* requireShort("path", path)
        const folder = path === undefined ? undefined : folderOf(path)
        const words = typeof keywords === "string" ? keywords.split(/[\s,]+/).filter((word) => word !== "") : keywords
        const pattern =
          folder === path
            ? []
            : [`(path is a folder or a file, no pattern: this is about ${sanitizeLine(folder ?? ".")})`]
        return yield* answerFrom(current, ({ notice, project }) =>
          Effect.gen(function* () {
            const wiki = folder === undefined && !files ? yield* wikiLines(project, query, maxTokens) : []
            const within = folder === undefined ? undefined : yield* findPath(project, folder)
            const options = {
              limit: most,
              also: words?.slice(0, MAX_KEYWORDS).map((word) => word.slice(0, MAX_CHARS)),
              path: within,
              maxTokens: maxTokens - Tokens.ofLines(wiki),
            }
            const { missing, text } = yield* (files ? findFiles : FindSymbols.find)(project, query, options)
            return limit(
              notice,
              maxTokens,
              [...pattern, ...wiki, text ?? (yield* noneMatches(project, query, missing))].join("\n"),
            )
          }),
        )
      }),
  })

/** Answers with files, as `FindSymbols.find` does with symbols. */
const findFiles = Effect.fnUntraced(function* (
  project: Project,
  query: string,
  { also, limit, path }: FindSymbols.Options,
) {
  const question = query.trim()
  if (question === "") return yield* fail("the query is empty")
  const answers = yield* FileAnswers.find(project, question, { also, limit, path })
  const text = answers.length === 0 ? undefined : FileAnswers.format(answers, { displayPath: project.displayPath })
  return { text, missing: [] }
})

/** The largest share of an answer that the wiki takes: the code is what was asked for. */
const WIKI_SHARE = 0.3

/** Returns what the wiki says about a question of how something works as a whole, and then an empty line. */
const wikiLines = ({ pages }: Project, question: string, maxTokens: number): Effect.Effect<ReadonlyArray<string>> =>
  pages === undefined
    ? Effect.succeed([])
    : Effect.map(pages.forQuestion(question, WIKI_SHARE * maxTokens), (lines) =>
        lines.length > 1 ? [...lines, ""] : lines,
      )

/** Says what to do if nothing matches. Other words do not help if the code is not in the index. */
const noneMatches = ({ index }: Project, query: string, missing: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const quoted = MissingText.quote(query)
    if (!(yield* index.isMade)) {
      return `no symbol matches ${quoted} in what the index has so far: ask again later, or search with grep`
    }
    if ((yield* index.files).every(({ symbols }) => symbols === 0)) return "the index has no symbols: search with grep"
    const none =
      MissingText.describeEmpty(query) ??
      `no symbol matches ${quoted}: say it in other words, or search for exact text with grep`
    return [none, ...missing].join("\n")
  })

const show = (current: Effect.Effect<Current, Failed>): Tool =>
  LateTool.make({
    definition: Definitions.show,
    read: readShow,
    loadSchema: async () => (await import("./internal/lookupSchemas.ts")).Show,
    run: ({ maxTokens = DEFAULT_TOKENS, target }) =>
      Effect.gen(function* () {
        yield* requireShort("target", target)
        if (target.trim() === "") return yield* fail("the target is empty")
        return yield* answerFrom(current, ({ notice, project }) => {
          const room = maxTokens - (notice === undefined ? 0 : Tokens.ofLines([notice]))
          return Effect.promise(() => import("../lookup/Show.ts")).pipe(
            Effect.flatMap((Show) => Show.describe(project, target.trim(), room)),
            Effect.map((text) => (notice === undefined ? text : `${notice}\n${text}`)),
          )
        })
      }),
  })

/** Puts the notice before the message of a failure, too, since the code may have what the index lacks. */
const answerFrom = (
  current: Effect.Effect<Current, Failed>,
  answer: (now: Current) => Effect.Effect<string, { readonly message: string }>,
): Effect.Effect<string, Failed> =>
  Effect.flatMap(current, (now) => Effect.mapError(orFail(answer(now)), (failed) => failed.withNotice(now.notice)))

/** Limits a text, and puts the notice first, since an old outline looks like any other. */
export const limit = (notice: string | undefined, tokens: number, text: string): string =>
  Tokens.joinFitting([...(notice === undefined ? [] : [notice]), ...text.split("\n")], tokens)
