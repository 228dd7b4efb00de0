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

describe("PromptText.withoutAttachments", () => {
  const file = "File notes.md:\n```md\n# Notes\n```"

  it("has the text alone of a message with files that the page has attached", () => {
    assert.strictEqual(PromptText.withoutAttachments(`How is it?\n\n${file}\n\n${file}`), "How is it?")
    assert.strictEqual(PromptText.withoutAttachments("See\n\nFile a.ts: is it old?"), "See\n\nFile a.ts: is it old?")
  })

  it("has the name of the first file if there is nothing else", () => {
    assert.strictEqual(PromptText.withoutAttachments(file), "notes.md")
  })
})
