import { assert, describe, it } from "@effect/vitest"
import * as DocContract from "../../../src/wiki/writing/DocContract.ts"

describe("DocContract.find", () => {
  it("finds what a comment asks of those that implement a type, with the list that it introduces", () => {
    const doc = [
      "Represents the type of a parameter.",
      "",
      "To implement a custom type, subclass and implement at least the",
      "following:",
      "",
      "-   The :attr:`name` class attribute must be set.",
      "-   :meth:`convert` must accept ``None``.",
      "",
      ".. versionchanged:: 8.4.0",
      "    Subclasses must be generic.",
    ].join("\n")
    assert.strictEqual(
      DocContract.find(doc, "# Represents the type of a parameter.", false),
      "To implement a custom type, subclass and implement at least the following: - The name class attribute must be set. - convert must accept `None`.",
    )
  })

  it("takes what is asked of a method for a contract only if several classes have it", () => {
    const doc = "Converts a value.\n\nIt is not called if the value is missing. It must accept strings. It is fast."
    assert.strictEqual(
      DocContract.find(doc, "# Converts a value.", true),
      "It is not called if the value is missing. It must accept strings.",
    )
    assert.isUndefined(DocContract.find(doc, "# Converts a value.", false))
  })

  it("repeats nothing that is shown, and takes no other mention of classes for a contract", () => {
    const doc = "Runs it. Subclasses must override this."
    assert.isUndefined(DocContract.find(doc, "# Runs it. Subclasses must override this.", true))
    assert.isUndefined(DocContract.find("Returns it.\n\nIt is a subclass of Error.", "# Returns it.", false))
  })
})
