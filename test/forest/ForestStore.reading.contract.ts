/** The contract of every ForestStore: what is read of its nodes, paths, branches and texts. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { BlankText, ForestError, NotFound, Unreadable } from "../../src/forest/ForestError.ts"
import type { Change } from "../../src/forest/JournalEntry.ts"
import type { Root } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { failing, id, names, node, planted, root, type Specify, turn } from "./storedNodes.ts"

export const reads = (specify: Specify): void => {
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
        planted([node("a", "r"), node("a1", "a"), node("b", "r"), node("b1", "b"), node("a2", "a"), node("a11", "a1")]),
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
}
