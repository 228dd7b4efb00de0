/**
 * Text from outside (errors and answers of providers, recordings, what is drawn of both) is read in time linear to its
 * length. The texts are so long that quadratic time would be far more than the limit, on any machine, and linear time a
 * tenth of it. No test here looks at a clock: what counts is the time that the thread has computed.
 */
import { setImmediate } from "node:timers/promises"
import * as AiError from "@effect/ai/AiError"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { incompleteAt, sanitize } from "../src/base/Sanitize.ts"
import * as SchemaIssues from "../src/base/SchemaIssues.ts"
import { firstCodeBlock } from "../src/cli/ask/AnswerSchema.ts"
import * as MarkdownBlocks from "../src/cli/View/terminal/MarkdownBlocks.ts"
import * as TextLayout from "../src/cli/View/terminal/TextLayout.ts"
import { lineOf } from "../src/config/internal/lineOf.ts"
import * as Revision from "../src/conversation/document/Revision.ts"
import * as Prompt from "../src/conversation/Prompt.ts"
import * as Prd from "../src/conversation/prd/Prd.ts"
import * as PrdJson from "../src/conversation/prd/PrdJson.ts"
import type { Reason } from "../src/model/ModelError.ts"
import type { Part } from "../src/model/Reply.ts"
import * as AnthropicErrors from "../src/provider/anthropic/errors.ts"
import * as EffectAiErrors from "../src/provider/effect-ai/errors.ts"
import * as GeminiErrors from "../src/provider/gemini/errors.ts"
import * as OllamaErrors from "../src/provider/ollama/errors.ts"
import * as OllamaReply from "../src/provider/ollama/reply.ts"
import * as OpenAiCompatible from "../src/provider/openai-chat/OpenAiCompatible.ts"
import * as ChatReply from "../src/provider/openai-chat/reply.ts"
import * as ResponsesReply from "../src/provider/openai-responses/reply.ts"
import * as OpenAiErrors from "../src/provider/shared/openAiErrors.ts"
import type { Decoder } from "../src/provider/transport/attempt.ts"
import * as Errors from "../src/provider/transport/errors.ts"
import { HttpError } from "../src/provider/transport/http.ts"
import * as Redaction from "../src/provider/transport/redaction.ts"
import * as Tool from "../src/tool/Tool.ts"
import { isThorough, some } from "./thoroughness.ts"
import { limitProcessorTime } from "./utils/linearTime.ts"

limitProcessorTime(isThorough ? 60 : 2.4)

// Vitest has to receive the result of a test before the next one blocks the thread.
afterEach(() => setImmediate())

const length = isThorough ? 1_000_000 : 60_000

/** A text of that length, or of the words once if they are longer. */
const repeated = (words: string): string => words.repeat(Math.ceil(length / words.length))

const key = "test-key-0123456789"

const phrases = [
  "sk-",
  "sk-a-",
  "x-sk-",
  "input token count ",
  "too large for model with ",
  "model ",
  "model not a ",
  "thinking ",
  "reached your ",
  "1,",
  "try again in 1",
  "InputTokens",
  "api key ",
  "authorization: ",
  "a://",
  "key=",
  " \t",
  "\\",
]

const wires: Readonly<Record<string, (cause: unknown) => Reason>> = {
  openai: (cause) => OpenAiErrors.toReason(cause, key),
  anthropic: (cause) => AnthropicErrors.toReason(cause, key, () => 0),
  google: (cause) => GeminiErrors.toReason(cause, key, 0),
  ollama: (cause) => OllamaErrors.toReason(cause, { model: "m", url: "http://127.0.0.1", key }),
}

const google = (words: string) => ({
  error: {
    message: words,
    status: words,
    details: [{ violations: [{ quotaId: words }] }, { retryDelay: words }, { reason: words }],
  },
})

describe("an error of a provider is read in linear time", () => {
  for (const phrase of some(phrases, 0)) {
    it(`that repeats ${JSON.stringify(phrase)}`, () => {
      const words = repeated(phrase)
      const bodies = [
        words,
        ...[{ error: { message: words } }, { error: words }, google(words)].map((json) => JSON.stringify(json)),
      ]
      for (const [wire, toReason] of Object.values(wires).entries()) {
        for (const [at, body] of bodies.entries()) {
          for (const status of some([400, 429, 500], wire + at, 3)) {
            const { message } = toReason(new HttpError(status, body, new Headers()))
            assert.isAtMost(message.length, 2000)
          }
        }
        assert.isAtMost(toReason(new Error(words)).message.length, 2000)
      }
      OllamaErrors.fromStreamError(words, { model: "m", url: "http://127.0.0.1", key })
      AnthropicErrors.fromStreamError({ type: "invalid_request_error", message: words }, key)
      EffectAiErrors.fromStreamError({ message: words })
      EffectAiErrors.toReason(new AiError.UnknownError({ module: "m", method: "m", description: words }), [])
    })
  }

  it("and shows no half of a key that stands where the text is cut", () => {
    // The keys before it shrink, so that the place of the cut is shown.
    for (let at = 16_340; at < 16_390; at += isThorough ? 1 : 3) {
      const keys = `${"sk-0123456789abcdef ".repeat(900).slice(0, at - (at % 20))}${" ".repeat(at % 20)}`
      for (const text of [`${keys.slice(0, at)}${key} and more`, `${keys.slice(0, at)}${key}`]) {
        const { message } = OpenAiErrors.toReason(new Error(text), key)
        assert.notMatch(message, /test|-key|sk-/)
      }
    }
  })
})

const asRecorded = [
  ...phrases,
  '"',
  '\\"',
  "\\\\",
  '{"a":"',
  "data: {",
  '{"a":{"authorization":"',
  `data: {"text":"${key.slice(0, 4)}"}\n\n`,
  `data: {"text":"\\\\\\""}\n\n`,
]

describe("a recording is redacted in linear time", () => {
  const { redactResponse: answered, redactRequest: asked } = Redaction.makeRedaction([key, "tttttttttttt1"])
  for (const phrase of some(asRecorded, 1)) {
    it(`that repeats ${JSON.stringify(phrase)}`, () => {
      const words = repeated(phrase)
      for (const text of [words, JSON.stringify({ words: JSON.stringify({ words }) })]) {
        answered(text)
        asked(text)
      }
      Errors.redactSecrets(words, [key])
    })
  }
})

const answers = [
  "# ",
  "# PRD: a ",
  "# PRD: a\n",
  "## Feature 1.1",
  ".1",
  "Prompt: a\n",
  "Prompt:\n\n",
  "```\n",
  "~",
  "`",
  "~~~\n",
  "~\r``` ",
  "<document>\n",
  "</document>\n",
  "[PRD]\n",
  "[/PRD]\n",
  "## US-001 a\n",
  "- \u2028",
  "\n",
  " ",
  "\r",
  "\u2028",
  "\x1b]",
  "\x1b[",
  "\x9b",
  "\ud83d",
]

/** What may stand in front of what is repeated, and behind it. */
const around: ReadonlyArray<readonly [before: string, after: string]> = [
  ["", ""],
  ["# ", "\u2028a"],
  ["```", "\u2028`"],
  ["## Feature 1", "\u2028a"],
  ["## US-001", "\u2028"],
  ["## A\n\nacceptance criteria", "P"],
  ["- [ ]", "\u2028a"],
  ["## A\n\nPriority:", "\u2028"],
]

describe("an answer is read in linear time", () => {
  for (const phrase of some(answers, 2)) {
    it(`that repeats ${JSON.stringify(phrase)}`, () => {
      for (const [before, after] of phrase.includes("\n") ? around.slice(0, 1) : around) {
        const answer = `${before}${repeated(phrase)}${after}`
        Prompt.extract(answer)
        firstCodeBlock(answer)
        Revision.findInAnswer(answer)
        Prd.detect(answer)
        sanitize(answer)
        TextLayout.head(answer, 10)
        SchemaIssues.line([], answer)
      }
    })
  }

  // What a document of so many stories is made of is compared with each of them: fewer are enough here.
  it("that is a document with one long line", () => {
    for (const [at, phrase] of [" ", ".1", "*", "-", "#", "\t"].entries()) {
      for (const [before, after] of some(around, at, 6)) {
        const content = `# PRD: a\n\n## User stories\n\n${before}${repeated(phrase)}${after}\n`
        PrdJson.make(content, { createdAt: "" })
        MarkdownBlocks.parse(content)
      }
    }
  })

  const tool = Tool.fromJsonSchema({
    name: "look",
    description: "Looks.",
    parameters: { type: "object" },
    run: () => Effect.succeed(""),
  })

  const readAll = <Answer>(
    { end, initial: start, decodeChunk: step }: Decoder<Answer, unknown>,
    chunks: Iterable<unknown>,
  ) => {
    const said: Array<Part> = []
    let answer = start
    for (const chunk of chunks) {
      const [next, parts] = Either.getOrThrow(step(answer, chunk))
      answer = next
      said.push(...parts)
    }
    said.push(...Either.getOrThrow(end(answer)))
    return said.map((part) => (part._tag === "Text" ? part.text : "")).join("")
  }

  function* chunks(begin: string, piece: string, write: (content: string) => object, end: object) {
    yield write(begin)
    for (let count = 0; count < length; count++) yield write(piece)
    yield end
  }

  const beginnings = [
    ["what may be a call", "{"],
    ["a block of code", "```"],
    ["white space", " "],
  ] as const

  const pieceAfter = (begin: string) => (begin === " " ? "\n\n\n\n" : "abc ")

  // The servers share what reads such beginnings, so each of them gets a part of these.
  for (const [what, begin] of some(beginnings, 0, 2)) {
    const piece = pieceAfter(begin)
    it(`that comes in as many pieces and begins with ${what}, of Ollama`, () => {
      const decoder = OllamaReply.decoder({ model: "m", tools: [tool], streamError: () => assert.fail() })
      const write = (content: string) => ({ message: { content }, done: false })
      const text = readAll(decoder, chunks(begin, piece, write, { done: true, message: { content: "end" } }))
      assert.strictEqual(text, `${begin}${piece.repeat(length)}end`)
    })
  }

  for (const [what, begin] of some(beginnings, 1, 2)) {
    const piece = pieceAfter(begin)
    it(`that comes in as many pieces and begins with ${what}, of a server that speaks like OpenAI`, () => {
      const decoder = ChatReply.decoder(OpenAiCompatible.servers.lmstudio, "m", [tool])
      const write = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })
      const end = { choices: [{ index: 0, delta: { content: "end" }, finish_reason: "stop" }] }
      const text = readAll(decoder, chunks(begin, piece, write, end))
      assert.strictEqual(text.trim(), `${begin}${piece.repeat(length)}end`.trim())
    })
  }

  it("that holds tens or hundreds of thousands of calls in one event", () => {
    const many = Array.from({ length }, (_, index) => index)
    const calls = many.map((index) => ({ index, id: `c${index}`, function: { name: "look", arguments: "{}" } }))
    const chat = ChatReply.decoder(OpenAiCompatible.servers.openai, "m", [tool])
    for (const delta of [{ tool_calls: calls }, { reasoning_details: many.map((index) => ({ index })) }]) {
      const decoded = chat.decodeChunk(chat.initial, { choices: [{ index: 0, delta }] })
      if ("tool_calls" in delta) assert.isTrue(Either.isLeft(decoded))
    }
    assert.isTrue(Either.isLeft(chat.decodeChunk(chat.initial, { choices: many.map(() => ({ index: 0 })) })))
    const responses = ResponsesReply.decoder("m", (name) => name)
    const output = many.map((id) => ({ type: "function_call", id: `i${id}`, name: "look", arguments: "{}" }))
    assert.isTrue(
      Either.isLeft(responses.decodeChunk(responses.initial, { type: "response.completed", response: { output } })),
    )
  })

  it("that comes in very many pieces of one escape sequence", () => {
    let held = "\x1b]"
    for (let count = 0; count < (isThorough ? 300_000 : 10_000); count++) {
      const text = `${held}abcd`
      held = text.slice(incompleteAt(text))
      assert.isBelow(held.length, 5000)
    }
  })
})

it("a line of a file of settings is read in linear time", () => {
  for (const phrase of [" ", "a ", "[", "#"]) lineOf(repeated(phrase), ["a"])
})
