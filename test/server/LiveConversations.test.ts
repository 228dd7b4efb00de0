/** The conversations that pages have open, over HTTP, and the text that is found in an answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Text from "../../src/message/Message.ts"
import * as LiveConversations from "../../src/server/LiveConversations.ts"
import * as Serving from "../utils/Serving.ts"

const user = (text: string) => ({ message: Text.user(text), source: { type: "user" } }) as const

describe("LiveConversations.findDocument", () => {
  it.each([
    ["A cat.", undefined],
    ["Here:\nPrompt: a cat", "a cat"],
    ["Mine:\n<document>\na dog\n</document>\n", "a dog\n"],
    ["Mine:\n<document>\na dog\n</document>\nPrompt: a cat", "a dog\n"],
  ] as const)("finds in '%s' '%s'", (answer, text) => {
    const found = LiveConversations.findDocument(answer)
    assert.strictEqual(found?.trim(), text?.trim())
  })
})

describe("the conversations of a server", () => {
  it.scopedLive("are begun and renamed for all pages", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const heard = await client.listen()
        const made = await client.post("/conversations", {})
        assert.deepStrictEqual([made.title, made.messages, made.running], ["New conversation", 0, false])
        await heard.until((event) => event.type === "conversation" && event.conversation === made.id)
        heard.close()
      })
      const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
      const [one] = yield* client.forest.append(id, [user("One")])
      yield* Effect.promise(async () => {
        const heard = await client.listen()
        for (const [at, title] of [
          [id, "First"],
          [one?.id, "Second"],
        ] as const) {
          const renamed = await client.put(`/conversations/${at}/title`, { title })
          assert.deepStrictEqual([renamed.id, renamed.title, renamed.messages], [id, title, 1])
          const event = await heard.until((event) => event.type === "conversation" && event.summary.title === title)
          assert.strictEqual(event.type === "conversation" && event.conversation, id)
        }
        const missing = await client.send("PUT", "/api/conversations/n-none/title", { title: "Third" })
        assert.strictEqual(missing.status, 404)
        heard.close()
      })
    }),
  )

  it.scopedLive("are those of any owner, of sessions too, which no tree is begun for", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { forest } = client
      const owners = ["session:a", "session#2:a", "session#12 cleared:b:c", "session#x:d", "session:", "my session:e"]
      const begun = yield* Effect.forEach(owners, (owner) =>
        Effect.gen(function* () {
          const { id } = yield* forest.startConversation({ owner, systemPrompt: "", folder: "/project" })
          yield* forest.append(id, [user(`of ${owner}`)])
          return [id, `of ${owner}`] as const
        }),
      )
      const before = yield* forest.roots()
      yield* Effect.promise(async () => {
        for (const [id, text] of begun) {
          const { leaf, messages, summary } = await client.get(`/conversations/${id}`)
          assert.deepStrictEqual([messages.length, messages[0].text, summary.id], [1, text, id])
          // A message of it leads to it, too.
          assert.strictEqual((await client.get(`/conversations/${leaf}`)).summary.id, id)
        }
        assert.strictEqual((await client.send("GET", "/api/conversations/n-none")).status, 404)
      })
      assert.deepStrictEqual(
        (yield* forest.roots()).map(({ id }) => id),
        before.map(({ id }) => id),
      )
    }),
  )
})
