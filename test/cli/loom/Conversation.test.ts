import { assert, describe, it } from "@effect/vitest"
import * as Conversation from "../../../src/cli/loom/Conversation.ts"
import * as Style from "../../../src/cli/terminal/Style.ts"
import * as NodeText from "../../../src/forest/NodeText.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { answered, names, node, root } from "./Places.ts"

const call = Block.toolUse("c1", "read_file", { path: "a.ts" })

const turn = answered("b", "a", [Block.thinking("hm"), Block.text("I look.\nAt it."), call])

describe("Conversation.entry", () => {
  it("says who, when and with which model, and what, indented", () => {
    assert.deepStrictEqual(Conversation.entry(turn, names({ b: ["draft"] }), Style.plain).split("\n"), [
      "b  assistant  google/gemini-2.5-flash  2026-05-28 20:26:40Z  [draft]",
      "    [thinking] hm",
      "    I look.",
      "    At it.",
      '    [calls read_file] {"path":"a.ts"}',
    ])
  })

  it("shows the answer to a call, and whether it is an error", () => {
    const source = { type: "tool", tool: "read_file" } as const
    const told = (isError: boolean) =>
      NodeText.body(node("c", "b", { message: Message.toolResult(call, "text", isError), source }))
    assert.deepStrictEqual([told(false), told(true)], ["[result of read_file]\ntext", "[error of read_file]\ntext"])
  })

  it("shows a root as its system prompt", () => {
    const text = Conversation.entry(root, names(), Style.plain)
    assert.strictEqual(text, "r  root  test  1970-01-01 00:00:00Z\n    Be kind.")
  })
})

describe("Conversation.row", () => {
  it("is one line of a bounded length, whatever was said", () => {
    const row = Conversation.row(
      node("a", "r", { message: Message.user(`x\n\t${"😀".repeat(500)}`) }),
      names(),
      Style.plain,
    )
    assert.match(row, /^a user "x 😀+…"$/u)
    assert.isBelow(row.length, 80)
    assert.isTrue(row.isWellFormed())
  })
})

describe("Conversation.hit", () => {
  it("shows the words around the first that was searched for", () => {
    const text = `${"before ".repeat(40)}the Needle is here ${"after ".repeat(40)}`
    const hit = Conversation.hit(node("a", "r", { message: Message.user(text) }), "needle*", names(), Style.plain)
    assert.match(hit, /^a {2}2026-05-28 20:26:40Z {2}user {2}….*the Needle is here.*…$/)
    assert.isBelow(hit.length, 170)
  })

  it("begins at the beginning where the words are spelt otherwise", () => {
    const hit = Conversation.hit(
      node("a", "r", { message: Message.user("Café au lait") }),
      "cafe",
      names(),
      Style.plain,
    )
    assert.include(hit, "  Café au lait")
  })
})

describe("Conversation.details", () => {
  it("tells all that is known of a node", () => {
    const below = node("c", "b")
    const text = Conversation.details({ ...turn, splitFrom: root.id }, [below], names({ b: ["one", "two"] }))
    assert.deepStrictEqual(text.split("\n").slice(0, 12), [
      "node        b",
      "role        assistant",
      "when        2026-05-28 20:26:40Z",
      "model       google/gemini-2.5-flash (stop)",
      "tokens      30 in (20 cached), 4 out (1 thinking)",
      "parent      a",
      "root        r",
      "split from  r",
      'child       c user "text of c"',
      "bookmark    one",
      "bookmark    two",
      "",
    ])
  })
})

describe("what is printed", () => {
  it("is nothing that a terminal obeys", () => {
    const evil = "a\x1b]0;title\x07\x1b[2Jb\u202e"
    const owner = { ...root, owner: evil, systemPrompt: evil }
    const said = answered("b", "a", [
      Block.text(evil),
      Block.thinking(evil),
      Block.toolUse("c", evil, { [evil]: evil }),
    ])
    const marked = names({ b: [evil] })
    const printed = [
      Conversation.entry(said, marked, Style.plain),
      Conversation.row(said, marked, Style.plain),
      Conversation.hit(said, "a", marked, Style.plain),
      Conversation.details(said, [said], marked),
      Conversation.rootRow(owner, marked, Style.plain),
      Conversation.entry(owner, marked, Style.plain),
    ].join("\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    assert.notMatch(printed, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })
})
