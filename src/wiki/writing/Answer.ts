/**
 * Asks a model for an answer in a given form. The form is declared as a tool, since all providers have tools. A model
 * that answers with JSON as text, bare, fenced or cut off, is understood too.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject, type JsonObject, tryParse } from "../../base/Json.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { ModelError } from "../../model/ModelError.ts"
import type { Reply } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import type { Thinking } from "../../model/Thinking.ts"
import * as Tool from "../../tool/Tool.ts"

/** The form of an answer: the name and the purpose of a tool, and the schema of its arguments. */
export interface Form<A> {
  readonly tool: Tool.Tool
  /** Returns the answer that is in an object; undefined if it has none of the fields. */
  readonly read: (value: JsonObject) => A | undefined
}

export const form = <A, P, I>(options: {
  readonly name: string
  readonly description: string
  readonly parameters: Schema.Schema<P, I>
  readonly read: (value: JsonObject) => A | undefined
}): Form<A> => ({
  tool: Tool.make({
    name: options.name,
    description: options.description,
    parameters: options.parameters,
    readOnly: true,
    // The tool is never run: the call itself is the answer.
    run: () => Effect.succeed(""),
  }),
  read: options.read,
})

export interface Question<A> {
  readonly form: Form<A>
  readonly system: string
  readonly message: string
  /** The tokens that an answer of usual length takes. */
  readonly answerTokens: number
}

/** How much a model thinks; `off` requires the tool, since some providers refuse that of a model that thinks. */
export const requestOf = <A>({ answerTokens, form, message, system }: Question<A>, thinking?: Thinking): Request => ({
  system,
  messages: [Message.user(message)],
  tools: [form.tool],
  toolChoice: thinking === undefined || thinking === "off" ? { tool: form.tool.name } : "auto",
  minOutputTokens: answerTokens,
  thinking: thinking ?? "off",
})

export interface Answered<A> {
  /** Undefined if the model answered with something else. */
  readonly answer: A | undefined
  readonly reply: Reply
}

export const ask = <A>(
  model: LanguageModel.Service,
  question: Question<A>,
  options: { readonly thinking?: Thinking | undefined; readonly observer?: LanguageModel.Observer | undefined } = {},
): Effect.Effect<Answered<A>, ModelError> =>
  Effect.map(model.generate(requestOf(question, options.thinking), options.observer), (reply) => ({
    answer: read(question.form, reply.blocks),
    reply,
  }))

/** Reads the calls of a reply, those of the tool of the form first, and then its text. */
export const read = <A>(form: Form<A>, blocks: ReadonlyArray<Block.Block>): A | undefined => {
  const calls = blocks.filter(Block.isToolUse)
  const text = blocks
    .filter(Block.isText)
    .map(({ text }) => text)
    .join("\n")
  const values: ReadonlyArray<unknown> = [
    ...calls.filter(({ name }) => name === form.tool.name).map(({ parameters }) => parameters),
    ...calls.filter(({ name }) => name !== form.tool.name).map(({ parameters }) => parameters),
    ...documentsIn(text),
  ]
  for (const value of values) {
    for (const candidate of objectsIn(value)) {
      const answer = form.read(candidate)
      if (answer !== undefined) return answer
    }
  }
  return undefined
}

/** Lists the object itself, and those in it that protocols wrap arguments in. */
const objectsIn = (value: unknown): ReadonlyArray<JsonObject> => {
  if (!isObject(value)) return []
  const inner = [value.arguments, value.parameters, value.args, value.input]
  return [value, ...inner.flatMap((each) => (typeof each === "string" ? [tryParse(each)] : [each])).filter(isObject)]
}

/** Lists the JSON documents of a text: fenced blocks, the text as a whole, and what stands between its brackets. */
const documentsIn = (text: string): ReadonlyArray<unknown> => {
  const start = text.search(/[{[]/)
  if (start === -1) return []
  const blocks = Array.from(text.matchAll(/```\w*\n([\s\S]*?)```/g), ([, block = ""]) => block)
  const bare = /\{[\s\S]*\}/.exec(text)?.[0]
  const whole = [...blocks, ...(bare === undefined ? [] : [bare])].map(tryParse).filter((value) => value !== undefined)
  return [...whole, tryParse(closeJson(text.slice(text.indexOf("{"))))]
}

/** Closes a JSON text that was cut off, after its last complete object or list. */
export const closeJson = (text: string): string => {
  const open: Array<string> = []
  let isText = false
  let end = { position: 0, closing: "" }
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position)
    if (isText) {
      if (character === "\\") position += 1
      else if (character === '"') isText = false
      continue
    }
    if (character === '"') isText = true
    else if (character === "{") open.push("}")
    else if (character === "[") open.push("]")
    else if (character === "}" || character === "]") {
      if (open.pop() !== character) break
      end = { position: position + 1, closing: open.toReversed().join("") }
      if (open.length === 0) break
    }
  }
  return text.slice(0, end.position) + end.closing
}

/** Decodes the entries of a list one by one, so that one that is unusable does not cost the others. */
export const entriesOf = <A, I>(
  value: unknown,
  schema: Schema.Schema<A, I>,
): { readonly entries: ReadonlyArray<A>; readonly refused: number } => {
  const list = typeof value === "string" ? tryParse(value) : value
  const all = Array.isArray(list) ? list : isObject(list) ? [list] : []
  const decoded = all.map((each: unknown) => Schema.decodeUnknownEither(schema)(each))
  const entries = decoded.filter(Either.isRight).map(({ right }) => right)
  return { entries, refused: all.length - entries.length }
}

/**
 * Reads the entries of a list by the numbers that they have in a field, which may begin at 0, or else by their
 * positions from 1. A model that writes a single one may leave out the list around it. Undefined if no entry is of use.
 */
export const numbered = <A>(
  value: unknown,
  field: string,
  read: (entry: JsonObject) => A | undefined,
): ReadonlyMap<number, A> | undefined => {
  const list = typeof value === "string" ? tryParse(value) : value
  const entries = (Array.isArray(list) ? list : [list]).map((entry: unknown) => (isObject(entry) ? entry : {}))
  const numbers = entries.map((entry) => numberOf(entry[field]))
  const first = numbers.includes(0) ? 0 : 1
  const found = new Map<number, A>()
  for (const [at, entry] of entries.entries()) {
    const number = (numbers[at] ?? at + first) - first + 1
    const each = read(entry)
    if (each !== undefined && !found.has(number)) found.set(number, each)
  }
  return found.size === 0 ? undefined : found
}

/** Returns a number, also of a text such as `[2]` or `Part 2`; undefined for a name with digits, such as `cart2`. */
const numberOf = (value: unknown): number | undefined => {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined
  const digits = typeof value === "string" ? /^\W*(?:[a-z]+\s+)?\W*(\d+)\W*$/i.exec(value)?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}

/** Numbers as models write them: a list, one number, or texts such as `[17]` and `17, 18`. */
export const Numbers = Schema.transform(Schema.Unknown, Schema.Array(Schema.Number), {
  decode: (value) => numbersIn(value),
  encode: (numbers) => numbers,
})

const numbersIn = (value: unknown): ReadonlyArray<number> => {
  if (typeof value === "number") return Number.isInteger(value) ? [value] : []
  if (typeof value === "string") return (value.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number).filter(Number.isInteger)
  return Array.isArray(value) ? value.flatMap((each: unknown) => (Array.isArray(each) ? [] : numbersIn(each))) : []
}
