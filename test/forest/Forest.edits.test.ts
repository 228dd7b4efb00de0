import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { Answering, type ForestError } from "../../src/forest/ForestError.ts"
import { type Draft, repliesIn } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import { conversation, draft, notFound, reading, said, texts, withForest } from "./forests.ts"

describe("Forest.siblings", () => {
  it.effect("are the other children of the same parent, oldest first", () =>
    Effect.gen(function* () {
      const { answer, forest, more, other, question, root } = yield* conversation
      const [third] = yield* forest.append(question.id, [said("A third answer")])
      assert.isDefined(third)
      assert.deepStrictEqual(yield* forest.siblings(other.id), [answer, third])
      assert.deepStrictEqual(yield* forest.siblings(more.id), [])
      const missing = yield* Effect.flip(forest.siblings(root))
      assert.deepStrictEqual(missing.reason, notFound(root))
    }).pipe(withForest),
  )
})

describe("Forest.edit", () => {
  it.effect("changes a leaf in place, with the user as its source", () =>
    Effect.gen(function* () {
      const { forest, other, question } = yield* conversation
      const edited = yield* forest.edit(other.id, "A better answer")
      assert.deepStrictEqual(edited, {
        ...other,
        message: { role: "assistant", content: [Block.text("A better answer")] },
        source: { type: "user", replaces: repliesIn(other.source) },
      })
      assert.lengthOf(repliesIn(edited.source), 1)
      const again = yield* forest.edit(other.id, "The best answer")
      assert.deepStrictEqual(again.source, edited.source)
      assert.deepStrictEqual(texts(yield* forest.children(question.id)), ["An answer", "The best answer"])
    }).pipe(withForest),
  )

  const shapes: ReadonlyArray<readonly [what: string, text: string, path: ReadonlyArray<string>, added: number]> = [
    ["makes a sibling where nothing is in common", "Hello", ["Hello"], 1],
    ["splits where the texts part, and branches off there", "A query", ["A que", "ry"], 2],
    ["splits off the beginning that is left of it", "A que", ["A que"], 1],
    ["changes nothing where the text is the same", "A question", ["A question"], 0],
    ["adds below what is only longer", "A question, and more", ["A question", ", and more"], 1],
  ]
  for (const [what, text, path, added] of shapes) {
    it.effect(`${what}, below which something was said`, () =>
      Effect.gen(function* () {
        const { forest, more, question, root } = yield* conversation
        const before = (yield* forest.subtree(root)).length
        const edited = yield* forest.edit(question.id, text)
        assert.deepStrictEqual(yield* reading(edited.id), path)
        assert.strictEqual((yield* reading(edited.id)).join(""), text)
        assert.lengthOf(yield* forest.subtree(root), before + added)
        assert.strictEqual((yield* reading(more.id)).join(""), "A questionAn answerMore")
      }).pipe(withForest),
    )
  }

  it.effect("splits no surrogate pair, and makes no blank part", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      for (const [before, after, expected] of [
        ["one 😀", "one 😁", ["one ", "😁"]],
        ["  a", "  b", ["  b"]],
        ["a b", "a  ", ["a  "]],
        ["same ", "same", ["same"]],
        ["same", "same  ", ["same  "]],
      ] as const) {
        const [node] = yield* forest.append(id, [draft(before), draft("below")], { distinct: true })
        const edited = yield* forest.edit(node?.id ?? id, after)
        assert.deepStrictEqual<ReadonlyArray<string>>(yield* reading(edited.id), expected)
      }
    }).pipe(withForest),
  )

  it.effect("takes bookmarks along to a new branch, and leaves those of others", () =>
    Effect.gen(function* () {
      const { forest, more, other, question } = yield* conversation
      yield* forest.bookmark("mine", question.id)
      yield* forest.bookmark("leaf", other.id)
      yield* forest.bookmark("theirs", more.id)
      yield* TestClock.setTime(7)
      const edited = yield* forest.edit(question.id, "Hello")
      const leaf = yield* forest.edit(other.id, "Hello, too")
      assert.notStrictEqual(leaf.id, other.id)
      assert.strictEqual(Message.text((yield* forest.node(other.id)).message), "Another answer")
      assert.deepStrictEqual(yield* forest.bookmarks, [
        { title: "leaf", node: leaf.id, createdAt: 0, updatedAt: 7 },
        { title: "mine", node: edited.id, createdAt: 0, updatedAt: 7 },
        { title: "theirs", node: more.id, createdAt: 0, updatedAt: 0 },
      ])
    }).pipe(withForest),
  )

  it.effect("refuses what is no text of its own, and changes nothing", () =>
    Effect.gen(function* () {
      const { forest, other, root } = yield* conversation
      const call = Block.toolUse("c", "f", {})
      const [calling, result, notice, thinking, picture] = yield* forest.append(other.id, [
        { message: { role: "assistant", content: [Block.text("I call."), call] }, source: { type: "notice" } },
        { message: Message.toolResult(call, "done", false), source: { type: "tool", tool: "f" } },
        { message: { role: "system", content: [Block.text("notice")] }, source: { type: "notice" } },
        {
          message: { role: "assistant", content: [Block.thinking("hm"), Block.text("x")] },
          source: { type: "notice" },
        },
        {
          message: { role: "user", content: [Block.image("image/png", "aGVsbG8="), Block.text("x")] },
          source: { type: "user" },
        },
      ])
      const before = yield* forest.subtree(root)
      const operations: ReadonlyArray<(id: NodeId) => Effect.Effect<unknown, ForestError>> = [
        (id) => forest.edit(id, "new"),
        (id) => forest.split(id, 1),
      ]
      for (const operate of operations) {
        const reason = (id: NodeId) =>
          Effect.map(Effect.flip(operate(id)), (error) => error.message.replace(/^Cannot \w+ /, ""))
        assert.strictEqual(yield* reason(calling?.id ?? root), `${calling?.id}: it holds tool calls`)
        assert.strictEqual(yield* reason(result?.id ?? root), `${result?.id}: it holds a tool result`)
        assert.strictEqual(yield* reason(notice?.id ?? root), `${notice?.id}: it holds a notice`)
        assert.strictEqual(yield* reason(thinking?.id ?? root), `${thinking?.id}: it holds thinking`)
        assert.strictEqual(yield* reason(picture?.id ?? root), `${picture?.id}: it holds a picture`)
        assert.match(yield* reason(root), /^root node: n-0\./)
        assert.strictEqual(yield* reason(NodeId.make("nowhere")), "Node not found: nowhere")
      }
      for (const text of ["", " \n"]) {
        assert.strictEqual((yield* Effect.flip(forest.edit(other.id, text))).message, "The text is empty")
      }
      assert.deepStrictEqual(yield* forest.subtree(root), before)
    }).pipe(withForest),
  )
})

describe("Forest.split", () => {
  it.effect("puts a new node above, and leaves the id and what is below to the rest", () =>
    Effect.gen(function* () {
      const { answer, forest, more, other, question } = yield* conversation
      const { left, right } = yield* forest.split(question.id, 2)
      assert.deepStrictEqual([texts([left, right]), left.splitFrom], [["A ", "question"], question.id])
      assert.strictEqual(right.id, question.id)
      assert.deepStrictEqual([left.parent, right.parent], [question.parent, left.id])
      assert.deepStrictEqual(yield* reading(more.id), ["A ", "question", "An answer", "More"])
      assert.deepStrictEqual(
        (yield* forest.children(right.id)).map(({ id }) => id),
        [answer.id, other.id],
      )
    }).pipe(withForest),
  )

  it.effect("keeps the usage of a reply on the half that keeps its id", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id: root } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const used = { ...Usage.none, inputTokens: 10, outputTokens: 2 }
      const source = { type: "model", model: "scripted/test", finish: "stop", usage: used } as const
      const said: Draft = { message: { role: "assistant", content: [Block.text("One. Two.")] }, source }
      const [node] = yield* forest.append(root, [said])
      const { left, right } = yield* forest.split(node?.id ?? root, 4)
      assert.deepStrictEqual([left.source, right.source], [{ ...source, usage: Usage.none }, source])
    }).pipe(withForest),
  )

  it.effect("cuts neither at the ends, nor through a character, nor where one part would say nothing", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id: root } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [node] = yield* forest.append(root, [draft(" a😀b ")])
      const id = node?.id ?? root
      for (const position of [0, 1, 3, 5, 6, 7, -1, -2, 1.5, Number.NaN]) {
        const error = yield* Effect.flip(forest.split(id, position))
        assert.strictEqual(error.reason._tag, "BadPosition")
        const why =
          position === 3 ? "in the middle of a character; 2 is before it and 4 after it" : "both parts need text"
        assert.include(error.message, why)
      }
      assert.deepStrictEqual(texts(yield* forest.subtree(root)), [" a😀b "])
    }).pipe(withForest),
  )
})

const answerTo = (id: string, text: string): Draft => ({
  message: Message.toolResult(Block.toolUse(id, "look", {}), text, false),
  source: { type: "tool", tool: "look" },
})

/** Two calls that are answered in two branches, and the word after each. */
const exchange = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "a", systemPrompt: "" })
  const calls = [Block.toolUse("c1", "look", {}), Block.toolUse("c2", "look", {})] as const
  const calling: Draft = { message: { role: "assistant", content: calls }, source: { type: "user" } }
  const [asked, asking, one, two, said] = yield* forest.append(root, [
    draft("Look"),
    calling,
    answerTo("c1", "a"),
    answerTo("c2", "b"),
    draft("One"),
  ])
  assert.isDefined(asked)
  assert.isDefined(asking)
  assert.isDefined(one)
  assert.isDefined(two)
  assert.isDefined(said)
  const [other, last] = yield* forest.append(asking.id, [answerTo("c2", "b"), draft("Other")])
  assert.isDefined(other)
  assert.isDefined(last)
  return { forest, root, asked, asking, branch: [one, two] as const, other, said }
})

describe("Forest.remove", () => {
  it.effect("takes away a node with all that is below", () =>
    Effect.gen(function* () {
      const { answer, forest, more, question, root } = yield* conversation
      const { nodes } = yield* forest.remove(answer.id, "cascade")
      assert.deepStrictEqual(nodes, [answer, more])
      assert.deepStrictEqual(texts(yield* forest.subtree(root)), ["A question", "Another answer"])
      for (const { id } of nodes) {
        assert.deepStrictEqual((yield* Effect.flip(forest.path(id))).reason, notFound(id))
        assert.deepStrictEqual((yield* Effect.flip(forest.append(id, [draft("x")]))).reason, notFound(id))
      }
      yield* forest.remove(question.id, "cascade")
      assert.deepStrictEqual(yield* forest.subtree(root), [])
    }).pipe(withForest),
  )

  it.effect("moves what is below up to the parent", () =>
    Effect.gen(function* () {
      const { answer, forest, more, other, question, root } = yield* conversation
      yield* forest.remove(question.id, "reparent")
      assert.deepStrictEqual(
        (yield* forest.children(root)).map(({ id }) => id),
        [answer.id, other.id],
      )
      assert.deepStrictEqual(yield* reading(more.id), ["An answer", "More"])
    }).pipe(withForest),
  )

  it.effect("fails with the bookmarks that would be removed, and removes them only where that is allowed", () =>
    Effect.gen(function* () {
      const { answer, forest, more, other } = yield* conversation
      yield* forest.bookmark("end", more.id)
      yield* forest.bookmark("kept", other.id)
      const error = yield* Effect.flip(forest.remove(answer.id, "cascade"))
      assert.strictEqual(error.message, `Deleting ${answer.id} would take bookmarks with it: end`)
      yield* forest.remove(answer.id, "reparent")
      yield* forest.undo()
      const { bookmarks } = yield* forest.remove(answer.id, "cascade", { bookmarks: true })
      assert.deepStrictEqual(bookmarks, ["end"])
      assert.deepStrictEqual(
        (yield* forest.bookmarks).map(({ title }) => title),
        ["kept"],
      )
    }).pipe(withForest),
  )

  it.effect("takes the answers to its calls along, in each branch, where the rest is to stand", () =>
    Effect.gen(function* () {
      const { asked, asking, branch, forest, other, root, said } = yield* exchange
      const all = [branch[0], other, branch[1]]
      const { answers, bookmarks, nodes } = yield* forest.remove(asking.id, "reparent")
      assert.deepStrictEqual([nodes, answers, bookmarks], [[asking, ...all], all, []])
      assert.deepStrictEqual(texts(yield* forest.subtree(root)), ["Look", "One", "Other"])
      assert.strictEqual((yield* forest.node(said.id)).parent, asked.id)
      yield* forest.undo()
      assert.deepStrictEqual(texts((yield* forest.path(said.id)).nodes), ["Look", "", "a", "b", "One"])
    }).pipe(withForest),
  )

  it.effect(
    "does not leave a call without its answer: says which node to take instead, or takes all that follows",
    () =>
      Effect.gen(function* () {
        const { asking, branch, forest, root } = yield* exchange
        for (const { id } of branch) {
          const refused = yield* Effect.flip(forest.remove(id, "reparent"))
          assert.deepStrictEqual(refused.reason, new Answering({ id, call: asking.id, operation: "delete" }))
          assert.strictEqual(refused.message, `Cannot delete ${id} alone: it answers a call of ${asking.id}`)
        }
        const [first] = branch
        assert.isDefined(first)
        yield* forest.remove(first.id, "cascade")
        assert.deepStrictEqual(texts(yield* forest.subtree(root)), ["Look", "", "b", "Other"])
      }).pipe(withForest),
  )

  it.effect("takes an answer to nothing away like anything else", () =>
    Effect.gen(function* () {
      const { forest, more } = yield* conversation
      const [stray, after] = yield* forest.append(more.id, [answerTo("c9", "lost"), draft("Go on")])
      assert.isDefined(stray)
      assert.isDefined(after)
      yield* forest.remove(stray.id, "reparent")
      assert.strictEqual((yield* forest.node(after.id)).parent, more.id)
    }).pipe(withForest),
  )

  it.effect("takes an answer to another call away from below one, like anything else", () =>
    Effect.gen(function* () {
      const { asking, forest } = yield* exchange
      const [stray, after] = yield* forest.append(asking.id, [answerTo("c9", "lost"), draft("Go on")])
      assert.isDefined(stray)
      assert.isDefined(after)
      yield* forest.remove(stray.id, "reparent")
      assert.strictEqual((yield* forest.node(after.id)).parent, asking.id)
    }).pipe(withForest),
  )

  it.effect("refuses roots, and fails with a missing node", () =>
    Effect.gen(function* () {
      const { forest, root } = yield* conversation
      const refused = yield* Effect.flip(forest.remove(root, "cascade"))
      assert.strictEqual(
        refused.message,
        "Cannot delete root node: n-0. It is the system prompt of its tree, which never changes",
      )
      const missing = yield* Effect.flip(forest.remove(NodeId.make("nowhere"), "reparent"))
      assert.deepStrictEqual(missing.reason, notFound("nowhere"))
    }).pipe(withForest),
  )
})
