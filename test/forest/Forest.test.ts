import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, TestClock } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import { Answering, type ForestError, NotFound } from "../../src/forest/ForestError.ts"
import * as SqliteForestStore from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import { type Draft, type Node, repliesIn } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"

/** The store is there to break what the forest would never write. */
const withForest = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(SqliteForestStore.layerMemory), Layer.provide(Ids.layerSequence)),
)

const draft = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })

const texts = (nodes: ReadonlyArray<Node>) => nodes.map((node) => Message.text(node.message))

const notFound = (id: string) => new NotFound({ id: NodeId.make(id) })

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

/** A draft of a caller without types: any field may be anything. */
const foreign = (value: unknown): Draft => Object.assign(draft("x"), value)

const calling = (block: object): unknown => ({
  message: { role: "assistant", content: [{ type: "tool-use", id: "c", name: "f", parameters: {}, ...block }] },
  source: { type: "notice" },
})

const replied = (source: object): unknown => ({
  message: { role: "assistant", content: [Block.text("x")] },
  source: { type: "model", model: "own/model", finish: "stop", usage: Usage.none, ...source },
})

/** An object that is in itself. */
const circle: Record<string, unknown> = {}
circle.circle = circle

describe("Forest, of what could not be read again", () => {
  it.effect.each<readonly [what: string, draft: unknown, issue: string]>([
    ["an unknown role", { message: { role: "robot", content: [Block.text("x")] } }, "message.role"],
    ["a call of the user", { message: { role: "user", content: [Block.toolUse("c", "f", {})] } }, "content.0.type"],
    [
      "a result without its call",
      { message: { role: "tool", name: "f", content: [Block.text("x")] } },
      "message.tool_call_id: is missing",
    ],
    ["a text in place of blocks", { message: { role: "user", content: "hello" } }, "message.content"],
    ["no blocks", { message: { role: "user", content: [] } }, "message.content.0: is missing"],
    ["no message", { message: undefined }, "message"],
    ["an unknown block", { message: { role: "assistant", content: [{ type: "sound" }] } }, "message.content.0.type"],
    ["a blank tool name", calling({ name: "" }), "message.content.0.name"],
    ["a call without an id", calling({ id: undefined }), "message.content.0.id"],
    ["parameters that are a list", calling({ parameters: [1] }), "message.content.0.parameters"],
    ["parameters that go in a circle", calling({ parameters: circle }), "message.content.0.parameters: is not JSON"],
    ["a function as a parameter", calling({ parameters: { f: () => 1 } }), "message.content.0.parameters: is not JSON"],
    [
      "metadata with a `__proto__`",
      calling({ meta: JSON.parse('{"__proto__":1}') }),
      "message.content.0.meta: is not JSON",
    ],
    ["metadata that is no JSON", calling({ meta: { count: 1n } }), "message.content.0.meta: is not JSON"],
    ["an unknown source", { source: { type: "oracle" } }, "source.type"],
    ["a source of a row that cannot be read", { source: { type: "unreadable", why: "x" } }, "source.type"],
    ["usage that is no number", replied({ usage: { ...Usage.none, inputTokens: Number.NaN } }), "usage.inputTokens"],
    ["usage that is left out", replied({ usage: undefined }), "source.usage"],
    ["half a character in the name of a model", replied({ model: "own/\ud800" }), "source.model"],
    ["a time that is none", { createdAt: Number.NaN }, "createdAt"],
    ["a time between two milliseconds", { createdAt: 1.5 }, "createdAt"],
  ])("refuses %s, says what is wrong, and adds nothing", ([, unfit, issue]) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const { reason } = yield* Effect.flip(forest.append(id, [draft("before"), foreign(unfit)]))
      if (reason._tag !== "Invalid") assert.fail(reason._tag)
      assert.include(reason.message, "The message cannot be stored: ")
      assert.include(reason.issues.join("; "), issue)
      for (const line of reason.issues) assert.isAtMost(line.length, 160)
      assert.deepStrictEqual(yield* forest.subtree(id), [])
    }).pipe(withForest),
  )

  it.effect("stores the arguments of a call without those named __proto__", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const call = calling({ parameters: JSON.parse('{"__proto__":1,"a":[{"__proto__":{"b":2},"c":3}],"d":4}') })
      const nodes = yield* forest.append(id, [foreign(call)])
      assert.deepEqual(
        nodes.map(({ message }) => message.content),
        [[Block.toolUse("c", "f", { a: [{ c: 3 }], d: 4 })]],
      )
      assert.deepStrictEqual(yield* forest.append(id, [foreign(call)]), nodes)
    }).pipe(withForest),
  )

  it.effect("stores what JSON holds, and what is left out of it", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const drafts = [calling({ parameters: { a: [null, 1.5, "\0\ud800"], b: undefined }, meta: { x: { y: {} } } })]
      assert.lengthOf(yield* forest.append(id, drafts.map(foreign)), 1)
    }).pipe(withForest),
  )

  it.effect.each<readonly [what: string, tree: object, issue: string]>([
    ["a system prompt that is no text", { systemPrompt: 5 }, "systemPrompt"],
    ["an owner that is no text", { owner: undefined }, "owner"],
    ["an owner with half a character", { owner: "\udc00" }, "owner: holds a NUL or half a character"],
  ])("refuses a tree with %s", ([, unfit, issue]) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { reason } = yield* Effect.flip(forest.root(Object.assign({ owner: "a", systemPrompt: "" }, unfit)))
      if (reason._tag !== "Invalid") assert.fail(reason._tag)
      assert.include(reason.message, `The tree cannot be stored: ${issue}`)
      assert.deepStrictEqual(yield* forest.roots(), [])
    }).pipe(withForest),
  )

  it.effect("refuses an edit that is no text", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [node] = yield* forest.append(id, [draft("x")])
      const text: string = JSON.parse("5")
      const { reason } = yield* Effect.flip(forest.edit(node?.id ?? id, text))
      assert.strictEqual(reason._tag, "Invalid")
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

/** A tree of `root → question → answer → more`, and a second answer. */
const conversation = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.root({ owner: "a", systemPrompt: "" })
  const [question, answer, more] = yield* forest.append(root, [draft("A question"), said("An answer"), draft("More")])
  const [, other] = yield* forest.append(root, [draft("A question"), said("Another answer")])
  if (question === undefined || answer === undefined || more === undefined || other === undefined) assert.fail()
  return { forest, root, question, answer, more, other }
})

const said = (text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "model", model: "scripted/test", finish: "stop", usage: Usage.none },
})

/** The texts of a path, as one reads them. */
const reading = (id: NodeId) =>
  Effect.flatMap(Forest.Forest, (forest) => Effect.map(forest.path(id), ({ nodes }) => texts(nodes)))

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
