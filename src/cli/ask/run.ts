/** Runs `vibe ask`. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type GenerateError, ToolIterationLimitExceededError } from "../../agent/GenerateError.ts"
import type { GenerateOptions } from "../../agent/GenerateOptions.ts"
import * as LoomEngine from "../../agent/LoomEngine.ts"
import { QUESTION_ROUNDS } from "../../agent/rounds.ts"
import { replyText, type Sink, type TurnEvent } from "../../agent/TurnEvent.ts"
import { mapInParallel } from "../../base/concurrency.ts"
import { sanitize, sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"
import { AnswerNotKept } from "../../conversation/SessionFailure.ts"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { NodeId } from "../../message/NodeId.ts"
import * as Cost from "../../model/Cost.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { Blocked, ModelError } from "../../model/ModelError.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import type { InvalidAnswer } from "../CommandError.ts"
import * as AnswerOptions from "../conversation/AnswerOptions.ts"
import { addServedTools } from "../conversation/Start.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import * as TurnNotices from "../conversation/TurnNotices.ts"
import * as Failure from "../Failure.ts"
import * as ForestLayer from "../layers/ForestLayer.ts"
import * as Screen from "../terminal/Screen.ts"
import * as AnswerCollector from "./AnswerCollector.ts"
import * as AnswerSchema from "./AnswerSchema.ts"
import type { Input } from "./command.ts"
import * as LiveAnswer from "./LiveAnswer.ts"
import * as Question from "./Question.ts"
import * as StoredQuestion from "./StoredQuestion.ts"

/** The question is stored even if the answer fails. Both are one operation of the forest, for undo. */
export const run = (input: Input) => Effect.flatMap(Forest.Forest, ({ operation }) => operation(askModels(input)))

const askModels = Effect.fn("cli.ask")(function* ({ extract, json, noStream, schema: file, ...typed }: Input) {
  const { err, out } = yield* Screen.Screen
  if (extract && Option.isSome(file)) return yield* extractWithSchema
  const schema = Option.getOrUndefined(yield* Effect.transposeOption(Option.map(file, AnswerSchema.open)))
  const question = yield* Question.compose(typed, schema?.form ?? "")
  if (Option.isNone(question) && Option.isNone(typed.continued)) return yield* Question.missing
  const { maxOutputTokens, openedModels, temperature } = yield* AnswerOptions.resolve(typed)
  const models = yield* openedModels
  const offered = typed.tools ? yield* Effect.flatMap(OfferedTools.OfferedTools, (offered) => offered()) : undefined
  const servers = yield* ToolServers.ToolServers
  const given = yield* SystemPrompt.resolve(typed, "ask")
  // A conversation that is continued already has its system prompt.
  const prompt = Option.isSome(typed.continued) ? undefined : offered?.prompt(servers.prefixes)
  const system = Option.orElse(given, () => Option.fromNullable(prompt))
  const place = yield* StoredQuestion.store({ ...typed, system }, question)
  const tools = offered === undefined ? ToolRegistry.make([]) : yield* addServedTools(offered.tools)
  const isOffered = tools.tools.length > 0
  const ask = makeAsk({ ...place, maxOutputTokens, temperature, schema, extract, tools })
  const printNotice = TurnNotices.print(err)
  // If no tools are offered, a call is part of the answer and is not run.
  const ofTools: ReadonlySet<TurnEvent["_tag"]> = new Set(["ToolStarted", "ToolFinished", "ReplyReceived"])
  const notices: Sink = (event) => (ofTools.has(event._tag) && !isOffered ? Effect.void : printNotice(event))

  const [model, ...more] = models
  if (more.length > 0) return yield* askSeveral(models, (model) => ask(model, notices), { json, isOffered })
  if (!out.isTerminal || json || noStream || extract || schema !== undefined) {
    const hasForm = json || extract || schema !== undefined
    const answer = yield* hasForm ? ask(model, notices) : printingPart(out, notices, (onEvent) => ask(model, onEvent))
    const failure = failureOf(answer)
    if (json && failure !== undefined) {
      return yield* new Failure.DetailedFailure({ failure, others: [], object: object(model, answer) })
    }
    yield* json ? Screen.line(out, sanitizeJson(object(model, answer))) : print(out, answer)
    return yield* reportAnswer(err, answer, isOffered)
  }
  const live = LiveAnswer.make(out, notices)
  const end = (exit: Exit.Exit<AnswerCollector.Answer, unknown>) =>
    live.end(Exit.isSuccess(exit) ? exit.value.text : "")
  yield* reportAnswer(err, yield* Effect.onExit(ask(model, live.onEvent), end), isOffered)
})

/** Prints the part of an interrupted answer that has arrived, if the answer would be printed only at its end. */
const printingPart = <A, E, R>(out: Screen.Stream, notices: Sink, ask: (onEvent: Sink) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let text = ""
    const onEvent: Sink = (event) => {
      text = replyText(text, event)
      return notices(event)
    }
    return Effect.onInterrupt(ask(onEvent), () => print(out, { text }))
  })

/** Prints the remarks on an answer. Fails if it was given too early, or if its question was removed meanwhile. */
const reportAnswer = (err: Screen.Stream, answer: AnswerCollector.Answer, isOffered: boolean) => {
  const failure = failureOf(answer)
  return Effect.zipRight(printNotes(err, answer, isOffered), failure === undefined ? Effect.void : Effect.fail(failure))
}

const failureOf = (answer: AnswerCollector.Answer): AnswerNotKept | ToolIterationLimitExceededError | undefined =>
  answer.limit ?? notStored(answer)

/**
 * Returns the error if the question was removed before the answer came. Other errors of the forest only cause a
 * warning.
 */
const notStored = ({ storageError }: AnswerCollector.Answer): AnswerNotKept | undefined =>
  storageError !== undefined && isQuestionGone(storageError) ? new AnswerNotKept({ cause: storageError }) : undefined

const isQuestionGone = ({ reason }: ForestError): boolean => reason._tag === "NotFound" || reason._tag === "Removed"

const limit = new ToolIterationLimitExceededError({ limit: QUESTION_ROUNDS })

const extractWithSchema = new UsageError({ message: "'--extract' and '--schema' do not go together", command: "ask" })

interface AskOptions extends Pick<GenerateOptions, "maxOutputTokens" | "temperature"> {
  readonly forest: Forest.Service
  /** The node of the question. */
  readonly parent: NodeId
  /** True if the forest outlives the run. */
  readonly isPersistent: boolean
  readonly schema: AnswerSchema.AnswerSchema | undefined
  /** Take only the first code block of the answer. */
  readonly extract: boolean
  readonly tools: ToolRegistry.Service
}

/** Makes the function with which one model answers. */
const makeAsk = ({
  extract,
  forest,
  isPersistent,
  maxOutputTokens,
  parent,
  schema,
  temperature,
  tools,
}: AskOptions) => {
  const isOffered = tools.tools.length > 0
  const maxToolIterations = isOffered ? QUESTION_ROUNDS : 1
  const options = {
    tools,
    answerSchema: schema?.json,
    maxToolIterations,
    concludes: true,
    keepUnfinished: true,
    stopsRepeats: true,
    temperature,
    maxOutputTokens,
  }
  return (model: LanguageModel.Service, onEvent: Sink): Effect.Effect<AnswerCollector.Answer, AskError> =>
    Effect.gen(function* () {
      const { generateStream } = yield* LoomEngine.make
      const generate: Generate = (at, text) =>
        generateStream(at, { ...options, text, onEvent }).pipe(
          Stream.runFold(AnswerCollector.empty, AnswerCollector.add),
          Effect.flatMap((collected) => AnswerCollector.toAnswer(collected, isOffered)),
          Effect.map((answer) => (answer.replies.length < QUESTION_ROUNDS ? answer : { ...answer, limit })),
          Effect.filterOrFail(({ final }) => final.finish !== "content_filter", toBlocked),
        )
      const first = yield* generate(parent)
      const answer = schema === undefined ? first : yield* withSchema(schema, first, generate)
      const text = extract ? (AnswerSchema.firstCodeBlock(answer.text) ?? answer.text) : answer.text
      return { ...answer, text, node: isPersistent ? answer.node : undefined }
    }).pipe(Effect.provideService(LanguageModel.LanguageModel, model), Effect.provideService(Forest.Forest, forest))
}

type AskError = GenerateError | InvalidAnswer | UsageError

/** Continues the path to a node, after a message of the user if `text` is given. */
type Generate = (at: NodeId, text?: string) => Effect.Effect<AnswerCollector.Answer, GenerateError>

/** The error if the provider's filter ended the answer: the text so far does not count as an answer. */
const toBlocked = ({ final }: AnswerCollector.Answer) =>
  new ModelError({ model: String(final.model), reason: new Blocked({ message: "the answer was blocked" }) })

/** Reads the JSON in an answer. An answer that is not valid is sent back once, with the reason. */
const withSchema = Effect.fnUntraced(function* (
  schema: AnswerSchema.AnswerSchema,
  answer: AnswerCollector.Answer,
  generate: Generate,
) {
  const read = (answer: AnswerCollector.Answer) => Effect.map(schema.read(answer.text), (text) => ({ ...answer, text }))
  return yield* Effect.catchTag(read(answer), "InvalidAnswer", (error) =>
    answer.node === undefined
      ? Effect.fail(error)
      : Effect.flatMap(generate(answer.node, AnswerSchema.correction(error)), (again) =>
          read(AnswerCollector.combine(answer, again)),
        ),
  )
})

/** Prints each answer as it completes. A model that fails ends only itself; if all fail, the first failure decides. */
const askSeveral = Effect.fnUntraced(function* (
  models: ReadonlyArray<LanguageModel.Service>,
  ask: (model: LanguageModel.Service) => Effect.Effect<AnswerCollector.Answer, AskError>,
  { isOffered, json }: { readonly isOffered: boolean; readonly json: boolean },
) {
  const { err, out } = yield* Screen.Screen
  let isLater = false
  let firstNotStored: AnswerNotKept | undefined
  const show = (answer: AnswerCollector.Answer) => {
    const heading = `${isLater ? "\n" : ""}${out.style.strong(sanitizeLine(String(answer.final.model)))}\n`
    isLater = true
    firstNotStored ??= notStored(answer)
    return Effect.zipRight(json ? Effect.void : print(out, answer, heading), printNotes(err, answer, isOffered)).pipe(
      Effect.zipRight(answer.limit === undefined ? Effect.void : Screen.line(err, Failure.line(answer.limit))),
    )
  }
  const results = yield* mapInParallel(models, (model) => Effect.either(Effect.tap(ask(model), show)))
  const answers = results.flatMap((result, n) => {
    const model = models[n]
    if (model === undefined) return []
    const toFailedAnswer = (error: AskError) => ({ model: String(model.id), ...Failure.toJson(error) })
    return [Either.match(result, { onLeft: toFailedAnswer, onRight: (answer) => object(model, answer) })]
  })
  const failures = results.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))
  const [failure, ...others] = failures
  if (failure !== undefined && failures.length === models.length) {
    return yield* new Failure.DetailedFailure({ failure, others, object: { answers } })
  }
  if (firstNotStored !== undefined)
    return yield* new Failure.DetailedFailure({ failure: firstNotStored, others: failures, object: { answers } })
  for (const error of failures) yield* Screen.line(err, Failure.line(error))
  if (json) yield* Screen.line(out, sanitizeJson({ answers }))
})

/** The object for `--json`, with the cost if the prices are known. */
const object = (model: LanguageModel.Service, answer: AnswerCollector.Answer): object =>
  AnswerCollector.object(answer, Cost.total(answer.replies.map((reply) => Cost.ofReply(model, reply))))

/** Prints the answer in one write, since another answer may complete meanwhile. */
const print = (
  out: Screen.Stream,
  { text }: Pick<AnswerCollector.Answer, "text">,
  heading = "",
): Effect.Effect<void> => {
  const safe = sanitize(text)
  const end = safe === "" || safe.endsWith("\n") ? "" : "\n"
  return out.write(`${heading}${safe}${end}`)
}

const printNotes = (err: Screen.Stream, answer: AnswerCollector.Answer, isOffered: boolean): Effect.Effect<void> =>
  Effect.zipRight(
    answer.storageError === undefined || isQuestionGone(answer.storageError)
      ? Effect.void
      : ForestLayer.warnNotPersisted(answer.storageError),
    Effect.forEach(
      AnswerCollector.notes(answer, isOffered),
      (note) => Screen.line(err, sanitizeLine(`vibe: ${note}`)),
      {
        discard: true,
      },
    ),
  )
