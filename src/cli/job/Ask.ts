/** The work of `vibe ask`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import { type GenerateError, ToolIterationLimitExceededError } from "../../loom/GenerateError.ts"
import type { GenerateOptions } from "../../loom/GenerateOptions.ts"
import * as LoomEngine from "../../loom/LoomEngine.ts"
import type { Sink } from "../../loom/TurnEvent.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { sanitize, sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Cost from "../../model/Cost.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { Blocked, ModelError } from "../../model/ModelError.ts"
import { AnswerNotKept } from "../../session/AnswerNotKept.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import { Annotated } from "../Annotated.ts"
import * as AnswerSchema from "../ask/AnswerSchema.ts"
import * as Code from "../ask/Code.ts"
import * as Heard from "../ask/Heard.ts"
import * as Live from "../ask/Live.ts"
import * as Place from "../ask/Place.ts"
import * as Question from "../ask/Question.ts"
import * as Notices from "../Notices.ts"
import * as Render from "../Render.ts"
import * as Screen from "../Screen.ts"
import * as Speaking from "../Speaking.ts"
import * as Unkept from "../Unkept.ts"

export interface Input extends Question.Typed, Place.Typed, Speaking.Typed {
  readonly schema: Option.Option<string>
  readonly extract: boolean
  readonly noStream: boolean
  readonly json: boolean
}

/** Requests that one question may take where tools are offered: as many as an exploration has. */
const mostRequests = 20

/** The question is kept, whatever becomes of the answer. Both are one operation of the forest. */
export const run = (input: Input) => Effect.flatMap(Forest.Forest, ({ operation }) => operation(answered(input)))

const answered = Effect.fn("cli.ask")(function* ({ extract, json, noStream, schema: file, ...typed }: Input) {
  const { err, out } = yield* Screen.Screen
  if (extract && Option.isSome(file)) return yield* oneOfBoth
  const schema = Option.getOrUndefined(yield* Effect.transposeOption(Option.map(file, AnswerSchema.open)))
  const question = yield* Question.of(typed, schema?.form ?? "")
  if (Option.isNone(question) && Option.isNone(typed.continued)) return yield* Question.missing
  const { maxOutputTokens, speakers, temperature } = yield* Speaking.of(typed)
  const models = yield* speakers
  const place = yield* Place.of(typed, question)
  const tools = yield* ToolRegistry.ToolRegistry
  const isOffered = tools.tools.length > 0
  const ask = asker({ ...place, maxOutputTokens, temperature, schema, extract, tools })
  const printNotice = Notices.print(err)
  // Without tools, a call is part of the answer and is not run.
  const notices: Sink = (event) => (event._tag === "ToolStarted" && !isOffered ? Effect.void : printNotice(event))

  const [speaker, ...more] = models
  if (more.length > 0) return yield* several(models, (model) => ask(model, notices), { json, isOffered })
  if (!out.isTerminal || json || noStream || extract || schema !== undefined) {
    const answer = yield* ask(speaker, notices)
    const failure = flaw(answer)
    if (json && failure !== undefined) {
      return yield* new Annotated({ failure, others: [], object: object(speaker, answer) })
    }
    yield* json ? Screen.line(out, sanitizeJson(object(speaker, answer))) : print(out, answer)
    return yield* told(err, answer, isOffered)
  }
  const live = Live.make(out, notices)
  const end = (exit: Exit.Exit<Heard.Answer, unknown>) => live.end(Exit.isSuccess(exit) ? exit.value.text : "")
  yield* told(err, yield* Effect.onExit(ask(speaker, live.onEvent), end), isOffered)
})

/** An answer that was given too early is a failure all the same, and so is one whose question is gone. */
const told = (err: Screen.Stream, answer: Heard.Answer, isOffered: boolean) => {
  const failure = flaw(answer)
  return Effect.zipRight(tell(err, answer, isOffered), failure === undefined ? Effect.void : Effect.fail(failure))
}

const flaw = (answer: Heard.Answer): AnswerNotKept | ToolIterationLimitExceededError | undefined =>
  answer.limit ?? gone(answer)

/** Why an answer is not kept whose question was; a forest that has no more room does not end the run. */
const gone = ({ unkept }: Heard.Answer): AnswerNotKept | undefined =>
  unkept !== undefined && isGone(unkept) ? new AnswerNotKept({ cause: unkept }) : undefined

const isGone = ({ reason }: ForestError): boolean => reason._tag === "NotFound" || reason._tag === "Removed"

const limit = new ToolIterationLimitExceededError({ limit: mostRequests })

const oneOfBoth = new UsageError({ message: "'--extract' and '--schema' do not go together", command: "ask" })

interface Asked extends Pick<GenerateOptions, "maxOutputTokens" | "temperature"> {
  readonly forest: Forest.Service
  /** Where the question is. */
  readonly parent: NodeId
  /** Whether the forest outlasts the run. */
  readonly isKept: boolean
  readonly schema: AnswerSchema.AnswerSchema | undefined
  /** Of an answer with code in it that alone is wanted. */
  readonly extract: boolean
  readonly tools: ToolRegistry.Service
}

/** Has one model answer. */
const asker = ({ extract, forest, isKept, maxOutputTokens, parent, schema, temperature, tools }: Asked) => {
  const isOffered = tools.tools.length > 0
  const maxToolIterations = isOffered ? mostRequests : 1
  const options = {
    tools,
    answerSchema: schema?.json,
    maxToolIterations,
    concludes: true,
    stopsRepeats: true,
    temperature,
    maxOutputTokens,
  }
  return (model: LanguageModel.Service, onEvent: Sink): Effect.Effect<Heard.Answer, Failure> =>
    Effect.gen(function* () {
      const { generateStream } = yield* LoomEngine.make
      const hear: Hear = (at, text) =>
        generateStream(at, { ...options, text, onEvent }).pipe(
          Stream.runFold(Heard.nothing, Heard.step),
          Effect.flatMap((heard) => Heard.answer(heard, isOffered)),
          Effect.map((answer) => (answer.replies.length < mostRequests ? answer : { ...answer, limit })),
          Effect.filterOrFail(({ final }) => final.finish !== "content_filter", refused),
        )
      const heard = yield* hear(parent)
      const answer = schema === undefined ? heard : yield* bySchema(schema, heard, hear)
      const text = extract ? (Code.first(answer.text) ?? answer.text) : answer.text
      return { ...answer, text, node: isKept ? answer.node : undefined }
    }).pipe(Effect.provideService(LanguageModel.LanguageModel, model), Effect.provideService(Forest.Forest, forest))
}

type Failure = GenerateError | AnswerSchema.InvalidAnswer | UsageError

/** Answers the path that ends there, after another word of the user's where there is one. */
type Hear = (at: NodeId, text?: string) => Effect.Effect<Heard.Answer, GenerateError>

/** The provider ended the answer: what there is of it is not to be taken for one. */
const refused = ({ final }: Heard.Answer) =>
  new ModelError({ model: String(final.model), reason: new Blocked({ message: "the answer was blocked" }) })

/** The JSON in an answer. A model whose answer is not as it has to be is told so, once. */
const bySchema = Effect.fnUntraced(function* (schema: AnswerSchema.AnswerSchema, answer: Heard.Answer, hear: Hear) {
  const read = (answer: Heard.Answer) => Effect.map(schema.read(answer.text), (text) => ({ ...answer, text }))
  return yield* Effect.catchTag(read(answer), "InvalidAnswer", (error) =>
    answer.node === undefined
      ? Effect.fail(error)
      : Effect.flatMap(hear(answer.node, AnswerSchema.correction(error)), (again) => read(Heard.after(answer, again))),
  )
})

/** Each as it comes; one that fails ends itself alone, unless all of them do: then the first decides. */
const several = Effect.fnUntraced(function* (
  models: ReadonlyArray<LanguageModel.Service>,
  ask: (model: LanguageModel.Service) => Effect.Effect<Heard.Answer, Failure>,
  { isOffered, json }: { readonly isOffered: boolean; readonly json: boolean },
) {
  const { err, out } = yield* Screen.Screen
  let isLater = false
  let lost: AnswerNotKept | undefined
  const show = (answer: Heard.Answer) => {
    const heading = `${isLater ? "\n" : ""}${out.style.strong(sanitizeLine(String(answer.final.model)))}\n`
    isLater = true
    lost ??= gone(answer)
    return Effect.zipRight(json ? Effect.void : print(out, answer, heading), tell(err, answer, isOffered)).pipe(
      Effect.zipRight(answer.limit === undefined ? Effect.void : Screen.line(err, Render.failure(answer.limit))),
    )
  }
  const results = yield* Effect.forEach(models, (model) => Effect.either(Effect.tap(ask(model), show)), {
    concurrency: "unbounded",
  })
  const answers = results.flatMap((result, n) => {
    const model = models[n]
    if (model === undefined) return []
    const failed = (error: Failure) => ({ model: String(model.id), ...Render.failureObject(error) })
    return [Either.match(result, { onLeft: failed, onRight: (answer) => object(model, answer) })]
  })
  const failures = results.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))
  const [failure, ...others] = failures
  if (failure !== undefined && failures.length === models.length) {
    return yield* new Annotated({ failure, others, object: { answers } })
  }
  if (lost !== undefined) return yield* new Annotated({ failure: lost, others: failures, object: { answers } })
  for (const error of failures) yield* Screen.line(err, Render.failure(error))
  if (json) yield* Screen.line(out, sanitizeJson({ answers }))
})

/** With what it cost, as far as its price is known. */
const object = (model: LanguageModel.Service, answer: Heard.Answer): object =>
  Heard.object(answer, Cost.total(answer.replies.map((reply) => Cost.ofReply(model, reply))))

/** All at once: another answer may come meanwhile. */
const print = (out: Screen.Stream, { text }: Heard.Answer, heading = ""): Effect.Effect<void> => {
  const safe = sanitize(text)
  const end = safe === "" || safe.endsWith("\n") ? "" : "\n"
  return out.write(`${heading}${safe}${end}`)
}

const tell = (err: Screen.Stream, answer: Heard.Answer, isOffered: boolean): Effect.Effect<void> =>
  Effect.zipRight(
    answer.unkept === undefined || isGone(answer.unkept) ? Effect.void : Unkept.warn(answer.unkept),
    Effect.forEach(Heard.notes(answer, isOffered), (note) => Screen.line(err, sanitizeLine(`vibe: ${note}`)), {
      discard: true,
    }),
  )
