import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, TestClock } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { conversation, draft, notFound, reading, texts, withForest } from "./forests.ts"

describe("Forest.root", () => {
  it.effect("opens the same tree for the same owner and prompt, and keeps when it was made", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      yield* TestClock.setTime(1000)
      const first = yield* forest.root({ owner: "a", systemPrompt: "Be kind." })
      yield* TestClock.setTime(2000)
      assert.deepStrictEqual(yield* forest.root({ owner: "a", systemPrompt: "Be kind." }), first)
      assert.deepStrictEqual(first, {
        id: NodeId.make("n-0"),
        owner: "a",
        systemPrompt: "Be kind.",
        createdAt: 1000,
      })
    }).pipe(withForest),
  )

  it.effect("opens another for another owner, and for another prompt", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const trees = yield* Effect.forEach(
        [
          { owner: "a", systemPrompt: "Be kind." },
          { owner: "b", systemPrompt: "Be kind." },
          { owner: "a", systemPrompt: "Be kind. " },
          { owner: "a", systemPrompt: "" },
        ],
        forest.root,
      )
      assert.strictEqual(new Set(trees.map((tree) => tree.id)).size, 4)
    }).pipe(withForest),
  )

  it.effect("makes one tree for a hundred concurrent calls", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const asked = Array.from({ length: 100 }, () => ({ owner: "a", systemPrompt: "Be kind." }))
      const trees = yield* Effect.forEach(asked, forest.root, { concurrency: "unbounded" })
      assert.strictEqual(new Set(trees.map((tree) => tree.id)).size, 1)
      assert.lengthOf(yield* forest.roots("a"), 1)
    }).pipe(withForest),
  )
})

describe("Forest.prefix", () => {
  it.effect("finds what an append would not add, and what it has added", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      const said = [draft("one"), draft("two"), draft("three")]
      const messages = said.map(({ message }) => message)
      assert.deepStrictEqual(yield* forest.prefix(root.id, messages), [])
      const added = yield* forest.append(root.id, said.slice(0, 2))
      assert.deepStrictEqual(yield* forest.prefix(root.id, messages), added)
      const all = yield* forest.append(root.id, said)
      assert.deepStrictEqual(yield* forest.prefix(root.id, messages), all)
      const { reason } = yield* Effect.flip(forest.prefix(NodeId.make("x"), messages))
      assert.deepStrictEqual<unknown>(reason, notFound("x"))
    }).pipe(withForest),
  )
})

describe("Forest.append", () => {
  it.effect("stores the time of an imported message; an existing node keeps its own", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      yield* TestClock.setTime(2000)
      const times = (...drafts: ReadonlyArray<Draft>) =>
        Effect.map(forest.append(root.id, drafts), (nodes) => nodes.map(({ createdAt }) => createdAt))
      const [early, now] = [{ ...draft("one"), createdAt: 1000 }, draft("two")]
      assert.deepStrictEqual(yield* times(early, now), [1000, 2000])
      assert.deepStrictEqual(yield* times({ ...early, createdAt: 500 }, now), [1000, 2000])
    }).pipe(withForest),
  )

  it.effect("puts each message under the one before", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      yield* TestClock.setTime(1000)
      const [first, second] = yield* forest.append(root.id, [draft("1"), draft("2")])
      const [third] = yield* forest.append(second?.id ?? root.id, [draft("3")])
      const common = { root: root.id, source: { type: "user" as const }, createdAt: 1000 }
      assert.deepStrictEqual(
        [first, second, third],
        [
          { ...common, id: NodeId.make("n-1"), parent: NodeId.make("n-0"), message: Message.user("1") },
          { ...common, id: NodeId.make("n-2"), parent: NodeId.make("n-1"), message: Message.user("2") },
          { ...common, id: NodeId.make("n-3"), parent: NodeId.make("n-2"), message: Message.user("3") },
        ],
      )
    }).pipe(withForest),
  )

  it.effect("adds no message that exists, and returns its node", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const first = yield* forest.append(id, [draft("a"), draft("b")])
      assert.deepStrictEqual(yield* forest.append(id, [draft("a"), draft("b")]), first)
      const longer = yield* forest.append(id, [draft("a"), draft("b"), draft("c"), draft("d")])
      assert.deepStrictEqual(longer.slice(0, 2), first)
      assert.deepStrictEqual(texts(yield* forest.subtree(id)), ["a", "b", "c", "d"])
      yield* forest.append(id, [draft("a b")])
      yield* forest.append(id, [draft("a ")])
      assert.deepStrictEqual(texts(yield* forest.children(id)), ["a", "a b", "a "])
    }).pipe(withForest),
  )

  it.effect("adds the last all the same, where what is said twice is meant to be there twice", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [asked, first] = yield* forest.append(id, [draft("a"), draft("b")])
      const [again, second] = yield* forest.append(id, [draft("a"), draft("b")], { distinct: true })
      assert.deepStrictEqual(again, asked)
      assert.notStrictEqual(second?.id, first?.id)
      assert.deepStrictEqual(texts(yield* forest.subtree(id)), ["a", "b", "b"])
    }).pipe(withForest),
  )

  it.effect("leaves out empty messages, but not calls and their answers", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const call = Block.toolUse("c", "f", {})
      const nodes = yield* forest.append(id, [
        draft(""),
        draft(" \n"),
        { message: { role: "assistant", content: [Block.text(""), call] }, source: { type: "notice" } },
        { message: Message.toolResult(call, "", false), source: { type: "tool", tool: "f" } },
        { message: { role: "assistant", content: [Block.text("  ")] }, source: { type: "notice" } },
        draft("on"),
      ])
      assert.deepStrictEqual(
        nodes.map(({ message }) => message.role),
        ["assistant", "tool", "user"],
      )
      assert.deepStrictEqual(yield* forest.append(id, [draft(" ")]), [])
      assert.deepStrictEqual(yield* forest.append(id, []), [])
    }).pipe(withForest),
  )

  it.effect("fails with the missing parent, and adds nothing", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const nowhere = NodeId.make("nowhere")
      const error = yield* Effect.flip(forest.append(nowhere, [draft("1")]))
      assert.deepStrictEqual(error.reason, notFound("nowhere"))
      assert.strictEqual(error.message, "Node not found: nowhere")
      assert.deepStrictEqual(yield* forest.children(nowhere), [])
    }).pipe(withForest),
  )
})

describe("Forest.path", () => {
  it.effect("of a root is the root alone", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      yield* forest.append(root.id, [draft("1")])
      assert.deepStrictEqual(yield* forest.path(root.id), { root, nodes: [] })
    }).pipe(withForest),
  )

  it.effect("holds what led to a node, and nothing beside or after it", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [first, second] = yield* forest.append(root.id, [draft("1"), draft("2"), draft("3")])
      yield* forest.append(first?.id ?? root.id, [draft("beside")])
      const path = yield* forest.path(second?.id ?? root.id)
      assert.deepStrictEqual(path.root, root)
      assert.deepStrictEqual(texts(path.nodes), ["1", "2"])
    }).pipe(withForest),
  )

  it.effect("fails with the missing node", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const error = yield* Effect.flip(forest.path(NodeId.make("nowhere")))
      assert.deepStrictEqual(error.reason, notFound("nowhere"))
    }).pipe(withForest),
  )

  it.effect("fails with the ancestor that is missing, instead of returning half of the path", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const store = yield* ForestStore.ForestStore
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [lost, orphan] = yield* forest.append(id, [draft("lost"), draft("orphan")])
      yield* store.write((rows) => rows.apply({ type: "removed", node: lost?.id ?? id }))
      const error = yield* Effect.flip(forest.path(orphan?.id ?? id))
      assert.deepStrictEqual(error.reason, notFound(lost?.id ?? ""))
    }).pipe(withForest),
  )

  it.effect("fails where ancestors form a circle, instead of following it for ever", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const store = yield* ForestStore.ForestStore
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [first, second] = yield* forest.append(id, [draft("first"), draft("second")])
      if (first === undefined || second === undefined) return assert.fail("nothing was appended")
      const after = { ...first, parent: second.id }
      yield* store.write((rows) => rows.apply({ type: "changed", before: first, after }))
      const error = yield* Effect.flip(forest.path(second.id))
      assert.strictEqual(error.reason._tag, "Unreadable")
      assert.include(error.message, `the path of ${second.id} leads back to it`)
    }).pipe(withForest),
  )

  it.effect.prop(
    "ends in its node, and each node answers the one before, whatever was appended where",
    [FastCheck.array(FastCheck.tuple(FastCheck.nat(), FastCheck.nat({ max: 3 })), { maxLength: 12 })],
    ([appends]) =>
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.root({ owner: "a", systemPrompt: "" })
        const known = [root.id]
        for (const [place, count] of appends) {
          const parent = known[place % known.length] ?? root.id
          const added = yield* forest.append(
            parent,
            Array.from({ length: count }, () => draft("x")),
          )
          assert.lengthOf(added, count)
          known.push(...added.map((node) => node.id))
        }
        for (const id of known) {
          const path = yield* forest.path(id)
          const line = [root.id, ...path.nodes.map((node) => node.id)]
          assert.strictEqual(line.at(-1), id)
          assert.deepStrictEqual(
            path.nodes.map((node) => node.parent),
            line.slice(0, -1),
          )
        }
      }).pipe(withForest),
  )
})

describe("Forest.bookmark", () => {
  it.effect("names a node, and moves to another", () =>
    Effect.gen(function* () {
      const { answer, forest, more } = yield* conversation
      yield* TestClock.setTime(5)
      assert.deepStrictEqual(yield* forest.bookmark("here", answer.id), {
        title: "here",
        node: answer.id,
        createdAt: 5,
        updatedAt: 5,
      })
      yield* TestClock.setTime(6)
      const moved = { title: "here", node: more.id, createdAt: 5, updatedAt: 6 }
      assert.deepStrictEqual(yield* forest.bookmark("here", more.id), moved)
      assert.deepStrictEqual(yield* forest.bookmark("here", more.id), moved)
      assert.deepStrictEqual(yield* forest.unbookmark("here"), moved)
      assert.deepStrictEqual(yield* forest.bookmarks, [])
    }).pipe(withForest),
  )

  it.effect("refuses unusable titles, roots and missing nodes", () =>
    Effect.gen(function* () {
      const { answer, forest, root } = yield* conversation
      for (const title of ["", " ", " a", "a\n", "a\0b", "\u001b[2J", "\ud83d", "x".repeat(201)]) {
        const error = yield* Effect.flip(forest.bookmark(title, answer.id))
        assert.strictEqual(error.reason._tag, "BadTitle")
      }
      assert.match((yield* Effect.flip(forest.bookmark("a", root))).message, /^Cannot bookmark root node/)
      assert.deepStrictEqual((yield* Effect.flip(forest.bookmark("a", NodeId.make("x")))).reason, notFound("x"))
      assert.strictEqual((yield* Effect.flip(forest.unbookmark("a"))).message, 'There is no bookmark "a"')
    }).pipe(withForest),
  )
})

describe("Forest.undo", () => {
  it.effect("undoes the latest operation, one after the other, and fails when none is left", () =>
    Effect.gen(function* () {
      const { forest, question, root } = yield* conversation
      yield* forest.split(question.id, 2)
      yield* forest.edit(question.id, "Hello")
      const undone = yield* Effect.replicateEffect(forest.undo(), 5)
      assert.deepStrictEqual(
        undone.map((operations) => operations.flatMap(({ kinds }) => kinds)),
        [["edit"], ["split"], ["append"], ["append"], ["root"]],
      )
      assert.deepStrictEqual(yield* forest.roots(), [])
      assert.deepStrictEqual((yield* Effect.flip(forest.path(root))).reason, notFound(root))
      assert.strictEqual((yield* Effect.flip(forest.undo())).message, "there is nothing to undo")
    }).pipe(withForest),
  )

  it.effect("takes back the latest of one tree, whatever happened in others", () =>
    Effect.gen(function* () {
      const { forest, more, other, question, root } = yield* conversation
      const elsewhere = yield* forest.root({ owner: "b", systemPrompt: "" })
      yield* forest.remove(question.id, "cascade")
      yield* forest.append(elsewhere.id, [draft("Hello")])
      yield* forest.undo(root)
      assert.deepStrictEqual(yield* reading(more.id), ["A question", "An answer", "More"])
      assert.deepStrictEqual(yield* reading(other.id), ["A question", "Another answer"])
      assert.deepStrictEqual(texts(yield* forest.subtree(elsewhere.id)), ["Hello"])
    }).pipe(withForest),
  )

  it.effect("refuses what another tree has changed since", () =>
    Effect.gen(function* () {
      const { answer, forest, root } = yield* conversation
      const elsewhere = yield* forest.root({ owner: "b", systemPrompt: "" })
      const [there] = yield* forest.append(elsewhere.id, [draft("Hello")])
      yield* forest.bookmark("here", answer.id)
      const moved = yield* forest.bookmark("here", there?.id ?? elsewhere.id)
      const error = yield* Effect.flip(forest.undo(root))
      assert.strictEqual(error.message, "Operation 6 cannot be undone: here is no longer as it was left")
      assert.deepStrictEqual(yield* forest.bookmarks, [moved])
    }).pipe(withForest),
  )
})
