import { assert, describe, it } from "@effect/vitest"
import * as Style from "../../../src/base/Style.ts"
import * as NodeFormat from "../../../src/cli/loom/NodeFormat.ts"
import * as TreeSummary from "../../../src/cli/loom/TreeSummary.ts"
import * as NodeText from "../../../src/forest/NodeText.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { answered, half, labels, node, root } from "./nodes.ts"

const call = Block.toolUse("c1", "read_file", { path: "a.ts" })

const turn = answered("b", "a", [Block.thinking("hm"), Block.text("I look.\nAt it."), call])

describe("NodeFormat.entry", () => {
  it("has a heading with role, model, time and bookmarks, and the indented text", () => {
    assert.deepStrictEqual(NodeFormat.entry([turn], labels({ b: ["draft"] }), Style.plain).split("\n"), [
      "b  assistant  google/gemini-2.5-flash  2026-05-28 20:26:40Z  [draft]",
      "    [thinking] hm",
      "    I look.",
      "    At it.",
      '    [calls read_file] {"path":"a.ts"}',
    ])
  })

  it("marks the result of a call as a result or an error", () => {
    const source = { type: "tool", tool: "read_file" } as const
    const body = (isError: boolean) =>
      NodeText.body(node("c", "b", { message: Message.toolResult(call, "text", isError), source }))
    assert.deepStrictEqual([body(false), body(true)], ["[result of read_file]\ntext", "[error of read_file]\ntext"])
  })

  it("shows a root as its system prompt", () => {
    const text = NodeFormat.entry([root], labels(), Style.plain)
    assert.strictEqual(text, "r  root  test  1970-01-01 00:00:00Z\n    Be kind.")
    const blank = NodeFormat.entry([{ ...root, systemPrompt: "" }], labels(), Style.plain)
    assert.strictEqual(blank, "r  root  test  1970-01-01 00:00:00Z\n    (no system prompt)")
  })

  it("shows a message that was divided as one, with the ids and bookmarks of its parts", () => {
    assert.strictEqual(
      NodeFormat.entry([half("a", "r", "A ", "b"), half("c", "a", "shorter one")], labels({ a: ["x"] }), Style.plain),
      "a + c  user  2026-05-28 20:26:40Z  [x]\n    A shorter one",
    )
  })
})

describe("NodeFormat.row", () => {
  it("is one line of bounded length", () => {
    const row = NodeFormat.row(
      [node("a", "r", { message: Message.user(`x\n\t${"😀".repeat(500)}`) })],
      labels(),
      Style.plain,
    )
    assert.match(row, /^a user "x 😀+…"$/u)
    assert.isBelow(row.length, 80)
    assert.isTrue(row.isWellFormed())
  })

  it("shows a message that was divided as one, with the ids and bookmarks of its parts", () => {
    const parts = [half("a", "r", "A ", "b"), half("c", "a", "shorter one")] as const
    const row = NodeFormat.row(parts, labels({ a: ["x"], c: ["y"] }), Style.plain)
    assert.strictEqual(row, 'a + c user "A shorter one" [x] [y]')
  })
})

describe("NodeFormat.searchHit", () => {
  it("shows a message that was divided as one, with the ids of its parts", () => {
    const parts = [half("a", "r", "A ", "b"), half("c", "a", "shorter one")] as const
    const hit = NodeFormat.searchHit(parts, "shorter", labels(), Style.plain)
    assert.strictEqual(hit, "a + c  2026-05-28 20:26:40Z  user  A shorter one")
  })

  it("shows the text around the first match", () => {
    const text = `${"before ".repeat(40)}the Needle is here ${"after ".repeat(40)}`
    const hit = NodeFormat.searchHit(
      [node("a", "r", { message: Message.user(text) })],
      "needle*",
      labels(),
      Style.plain,
    )
    assert.match(hit, /^a {2}2026-05-28 20:26:40Z {2}user {2}….*the Needle is here.*…$/)
    assert.isBelow(hit.length, 170)
  })

  it("starts at the beginning where the match is spelt differently", () => {
    const hit = NodeFormat.searchHit(
      [node("a", "r", { message: Message.user("Café au lait") })],
      "cafe",
      labels(),
      Style.plain,
    )
    assert.include(hit, "  Café au lait")
  })
})

describe("NodeFormat.details", () => {
  it("lists all metadata of a node", () => {
    const below = node("c", "b")
    const text = NodeFormat.details({ ...turn, splitFrom: root.id }, [below], labels({ b: ["one", "two"] }))
    assert.deepStrictEqual(text.split("\n").slice(0, 12), [
      "node        b",
      "role        assistant",
      "when        2026-05-28 20:26:40Z",
      "model       google/gemini-2.5-flash (stop)",
      "tokens      30 in (20 cached), 4 out (1 thinking)",
      "parent      a",
      "root        r",
      "part of     r",
      'child       c user "text of c"',
      "bookmark    one",
      "bookmark    two",
      "",
    ])
  })
})

describe("NodeFormat", () => {
  it("prints no control sequences of owners, messages or bookmarks", () => {
    const evil = "a\x1b]0;title\x07\x1b[2Jb\u202e"
    const owner = { ...root, owner: evil, systemPrompt: evil }
    const said = answered("b", "a", [
      Block.text(evil),
      Block.thinking(evil),
      Block.toolUse("c", evil, { [evil]: evil }),
    ])
    const marked = labels({ b: [evil] })
    const printed = [
      NodeFormat.entry([said], marked, Style.plain),
      NodeFormat.row([said], marked, Style.plain),
      NodeFormat.searchHit([said], "a", marked, Style.plain),
      NodeFormat.details(said, [said], marked),
      TreeSummary.row(
        owner,
        { changed: 0, messages: 1, conversations: 1, title: evil, folder: evil },
        marked,
        Style.plain,
        { now: 0 },
      ),
      NodeFormat.entry([owner], marked, Style.plain),
    ].join("\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    assert.notMatch(printed, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  })
})
