/** Synthetic transcripts in the formats of other programs. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { ImportedConversation } from "../../../../src/cli/loom/transcripts/ImportedConversation.ts"
import * as Transcript from "../../../../src/cli/loom/transcripts/Transcript.ts"
import * as Block from "../../../../src/message/Block.ts"
import * as Message from "../../../../src/message/Message.ts"

const lines = (...records: ReadonlyArray<unknown>) => records.map((record) => JSON.stringify(record)).join("\n")

/** Each message as its parent, role and content. */
const summaryOf = ({ messages }: ImportedConversation) =>
  messages.map(({ draft: { message }, parent }) => [
    parent,
    message.role,
    [
      Message.text(message),
      ...Message.toolUses(message).map(({ id, name, parameters }) => `${name}#${id}(${JSON.stringify(parameters)})`),
    ]
      .filter((part) => part !== "")
      .join(" "),
  ])

/** A picture, and its encoding by Claude Code. */
const data = "iVBORw0KGgo="
const anthropic = { type: "image", source: { type: "base64", media_type: "image/png", data } }

/** The content of the user's messages. */
const userContents = ({ messages }: ImportedConversation) =>
  messages.flatMap(({ draft: { message } }) => (message.role === "user" ? [message.content] : []))

const read = (text: string) => {
  const transcript = Transcript.parse(text)
  assert.isDefined(transcript)
  return transcript
}

const first = (text: string): ImportedConversation => {
  const [conversation] = read(text).conversations
  assert.isDefined(conversation)
  return conversation
}

describe("Transcript.parse, of Claude Code", () => {
  const common = { isSidechain: false, cwd: "/repo", sessionId: "s", version: "2.1.1", userType: "external" }
  const reply = (uuid: string, parentUuid: string, block: unknown, written = 1) => ({
    ...common,
    type: "assistant",
    uuid,
    parentUuid,
    message: {
      id: "msg_1",
      role: "assistant",
      model: "claude-x",
      content: [block],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, cache_read_input_tokens: 10, cache_creation_input_tokens: 5, output_tokens: written },
    },
  })
  const result = (uuid: string, parentUuid: string, id: string, isError: boolean) => ({
    ...common,
    type: "user",
    uuid,
    parentUuid,
    message: {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: id, content: [{ type: "text", text: `of ${id}` }], is_error: isError },
      ],
    },
  })
  const session = lines(
    { type: "summary", summary: "A talk", leafUuid: "u9" },
    { ...common, type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "Look" } },
    { ...common, type: "system", uuid: "u2", parentUuid: "u1", content: "hook" },
    reply("u3", "u2", { type: "thinking", thinking: "hm", signature: "sig" }),
    reply("u4", "u3", { type: "text", text: "I look." }),
    reply("u5", "u4", { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } }),
    reply("u6", "u5", { type: "tool_use", id: "t2", name: "Read", input: { path: "b" } }, 7),
    result("u7", "u5", "t1", false),
    result("u8", "u6", "t2", true),
    {
      ...common,
      type: "user",
      uuid: "u9",
      parentUuid: "u8",
      message: { role: "user", content: [{ type: "text", text: "Go on" }] },
    },
    { ...common, type: "user", uuid: "u10", parentUuid: "u1", message: { role: "user", content: "Other" } },
  )

  it("joins the lines of one reply, and chains its tool results", () => {
    assert.deepStrictEqual(summaryOf(first(session)), [
      [undefined, "user", "Look"],
      [0, "assistant", 'I look. Read#t1({"path":"a"}) Read#t2({"path":"b"})'],
      [1, "tool", "of t1"],
      [2, "tool", "of t2"],
      [3, "user", "Go on"],
      [0, "user", "Other"],
    ])
  })

  it("cuts off values nested too deeply to be stored, and reads the rest", () => {
    for (const levels of [5000, 100_000]) {
      const deep = session.replace('{"path":"a"}', `{"path":${"[".repeat(levels)}${"]".repeat(levels)}}`)
      const [, answer] = summaryOf(first(deep))
      assert.match(String(answer), /Read#t1\(\{"path":\[+"\[nested too deeply\]"\]+\}\)/)
      assert.lengthOf(summaryOf(first(deep)), 6)
    }
  })

  it("keeps the pictures of the user, and replaces those of tools by their media type", () => {
    const from = (uuid: string, parentUuid: string | null, content: ReadonlyArray<unknown>) => ({
      ...common,
      type: "user",
      uuid,
      parentUuid,
      message: { role: "user", content },
    })
    const conversation = first(
      lines(
        from("u1", null, [
          { type: "text", text: "See" },
          anthropic,
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ]),
        reply("u2", "u1", { type: "tool_use", id: "t1", name: "Read", input: {} }),
        from("u3", "u2", [
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "It:" }, anthropic] },
        ]),
        from("u4", "u3", [anthropic]),
      ),
    )
    assert.deepStrictEqual(userContents(conversation), [
      [Block.text("See"), Block.image("image/png", data), Block.text("a\nb")],
      [Block.image("image/png", data)],
    ])
    assert.deepStrictEqual(summaryOf(conversation)[2], [1, "tool", "It:\n[image/png]"])
  })

  it("reads the owner and the usage, and counts the lines without a message", () => {
    const { format, conversations, skipped } = read(`${session}\n{"torn`)
    assert.deepStrictEqual([format, skipped, conversations[0]?.owner], ["Claude Code", 3, "claude-code:/repo"])
    assert.deepStrictEqual(conversations[0]?.messages[1]?.draft.source, {
      type: "model",
      model: "anthropic/claude-x",
      finish: "tool_calls",
      usage: { inputTokens: 18, outputTokens: 7, cachedTokens: 10, thinkingTokens: 0 },
    })
  })
})

describe("Transcript.parse, of Codex", () => {
  const item = (payload: unknown) => ({ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload })
  const session = lines(
    { timestamp: "t", type: "session_meta", payload: { id: "x", cwd: "/repo", cli_version: "0.65.0" } },
    { timestamp: "t", type: "turn_context", payload: { model: "gpt-x" } },
    item({ type: "message", role: "developer", content: [{ type: "input_text", text: "Be quick." }] }),
    item({ type: "message", role: "user", content: [{ type: "input_text", text: "Look" }] }),
    { timestamp: "t", type: "event_msg", payload: { type: "token_count" } },
    item({ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "…" }),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] }),
    item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" }),
    item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin", call_id: "c2", status: "completed" }),
    item({ type: "function_call_output", call_id: "c1", output: "a.ts" }),
    item({ type: "custom_tool_call_output", call_id: "c2", output: { content: "ok", success: true } }),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }),
  )

  it("joins the adjacent texts and calls of a reply", () => {
    const conversation = first(session)
    assert.strictEqual(conversation.owner, "codex:/repo")
    assert.deepStrictEqual(summaryOf(conversation), [
      [undefined, "system", "Be quick."],
      [0, "user", "Look"],
      [1, "assistant", 'I look. shell#c1({"command":["ls"]}) apply_patch#c2({"input":"*** Begin"})'],
      [2, "tool", "a.ts"],
      [3, "tool", "ok"],
      [4, "assistant", "Done."],
    ])
    assert.deepInclude(conversation.messages[5]?.draft.source, { model: "openai/gpt-x", finish: "stop" })
  })
})

describe("Transcript.parse, of pictures", () => {
  it("reads the pictures of Codex and gemini-cli", () => {
    const codex = lines(
      { timestamp: "t", type: "session_meta", payload: { id: "x" } },
      {
        timestamp: "t",
        type: "response_item",
        payload: {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "See" },
            { type: "input_image", image_url: `data:image/png;base64,${data}` },
          ],
        },
      },
    )
    const gemini = JSON.stringify({
      sessionId: "s",
      projectHash: "h",
      messages: [{ type: "user", content: [{ text: "See" }, { inlineData: { mimeType: "image/png", data } }] }],
    })
    for (const session of [codex, gemini]) {
      assert.deepStrictEqual(userContents(first(session)), [[Block.text("See"), Block.image("image/png", data)]])
    }
  })
})

describe("Transcript.parse, of gemini-cli", () => {
  const session = JSON.stringify({
    sessionId: "s",
    projectHash: "abc",
    startTime: "t",
    lastUpdated: "t",
    messages: [
      { id: "1", timestamp: "t", type: "user", content: [{ text: "Look" }] },
      { id: "2", timestamp: "t", type: "info", content: "Update available" },
      {
        id: "3",
        timestamp: "t",
        type: "gemini",
        content: "I look.",
        model: "gemini-x",
        thoughts: [{ subject: "Plan", description: "look", timestamp: "t" }],
        tokens: { input: 9, output: 3, cached: 4, thoughts: 2, tool: 0, total: 14 },
        toolCalls: [
          {
            id: "c1",
            name: "read_file",
            args: { path: "a" },
            status: "success",
            timestamp: "t",
            result: [{ functionResponse: { id: "c1", name: "read_file", response: { output: "text of a" } } }],
          },
        ],
      },
      { id: "4", timestamp: "t", type: "gemini", content: "It says text.", tokens: null },
    ],
  })

  it("reads texts, thoughts, calls and their results", () => {
    const { format, conversations, skipped } = read(session)
    assert.deepStrictEqual([format, skipped, conversations[0]?.owner], ["gemini-cli", 1, "gemini-cli:abc"])
    assert.deepStrictEqual(summaryOf(first(session)), [
      [undefined, "user", "Look"],
      [0, "assistant", 'I look. read_file#c1({"path":"a"})'],
      [1, "tool", "text of a"],
      [2, "assistant", "It says text."],
    ])
    assert.deepInclude(conversations[0]?.messages[1]?.draft.source, {
      model: "google/gemini-x",
      usage: { inputTokens: 9, outputTokens: 5, cachedTokens: 4, thinkingTokens: 2 },
    })
  })
})

describe("Transcript.parse, of pi", () => {
  const usage = { input: 3, output: 2, cacheRead: 4, cacheWrite: 5, cost: { total: 0.1 } }
  const answer = { role: "assistant", provider: "anthropic", model: "claude-x", api: "x", stopReason: "toolUse", usage }
  const messages = [
    { role: "user", content: [{ type: "text", text: "Look" }], timestamp: 1 },
    {
      ...answer,
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
      ],
    },
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "read",
      content: [{ type: "text", text: "text" }],
      isError: false,
    },
  ]
  const header = { type: "session", version: 3, id: "s", timestamp: "t", cwd: "/repo" }
  const expected = [
    [undefined, "user", "Look"],
    [0, "assistant", 'read#c1({"path":"a"})'],
    [1, "tool", "text"],
  ]

  it("follows parents across lines without a message", () => {
    const conversation = first(
      lines(
        header,
        { type: "message", id: "a", parentId: null, message: messages[0] },
        { type: "model_change", id: "b", parentId: "a", provider: "anthropic", modelId: "claude-x" },
        { type: "message", id: "c", parentId: "b", message: messages[1] },
        { type: "message", id: "d", parentId: "c", message: messages[2] },
        { type: "message", id: "e", parentId: "a", message: { role: "user", content: "Another way" } },
      ),
    )
    assert.deepStrictEqual(summaryOf(conversation), [...expected, [0, "user", "Another way"]])
    assert.strictEqual(conversation.owner, "pi:/repo")
    assert.deepStrictEqual(conversation.messages[1]?.draft.source, {
      type: "model",
      model: "anthropic/claude-x",
      finish: "tool_calls",
      usage: { inputTokens: 12, outputTokens: 2, cachedTokens: 4, thinkingTokens: 0 },
    })
  })

  it("reads commands and pictures of the user, except those excluded from the context", () => {
    const run = { role: "bashExecution", command: "ls", output: "a\n", exitCode: 0, cancelled: false, truncated: false }
    const conversation = first(
      lines(
        header,
        { type: "message", id: "a", parentId: null, message: run },
        { type: "message", id: "b", parentId: "a", message: { ...run, exitCode: 2, output: "" } },
        { type: "message", id: "c", parentId: "b", message: { ...run, excludeFromContext: true } },
        {
          type: "message",
          id: "d",
          parentId: "c",
          message: { role: "user", content: [{ type: "image", mimeType: "image/png", data }] },
        },
      ),
    )
    assert.deepStrictEqual(userContents(conversation), [
      [Block.text("$ ls\na")],
      [Block.text("$ ls\n(exit 2)")],
      [Block.image("image/png", data)],
    ])
  })

  it("reads labels as bookmarks: the last of each line, if it is a valid title and the line has a message", () => {
    const label = (targetId: string, label?: string) => ({ type: "label", id: `${targetId}${label}`, targetId, label })
    const { bookmarks } = first(
      lines(
        header,
        { type: "message", id: "a", parentId: null, message: messages[0] },
        { type: "message", id: "b", parentId: "a", message: messages[1] },
        { type: "message", id: "c", parentId: "b", message: messages[2] },
        label("a", "before"),
        label("b", "first"),
        label("b", "second"),
        label("a"),
        label("c", " not a title "),
        label("nowhere", "lost"),
      ),
    )
    assert.deepStrictEqual(bookmarks, [{ title: "second", message: 1 }])
  })

  it("reads version 1, in which each line follows the one before it", () => {
    const session = lines(
      { ...header, version: undefined },
      ...messages.map((message) => ({ type: "message", message })),
    )
    assert.deepStrictEqual(summaryOf(first(session)), expected)
  })
})

describe("Transcript.parse, of ChatGPT", () => {
  const message = (role: string, text: string, more: object = {}) => ({
    id: "m",
    author: { role, name: null, metadata: {} },
    content: { content_type: "text", parts: [text] },
    recipient: "all",
    metadata: { model_slug: "gpt-x" },
    ...more,
  })
  const conversation = {
    title: "A talk",
    create_time: 1,
    current_node: "e",
    mapping: {
      e: { id: "e", message: message("assistant", "Hi"), parent: "c", children: [] },
      root: { id: "root", message: null, parent: null, children: ["s"] },
      s: { id: "s", message: message("system", ""), parent: "root", children: ["c", "d"] },
      c: { id: "c", message: message("user", "Hello"), parent: "s", children: ["t"] },
      t: { id: "t", message: message("assistant", "search()", { recipient: "browser" }), parent: "c", children: ["e"] },
      d: { id: "d", message: message("user", "Hello there"), parent: "s", children: [] },
    },
  }

  it("reads the tree of each conversation in any order, across messages to tools", () => {
    const mapping = { ...conversation.mapping, e: { ...conversation.mapping.e, parent: "t" } }
    const { format, conversations, skipped } = read(
      JSON.stringify([
        { ...conversation, mapping },
        { ...conversation, mapping: {} },
      ]),
    )
    assert.deepStrictEqual([format, skipped, conversations.length], ["ChatGPT", 2, 2])
    assert.deepStrictEqual(conversations.slice(0, 1).map(summaryOf), [
      [
        [undefined, "user", "Hello"],
        [0, "assistant", "Hi"],
        [undefined, "user", "Hello there"],
      ],
    ])
    assert.deepInclude(conversations[0]?.messages[1]?.draft.source, { model: "openai/gpt-x" })
  })

  it("leaves a cycle out", () => {
    const mapping = {
      a: { message: message("user", "x"), parent: "b", children: ["b"] },
      b: { message: message("user", "y"), parent: "a", children: ["a"] },
    }
    assert.deepStrictEqual(first(JSON.stringify([{ mapping }])).messages, [])
  })
})

describe("Transcript.parse, of vibe", () => {
  const root = { type: "root", id: "r", owner: "test", systemPrompt: "Be kind.", createdAt: 1 }
  const node = (id: string, parent: string, message: unknown) => ({
    type: "node",
    id,
    parent,
    root: "r",
    message,
    source: { type: "user" },
    createdAt: 1,
  })
  const said = { role: "user", content: [{ type: "text", text: "Hello" }] }

  it("counts invalid records as skipped, and puts what follows them below their parents", () => {
    const text = [
      lines(root, node("a", "r", said), node("b", "a", { role: "user", content: [] }), node("c", "b", said)),
      "[1]",
      "{torn",
      lines({ type: "bookmark", title: "x", node: "c", createdAt: 1, updatedAt: 1 }),
    ].join("\n")
    const { conversations, skipped } = read(text)
    assert.deepStrictEqual(
      [conversations.map(summaryOf), skipped],
      [
        [
          [
            [undefined, "user", "Hello"],
            [0, "user", "Hello"],
          ],
        ],
        3,
      ],
    )
  })
})

describe("Transcript.parse, of titles", () => {
  const said = { parentUuid: null, sessionId: "s", type: "user", uuid: "u1", message: { role: "user", content: "Hi" } }
  const chatGpt = (fields: object) => ({
    mapping: {
      top: { message: null, parent: null, children: ["a"] },
      a: {
        message: { author: { role: "user" }, content: { content_type: "text", parts: ["Hi"] } },
        parent: "top",
        children: [],
      },
    },
    ...fields,
  })
  const summary = (text: string, leafUuid?: string) => ({
    type: "summary",
    summary: text,
    ...(leafUuid && { leafUuid }),
  })
  const codex = [
    { type: "session_meta", payload: { id: "c1", cwd: "/repo" } },
    {
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
    },
  ]
  const gemini = { sessionId: "g1", projectHash: "h", messages: [{ type: "user", content: "Hi" }] }
  const pi = [
    { type: "session", id: "p1", cwd: "/repo" },
    { type: "message", id: "a", parentId: null, message: { role: "user", content: "Hi" } },
  ]
  const named = (name: string) => ({ type: "session_info", id: name, parentId: "a", name })
  const tooLong = `${"long ".repeat(100)}`

  it.each<[string, string, string | undefined, string | undefined]>([
    ["ChatGPT", lines([chatGpt({ title: "Tax return 2025", id: "1", conversation_id: "2" })]), "2", "Tax return 2025"],
    ["ChatGPT without an id", lines([chatGpt({ title: "Tax" })]), undefined, "Tax"],
    ["ChatGPT with no title", lines([chatGpt({ title: null, id: "1" })]), "1", undefined],
    ["ChatGPT with a title of no words", lines([chatGpt({ title: " \u001b[31m\n", id: "1" })]), "1", undefined],
    ["ChatGPT with a title to clean", lines([chatGpt({ title: "\u001b[31mA\n b\u202e", id: "1" })]), "1", "A b"],
    ["ChatGPT with a long title", lines([chatGpt({ title: tooLong, id: "1" })]), "1", tooLong.slice(0, 200).trim()],
    ["Claude Code", lines(summary("Old", "u1"), summary("A talk", "u1"), said), "s", "A talk"],
    ["Claude Code, of other sessions, too", lines(summary("A", "u1"), summary("B", "x"), said), "s", "A"],
    ["Claude Code, of other sessions alone", lines(summary("A", "y"), summary("B", "x"), said), "s", undefined],
    ["Claude Code, of what it continues", lines(summary("A", "x"), said), "s", "A"],
    [
      "Claude Code, named by the user",
      lines(said, { type: "custom-title", customTitle: "Mine", sessionId: "s" }, summary("A", "u1")),
      "s",
      "Mine",
    ],
    [
      "Claude Code, named by a model",
      lines(said, { type: "ai-title", aiTitle: "Theirs", sessionId: "s" }),
      "s",
      "Theirs",
    ],
    ["Claude Code, an agent", lines({ ...said, isSidechain: true, agentId: "a1" }), "s/a1", undefined],
    [
      "Codex",
      lines(...codex, { type: "event_msg", payload: { type: "thread_name_updated", thread_name: "N" } }),
      "c1",
      "N",
    ],
    ["Codex without a name", lines(...codex, { type: "event_msg", payload: { type: "token_count" } }), "c1", undefined],
    ["gemini-cli", lines({ ...gemini, summary: "Greets" }), "g1", "Greets"],
    ["pi", lines(...pi, named("Old"), named("Greeting")), "p1", "Greeting"],
  ])("takes id and title from %s", (_, text, key, title) => {
    const conversation = first(text)
    assert.strictEqual(conversation.key, key)
    assert.deepStrictEqual(
      conversation.descriptions,
      title === undefined ? undefined : [{ message: key === undefined ? 0 : undefined, folder: undefined, title }],
    )
  })
})

describe("Transcript.parse, of times", () => {
  const said = "2024-05-06T07:08:09.123Z"
  const texts = { type: "text", text: "Hello" }

  for (const [format, text] of [
    [
      "Claude Code",
      lines({
        type: "user",
        sessionId: "s",
        uuid: "a",
        parentUuid: null,
        timestamp: said,
        message: { content: "Hello" },
      }),
    ],
    [
      "Codex",
      lines(
        { type: "session_meta", payload: {} },
        { type: "response_item", timestamp: said, payload: { type: "message", role: "assistant", content: [texts] } },
        {
          type: "response_item",
          timestamp: "later",
          payload: { type: "message", role: "assistant", content: [texts] },
        },
      ),
    ],
    [
      "gemini-cli",
      JSON.stringify({
        sessionId: "s",
        projectHash: "h",
        messages: [{ type: "user", content: "Hello", timestamp: said }],
      }),
    ],
    [
      "pi",
      lines(
        { type: "session", cwd: "" },
        { type: "message", timestamp: said, message: { role: "user", content: "Hello" } },
      ),
    ],
    [
      "ChatGPT",
      JSON.stringify([
        {
          mapping: {
            a: {
              message: {
                author: { role: "user" },
                content: { content_type: "text", parts: ["Hello"] },
                create_time: Date.parse(said) / 1000,
              },
              children: [],
            },
          },
        },
      ]),
    ],
    [
      "vibe",
      lines(
        { type: "root", id: "r", owner: "test", systemPrompt: "", createdAt: 1 },
        {
          type: "node",
          id: "a",
          parent: "r",
          root: "r",
          message: { role: "user", content: [texts] },
          source: { type: "user" },
          createdAt: Date.parse(said),
        },
      ),
    ],
  ] as const) {
    it(`reads the time of a message, in ${format}`, () => {
      const { format: found, conversations } = read(text)
      const times = conversations.flatMap(({ messages }) => messages.map(({ draft }) => draft.createdAt))
      assert.deepStrictEqual([found, times], [format, [Date.parse(said)]])
    })
  }

  it.each(["soon", "", -1, 0, 1e300, null, {}, undefined])("ignores the time %j", (timestamp) => {
    const message = { role: "user", content: "Hello" }
    const [imported] = first(lines({ type: "session", cwd: "" }, { type: "message", timestamp, message })).messages
    assert.deepStrictEqual(imported?.draft, { message: Message.user("Hello"), source: { type: "user" } })
  })
})

describe("Transcript.parse", () => {
  it.each(["", "hello", "{}", "[]", "[1,2]", '{"name":"vibe"}', '{"a":1}\n{"b":2}', "null"])(
    "does not recognise %j",
    (text) => {
      assert.isUndefined(Transcript.parse(text))
    },
  )

  it.prop(
    "never throws, and no message stands before its parent",
    [FastCheck.json(), FastCheck.string()],
    ([json, text]) => {
      for (const typed of [json, text, `${json}\n${text}\n{"type":"session","cwd":""}`]) {
        for (const { messages } of Transcript.parse(typed)?.conversations ?? []) {
          for (const [index, { parent }] of messages.entries()) assert.isTrue(parent === undefined || parent < index)
        }
      }
    },
  )
})
