/** How much a conversation takes at a time, and what it does with what comes meanwhile, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Text from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import { isThorough } from "../thoroughness.ts"
import * as Serving from "../utils/Serving.ts"
import { finish, gated, isDone, textsOf } from "./Conversations.fixture.ts"

const user = (text: string) => ({ message: Text.user(text), source: { type: "user" } }) as const

const reply = (text: string) =>
  ({
    message: { role: "assistant", content: [Block.text(text)] },
    source: { type: "model", model: "a/b", finish: "stop", usage: Usage.none },
  }) as const

/** Requests of one conversation. */
const requestsOf = (client: Serving.Client, id: string) => ({
  say: (parent: string, text: string, other: object = {}) =>
    client.send("POST", `/api/conversations/${id}/messages`, { parent, text, ...other }),
  answer: (after: string, other: object = {}) =>
    client.send("POST", `/api/conversations/${id}/answers`, { after, ...other }),
  stop: (answer?: string) => client.post(`/conversations/${id}/stop`, answer === undefined ? {} : { answer }),
  state: () => client.get(`/conversations/${id}`),
})

describe("the limits of a conversation", () => {
  it.scopedLive("are sixteen answers at a time, with room again for each that is stopped", () =>
    Effect.gen(function* () {
      const { model } = yield* gated()
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const { answer, say, state, stop } = requestsOf(client, id)
        const { message } = (await say(id, "Hi", { n: 8 })).body
        assert.strictEqual((await answer(message.id, { n: 8 })).status, 200)
        const { answers } = await state()
        assert.lengthOf(answers, 16)
        for (const refused of [await answer(message.id), await say(message.id, "And?")]) {
          assert.strictEqual(refused.status, 400)
          assert.match(refused.body.message, /^16 answers at the same time are the limit/)
        }
        assert.deepStrictEqual(await stop("none"), { stopped: 0 })
        assert.deepStrictEqual(await stop(answers[3].id), { stopped: 1 })
        assert.strictEqual((await answer(message.id, { n: 2 })).status, 400)
        while ((await state()).answers.length === 16) await new Promise((resolve) => setImmediate(resolve))
        assert.strictEqual((await answer(message.id)).status, 200)
        assert.strictEqual((await answer(message.id)).status, 400)
        assert.deepStrictEqual(await stop(), { stopped: 16 })
      })
    }),
  )

  it.scopedLive("are the reasons of the latest sixteen answers that have failed", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const { say, state } = requestsOf(client, id)
        const heard = await client.listen()
        const sent: Array<string> = []
        let count = 0
        for (const [text, n] of [
          ["one", 1],
          ["two", 8],
          ["three", 8],
        ] as const) {
          const { message } = (await say(id, text, { n })).body
          sent.push(message.id)
          count += n
          await heard.until(() => heard.events.filter(isDone).length === count)
        }
        const after = (await state()).answers.map(({ after }: { after: string }) => after)
        assert.deepStrictEqual(
          after,
          [sent[1], sent[2]].flatMap((message) => Array.from({ length: 8 }, () => message)),
        )
        heard.close()
      })
    }),
  )

  it.scopedLive("are the newest hundred versions of the text, the newest first", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "" })
      const nodes = yield* client.forest.append(
        id,
        Array.from({ length: 202 }, (_, n) => (n % 2 === 0 ? user("Again") : reply(`Prompt: cat ${(n + 1) / 2}`))),
      )
      const versions = yield* Effect.promise(() => client.get(`/conversations/${id}/document/versions`))
      assert.lengthOf(versions, 100)
      const last = nodes.at(-1)
      assert.deepStrictEqual(versions[0], {
        message: last?.id,
        by: versions[0].by,
        at: last?.createdAt,
        text: "cat 101",
      })
      assert.strictEqual(versions[99].text, "cat 2")
    }),
  )

  it.scopedLive("are fifty conversations of a list, which goes on before a time", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      for (let n = 0; n < 52; n++) {
        const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
        yield* client.forest.append(id, [user(`number ${n}`)])
      }
      const { id: index } = yield* client.forest.startConversation({
        owner: "index",
        systemPrompt: "",
        folder: "/project",
      })
      yield* client.forest.append(index, [user("Explain")])
      yield* Effect.promise(async () => {
        const all = await client.get("/conversations")
        assert.strictEqual(all.length, 50)
        const { changed, messages, running } = all[0]
        assert.deepStrictEqual([messages, running], [1, false])
        assert.deepStrictEqual(await client.get(`/conversations?before=${all[49].changed - 1_000_000}`), [])
        for (const { changed: time } of await client.get(`/conversations?before=${changed}`)) {
          assert.isBelow(time, changed)
        }
        const found = await client.get("/conversations?search=number%207")
        assert.include(
          found.map(({ title }: { title: string }) => title),
          "number 7",
        )
      })
    }),
  )
})

describe("what comes while a conversation answers", () => {
  it.scopedLive("is sent where it belongs: after the answer, or on the branch of an earlier message", () =>
    Effect.gen(function* () {
      const { model, open } = yield* gated()
      const client = yield* Serving.serve({ model })
      const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
      const nodes = yield* client.forest.append(id, [user("one"), reply("yes")])
      const [one, yes] = nodes.map((node) => node.id) as [NodeId, NodeId]
      yield* Effect.promise(async () => {
        const { say } = requestsOf(client, id)
        const heard = await client.listen()
        const { message } = (await say(yes, "two")).body
        await say(one, "another two")
        await say(message.id, "three")
        await open()
        const stored = async (text: string) => {
          const event = await heard.until((event) => event.type === "message" && event.message.text === text)
          return event.type === "message" ? event.message : assert.fail()
        }
        const pathOf = async (text: string) =>
          textsOf((await client.get(`/conversations/${id}?leaf=${(await stored(text)).id}`)).messages)
        const branch = await pathOf("another two")
        assert.deepStrictEqual([branch[0], branch.at(-1), branch.includes("yes")], ["one", "another two", false])
        assert.deepStrictEqual(await pathOf("three"), ["one", "yes", "two", "gated begins and ends", "three"])
        heard.close()
      })
    }),
  )

  it.scopedLive("goes on after an answer beside the conversation's own is stopped, and not after its own is", () =>
    Effect.gen(function* () {
      for (const [which, count] of [
        [1, 2],
        [0, 1],
      ] as const) {
        const { model, open, requests } = yield* gated()
        const client = yield* Serving.serve({ model })
        yield* Effect.promise(async () => {
          const id = await Serving.begin(client)
          const { answer, say, state, stop } = requestsOf(client, id)
          const heard = await client.listen()
          const { message } = (await say(id, "one")).body
          await answer(message.id)
          await heard.until(
            () => requests.length === 2 && heard.events.filter(({ type }) => type === "delta").length >= 2,
          )
          await say(message.id, "two")
          const { answers } = await state()
          assert.deepStrictEqual(await stop(answers[which].id), { stopped: 1 })
          await heard.until((event) => event.type === "answer" && event.answer.state === "stopped")
          await open()
          await heard.until(() => heard.events.filter(isDone).length >= 2)
          if (count === 2) await heard.until((event) => event.type === "message" && event.message.text === "two")
          else assert.deepStrictEqual(textsOf((await state()).waiting), ["two"])
          heard.close()
        })
      }
    }),
  )

  it.scopedLive("is shown as running in lists and on pages, until all answers have ended", () =>
    Effect.gen(function* () {
      const { model, open } = yield* gated()
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const { id } = await client.post("/conversations", {})
        const { say } = requestsOf(client, id)
        const heard = await client.listen()
        const { message } = (await say(id, "Hi", { n: 2 })).body
        const running = async () => {
          const [listed] = await client.get("/conversations")
          return [listed.id, listed.running]
        }
        assert.deepStrictEqual(await running(), [id, true])
        await open()
        await heard.until(() => heard.events.filter(isDone).length === 2)
        await heard.until(
          (event) => event.type === "conversation" && !event.summary.running && event.summary.messages === 3,
        )
        assert.deepStrictEqual(await running(), [id, false])
        const { leaf, summary } = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual([leaf, summary.running], [message.id, false])
        heard.close()
      })
    }),
  )

  it.scopedLive("is refused at a message of another conversation, and again after what no user has said", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const [mine, other] = [
        yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" }),
        yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" }),
      ]
      const [, answered] = yield* client.forest.append(mine.id, [user("Hi"), reply("Hello")])
      const [foreign] = yield* client.forest.append(other.id, [user("Hi")])
      const count = (yield* client.forest.subtree(mine.id)).length
      yield* Effect.promise(async () => {
        const { answer, say } = requestsOf(client, mine.id)
        for (const id of [foreign?.id ?? "", other.id]) {
          const leaf = await client.send("PUT", `/api/conversations/${mine.id}/leaf`, { leaf: id })
          const statuses = [leaf.status, (await say(id, "And?")).status, (await answer(id)).status]
          assert.deepStrictEqual(statuses, [404, 404, 404])
        }
        const { body, status } = await answer(answered?.id ?? "")
        assert.deepStrictEqual([status, body.message], [400, "only a message of yours can be answered again"])
      })
      assert.lengthOf(yield* client.forest.subtree(mine.id), count)
    }),
  )

  it.scopedLive("follows the answer if it was said at a message of it, however much came before", () =>
    Effect.gen(function* () {
      for (const before of isThorough ? [0, 1, 2] : [0, 2]) {
        const gate = yield* Deferred.make<void>()
        let requests = 0
        const model = LanguageModel.make(new ModelId({ provider: "scripted", name: "tools" }), (_, emit) =>
          Effect.gen(function* () {
            requests++
            if (requests === 1) {
              const call = Part.ToolUse({ id: "call-1", name: "list", parameters: {} })
              return yield* emit([call, Part.Finish({ reason: "tool_calls", usage: Usage.none })])
            }
            if (requests === 2) yield* Deferred.await(gate)
            yield* emit([Part.Text({ text: `answer ${requests}` }), finish])
          }),
        )
        const client = yield* Serving.serve({ model, hasTools: true })
        const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "", folder: "/project" })
        const earlier = yield* client.forest.append(id, [user("zero"), reply("yes")].slice(0, before))
        yield* Effect.promise(async () => {
          const { say, state } = requestsOf(client, id)
          const heard = await client.listen()
          await say(earlier.at(-1)?.id ?? id, "one")
          const event = await heard.until((event) => event.type === "message" && event.message.kind === "tool")
          const parent = event.type === "message" ? event.message.id : assert.fail()
          // A message with a picture waits for the end of the answer.
          const data = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1").toString("base64")
          assert.strictEqual((await say(parent, "two", { pictures: [{ data }] })).body.waiting.text, "two")
          await Effect.runPromise(Deferred.succeed(gate, undefined))
          await heard.until(() => heard.events.filter(isDone).length === 2)
          const texts = textsOf((await state()).messages).filter((text) => text !== "" && !text.startsWith("["))
          assert.deepStrictEqual(texts, [...["zero", "yes"].slice(0, before), "one", "answer 2", "two", "answer 3"])
          heard.close()
        })
      }
    }),
  )

  it.scopedLive("tells a page of a defect that it is a mistake in vibe itself", () =>
    Effect.gen(function* () {
      const model = LanguageModel.make(new ModelId({ provider: "scripted", name: "broken" }), () =>
        Effect.die(new Error("it broke")),
      )
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const { say, state } = requestsOf(client, id)
        const heard = await client.listen()
        await say(id, "Hi")
        await heard.until(isDone)
        const [answer] = (await state()).answers
        assert.deepStrictEqual([answer.state, answer.error], ["failed", "a mistake in vibe itself"])
        heard.close()
      })
    }),
  )
})
