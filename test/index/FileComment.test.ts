import { assert, describe, it } from "@effect/vitest"
import * as FileComment from "../../src/index/FileComment.ts"

describe("FileComment.read", () => {
  const read = (comment: string) =>
    FileComment.read("src/cart/totals.ts", `/** ${comment} */\n\nimport "./price.ts"\n\nexport const total = 1\n`)

  it("takes what the first comment says, with the name of the file in it, but not a name alone", () => {
    assert.strictEqual(
      read("The cart totals that a customer sees before paying."),
      "The cart totals that a customer sees before paying.",
    )
    assert.isUndefined(read("src/cart/totals.ts: cart totals src cart totals."))
  })
})
