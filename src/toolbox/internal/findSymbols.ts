/** Finds symbols for a question, and writes them as `vibe query` prints them. */
import * as Effect from "effect/Effect"
import { plain } from "../../base/Style.ts"
import type { Hit } from "../../index/IndexStore.ts"
import * as AnswerText from "../../lookup/AnswerText.ts"
import * as FileAnswers from "../../lookup/FileAnswers.ts"
import * as Missing from "../../lookup/Missing.ts"
import * as MissingText from "../../lookup/MissingText.ts"
import type { Project } from "../../lookup/Project.ts"
import * as Query from "../../lookup/Query.ts"
import * as Tokens from "../../message/Tokens.ts"
import * as ToolError from "../../tool/ToolError.ts"

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
  if (question === "") return yield* ToolError.fail("the query is empty")
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
