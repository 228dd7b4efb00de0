import { assert, describe, it } from "@effect/vitest"
import * as TextLayout from "../../../../src/cli/View/terminal/TextLayout.ts"

describe("TextLayout.wrapColumns", () => {
  const list = "/edit [TEXT]  Edit it and send it again\n/help         This list"

  it("indents further rows of a line in two columns like the second", () => {
    assert.deepStrictEqual(TextLayout.wrapColumns(list, 30), [
      "/edit [TEXT]  Edit it and send",
      "              it again",
      "/help         This list",
    ])
  })

  it("puts the second column below the first where the terminal is narrow", () => {
    assert.deepStrictEqual(TextLayout.wrapColumns(list, 20), [
      "/edit [TEXT]",
      "  Edit it and send",
      "  it again",
      "/help",
      "  This list",
    ])
  })

  it("leaves other lines as they are", () => {
    assert.deepStrictEqual(TextLayout.wrapColumns("one two\n  three  four", 30), ["one two", "  three  four"])
  })
})
