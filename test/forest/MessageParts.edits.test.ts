import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
import * as ForestStore from "../../src/forest/ForestStore.ts"
import * as MessageParts from "../../src/forest/MessageParts.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Ids from "../../src/message/Ids.ts"
import * as Message from "../../src/message/Message.ts"

const inMemory = Effect.provide(
  Forest.layer.pipe(Layer.provideMerge(Sqlite.layerMemory), Layer.provide(Ids.layerSequence)),
)

const user = (text: string): Draft => ({ message: Message.user(text), source: { type: "user" } })
const answer = (text: string): Draft => ({
  message: { role: "assistant", content: [Block.text(text)] },
  source: { type: "notice" },
})

const problems = Effect.flatMap(ForestStore.ForestStore, ({ verify }) => Effect.map(verify, ({ problems }) => problems))

/** `Write a poem` with an answer, and its edit `Write a song`, with an answer too. */
const editedForest = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
  const [poem] = yield* forest.append(root, [user("Write a poem"), answer("Roses")])
  if (poem === undefined) return assert.fail()
  const song = yield* forest.edit(poem.id, "Write a song")
  yield* forest.append(song.id, [answer("La la")])
  const textAt = (id: typeof song.id) =>
    Effect.map(MessageParts.read(forest, id), (parts) => Message.text(MessageParts.join(parts).message))
  return { forest, poem, song, textAt }
})

describe("editMessage", () => {
  it.effect("replaces the whole text of a message that an edit has divided", () =>
    Effect.gen(function* () {
      const { forest, poem, song, textAt } = yield* editedForest
      for (const text of ["Write a song, please", "Write a sonnet", "Sing", "Write a poem about roses"]) {
        const edited = yield* MessageParts.editMessage(forest, song.id, text)
        assert.strictEqual(yield* textAt(edited.id), text)
        assert.isEmpty(yield* forest.children(edited.id))
      }
      assert.strictEqual(yield* textAt(song.id), "Write a song", "the earlier version stays")
      assert.strictEqual(yield* textAt(poem.id), "Write a poem")
    }).pipe(inMemory),
  )

  it.effect("goes back to where the text is already, and refuses one without words", () =>
    Effect.gen(function* () {
      const { forest, song, textAt } = yield* editedForest
      assert.strictEqual((yield* MessageParts.editMessage(forest, song.id, "Write a song")).id, song.id)
      assert.strictEqual(yield* textAt((yield* MessageParts.editMessage(forest, song.id, "Write a ")).id), "Write a ")
      assert.strictEqual((yield* Effect.flip(MessageParts.editMessage(forest, song.id, "  "))).reason._tag, "BlankText")
    }).pipe(inMemory),
  )

  it.effect("moves the bookmarks of the message, and not those of another version of it", () =>
    Effect.gen(function* () {
      const { forest, poem, song } = yield* editedForest
      yield* forest.bookmark("song", song.id)
      yield* forest.bookmark("poem", poem.id)
      const edited = yield* MessageParts.editMessage(forest, song.id, "Sing")
      assert.deepStrictEqual(
        (yield* forest.bookmarks).map(({ node, title }) => [title, node]),
        [
          ["poem", poem.id],
          ["song", edited.id],
        ],
      )
    }).pipe(inMemory),
  )
})

/** `Write` with an answer, and two edits that add to its end, the second with an answer. */
const extendedForest = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const { id: root } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
  const [write = assert.fail()] = yield* forest.append(root, [user("Write"), answer("What?")])
  const poem = yield* forest.edit(write.id, "Write a poem")
  const song = yield* forest.edit(write.id, "Write a song")
  const [reply = assert.fail()] = yield* forest.append(song.id, [answer("La la")])
  /** The messages of the path to a node, as readers see them. */
  const textsTo = (id: typeof song.id) =>
    Effect.map(forest.path(id), ({ nodes }) => MessageParts.joinAll(nodes).map(({ message }) => Message.text(message)))
  return { forest, poem, reply, root, song, textsTo }
})

describe("a message to whose end edits have added", () => {
  it.effect("stays one where the first of them is purged", () =>
    Effect.gen(function* () {
      const { forest, poem, reply, textsTo } = yield* extendedForest
      yield* forest.purge(poem.id)
      assert.deepStrictEqual(yield* textsTo(reply.id), ["Write a song", "La la"])
      assert.deepStrictEqual(yield* problems, [])
    }).pipe(inMemory),
  )

  it.effect("stays one where an undo would take back the first of them, which is refused", () =>
    Effect.gen(function* () {
      const { forest, reply, textsTo } = yield* extendedForest
      const edits = (yield* forest.history(10)).filter(({ kinds }) => kinds.includes("edit"))
      const first = edits.at(-1) ?? assert.fail()
      assert.strictEqual((yield* Effect.flip(forest.undoOperation(first.id))).reason._tag, "Conflict")
      assert.deepStrictEqual(yield* textsTo(reply.id), ["Write a song", "La la"])
    }).pipe(inMemory),
  )

  it.effect("is one in a copy of a path that has but one of them, also where its beginning is there already", () =>
    Effect.gen(function* () {
      const { forest, reply, textsTo } = yield* extendedForest
      for (const before of [[], [user("Write")], [user("Write"), answer("What?")]]) {
        const { id: other } = yield* forest.startConversation({ owner: "chat", systemPrompt: `${before.length}` })
        yield* forest.append(other, before)
        const { id } = yield* forest.copy(reply.id, other, "path")
        assert.deepStrictEqual(yield* textsTo(id), ["Write a song", "La la"])
      }
      assert.deepStrictEqual(yield* problems, [])
    }).pipe(inMemory),
  )
})

describe("Forest.edit", () => {
  it.effect("gives back the message whole, however it is stored", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      for (const text of [
        "Write a poem about cats",
        "Write",
        "Wr",
        "Sing",
        "Write a p\u{1F600}",
        "Write a sonnet, please",
      ]) {
        const { id: root } = yield* forest.startConversation({ owner: "chat", systemPrompt: "" })
        const [poem] = yield* forest.append(root, [user("Write a poem"), answer("Roses")])
        const edited = yield* forest.edit(poem?.id ?? root, text)
        assert.strictEqual(Message.text(edited.message), text)
        assert.strictEqual((yield* forest.node(edited.id)).parent, edited.parent)
      }
    }).pipe(inMemory),
  )

  it.effect("gives back no more than was edited, if the node is itself a part", () =>
    Effect.gen(function* () {
      const { forest, song } = yield* editedForest
      const edited = yield* forest.edit(song.id, "sonnet")
      assert.strictEqual(Message.text(edited.message), "sonnet")
    }).pipe(inMemory),
  )

  it.effect("leaves one message for one below a root", () =>
    Effect.gen(function* () {
      const { forest, poem, song } = yield* editedForest
      const { root } = yield* forest.path(poem.id)
      const textsBelow = (id: typeof song.id) =>
        Effect.map(MessageParts.children(forest, id), (nodes) => nodes.map(({ message }) => Message.text(message)))
      assert.sameMembers([...(yield* textsBelow(root.id))], ["Write a poem", "Write a song"])
      assert.deepStrictEqual(yield* textsBelow(poem.id), ["Roses"])
      const cats = yield* forest.edit(song.id, "song about cats")
      assert.sameMembers([...(yield* textsBelow(root.id))], ["Write a poem", "Write a song", "Write a song about cats"])
      assert.deepStrictEqual(yield* textsBelow(song.id), ["La la"])
      assert.isEmpty(yield* textsBelow(cats.id))
    }).pipe(inMemory),
  )
})
