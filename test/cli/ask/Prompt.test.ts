import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "../../../src/cli/ask/Prompt.ts"

const nothing = { question: "", files: [], stdin: "", form: "" }

describe("Prompt.text", () => {
  it("is the question alone where there is nothing else", () => {
    assert.strictEqual(Prompt.text({ ...nothing, question: "Why?" }), "Why?")
  })

  it("shows each file under its name, what came on stdin, then the question, and last what the answer is to be like", () => {
    const text = Prompt.text({
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
    assert.strictEqual(Prompt.text({ ...nothing, stdin: "Why?" }), "Why?")
  })
})
