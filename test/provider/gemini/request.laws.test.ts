import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as History from "../../../src/model/History.ts"
import * as Reply from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as GeminiReply from "../../../src/provider/gemini/reply.ts"
import { makeEncoder } from "../../../src/provider/gemini/request.ts"
import { messages } from "../../message/Messages.ts"
import * as GeminiRules from "../../utils/GeminiRules.ts"

const flash = "gemini-2.5-flash"

const contentsOf = (messages: Request["messages"]) =>
  makeEncoder(flash)({ system: "", messages, tools: [] }, "signed").contents

const assistant = (first: Block.Block, ...rest: ReadonlyArray<Block.Block>): Message.Assistant => ({
  role: "assistant",
  content: [first, ...rest],
})

const notice = (text: string): Message.Notice => ({ role: "system", content: [Block.text(text)] })

const hello = Message.user("hello")

describe("makeEncoder, for any history", () => {
  const words = FastCheck.oneof(FastCheck.string(), FastCheck.constantFrom("", "\ud800x", "ok"))
  const meta = FastCheck.option(
    FastCheck.record(
      { thoughtSignature: FastCheck.base64String({ minLength: 1 }), id: FastCheck.string({ minLength: 1 }) },
      { requiredKeys: [] },
    ).map((google): Block.Meta => ({ google })),
    { nil: undefined },
  )
  const block = FastCheck.oneof(
    FastCheck.tuple(words, meta).map(([text, meta]) => Block.text(text, meta)),
    FastCheck.tuple(words, meta).map(([text, meta]) => Block.thinking(text, meta)),
    FastCheck.tuple(FastCheck.dictionary(words, FastCheck.jsonValue()), meta).map(([parameters, meta]) =>
      Block.toolUse("to be named", "tool", parameters, meta),
    ),
  )
  const turn = FastCheck.oneof(
    words.map((text): Message.Message => Message.user(text)),
    words.map((text): Message.Message => notice(text)),
    FastCheck.array(block, { minLength: 1, maxLength: 5 }).map(
      // At least one, by the arbitrary.
      (blocks): Message.Message => ({ role: "assistant", content: blocks as [Block.Block, ...Array<Block.Block>] }),
    ),
  )
  /** As the port guarantees them: calls with unique ids, each with its result before the next message. */
  const histories = FastCheck.tuple(FastCheck.array(turn, { maxLength: 12 }), FastCheck.boolean()).map(
    ([turns, backwards]) => {
      let calls = 0
      return turns.flatMap((message): ReadonlyArray<Message.Message> => {
        if (message.role !== "assistant") return [message]
        const [first, ...rest] = message.content
        const name = (block: Block.Block) => (block.type === "tool-use" ? { ...block, id: `call_${calls++}` } : block)
        const answer = assistant(name(first), ...rest.map(name))
        const answers = Message.toolUses(answer).map((call) => Message.toolResult(call, call.id, false))
        return [answer, ...(backwards ? answers.toReversed() : answers)]
      })
    },
  )

  it.prop("breaks no rule of Google, in any form", [messages], ([path]) => {
    const request: Request = { system: "", messages: History.repair(path), tools: [] }
    for (const model of [flash, "gemini-3-pro-preview"]) {
      for (const form of ["signed", "unsigned", "asText"] as const) {
        // The SDK's type has optional fields that are always set; this is the serialised form.
        const contents: ReadonlyArray<GeminiRules.Content> = JSON.parse(
          JSON.stringify(makeEncoder(model)(request, form).contents),
        )
        assert.isUndefined(GeminiRules.broken(model, contents))
      }
    }
  })

  it.prop(
    "is independent of earlier requests",
    [histories, FastCheck.nat(24), FastCheck.constantFrom("signed" as const, "unsigned" as const, "asText" as const)],
    ([messages, cut, form]) => {
      const request = (messages: Request["messages"]): Request => ({ system: "", messages, tools: [] })
      for (const model of [flash, "gemini-3-pro-preview"]) {
        const encode = makeEncoder(model)
        encode(request(messages.slice(0, cut)), form)
        const expected = makeEncoder(model)(request(messages), form)
        assert.deepStrictEqual(encode(request(messages), form), expected)
        assert.deepStrictEqual(encode(request(messages), form), expected)
      }
    },
  )

  it.prop("alternates roles, and begins and ends with the user", [histories], ([messages]) => {
    const roles = contentsOf(messages).map(({ role }) => role)
    assert.deepStrictEqual(
      roles,
      roles.map((_, index) => (index % 2 === 0 ? "user" : "model")),
    )
    assert.strictEqual(roles.length % 2, 1)
  })

  it.prop(
    "has the result of every call right after its content, in order and before any text",
    [histories],
    ([messages]) => {
      const contents = contentsOf(messages)
      const ids = messages.flatMap(Message.toolUses).map(({ id }) => id)
      const answered: Array<unknown> = []
      contents.forEach(({ parts = [], role }, index) => {
        const answers = parts.flatMap(({ functionResponse }) =>
          functionResponse === undefined ? [] : [functionResponse],
        )
        if (role === "model") assert.lengthOf(answers, 0)
        else {
          const before = contents[index - 1]?.parts ?? []
          assert.lengthOf(answers, before.filter(({ functionCall }) => functionCall !== undefined).length)
          assert.isTrue(parts.slice(0, answers.length).every(({ functionResponse }) => functionResponse !== undefined))
          answered.push(...answers.map(({ response }) => response?.output))
        }
      })
      assert.deepStrictEqual(answered, ids)
    },
  )

  it.prop("has no empty text without a signature, and no ill-formed string", [histories], ([messages]) => {
    const contents = contentsOf(messages)
    for (const { text, thoughtSignature } of contents.flatMap(({ parts = [] }) => parts)) {
      assert.isFalse(text === "" && thoughtSignature === undefined)
    }
    const strings = (value: unknown): ReadonlyArray<string> =>
      typeof value === "string"
        ? [value]
        : typeof value === "object" && value !== null
          ? [...Object.keys(value), ...Object.values(value).flatMap(strings)]
          : []
    assert.isTrue(strings(contents).every((text) => text.isWellFormed()))
  })

  it.prop(
    "sends a model's parts back unchanged",
    [
      FastCheck.array(
        FastCheck.oneof(
          FastCheck.record({ text: FastCheck.string(), thoughtSignature: FastCheck.base64String({ minLength: 1 }) }),
          FastCheck.record({
            text: FastCheck.string(),
            thought: FastCheck.constant(true),
            thoughtSignature: FastCheck.base64String({ minLength: 1 }),
          }),
          FastCheck.record(
            {
              functionCall: FastCheck.record(
                {
                  name: FastCheck.constantFrom("look", "read_file"),
                  args: FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()),
                  id: FastCheck.string({ minLength: 1 }),
                },
                { requiredKeys: ["name", "args"] },
              ),
              thoughtSignature: FastCheck.base64String({ minLength: 1 }),
            },
            { requiredKeys: ["functionCall"] },
          ),
        ),
        { minLength: 1 },
      ),
    ],
    ([parts]) => {
      const chunk = { candidates: [{ content: { role: "model", parts } }] }
      const [, decoded] = Either.getOrThrow(GeminiReply.decodeChunk(flash, GeminiReply.initialState, chunk))
      const [first, ...rest] = decoded.reduce(Reply.step, Reply.empty).blocks
      const answer = assistant(first ?? assert.fail("it said nothing"), ...rest)
      assert.deepStrictEqual(contentsOf([hello, answer, Message.user("go on")])[1]?.parts, parts)
    },
  )
})
