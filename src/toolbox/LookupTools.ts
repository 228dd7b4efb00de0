/**
 * `query` and `show`: for agents that have tools of their own to search and read files. Their answers are small, and say
 * where the index is not up to date.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AnswerText from "../lookup/AnswerText.ts"
import type { Project } from "../lookup/Project.ts"
import * as Query from "../lookup/Query.ts"
import * as Show from "../lookup/Show.ts"
import * as TokenLimit from "../lookup/TokenLimit.ts"
import { sanitizeLine } from "../message/Sanitize.ts"
import { plain } from "../message/Style.ts"
import * as Tool from "../tool/Tool.ts"
import type { Failed } from "../tool/ToolError.ts"

/** A project whose index is as current as it can be at once. */
export interface Current {
  readonly project: Project
  /** Why answers may be out of date, as a line; none for an index that is up to date. */
  readonly notice: string | undefined
}

/** Tokens of an answer, by default and at most. */
export const DEFAULT_TOKENS = 1_000
const MAX_TOKENS = 20_000
const LEAST_TOKENS = 100

/** As many as `vibe query --limit` takes. */
const MAX_LIMIT = 50

const Tokens = Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(LEAST_TOKENS, MAX_TOKENS))).annotations({
  description: `Length of the answer, default ${DEFAULT_TOKENS}`,
})

/** `current` is run for each call. */
export const make = (current: Effect.Effect<Current, Failed>): ReadonlyArray<Tool.Tool> => [
  Tool.make({
    name: "query",
    description:
      "Find code by what it does, also where it uses other words than you: one call gives the best functions and classes with path:line, purpose and the lines that matter. Try it before grep, unless you know the exact text.",
    parameters: Schema.Struct({
      query: Schema.String.annotations({ description: "What the code does, as a phrase, or a name" }),
      keywords: Schema.optional(Schema.Array(Schema.String)).annotations({
        description: "Up to 5 identifiers that the code may use; guess",
      }),
      path: Schema.optional(Schema.String).annotations({ description: "Only in this folder or file" }),
      limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, MAX_LIMIT))),
      maxTokens: Tokens,
    }),
    readOnly: true,
    run: ({ limit, maxTokens = DEFAULT_TOKENS, query }) =>
      Effect.gen(function* () {
        const question = query.trim()
        if (question === "") return yield* Tool.fail("the query is empty")
        const { notice, project } = yield* current
        const answers = yield* Query.answer(project, question, { limit })
        const text =
          answers.length === 0
            ? `no symbol matches '${sanitizeLine(question)}': say it in other words, or search for exact text with grep`
            : AnswerText.format(answers, { style: plain, displayPath: project.displayPath })
        return within(notice, maxTokens, (tokens) => TokenLimit.join(text.split("\n"), tokens))
      }).pipe(Tool.orFail),
  }),
  Tool.make({
    name: "show",
    description:
      "What a symbol is for, its source, and who calls it and what it calls, by name and line: resolved, not every place with the same text. Or the lines of a place, the outline of a file, the main symbols of a folder.",
    parameters: Schema.Struct({
      target: Schema.String.annotations({
        description: "Session.send, path:name, path:line, path:from-to, a file, or a folder (. is the project)",
      }),
      maxTokens: Tokens,
    }),
    readOnly: true,
    run: ({ maxTokens = DEFAULT_TOKENS, target }) =>
      Effect.gen(function* () {
        if (target.trim() === "") return yield* Tool.fail("the target is empty")
        const { notice, project } = yield* current
        const room = maxTokens - (notice === undefined ? 0 : TokenLimit.of([notice]))
        const text = yield* Show.describe(project, target.trim(), room)
        return within(notice, maxTokens, () => text)
      }).pipe(Tool.orFail),
  }),
]

/** The notice stands first: an outline that is old looks like any other. */
const within = (notice: string | undefined, tokens: number, toText: (tokens: number) => string): string =>
  notice === undefined ? toText(tokens) : `${notice}\n${toText(tokens - TokenLimit.of([notice]))}`
