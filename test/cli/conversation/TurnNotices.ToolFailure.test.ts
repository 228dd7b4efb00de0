import { assert, describe, it } from "@effect/vitest"
import { failureOf } from "../../../src/cli/conversation/TurnNotices.ts"

describe("failureOf", () => {
  it.each([
    ["a sentence", "Error: there is no file a.ts\nThere are: b.ts", "there is no file a.ts"],
    ["a failure of the tool", "Error: tool 'read' failed: it is too large", "it is too large"],
    ["an unknown tool", "Error: tool 'read' not found; there are: list", "no such tool"],
    [
      "wrong arguments",
      "Error: invalid arguments for tool 'read':\n- path: is missing",
      "invalid arguments: path: is missing",
    ],
    ["a list without items", "Error: invalid arguments for tool 'read':", "invalid arguments:"],
    ["a long line", "a".repeat(200), `${"a".repeat(159)}…`],
  ])("is one line of %s", (_, text, reason) => {
    assert.strictEqual(failureOf("read", text), reason)
  })
})
