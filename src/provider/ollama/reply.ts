/** Ollama's chunks, decoded into the parts of a reply, and what an answer's end means. Pure. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isObject } from "../../message/Json.ts"
import * as Usage from "../../message/Usage.ts"
import { InvalidRequest, type Reason, StreamIncomplete } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import type { Tool } from "../../tool/Tool.ts"
import { argumentsOf } from "../shared/callArguments.ts"
import * as WrittenCalls from "../shared/textToolCalls.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Endings from "../shared/unusable.ts"
import type { Decoder } from "../transport/attempt.ts"
import * as OllamaMeta from "./metadata.ts"

const field = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const ToolCall = Schema.Struct({
  id: field(Schema.String),
  function: field(Schema.Struct({ name: field(Schema.String), arguments: field(Schema.Unknown) })),
})

const Chunk = Schema.Struct({
  message: field(
    Schema.Struct({
      content: field(Schema.String),
      thinking: field(Schema.String),
      tool_calls: field(Schema.Array(ToolCall)),
    }),
  ),
  done: field(Schema.Boolean),
  done_reason: field(Schema.String),
  prompt_eval_count: field(Schema.Number),
  eval_count: field(Schema.Number),
  error: field(Schema.Unknown),
})

const decodeChunk = Schema.decodeUnknownEither(Chunk)

export interface Options {
  readonly model: string
  /** What the model was offered. */
  readonly tools: ReadonlyArray<Tool>
  /** Why an answer broke off, by what the server says in its midst. */
  readonly broken: (error: unknown) => Reason
}

/** Reads what a model says, and what it writes of its tools in place of calling them. */
export const decoder = ({ broken, model, tools }: Options): Decoder<Answer, unknown> => {
  const nameOf = ToolNames.reader(tools)
  const names = tools.map(({ name }) => ToolNames.onWire(name))
  const meta = OllamaMeta.write(model)

  const callOf = ({ function: call, id }: typeof ToolCall.Type): Part | "garbled" => {
    const parameters = argumentsOf(call?.arguments)
    if (!call?.name || parameters === undefined) return "garbled"
    return Part.ToolUse({ id: id || undefined, name: nameOf(call.name), parameters, meta })
  }

  /** The words that can be said, and what is held back of them: nothing where the model knows how to call. */
  const parted = (answer: Answer, content: string): readonly [words: string, held: string] => {
    const text = answer.held + content
    if (names.length === 0 || answer.called) return [text, ""]
    // What is held to the end is not looked through with each piece of it.
    if (answer.isHeld) return ["", text]
    const until = WrittenCalls.mayBegin(text, answer.spoke)
    return [text.slice(0, until), text.slice(until)]
  }

  const said = (answer: Answer, content: string): readonly [Answer, ReadonlyArray<Part>] => {
    const [words, held] = parted(answer, content)
    const spoke = answer.spoke || words.trim() !== ""
    const isHeld = held !== "" && (answer.isHeld || WrittenCalls.isHeld(held))
    const next = spoke === answer.spoke && held === answer.held ? answer : { ...answer, spoke, held, isHeld }
    return [next, words === "" ? [] : [Part.Text({ text: words })]]
  }

  const step = (before: Answer, { message, ...chunk }: typeof Chunk.Type): readonly [Answer, ReadonlyArray<Part>] => {
    const read = (message?.tool_calls ?? []).map(callOf)
    const calls = read.filter((part) => part !== "garbled")
    const [answer, words] = said({ ...before, called: before.called || calls.length > 0 }, message?.content ?? "")
    return [
      {
        ...answer,
        garbled: answer.garbled || calls.length < read.length,
        done: chunk.done === true ? chunk.done_reason || "stop" : answer.done,
        usage: {
          ...answer.usage,
          inputTokens: chunk.prompt_eval_count ?? answer.usage.inputTokens,
          outputTokens: chunk.eval_count ?? answer.usage.outputTokens,
        },
      },
      [...(message?.thinking ? [Part.Thinking({ text: message.thinking })] : []), ...words, ...calls],
    ]
  }

  /** What was held back, as what it turned out to be. */
  const heldBack = ({ called, done, held }: Answer): ReadonlyArray<Part> => {
    if (held === "") return []
    const calls = called || done !== "stop" ? [] : WrittenCalls.read(held, names)
    if (calls.length > 0)
      return calls.map(({ name, parameters }) => Part.ToolUse({ name: nameOf(name), parameters, meta }))
    return [Part.Text({ text: held })]
  }

  return {
    start,
    step: (answer, chunk) => {
      const plain = plainOf(chunk)
      if (plain !== undefined)
        return Either.right(plain.done ? step(answer, plain) : said(answer, plain.message.content))
      return Either.flatMap(
        Either.mapLeft(decodeChunk(chunk), () => notOurs),
        (chunk) => (chunk.error == null ? Either.right(step(answer, chunk)) : Either.left(broken(chunk.error))),
      )
    },
    progress: ({ done }) => (done === undefined ? "open" : "over"),
    end: (answer) => {
      const held = heldBack(answer)
      const called = answer.called || held.some((part) => part._tag === "ToolUse")
      const spoke = answer.spoke || held.some((part) => part._tag === "Text" && part.text.trim() !== "")
      return Either.map(end({ ...answer, called, spoke }), (finish) => [...held, finish])
    },
  }
}

/** Of words and counts alone, as nearly all are: to decode each chunk would take longer than all that is done with it. */
const plainOf = (chunk: unknown) => {
  if (!isObject(chunk) || chunk.error !== undefined || !isObject(chunk.message)) return undefined
  const { done, done_reason, eval_count, message, prompt_eval_count } = chunk
  if (message.thinking !== undefined || message.tool_calls !== undefined) return undefined
  return typeof message.content === "string" &&
    typeof done === "boolean" &&
    (done_reason === undefined || typeof done_reason === "string") &&
    (eval_count === undefined || typeof eval_count === "number") &&
    (prompt_eval_count === undefined || typeof prompt_eval_count === "number")
    ? { message: { content: message.content }, done, done_reason, eval_count, prompt_eval_count }
    : undefined
}

/** What has been seen of an answer. */
export interface Answer {
  readonly spoke: boolean
  /** What may turn out to be a call. */
  readonly held: string
  /** It is held to the end of the answer: only the whole of it tells. */
  readonly isHeld: boolean
  readonly called: boolean
  /** It held a call that cannot be read. */
  readonly garbled: boolean
  readonly done: string | undefined
  /** Thoughts are counted with the rest of what was written, and the cache is not told of. */
  readonly usage: Usage.Usage
}

const start: Answer = {
  spoke: false,
  held: "",
  isHeld: false,
  called: false,
  garbled: false,
  done: undefined,
  usage: Usage.none,
}

const end = ({ called, done, garbled, spoke, usage }: Answer): Either.Either<Part, Reason> => {
  const finished = (reason: "stop" | "tool_calls" | "length" | "error") => Either.right(Part.Finish({ reason, usage }))
  switch (done) {
    case undefined:
      return Either.left(new StreamIncomplete({ message: "the answer ended early" }))
    case "stop":
      if (garbled) return Either.left(Endings.unreadable("it has no name, or its arguments are no object"))
      return finished(called ? "tool_calls" : "stop")
    case "length":
      if (called || garbled) return Either.left(Endings.cut)
      return spoke ? finished("length") : Either.left(Endings.exhausted(usage))
    default:
      // A reason we do not know: its words stand, with a finish that warns; its calls do not run.
      return spoke && !called && !garbled
        ? finished("error")
        : Either.left(new InvalidRequest({ message: `the model stopped without an answer: ${done}` }))
  }
}

const notOurs = new StreamIncomplete({ message: "the answer holds something that is not an API response" })
