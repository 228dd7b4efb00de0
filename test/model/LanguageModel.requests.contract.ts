import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import { hasImage, type Request } from "../../src/model/Request.ts"
import { messages } from "../message/Messages.ts"
import { cases } from "../thoroughness.ts"
import { hello } from "../utils/Asking.ts"
import * as FakeServer from "../utils/FakeServer.ts"
import { type Adapter, askThrough, call, finish, look, once, text, tool } from "./LanguageModel.adapter.ts"

export const requests = (adapter: Adapter): void => {
  const {
    models: [model, another],
    name,
    open,
    wire,
  } = adapter
  const { blocksOf, has, requestFor } = askThrough(adapter)

  describe(`LanguageModel (${name}): requests`, () => {
    const a = Block.toolUse("call_a", "look", { path: "a" })
    const b = Block.toolUse("call_b", "look", { path: "b" })

    it.scoped("contain the system prompt, the text, and the tools with their schemas", () =>
      Effect.gen(function* () {
        const { system, tools, turns } = yield* requestFor({ ...hello, system: "Be brief.", tools: [look] })
        assert.strictEqual(system, "Be brief.")
        assert.deepStrictEqual(
          turns.map(({ role, texts }) => [role, texts]),
          [["user", ["hello"]]],
        )
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          ["look"],
        )
        assert.deepInclude(tools[0]?.schema, { type: "object", required: ["path"] })
      }),
    )

    it.scoped("contain the results of all calls of a turn, in the order of the calls, before any other content", () =>
      Effect.gen(function* () {
        const { turns } = yield* requestFor({
          ...hello,
          tools: [look],
          messages: [
            Message.user("Look."),
            { role: "assistant", content: [Block.text("Both."), a, b] },
            Message.toolResult(b, "saw b", true),
            Message.toolResult(a, "saw a", false),
            Message.user("And?"),
          ],
        })
        assert.deepStrictEqual(
          turns.map(({ calls, results, role }) => ({ role, calls, results: results.map(Boolean).length })),
          [
            { role: "user", calls: [], results: 0 },
            {
              role: "assistant",
              calls: [
                { name: "look", arguments: { path: "a" } },
                { name: "look", arguments: { path: "b" } },
              ],
              results: 0,
            },
            { role: "user", calls: [], results: 2 },
          ],
        )
        const [first, second] = turns[2]?.results ?? []
        assert.include(first, "saw a")
        assert.include(second, "saw b")
        assert.deepStrictEqual(turns[2]?.texts, ["And?"])
      }),
    )

    it.scoped("contain a result for every call, where the run was stopped", () =>
      Effect.gen(function* () {
        const { turns } = yield* requestFor({
          ...hello,
          messages: [
            Message.user("Look."),
            { role: "assistant", content: [a, b] },
            Message.toolResult(b, "saw b", false),
            Message.user("And now?"),
          ],
        })
        const [first, second] = turns[2]?.results ?? []
        assert.include(first, "was interrupted")
        assert.include(second, "saw b")
      }),
    )

    it.scoped("contain a notice in its place, separate from the text of the user", () =>
      Effect.gen(function* () {
        const notice: Message.Message = { role: "system", content: [Block.text("The files have changed.")] }
        const { turns } = yield* requestFor({
          ...hello,
          messages: [Message.user("hello"), notice, Message.user("Go on.")],
        })
        assert.include(JSON.stringify(turns), "The files have changed.")
        assert.isFalse(
          turns.some(({ texts }) => texts.some((text) => /changed\.\s*Go on|hello\s*The files/.test(text))),
        )
      }),
    )

    it.scoped.skipIf(!has("pictures shown"))("contain images of the user", () =>
      Effect.gen(function* () {
        const content = [Block.text("What is it?"), Block.image("image/png", "aGVsbG8=")] as const
        const { turns } = yield* requestFor({ ...hello, messages: [{ role: "user", content }] })
        assert.deepStrictEqual(turns[0]?.images, ["aGVsbG8="])
        assert.deepStrictEqual(turns[0]?.texts, ["What is it?"])
      }),
    )

    it.scoped("contain nothing that cannot be encoded as UTF-8", () =>
      Effect.gen(function* () {
        const odd = Block.toolUse("call_a", "look", { path: "\ud800" })
        const { body } = yield* requestFor({
          ...hello,
          system: "\udc00",
          messages: [
            Message.user("\ud800x"),
            { role: "assistant", content: [odd] },
            Message.toolResult(odd, "\udfff", false),
          ],
        })
        assert.notMatch(body, /\\u(d[89a-f]|D[89A-F])/)
      }),
    )

    it.scoped("contain tools by valid names, and calls are emitted by their own names", () =>
      Effect.gen(function* () {
        const names = [`server_${"x".repeat(83)}y`, `server_${"x".repeat(83)}z`, "größe.messen", "größe:messen", "look"]
        const { requests, url } = yield* FakeServer.serve((received) =>
          wire.streamed([
            ...wire.sent(received).tools.map(({ name }, index) => call(`call_${index}`, {}, name)),
            finish("tool_calls"),
          ]),
        )
        const tools = names.map((name) => tool(name, { type: "object", properties: {} }))
        const service = open(model, url)
        const { blocks } = yield* service.generate({ ...hello, tools })
        const calls = blocks.filter(Block.isToolUse)
        assert.deepStrictEqual(
          calls.map(({ name }) => name),
          names,
        )
        yield* service.generate({
          ...hello,
          tools,
          messages: [
            ...hello.messages,
            { role: "assistant", content: blocks },
            ...calls.map((call) => Message.toolResult(call, "done", false)),
          ],
        })
        for (const request of requests) assert.isUndefined(wire.broken(request))
        const wireNames = requests.map((request) => wire.sent(request).tools.map(({ name }) => name))
        assert.strictEqual(new Set(wireNames[0]).size, names.length)
        assert.deepStrictEqual(wireNames[1], wireNames[0])
        const [, content] = wire.sent(requests[1] ?? assert.fail()).turns
        assert.deepStrictEqual(
          content?.calls.map(({ name }) => name),
          wireNames[0],
        )
      }),
    )

    it.scoped("contain recursive schemas, constants and tuples, as far as the provider supports them", () =>
      Effect.gen(function* () {
        const odd = tool("odd", {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
          type: "object",
          properties: {
            list: { $ref: "#/$defs/node" },
            kind: { const: "one" },
            pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
            count: { type: "integer", exclusiveMinimum: 0 },
          },
          required: ["kind"],
          additionalProperties: false,
        })
        const { tools } = yield* requestFor({ ...hello, tools: [odd] })
        assert.include(JSON.stringify(tools[0]?.schema), "one")
        for (const property of ["list", "kind", "pair", "count"]) {
          assert.nestedProperty(tools[0]?.schema, `properties.${property}`)
        }
      }),
    )

    describe("the answer schema", () => {
      const person = {
        type: "object",
        properties: { name: { type: "string", maxLength: 40 } },
        required: ["name"],
      }
      const asked = { ...hello, answerSchema: person }

      it.scoped("is sent to providers that support it, as far as they do, and not with tools", () =>
        Effect.gen(function* () {
          const { schema } = yield* requestFor(asked)
          const grammar = { ...person, properties: { name: { type: "string" } }, additionalProperties: false }
          assert.deepStrictEqual(schema, has("answer schemas") ? grammar : undefined)
          assert.isUndefined((yield* requestFor({ ...asked, tools: [look] })).schema)
          assert.isUndefined((yield* requestFor(hello)).schema)
        }),
      )

      it.scoped.skipIf(!has("answer schemas"))("is dropped where it is rejected, with one more request", () =>
        Effect.gen(function* () {
          const invalid = wire.refusal("invalid", "No such thing here.") ?? assert.fail()
          const answer = wire.streamed([text('{"name":"Ada"}'), finish("stop")])
          const { requests, url } = yield* FakeServer.serve([invalid, answer])
          const reply = yield* once(open(model, url).generate(asked))
          assert.deepStrictEqual(reply.blocks, [Block.text('{"name":"Ada"}')])
          assert.deepStrictEqual(
            requests.map((request) => wire.sent(request).schema !== undefined),
            [true, false],
          )
        }),
      )
    })

    it.scoped("contain no metadata of another model, after a switch within the conversation", () =>
      Effect.gen(function* () {
        const secret = "Rm9yZWlnbg=="
        const meta = Object.fromEntries(
          ["google", "anthropic", "openai", "openai-responses", "openrouter", "ollama", "elsewhere"].map((provider) => [
            provider,
            {
              model: "another-model",
              thoughtSignature: secret,
              signature: secret,
              redacted: secret,
              encrypted: secret,
            },
          ]),
        )
        const foreign = Block.toolUse("toolu|strange id/with.signs", "look", { path: "a" }, meta)
        const { body, turns } = yield* requestFor({
          ...hello,
          tools: [look],
          messages: [
            Message.user("Look."),
            { role: "assistant", content: [Block.thinking("hm", meta), Block.text("Yes.", meta), foreign] },
            Message.toolResult(foreign, "saw a", false),
          ],
        })
        assert.notInclude(body, secret)
        assert.deepStrictEqual(turns[1]?.texts, ["Yes."])
        assert.lengthOf(turns[2]?.results ?? [], 1)
      }),
    )

    it.scoped("contain the answers of one model of the provider, and those of another", () =>
      Effect.gen(function* () {
        const content = [
          ...(has("thinking") ? [Part.Thinking({ text: "hm" })] : []),
          text("Yes."),
          call("call_a", { path: "a" }),
          finish("tool_calls"),
        ]
        const blocks = yield* blocksOf(wire.streamed(content), { ...hello, tools: [look] })
        const history = [
          ...hello.messages,
          { role: "assistant", content: blocks } as const,
          ...blocks.filter(Block.isToolUse).map((call) => Message.toolResult(call, "saw a", false)),
        ]
        for (const next of [model, another]) {
          const { turns } = yield* requestFor({ ...hello, tools: [look], messages: history }, next)
          assert.deepStrictEqual(turns[1]?.texts, ["Yes."])
          assert.deepStrictEqual(turns[1]?.calls, [{ name: "look", arguments: { path: "a" } }])
          assert.deepStrictEqual(turns[2]?.results.length, 1)
        }
      }),
    )

    it.scoped("obey the rules of the wire for any history, sent at once or message by message", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([wire.streamed([text("fine"), finish("stop")])])
        const service = open(model, url)
        const generate = (model: LanguageModel.Service, messages: Request["messages"]) => {
          const request = { ...hello, messages }
          const isRefused = !has("pictures shown") && hasImage(request)
          return isRefused ? Effect.void : Effect.asVoid(model.generate(request))
        }
        const paths = FastCheck.sample(messages, { numRuns: cases(30), seed: 20_261_121 })
        for (const path of paths) {
          yield* generate(open(another, url), path)
          for (let length = 1; length <= path.length; length++) yield* generate(service, path.slice(0, length))
        }
        for (const request of requests) assert.isUndefined(wire.broken(request))
        assert.isAbove(requests.length, 2 * paths.length)
      }),
    )
  })
}
