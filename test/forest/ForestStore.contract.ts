/** The contract of every ForestStore. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Bookmark } from "../../src/forest/Bookmark.ts"
import {
  BlankText,
  Changed,
  ForestError,
  NotFound,
  Purged,
  Unreadable,
  Unwritable,
} from "../../src/forest/ForestError.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import { type Change, inverse } from "../../src/forest/JournalEntry.ts"
import type { Node } from "../../src/forest/Node.ts"
import type { Root } from "../../src/forest/Root.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"

const id = NodeId.make

const root = (name: string, owner = "test", createdAt = 1): Root => ({
  id: id(name),
  owner,
  systemPrompt: `You are ${name}.\nSay "yes".`,
  createdAt,
})

const node = (name: string, parent: string, fields: Partial<Node> = {}): Node => ({
  id: id(name),
  root: id("r"),
  parent: id(parent),
  message: Message.user(`text of ${name}\nsecond line \0 😀`),
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
  node("half", "notice", { message: Message.user("two "), splitFrom: id("user") }),
  node("blank", "half", { message: { role: "assistant", content: [Block.text("a"), Block.text("")] } }),
]

const names = (all: ReadonlyArray<{ readonly id: NodeId }>) => all.map(({ id }): string => id)

const mark = (title: string, name: string): Bookmark => ({ title, node: id(name), createdAt: 1, updatedAt: 2 })

const planted = (nodes: ReadonlyArray<Node>) => (rows: ForestStore.Writer) => {
  rows.insertRoot(root("r"))
  nodes.forEach(rows.insert)
}

/** A step that fails: a store with a cache has to read again. */
const failing = (store: ForestStore.Service) =>
  Effect.flip(
    store.write(() => {
      throw new ForestError({ reason: new BlankText() })
    }),
  )

/** Runs every test on a store of its own. */
export const contract = <E>(name: string, layer: Layer.Layer<ForestStore.ForestStore, E>) =>
  describe(`ForestStore (${name})`, () => {
    const specify = <A, E2>(sentence: string, test: (store: ForestStore.Service) => Effect.Effect<A, E2>) =>
      it.effect(sentence, () => Effect.flatMap(ForestStore.ForestStore, test).pipe(Effect.provide(Layer.fresh(layer))))

    specify("gives back what was written, whole", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted(turn))
        const whole = store.read((rows) => {
          assert.deepStrictEqual(rows.root(id("r")), root("r"))
          for (const each of turn) assert.deepStrictEqual(rows.node(each.id), each)
          assert.isUndefined(rows.node(id("nowhere")))
          assert.isUndefined(rows.root(id("nowhere")))
        })
        yield* whole
        yield* failing(store)
        yield* whole
      }),
    )

    specify("gives back what no text can hold elsewhere: NUL, and half a character", (store) =>
      Effect.gen(function* () {
        const strange = "a\0b \ud83d c\u2028"
        const said = node("a", "r", { message: Message.user(strange) })
        const tree: Root = { ...root("r"), systemPrompt: strange }
        yield* store.write((rows) => {
          rows.insertRoot(tree)
          rows.insert(said)
        })
        yield* store.read((rows) => {
          assert.deepStrictEqual(rows.root(id("r")), tree)
          assert.deepStrictEqual(rows.subtree(id("r")), [said])
          assert.deepStrictEqual(names(rows.prefix(id("r"), [said.message])), ["a"])
        })
        yield* failing(store)
        yield* store.read((rows) => {
          assert.deepStrictEqual(rows.root(id("r")), tree)
          assert.deepStrictEqual(rows.node(id("a")), said)
        })
      }),
    )

    specify("takes a root for no node, and a node for no root", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted([node("a", "r")]))
        yield* store.read((rows) => {
          assert.isUndefined(rows.node(id("r")))
          assert.isUndefined(rows.root(id("a")))
        })
      }),
    )

    specify("reads the path to a node, and fails with the missing node", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted(turn))
        const paths = yield* store.read((rows) => [rows.path(id("notice")), rows.path(id("r"))])
        assert.deepStrictEqual(paths.map(names), [["user", "assistant", "tool", "notice"], []])
        const error = yield* Effect.flip(store.read((rows) => rows.path(id("nowhere"))))
        assert.deepStrictEqual(error.reason, new NotFound({ id: id("nowhere") }))
      }),
    )

    specify("reads the end of a path, up to the limit", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted(turn))
        for (const remembered of [true, false]) {
          if (!remembered) yield* failing(store)
          const ends = yield* store.read((rows) => [
            ...[0, 1, 3, 4, 5, 1000].map((limit) => rows.path(id("notice"), limit)),
            rows.path(id("r"), 0),
            rows.path(id("r"), 2),
          ])
          const whole = ["user", "assistant", "tool", "notice"]
          assert.deepStrictEqual(ends.map(names), [[], ["notice"], whole.slice(1), whole, whole, whole, [], []])
          assert.deepStrictEqual(ends[2], turn.slice(1, 4))
        }
        for (const limit of [0, 1]) {
          const error = yield* Effect.flip(store.read((rows) => rows.path(id("nowhere"), limit)))
          assert.deepStrictEqual(error.reason, new NotFound({ id: id("nowhere") }))
        }
      }),
    )

    specify("looks at the node above the end of a path, and no further", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted(turn))
        yield* store.write((rows) => rows.apply({ type: "removed", node: id("user") }))
        const missing = yield* Effect.flip(store.read((rows) => rows.path(id("notice"), 3)))
        assert.deepStrictEqual(missing.reason, new NotFound({ id: id("user") }))
        assert.deepStrictEqual(names(yield* store.read((rows) => rows.path(id("notice"), 2))), ["tool", "notice"])
      }),
    )

    specify("reads all of a path whose end was read before", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted(turn))
        yield* failing(store)
        const path = (limit?: number) =>
          Effect.map(
            store.read((rows) => rows.path(id("notice"), limit)),
            names,
          )
        assert.deepStrictEqual(yield* path(2), ["tool", "notice"])
        assert.deepStrictEqual(yield* path(3), ["assistant", "tool", "notice"])
        assert.deepStrictEqual(yield* path(), ["user", "assistant", "tool", "notice"])
        assert.deepStrictEqual(yield* path(2), ["tool", "notice"])
      }),
    )

    specify("fails for a circle, up or down, cached or not", (store) =>
      Effect.gen(function* () {
        const a = node("a", "r")
        yield* store.write((rows) => {
          planted([a, node("b", "a")])(rows)
          rows.apply({ type: "changed", before: a, after: { ...a, parent: id("b") } })
        })
        const path = Effect.flip(store.read((rows) => rows.path(id("b"))))
        const subtree = Effect.flip(store.read((rows) => rows.subtree(id("b"))))
        assert.instanceOf((yield* path).reason, Unreadable)
        assert.instanceOf((yield* subtree).reason, Unreadable)
        yield* failing(store)
        assert.instanceOf((yield* path).reason, Unreadable)
        assert.instanceOf((yield* subtree).reason, Unreadable)
      }),
    )

    specify("lists children oldest first, of their own parent alone", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted([node("z", "r"), node("below", "z"), node("m", "r"), node("a", "r")]))
        const children = yield* store.read((rows) => ["r", "z", "a", "nowhere"].map((name) => rows.children(id(name))))
        assert.deepStrictEqual(children.map(names), [["z", "m", "a"], ["below"], [], []])
      }),
    )

    specify("lists roots oldest first, of one owner or of all", (store) =>
      Effect.gen(function* () {
        const all = [root("z"), root("other", "test2"), root("m", "test", 2), root("a", "test", 2)]
        yield* store.write((rows) => all.forEach(rows.insertRoot))
        const roots = yield* store.read((rows) => [rows.roots("test"), rows.roots("TEST"), rows.roots()])
        assert.deepStrictEqual(roots.map(names), [["z", "m", "a"], [], ["z", "other", "m", "a"]])
      }),
    )

    specify("finds the oldest equal child, whatever the order of its keys", (store) =>
      Effect.gen(function* () {
        const calling = (parameters: Record<string, unknown>): Message.Message => ({
          role: "assistant",
          content: [Block.text(" "), Block.toolUse("c", "f", parameters)],
        })
        yield* store.write(
          planted([
            node("a", "r", { message: Message.user("same") }),
            node("b", "r", { message: Message.user("same") }),
            node("c", "r", { message: calling({ x: 1, y: { z: [1, 2] } }) }),
          ]),
        )
        const alike = (message: Message.Message, parent = "r") =>
          Effect.map(
            store.read((rows) => rows.prefix(id(parent), [message])),
            ([node]): string | undefined => node?.id,
          )
        assert.strictEqual(yield* alike(Message.user("same")), "a")
        assert.strictEqual(yield* alike({ role: "user", content: [Block.text(""), Block.text("same")] }), "a")
        assert.strictEqual(yield* alike(calling({ y: { z: [1, 2] }, x: 1 })), "c")
        for (const other of [
          Message.user("same "),
          Message.user("Same"),
          calling({ x: 1, y: { z: [2, 1] } }),
          { role: "assistant", content: [Block.text("same")] } as const,
        ])
          assert.isUndefined(yield* alike(other))
        assert.isUndefined(yield* alike(Message.user("same"), "a"))
        assert.isUndefined(yield* alike(Message.user("same"), "nowhere"))
      }),
    )

    specify("finds how much of a conversation is there", (store) =>
      Effect.gen(function* () {
        const said = ["a", "b", "c"].map((text) => Message.user(text))
        yield* store.write(
          planted([
            node("1", "r", { message: Message.user("a") }),
            node("2", "1", { message: Message.user("b") }),
            node("3", "r", { message: Message.user("c") }),
          ]),
        )
        const prefix = (messages: ReadonlyArray<Message.Message>, parent = "r") =>
          Effect.map(
            store.read((rows) => rows.prefix(id(parent), messages)),
            names,
          )
        assert.deepStrictEqual(yield* prefix(said), ["1", "2"])
        assert.deepStrictEqual(yield* prefix(said.slice(1)), [])
        assert.deepStrictEqual(yield* prefix(said.slice(1), "1"), ["2"])
        assert.deepStrictEqual(yield* prefix(said.slice(2)), ["3"])
        assert.deepStrictEqual(yield* prefix([]), [])
      }),
    )

    specify("finds the oldest equal child, whatever was changed, removed or undone since the last lookup", (store) =>
      Effect.gen(function* () {
        const [one, two] = [Message.user("one"), Message.user("two")]
        const [a, b, c] = [
          node("a", "r", { message: one }),
          node("b", "r", { message: two }),
          node("c", "r", { message: two }),
        ]
        yield* store.write(planted([a, b]))
        const found = Effect.map(
          store.read((rows) => rows.prefix(id("r"), [two])),
          names,
        )
        const change = (change: Change) => store.write((rows) => rows.apply(change))
        assert.deepStrictEqual(yield* found, ["b"])
        yield* store.write((rows) => rows.insert(c))
        assert.deepStrictEqual(yield* found, ["b"])
        yield* change({ type: "changed", before: a, after: { ...a, message: two } })
        assert.deepStrictEqual(yield* found, ["a"])
        yield* change({ type: "removed", node: id("a") })
        assert.deepStrictEqual(yield* found, ["b"])
        yield* Effect.flip(
          store.write((rows) => {
            rows.apply({ type: "added", node: id("a") })
            assert.deepStrictEqual(names(rows.prefix(id("r"), [two])), ["a"])
            throw new ForestError({ reason: new BlankText() })
          }),
        )
        assert.deepStrictEqual(yield* found, ["b"])
        yield* change({ type: "changed", before: b, after: { ...b, message: one } })
        assert.deepStrictEqual(yield* found, ["c"])
      }),
    )

    specify("finds what was said long ago and just now, and what was changed since", (store) =>
      Effect.gen(function* () {
        const many = Array.from({ length: 450 }, (_, n) =>
          node(`n${n}`, n === 0 ? "r" : `n${n - 1}`, {
            message: Message.user(`number ${n} ${n % 200 === 7 ? "seven" : ""}`),
          }),
        )
        yield* store.write(planted(many))
        const search = (text: string, limit?: number) =>
          Effect.map(
            store.read((rows) => rows.search({ text, limit })),
            names,
          )
        assert.deepStrictEqual(yield* search("seven"), ["n407", "n207", "n7"])
        assert.deepStrictEqual(yield* search("seven", 2), ["n407", "n207"])
        assert.deepStrictEqual(yield* search("number", 3), ["n449", "n448", "n447"])
        for (const [name, before] of [
          ["n7", many[7]],
          ["n407", many[407]],
        ] as const) {
          if (before === undefined) assert.fail(name)
          const after = { ...before, message: Message.user("eleven") }
          yield* store.write((rows) => rows.apply({ type: "changed", before, after }))
        }
        assert.deepStrictEqual(yield* search("seven"), ["n207"])
        assert.deepStrictEqual(yield* search("eleven"), ["n407", "n7"])
      }),
    )

    specify("lists descendants by level, down to the depth", (store) =>
      Effect.gen(function* () {
        yield* store.write(
          planted([
            node("a", "r"),
            node("a1", "a"),
            node("b", "r"),
            node("b1", "b"),
            node("a2", "a"),
            node("a11", "a1"),
          ]),
        )
        const below = yield* store.read((rows) => [
          rows.subtree(id("r")),
          rows.subtree(id("r"), 1),
          rows.subtree(id("a")),
          rows.subtree(id("a"), 1),
          rows.subtree(id("a"), 0),
        ])
        assert.deepStrictEqual(below.map(names), [
          ["a", "b", "a1", "a2", "b1", "a11"],
          ["a", "b"],
          ["a", "a1", "a2", "a11"],
          ["a", "a1", "a2"],
          ["a"],
        ])
      }),
    )

    specify("lists the ends of conversations, newest first", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([node("a", "r"), node("a1", "a"), node("b", "r")])(rows)
          rows.insertRoot(root("s"))
          rows.insert(node("c", "s", { root: id("s") }))
        })
        const leaves = yield* store.read((rows) => [rows.leaves(9), rows.leaves(2), rows.leaves(9, id("r"))])
        assert.deepStrictEqual(leaves.map(names), [
          ["c", "b", "a1"],
          ["c", "b"],
          ["b", "a1"],
        ])
      }),
    )

    specify("searches all messages, newest first, by role, model, time and tree", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([
            ...turn,
            node("late", "r", { message: Message.user("Größe der DATEI, 文件大小 read_file"), createdAt: 9 }),
          ])(rows)
          rows.insertRoot(root("s"))
          rows.insert(node("c", "s", { root: id("s"), message: Message.user("read files") }))
        })
        const search = (text: string, query: object = {}) =>
          Effect.map(
            store.read((rows) => rows.search({ text, ...query })),
            names,
          )
        assert.deepStrictEqual(yield* search("READ"), ["c", "late", "assistant"])
        assert.deepStrictEqual(yield* search("read file"), ["late", "assistant"])
        assert.deepStrictEqual(yield* search("read file*"), ["c", "late", "assistant"])
        assert.deepStrictEqual(yield* search("grosse"), [])
        assert.deepStrictEqual(yield* search("große"), ["late"])
        assert.deepStrictEqual(yield* search("大小"), ["late"])
        assert.deepStrictEqual(yield* search("a.ts"), ["assistant"])
        assert.deepStrictEqual(yield* search("read", { role: "user" }), ["c", "late"])
        assert.deepStrictEqual(yield* search("read", { root: id("r") }), ["late", "assistant"])
        assert.deepStrictEqual(yield* search("read", { model: "google/gemini-2.5-flash" }), ["assistant"])
        assert.deepStrictEqual(yield* search("read", { since: 2 }), ["late", "assistant"])
        assert.deepStrictEqual(yield* search("read", { since: 9, until: 9 }), ["late"])
        assert.deepStrictEqual(yield* search("read", { limit: 1 }), ["c"])
        for (const text of ["", "  ", "\"'*", "NOT", "read AND OR", "(", "\0"]) assert.lengthOf(yield* search(text), 0)
      }),
    )

    specify("finds ids by their beginning", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([node("ab", "r"), node("aa", "r"), node("b", "r"), node("r2", "r")])(rows)
          rows.apply({ type: "removed", node: id("b") })
        })
        const found = yield* store.read((rows) => [
          rows.idsByPrefix("a", 9),
          rows.idsByPrefix("", 2),
          rows.idsByPrefix("b", 9),
          rows.idsByPrefix("r", 9),
          rows.idsByPrefix("%", 9),
        ])
        assert.deepStrictEqual<ReadonlyArray<ReadonlyArray<string>>>(found, [
          ["aa", "ab"],
          ["aa", "ab"],
          [],
          ["r", "r2"],
          [],
        ])
      }),
    )

    specify("does not see what was removed, until it is added again, where it was", (store) =>
      Effect.gen(function* () {
        const change = (change: Change) => store.write((rows) => rows.apply(change))
        const seen = store.read((rows) => [
          names(rows.children(id("r"))),
          names(rows.subtree(id("r"))),
          names(rows.leaves(9)),
          names(rows.search({ text: "text" })),
          rows.node(id("b"))?.id ?? "",
          names(rows.prefix(id("r"), [node("b", "r").message])),
        ])
        yield* store.write(planted([node("a", "r"), node("b", "r"), node("c", "r")]))
        const before = yield* seen
        yield* change({ type: "removed", node: id("b") })
        assert.deepStrictEqual(yield* seen, [["a", "c"], ["a", "c"], ["c", "a"], ["c", "a"], "", []])
        yield* change({ type: "added", node: id("b") })
        assert.deepStrictEqual(yield* seen, before)
      }),
    )

    specify("changes the text and the parent of a node", (store) =>
      Effect.gen(function* () {
        const [a, b, c] = [node("a", "r"), node("b", "a"), node("c", "b")]
        const after = { ...c, parent: id("r"), message: Message.user("other words") }
        yield* store.write(planted([a, b, c]))
        yield* store.write((rows) => rows.apply({ type: "changed", before: c, after }))
        yield* store.read((rows) => {
          assert.deepStrictEqual(rows.node(id("c")), after)
          assert.deepStrictEqual(rows.path(id("c")), [after])
          assert.deepStrictEqual([rows.children(id("r")), rows.children(id("b"))].map(names), [["a", "c"], []])
          assert.deepStrictEqual(names(rows.search({ text: "words" })), ["c"])
          assert.deepStrictEqual(names(rows.search({ text: "text" })), ["b", "a"])
          assert.deepStrictEqual(names(rows.prefix(id("r"), [after.message])), ["c"])
          assert.deepStrictEqual(rows.prefix(id("r"), [c.message]), [])
        })
      }),
    )

    specify("moves bookmarks, and lists them by title", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([node("a", "r"), node("b", "r")])(rows)
          rows.apply({ type: "bookmarked", after: mark("z", "a") })
          rows.apply({ type: "bookmarked", after: mark("Ä b", "a") })
          rows.apply({ type: "bookmarked", before: mark("z", "a"), after: mark("z", "b") })
        })
        yield* store.read((rows) => {
          assert.deepStrictEqual(rows.bookmarks(), [mark("z", "b"), mark("Ä b", "a")])
          assert.deepStrictEqual(rows.bookmark("z"), mark("z", "b"))
          assert.isUndefined(rows.bookmark("Z"))
        })
        yield* store.write((rows) => rows.apply({ type: "bookmarked", before: mark("z", "b") }))
        assert.deepStrictEqual(yield* store.read((rows) => rows.bookmarks()), [mark("Ä b", "a")])
      }),
    )

    specify("changes nothing that is not as it was left", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([node("a", "r"), node("b", "r")])(rows)
          rows.apply({ type: "removed", node: id("b") })
          rows.apply({ type: "bookmarked", after: mark("here", "a") })
        })
        const changes: ReadonlyArray<Change> = [
          { type: "removed", node: id("b") },
          { type: "added", node: id("a") },
          { type: "removed", node: id("nowhere") },
          { type: "planted", root: id("r") },
          { type: "changed", before: node("b", "r"), after: node("b", "a") },
          { type: "bookmarked", before: mark("here", "b"), after: mark("here", "a") },
          { type: "bookmarked", after: mark("here", "a") },
          { type: "bookmarked", before: mark("gone", "a") },
          { type: "bookmarked", after: mark("there", "b") },
        ]
        for (const change of changes) {
          const error = yield* Effect.flip(store.write((rows) => rows.apply(change)))
          assert.instanceOf(error.reason, Changed)
        }
      }),
    )

    specify("keeps all of a step or nothing", (store) =>
      Effect.gen(function* () {
        yield* store.write(planted([node("a", "r"), node("b", "a")]))
        const refusal = new ForestError({ reason: new BlankText() })
        const refused = yield* Effect.flip(
          store.write((rows) => {
            rows.insertRoot(root("s"))
            rows.insert(node("c", "b"))
            const other = { ...node("a", "r"), message: Message.user("other words") }
            rows.apply({ type: "changed", before: node("a", "r"), after: other })
            rows.apply({ type: "changed", before: node("b", "a"), after: node("b", "r") })
            rows.apply({ type: "removed", node: id("b") })
            rows.apply({ type: "bookmarked", after: mark("here", "a") })
            rows.appendEntry({ root: id("r"), operation: "append", at: 1, changes: [] })
            throw refusal
          }),
        )
        assert.strictEqual(refused, refusal)
        // Where nothing was there before, nothing tells that it is no more.
        const added = store.write((rows) => {
          rows.insert(node("c", "b"))
          throw refusal
        })
        assert.strictEqual(yield* Effect.flip(added), refusal)
        yield* store.read((rows) => {
          assert.deepStrictEqual(names(rows.roots()), ["r"])
          assert.deepStrictEqual(rows.subtree(id("r")), [node("a", "r"), node("b", "a")])
          assert.isUndefined(rows.node(id("c")))
          assert.deepStrictEqual(rows.bookmarks(), [])
          assert.isUndefined(rows.latest())
        })
      }),
    )

    specify("gives no id twice, not even that of what was removed", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([node("a", "r"), node("b", "r")])(rows)
          rows.apply({ type: "removed", node: id("b") })
        })
        const writes: ReadonlyArray<(rows: ForestStore.Writer) => void> = [
          (rows) => rows.insertRoot(root("r", "thief")),
          (rows) => rows.insertRoot(root("a")),
          (rows) => rows.insert(node("r", "r")),
          (rows) => rows.insert(node("a", "r", { message: Message.user("another") })),
          (rows) => rows.insert(node("b", "r")),
        ]
        for (const write of writes) assert.instanceOf((yield* Effect.flip(store.write(write))).reason, Unwritable)
        assert.deepStrictEqual(yield* store.read((rows) => rows.subtree(id("r"))), [node("a", "r")])
      }),
    )

    specify("finds removed nodes by a prefix of the id, and lists everything that is stored", (store) =>
      Effect.gen(function* () {
        yield* store.write((rows) => {
          planted([node("ab", "r"), node("aa", "ab"), node("b", "ab", { splitFrom: id("aa") })])(rows)
          rows.insertRoot(root("s"))
          for (const name of ["b", "aa"]) rows.apply({ type: "removed", node: id(name) })
          rows.apply({ type: "uprooted", root: id("s") })
          rows.appendEntry({ root: id("r"), operation: "append", at: 5, changes: [{ type: "added", node: id("ab") }] })
        })
        yield* store.read((rows) => {
          const removed = ["", "a", "x"].map((prefix) => rows.removedIdsByPrefix(prefix, 2))
          assert.deepStrictEqual<unknown>(removed, [["aa", "b"], ["aa"], []])
          const inventory = rows.inventory()
          assert.deepStrictEqual(Array.from(inventory.trees), [
            { id: id("r"), isRemoved: false, isErased: false },
            { id: id("s"), isRemoved: true, isErased: false },
          ])
          const stored = { root: id("r"), splitFrom: undefined }
          assert.deepStrictEqual(Array.from(inventory.nodes), [
            { ...stored, id: id("ab"), parent: id("r"), isRemoved: false },
            { ...stored, id: id("aa"), parent: id("ab"), isRemoved: true },
            { ...stored, id: id("b"), parent: id("ab"), isRemoved: true, splitFrom: id("aa") },
          ])
          assert.deepStrictEqual(
            Array.from(inventory.entries).map(({ entry, root }) => [root, entry?.changes]),
            [[id("r"), [{ type: "added", node: id("ab") }]]],
          )
          assert.deepStrictEqual(inventory.messageOf(id("aa")), node("aa", "ab").message)
        })
      }),
    )

    specify("removes for good what is planned, and gives its id to another", (store) =>
      Effect.gen(function* () {
        const [a, b, c] = [node("a", "r"), node("b", "a"), node("c", "r", { splitFrom: id("a") })]
        const added: Change = { type: "added", node: c.id }
        yield* store.write((rows) => {
          planted([a, b, c])(rows)
          rows.insertRoot(root("s"))
          rows.apply({ type: "bookmarked", after: mark("here", "b") })
          rows.appendEntry({
            root: id("r"),
            operation: "append",
            at: 5,
            changes: [{ type: "added", node: a.id }, added],
          })
        })
        yield* store.erase((rows) =>
          rows.purge({
            nodes: new Set([a.id, b.id]),
            trees: new Set([id("s")]),
            uprooted: new Set([id("s")]),
            entries: new Map([[1, [added]]]),
            touched: new Set([id("r"), id("s")]),
            purged: { nodes: 2, trees: 1, texts: 0, bookmarks: ["here"] },
          }),
        )
        yield* store.read((rows) => {
          const { splitFrom: _, ...rest } = c
          assert.deepStrictEqual(rows.subtree(id("r")), [rest])
          assert.deepStrictEqual(rows.bookmarks(), [])
          assert.deepStrictEqual(names(rows.roots()), ["r"])
          assert.deepStrictEqual(rows.removedIdsByPrefix("", 9), [])
          assert.deepStrictEqual(rows.latest()?.changes, [added])
        })
        yield* store.write((rows) => rows.insert(a))
        assert.deepStrictEqual(names(yield* store.read((rows) => rows.subtree(id("r")))), ["c", "a"])
      }),
    )

    specify("undoes no entry that a purge has emptied, or marked", (store) =>
      Effect.gen(function* () {
        const step = (changes: ReadonlyArray<Change>) =>
          store.write((rows) => rows.appendEntry({ root: id("r"), operation: "append", at: 5, changes }))
        yield* store.write(planted([node("a", "r")]))
        yield* step([{ type: "added", node: id("a") }])
        yield* step([])
        yield* step([{ type: "removed", node: id("a") }, { type: "purged" }])
        assert.strictEqual((yield* store.read((rows) => rows.latest()))?.id, 1)
        const error = yield* Effect.flip(store.write((rows) => rows.apply({ type: "purged" })))
        assert.instanceOf(error.reason, Purged)
      }),
    )

    specify("stores a journal, and finds the next entry to undo", (store) =>
      Effect.gen(function* () {
        const changes: ReadonlyArray<Change> = [
          { type: "changed", before: node("a", "r"), after: node("a", "r") },
          { type: "bookmarked", after: mark("here", "a") },
        ]
        yield* store.write((rows) => {
          planted([node("a", "r"), node("b", "r")])(rows)
          rows.insertRoot(root("s"))
          rows.appendEntry({
            root: id("r"),
            operation: "append",
            at: 5,
            changes: [
              { type: "added", node: id("a") },
              { type: "added", node: id("b") },
            ],
          })
          rows.appendEntry({ root: id("r"), operation: "edit", at: 6, changes })
          rows.appendEntry({ root: id("s"), operation: "root", at: 7, changes: [{ type: "planted", root: id("s") }] })
        })
        const latest = (tree?: string) =>
          store.read((rows) => rows.latest(tree === undefined ? {} : { root: id(tree) }))
        assert.deepStrictEqual(yield* latest(), {
          id: 3,
          root: id("s"),
          operation: "root",
          at: 7,
          changes: [{ type: "planted", root: id("s") }],
        })
        assert.deepStrictEqual(yield* latest("r"), { id: 2, root: id("r"), operation: "edit", at: 6, changes })
        yield* store.write((rows) =>
          rows.appendEntry({ root: id("r"), operation: "undo", at: 8, changes: [], undoes: 2 }),
        )
        assert.deepStrictEqual((yield* latest("r"))?.changes, [
          { type: "added", node: id("a") },
          { type: "added", node: id("b") },
        ])
        assert.strictEqual((yield* latest())?.id, 3)
      }),
    )

    specify("finds the entries of an operation, their author, and the entries that undid them", (store) =>
      Effect.gen(function* () {
        const entry = { root: id("r"), at: 5 }
        const added = (name: string): ReadonlyArray<Change> => [{ type: "added", node: id(name) }]
        const moved: Change = { type: "changed", before: node("c", "r"), after: node("c", "a") }
        yield* store.write((rows) => {
          planted([node("a", "r"), node("b", "r"), node("c", "r")])(rows)
          rows.appendEntry({
            ...entry,
            operation: "append",
            changes: added("a"),
            operationId: "o",
            author: "loom append",
          })
          rows.appendEntry({ ...entry, operation: "append", changes: added("b"), author: "loomed" })
          rows.appendEntry({
            ...entry,
            operation: "edit",
            changes: [moved, ...added("c")],
            operationId: "o",
            author: "loom",
          })
          rows.appendEntry({ ...entry, operation: "undo", changes: inverse(added("b")), undoes: 2, author: "chat" })
          rows.appendEntry({ ...entry, operation: "redo", changes: added("b"), undoes: 4 })
        })
        yield* store.read((rows) => {
          assert.deepStrictEqual(
            [1, 2, 3, 9].map((entry) => rows.operation(entry).map(({ id }) => id)),
            [[1, 3], [2], [1, 3], []],
          )
          const third = { ...entry, id: 3, operation: "edit", operationId: "o", author: "loom", nodes: 2, first: 1 }
          assert.deepStrictEqual<unknown>(rows.entry(3), third)
          assert.isUndefined(rows.entry(9))
          assert.deepStrictEqual([rows.undoOf(2)?.id, rows.undoOf(4)?.id, rows.undoOf(1)?.id], [4, 5, undefined])
          assert.deepStrictEqual(
            rows.recent(3).map((entries) => entries.map(({ id }) => id)),
            [[5], [4], [1, 3]],
          )
          assert.lengthOf(rows.recent(9), 4)
          const found: ReadonlyArray<ForestStore.EntryFilter> = [
            {},
            { by: "loom" },
            { by: "loom append" },
            { by: "loom append", except: ["o"] },
            { by: "loomed" },
            { isUndo: true },
            { root: id("s") },
          ]
          assert.deepStrictEqual(
            found.map((which) => rows.latest(which)?.id),
            [5, 3, 1, undefined, undefined, undefined, undefined],
          )
          assert.deepStrictEqual(
            ["a", "b", "c", "r", "nowhere"].map((name) => rows.entryThatAdded(id(name))),
            [1, 2, 3, undefined, undefined],
          )
          assert.deepStrictEqual(
            [0, 3].map((since) => rows.changedSince(since).map(({ id }) => id)),
            [[3], []],
          )
        })
      }),
    )

    specify("lists running operations", (store) =>
      Effect.gen(function* () {
        const underWay = store.read((rows) => rows.runningOperations())
        yield* store.write((rows) => {
          rows.startOperation("one")
          rows.startOperation("other")
        })
        yield* store.write((rows) => rows.startOperation("one"))
        assert.sameMembers([...(yield* underWay)], ["one", "other"])
        yield* store.endOperation("one")
        yield* store.endOperation("nowhere")
        assert.deepStrictEqual(yield* underWay, ["other"])
      }),
    )
  })
