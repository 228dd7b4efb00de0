import * as Prompt from "@effect/ai/Prompt"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import * as History from "../../../src/model/History.ts"
import * as EffectAiMetadata from "../../../src/provider/effect-ai/metadata.ts"
import { makeEncoder } from "../../../src/provider/effect-ai/request.ts"
import { messages } from "../../message/Messages.ts"

const encoded = (path: ReadonlyArray<Message.Message>) =>
  makeEncoder("mine/model")({ system: "", messages: History.repair(path), tools: [] })

/** The rules of Anthropic and of OpenAI, since either may be behind the layer. */
const violationOf = (prompt: ReadonlyArray<Prompt.MessageEncoded>): string | undefined => {
  if (prompt[0]?.role !== "user") return "the user has not the first word"
  if (prompt.at(-1)?.role === "assistant") return "the model has the last word"
  for (const [index, message] of prompt.entries()) {
    if (typeof message.content === "string" || message.content.length === 0) return "a message without content"
    const next = prompt[index + 1]
    const types = message.content.map(({ type }) => type)
    if (types.lastIndexOf("text") > types.indexOf("tool-call") && types.includes("tool-call"))
      return "words behind a call"
    const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []))
    const answers = next?.role === "tool" ? next.content.map(({ id }) => id) : []
    if (message.role !== "tool" && JSON.stringify(calls) !== JSON.stringify(answers))
      return "calls without their answers"
  }
  return undefined
}

describe("makeEncoder", () => {
  it.prop("breaks no rule of the wires behind it, for any history", [messages], ([path]) => {
    const prompt = encoded(path)
    assert.isUndefined(violationOf(prompt))
    assert.lengthOf(Prompt.make(prompt).content, prompt.length)
  })

  it.prop(
    "attaches the metadata of a text to its part",
    [
      FastCheck.array(
        FastCheck.tuple(FastCheck.constantFrom("text", "thinking"), FastCheck.stringMatching(/^\w{1,9}$/)),
      ),
    ],
    ([texts]) => {
      FastCheck.pre(texts.length > 0)
      const meta = (text: string) => EffectAiMetadata.write("mine/model", { anthropic: { signature: text } })
      const [first = assert.fail("nothing was said"), ...rest] = texts.flatMap(([kind, text]): Array<Block.Block> => {
        const block = kind === "text" ? Block.text : Block.thinking
        return [block(text), block("", meta(text))]
      })
      const prompt = encoded([
        Message.user("hello"),
        { role: "assistant", content: [first, ...rest, Block.text("That is all.")] },
      ])
      const expected: ReadonlyArray<unknown> = texts.map(([kind, text]) => ({
        type: kind === "text" ? "text" : "reasoning",
        text,
        options: { anthropic: { signature: text } },
      }))
      assert.deepStrictEqual<unknown>(prompt[1]?.content, [...expected, { type: "text", text: "That is all." }])
    },
  )

  it("drops reasoning that nothing follows, which both providers reject", () => {
    const meta = EffectAiMetadata.write("mine/model", { anthropic: { signature: "c2ln" } })
    const thinking = Block.thinking("hm", meta)
    const whole = encoded([Message.user("hello"), { role: "assistant", content: [thinking] }])
    assert.deepStrictEqual(
      whole.map(({ role }) => role),
      ["user", "user"],
    )
    const half = encoded([Message.user("hello"), { role: "assistant", content: [Block.text("Yes."), thinking] }])
    assert.deepStrictEqual<unknown>(half[1]?.content, [{ type: "text", text: "Yes." }])
  })
})
