/** A model with scripted answers, for tests, demonstrations and replays. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { isObject } from "../../base/Json.ts"
import * as SchemaIssues from "../../base/SchemaIssues.ts"
import { ModelId } from "../../message/ModelId.ts"
import * as Usage from "../../message/Usage.ts"
import { FinishReason } from "../../message/Usage.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import {
  InvalidRequest,
  Misconfigured,
  ModelError,
  Overloaded,
  RateLimited,
  Unauthorized,
} from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"

/** One answer: a text, a whole turn, or the error that the attempt fails with. */
export type Line = string | Turn | ModelError

const Call = Schema.Struct({
  id: Schema.optional(Schema.NonEmptyString),
  name: Schema.NonEmptyString,
  arguments: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) }),
})

const Turn = Schema.Struct({
  thinking: Schema.optional(Schema.String),
  text: Schema.optional(Schema.String),
  toolCalls: Schema.optional(Schema.Array(Call)),
  /** The finish reason. The default is `tool_calls` if there are calls, else `stop`. */
  finish: Schema.optional(FinishReason),
  usage: Schema.optional(Usage.Usage),
})
export type Turn = typeof Turn.Encoded

/** The answers in order, or a function of the request and of the number of requests before it. */
export type Script = ReadonlyArray<Line> | ((request: Request, index: number) => Line)

/**
 * Each attempt takes the next line, and so does each retry. After the last line attempts fail with `InvalidRequest`.
 */
export const make = (script: Script, name = "test"): Effect.Effect<LanguageModel.Service> =>
  Effect.sync(() => unsafeMake(script, name))

/** Does the same for code without Effect: returns a model that begins with the first line. */
export const unsafeMake = (script: Script, name = "test"): LanguageModel.Service => {
  const count = Ref.unsafeMake(0)
  const id = new ModelId({ provider: "scripted", name })
  const line = typeof script === "function" ? script : (_: Request, index: number) => script[index]
  const model = LanguageModel.make(id, (request, emit) =>
    Effect.flatMap(
      Ref.getAndUpdate(count, (n) => n + 1),
      (index) => Effect.flatMap(partsOf(id, line(request, index)), emit),
    ),
  )
  // The answers come in order. If several requests ran at a time, one would get the answer to another.
  return { ...model, concurrency: 1 }
}

export const layer = (script: Script): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(script))

/** Returns a turn that consists of one tool call or several. */
export const calls = (...toolCalls: ReadonlyArray<readonly [name: string, args?: Record<string, unknown>]>): Turn => ({
  toolCalls: toolCalls.map(([name, args = {}]) => ({ name, arguments: args })),
})

const Failure = Schema.Struct({
  error: Schema.Struct({
    reason: Schema.Literal("RateLimited", "Overloaded", "Unauthorized", "InvalidRequest"),
    message: Schema.optionalWith(Schema.String, { default: () => "as the script says" }),
    retryAfterSeconds: Schema.optional(Schema.Number),
  }),
})

const File = Schema.parseJson(Schema.Array(Schema.Unknown))

/**
 * Parses a script file: a JSON array of answers, each a string, `{ text?, thinking?, toolCalls?: [{ name, arguments?,
 * id? }], finish?, usage? }`, or `{ error: { reason, message?, retryAfterSeconds? } }`. Fails with `Misconfigured`,
 * which names the invalid answer, counted from 1.
 */
export const fromJson = (name: string, json: string): Effect.Effect<LanguageModel.Service, ModelError> =>
  Effect.gen(function* () {
    const answers = yield* decode(File)(json)
    const lines = yield* Effect.forEach(answers, (answer, index) =>
      Effect.mapError(parseLine(name, answer), (issue) => `answer ${index + 1}: ${issue}`),
    )
    return yield* make(lines, name)
  }).pipe(
    Effect.mapError((issue) => {
      const reason = new Misconfigured({ message: `the script cannot be read: ${issue}` })
      return new ModelError({ model: `scripted/${name}`, reason })
    }),
  )

/** Chooses the schema by the shape of the answer, so that issues refer to what was intended. */
const parseLine = (name: string, answer: unknown): Effect.Effect<Line, string> => {
  if (typeof answer === "string") return Effect.succeed(answer)
  if (!isObject(answer)) return Effect.fail("it is neither a string nor an object")
  return "error" in answer
    ? Effect.map(decode(Failure)(answer), ({ error }) => failure(name, error))
    : decode(Turn)(answer)
}

const decode =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (input: unknown): Effect.Effect<A, string> =>
    Effect.mapError(Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })(input), (error) =>
      SchemaIssues.fromParseError(error).join("; "),
    )

const failure = (name: string, error: (typeof Failure.Type)["error"]): ModelError => {
  const { message, reason, retryAfterSeconds: seconds } = error
  const facts = { message, retryAfter: seconds === undefined ? undefined : Duration.seconds(seconds) }
  const reasons = {
    RateLimited: () => new RateLimited(facts),
    Overloaded: () => new Overloaded(facts),
    Unauthorized: () => new Unauthorized({ message }),
    InvalidRequest: () => new InvalidRequest({ message }),
  }
  return new ModelError({ model: `scripted/${name}`, reason: reasons[reason]() })
}

const partsOf = (id: ModelId, line: Line | undefined): Effect.Effect<ReadonlyArray<Part>, ModelError> => {
  if (line === undefined) {
    const reason = new InvalidRequest({ message: "the script has no more lines" })
    return Effect.fail(new ModelError({ model: String(id), reason }))
  }
  if (line instanceof ModelError) return Effect.fail(line)
  const turn = typeof line === "string" ? { text: line } : line
  const calls = turn.toolCalls ?? []
  return Effect.succeed([
    ...(turn.thinking === undefined ? [] : [Part.Thinking({ text: turn.thinking })]),
    ...(turn.text === undefined ? [] : [Part.Text({ text: turn.text })]),
    ...calls.map((call) => Part.ToolUse({ id: call.id, name: call.name, parameters: call.arguments ?? {} })),
    Part.Finish({
      reason: turn.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
      usage: turn.usage ?? Usage.none,
    }),
  ])
}
