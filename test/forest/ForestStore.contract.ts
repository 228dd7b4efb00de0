/** What every ForestStore must do. Each adapter's test file runs this. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Unwritable } from "../../src/forest/ForestError.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Node } from "../../src/forest/Node.ts"
import type { Root } from "../../src/forest/Root.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"

const root = (id: string, owner = "test", createdAt = 1): Root => ({
  id: NodeId.make(id),
  owner,
  systemPrompt: `You are ${id}.\nSay "yes".`,
  createdAt,
})

const node = (id: string, parent: string, fields: Partial<Node> = {}): Node => ({
  id: NodeId.make(id),
  root: NodeId.make("r"),
  parent: NodeId.make(parent),
  message: Message.user(`text of ${id}\nsecond line \0 😀`),
  source: { type: "user" },
  createdAt: 1,
  ...fields,
})

/** A turn with everything that a node can hold. */
const turn: ReadonlyArray<Node> = [
  node("user", "r"),
  node("assistant", "user", {
    message: {
      role: "assistant",
      content: [
        Block.thinking("hm", { anthropic: { signature: "s1" } }),
        Block.text("I look.", { google: { thoughtSignature: "s2" } }),
        Block.toolUse("c1", "read_file", { path: "a.ts", lines: [1, 2.5], deep: { no: null } }),
      ],
    },
    source: {
      type: "model",
      model: "google/gemini-2.5-flash",
      finish: "tool_calls",
      usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 1, thinkingTokens: 0 },
    },
    createdAt: 1_780_000_000_000,
  }),
  node("tool", "assistant", {
    message: Message.toolResult(Block.toolUse("c1", "read_file", {}), "no such file", true),
    source: { type: "tool", tool: "read_file", filesWritten: ["b.md"] },
  }),
  node("notice", "tool", {
    message: { role: "system", content: [Block.text("[user edited prompt]")] },
    source: { type: "notice" },
  }),
]

const ids = (all: ReadonlyArray<{ readonly id: NodeId }>) => all.map(({ id }) => id as string)

/** Runs every test on a store of its own. */
export const contract = <E>(name: string, layer: Layer.Layer<ForestStore.ForestStore, E>) => {
  const store = <A, E2>(test: (store: ForestStore.Service) => Effect.Effect<A, E2>) =>
    Effect.flatMap(ForestStore.ForestStore, test).pipe(Effect.provide(Layer.fresh(layer)))

  it.effect(`ForestStore (${name}) gives back the roots that were added`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        assert.deepStrictEqual(yield* store.root(NodeId.make("r")), Option.some(root("r")))
        assert.deepStrictEqual(yield* store.root(NodeId.make("nowhere")), Option.none())
      }),
    ),
  )

  it.effect(`ForestStore (${name}) gives back the nodes that were added, whole`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        yield* store.addNodes(turn)
        for (const node of turn) assert.deepStrictEqual(yield* store.node(node.id), Option.some(node))
        assert.deepStrictEqual(yield* store.node(NodeId.make("nowhere")), Option.none())
      }),
    ),
  )

  it.effect(`ForestStore (${name}) takes a root for no node, and a node for no root`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        yield* store.addNodes([node("a", "r")])
        assert.deepStrictEqual(yield* store.node(NodeId.make("r")), Option.none())
        assert.deepStrictEqual(yield* store.root(NodeId.make("a")), Option.none())
      }),
    ),
  )

  it.effect(`ForestStore (${name}) lists children oldest first, of their own parent alone`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        yield* store.addNodes([node("z", "r"), node("grandchild", "z")])
        yield* store.addNodes([node("m", "r", { createdAt: 2 })])
        yield* store.addNodes([node("a", "r", { createdAt: 2 })])
        assert.deepStrictEqual(ids(yield* store.children(NodeId.make("r"))), ["z", "m", "a"])
        assert.deepStrictEqual(ids(yield* store.children(NodeId.make("z"))), ["grandchild"])
        assert.deepStrictEqual(yield* store.children(NodeId.make("a")), [])
        assert.deepStrictEqual(yield* store.children(NodeId.make("nowhere")), [])
      }),
    ),
  )

  it.effect(`ForestStore (${name}) lists the roots of an owner oldest first, of no other`, () =>
    store((store) =>
      Effect.gen(function* () {
        const added = [root("z"), root("other", "test2"), root("m", "test", 2), root("a", "test", 2)]
        yield* Effect.forEach(added, store.addRoot, { discard: true })
        assert.deepStrictEqual(ids(yield* store.rootsOf("test")), ["z", "m", "a"])
        assert.deepStrictEqual(ids(yield* store.rootsOf("test2")), ["other"])
        assert.deepStrictEqual(yield* store.rootsOf("TEST"), [])
      }),
    ),
  )

  it.effect(`ForestStore (${name}) adds all nodes or none`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        yield* store.addNodes([node("a", "r")])
        const refused = yield* Effect.flip(store.addNodes([node("b", "a"), node("a", "b")]))
        assert.instanceOf(refused.reason, Unwritable)
        yield* Effect.flip(store.addNodes([node("c", "a"), node("c", "c")]))
        assert.deepStrictEqual(yield* store.children(NodeId.make("a")), [])
        for (const id of ["b", "c"]) assert.deepStrictEqual(yield* store.node(NodeId.make(id)), Option.none())
        yield* store.addNodes([])
      }),
    ),
  )

  it.effect(`ForestStore (${name}) leaves what was added as it is`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        yield* store.addNodes([node("a", "r")])
        yield* Effect.flip(store.addRoot(root("r", "thief")))
        yield* Effect.flip(store.addNodes([node("a", "r", { message: Message.user("another") })]))
        assert.deepStrictEqual(yield* store.root(NodeId.make("r")), Option.some(root("r")))
        assert.deepStrictEqual(yield* store.children(NodeId.make("r")), [node("a", "r")])
      }),
    ),
  )

  it.effect(`ForestStore (${name}) hands out a list that later additions do not change`, () =>
    store((store) =>
      Effect.gen(function* () {
        yield* store.addRoot(root("r"))
        yield* store.addNodes([node("a", "r")])
        const before = yield* store.children(NodeId.make("r"))
        yield* store.addNodes([node("b", "r")])
        assert.deepStrictEqual(ids(before), ["a"])
      }),
    ),
  )
}
