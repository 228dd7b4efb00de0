import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ThinkTags from "../../../src/provider/shared/thinkTags.ts"

/** What is said of pieces, neighbours of a kind joined. */
const read = (pieces: ReadonlyArray<string>) => {
  let state = ThinkTags.initialState
  const said: Array<ThinkTags.Piece> = []
  for (const piece of pieces) {
    const [next, more] = ThinkTags.decodeText(state, piece)
    state = next
    said.push(...more)
  }
  const told = { thinking: "", words: "" }
  for (const { text, thinking } of [...said, ...ThinkTags.flush(state)]) told[thinking ? "thinking" : "words"] += text
  return told
}

const characters = (text: string) => Array.from(text)

describe("thinkTags", () => {
  for (const [what, text, thinking, words] of [
    ["nothing but words", "Hello.", "", "Hello."],
    ["white space before words", "\n Hello.", "", "\n Hello."],
    ["thinking before words", "<think>hm</think>Hello.", "hm", "Hello."],
    ["empty lines around the tags", "\n<think>\nhm\n</think>\n\nHello.\n", "\nhm\n", "Hello.\n"],
    ["no thinking between the tags", "<think></think>Hello.", "", "Hello."],
    ["thinking that never ends", "<think>hm <b", "hm <b", ""],
    ["a closing tag before the first word", "</think>\n\nHello.", "", "Hello."],
    ["tags further on", "Write <think>hm</think> first.", "", "Write <think>hm</think> first."],
    ["a second pair of tags", "<think>hm</think>Say <think>x</think>", "hm", "Say <think>x</think>"],
    ["what is nearly a tag", "<thinking>hm</thinking>", "", "<thinking>hm</thinking>"],
    ["a lone bracket", "<", "", "<"],
  ] as const) {
    it(`finds ${what}, however it comes`, () => {
      assert.deepStrictEqual(read([text]), { thinking, words })
      assert.deepStrictEqual(read(characters(text)), { thinking, words })
    })
  }

  it("takes what a closing tag alone on its line stands behind for thinking, where it comes at once", () => {
    assert.deepStrictEqual(read(["hm\n</think>\n\nHello."]), { thinking: "hm\n", words: "Hello." })
  })

  it("leaves a closing tag among words as it is", () => {
    assert.deepStrictEqual(read(["It ends with </think> there."]), {
      thinking: "",
      words: "It ends with </think> there.",
    })
  })

  it.prop(
    "loses nothing, and finds the same however it is cut",
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
