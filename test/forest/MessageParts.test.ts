import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as MessageParts from "../../src/forest/MessageParts.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as NodeText from "../../src/forest/NodeText.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { answered, half, node, root } from "../cli/loom/nodes.ts"

const ids = (...nodes: ReadonlyArray<Node>) =>
  MessageParts.group([root, ...nodes]).map((parts) => parts.map(({ id }) => id).join())

const begin = half("a", "r", "A ", "b")
const old = half("b", "a", "long one")
const edited = half("c", "a", "shorter one")
const reply = answered("d", "b", [Block.text("Yes.")])

describe("MessageParts.group", () => {
  it("has all parts of a message that was divided by an edit or a split", () => {
    assert.deepStrictEqual(ids(begin, old, reply), ["r", "a,b", "d"])
    assert.deepStrictEqual(ids(begin, edited), ["r", "a,c"])
    assert.deepStrictEqual(ids(half("a", "r", "A", "c"), half("b", "a", "b", "c"), half("c", "b", "c")), ["r", "a,b,c"])
  })

  it("does not join messages that follow each other", () => {
    assert.deepStrictEqual(ids(half("a", "r", "A"), half("b", "a", "B")), ["r", "a", "b"])
    assert.deepStrictEqual(ids(half("a", "r", "A", "x"), answered("d", "a", [Block.text("Yes.")])), ["r", "a", "d"])
  })

  it("joins neither notices nor tool results, even if a file says that one was divided", () => {
    const notice: Message.Message = { role: "system", content: [Block.text("saved")] }
    const result = Message.toolResult(Block.toolUse("c", "look", {}), "there", false)
    for (const message of [notice, result]) {
      const first = node("a", "r", { message, splitFrom: NodeId.make("b") })
      assert.deepStrictEqual(ids(first, node("b", "a", { message })), ["r", "a", "b"])
    }
  })

  it("has the whole message of each branch, in any order of the nodes", () => {
    assert.deepStrictEqual(ids(begin, old, reply, edited), ["r", "a,b", "d", "a,c"])
    assert.deepStrictEqual(ids(old, begin, reply, edited), ["r", "a,b", "d", "a,c"])
  })

  it("keeps the beginning as a message where the conversation goes on after it", () => {
    const other = answered("e", "a", [Block.text("A what?")])
    assert.deepStrictEqual(ids(begin, old, other), ["r", "a", "a,b", "e"])
    assert.deepStrictEqual(ids(begin), ["r", "a"])
  })
})

describe("MessageParts.join", () => {
  it("is the last part with the text of all, below the parent of the first", () => {
    assert.deepStrictEqual(MessageParts.join([begin, edited]), half("c", "r", "A shorter one"))
  })

  it("keeps what is not text at its place", () => {
    const content = (...content: Message.Assistant["content"]) =>
      node("x", "r", { message: { role: "assistant", content } })
    const [one, other] = [
      content(Block.thinking("hm"), Block.text("A ")),
      content(Block.text("b"), Block.thinking("so")),
    ]
    const whole = content(Block.thinking("hm"), Block.text("A b"), Block.thinking("so"))
    assert.deepStrictEqual(MessageParts.join([one, other]), whole)
    assert.deepStrictEqual(
      MessageParts.join([one, content(Block.thinking("so"))]),
      content(Block.thinking("hm"), Block.text("A "), Block.thinking("so")),
    )
  })
})

const inMemory = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(Sqlite.layerMemory), Layer.provide(Ids.layerSequence)),
)

const user = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

/** `Write a poem` with a reply, and its edit `Write a longer poem`. */
const editedForest = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const top = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
  const [poem, reply] = yield* forest.append(top.id, [
    user("Write a poem"),
    { message: { role: "assistant", content: [Block.text("Roses")] }, source: { type: "notice" } },
  ])
  if (poem === undefined || reply === undefined) assert.fail()
  const longer = yield* forest.edit(poem.id, "Write a longer poem")
  return { forest, poem, reply, longer, begin: yield* forest.node(longer.parent) }
})

const words = (parts: MessageParts.Parts) => NodeText.words(MessageParts.join(parts))

describe("MessageParts.read", () => {
  it.effect("reads the message that ends at a node", () =>
    inMemory(
      Effect.gen(function* () {
        const { begin, forest, longer, poem, reply } = yield* editedForest
        const read = (id: NodeId) => Effect.map(MessageParts.read(forest, id), words)
        assert.deepStrictEqual(yield* Effect.forEach([longer.id, poem.id, reply.id, begin.id], read), [
          "Write a longer poem",
          "Write a poem",
          "Roses",
          "Write a ",
        ])
      }),
    ),
  )
})

describe("an edit that adds to the end of a message", () => {
  const texts = (nodes: ReadonlyArray<Node>) => MessageParts.joinAll(nodes).map(NodeText.words)

  it.effect("is one message for readers, beside the first version", () =>
    inMemory(
      Effect.gen(function* () {
        const { forest, longer } = yield* editedForest
        const { root } = yield* forest.path(longer.id)
        const [poem] = yield* forest.append(root.id, [
          user("Sing"),
          { message: { role: "assistant", content: [Block.text("La")] }, source: { type: "notice" } },
        ])
        if (poem === undefined) assert.fail()
        const loud = yield* forest.edit(poem.id, "Sing aloud")
        const slow = yield* forest.edit(poem.id, "Sing slowly")
        assert.deepStrictEqual(texts(yield* forest.subtree(poem.id)), ["Sing", "La", "Sing aloud", "Sing slowly"])
        const hits = yield* MessageParts.readAll(forest, [yield* forest.node(poem.id), loud, slow])
        assert.deepStrictEqual(hits.map(words), ["Sing", "Sing aloud", "Sing slowly"])
        yield* forest.undo()
        yield* forest.undo()
        assert.deepStrictEqual(yield* forest.node(poem.id), poem)
      }),
    ),
  )

  it.effect("leaves two messages that follow each other apart", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const top = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
        const [one] = yield* forest.append(top.id, [user("One"), user("Two")])
        yield* forest.edit(one?.id ?? top.id, "One more")
        assert.include(texts(yield* forest.subtree(top.id)), "Two")
      }),
    ),
  )
})

describe("MessageParts.readAll", () => {
  it.effect("reads the messages that nodes are parts of, each once", () =>
    inMemory(
      Effect.gen(function* () {
        const { begin, forest, longer, poem, reply } = yield* editedForest
        const messages = yield* MessageParts.readAll(forest, [begin, longer, poem, reply])
        assert.deepStrictEqual(messages.map(words), ["Write a poem", "Write a longer poem", "Roses"])
      }),
    ),
  )
})
