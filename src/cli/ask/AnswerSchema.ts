/**
 * The JSON Schema that an answer is to be JSON by. Providers are asked to hold their models to it, those that can; none
 * is relied on: it is said in words, too, and then checked.
 */
import * as Effect from "effect/Effect"
import { isDeeperThan, isObject, type JsonObject, mostLevels } from "../../message/Json.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Parameters from "../../tool/Parameters.ts"
import * as SchemaCheck from "../../tool/SchemaCheck.ts"
import * as NamedFile from "../arguments/NamedFile.ts"
import { InvalidAnswer } from "../CommandError.ts"
import * as Code from "./Code.ts"

export interface AnswerSchema {
  /** As it was given. */
  readonly json: JsonObject
  /** What to tell a model. */
  readonly form: string
  /** The JSON that an answer is, or that is the code in it: models like to put a fence around it. */
  readonly read: (answer: string) => Effect.Effect<string, InvalidAnswer | UsageError>
}

/** What a model is told whose answer is not. */
export const correction = ({ issues }: InvalidAnswer): string =>
  `Your answer is not valid: ${issues.join("; ")}. Give it again, as one JSON value by the schema, without any other words.`

/** From a file; fails where that holds no JSON Schema, or none that can be used: nobody is asked by such a one. */
export const open = Effect.fn("AnswerSchema.open")(function* (file: string) {
  const text = new TextDecoder().decode(yield* NamedFile.read(file, { most: maxBytes, command: "ask" }))
  const json = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => unusable(file, "is no JSON") })
  if (!isObject(json)) return yield* unusable(file, "is no JSON Schema: that is an object")
  const flaw = yield* SchemaCheck.findFlaw(json)
  if (flaw !== undefined) return yield* unusable(file, `cannot be used: ${flaw}`)
  const { decode } = Parameters.fromJsonSchema(json)
  const check = (value: unknown) =>
    decode(value).pipe(Effect.catchAllDefect((cause) => unusable(file, `cannot be used: ${flawBehind(cause)}`)))
  // One that contains itself without an end has no flaw, and is of no use.
  yield* Effect.catchTag(check({}), "InvalidArguments", () => Effect.void)
  return {
    json,
    form: `Answer with one JSON value, and no other words, that is valid by this JSON Schema:\n${JSON.stringify(json)}`,
    read: (answer) =>
      Effect.gen(function* () {
        const text = (Code.first(answer) ?? answer).trim()
        const value = yield* Effect.try({
          try: (): unknown => JSON.parse(text),
          catch: (cause) =>
            new InvalidAnswer({ issues: [`it is no JSON${cause instanceof Error ? `: ${cause.message}` : ""}`] }),
        })
        if (isDeeperThan(value, mostLevels)) {
          return yield* new InvalidAnswer({ issues: [`it is nested more than ${mostLevels} levels deep`] })
        }
        yield* Effect.catchTag(check(value), "InvalidArguments", ({ issues }) => new InvalidAnswer({ issues }))
        return text
      }),
  } satisfies AnswerSchema as AnswerSchema
})

/** What a check broke at. It overflows the stack where references lead in a circle that cannot be seen beforehand. */
const flawBehind = (cause: unknown): string => {
  if (cause instanceof RangeError) return "its references lead in a circle"
  return cause instanceof Error ? cause.message : ""
}

/** Larger than any schema that a provider takes. */
const maxBytes = 1_000_000

const unusable = (file: string, what: string) => new UsageError({ message: `${file}: ${what}`, command: "ask" })
