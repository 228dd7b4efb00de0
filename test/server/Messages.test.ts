/** The messages of a page, made of nodes of each kind. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as ForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Text from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Messages from "../../src/server/Messages.ts"
import * as Served from "../../src/server/Served.ts"
import * as Serving from "../utils/Serving.ts"

const price = { input: 1_000_000, output: 2_000_000 }

/** The one model that has a price. */
const dear = "scripted/dear"

const served: Served.Service = {
  server: "a run",
  folder: "/project",
  systemPrompt: "Be brief.",
  filePrompt: "",
  model: Serving.scripted([]),
  openModel: () => Effect.fail("there is no model"),
  models: Effect.succeed([]),
  price: (model) => Effect.succeed(model === dear ? price : undefined),
  tools: undefined,
  describe: ({ message }) => message,
}

const layer = Layer.mergeAll(
  Forest.layer.pipe(Layer.provide([ForestStore.layerMemory, Ids.layer])),
  Layer.succeed(Served.Served, served),
)

const reply = (model: string, usage: Partial<Usage.Usage>, other: object = {}): Draft["source"] => ({
  type: "model",
  model,
  finish: "stop",
  usage: { ...Usage.none, ...usage },
  ...other,
})

const from = (content: Text.Message["content"], source: Draft["source"]): Draft => ({
  message: { role: "assistant", content } as Text.Message,
  source,
})

const user = (text: string): Draft => ({ message: Text.user(text), source: { type: "user" } })

/** The drafts as nodes of one path below a new root, with that root. */
const append = (drafts: ReadonlyArray<Draft>) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const { id } = yield* forest.startConversation({ owner: "chat", systemPrompt: "Be brief." })
    return { id, nodes: yield* forest.append(id, drafts) }
  })

/** Of the messages of the drafts, the last one without its times and ids. */
const show = (...drafts: ReadonlyArray<Draft>) =>
  append(drafts).pipe(
    Effect.flatMap(({ nodes }) => Messages.ofNodes(nodes)),
    Effect.map((all) => {
      const { at: _, id: __, parent: ___, siblings: ____, ...shown } = all.at(-1) ?? assert.fail()
      return shown
    }),
  )

const none = { calls: [], results: [] }

describe("Messages.ofNodes", () => {
  it.effect("shows the text, thinking and calls of a reply, with its tokens, cost and time", () =>
    Effect.gen(function* () {
      const call = Block.toolUse("c-1", "find", { name: "total" })
      const content = [Block.thinking("First,"), Block.text("Well:"), Block.thinking("then"), Block.text("yes"), call]
      const source = reply(dear, { inputTokens: 3, outputTokens: 2 }, { finish: "tool_calls", took: 1_500 })
      assert.deepStrictEqual(yield* show(user("Hi"), from(content as never, source)), {
        ...none,
        kind: "assistant",
        text: "Well:\nyes",
        thinking: "First,\nthen",
        calls: [{ id: "c-1", tool: "find", arguments: '{"name":"total"}' }],
        model: dear,
        finish: "tool_calls",
        took: 1_500,
        tokens: { input: 3, output: 2 },
        cost: 7,
      })
    }).pipe(Effect.provide(layer)),
  )

  it.effect("shows neither thinking, nor cost, nor time where a reply has none", () =>
    Effect.gen(function* () {
      const source = reply("scripted/other", { inputTokens: 3, outputTokens: 2 })
      assert.deepStrictEqual(yield* show(user("Hi"), from([Block.text("Yes")], source)), {
        ...none,
        kind: "assistant",
        text: "Yes",
        model: "scripted/other",
        finish: "stop",
        tokens: { input: 3, output: 2 },
      })
      assert.deepStrictEqual(yield* show(user("Hi")), { ...none, kind: "user", text: "Hi" })
      const edited = from([Block.text("No")], { type: "user" })
      assert.deepStrictEqual(yield* show(user("Hi"), edited), { ...none, kind: "assistant", text: "No" })
      const notice: Draft = { message: Text.user("The prompt has changed."), source: { type: "notice" } }
      assert.strictEqual((yield* show(user("Hi"), notice)).kind, "notice")
    }).pipe(Effect.provide(layer)),
  )

  it.effect("estimates the tokens of a reply that was stopped before they were counted, and of no other", () =>
    Effect.gen(function* () {
      const stopped = (usage: Partial<Usage.Usage>) =>
        show(user("Hi"), from([Block.text("Well, then")], reply(dear, usage, { finish: "interrupted" })))
      const { cost = 0, estimated, tokens } = yield* stopped({})
      assert.isTrue(estimated)
      assert.isAbove(tokens?.input ?? 0, 0)
      assert.strictEqual(tokens?.output, 3)
      assert.strictEqual(cost, (tokens?.input ?? 0) + 2 * 3)
      const counted = yield* stopped({ inputTokens: 5, outputTokens: 1 })
      assert.deepStrictEqual([counted.estimated, counted.tokens], [undefined, { input: 5, output: 1 }])
      const free = yield* show(user("Hi"), from([Block.text("Well")], reply(dear, {})))
      assert.deepStrictEqual([free.estimated, free.tokens], [undefined, { input: 0, output: 0 }])
    }).pipe(Effect.provide(layer)),
  )

  it.effect("shows the result of a tool with its call, cut after 20,000 characters, and no text", () =>
    Effect.gen(function* () {
      const asked = from([Block.toolUse("c-1", "find", {})], reply(dear, {}, { finish: "tool_calls" }))
      const result = (text: string, isError?: boolean): Draft => ({
        message: {
          role: "tool",
          tool_call_id: "c-1",
          name: "find",
          content: [Block.text(text)],
          ...(isError !== undefined && { isError }),
        },
        source: { type: "tool", tool: "find" },
      })
      const resultOf = (draft: Draft) =>
        Effect.map(show(user("Hi"), asked, draft), ({ kind, results, text }) => {
          assert.deepStrictEqual([kind, text], ["tool", ""])
          return results
        })
      assert.deepStrictEqual(yield* resultOf(result("found")), [{ call: "c-1", text: "found", failed: false }])
      assert.deepStrictEqual(yield* resultOf(result("lost", true)), [{ call: "c-1", text: "lost", failed: true }])
      const [whole] = yield* resultOf(result("x".repeat(20_000)))
      assert.strictEqual(whole?.text, "x".repeat(20_000))
      const [cut] = yield* resultOf(result("x".repeat(20_001)))
      assert.strictEqual(cut?.text, `${"x".repeat(20_000)}\n[cut: 20001 characters in all]`)
    }).pipe(Effect.provide(layer)),
  )

  it.effect("names the versions of a message in their order, each with the same siblings", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id, nodes } = yield* append([user("One")])
      const all: ReadonlyArray<Node> = [...nodes, ...(yield* forest.append(id, [user("Two")]))]
      assert.lengthOf(all, 2)
      for (const node of all) {
        const shown = yield* Messages.ofNode(node)
        assert.deepStrictEqual(
          shown.siblings,
          all.map(({ id }) => id),
        )
        assert.deepStrictEqual([shown.parent, shown.at, shown.continues], [id, node.createdAt, undefined])
      }
    }).pipe(Effect.provide(layer)),
  )

  it.effect("names the ends of all versions of a message that an edit has divided", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id, nodes } = yield* append([user("Write a poem")])
      const written = nodes[0] ?? assert.fail()
      yield* forest.append(written.id, [from([Block.text("Roses")], reply(dear, {}))])
      const longer = yield* forest.edit(written.id, "Write a song")
      const beginning = yield* forest.node(longer.parent)
      const shown = yield* Messages.ofNode(beginning)
      assert.deepStrictEqual([shown.text, shown.parent, shown.continues], ["Write a ", id, undefined])
      // The beginning alone is no version: both versions go on after it.
      assert.lengthOf(shown.siblings, 2)
      assert.include(shown.siblings, longer.id)
      assert.notInclude(shown.siblings, beginning.id)
      const end = yield* Messages.ofNode(yield* forest.node(longer.id))
      assert.deepStrictEqual([end.text, end.continues, end.siblings.includes(longer.id)], ["song", true, true])
      // The beginning is a version too once it has an answer of its own.
      const plain = from([Block.text("Of what?")], reply(dear, {}))
      yield* forest.append(beginning.id, [plain])
      const again = yield* Messages.ofNode(beginning)
      assert.deepStrictEqual(again.siblings, [beginning.id, ...shown.siblings])
    }).pipe(Effect.provide(layer)),
  )
})

describe("the pictures of a message", () => {
  it.each([
    ["image/png", true],
    ["image/jpeg", true],
    ["image/gif", true],
    ["image/webp", true],
    ["image/svg+xml", false],
    ["image/png+xml", false],
    ["text/image/png", false],
    ["image/PNG", false],
    ["", false],
  ] as const)("of the type '%s' are for a browser to show: %s", (type, isShown) => {
    const picture = Block.image(type, "AAAA")
    const node = {
      id: NodeId.make("n"),
      root: NodeId.make("r"),
      parent: NodeId.make("r"),
      message: { role: "user", content: [Block.text("Look"), picture] },
      source: { type: "user" },
      createdAt: 0,
    } as const satisfies Node
    assert.deepStrictEqual(Messages.picturesOf(node), isShown ? [picture] : [])
  })
})

describe("Messages.kindOf", () => {
  it.each([
    ["user", "user", { type: "user" }],
    ["assistant", "assistant", { type: "user" }],
    ["assistant", "assistant", { type: "model", model: "a/b", finish: "stop", usage: Usage.none }],
    ["tool", "tool", { type: "tool", tool: "find" }],
    ["notice", "user", { type: "notice" }],
    ["summary", "user", { type: "summary" }],
    ["unreadable", "user", { type: "unreadable" }],
  ] as const)("is %s for a message of the role %s by %o", (kind, role, source) => {
    assert.strictEqual(Messages.kindOf({ message: { role }, source } as never), kind)
  })
})
