import { assert, describe, it } from "@effect/vitest"
import { trim, unwrap } from "../../../src/conversation/prd/prdLines.ts"

const inner = ["# PRD: Dark Mode", "```ts", "const dark = true", "```", "Words."]

describe("unwrap", () => {
  it("takes a document out of the fence around it, whatever the length of the fences in it", () => {
    assert.deepStrictEqual(unwrap(["", "```markdown", ...inner, "```"]), inner)
    assert.deepStrictEqual(unwrap(["````md", ...inner, "````", ""]), inner)
    const plain = ["# PRD: Dark Mode", "```", "a", "```", "Words."]
    assert.deepStrictEqual(unwrap(["````", ...plain, "````"]), plain)
  })

  it("takes the rest if the fence is not closed", () => {
    assert.deepStrictEqual(unwrap(["```markdown", ...inner]), inner)
  })

  it("changes nothing if there are words below the fence, or no document in it", () => {
    const lines = ["````markdown", ...inner, "````", "Is this what you mean?"]
    assert.deepStrictEqual(unwrap(lines), lines)
    const code = ["```ts", ...inner, "```"]
    assert.deepStrictEqual(unwrap(code), code)
    const words = ["```", "Words.", "```"]
    assert.deepStrictEqual(unwrap(words), words)
  })
})

describe("trim", () => {
  it("leaves out marks, half a fence and blank lines at the ends", () => {
    assert.strictEqual(trim(["", "[PRD]", "", "# A", "Words.", "", "[/PRD]", ""]), "# A\nWords.")
    assert.strictEqual(trim(["# A", "Words.", "```"]), "# A\nWords.")
    assert.strictEqual(trim(["# A", "```", "code", "```"]), "# A\n```\ncode\n```")
    assert.strictEqual(trim(["# A", "Words. [/PRD]"]), "# A\nWords.")
  })

  it("is empty if nothing else is there, however often", () => {
    for (const lines of [[], [""], ["[PRD]", "[/PRD]"], ["[PRD]", "[PRD]", "[PRD]", ""], ["```"]]) {
      assert.strictEqual(trim(lines), "", lines.join(" "))
    }
  })
})
