/** Lists of conversations, and the kinds of their messages, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Serving from "../utils/Serving.ts"

const user = (text: string) =>
  ({ message: { role: "user", content: [Block.text(text)] }, source: { type: "user" } }) as const

const isDone = (event: { readonly type: string; readonly answer?: unknown }) =>
  event.type === "answer" && (event.answer as { state: string }).state !== "running"

describe("the list of conversations", () => {
  it.scopedLive("has those of the folder, those of all folders, and those in which words are found", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const begin = Effect.fnUntraced(function* (folder: string, text: string) {
        const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder })
        yield* client.forest.append(id, [user(text)])
        return id
      })
      const retries = yield* begin("/project", "How are requests retried?")
      const colours = yield* begin("/project", "Which colours are there?")
      const elsewhere = yield* begin("/other", "Who retried it?")
      yield* Effect.promise(async () => {
        const list = async (query = "") =>
          (await client.get(`/conversations${query}`)).map(({ id }: { id: string }) => id)
        assert.sameMembers(await list(), [retries, colours])
        assert.sameMembers(await list("?all=true"), [retries, colours, elsewhere])
        assert.deepStrictEqual(await list("?search=retried"), [retries])
        assert.sameMembers(await list("?search=retried&all=true"), [retries, elsewhere])
      })
    }),
  )
})

describe("a conversation over HTTP", () => {
  it.scopedLive("says of each message whether the user, the model or a tool has written it", () =>
    Effect.gen(function* () {
      const model = Serving.scripted([{ text: "I look.", toolCalls: [{ name: "list" }] }, "One file."])
      const client = yield* Serving.serve({ model, hasTools: true })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        await heard.until(isDone)
        const { messages } = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(
          messages.map(({ kind }: { kind: string }) => kind),
          ["user", "assistant", "tool", "assistant"],
        )
        heard.close()
      })
    }),
  )
})
