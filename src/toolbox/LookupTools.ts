/**
 * `query` and `show`, for agents that have tools of their own to search and read files. Their answers are small. They
 * say if the index is not up to date, even if nothing is found.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sanitizeLine } from "../base/Sanitize.ts"
import * as FileAnswers from "../lookup/FileAnswers.ts"
import { findPath } from "../lookup/findPath.ts"
import * as MissingText from "../lookup/MissingText.ts"
import type { Project } from "../lookup/Project.ts"
import * as Show from "../lookup/Show.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Tool from "../tool/Tool.ts"
import type { Failed } from "../tool/ToolError.ts"
import * as FindSymbols from "./FindSymbols.ts"

/** A project with an index that is as current as it can be at once. */
export interface Current {
  readonly project: Project
  /** The line that says why answers may be out of date; undefined if the index is up to date. */
  readonly notice: string | undefined
}

/** The tokens of an answer: the default, the most and the fewest. */
export const DEFAULT_TOKENS = 1_000
const MAX_TOKENS = 20_000
const LEAST_TOKENS = 100

/**
 * The most characters of a question, a keyword or a target. The schema does not say so, since that would cost every
 * conversation tokens.
 */
const MAX_CHARS = 2_000

const MAX_KEYWORDS = 20

const requireShort = (name: string, text: string): Effect.Effect<void, Failed> =>
  text.length <= MAX_CHARS ? Effect.void : Tool.fail(`the ${name} is longer than ${MAX_CHARS} characters`)

/** The JSON Schema of `maxTokens`, for a tool with limited answers. */
export const maxTokensSchema = {
  type: "integer",
  minimum: LEAST_TOKENS,
  maximum: MAX_TOKENS,
  description: `default ${DEFAULT_TOKENS}`,
}

export const tokensOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.min(Math.max(value, LEAST_TOKENS), MAX_TOKENS)
    : DEFAULT_TOKENS

const MaxTokens = Schema.optional(
  Schema.Number.pipe(Schema.int(), Schema.between(LEAST_TOKENS, MAX_TOKENS)),
).annotations({
  description: maxTokensSchema.description,
})

/**
 * Models sometimes write a list as one string. The schema that they receive has only the list, which takes fewer
 * tokens.
 */
const Keywords = Schema.Union(Schema.Array(Schema.String), Schema.String).annotations({
  jsonSchema: {
    type: "array",
    items: { type: "string" },
    description: "3-6 identifiers the code may have; guesses help",
  },
})

/**
 * Returns the folder that contains everything that a pattern such as `src/**\/*.ts` can match, and any other path
 * unchanged.
 */
const folderOf = (path: string): string => {
  const parts = path.split("/")
  const at = parts.findIndex((part) => /[*?{}]|\[.*\]/.test(part))
  return at === -1 ? path : parts.slice(0, at).join("/") || "."
}

/** Removes `$schema` from the definition of a tool, since it costs tokens and agents assume 2020-12. */
export const withoutDialect = (tool: Tool.Tool): Tool.Tool => {
  const { $schema: _, ...parameters } = tool.parameters
  return { ...tool, parameters }
}

/** Makes the tools. `current` runs for each call. */
export const make = (current: Effect.Effect<Current, Failed>): ReadonlyArray<Tool.Tool> =>
  [query(current), show(current)].map(withoutDialect)

const query = (current: Effect.Effect<Current, Failed>): Tool.Tool =>
  Tool.make({
    name: "query",
    description:
      "Find code you cannot name: where something is decided, handled or sent. Gives the best functions and classes with path:line, purpose and the lines that matter; or `files`. For exact text use grep.",
    parameters: Schema.Struct({
      query: Schema.String.annotations({ description: "What the code does" }),
      keywords: Schema.optional(Keywords),
      path: Schema.optional(Schema.String).annotations({ description: "Folder or file" }),
      limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, FindSymbols.MAX_LIMIT))),
      files: Schema.optional(Schema.Boolean),
      maxTokens: MaxTokens,
    }),
    readOnly: true,
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
  if (question === "") return yield* Tool.fail("the query is empty")
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

const show = (current: Effect.Effect<Current, Failed>): Tool.Tool =>
  Tool.make({
    name: "show",
    description:
      "Source, callers and callees of a symbol by name: what a change would break, the next step of a flow. Also lines, files, folders.",
    parameters: Schema.Struct({
      target: Schema.String.annotations({
        description: "Class.method (path:name if ambiguous), path:line, path:from-to, file or folder (. for all)",
      }),
      maxTokens: MaxTokens,
    }),
    readOnly: true,
    run: ({ maxTokens = DEFAULT_TOKENS, target }) =>
      Effect.gen(function* () {
        yield* requireShort("target", target)
        if (target.trim() === "") return yield* Tool.fail("the target is empty")
        return yield* answerFrom(current, ({ notice, project }) => {
          const room = maxTokens - (notice === undefined ? 0 : Tokens.ofLines([notice]))
          return Effect.map(Show.describe(project, target.trim(), room), (text) =>
            notice === undefined ? text : `${notice}\n${text}`,
          )
        })
      }),
  })

/** Puts the notice before the message of a failure, too, since the code may have what the index lacks. */
const answerFrom = (
  current: Effect.Effect<Current, Failed>,
  answer: (now: Current) => Effect.Effect<string, { readonly message: string }>,
): Effect.Effect<string, Failed> =>
  Effect.flatMap(current, (now) => Effect.mapError(Tool.orFail(answer(now)), (failed) => failed.withNotice(now.notice)))

/** Limits a text, and puts the notice first, since an old outline looks like any other. */
export const limit = (notice: string | undefined, tokens: number, text: string): string =>
  Tokens.joinFitting([...(notice === undefined ? [] : [notice]), ...text.split("\n")], tokens)
