/** Several answers, messages that are sent again, and answers that fail, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer } from "../../src/server/api/Conversations.ts"
import * as Serving from "../utils/Serving.ts"
import { isDone, textsOf } from "./Conversations.fixture.ts"

describe("answers of a conversation over HTTP", () => {
  it.scopedLive("has several models answer beside each other, and goes on from the one that is chosen", () =>
    Effect.gen(function* () {
      const first = Serving.scripted(["from the first"], "first")
      const second = Serving.scripted(["from the second", "Prompt: a cat"], "second")
      const client = yield* Serving.serve({ model: first, others: [first, second] })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, {
          parent: id,
          text: "Hi",
          models: ["scripted/first", "scripted/second"],
        })
        const answered = (text: string) =>
          heard.until((event) => event.type === "message" && event.message.text === text)
        await answered("from the first")
        await answered("from the second")
        let state = await client.get(`/conversations/${id}`)
        assert.strictEqual(state.leaf, message.id)
        await heard.until(() => heard.events.filter(isDone).length === 2)
        // Once more, by one of them: its prompt counts once it is chosen.
        await client.post(`/conversations/${id}/answers`, { after: message.id, models: ["scripted/second"], n: 1 })
        await heard.until(() => heard.events.filter(isDone).length === 3)
        state = await client.get(`/conversations/${id}`)
        assert.strictEqual(state.document.text, "a cat")
        const last = state.messages.at(-1)
        assert.strictEqual(last.siblings.length, 3)
        const moved = await client.put(`/conversations/${id}/leaf`, { leaf: last.siblings[0] })
        assert.deepStrictEqual(textsOf(moved.messages).length, 2)
        assert.strictEqual(moved.leaf, last.siblings[0])
        heard.close()
      })
    }),
  )

  it.scopedLive("refuses more than eight answers at once, of one model or of several", () =>
    Effect.gen(function* () {
      const model = Serving.scripted(() => "yes", "first")
      const client = yield* Serving.serve({ model, others: [model] })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const say = (models: number, n: number) =>
          client.send("POST", `/api/conversations/${id}/messages`, {
            parent: id,
            text: "Hi",
            models: Array.from({ length: models }, () => "scripted/first"),
            n,
          })
        for (const [models, n] of [
          [3, 3],
          [9, 1],
        ] as const) {
          const { body, status } = await say(models, n)
          assert.strictEqual(status, 400)
          assert.match(body.message, n === 1 ? /at most 8 item/ : /^8 answers at once are the limit\.$/)
        }
        assert.deepStrictEqual((await client.get(`/conversations/${id}`)).messages, [])
        assert.strictEqual((await say(2, 4)).status, 200)
      })
    }),
  )

  it.scopedLive("stores a message once that is sent again with its key", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted(["one", "two"]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const say = () =>
          client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi", key: "0123456789abcdef" })
        const [once, again] = [await say(), await say()]
        await heard.until(isDone)
        assert.strictEqual((await say()).message.id, once.message.id)
        assert.strictEqual(again.message.id, once.message.id)
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(state.messages), ["Hi", "one"])
        heard.close()
      })
    }),
  )

  it.scopedLive("stores a message once that is sent again after others with keys of their own", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted(["one", "two", "three"]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const say = (text: string, parent: string, answers: number) =>
          client
            .post(`/conversations/${id}/messages`, { parent, text, key: `the key of ${text}` })
            .then(async ({ message }) => {
              await heard.until(() => heard.events.filter(isDone).length >= answers)
              return message.id as string
            })
        const first = await say("a message", id, 1)
        const { leaf } = await client.get(`/conversations/${id}`)
        const second = await say("another message", leaf, 2)
        assert.strictEqual(await say("a message", id, 2), first)
        assert.strictEqual(await say("another message", leaf, 2), second)
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(state.messages), ["a message", "one", "another message", "two"])
        assert.strictEqual((await client.get(`/conversations/${id}?leaf=${first}`)).messages[0].siblings.length, 1)
        heard.close()
      })
    }),
  )

  it.scopedLive("says in a sentence why an answer has failed, also to a page that comes later", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        await heard.until(isDone)
        const { answers } = await client.get(`/conversations/${id}`)
        assert.strictEqual(answers[0].state, "failed")
        assert.match(answers[0].error, /no more lines/)
        heard.close()
      })
    }),
  )

  it.scopedLive("keeps why an answer has failed when another message follows, until it is asked for again", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const failures = (count: number) => heard.until(() => heard.events.filter(isDone).length === count)
        const { message: first } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
        await failures(1)
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: first.id, text: "two" })
        await failures(2)
        const failed = async () => {
          const { answers } = await client.get(`/conversations/${id}`)
          return answers.map(({ after, error }: Answer) => [after, error !== undefined])
        }
        assert.deepStrictEqual(await failed(), [
          [first.id, true],
          [message.id, true],
        ])
        await client.post(`/conversations/${id}/answers`, { after: first.id })
        await failures(3)
        assert.deepStrictEqual(await failed(), [
          [message.id, true],
          [first.id, true],
        ])
        heard.close()
      })
    }),
  )

  it.scopedLive("sends pages each message once, in its order, before the answers to it", () =>
    Effect.gen(function* () {
      for (const n of [1, 2]) {
        const client = yield* Serving.serve({ model: Serving.scripted(() => "yes") })
        yield* Effect.promise(async () => {
          const id = await Serving.begin(client)
          const heard = await client.listen()
          const done = (count: number) => heard.until(() => heard.events.filter(isDone).length === count)
          await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
          await done(1)
          const { document, leaf } = await client.get(`/conversations/${id}`)
          await client.put(`/conversations/${id}/document`, { text: "a text", version: document.version })
          heard.events.splice(0)
          await client.post(`/conversations/${id}/messages`, { parent: leaf, text: "two", n })
          await done(n)
          const shown = heard.events.flatMap((event) => {
            if (event.type === "message") return [`${event.message.kind} ${event.message.text}`]
            return event.type === "answer" && event.answer.text === "" && event.answer.message === undefined
              ? [event.answer.state]
              : []
          })
          assert.match(shown[0] ?? "", /^notice /)
          assert.deepStrictEqual(
            [shown[1], shown[2], shown.filter((text) => text.startsWith("notice ")).length],
            ["user two", "running", 1],
          )
          assert.lengthOf(
            shown.filter((text) => text === "assistant yes"),
            n,
          )
          assert.lengthOf(
            shown.filter((text) => text === "user two"),
            1,
          )
          const [, , third] = heard.events.filter(({ type }) => type === "message")
          assert.strictEqual(third?.type === "message" && third.message.siblings.length, 1)
          heard.close()
        })
      }
    }),
  )
})
