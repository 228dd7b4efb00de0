import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { editMessage } from "../../src/forest/editMessage.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Sqlite from "../../src/forest/ForestStore/Sqlite.ts"
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
        const edited = yield* editMessage(forest, song.id, text)
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
      assert.strictEqual((yield* editMessage(forest, song.id, "Write a song")).id, song.id)
      assert.strictEqual(yield* textAt((yield* editMessage(forest, song.id, "Write a ")).id), "Write a ")
      assert.strictEqual((yield* Effect.flip(editMessage(forest, song.id, "  "))).reason._tag, "BlankText")
    }).pipe(inMemory),
  )
})
