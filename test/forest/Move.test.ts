/** Moving, joining and copying messages: what is refused, and what the laws do not look at. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import { type Draft, repliesIn } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"

/** Each ends with a forest that verifies. */
const withForest = <A, E>(effect: Effect.Effect<A, E, Forest.Forest>) =>
  Effect.gen(function* () {
    const result = yield* effect
    const { verify } = yield* ForestStore.ForestStore
    assert.deepStrictEqual((yield* verify).problems, [])
    return result
  }).pipe(
    Effect.provide(
      Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
    ),
  )

const said = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const usage = { ...Usage.none, inputTokens: 10, outputTokens: 5 }

const replied = (text: string, model = "test/one"): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model, finish: "stop", usage },
})

const call = Block.toolUse("c1", "look", {})

const called: Draft = {
  message: { role: "assistant", content: [call] },
  source: { type: "model", model: "test/one", finish: "tool_calls", usage },
}

const answered: Draft = {
  message: Message.toolResult(call, "it is there", false),
  source: { type: "tool", tool: "look" },
}

const messageOf = <A>(effect: Effect.Effect<A, ForestError>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

/** n-0 is the root; below it n-1 "Hello", n-2 a call, n-3 its answer, n-4 "I see". n-5 "Again" is below n-1. */
const talk = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "test", systemPrompt: "" })
  const [hello] = yield* forest.append(root, [said("Hello"), called, answered, replied("I see")])
  yield* forest.append(hello?.id ?? root, [said("Again")])
  return { forest, root }
})

const id = NodeId.make

describe("Forest.move", () => {
  it.effect("refuses other trees, its own branch, and what would part a call from its answer", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const { id: other } = yield* forest.root({ owner: "test", systemPrompt: "other" })
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            [id("n-5"), other],
            [id("n-1"), id("n-1")],
            [id("n-1"), id("n-4")],
            [id("n-3"), root],
            [id("n-5"), id("n-2")],
            [root, id("n-1")],
            [id("n-5"), id("n-99")],
          ] as const,
          ([node, to]) => messageOf(forest.move(node, to)),
        ),
        [
          `Cannot move n-5 below ${other}, which is in a tree with another system prompt`,
          "Cannot move n-1 below itself",
          "Cannot move n-1 below n-4, which is in its own branch",
          "Cannot move n-3 alone: it answers a call of n-2",
          "Cannot move it there: a tool call of n-2 is not answered before it",
          "Cannot move root node: n-0. It is the system prompt of its tree, which never changes",
          "Node not found: n-99",
        ],
      )
    }).pipe(withForest),
  )

  it.effect("takes what is below along, and is not undone once something else has moved the branch", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      yield* forest.move(id("n-2"), id("n-5"))
      const path = yield* forest.path(id("n-4"))
      assert.deepStrictEqual(
        path.nodes.map(({ id }) => String(id)),
        ["n-1", "n-5", "n-2", "n-3", "n-4"],
      )
      const [moved] = yield* forest.history(1)
      yield* forest.move(id("n-2"), root)
      assert.match(yield* messageOf(forest.undoOperation(moved?.id ?? 0)), /cannot be undone: n-2 was changed since/)
      yield* forest.undo()
      yield* forest.undo()
      assert.strictEqual((yield* forest.node(id("n-2"))).parent, "n-1")
    }).pipe(withForest),
  )

  it.effect("keeps the journal small: ids and not messages", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const text = "x".repeat(1000)
      const [top] = yield* forest.append(root, [said("top")])
      const parent = top?.id ?? root
      for (let n = 0; n < 50; n++) yield* forest.append(parent, [said(`${n} ${text}`)])
      yield* forest.remove(parent, "reparent")
      const store = yield* ForestStore.ForestStore
      const entry = yield* store.read((rows) => rows.latest())
      assert.lengthOf(entry?.changes ?? [], 51)
      assert.isBelow(JSON.stringify(entry).length, 5000)
    }).pipe(
      Effect.provide(
        Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
      ),
    ),
  )
})

describe("Forest.join", () => {
  it.effect("refuses a message without an only child of the same speaker", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const [one] = yield* forest.append(root, [replied("a", "test/one"), replied("b", "test/two")])
      assert.deepStrictEqual(
        yield* Effect.forEach([id("n-5"), id("n-1"), id("n-2"), one?.id ?? root, root], (node) =>
          messageOf(forest.join(node)),
        ),
        [
          "Cannot join n-5: nothing is below it",
          "Cannot join n-1: several messages are below it",
          "Cannot join n-2: it holds tool calls",
          "Cannot join n-6: the message below it is of another model",
          "Cannot join root node: n-0. It is the system prompt of its tree, which never changes",
        ],
      )
      assert.match(yield* messageOf(forest.join(id("n-4"))), /nothing is below it/)
      yield* forest.append(id("n-4"), [said("Good")])
      assert.match(yield* messageOf(forest.join(id("n-4"))), /is of another speaker/)
    }).pipe(withForest),
  )

  it.effect("undoes a split, with what the reply has cost, and moves bookmarks", () =>
    Effect.gen(function* () {
      const { forest } = yield* talk
      const before = yield* forest.node(id("n-4"))
      const { left } = yield* forest.split(before.id, 2)
      yield* forest.bookmark("here", left.id)
      assert.deepStrictEqual(yield* forest.join(left.id), before)
      const [bookmark] = yield* forest.bookmarks
      assert.strictEqual(bookmark?.node, before.id)
    }).pipe(withForest),
  )

  it.effect("names the replies that a joined text is made of, and none if users have written it", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const joined = (...drafts: ReadonlyArray<Draft>) =>
        Effect.flatMap(forest.append(root, drafts), ([first]) => forest.join(first?.id ?? root))
      assert.deepStrictEqual((yield* joined(said("one"), said("two"))).source, { type: "user" })
      const own: Draft = { message: { role: "assistant", content: [Block.text("mine")] }, source: { type: "user" } }
      const theirs = replied("theirs")
      const replaces = repliesIn(theirs.source)
      assert.deepStrictEqual((yield* joined(theirs, own)).source, { type: "user", replaces })
    }).pipe(withForest),
  )

  it.effect("leaves nothing of the first part when the message is purged", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const [first, second] = yield* forest.append(root, [said("the secret"), said(" is out")])
      yield* forest.join(first?.id ?? root)
      assert.strictEqual((yield* forest.purge(second?.id ?? root)).nodes, 2)
      assert.deepStrictEqual(yield* forest.removedIdsByPrefix(first?.id ?? "", 1), [])
    }).pipe(withForest),
  )
})

describe("Forest.copy", () => {
  it.effect("copies a path under another system prompt, once, and refuses half of a call", () =>
    Effect.gen(function* () {
      const { forest } = yield* talk
      const { id: other } = yield* forest.root({ owner: "test", systemPrompt: "Be brief" })
      const copied = yield* forest.copy(id("n-4"), other, "path")
      assert.deepInclude(copied, { added: 4, known: 0 })
      const original = yield* forest.path(id("n-4"))
      const copy = yield* forest.path(copied.id)
      assert.strictEqual(copy.root.systemPrompt, "Be brief")
      assert.deepStrictEqual(
        copy.nodes.map(({ message, source }) => ({ message, source })),
        original.nodes.map(({ message, source }) => ({ message, source })),
      )
      assert.deepStrictEqual(yield* forest.copy(id("n-4"), other, "path"), { id: copied.id, added: 0, known: 4 })
      assert.match(yield* messageOf(forest.copy(id("n-3"), other, "branch")), /it answers a call of n-2/)
    }).pipe(withForest),
  )

  it.effect("keeps which message is the beginning of which, and equal answers apart", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      yield* forest.split(id("n-5"), 2)
      yield* forest.append(id("n-5"), [replied("same")], { distinct: true })
      yield* forest.append(id("n-5"), [replied("same")], { distinct: true })
      const { id: other } = yield* forest.root({ owner: "test", systemPrompt: "Be brief" })
      yield* forest.copy(root, other, "branch")
      const shape = (nodes: Forest.Path["nodes"]) => {
        const index = new Map(nodes.map(({ id }, at) => [id, at]))
        return nodes.map(({ message, parent, splitFrom }) => ({
          text: Message.text(message),
          parent: index.get(parent),
          splitFrom: splitFrom && index.get(splitFrom),
        }))
      }
      const copy = shape(yield* forest.subtree(other))
      assert.sameDeepMembers(copy, shape(yield* forest.subtree(root)))
      assert.lengthOf(copy, 8)
    }).pipe(withForest),
  )
})

describe("Forest.copy, of a summary", () => {
  it.effect("lets it stand for the copies", () =>
    Effect.gen(function* () {
      const { forest } = yield* talk
      const source = { type: "summary", upTo: id("n-1"), keeps: 0, messages: 1, model: "test/one", usage } as const
      const summary: Draft = { message: { role: "system", content: [Block.text("They met.")] }, source }
      const [node] = yield* forest.append(id("n-4"), [summary])
      const { id: other } = yield* forest.root({ owner: "test", systemPrompt: "Be brief" })
      const copied = yield* forest.copy(node?.id ?? other, other, "path")
      const { nodes } = yield* forest.path(copied.id)
      assert.deepStrictEqual(nodes.at(-1)?.source, { ...source, upTo: nodes[0]?.id ?? id("none") })
      assert.deepStrictEqual(repliesIn(source), [{ model: "test/one", usage }])
    }).pipe(withForest),
  )
})

describe("Forest.appendTree", () => {
  it.effect("makes a tree with its messages or not at all, and adds to one that is there", () =>
    Effect.gen(function* () {
      const { forest } = yield* talk
      const before = yield* forest.roots()
      const tree = { owner: "imported", systemPrompt: "", key: "1" }
      const blank = { draft: said(" "), parent: undefined }
      const hello = { draft: said("Hello"), parent: undefined }
      const error = yield* Effect.flip(forest.appendTree(tree, [hello, blank]))
      assert.strictEqual(error.reason._tag, "BlankText")
      const { root } = yield* forest.appendTree(tree, [hello])
      assert.deepInclude(yield* forest.appendTree(tree, [hello]), { root, known: 1 })
      const other = yield* forest.appendTree({ ...tree, key: "2" }, [hello])
      assert.deepStrictEqual(
        (yield* forest.roots()).slice(before.length).map(({ id }) => id),
        [root, other.root],
      )
    }).pipe(withForest),
  )

  it.effect("adds what is not there, and equal messages of the user apart only where they are exact", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* talk
      const messages = [
        { draft: said("Hello"), parent: undefined },
        { draft: said("new"), parent: 0 },
        { draft: said("new"), parent: 0 },
      ]
      const merged = yield* forest.appendTree(root, messages)
      assert.strictEqual(merged.known, 2)
      assert.strictEqual(merged.nodes[1], merged.nodes[2])
      const exact = yield* forest.appendTree(root, messages, { exact: true })
      assert.strictEqual(exact.known, 2)
      assert.notStrictEqual(exact.nodes[1]?.id, exact.nodes[2]?.id)
      const again = yield* forest.appendTree(root, messages, { exact: true })
      assert.strictEqual(again.known, 3)
      assert.deepStrictEqual(again.nodes, exact.nodes)
    }).pipe(withForest),
  )

  it.effect("marks a message that is there as divided only if a new one goes on with its text", () =>
    Effect.gen(function* () {
      const { forest } = yield* talk
      const [whole, divided] = [
        { draft: said("Hello"), parent: undefined },
        { draft: said("Hello"), parent: undefined, splitFrom: 0 },
      ]
      const below = (draft: Draft) => ({ draft, parent: 0 })
      for (const [name, isDivided, messages] of [
        ["an answer", false, [whole, below(replied("Hi"))]],
        ["another message of the user", false, [whole, below(said("Are you there?"))]],
        ["an answer to the beginning", false, [divided, below(replied("Hi"))]],
        ["the rest", true, [divided, below(said(" there")), below(said(" you"))]],
      ] as const) {
        const tree = { owner: "imported", systemPrompt: "", key: name }
        const [before] = (yield* forest.appendTree(tree, [whole])).nodes
        if (before === undefined) assert.fail()
        yield* forest.appendTree(tree, messages, { exact: true })
        const expected = isDivided ? { ...before, splitFrom: before.id } : before
        assert.deepStrictEqual(yield* forest.node(before.id), expected, name)
      }
    }).pipe(withForest),
  )
})
