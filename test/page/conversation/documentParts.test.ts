import { assert, describe, it } from "vitest"
import { findDocuments } from "../../../src/page/conversation/documentParts.ts"

describe("findDocuments", () => {
  it("finds the text of the document between what is said", () => {
    assert.deepStrictEqual(findDocuments("I add it.\n<document>\n# Plan\n</document>\nDone."), [
      { kind: "text", text: "I add it." },
      { kind: "document", text: "# Plan" },
      { kind: "text", text: "Done." },
    ])
  })

  it("takes one that is still being written to its end, and leaves other answers as they are", () => {
    assert.deepStrictEqual(findDocuments("<document>\n# Pl"), [{ kind: "document", text: "# Pl" }])
    assert.deepStrictEqual(findDocuments("a `<document>` in words"), [
      { kind: "text", text: "a `<document>` in words" },
    ])
    assert.deepStrictEqual(findDocuments(""), [{ kind: "text", text: "" }])
  })
})
