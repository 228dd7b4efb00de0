/**
 * `query` and `show`: for agents that have tools of their own to search and read files. Their answers are small, and say
 * where the index is not up to date, also where nothing is found.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { findPath } from "../lookup/findPath.ts"
import type { Project } from "../lookup/Project.ts"
import * as Show from "../lookup/Show.ts"
import * as TokenLimit from "../lookup/TokenLimit.ts"
import { sanitizeLine } from "../message/Sanitize.ts"
import * as Tool from "../tool/Tool.ts"
import type { Failed } from "../tool/ToolError.ts"
import * as FindSymbols from "./FindSymbols.ts"

/** A project with an index that is as current as it can be at once. */
export interface Current {
  readonly project: Project
  /** Why answers may be out of date, as a line; none for an index that is up to date. */
  readonly notice: string | undefined
}

/** Tokens of an answer, by default and at most. */
export const DEFAULT_TOKENS = 1_000
const MAX_TOKENS = 20_000
const LEAST_TOKENS = 100

/** Characters of a question, a keyword or a target. Not in the schema, where they would cost every conversation tokens. */
const MAX_CHARS = 2_000

const MAX_KEYWORDS = 20

const requireShort = (name: string, text: string): Effect.Effect<void, Failed> =>
  text.length <= MAX_CHARS ? Effect.void : Tool.fail(`the ${name} is longer than ${MAX_CHARS} characters`)

/** `maxTokens` of a tool with limited answers: its JSON Schema, and its value as a call has it. */
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

const Tokens = Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(LEAST_TOKENS, MAX_TOKENS))).annotations({
  description: maxTokensSchema.description,
})

/** Models write a list as one string now and then. The schema that they are given has the list alone, which takes fewer tokens. */
const Keywords = Schema.Union(Schema.Array(Schema.String), Schema.String).annotations({
  jsonSchema: {
    type: "array",
    items: { type: "string" },
    description: "3-6 identifiers that the code may have; guesses help",
  },
})

/** The folder that contains all that a pattern such as `src/**\/*.ts` can match; another path as it is. */
const folderOf = (path: string): string => {
  const parts = path.split("/")
  const at = parts.findIndex((part) => /[*?{}]|\[.*\]/.test(part))
  return at === -1 ? path : parts.slice(0, at).join("/") || "."
}

/** The same tool without `$schema` in its definition, which is paid for in tokens: agents take 2020-12 for granted. */
export const withoutDialect = (tool: Tool.Tool): Tool.Tool => {
  const { $schema: _, ...parameters } = tool.parameters
  return { ...tool, parameters }
}

/** `current` is run for each call. */
export const make = (current: Effect.Effect<Current, Failed>): ReadonlyArray<Tool.Tool> =>
  [query(current), show(current)].map(withoutDialect)

const query = (current: Effect.Effect<Current, Failed>): Tool.Tool =>
  Tool.make({
    name: "query",
    description:
      "Find code you cannot name: where something is decided, handled or sent. Gives the best functions and classes with path:line, purpose and the lines that matter. For an exact string use grep.",
    parameters: Schema.Struct({
      query: Schema.String.annotations({ description: "What the code does" }),
      keywords: Schema.optional(Keywords),
      path: Schema.optional(Schema.String).annotations({ description: "Folder or file" }),
      limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, FindSymbols.MAX_LIMIT))),
      maxTokens: Tokens,
    }),
    readOnly: true,
    run: ({ keywords, limit: most, maxTokens = DEFAULT_TOKENS, path, query }) =>
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
            const within = folder === undefined ? undefined : yield* findPath(project, folder)
            const { text } = yield* FindSymbols.find(project, query, {
              limit: most,
              also: words?.slice(0, MAX_KEYWORDS).map((word) => word.slice(0, MAX_CHARS)),
              path: within,
            })
            return limit(notice, maxTokens, [...pattern, text ?? (yield* noneMatches(project, query))].join("\n"))
          }),
        )
      }),
  })

/** What to do differs where the code is not in the index: other words find no more there. */
const noneMatches = ({ index }: Project, query: string) =>
  Effect.gen(function* () {
    if (!(yield* index.isMade)) {
      return `no symbol matches '${sanitizeLine(query)}' in what the index has so far: ask again later, or search with grep`
    }
    return (yield* index.files).every(({ symbols }) => symbols === 0)
      ? "the index has no symbols: search with grep"
      : `no symbol matches '${sanitizeLine(query)}': say it in other words, or search for exact text with grep`
  })

const show = (current: Effect.Effect<Current, Failed>): Tool.Tool =>
  Tool.make({
    name: "show",
    description:
      "Source, callers and callees of a symbol by name: what a change would break, the next step of a flow. Also lines of a file, its outline, or a folder.",
    parameters: Schema.Struct({
      target: Schema.String.annotations({
        description: "Class.method (path:name if ambiguous), path:line, path:from-to, a file, or a folder (. for all)",
      }),
      maxTokens: Tokens,
    }),
    readOnly: true,
    run: ({ maxTokens = DEFAULT_TOKENS, target }) =>
      Effect.gen(function* () {
        yield* requireShort("target", target)
        if (target.trim() === "") return yield* Tool.fail("the target is empty")
        return yield* answerFrom(current, ({ notice, project }) => {
          const room = maxTokens - (notice === undefined ? 0 : TokenLimit.of([notice]))
          return Effect.map(Show.describe(project, target.trim(), room), (text) =>
            notice === undefined ? text : `${notice}\n${text}`,
          )
        })
      }),
  })

/** The message of a failure begins with the notice, too: what is not in the index may be in the code. */
const answerFrom = (
  current: Effect.Effect<Current, Failed>,
  answer: (now: Current) => Effect.Effect<string, { readonly message: string }>,
): Effect.Effect<string, Failed> =>
  Effect.flatMap(current, (now) => Effect.mapError(Tool.orFail(answer(now)), (failed) => failed.withNotice(now.notice)))

/** The text with a notice, which stands first: an outline that is old looks like any other. */
export const limit = (notice: string | undefined, tokens: number, text: string): string =>
  TokenLimit.join([...(notice === undefined ? [] : [notice]), ...text.split("\n")], tokens)
