/** The rows of the forest, and the sentences about what was undone. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { width } from "../../src/base/DisplayWidth.ts"
import type { Change } from "../../src/forest/JournalEntry.ts"
import type { Node } from "../../src/forest/Node.ts"
import type { Reverted } from "../../src/forest/Operation.ts"
import * as Text from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import type { Row } from "../../src/server/api/Forest.ts"
import * as ForestRows from "../../src/server/ForestRows.ts"
import { anyText } from "../utils/anyText.ts"

const [root, id] = [NodeId.make("r"), NodeId.make("a")]

const node = (other: Partial<Node> = {}): Node => ({
  id,
  root,
  parent: root,
  message: Text.user("Write a\npoem"),
  source: { type: "user" },
  createdAt: 7,
  ...other,
})

const rowOf = (other: Partial<Node> = {}, children = 0) => ForestRows.ofNode({ node: node(other), children }, new Map())

const reverted = (author: string | undefined, ...changes: ReadonlyArray<Change>): Reverted => ({
  id: 1,
  at: 0,
  author,
  kinds: ["append"],
  trees: [root],
  nodes: changes.length,
  isUndone: true,
  isUnderWay: false,
  of: undefined,
  changes,
})

const added: Change = { type: "added", node: id }
const removed: Change = { type: "removed", node: id }
const changed: Change = { type: "changed", before: node(), after: node() }
const bookmarked: Change = { type: "bookmarked" }

describe("ForestRows.ofNode", () => {
  it("has the first words in a line, the children and the bookmarks, and of a reply the model", () => {
    const row: Row = { id, parent: root, kind: "user", text: "Write a poem", at: 7, children: 2, bookmarks: [] }
    assert.deepStrictEqual(rowOf({}, 2), row)
    const marks = new Map([[id, ["one", "two"]]])
    assert.deepStrictEqual(ForestRows.ofNode({ node: node(), children: 2 }, marks), {
      ...row,
      bookmarks: ["one", "two"],
    })
    const source = { type: "model", model: "a/\u001b[31mb", finish: "stop", usage: Usage.none } as const
    assert.strictEqual(rowOf({ source }).model, "a/b")
  })

  it("says of a text that it goes on only where an edit has divided it and something is below", () => {
    assert.strictEqual(rowOf({ splitFrom: id }, 1).text, "Write a poem …")
    assert.strictEqual(rowOf({ splitFrom: id }, 0).text, "Write a poem")
    assert.strictEqual(rowOf({}, 1).text, "Write a poem")
  })

  it("has the words of the whole message that ends at a node", () => {
    const whole = node({ message: Text.user("All of it") })
    assert.strictEqual(ForestRows.ofNode({ node: node(), children: 0 }, new Map(), whole).text, "All of it")
  })
})

describe("ForestRows.describeReverted", () => {
  it("says what became of messages, bookmarks and conversations", () => {
    const planted: Change = { type: "planted", root }
    const uprooted: Change = { type: "uprooted", root }
    const all = reverted(ForestRows.AUTHOR, added, removed, changed, bookmarked, planted, uprooted)
    assert.strictEqual(
      ForestRows.describeReverted("undo", [all]),
      "Undone, what this view did: 1 message taken away, 1 message brought back, 1 message put back, " +
        "1 bookmark put back, 1 conversation taken away, 1 conversation brought back.",
    )
    assert.strictEqual(
      ForestRows.describeReverted("redo", [all]),
      "Redone, what this view did: 1 message brought back, 1 message taken away, 1 message changed again, " +
        "1 bookmark changed again, 1 conversation brought back, 1 conversation taken away.",
    )
  })

  it("counts all operations together, and names each author once", () => {
    assert.strictEqual(
      ForestRows.describeReverted("undo", [
        reverted("loom append", added, added),
        reverted("loom append", added),
        reverted(undefined, bookmarked, bookmarked),
      ]),
      "Undone, what loom append, an earlier version did: 3 messages taken away, 2 bookmarks put back.",
    )
    assert.strictEqual(
      ForestRows.describeReverted("redo", [reverted("chat", { type: "purged" })]),
      "Redone, what chat did: nothing.",
    )
  })
})

describe("ForestRows.describeOperation", () => {
  it("says in words what was done to how many messages and conversations", () => {
    const summary = { ...reverted("chat", added), kinds: ["append", "bookmark"], nodes: 1 } as const
    assert.strictEqual(ForestRows.describeOperation(summary), "added, bookmarked: 1 message in 1 conversation")
    assert.strictEqual(
      ForestRows.describeOperation({ ...summary, kinds: ["undo"], of: 12, nodes: 3, trees: [root, id] }),
      "operation 12 undone: 3 messages in 2 conversations",
    )
    assert.strictEqual(ForestRows.describeOperation({ ...summary, kinds: ["root"], nodes: 0 }), "begun: 1 conversation")
  })
})

const words = fc.array(fc.stringMatching(/^[b-y]{1,12}$/), { maxLength: 200 }).map((all) => all.join(" "))

describe("an excerpt of a message", () => {
  it("is a short text as it is, in one line", () => {
    assert.strictEqual(ForestRows.around("Retry\n\n  the\trequest. ", ["request"]), "Retry the request.")
    assert.strictEqual(ForestRows.around("", ["request"]), "")
  })

  it("has a term, wherever that is, also as the beginning of a word", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = `${before} ZEBRA-crossing ${after}`
        for (const terms of [["zebra"], ["zeb*"], ["missing", "zebra"]])
          assert.include(ForestRows.around(text, terms), "ZEBRA")
      }),
    )
  })

  it("is one line of well-formed characters that fits, of any text", () => {
    const texts = fc.oneof(anyText(), fc.string({ unit: "grapheme", minLength: 100, maxLength: 400 }))
    fc.assert(
      fc.property(texts, fc.array(fc.string({ minLength: 1 })), (text, terms) => {
        const excerpt = ForestRows.around(text, terms)
        assert.isTrue(excerpt.isWellFormed())
        assert.isAtMost(width(excerpt), 161)
        assert.notMatch(excerpt, /[\n\r]/)
      }),
    )
  })

  it("begins at the first of several terms, also where that is the first word", () => {
    const text = `Zebra ${"word ".repeat(100)}lion`
    assert.match(ForestRows.around(text, ["lion", "zebra"]), /^Zebra word/)
    assert.match(ForestRows.around(text, ["lion"]), /^….* lion$/)
  })

  it("cuts no character in two", () => {
    for (let n = 80; n < 90; n++)
      assert.notInclude(ForestRows.around(`${"x".repeat(n % 2)}${"😀".repeat(n)} zebra`, ["zebra"]), "�")
  })

  it("shows a term after characters with a longer lower case", () => {
    assert.include(ForestRows.around(`${"İ".repeat(300)} zebra ${"x ".repeat(200)}`, ["zebra"]), "zebra")
  })

  it("of a text without the terms is its beginning, which says that there is more", () => {
    const excerpt = ForestRows.around(`First ${"word ".repeat(100)}`, ["zebra"])
    assert.match(excerpt, /^First .*…$/)
  })

  it("does not read all of a message of 50 MB", () => {
    assert.notInclude(ForestRows.around(`${"word ".repeat(10_000_000)} zebra`, ["zebra"]), "zebra")
  })
})
