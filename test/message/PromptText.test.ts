import { assert, describe, it } from "@effect/vitest"
import * as PromptText from "../../src/message/PromptText.ts"

const nothing = { question: "", files: [], stdin: "", form: "" }

describe("PromptText.text", () => {
  it("is the question alone without context", () => {
    assert.strictEqual(PromptText.text({ ...nothing, question: "Why?" }), "Why?")
  })

  it("has each file with its name, then stdin, the question, and the form of the answer", () => {
    const text = PromptText.text({
      question: "Why?",
      files: [
        { path: "a.ts", text: "one\n" },
        { path: 'b".ts', text: "two" },
      ],
      stdin: "a log",
      form: "Be brief.",
    })
    assert.strictEqual(
      text,
      '<file path="a.ts">\none\n</file>\n\n<file path="b\\".ts">\ntwo\n</file>\n\n' +
        "<stdin>\na log\n</stdin>\n\nWhy?\n\nBe brief.",
    )
  })

  it("takes stdin as the question if there is no other", () => {
    assert.strictEqual(PromptText.text({ ...nothing, stdin: "Why?" }), "Why?")
  })
})
