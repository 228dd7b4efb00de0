import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { UsageError } from "../../src/base/UsageError.ts"
import * as Unsent from "../../src/conversation/Unsent.ts"
import { ForestError, NotFound } from "../../src/forest/ForestError.ts"
import { NodeId } from "../../src/message/NodeId.ts"

describe("Unsent.restoredNote", () => {
  it.each([
    ["half a sen", "You had not sent this when your last session here ended:"],
    ["a\nb\nc", "You had not sent this when your last session here ended, 3 lines:"],
    [
      "Is [picture 1: a.png] blue?",
      "You had not sent this when your last session here ended (its pictures have to be attached again):",
    ],
  ])("says what %j is", (text, note) => {
    assert.strictEqual(Unsent.restoredNote(text), note)
  })
})

describe("Unsent.pipedNote", () => {
  const messages = [{ text: "/tools", line: 3 }, { text: "  " }, { text: "two\nlines", line: 5 }]

  it("says how many messages were not sent, from which line on, and how they begin", () => {
    assert.strictEqual(
      Unsent.pipedNote(messages, true),
      "2 messages of the input were not sent, from line 3 on, beginning with: /tools",
    )
    const [first] = messages.slice(2)
    assert.strictEqual(
      Unsent.pipedNote([first ?? assert.fail()], true),
      "1 message of the input was not sent, from line 5 on, beginning with: two",
    )
  })

  it("does not count what may still come, and shortens a long line", () => {
    assert.strictEqual(
      Unsent.pipedNote([{ text: "x".repeat(100), line: 2 }], false),
      `the input from line 2 on was not sent, beginning with: ${"x".repeat(59)}…`,
    )
  })

  it("is nothing where all was sent", () => {
    assert.isUndefined(Unsent.pipedNote([{ text: " " }], true))
  })
})

describe("Unsent.joinDraft", () => {
  it("puts the text above what the user types", () => {
    assert.strictEqual(Unsent.joinDraft("first", "second"), "first\nsecond")
  })

  it("does not repeat a text that is in the field already, and drops an empty field", () => {
    assert.strictEqual(Unsent.joinDraft("first", "first"), "first")
    assert.strictEqual(Unsent.joinDraft("first", " \n"), "first")
  })

  it.prop("loses nothing that the user types", [FastCheck.string(), FastCheck.string()], ([text, draft]) => {
    const joined = Unsent.joinDraft(text, draft)
    assert.isTrue(joined.startsWith(text))
    if (draft.trim() !== "") assert.isTrue(joined.endsWith(draft))
  })
})

describe("Unsent.typedText", () => {
  it.prop("has every text with letters, in order", [FastCheck.array(FastCheck.string())], ([texts]) => {
    const written = texts.filter((text) => text.trim() !== "")
    assert.strictEqual(Unsent.typedText(texts), written.join("\n\n"))
    assert.strictEqual(Unsent.typedText([Unsent.typedText(texts), "  "]), Unsent.typedText(texts))
  })
})

describe("Unsent.withoutHelp", () => {
  it("leaves the help of commands out of what was typed wrongly in a session, and changes no other failure", () => {
    const typed = Unsent.withoutHelp(new UsageError({ message: "/tree takes a number" }))
    assert.deepInclude(typed, { message: "/tree takes a number", isOfSession: true })
    const ofCommand = new UsageError({ message: "no such file", command: "chat" })
    assert.strictEqual(Unsent.withoutHelp(ofCommand), ofCommand)
    const other = new ForestError({ reason: new NotFound({ id: NodeId.make("n-1") }) })
    assert.strictEqual(Unsent.withoutHelp(other), other)
  })
})
