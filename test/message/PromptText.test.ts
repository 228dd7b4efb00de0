import { assert, describe, it } from "@effect/vitest"
import * as PromptText from "../../src/message/PromptText.ts"

const nothing = { question: "", files: [], stdin: "", form: "" }

describe("PromptText.text", () => {
  it("is the question alone where there is nothing else", () => {
    assert.strictEqual(PromptText.text({ ...nothing, question: "Why?" }), "Why?")
  })

  it("shows each file under its name, what came on stdin, then the question, and last what the answer is to be like", () => {
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

  it("takes what came on stdin for the question where there is no other", () => {
    assert.strictEqual(PromptText.text({ ...nothing, stdin: "Why?" }), "Why?")
  })
})
