import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as Conversation from "../../src/forest/Conversation.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Conversations from "../../src/forest/ForestStore/internal/conversations.ts"
import * as Seal from "../../src/forest/ForestStore/internal/seal.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Operation from "../../src/forest/Operation.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"

const inMemory = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(Sqlite.layerMemory), Layer.provide(Ids.layerSequence)),
)

const inFile = (file: string) =>
  Effect.provide(Layer.fresh(Forest.layer.pipe(Layer.provideMerge(Sqlite.layer(file)), Layer.provide(Ids.layer))))

const user = (text: string, createdAt: number): Draft => ({
  message: Message.user(text),
  source: { type: "user" },
  createdAt,
})

const model = (createdAt: number, ...content: Message.Assistant["content"]): Draft => ({
  message: { role: "assistant", content },
  source: { type: "notice" },
  createdAt,
})

const notice = (text: string, createdAt: number): Draft => ({
  message: { role: "system", content: [Block.text(text)] },
  source: { type: "notice" },
  createdAt,
})

const last = (nodes: ReadonlyArray<Node>): Node => nodes.at(-1) ?? assert.fail("there is no node")

/** A conversation of a question and an answer, at these times. */
const talk = (text: string, at: number, folder?: string) =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "", folder })
    const nodes = yield* forest.append(root.id, [user(text, at), model(at + 5, Block.text("an answer"))])
    return { root, end: last(nodes) }
  })

const titles = (filter: Omit<Conversation.Filter, "limit"> & { readonly limit?: number } = {}) =>
  Effect.flatMap(Forest.Forest, (forest) =>
    Effect.map(forest.conversations({ limit: 100, ...filter }), (found) => found.map(({ title }) => title)),
  )

const find = (id: NodeId) =>
  Effect.flatMap(Forest.Forest, (forest) =>
    Effect.map(
      forest.conversation(id),
      Option.getOrElse(() => assert.fail(`${id} is in no conversation`)),
    ),
  )

/** What `verify` finds. */
const problems = Effect.flatMap(ForestStore.ForestStore, ({ verify }) => Effect.map(verify, ({ problems }) => problems))

describe("Forest.startConversation", () => {
  it.effect("makes a tree of its own for each, also with the same owner and system prompt", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const shared = yield* forest.root({ owner: "chat", systemPrompt: "" })
        const [one, other] = [yield* talk("one", 1), yield* talk("other", 2)]
        assert.strictEqual(new Set([shared.id, one.root.id, other.root.id]).size, 3)
        assert.strictEqual((yield* forest.root({ owner: "chat", systemPrompt: "" })).id, shared.id)
        assert.strictEqual((yield* forest.root(one.root)).id, one.root.id)
        assert.deepStrictEqual(yield* forest.roots("chat"), [shared, one.root, other.root])
        assert.strictEqual((yield* forest.subtree(one.root.id)).length, 2)
      }),
    ),
  )

  it.effect("lists it from its first message on, with its folder", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "prd", systemPrompt: "", folder: "/home/me/app" })
        assert.deepStrictEqual(yield* titles(), [])
        assert.strictEqual((yield* find(root.id)).leaf, root.id)
        const [asked] = yield* forest.append(root.id, [user("Export as CSV", 7)])
        assert.deepStrictEqual(yield* forest.conversations({ limit: 10 }), [
          {
            root: root.id,
            tree: root.id,
            owner: "prd",
            kind: "prd",
            folder: "/home/me/app",
            title: "Export as CSV",
            isNamed: false,
            created: 7,
            changed: 7,
            messages: 1,
            leaf: asked?.id ?? assert.fail(),
          },
        ])
      }),
    ),
  )

  it.effect("takes the folder of the operation where it is given none", () =>
    inMemory(
      Effect.gen(function* () {
        const { root } = yield* Effect.locally(talk("hello", 1), Operation.folder, "/home/me")
        assert.strictEqual((yield* find(root.id)).folder, "/home/me")
      }),
    ),
  )
})

describe("Forest.conversations", () => {
  it.effect("lists the one with the latest message first, in parts", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const [one] = [yield* talk("one", 10), yield* talk("two", 20), yield* talk("three", 20)]
        assert.deepStrictEqual(yield* titles(), ["three", "two", "one"])
        yield* forest.append(one.end.id, [user("more", 30)])
        assert.deepStrictEqual(yield* titles(), ["one", "three", "two"])
        const [first, second] = yield* forest.conversations({ limit: 2 })
        assert.deepStrictEqual(yield* titles({ before: first }), ["three", "two"])
        assert.deepStrictEqual(yield* titles({ before: second }), ["two"])
        assert.deepStrictEqual(yield* titles({ limit: 1, before: first }), ["three"])
      }),
    ),
  )

  it.effect("lists those of a folder, an owner or a kind, and those with some words in their title", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        yield* talk("Wie heißt die Äpfel-Sorte?", 10, "/a")
        yield* talk("Count the apples", 20, "/b")
        const index = yield* forest.root({ owner: "index:/a", systemPrompt: "" })
        yield* forest.append(index.id, [user("Explore", 30)])
        assert.deepStrictEqual(yield* titles({ folder: "/a" }), ["Explore", "Wie heißt die Äpfel-Sorte?"])
        assert.deepStrictEqual(yield* titles({ folder: "/c" }), [])
        assert.deepStrictEqual(yield* titles({ owner: "chat", folder: "/b" }), ["Count the apples"])
        assert.deepStrictEqual(yield* titles({ kinds: ["index"] }), ["Explore"])
        assert.deepStrictEqual((yield* titles({ exceptKinds: ["index"] })).length, 2)
        const session = yield* forest.root({ owner: "session#2:x", systemPrompt: "" })
        yield* forest.append(session.id, [user("Of a session", 40)])
        assert.deepStrictEqual(yield* titles({ kinds: ["session"] }), ["Of a session"])
        assert.deepStrictEqual(yield* titles({ search: "apfel WIE" }), ["Wie heißt die Äpfel-Sorte?"])
        assert.deepStrictEqual(yield* titles({ search: "count pears" }), [])
      }),
    ),
  )

  it.effect("counts what the user and the model have said in all branches, as one conversation", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { root } = yield* talk("Why?", 1)
        const [asked] = yield* forest.subtree(root.id)
        if (asked === undefined) assert.fail()
        const call = Block.toolUse("c", "f", { text: '"type":"tool-use"' })
        const answer = {
          message: Message.toolResult(call, "found", false),
          source: { type: "tool", tool: "f" },
        } as const
        const [, , other] = yield* forest.append(asked.id, [
          model(2, Block.text("I look"), call),
          answer,
          model(3, Block.text('so: {"type":"tool-use"}'), Block.text("yes")),
        ])
        const found = yield* forest.conversations({ limit: 10 })
        assert.deepStrictEqual(
          found.map(({ leaf, messages, title }) => ({ leaf, messages, title })),
          [{ leaf: other?.id ?? root.id, messages: 3, title: "Why?" }],
        )
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.effect("has no title of a notice: the first message after the notices makes it", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "document:/a.md", systemPrompt: "" })
        const [first] = yield* forest.append(root.id, [notice("[user edited prompt to: x]", 1)])
        const [second] = yield* forest.append(first?.id ?? root.id, [notice("[user edited prompt to: y]", 2)])
        assert.deepStrictEqual(yield* titles(), [])
        assert.strictEqual((yield* find(root.id)).title, "")
        const asked = yield* forest.append(second?.id ?? root.id, [user("Shorten it", 3), model(4, Block.text("Done"))])
        yield* forest.append(root.id, [user("Another branch", 5)])
        assert.deepStrictEqual(yield* titles(), ["Shorten it"])
        assert.deepStrictEqual(yield* problems, [])
        yield* forest.remove(asked[0]?.id ?? root.id, "cascade")
        assert.deepStrictEqual(yield* titles(), ["Another branch"])
        yield* forest.undo()
        assert.deepStrictEqual(yield* titles(), ["Shorten it"])
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.effect("has no title of a notice in a shared tree either", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.root({ owner: "document:/a.md", systemPrompt: "" })
        yield* forest.append(root.id, [notice("[user edited prompt to: x]", 1), user("Shorten it", 2)])
        yield* forest.append(root.id, [user("A conversation of its own", 3)])
        assert.deepStrictEqual(yield* titles(), ["A conversation of its own", "Shorten it"])
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.effect("follows edits, deletions, undo and redo", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { end, root } = yield* talk("Why?", 1)
        const state = Effect.map(find(root.id), ({ leaf, messages, title }) => ({ leaf, messages, title }))
        const before = yield* state
        yield* forest.remove(end.id, "cascade")
        assert.deepStrictEqual(yield* state, { leaf: end.parent, messages: 1, title: "Why?" })
        yield* forest.edit(end.parent, "How then?")
        assert.strictEqual((yield* state).title, "How then?")
        yield* forest.undo()
        yield* forest.undo()
        assert.deepStrictEqual(yield* state, before)
        yield* forest.undo()
        assert.deepStrictEqual(yield* titles(), [])
        assert.deepStrictEqual(yield* problems, [])
        yield* forest.redo()
        assert.deepStrictEqual(yield* state, before)
        assert.deepStrictEqual(yield* titles(), ["Why?"])
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.effect("lists each branch below the root of a shared tree, also where its first message is split", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { id } = yield* forest.root({ owner: "ask", systemPrompt: "" })
        assert.isTrue(Option.isNone(yield* forest.conversation(id)))
        const one = yield* forest.append(id, [user("the first question", 1), model(2, Block.text("yes"))])
        yield* forest.append(id, [user("the second question", 3)])
        const [first] = one
        if (first === undefined) assert.fail()
        yield* forest.rename(first.id, "named")
        yield* forest.append(last(one).id, [user("more", 4)])
        assert.deepStrictEqual(yield* titles(), ["named", "the second question"])
        const { left } = yield* forest.split(first.id, 10)
        const found = yield* find(last(one).id)
        assert.deepStrictEqual([found.root, found.title, found.messages], [left.id, "named", 3])
        assert.deepStrictEqual(yield* problems, [])
        yield* forest.undo()
        assert.deepStrictEqual(yield* titles(), ["named", "the second question"])
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.effect("has the whole first message as its title, also where an edit has divided it", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { end, root } = yield* talk("Write a poem", 1)
        const longer = yield* forest.edit(end.parent, "Write a longer poem")
        assert.deepStrictEqual(yield* titles(), ["Write a poem"])
        yield* forest.remove(end.parent, "cascade")
        assert.deepStrictEqual(yield* titles(), ["Write a longer poem"])
        yield* forest.edit(longer.id, "short poem")
        assert.deepStrictEqual(yield* titles(), ["Write a short poem"])
        yield* forest.remove(longer.id, "cascade")
        assert.deepStrictEqual(yield* titles(), ["Write a"])
        yield* forest.append(longer.parent, [user("novel", 9)])
        assert.deepStrictEqual(yield* titles(), ["Write a novel"])
        assert.strictEqual((yield* find(root.id)).title, "Write a novel")
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.scoped(
    "keeps in the file that an edit which adds to the end of a message is a part of it, and takes that back",
    () =>
      Effect.gen(function* () {
        const file = path.join(yield* temporaryFolder, "forest.db")
        const { end, root } = yield* talk("Write a poem", 1).pipe(inFile(file))
        const edited = yield* Effect.flatMap(Forest.Forest, (forest) =>
          forest.edit(end.parent, "Write a poem of roses"),
        ).pipe(inFile(file))
        const state = Effect.gen(function* () {
          const forest = yield* Forest.Forest
          const { splitFrom } = yield* forest.node(end.parent)
          return { splitFrom, messages: (yield* find(root.id)).messages, problems: yield* problems }
        })
        assert.deepStrictEqual(yield* state.pipe(inFile(file)), { splitFrom: end.parent, messages: 3, problems: [] })
        yield* Effect.flatMap(Forest.Forest, (forest) => forest.undo()).pipe(inFile(file))
        assert.deepStrictEqual(yield* state.pipe(inFile(file)), { splitFrom: undefined, messages: 2, problems: [] })
        yield* Effect.flatMap(Forest.Forest, (forest) => forest.redo()).pipe(inFile(file))
        yield* Effect.flatMap(Forest.Forest, (forest) => forest.purge(edited.id)).pipe(inFile(file))
        const { messages, problems: found } = yield* state.pipe(inFile(file))
        assert.deepStrictEqual({ messages, problems: found }, { messages: 2, problems: [] })
      }),
  )

  it.effect("keeps the title and counts each version where an edit adds to the end of the first message", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { end, root } = yield* talk("Write a poem", 1)
        yield* forest.edit(end.parent, "Write a poem of roses")
        const { messages, title } = yield* find(root.id)
        assert.deepStrictEqual([messages, title], [3, "Write a poem"])
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.effect("counts a message that an edit has divided once in each branch", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { end, root } = yield* talk("Write a poem", 1)
        const count = Effect.map(find(root.id), ({ messages }) => messages)
        const longer = yield* forest.edit(end.parent, "Write a longer poem")
        assert.strictEqual(yield* count, 3)
        yield* forest.append(longer.id, [model(2, Block.text("Roses"))])
        assert.strictEqual(yield* count, 4)
        // The beginning is a message of its own where it has an answer.
        const [beginning] = yield* forest.append(longer.parent, [model(3, Block.text("A what?"))])
        assert.strictEqual(yield* count, 6)
        yield* forest.remove(beginning?.id ?? root.id, "cascade")
        assert.strictEqual(yield* count, 4)
        yield* forest.remove(end.parent, "cascade")
        yield* forest.remove(longer.id, "cascade")
        assert.strictEqual(yield* count, 1)
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.scoped("finds no fault in the count of parts by earlier versions, and counts messages after the next edit", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      const { end, root } = yield* inFile(file)(
        Effect.gen(function* () {
          const talked = yield* talk("Write a poem", 1)
          yield* Effect.flatMap(Forest.Forest, (forest) => forest.edit(talked.end.parent, "Write a longer poem"))
          return talked
        }),
      )
      const database = new DatabaseSync(file)
      const row = database.prepare("select * from conversation").get()
      const digest = Seal.conversationDigest({ ...row, messages: 4 })
      database.prepare("update conversation set messages = 4, digest = ?").run(digest)
      database.close()
      yield* inFile(file)(
        Effect.gen(function* () {
          const forest = yield* Forest.Forest
          const count = Effect.map(find(root.id), ({ messages }) => messages)
          assert.deepStrictEqual([yield* count, yield* problems], [4, []])
          yield* forest.append(end.id, [user("More", 9)])
          assert.deepStrictEqual([yield* count, yield* problems], [5, []])
          yield* forest.edit(end.parent, "Write a short poem")
          assert.deepStrictEqual([yield* count, yield* problems], [5, []])
        }),
      )
    }),
  )

  it.scoped("does not read a conversation again for an edit in place of its last message", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      const { end, root } = yield* talk("Write a poem", 1).pipe(inFile(file))
      const database = new DatabaseSync(file)
      const row = database.prepare("select * from conversation").get()
      // The count shows whether the messages were counted again.
      const digest = Seal.conversationDigest({ ...row, messages: 7 })
      database.prepare("update conversation set messages = 7, digest = ?").run(digest)
      database.close()
      const count = yield* inFile(file)(
        Effect.gen(function* () {
          const forest = yield* Forest.Forest
          const edited = yield* forest.edit(end.id, "another answer")
          assert.strictEqual(edited.id, end.id)
          return (yield* find(root.id)).messages
        }),
      )
      assert.strictEqual(count, 7)
    }),
  )

  it.effect("follows an edit of a first message that comes after a notice", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
        const end = last(
          yield* forest.append(root.id, [notice("[user edited prompt to: x]", 1), user("Shorten it", 2)]),
        )
        yield* forest.edit(end.id, "Make it longer")
        assert.deepStrictEqual(yield* titles(), ["Make it longer"])
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )

  it.scoped.each<[Conversation.Filter, string]>([
    [{ limit: 9 }, "conversation_changed"],
    [{ limit: 9, owner: "chat" }, "conversation_changed"],
    [{ limit: 9, kinds: ["chat"], exceptKinds: ["index"] }, "conversation_changed"],
    [{ limit: 9, owner: "chat", folder: "/a" }, "conversation_folder"],
    [{ limit: 9, kinds: ["chatgpt"], folder: null }, "conversation_folder"],
    [{ limit: 9, folder: "/a", before: { root: NodeId.make("r"), changed: 1 } }, "conversation_folder"],
  ])("finds the newest by an index, and sorts none: %o", ([filter, index]) =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* talk("one", 1).pipe(inFile(file))
      const database = new DatabaseSync(file)
      const plan = database
        .prepare(`explain query plan ${Conversations.query(filter)}`)
        .all({})
        .map(({ detail }) => String(detail))
      database.close()
      assert.match(plan[0] ?? "", new RegExp(`\\bc USING INDEX ${index}\\b`))
      assert.notInclude(plan.join(), "TEMP B-TREE")
    }),
  )
})

describe("Forest.rename", () => {
  it.effect("gives a conversation a name of one line, which stays", () =>
    inMemory(
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { end, root } = yield* talk("Why?", 1)
        assert.strictEqual((yield* forest.rename(root.id, "  the\n sky ")).title, "the sky")
        yield* forest.append(end.id, [user("more", 9)])
        yield* forest.undo()
        assert.deepStrictEqual(yield* titles(), ["the sky"])
        const refused = yield* Effect.flip(forest.rename(root.id, " \n"))
        assert.strictEqual(refused.reason._tag, "BadTitle")
        const missing = yield* Effect.flip(forest.rename(end.id, "no root"))
        assert.strictEqual(missing.reason._tag, "NotFound")
        assert.deepStrictEqual(yield* problems, [])
      }),
    ),
  )
})

describe("Conversation.titleOf", () => {
  const titleOf = (text: string) => Conversation.titleOf({ message: Message.user(text) })

  it("takes the beginning of a message on one line of at most 60 characters, cut between words", () => {
    assert.strictEqual(titleOf("\n Why is\n\n the sky blue? "), "Why is the sky blue?")
    const long = titleOf("Please tell me why the sky is blue at noon and nearly red in the evening")
    assert.strictEqual(long, "Please tell me why the sky is blue at noon and nearly red…")
    assert.strictEqual(titleOf("x".repeat(100)).length, 60)
  })

  it("leaves out files, input and control characters", () => {
    assert.strictEqual(titleOf('<file path="a">\nlet a\n</file>\n\nWhat is @a?'), "What is @a?")
    assert.strictEqual(titleOf("<stdin>\nlet a\n</stdin>\n\nWhat is it?"), "What is it?")
    assert.notInclude(titleOf("a\u001b[31mred\u0007"), "\u001b")
  })
})

describe("Conversations in a file", () => {
  /** A forest that the version before wrote: see the list in the test. */
  const formatTwo = fileURLToPath(new URL("formatTwo.db.gz", import.meta.url))

  it.scoped("lists those of a forest of format 2, where chats share their trees, and keeps the forest", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      fs.writeFileSync(file, zlib.gunzipSync(fs.readFileSync(formatTwo)))
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const found = yield* forest.conversations({ limit: 100 })
        assert.deepStrictEqual(
          found.map(({ changed, folder, kind, messages, title }) => [kind, folder, title, messages, changed]),
          [
            ["index", "/home/me/app", "Explore the code", 2, 6010],
            ["document", "/home/me/notes", "Make it shorter", 2, 5010],
            ["prd", undefined, "Export as CSV", 3, 4020],
            ["chat", undefined, "A long question about everything and more, of many more…", 2, 3010],
            ["chat", undefined, "What does @a.ts do?", 2, 2030],
            ["chat", undefined, "Why is the sky blue?", 6, 1050],
            ["ask", undefined, "What is 1 + 1?", 2, 510],
          ],
        )
        const sky = found[5] ?? assert.fail()
        const { nodes } = yield* forest.path(sky.leaf)
        assert.strictEqual(Message.text(last(nodes).message), "Then it is dark")
        yield* forest.append(sky.leaf, [user("Thanks", 7000)])
        yield* forest.rename(sky.root, "The sky")
        assert.deepStrictEqual(yield* titles({ owner: "chat", limit: 1 }), ["The sky"])
        assert.deepStrictEqual(yield* problems, [])
      }).pipe(inFile(file))
      assert.deepStrictEqual(yield* titles({ owner: "chat", limit: 1 }).pipe(inFile(file)), ["The sky"])
    }),
  )

  it.scoped("leaves no byte of the title of a conversation that is purged", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { root } = yield* talk("hunter2xyz", 1)
        yield* forest.rename(root.id, "swordfishxyz")
        const other = yield* talk("marmalade", 2)
        yield* forest.edit(other.end.parent, "jam")
        yield* forest.purge(root.id)
        yield* forest.purge("removed")
        assert.deepStrictEqual(yield* problems, [])
      }).pipe(inFile(file))
      const bytes = fs.readFileSync(file, "latin1")
      for (const word of ["hunter2xyz", "swordfishxyz"]) assert.notInclude(bytes, word)
    }),
  )

  it.scoped("finds that the list is harmed, and mends it", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { root } = yield* talk("one", 1)
        yield* forest.rename(root.id, "named")
        yield* talk("two", 2)
      }).pipe(inFile(file))
      const database = new DatabaseSync(file)
      database.exec(
        "update conversation set messages = 7 where title = 'named'; delete from conversation where title = 'two'",
      )
      database.close()
      const read = Effect.either(titles()).pipe(inFile(file))
      assert.strictEqual((yield* read)._tag, "Left")
      const found = yield* problems.pipe(inFile(file))
      assert.deepStrictEqual(
        found.map(({ isMendable, what }) => [what, isMendable]),
        [
          ["is listed as it was not written", true],
          ["is in no list", true],
        ],
      )
      yield* Effect.flatMap(ForestStore.ForestStore, ({ mend }) => mend).pipe(inFile(file))
      assert.deepStrictEqual(yield* titles().pipe(inFile(file)), ["two", "named"])
      assert.deepStrictEqual(yield* problems.pipe(inFile(file)), [])
    }),
  )

  it.scoped("keeps titles and folders where the file is removed while it is in use", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "forest.db")
      yield* Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const { end, root } = yield* talk("one", 1, "/home/me")
        yield* forest.rename(root.id, "named")
        for (const name of [file, `${file}-wal`, `${file}-shm`]) fs.rmSync(name, { force: true })
        yield* forest.append(end.id, [user("more", 3)])
        const { folder, messages, title } = yield* find(root.id)
        assert.deepStrictEqual([folder, messages, title], ["/home/me", 3, "named"])
        assert.deepStrictEqual(yield* problems, [])
      }).pipe(inFile(file))
    }),
  )
})
