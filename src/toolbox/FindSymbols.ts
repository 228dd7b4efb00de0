/** `find_symbols`: the places of the code that answer a question, as `vibe query` prints them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { plain } from "../base/Style.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { Hit, Index } from "../index/IndexStore.ts"
import * as AnswerText from "../lookup/AnswerText.ts"
import * as FileAnswers from "../lookup/FileAnswers.ts"
import { findPath } from "../lookup/findPath.ts"
import * as Missing from "../lookup/Missing.ts"
import * as MissingText from "../lookup/MissingText.ts"
import type { Project } from "../lookup/Project.ts"
import * as Query from "../lookup/Query.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Tool from "../tool/Tool.ts"

/** The most answers, the same as for `vibe query --limit`. */
export const MAX_LIMIT = 50

export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "find_symbols",
    description:
      "Finds functions, classes and methods by what they do, not by their exact text: a phrase or a question is enough. One call shows the best few with path, lines, signature, what each is for, the lines of code that matter, and what they call.",
    parameters: Schema.Struct({
      query: Schema.String.annotations({ description: "What the code does, in a phrase, or a name" }),
      keywords: Schema.optional(Schema.Array(Schema.String)).annotations({
        description: "Identifiers that the code may use, about five; guess them",
      }),
      path: Schema.optional(Schema.String).annotations({ description: "Only in this file or folder" }),
      limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, MAX_LIMIT))).annotations({
        description: "How many; by default the few that are clearly best",
      }),
    }),
    readOnly: true,
    run: ({ keywords, limit, path, query }) =>
      Effect.gen(function* () {
        const project = { workspace, index, displayPath: (path: string) => path }
        const within = path === undefined ? undefined : yield* findPath(project, path)
        // A model that asks for a number of results wants no others, nor does one that knows the name.
        const isOpen = limit === undefined && /\s/.test(query.trim())
        const found = yield* find(project, query, { limit, also: keywords, path: within, further: isOpen })
        const none = ["(no symbol matches: try other words, or search_text for exact text)", ...found.missing].join(
          "\n",
        )
        return { text: found.text ?? none, data: found.toData() }
      }).pipe(Tool.orFail),
  })

export interface Options extends Query.Options {
  /** The tokens of the text, by default as many as it takes. A longer text has less of the results without code. */
  readonly maxTokens?: number | undefined
  /** Names the places of further results behind the answers. */
  readonly further?: boolean | undefined
}

/** The most files of further results. */
const MAX_FILES = 10

const listFurther = ({ displayPath }: Project, hits: ReadonlyArray<Hit>): ReadonlyArray<string> =>
  hits.length === 0
    ? []
    : [
        "",
        "Further places, which match less by words; one of them may be what is asked for:",
        FileAnswers.format(FileAnswers.byFile(hits).slice(0, MAX_FILES), { displayPath }),
      ]

/** Returns the answers as text, undefined if nothing matches, and what makes data of them. */
export const find = Effect.fnUntraced(function* (
  project: Project,
  query: string,
  { further = false, maxTokens = Number.POSITIVE_INFINITY, ...options }: Options,
) {
  const question = query.trim()
  if (question === "") return yield* Tool.fail("the query is empty")
  const answers = yield* Query.answer(project, question, options)
  const textOf = (isBrief: boolean) =>
    AnswerText.format(answers, { style: plain, displayPath: project.displayPath, isBrief })
  const long = textOf(false)
  const text = Tokens.ofLines(long.split("\n")) <= maxTokens ? long : textOf(true)
  const missing = yield* Missing.find(project, question, text, options.also)
  const lines = MissingText.lines(missing, project.displayPath)
  const others = further && answers.length > 0 ? yield* Query.further(project, question, answers, options) : []
  return {
    text:
      answers.length === 0
        ? undefined
        : [text, ...listFurther(project, others), ...(lines.length === 0 ? [] : ["", ...lines])].join("\n"),
    /** Describes words that the answer does not have. */
    missing: lines,
    /** The answers as data: to choose the blocks of code again takes as long as for the text. */
    toData: () => AnswerText.toJson(answers, project.repositories),
  }
})
