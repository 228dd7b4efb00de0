import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ThinkTags from "../../../src/provider/shared/thinkTags.ts"

/** The pieces, with adjacent ones of a kind joined. */
const read = (pieces: ReadonlyArray<string>) => {
  let state = ThinkTags.initialState
  const decoded: Array<ThinkTags.Piece> = []
  for (const piece of pieces) {
    const [next, more] = ThinkTags.decodeText(state, piece)
    state = next
    decoded.push(...more)
  }
  const joined = { thinking: "", words: "" }
  for (const { text, thinking } of [...decoded, ...ThinkTags.flush(state)])
    joined[thinking ? "thinking" : "words"] += text
  return joined
}

const characters = (text: string) => Array.from(text)

describe("thinkTags", () => {
  for (const [what, text, thinking, words] of [
    ["text alone", "Hello.", "", "Hello."],
    ["white space before text", "\n Hello.", "", "\n Hello."],
    ["thinking before text", "<think>hm</think>Hello.", "hm", "Hello."],
    ["empty lines around the tags", "\n<think>\nhm\n</think>\n\nHello.\n", "\nhm\n", "Hello.\n"],
    ["empty tags", "<think></think>Hello.", "", "Hello."],
    ["thinking without an end", "<think>hm <b", "hm <b", ""],
    ["a closing tag before the text", "</think>\n\nHello.", "", "Hello."],
    ["tags within the text", "Write <think>hm</think> first.", "", "Write <think>hm</think> first."],
    ["a second pair of tags", "<think>hm</think>Say <think>x</think>", "hm", "Say <think>x</think>"],
    ["something similar to a tag", "<thinker>hm</thinker>", "", "<thinker>hm</thinker>"],
    ["thinking between longer tags", "<thinking>h</think>m</thinking>\n391", "h</think>m", "391"],
    ["thinking of Mistral", "[THINK]a[0] = [/x][/THINK]391", "a[0] = [/x]", "391"],
    ["thinking of Seed", "<seed:think>hm</seed:think>391", "hm", "391"],
    [
      "the channels of gpt-oss",
      "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>391",
      "hm<|end|><|start|>assistant",
      "391",
    ],
    ["an answer in the final channel of gpt-oss", "<|channel|>final<|message|>391", "", "391"],
    ["a closing tag before text on its line", "</think>391", "", "391"],
    ["tags in code", "`<thinking>` and [THINK] open it.", "", "`<thinking>` and [THINK] open it."],
    ["a list that begins with a bracket", "[THIS] is text", "", "[THIS] is text"],
    ["a lone bracket", "<", "", "<"],
  ] as const) {
    it(`finds ${what}, in whatever pieces it arrives`, () => {
      assert.deepStrictEqual(read([text]), { thinking, words })
      assert.deepStrictEqual(read(characters(text)), { thinking, words })
    })
  }

  it("treats text before a closing tag alone on its line as thinking, where it arrives at once", () => {
    assert.deepStrictEqual(read(["hm\n</think>\n\nHello."]), { thinking: "hm\n", words: "Hello." })
  })

  it("leaves a closing tag within text unchanged", () => {
    assert.deepStrictEqual(read(["It ends with </think> there."]), {
      thinking: "",
      words: "It ends with </think> there.",
    })
  })

  it.prop(
    "loses no text, and finds the same in whatever pieces it arrives",
    [
      FastCheck.array(FastCheck.constantFrom("a", " ", "<b", "\n", "think>", "</", "<think"), { minLength: 1 }),
      FastCheck.array(FastCheck.constantFrom("a", " ", "<b", "\n"), { minLength: 1 }),
    ],
    ([inside, after]) => {
      const thinking = inside.join("")
      const words = `x${after.join("")}`
      FastCheck.pre(!thinking.includes("</think>"))
      const text = `<think>${thinking}</think>${words}`
      assert.deepStrictEqual(read([text]), { thinking, words })
      assert.deepStrictEqual(read(characters(text)), { thinking, words })
    },
  )
})
