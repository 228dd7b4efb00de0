import { assert, describe, it } from "@effect/vitest"
import type { Content, Part } from "@google/genai"
import { Effect } from "effect"
import * as StoreNodes from "../../../src/agent/internal/storeNodes.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import { type Form, makeEncoder } from "../../../src/provider/gemini/request.ts"
import * as Tool from "../../../src/tool/Tool.ts"

const flash = "gemini-2.5-flash"
const three = "gemini-3-pro-preview"
const sentinel = "skip_thought_signature_validator"

const contentsOf = (messages: Request["messages"], model = flash, form: Form = "signed"): ReadonlyArray<Content> =>
  makeEncoder(model)({ system: "", messages, tools: [] }, form).contents

const assistant = (first: Block.Block, ...rest: ReadonlyArray<Block.Block>): Message.Assistant => ({
  role: "assistant",
  content: [first, ...rest],
})

const notice = (text: string): Message.Notice => ({ role: "system", content: [Block.text(text)] })

const signed = (thoughtSignature: string, model?: string) => ({
  google: { thoughtSignature, ...(model !== undefined && { model }) },
})

const call = (id: string, meta?: Block.Meta) => Block.toolUse(id, "read_file", { path: `${id}.ts` }, meta)

const hello = Message.user("hello")

const user = (...parts: ReadonlyArray<Part>): Content => ({ role: "user", parts: [...parts] })
const model = (...parts: ReadonlyArray<Part>): Content => ({ role: "model", parts: [...parts] })

describe("makeEncoder", () => {
  it("sends system prompt, tools and parameters, and omits empty ones", () => {
    const bare: Request = { system: "", messages: [hello], tools: [] }
    assert.deepStrictEqual(makeEncoder(flash)(bare, "signed").config, {})
    const tool = Tool.fromJsonSchema({
      name: "look",
      description: "Looks.",
      parameters: { type: "object" },
      run: () => Effect.succeed(""),
    })
    const full: Request = { ...bare, system: "Be brief.", tools: [tool], maxOutputTokens: 100, temperature: 0 }
    assert.deepStrictEqual(makeEncoder(flash)(full, "signed").config, {
      systemInstruction: "Be brief.",
      tools: [
        { functionDeclarations: [{ name: "look", description: "Looks.", parametersJsonSchema: { type: "object" } }] },
      ],
      maxOutputTokens: 100,
      temperature: 0,
    })
  })

  it("sends the results of a turn in one content, in the order and by the names of the calls", () => {
    const [a, b] = [call("a"), Block.toolUse("b", "list_files", {})]
    assert.deepStrictEqual(
      contentsOf([
        hello,
        assistant(Block.text("Let me see."), a, b),
        Message.toolResult({ ...b, name: "renamed" }, "no such folder", true),
        Message.toolResult(a, "export {}", false),
      ]),
      [
        user({ text: "hello" }),
        model(
          { text: "Let me see." },
          { functionCall: { name: "read_file", args: { path: "a.ts" } } },
          { functionCall: { name: "list_files", args: {} } },
        ),
        user(
          { functionResponse: { name: "read_file", response: { output: "export {}" } } },
          { functionResponse: { name: "list_files", response: { error: "no such folder" } } },
        ),
      ],
    )
  })

  it("repeats the provider's own id on call and result, and sends none of ours", () => {
    const theirs = call("call_0_2", { google: { id: "function-call-77" } })
    const ours = call("call_1")
    const [, answer, results] = contentsOf([
      hello,
      assistant(theirs, ours),
      Message.toolResult(theirs, "1", false),
      Message.toolResult(ours, "2", false),
    ])
    assert.deepStrictEqual(
      answer?.parts?.map(({ functionCall }) => functionCall?.id),
      ["function-call-77", undefined],
    )
    assert.deepStrictEqual(
      results?.parts?.map(({ functionResponse }) => functionResponse?.id),
      ["function-call-77", undefined],
    )
  })

  const repeated: ReadonlyArray<readonly [title: string, theirs: ReadonlyArray<string | undefined>]> = [
    ["two calls", ["x", "x"]],
    ["three calls", ["x", "x", "x"]],
    ["calls of which one has the id that another is given", ["x", "x", "x_2"]],
    ["calls beside some without an id", [undefined, "x", undefined, "x"]],
  ]

  it.each(repeated)(
    "sends %s with one id of the provider under an id each, and each result under that",
    (_, theirs) => {
      const distinct = StoreNodes.makeUniqueIds([])
      const calls = theirs.map((id, at) =>
        call(distinct(id ?? `call_${at}`), id === undefined ? undefined : { google: { id } }),
      )
      const [first, ...rest] = calls
      const [, answer, results] = contentsOf([
        hello,
        assistant(first ?? assert.fail("no call"), ...rest),
        ...calls.map((each) => Message.toolResult(each, `of ${each.id}`, false)),
      ])
      const sent = answer?.parts?.map(({ functionCall }) => functionCall?.id) ?? []
      const given = sent.filter((id) => id !== undefined)
      assert.strictEqual(new Set(given).size, theirs.filter((id) => id !== undefined).length)
      assert.strictEqual(given[0], "x")
      assert.deepStrictEqual(
        results?.parts?.map(({ functionResponse }) => [functionResponse?.id, functionResponse?.response]),
        calls.map(({ id }, at) => [sent[at], { output: `of ${id}` }]),
      )
    },
  )

  it("converts a notice to a text of the user, after the results", () => {
    const asked = call("a")
    assert.deepStrictEqual(
      contentsOf([
        hello,
        notice("the file has changed"),
        assistant(asked),
        notice("one turn is left"),
        Message.toolResult(asked, "ok", false),
        Message.user("go on"),
      ]),
      [
        user({ text: "hello" }, { text: "the file has changed" }),
        model({ functionCall: { name: "read_file", args: { path: "a.ts" } } }),
        user(
          { functionResponse: { name: "read_file", response: { output: "ok" } } },
          { text: "one turn is left" },
          { text: "go on" },
        ),
      ],
    )
  })

  it("begins and ends with the user", () => {
    const nudge = user({ text: "Please continue." })
    assert.deepStrictEqual(contentsOf([assistant(Block.text("Hi."))]), [nudge, model({ text: "Hi." }), nudge])
    assert.deepStrictEqual(contentsOf([]), [nudge])
    assert.deepStrictEqual(contentsOf([Message.user("")]), [nudge])
  })

  it("drops empty texts and unsigned thinking", () => {
    const [, answer] = contentsOf([
      hello,
      assistant(Block.thinking("hm"), Block.text(""), Block.text("Yes.")),
      Message.user("why?"),
    ])
    assert.deepStrictEqual(answer, model({ text: "Yes." }))
  })

  it("sends images, those of the user and of the model", () => {
    const picture = Block.image("image/png", "aGVsbG8=")
    const part = { inlineData: { mimeType: "image/png", data: "aGVsbG8=" } }
    assert.deepStrictEqual(
      contentsOf([{ role: "user", content: [picture, Block.text("what is it?")] }, assistant(picture), hello]),
      [user(part, { text: "what is it?" }), model(part), user({ text: "hello" })],
    )
  })

  it("replaces lone surrogates everywhere", () => {
    const lone = "\ud800"
    const asked = Block.toolUse("a", "write", { [lone]: [{ deep: lone }, 1, null] })
    const contents = contentsOf([
      Message.user(lone),
      assistant(Block.text(lone), asked),
      Message.toolResult(asked, lone, true),
    ])
    assert.deepStrictEqual(contents, [
      user({ text: "\ufffd" }),
      model({ text: "\ufffd" }, { functionCall: { name: "write", args: { "\ufffd": [{ deep: "\ufffd" }, 1, null] } } }),
      user({ functionResponse: { name: "write", response: { error: "\ufffd" } } }),
    ])
    assert.strictEqual(
      makeEncoder(flash)({ system: lone, messages: [], tools: [] }, "signed").config.systemInstruction,
      "\ufffd",
    )
  })
})

describe("makeEncoder: signatures", () => {
  const history = (...blocks: readonly [Block.Block, ...ReadonlyArray<Block.Block>]) => {
    const answer = assistant(...blocks)
    return [hello, answer, ...Message.toolUses(answer).map((call) => Message.toolResult(call, "ok", false))]
  }
  const signatures = (contents: ReadonlyArray<Content>) =>
    contents.flatMap(({ parts = [] }) => parts).map(({ thoughtSignature }) => thoughtSignature)

  it("sends each with its own part: thinking, an empty text, one call of two", () => {
    const blocks = [
      Block.thinking("hm", signed("AAAA")),
      Block.text("", signed("BBBB")),
      call("a", signed("CCCC")),
      call("b"),
    ] as const
    assert.deepStrictEqual(contentsOf(history(...blocks), three)[1], {
      role: "model",
      parts: [
        { text: "hm", thought: true, thoughtSignature: "AAAA" },
        { text: "", thoughtSignature: "BBBB" },
        { functionCall: { name: "read_file", args: { path: "a.ts" } }, thoughtSignature: "CCCC" },
        { functionCall: { name: "read_file", args: { path: "b.ts" } } },
      ],
    })
  })

  it("adds a placeholder to the first call of a content without one, from version 3 on", () => {
    const blocks = history(Block.text("Let me see."), call("a"), call("b"))
    for (const name of [three, "gemini-3.5-flash", "gemini-flash-latest", "models/gemini-10-pro"]) {
      assert.deepStrictEqual(signatures(contentsOf(blocks, name)), [
        undefined,
        undefined,
        sentinel,
        undefined,
        undefined,
        undefined,
      ])
    }
    for (const name of [flash, "gemini-1.5-pro", "gemma-3-27b-it"]) {
      assert.notInclude(signatures(contentsOf(blocks, name)), sentinel)
    }
  })

  it("drops those of another model, with the thinking they signed", () => {
    const contents = contentsOf(
      history(Block.thinking("hm", signed("AAAA", flash)), call("a", signed("BBBB", flash))),
      three,
    )
    assert.deepStrictEqual(
      contents[1]?.parts?.map(({ text, thoughtSignature }) => [text, thoughtSignature]),
      [[undefined, sentinel]],
    )
  })

  it("keeps those of the same model", () => {
    assert.include(signatures(contentsOf(history(call("a", signed("BBBB", three))), three)), "BBBB")
  })

  it("drops all of them after the provider rejected one, and adds placeholders for every model", () => {
    const contents = contentsOf(history(Block.text("x", signed("AAAA")), call("a", signed("BBBB"))), flash, "unsigned")
    assert.deepStrictEqual(signatures(contents), [undefined, undefined, sentinel, undefined])
  })

  it("sends calls and results as text after the provider rejected their order", () => {
    const [a, b] = [call("a", signed("AAAA")), call("b")]
    const messages = [
      hello,
      assistant(Block.thinking("hm", signed("BBBB")), Block.text("Let me see.", signed("CCCC")), a, b),
      Message.toolResult(a, "one", false),
      Message.toolResult(b, "two", true),
      Message.user("and?"),
    ]
    for (const name of [flash, three]) {
      assert.deepStrictEqual(contentsOf(messages, name, "asText"), [
        user({ text: "hello" }),
        model(
          { text: "Let me see." },
          { text: '[read_file was called with {"path":"a.ts"}]' },
          { text: '[read_file was called with {"path":"b.ts"}]' },
        ),
        user({ text: "[read_file answered] one" }, { text: "[read_file answered] two" }, { text: "and?" }),
      ])
    }
  })

  it("ignores metadata of other providers, and malformed metadata", () => {
    const contents = contentsOf(
      history(
        Block.thinking("hm", { anthropic: { signature: "AAAA" } }),
        call("a", { openai: { id: "x" }, google: "odd" }),
        call("b", { google: { id: 7 } }),
      ),
    )
    assert.deepStrictEqual(contents[1], {
      role: "model",
      parts: [
        { functionCall: { name: "read_file", args: { path: "a.ts" } } },
        { functionCall: { name: "read_file", args: { path: "b.ts" } } },
      ],
    })
  })
})
