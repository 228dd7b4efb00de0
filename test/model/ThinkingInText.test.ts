import { assert, describe, it } from "@effect/vitest"
import * as Block from "../../src/message/Block.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Reply from "../../src/model/Reply.ts"
import * as ThinkingInText from "../../src/model/ThinkingInText.ts"

const separated = (text: string) => ThinkingInText.separate([Block.text(text)])

describe("ThinkingInText.separate", () => {
  for (const [text, thought, answer] of [
    ["The user asks.\n</think>\n\n391", "The user asks.", "391"],
    ["The user asks.</think>391", "The user asks.", "391"],
    ["So `</think>` ends it.\n</think>\nIt ends it.", "So `</think>` ends it.", "It ends it."],
    ["hm</thinking>391", "hm", "391"],
    ["hm[/THINK]391", "hm", "391"],
    ["hm<|end|><|start|>assistant<|channel|>final<|message|>391<|return|>", "hm<|end|><|start|>assistant", "391"],
  ] as const) {
    it(`makes thinking of the text before a closing tag: ${JSON.stringify(text)}`, () => {
      assert.deepStrictEqual(separated(text), [Block.thinking(thought), Block.text(answer)])
    })
  }

  for (const text of [
    "The tag `</think>` ends the thinking.",
    'It is called "</think>".',
    "```html\n</think>\n```\nends it.",
    "Write <think>hm</think> first.",
    "<|return|> is a token of gpt-oss.",
    "391",
  ]) {
    it(`keeps an answer that is about tags: ${JSON.stringify(text)}`, () => {
      assert.deepStrictEqual(separated(text), [Block.text(text)])
    })
  }

  it("removes the last token of an answer, and text that consists of thinking alone", () => {
    assert.deepStrictEqual(separated("391<|return|>"), [Block.text("391")])
    assert.deepStrictEqual(separated("391\n<|im_end|><|end|>\n"), [Block.text("391")])
    assert.deepStrictEqual(separated("hm</think>\n"), [Block.thinking("hm")])
  })

  it("does not touch text after thinking that the server sent apart", () => {
    const blocks = [Block.thinking("hm"), Block.text("a</think>b")]
    assert.deepStrictEqual(ThinkingInText.separate(blocks), blocks)
  })

  it("is applied to a reply whose last part says so", () => {
    const parts = (mayThinkInText: boolean) => [
      Reply.Part.Text({ text: "hm</think>391" }),
      Reply.Part.Finish({ reason: "stop", usage: Usage.none, mayThinkInText }),
    ]
    const blocks = (mayThinkInText: boolean) => parts(mayThinkInText).reduce(Reply.step, Reply.empty).blocks
    assert.deepStrictEqual(blocks(true), [Block.thinking("hm"), Block.text("391")])
    assert.deepStrictEqual(blocks(false), [Block.text("hm</think>391")])
  })
})
