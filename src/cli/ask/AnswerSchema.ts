/**
 * The JSON Schema that an answer must validate against. It is sent to providers that can enforce one, always written
 * into the question as well, and the answer is always checked, also if it is in a block of code.
 */
import * as Effect from "effect/Effect"
import { isDeeperThan, isObject, type JsonObject, mostLevels } from "../../base/Json.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Parameters from "../../tool/Parameters.ts"
import * as SchemaCheck from "../../tool/SchemaCheck.ts"
import * as WrittenCalls from "../../tool/WrittenCalls.ts"
import { InvalidAnswer } from "../CommandError.ts"
import * as Input from "../terminal/Input.ts"

export interface AnswerSchema {
  /** The schema as it was given. */
  readonly json: JsonObject
  /** The instruction to the model. */
  readonly form: string
  /**
   * Reads the JSON of an answer: all of it, its first code block, or the JSON between its words, since models often add
   * words.
   */
  readonly read: (answer: string) => Effect.Effect<string, InvalidAnswer | UsageError>
}

/** The message to a model after an answer that is not valid. */
export const correction = ({ issues }: InvalidAnswer): string =>
  `Your answer is not valid: ${issues.join("; ")}. Give it again, as one JSON value by the schema, without any other words.`

/** Reads a file. Fails if it holds no JSON Schema, or one that cannot be used; no request is sent then. */
export const open = Effect.fn("AnswerSchema.open")(function* (file: string) {
  const text = new TextDecoder().decode(yield* Input.readNamed(file, { maxBytes: MAX_BYTES, command: "ask" }))
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => unusableSchema(file, "is no JSON"),
  })
  if (!isObject(json)) return yield* unusableSchema(file, "is no JSON Schema: that is an object")
  const flaw = yield* SchemaCheck.findFlaw(json)
  if (flaw !== undefined) return yield* unusableSchema(file, `cannot be used: ${flaw}`)
  const { decode } = Parameters.fromJsonSchema(json)
  const check = (value: unknown) =>
    decode(value).pipe(
      Effect.catchAllDefect((cause) => unusableSchema(file, `cannot be used: ${describeDefect(cause)}`)),
    )
  // A schema that contains itself endlessly passes `findFlaw`; a trial check finds it.
  yield* Effect.catchTag(check({}), "InvalidArguments", () => Effect.void)
  const schema: AnswerSchema = {
    json,
    form: `Answer with one JSON value, and no other words, that is valid by this JSON Schema:\n${JSON.stringify(json)}`,
    read: (answer) => {
      const readText = (text: string) =>
        Effect.gen(function* () {
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
        })
      const whole = (firstCodeBlock(answer) ?? answer).trim()
      // A model may add a sentence, before or after.
      const within = jsonWithin(whole).map(readText)
      return Effect.catchTag(readText(whole), "InvalidAnswer", (error) =>
        Effect.catchTag(Effect.firstSuccessOf([...within, error]), "InvalidAnswer", () => error),
      )
    },
  }
  return schema
})

/** The objects and lists of JSON between the words of a text, outermost ones only. */
const jsonWithin = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let at = WrittenCalls.startOfJson(text, 0)
  // Each start that is no JSON is read to the end of the text.
  for (let tries = 0; at < text.length && tries < MAX_STARTS; tries++) {
    const json = WrittenCalls.jsonAt(text.slice(at))
    if (json !== undefined && json.length < text.length) found.push(text.slice(at, at + json.length))
    at = WrittenCalls.startOfJson(text, at + (json?.length ?? 1))
  }
  return found
}

const MAX_STARTS = 100

/** Says why a check threw. It overflows the stack if references form a circle that `findFlaw` cannot see. */
const describeDefect = (cause: unknown): string => {
  if (cause instanceof RangeError) return "its references lead in a circle"
  return cause instanceof Error ? cause.message : ""
}

/** The most bytes of a schema: larger than any that a provider takes. */
const MAX_BYTES = 1_000_000

const unusableSchema = (file: string, what: string) => new UsageError({ message: `${file}: ${what}`, command: "ask" })

/**
 * Returns the content of the first fenced code block (CommonMark 0.31, section 4.5); undefined if there is none. A
 * block that is not closed extends to the end.
 */
export const firstCodeBlock = (answer: string): string | undefined => {
  const lines = answer.split("\n")
  const start = lines.findIndex((line) => opening.test(line))
  const [, indent = "", fence = ""] = opening.exec(lines[start] ?? "") ?? []
  if (fence === "" || start === lines.length - 1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => closing.exec(line)?.[1]?.startsWith(fence))
  const code = end === -1 ? rest : [...rest.slice(0, end), ""]
  const indentation = new RegExp(`^ {0,${indent.length}}`)
  return code.map((line) => line.replace(indentation, "")).join("\n")
}

/** The rest of a line after opening backticks contains no backtick; otherwise they are code within the line. */
const opening = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/

const closing = /^ {0,3}([`~]{3,})[ \t\r]*$/
