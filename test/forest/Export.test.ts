import { assert, describe, it } from "@effect/vitest"
import * as Transcript from "../../src/cli/loom/transcripts/Transcript.ts"
import * as Export from "../../src/forest/Export.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import { answered, half, node, root } from "../cli/loom/nodes.ts"

const call = Block.toolUse("c1", "read_file", { path: "a.ts" })

const nodes = [
  node("a", "r", { message: Message.user("<b>Look</b> & see\u2028\x1b[2J") }),
  answered("b", "a", [Block.thinking("hm\nhm", { anthropic: { signature: "s" } }), Block.text("I look."), call]),
  node("c", "b", {
    message: Message.toolResult(call, "```ts\nconst a = 1\n```", false),
    source: { type: "tool", tool: "read_file" },
  }),
  node("d", "a", { message: { role: "system", content: [Block.text("edited")] }, source: { type: "notice" } }),
]

const bookmarks = [{ title: "draft", node: NodeId.make("b"), createdAt: 1, updatedAt: 2 }]

const exported: Export.Exported = { root, nodes, bookmarks }

describe("Export.text", () => {
  it("is Markdown in which results are fenced, and branches say what they follow", () => {
    assert.strictEqual(
      Export.text(exported, "markdown"),
      [
        "# <b>Look</b> & see",
        "## System",
        "Be kind.",
        "## 1. User",
        "<b>Look</b> & see",
        "## 2. Assistant (google/gemini-2.5-flash)",
        "> hm\n> hm",
        "I look.",
        'Calls `read_file`:\n\n```json\n{\n  "path": "a.ts"\n}\n```',
        "## 3. Tool (read_file)",
        "````\n```ts\nconst a = 1\n```\n````",
        "## 4. System, after 1",
        "edited",
      ].join("\n\n"),
    )
  })

  it("is HTML in which nothing that was said is markup", () => {
    const html = Export.text(exported, "html")
    assert.include(html, "<pre>&lt;b&gt;Look&lt;/b&gt; &amp; see</pre>")
    assert.notInclude(html, "<b>")
    assert.notInclude(html, "\x1b")
    assert.notInclude(html, "<script")
  })

  it("is HTML in which no name of a model, a tool, a person or a bookmark is markup", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const hostile: Export.Exported = {
      root,
      nodes: [
        node("a", "r", { message: Message.user("Look") }),
        node("b", "a", {
          message: { role: "assistant", content: [Block.text("I look."), Block.toolUse("c1", evil, { path: evil })] },
          source: { type: "model", model: `imported/${evil}`, finish: "stop", usage: Usage.none },
        }),
        node("c", "b", {
          message: Message.toolResult(Block.toolUse("c1", evil, {}), evil, false),
          source: { type: "tool", tool: evil },
        }),
      ],
      bookmarks: [{ title: evil, node: NodeId.make("b"), createdAt: 1, updatedAt: 2 }],
      conversations: [{ root: root.id, title: evil }],
    }
    const html = Export.text(hostile, "html")
    assert.notInclude(html, "<img")
    assert.include(html, "<h2>2. Assistant (imported/&lt;img src=x onerror=alert(1)&gt;)</h2>")
  })

  it("has the title as its heading: the name that the user gave, else the beginning of the first message", () => {
    assert.include(Export.text(exported, "html"), "<title>&lt;b&gt;Look&lt;/b&gt; &amp; see</title>")
    const named = { ...exported, conversations: [{ root: root.id, title: "Tags <i>" }] }
    assert.include(Export.text(named, "html"), "<h1>Tags &lt;i&gt;</h1>")
    assert.match(Export.text(named, "markdown"), /^# Tags <i>\n/)
    assert.match(Export.text({ ...exported, nodes: [] }, "markdown"), /^# Conversation\n/)
  })

  it.each<Export.Format>(["markdown", "html"])(
    "has a message that an edit has divided whole, in each branch: %s",
    (format) => {
      const versions = [
        half("a", "r", "Write a ", "b"),
        half("b", "a", "poem"),
        answered("c", "b", [Block.text("Roses are red")]),
        half("d", "a", "longer poem"),
      ]
      const text = Export.text({ root, nodes: versions, bookmarks: [] }, format)
      const found = text.match(/(?:Write a|poem|longer|[0-9]\. User).*/g)?.map((line) => line.replaceAll(/<.*/g, ""))
      const heading = { markdown: ["Write a poem"], html: ["Write a poem", "Write a poem"] }[
        format === "html" ? "html" : "markdown"
      ]
      assert.deepStrictEqual(found, [
        ...heading,
        "1. User",
        "Write a poem",
        "3. User, after the system prompt",
        "Write a longer poem",
      ])
    },
  )

  it("names all models and people that have written a message", () => {
    const [begin, end] = [answered("a", "r", [Block.text("Roses ")]), answered("b", "a", [Block.text("are red")])]
    const other = { ...end, source: { type: "model", model: "test/b", finish: "stop", usage: Usage.none } } as const
    const text = Export.text({ root, nodes: [{ ...begin, splitFrom: end.id }, other], bookmarks: [] }, "markdown")
    assert.include(text, "## 1. Assistant (google/gemini-2.5-flash, test/b)\n\nRoses are red")
  })

  it("shows pictures that need no file beside them", () => {
    const shown = node("a", "r", { message: { role: "user", content: [Block.image("image/png", 'a"<b>')] } })
    const show = (format: Export.Format) => Export.text({ root, nodes: [shown], bookmarks: [] }, format)
    assert.include(show("markdown"), '![](data:image/png;base64,a"<b>)')
    assert.include(show("html"), '<img alt="" src="data:image/png;base64,a&quot;&lt;b&gt;">')
  })

  it.each(["json", "jsonl"] as const)("is %s from which the conversation can be read again", (format) => {
    const text = Export.text(exported, format)
    assert.notMatch(text.replaceAll("\n", ""), /[\p{Cc}\u2028]/u)
    const read = Transcript.parse(text)
    assert.deepStrictEqual<unknown>(read, {
      format: "vibe",
      skipped: 0,
      conversations: [
        {
          owner: "test",
          systemPrompt: "Be kind.",
          exact: true,
          messages: nodes.map(({ createdAt, message, source }, at) => ({
            parent: [undefined, 0, 1, 0][at],
            draft: { message, source, createdAt },
          })),
          bookmarks: [{ title: "draft", message: 1 }],
        },
      ],
    })
  })

  it.each<Export.Format>(["json", "jsonl"])(
    "keeps the folder and the name of conversations, and the key of a tree: %s",
    (format) => {
      const [first] = nodes
      if (first === undefined) assert.fail()
      const described = [
        { root: root.id, folder: "/home/me", title: "named" },
        { root: first.id, folder: "/home/me" },
      ]
      const text = Export.text({ ...exported, root: { ...root, key: "k" }, conversations: described }, format)
      const [conversation] = Transcript.parse(text)?.conversations ?? []
      assert.deepInclude(conversation, {
        key: "k",
        descriptions: [
          { message: undefined, folder: "/home/me", title: "named" },
          { message: 0, folder: "/home/me", title: undefined },
        ],
      })
    },
  )
})
