import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Reply from "../../../src/model/Reply.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as OpenAiResponses from "../../../src/provider/openai-responses/OpenAiResponses.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { against } from "../../model/LanguageModel.aimock.ts"
import { hello, key } from "../../utils/Asking.ts"
import { error, refusing } from "../../utils/ChatAdapter.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { events, item } from "../../utils/ResponsesAdapter.ts"
import * as ResponsesRules from "../../utils/ResponsesRules.ts"

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: { type: "object" },
  run: () => Effect.succeed(""),
})

interface Setup {
  readonly model?: string
  readonly request?: Request
}

const options = (url: string, model = "gpt-5-mini"): OpenAiResponses.Options => ({
  apiKey: Redacted.make(key),
  model,
  baseUrl: `${url}/v1`,
})

/** All parts of one attempt. */
const parts = (url: string, { model, request = hello }: Setup = {}) =>
  Effect.suspend(() => {
    const answer: Array<Part> = []
    const emit = (parts: ReadonlyArray<Part>) => Effect.sync(() => void answer.push(...parts))
    return Effect.as(OpenAiResponses.attempt(options(url, model))(request, emit), answer)
  })

/** The reply to a server's answer. */
const reply = (answer: FakeServer.Answer, setup?: Setup) =>
  Effect.gen(function* () {
    const { url } = yield* FakeServer.serve([answer])
    return (yield* parts(url, setup)).reduce(Reply.step, Reply.empty)
  })

const failure = (answer: FakeServer.Answer) => Effect.map(Effect.flip(reply(answer)), ({ reason }) => reason)

/** The request that is sent. */
const sent = (setup: Setup) =>
  Effect.gen(function* () {
    const { requests, url } = yield* FakeServer.serve([fine])
    yield* parts(url, setup)
    return requests[0] ?? assert.fail("nothing was sent")
  })

const stopped = Part.Finish({ reason: "stop", usage: Reply.empty.usage })

const fine = { body: FakeServer.events(...events([Part.Text({ text: "fine" }), stopped])) }

const stream = (...events: ReadonlyArray<object>) => ({ body: FakeServer.events(...events) })

const delta = (text: string) => ({ type: "response.output_text.delta", output_index: 0, delta: text })

const ended = (more: object = {}) => ({ type: "response.completed", response: { status: "completed", ...more } })

describe("OpenAiResponses: request", () => {
  it("fails with the name of the variable where the key is missing", () => {
    const reason = Either.getOrThrow(Either.flip(OpenAiResponses.keyOf(Redacted.make(" "))))
    assert.strictEqual(reason._tag, "Unauthorized")
    assert.include(reason.message, "OPENAI_API_KEY")
  })

  const request: Request = {
    ...hello,
    system: "Be brief.",
    tools: [readFile],
    maxOutputTokens: 100,
    temperature: 0.5,
  }

  it.scoped("streams without storage, with conversation, tools and parameters", () =>
    Effect.gen(function* () {
      const { body, path } = yield* sent({ request, model: "gpt-4o-mini" })
      assert.strictEqual(path, "/v1/responses")
      assert.deepStrictEqual(body, {
        model: "gpt-4o-mini",
        stream: true,
        store: false,
        instructions: "Be brief.",
        input: [{ role: "user", content: [{ type: "input_text", text: "hello" }] }],
        tools: [
          {
            type: "function",
            strict: false,
            name: "read_file",
            description: "Reads a file.",
            parameters: { type: "object", properties: {} },
          },
        ],
        max_output_tokens: 100,
        temperature: 0.5,
      })
    }),
  )

  it.scoped("requests the reasoning of a reasoning model, and sends it no temperature", () =>
    Effect.gen(function* () {
      const { body } = yield* sent({ request })
      assert.deepInclude(body, { include: ["reasoning.encrypted_content"] })
      assert.notProperty(body, "temperature")
    }),
  )

  it.scoped("raises the output limit to OpenAI's minimum", () =>
    Effect.gen(function* () {
      assert.propertyVal((yield* sent({ request: { ...hello, maxOutputTokens: 1 } })).body, "max_output_tokens", 16)
    }),
  )
})

describe("OpenAiResponses: answers", () => {
  it.scoped("completes an item with what its deltas left out", () =>
    Effect.gen(function* () {
      const whole = {
        type: "response.output_item.done",
        output_index: 0,
        item: item(Part.Text({ text: "Once upon a time" })),
      }
      assert.deepStrictEqual((yield* reply(stream(delta("Once "), whole, ended()))).blocks, [
        Block.text("Once upon a time"),
      ])
    }),
  )

  it.scoped("emits items of the final response that had no event of their own, and none twice", () =>
    Effect.gen(function* () {
      const output = [
        item(Part.Text({ text: "Once upon" })),
        item(Part.ToolUse({ id: "a", name: "look", parameters: {} })),
      ]
      const expected = [Block.text("Once upon"), Block.toolUse("a", "look", {})]
      for (const before of [
        [],
        [delta("Once ")],
        [{ type: "response.output_item.done", output_index: 1, item: output[1] }, delta("Once ")],
      ]) {
        const { blocks, finish } = yield* reply(stream(...before, ended({ output })))
        assert.sameDeepMembers([...blocks], expected)
        assert.strictEqual(finish, "tool_calls")
      }
    }),
  )

  it.scoped("emits an item once if its index or ids differ in the final response", () =>
    Effect.gen(function* () {
      const words = { id: "msg_1", ...item(Part.Text({ text: "I look." })) }
      const call = { id: "fc_1", ...item(Part.ToolUse({ id: "a", name: "look", parameters: {} })) }
      const expected = [Block.text("I look."), Block.toolUse("a", "look", {})]
      const done = (item: object, output_index?: number) => ({ type: "response.output_item.done", output_index, item })
      const answer = (output_index?: number) => ({ ...delta("I look."), output_index })
      const thought = done({ type: "reasoning", summary: [] }, 0)
      for (const [events, output] of [
        [
          [thought, answer(1), done(words, 1), done(call, 2)],
          [words, call],
        ],
        [
          [answer(1), done(call, 2)],
          [words, call],
        ],
        [
          [{ ...thought, output_index: undefined }, answer(), done(words), done(call)],
          [words, call],
        ],
        [
          [answer(0), done(words, 0), done(call, 1)],
          [
            { ...words, id: "msg_2" },
            { ...call, id: "fc_2", call_id: "b" },
          ],
        ],
        [
          [done({ ...words, id: undefined }, 3), done(call, 4)],
          [words, call],
        ],
      ] as const) {
        assert.deepStrictEqual((yield* reply(stream(...events, ended({ output })))).blocks, expected)
      }
    }),
  )

  it.scoped("emits identical items as often as they occur", () =>
    Effect.gen(function* () {
      const call = item(Part.ToolUse({ id: undefined, name: "roll", parameters: {} }))
      const done = (output_index: number) => ({ type: "response.output_item.done", output_index, item: call })
      for (const answer of [
        stream(done(0), done(1), ended({ output: [call, call] })),
        stream(ended({ output: [call, call] })),
      ]) {
        assert.lengthOf((yield* reply(answer)).blocks, 2)
      }
    }),
  )

  it.scoped("decodes arguments from separate events, and runs no call that only started", () =>
    Effect.gen(function* () {
      const call = { type: "function_call", id: "fc_1", call_id: "a", name: "look", arguments: "" }
      const event = (what: string, more: object) => ({ type: `response.${what}`, output_index: 1, ...more })
      const started = event("output_item.added", { item: { ...call, status: "in_progress" } })
      const piece = (delta: string) => event("function_call_arguments.delta", { item_id: "fc_1", delta })
      const args = event("function_call_arguments.done", { item_id: "fc_1", arguments: '{"path":"a"}' })
      const done = event("output_item.done", { item: call })
      const pieces = [piece('{"path":'), piece('"a"}')]
      const full = { ...call, arguments: '{"path":"a"}' }
      for (const [events, output] of [
        [[started, args], []],
        [[started, ...pieces], []],
        [[started, ...pieces, args, done], []],
        [[started, args, done], [full]],
        [[started, ...pieces, args], [full]],
        [[started, args].map((event) => ({ ...event, output_index: undefined })), []],
      ] as const) {
        const { blocks, finish } = yield* reply(stream(...events, ended({ output })))
        assert.deepStrictEqual([blocks, finish], [[Block.toolUse("a", "look", { path: "a" })], "tool_calls"])
      }
      const { blocks, finish } = yield* reply(stream(started, delta("I look."), ended({ output: [] })))
      assert.deepStrictEqual([blocks, finish], [[Block.text("I look.")], "stop"])
      for (const cut of [[started, ...pieces.slice(0, 1)], pieces]) {
        assert.strictEqual((yield* failure(stream(...cut, ended({ output: [] }))))._tag, "Unusable")
      }
      const limit = { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } }
      assert.strictEqual((yield* failure(stream(started, ...pieces.slice(0, 1), limit)))._tag, "OutputLimit")
    }),
  )

  it.scoped("emits a text that arrives only at its end, and none twice", () =>
    Effect.gen(function* () {
      const text = { type: "response.output_text.done", output_index: 0, text: "Once upon" }
      const done = { type: "response.output_item.done", output_index: 0, item: item(Part.Text({ text: "Once upon" })) }
      for (const events of [[text], [delta("Once "), text], [text, done], [delta("Once upon"), text, done]]) {
        assert.deepStrictEqual((yield* reply(stream(...events, ended()))).blocks, [Block.text("Once upon")])
      }
    }),
  )

  it.scoped("keeps calls that the final response omits", () =>
    Effect.gen(function* () {
      const call = item(Part.ToolUse({ id: "a", name: "look", parameters: {} }))
      const done = { type: "response.output_item.done", output_index: 0, item: call }
      assert.deepStrictEqual((yield* reply(stream(done, ended({ output: [] })))).blocks, [
        Block.toolUse("a", "look", {}),
      ])
    }),
  )

  it.scoped("runs no call of an answer with an invalid end, cancelled or not started", () =>
    Effect.gen(function* () {
      const call = item(Part.ToolUse({ id: "a", name: "look", parameters: {} }))
      const done = { type: "response.output_item.done", output_index: 0, item: call }
      for (const end of [
        `data: {"type":"response.completed","response":{"status":"completed"\n\n`,
        FakeServer.events({ type: "response.cancelled", response: { status: "cancelled" } }),
        FakeServer.events({ object: "response", status: "queued", output: [] }),
        "data: [DONE]\n\n",
      ]) {
        assert.strictEqual((yield* failure({ body: `${FakeServer.events(done)}${end}` }))._tag, "StreamIncomplete")
      }
    }),
  )

  it.scoped("runs no call that cannot be parsed", () =>
    Effect.gen(function* () {
      for (const wrong of [{ arguments: '{"a":' }, { arguments: "[1]" }, { name: "" }, { status: "incomplete" }]) {
        const call = { type: "function_call", call_id: "a", name: "look", arguments: "{}", ...wrong }
        assert.strictEqual((yield* failure(stream(ended({ output: [call] }))))._tag, "Unusable")
      }
    }),
  )

  it.scoped("ignores unknown items and their events", () =>
    Effect.gen(function* () {
      const search = { type: "tool_search_call", call_id: null, arguments: { paths: ["crm"] }, content: 7, name: [] }
      const output = [search, item(Part.Text({ text: "Yes." }))]
      const events = ["added", "done"].flatMap((what) =>
        output.map((item, output_index) => ({ type: `response.output_item.${what}`, output_index, item })),
      )
      const created = { type: "response.created", response: { output: "none yet" } }
      for (const answer of [stream(created, ...events, ended()), stream(ended({ output }))]) {
        assert.deepStrictEqual((yield* reply(answer)).blocks, [Block.text("Yes.")])
      }
    }),
  )

  it.scoped("decodes arguments that are an object, and content that is a string", () =>
    Effect.gen(function* () {
      const output = [
        { type: "reasoning", summary: [], content: "hm" },
        { type: "message", content: "I look." },
        { type: "function_call", call_id: "a", name: "look", arguments: { path: "a" } },
      ]
      assert.deepStrictEqual((yield* reply(stream(ended({ output })))).blocks, [
        Block.thinking("hm"),
        Block.text("I look."),
        Block.toolUse("a", "look", { path: "a" }),
      ])
    }),
  )

  it.scoped("fails an answer that contains a call of another shape", () =>
    Effect.gen(function* () {
      const output = [item(Part.Text({ text: "I look." })), { type: "function_call", call_id: "a", name: 7 }]
      assert.strictEqual((yield* failure(stream(ended({ output }))))._tag, "StreamIncomplete")
    }),
  )

  it.scoped("treats an incomplete answer without a reason as truncated, and none that failed", () =>
    Effect.gen(function* () {
      const { blocks, finish } = yield* reply(stream(delta("Once upon"), ended({ status: "incomplete" })))
      assert.deepStrictEqual([blocks, finish], [[Block.text("Once upon")], "length"])
      const failed = yield* failure(stream(delta("Once upon"), ended({ status: "failed" })))
      assert.deepInclude(failed, { _tag: "Overloaded", message: "the provider broke off: failed" })
    }),
  )

  it.scoped("fails with the model's refusal", () =>
    Effect.gen(function* () {
      const message = { type: "message", content: [{ type: "refusal", refusal: "I can't do that." }] }
      assert.deepInclude(yield* failure(stream(ended({ output: [message] }))), {
        _tag: "Blocked",
        message: "the model refused: I can't do that.",
      })
    }),
  )

  it.scoped("reports why a response failed, streamed or not", () =>
    Effect.gen(function* () {
      const failed = (code: string) => ({
        object: "response",
        status: "failed",
        error: { code, message: `No. ${key}` },
      })
      for (const [code, tag] of [
        ["server_error", "Overloaded"],
        ["rate_limit_exceeded", "RateLimited"],
        ["insufficient_quota", "QuotaExhausted"],
        ["invalid_prompt", "InvalidRequest"],
      ] as const) {
        const event = { type: "response.failed", response: failed(code) }
        assert.deepInclude(yield* failure(stream(delta("half"), event)), { _tag: tag, message: "No. [key]" })
        assert.deepInclude(yield* failure(refusing(200, JSON.stringify(failed(code)))), { _tag: tag })
      }
    }),
  )

  it.scoped("separates the parts of a summary by an empty line, in every form", () =>
    Effect.gen(function* () {
      const summary = [
        { type: "summary_text", text: "First." },
        { type: "summary_text", text: "Then." },
      ]
      const reasoning = { type: "reasoning", summary }
      const thought = (text: string) => ({
        type: "response.reasoning_summary_text.delta",
        output_index: 0,
        delta: text,
      })
      const part = (summary_index: number) => ({
        type: "response.reasoning_summary_part.added",
        output_index: 0,
        summary_index,
      })
      const done = { type: "response.output_item.done", output_index: 0, item: reasoning }
      for (const answer of [
        stream(part(0), thought("First."), part(1), thought("Then."), done, ended()),
        stream(done, ended()),
        stream(ended({ output: [reasoning] })),
      ]) {
        assert.deepStrictEqual((yield* reply(answer)).blocks, [Block.thinking("First.\n\nThen.")])
      }
    }),
  )
})

describe("OpenAiResponses: reasoning", () => {
  const reasoning = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "hm" }],
    encrypted_content: "ZW5j",
  }
  const call = item(Part.ToolUse({ id: "call_a", name: "look", parameters: {} }))
  const answer = stream(
    { type: "response.output_item.done", output_index: 0, item: reasoning },
    { type: "response.output_item.done", output_index: 1, item: call },
    ended(),
  )

  const history = Effect.map(reply(answer), ({ blocks: [first, ...rest] }): Request => {
    const answer: Message.Assistant = { role: "assistant", content: [first ?? assert.fail("it said nothing"), ...rest] }
    const answers = Message.toolUses(answer).map((call) => Message.toolResult(call, "done", false))
    return { ...hello, messages: [...hello.messages, answer, ...answers] }
  })

  const back = { type: "reasoning", encrypted_content: "ZW5j", summary: [{ type: "summary_text", text: "hm" }] }

  it.scoped("is sent back with the item that followed it, to the same model only", () =>
    Effect.gen(function* () {
      const request = yield* history
      const { input } = ResponsesRules.bodyOf(yield* sent({ request }))
      assert.deepStrictEqual(input.slice(1), [
        back,
        { type: "function_call", call_id: "call_a", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "call_a", output: "done" },
      ])
      for (const model of ["gpt-5", "gpt-4o-mini"]) {
        const other = ResponsesRules.bodyOf(yield* sent({ request, model }))
        assert.isFalse(other.input.some(({ type }) => type === "reasoning"))
      }
    }),
  )

  it.scoped("is omitted once it is rejected", () =>
    Effect.gen(function* () {
      const request = yield* history
      const rejection = refusing(400, error("The encrypted content gAAA… could not be verified."))
      const { requests, url } = yield* FakeServer.serve([rejection, fine, rejection])
      yield* parts(url, { request })
      const { reason } = yield* Effect.flip(parts(url, { request }))
      assert.strictEqual(reason._tag, "InvalidRequest")
      assert.deepStrictEqual(
        requests.map((request) => ResponsesRules.bodyOf(request).input.some(({ type }) => type === "reasoning")),
        [true, false, true, false],
      )
    }),
  )
})

against({ id: "openai-responses/gpt-5-mini", layer: (url) => OpenAiResponses.layer(options(url)) })

describe("OpenAiResponses: thinking in the text", () => {
  it.scoped("separates thinking in tags from text on other servers, also if only its closing tag is there", () =>
    Effect.gen(function* () {
      const blocks = (...texts: ReadonlyArray<string>) =>
        Effect.map(reply(stream(...texts.map(delta), ended())), ({ blocks }) => blocks)
      const separated = [Block.thinking("hm"), Block.text("391")]
      assert.deepStrictEqual(yield* blocks("<thi", "nk>hm</think>", "\n\n391"), separated)
      assert.deepStrictEqual(yield* blocks("hm", "\n</th", "ink>\n\n391", "<|return|>"), separated)
    }),
  )
})
