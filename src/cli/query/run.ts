/** Runs `vibe query`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { sanitizeJson } from "../../base/Sanitize.ts"
import { plain } from "../../base/Style.ts"
import { UsageError } from "../../base/UsageError.ts"
import { wrap } from "../../base/wrap.ts"
import * as AnswerText from "../../lookup/AnswerText.ts"
import { findPath } from "../../lookup/findPath.ts"
import * as Missing from "../../lookup/Missing.ts"
import * as MissingText from "../../lookup/MissingText.ts"
import * as Query from "../../lookup/Query.ts"
import * as LeftOut from "../../review/LeftOut.ts"
import { requireNoPolicy } from "../arguments/modelOptions.ts"
import { OptionalModel } from "../layers/OptionalModel.ts"
import * as Repositories from "../project/Repositories.ts"
import * as CodeColours from "../terminal/CodeColours.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import { describeNone, printFiles } from "./printFiles.ts"

export const run = Effect.fn("cli.query")(function* (input: Input) {
  const { also, json, limit, within: part, words } = input
  const screen = yield* Screen.Screen
  const query = words.join(" ").trim()
  if (query === "") return yield* usageError("'query' needs TEXT: words or names to look for")
  const identifiers = yield* Either.mapLeft(Query.identifiersIn(also), (needs) =>
    usageError(`option '--also' takes ${needs}`),
  )
  const model = yield* OptionalModel
  if (Option.isNone(model)) yield* requireNoPolicy("query", input)
  else if (input.files) return yield* usageError("'--model' puts no files in order: leave out '--model' or '--files'")

  const { project } = yield* Repositories.open(input, "query")
  const within = yield* Effect.transposeOption(Option.map(part, (typed) => findPath(project, typed)))
  if (input.files) {
    return yield* printFiles(project, query, {
      isJson: json,
      limit: Option.getOrUndefined(limit),
      also: identifiers,
      path: Option.getOrUndefined(within),
    })
  }
  let reranked: object | undefined
  const rerank = yield* Effect.transposeOption(
    Option.map(model, (model) =>
      Effect.map(
        Effect.promise(() => import("./rankBy.ts")),
        ({ rankBy }) =>
          rankBy(model, query, screen.err, (used) => {
            reranked = used
          }),
      ),
    ),
  )
  const answers = yield* Query.answer(project, query, {
    limit: Option.getOrUndefined(limit),
    also: identifiers,
    path: Option.getOrUndefined(within),
    rerank: Option.getOrUndefined(rerank),
  })
  const leftOut = yield* LeftOut.find(project.workspace.root)
  if (leftOut.files > 0) yield* Screen.line(screen.err, `vibe: ${LeftOut.describe(leftOut)}`)
  const { displayPath } = project
  const shown = AnswerText.format(answers, { style: plain, displayPath })
  const missing = yield* Missing.find(project, query, shown, identifiers)
  const said = MissingText.lines(missing, displayPath)
  if (answers.length === 0 && !json) {
    const none = describeNone(project, query, Option.getOrUndefined(within))
    return yield* Screen.line(screen.err, [none, ...said].join("\n"))
  }
  if (json) {
    const { repositories } = project
    const object = {
      results: AnswerText.toJson(answers, repositories),
      missing: MissingText.toJson(missing),
      ...(repositories !== undefined && { repositories }),
      ...(Option.isSome(model) && { reranked: reranked ?? null }),
    }
    return yield* Screen.line(screen.out, sanitizeJson(object))
  }
  const columns = screen.out.isTerminal ? yield* screen.out.columns : undefined
  const { style } = screen.out
  // A pipe receives the same text again, and to choose its lines takes a thirtieth of the time of a question.
  const isPlain = style === plain && columns === undefined
  const text = isPlain
    ? shown
    : AnswerText.format(answers, { style, columns, displayPath, ...CodeColours.of(style, query) })
  const below = said.flatMap((line) => wrap(line, columns ?? Number.POSITIVE_INFINITY)).map(style.quiet)
  yield* Screen.line(screen.out, [text, ...(below.length === 0 ? [] : ["", ...below])].join("\n"))
}, Effect.scoped)

const usageError = (message: string) => new UsageError({ message, command: "query" })
