import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as History from "../../src/conversation/History.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Message from "../../src/message/Message.ts"
import { withScript } from "../utils/Looms.ts"

const say = (text: string) => ({ message: Message.user(text), source: { type: "user" } }) as const

describe("History.entry", () => {
  it.effect("has a message whole that an edit has divided", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S" })
      const [poem] = yield* forest.append(root.id, [say("Write a poem"), say("Roses")])
      const { id } = yield* forest.edit(poem?.id ?? root.id, "Write a longer poem")
      const entry = yield* History.entry(forest, id, History.SHOWN)
      if (entry._tag !== "History") assert.fail()
      assert.deepStrictEqual(
        entry.nodes.map(({ message }) => Message.text(message)),
        ["Write a longer poem"],
      )
      assert.isFalse(entry.more)
    }).pipe(withScript([])),
  )
})
