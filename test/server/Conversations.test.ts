/** Conversations as a page has them, over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import * as Block from "../../src/message/Block.ts"
import * as Text from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { InvalidRequest, ModelError } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import type { Answer } from "../../src/server/api/Conversations.ts"
import { isThorough } from "../thoroughness.ts"
import * as Serving from "../utils/Serving.ts"
import { finish, gated, isDone, textsOf } from "./Conversations.fixture.ts"

describe("a conversation over HTTP", () => {
  it.scopedLive("has the versions of a message that an edit has divided, and goes on, edits and answers at each", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const model = LanguageModel.make(new ModelId({ provider: "scripted", name: "test" }), (request, emit) => {
        requests.push(request)
        return emit([Part.Text({ text: `answer ${requests.length}` }), finish])
      })
      const client = yield* Serving.serve({ model })
      const { forest } = client
      const id = NodeId.make(yield* Effect.promise(() => Serving.begin(client)))
      const source = { type: "user" } as const
      const [poem, reply] = yield* forest.append(id, [
        { message: Text.user("Write a poem"), source },
        { message: { role: "assistant", content: [Block.text("Roses")] }, source: { type: "notice" } },
      ])
      if (poem === undefined || reply === undefined) assert.fail()
      const longer = yield* forest.edit(poem.id, "Write a longer poem")
      const sing = yield* Effect.promise(async () => {
        const { leaf, messages } = await client.put(`/conversations/${id}/leaf`, { leaf: poem.id, below: true })
        assert.strictEqual(leaf, reply.id)
        assert.deepStrictEqual(textsOf(messages), ["Write a ", "poem", "Roses"])
        const [begin, end] = messages
        assert.deepStrictEqual([begin.continues, end.continues], [undefined, true])
        assert.deepStrictEqual(begin.siblings, [poem.id, longer.id])
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: begin.parent, text: "Sing" })
        await heard.until(isDone)
        heard.close()
        return message
      })
      const aloud = yield* forest.edit(sing.id, "Sing aloud")
      yield* Effect.promise(async () => {
        const { leaf } = await client.put(`/conversations/${id}/leaf`, { leaf: sing.id, below: true })
        assert.notStrictEqual(leaf, aloud.id)
        const heard = await client.listen()
        await client.post(`/conversations/${id}/answers`, { after: aloud.id })
        await heard.until(isDone)
        heard.close()
        const { messages } = await client.put(`/conversations/${id}/leaf`, { leaf: aloud.id, below: true })
        assert.deepStrictEqual(textsOf(messages), ["Sing", " aloud", "answer 2"])
        assert.deepStrictEqual(messages[0].siblings, [poem.id, longer.id, sing.id, aloud.id])
        const asked = requests[1]?.messages.filter(({ role }) => role === "user") ?? []
        assert.strictEqual(asked.map(Text.text).join(""), "Sing aloud")
      })
    }),
  )

  it.scopedLive("stores a message, streams its answer, and has both in its state", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted(["Hello!"]) })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        assert.strictEqual(message.text, "Hi")
        await heard.until(isDone)
        const types = heard.events.map(({ type }) => type)
        assert.deepStrictEqual(types.slice(0, 4), ["hello", "message", "answer", "conversation"])
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(state.messages), ["Hi", "Hello!"])
        assert.strictEqual(state.leaf, state.messages[1].id)
        assert.strictEqual(state.summary.title, "Hi")
        // An answer that has ended well is a message alone.
        assert.deepStrictEqual(state.answers, [])
        heard.close()
      })
    }),
  )

  it.scopedLive("has the pictures of a message that a browser may show, and describes others in words", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { id } = yield* client.forest.startConversation({ owner: "chat", systemPrompt: "" })
      const png = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1")
      const content = [
        Block.text("Look"),
        Block.image("image/svg+xml", Buffer.from("<svg onload='alert(1)'/>").toString("base64")),
        Block.image("image/png", png.toString("base64")),
      ] as const
      const message = { role: "user", content } as const
      const [node = assert.fail()] = yield* client.forest.append(id, [{ message, source: { type: "user" } }])
      yield* Effect.promise(async () => {
        const [shown] = (await client.get(`/conversations/${id}`)).messages
        assert.deepStrictEqual([shown.text, shown.pictures], ["Look\n[image/svg+xml, 1 kB]", ["image/png, 1 kB"]])
        const place = `/api/conversations/${id}/pictures?message=${node.id}`
        const { body, headers, status } = await client.send("GET", `${place}&number=0`)
        assert.deepStrictEqual([status, headers["content-type"]], [200, "image/png"])
        assert.include(body, "and more")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.include(headers["content-security-policy"], "sandbox")
        for (const query of [`${place}&number=1`, `${place}&number=-1`, `${place}&number=0.5`]) {
          assert.strictEqual((await client.send("GET", query)).status, 404, query)
        }
        const other = (await client.post("/conversations", {})).id
        const foreign = await client.send("GET", `/api/conversations/${other}/pictures?message=${node.id}&number=0`)
        assert.strictEqual(foreign.status, 404)
      })
    }),
  )

  it.scopedLive("says nothing of how full a context is whose size is not known", () =>
    Effect.gen(function* () {
      const model = Serving.scripted(["Hello!"])
      const served = { ...model, limits: { context: Number.POSITIVE_INFINITY, output: 100 } }
      const client = yield* Serving.serve({ model: served })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual([state.leaf, state.context], [id, undefined])
      })
    }),
  )

  it.scopedLive("has the text so far of an answer that is running, and keeps that part where it is stopped", () =>
    Effect.gen(function* () {
      const { model } = yield* gated()
      const client = yield* Serving.serve({ model: { ...model, price: { input: 1, output: 2 } } })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        await heard.until(({ type }) => type === "delta")
        // A page that reloads.
        const { answers } = await client.get(`/conversations/${id}`)
        assert.strictEqual(answers[0].text, "gated begins")
        assert.strictEqual(answers[0].state, "running")
        assert.deepStrictEqual(await client.post(`/conversations/${id}/stop`, {}), { stopped: 1 })
        const { answer } = (await heard.until(isDone)) as never as { answer: Answer }
        assert.strictEqual(answer.state, "stopped")
        // The provider charges for it, and has not counted it.
        assert.isTrue(answer.estimated)
        assert.isAbove(answer.cost ?? 0, 0)
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(state.messages), ["Hi", "gated begins"])
        assert.deepStrictEqual(state.answers, [])
        assert.strictEqual(state.messages[1].finish, "interrupted")
        assert.isTrue(state.messages[1].estimated)
        assert.strictEqual(state.messages[1].cost, answer.cost)
        const { estimated, tokens } = await client.get(`/forest/text?of=${state.messages[1].id}`)
        assert.deepStrictEqual([estimated, tokens], [true, state.messages[1].tokens])
        heard.close()
      })
    }),
  )

  it.scopedLive("moves to no other message while an answer is running, and to any once it has ended", () =>
    Effect.gen(function* () {
      const { model, open } = yield* gated()
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        await heard.until(({ type }) => type === "delta")
        const move = (leaf: string) => client.send("PUT", `/api/conversations/${id}/leaf`, { leaf })
        const refused = await move(id)
        assert.isAtLeast(refused.status, 400)
        assert.include(refused.body.message, "an answer is in progress")
        assert.strictEqual((await move(message.id)).status, 200)
        await open()
        await heard.until(isDone)
        const moved = await move(id)
        assert.deepStrictEqual([moved.status, moved.body.leaf, moved.body.messages], [200, id, []])
        heard.close()
      })
    }),
  )

  it.scopedLive("lets a message wait while an answer is running, and sends it afterwards", () =>
    Effect.gen(function* () {
      const { model, open, requests } = yield* gated()
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
        const say = (text: string) => client.post(`/conversations/${id}/messages`, { parent: message.id, text })
        const { waiting } = await say("two")
        assert.strictEqual(waiting.text, "two")
        const other = await say("never mind")
        assert.deepStrictEqual(
          textsOf((await client.send("DELETE", `/api/conversations/${id}/waiting/${other.waiting.id}`)).body),
          ["two"],
        )
        await open()
        await heard.until((event) => event.type === "message" && event.message.text === "two")
        await heard.until((event) => isDone(event) && event.type === "answer" && event.answer.after !== message.id)
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(state.messages), [
          "one",
          "gated begins and ends",
          "two",
          "gated begins and ends",
        ])
        assert.deepStrictEqual(state.waiting, [])
        assert.strictEqual(requests.length, 2)
        heard.close()
      })
    }),
  )

  it.scopedLive("gives the model a message that waits with the results of its tools, once", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const requests: Array<Request> = []
      const model = LanguageModel.make(new ModelId({ provider: "scripted", name: "tools" }), (request, emit) =>
        Effect.gen(function* () {
          requests.push(request)
          if (requests.length > 1) return yield* emit([Part.Text({ text: "Done." }), finish])
          yield* emit([Part.Text({ text: "I look." })])
          yield* Deferred.await(gate)
          const call = Part.ToolUse({ id: "call-1", name: "list", parameters: {} })
          yield* emit([call, Part.Finish({ reason: "tool_calls", usage: Usage.none })])
        }),
      )
      const client = yield* Serving.serve({ model, hasTools: true })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
        const { waiting } = await client.post(`/conversations/${id}/messages`, { parent: message.id, text: "two" })
        assert.strictEqual(waiting.text, "two")
        await Effect.runPromise(Deferred.succeed(gate, undefined))
        await heard.until(isDone)
        const state = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(
          textsOf(state.messages).filter((text) => text !== ""),
          ["one", "I look.", "two", "Done."],
        )
        assert.deepStrictEqual(state.waiting, [])
        assert.include(JSON.stringify(requests[1]?.messages), "two")
        assert.strictEqual(requests.length, 2)
        // A page says what an answer is doing, until its text goes on.
        const activities = heard.events.flatMap((event) => (event.type === "answer" ? [event.answer.activity] : []))
        const running = activities.indexOf("running list")
        assert.isAtLeast(running, 0, JSON.stringify(activities))
        assert.include(activities.slice(running), undefined)
        heard.close()
      })
    }),
  )

  it.scopedLive("opens each tree of a session that was cleared, and begins none by that", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { forest } = client
      const begin = Effect.fnUntraced(function* (owner: string, text: string) {
        const { id } = yield* forest.startConversation({ owner, systemPrompt: "Be brief.", folder: "/project" })
        yield* forest.append(id, [{ message: Text.user(text), source: { type: "user" } }])
        return id
      })
      const before = yield* begin("session:abc", "before")
      const after = yield* begin("session#2:abc", "after")
      const other = yield* begin("chat", "other")
      const count = (yield* forest.roots()).length
      yield* Effect.promise(async () => {
        for (const [id, text] of [
          [before, "before"],
          [after, "after"],
          [other, "other"],
        ] as const) {
          const state = await client.get(`/conversations/${id}`)
          assert.deepStrictEqual(textsOf(state.messages), [text])
        }
      })
      assert.lengthOf(yield* forest.roots(), count)
    }),
  )

  it.scopedLive("lists the conversations of its folder, or of all, each with its folder", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const { forest } = client
      for (const folder of ["/project", "/elsewhere"]) {
        const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "", folder })
        yield* forest.append(root.id, [{ message: Text.user(`in ${folder}`), source: { type: "user" } }])
      }
      const list = (path: string) =>
        Effect.map(
          Effect.promise(() => client.get(path)),
          (all: ReadonlyArray<{ folder?: string; title: string }>) =>
            all.map(({ folder, title }) => [title, folder]).sort(),
        )
      assert.deepStrictEqual(yield* Effect.promise(() => client.get("/folder")), { folder: "/project" })
      assert.deepStrictEqual(yield* list("/conversations"), [["in /project", "/project"]])
      assert.deepStrictEqual(yield* list("/conversations?all=true"), [
        ["in /elsewhere", "/elsewhere"],
        ["in /project", "/project"],
      ])
    }),
  )

  it.scopedLive(
    "sends what waits after a stop no sooner than the user goes on, also where a part of it is taken back",
    () =>
      Effect.gen(function* () {
        const { model, open, requests } = yield* gated()
        const client = yield* Serving.serve({ model })
        yield* Effect.promise(async () => {
          const id = await Serving.begin(client)
          const heard = await client.listen()
          const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
          const say = (text: string) => client.post(`/conversations/${id}/messages`, { parent: message.id, text })
          const { waiting } = await say("two")
          await say("three")
          await heard.until(({ type }) => type === "delta")
          await client.post(`/conversations/${id}/stop`, {})
          await heard.until(isDone)
          await client.send("DELETE", `/api/conversations/${id}/waiting/${waiting.id}`)
          const stopped = await client.get(`/conversations/${id}`)
          assert.deepStrictEqual(textsOf(stopped.waiting), ["three"])
          assert.deepStrictEqual(textsOf(stopped.messages), ["one", "gated begins"])
          await open()
          await client.post(`/conversations/${id}/messages`, { parent: stopped.leaf, text: "four" })
          await heard.until((event) => event.type === "message" && event.message.text === "four")
          const texts = heard.events.flatMap((event) => (event.type === "message" ? [event.message.text] : []))
          assert.deepStrictEqual(
            texts.filter((text) => !text.startsWith("gated")),
            ["one", "three", "four"],
          )
          assert.isAtMost(requests.length, 3)
          heard.close()
        })
      }),
  )

  it.scopedLive("sends nothing of what waits when the answer before it has failed", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let requests = 0
      const model = LanguageModel.make(new ModelId({ provider: "scripted", name: "failing" }), (_, emit) =>
        Effect.gen(function* () {
          requests++
          yield* emit([Part.Text({ text: "begins" })])
          yield* Deferred.await(gate)
          return yield* new ModelError({ model: "failing", reason: new InvalidRequest({ message: "it cannot" }) })
        }),
      )
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
        for (const text of ["two", "three"]) {
          await client.post(`/conversations/${id}/messages`, { parent: message.id, text })
        }
        await heard.until(({ type }) => type === "delta")
        await Effect.runPromise(Deferred.succeed(gate, undefined))
        await heard.until((event) => event.type === "answer" && event.answer.state === "failed")
        const failed = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(failed.waiting), ["two", "three"])
        assert.notInclude(textsOf(failed.messages), "two")
        assert.strictEqual(requests, 1)
        heard.close()
      })
    }),
  )

  it.scopedLive("says whether models are offered tools, before any of them is asked", () =>
    Effect.gen(function* () {
      for (const hasTools of [false, true]) {
        const client = yield* Serving.serve({ model: Serving.scripted([]), hasTools })
        yield* Effect.promise(async () => {
          const state = await client.get(`/conversations/${await Serving.begin(client)}`)
          assert.strictEqual(state.hasTools, hasTools)
        })
      }
    }),
  )

  it.scopedLive("says how long each answer took, also one that was asked for again", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const id = NodeId.make(yield* Effect.promise(() => Serving.begin(client)))
      const [question] = yield* client.forest.append(id, [{ message: Text.user("Why?"), source: { type: "user" } }])
      const answer = (text: string, took?: number) => ({
        message: { role: "assistant" as const, content: [Block.text(text)] as const },
        source: { type: "model" as const, model: "a/model", finish: "stop" as const, usage: Usage.none, took },
      })
      const times = []
      for (const draft of [answer("Because."), answer("For a reason.", 4200)]) {
        const [node] = yield* client.forest.append(question?.id ?? id, [draft])
        const state = yield* Effect.promise(() => client.get(`/conversations/${id}?leaf=${node?.id}`))
        times.push(state.messages.at(-1).took)
      }
      assert.deepStrictEqual(times, [undefined, 4200])
    }),
  )

  it.scopedLive("has the end of a long path, and the messages above it a part at a time", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const id = NodeId.make(yield* Effect.promise(() => Serving.begin(client)))
      const drafts = Array.from({ length: 450 }, (_, index) => ({
        message: Text.user(`message ${index}`),
        source: { type: "user" as const },
      }))
      const last = (yield* client.forest.append(id, drafts)).at(-1)
      yield* Effect.promise(async () => {
        const state = await client.get(`/conversations/${id}?leaf=${last?.id}`)
        assert.strictEqual(state.earlier, 250)
        assert.strictEqual(state.messages.length, 200)
        const before = await client.get(`/conversations/${id}/earlier?before=${state.messages[0].id}`)
        assert.strictEqual(before.earlier, 50)
        assert.strictEqual(before.messages.at(-1).text, "message 249")
        const first = await client.get(`/conversations/${id}/earlier?before=${before.messages[0].id}`)
        assert.strictEqual(first.earlier, 0)
        assert.strictEqual(first.messages.length, 50)
      })
    }),
  )

  it.scopedLive("has the first message of the end of a path whole", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      const id = NodeId.make(yield* Effect.promise(() => Serving.begin(client)))
      const drafts = Array.from({ length: 201 }, (_, index) => ({
        message: Text.user(`message ${index}`),
        source: { type: "user" as const },
      }))
      const nodes = yield* client.forest.append(id, drafts)
      yield* client.forest.split(nodes[1]?.id ?? id, 8)
      const state = yield* Effect.promise(() => client.get(`/conversations/${id}?leaf=${nodes.at(-1)?.id}`))
      assert.deepStrictEqual(textsOf(state.messages.slice(0, 3)), ["message ", "1", "message 2"])
      assert.strictEqual(state.earlier, 1)
    }),
  )

  it.scopedLive("keeps many sessions apart, each with its messages and its text", () =>
    Effect.gen(function* () {
      const count = isThorough ? 100 : 4
      const echo = (request: Request) => {
        const said = request.messages.findLast(({ role }) => role === "user")
        return `heard ${said === undefined ? "" : Text.text(said)}`
      }
      const client = yield* Serving.serve({ model: Serving.scripted(echo) })
      yield* Effect.promise(async () => {
        const heard = await client.listen()
        const sessions = await Promise.all(
          Array.from({ length: count }, async (_, index) => {
            const { body, headers } = await client.send("GET", "/api/session")
            const id: string = body.conversation
            await client.put(`/conversations/${id}/document`, { text: `text ${index}`, version: 0 })
            await client.post(`/conversations/${id}/messages`, { parent: id, text: `message ${index}` })
            return { id, cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "" }
          }),
        )
        await heard.until(() => heard.events.filter(isDone).length === count)
        assert.strictEqual(new Set(sessions.map(({ id }) => id)).size, count)
        for (const [index, { cookie, id }] of sessions.entries()) {
          const again = await client.send("GET", "/api/session", undefined, { cookie })
          assert.strictEqual(again.body.conversation, id)
          const state = await client.get(`/conversations/${id}`)
          const said = textsOf(state.messages).filter((text) => !text.startsWith("["))
          assert.deepStrictEqual(said, [`message ${index}`, `heard message ${index}`])
          assert.strictEqual(state.document.text, `text ${index}`)
        }
        heard.close()
      })
    }),
  )

  it.scopedLive("has the conversation that a browser opened or wrote in last", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: Serving.scripted([]) })
      yield* Effect.promise(async () => {
        const { body, headers } = await client.send("GET", "/api/session")
        const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? ""
        const last = async () =>
          (await client.send("GET", "/api/session", undefined, { cookie })).body.conversation as string
        const visit = async (conversation: string) => {
          const { status } = await client.send("PUT", "/api/session", { conversation }, { cookie })
          return status
        }
        const { id } = await client.post("/conversations", {})
        assert.strictEqual(await last(), body.conversation)
        assert.isString(body.conversation)
        const visited = await client.send("PUT", "/api/session", { conversation: id }, { cookie })
        assert.deepStrictEqual([visited.status, visited.body], [200, { conversation: id }])
        assert.strictEqual(await last(), id)
        assert.notStrictEqual(await Serving.begin(client), id)
        assert.strictEqual(await visit("n-none"), 404)
        assert.strictEqual(await last(), id)
      })
    }),
  )

  it.scopedLive("refuses messages without a model, stores none of them, and sends those that name another", () =>
    Effect.gen(function* () {
      const refusal = "no key is set"
      const others = [Serving.scripted(["from the other"], "other")]
      const client = yield* Serving.serve({ model: Serving.scripted(["never"]), refusal, others })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const messages = `/conversations/${id}/messages`
        const { body, status } = await client.send("POST", `/api${messages}`, { parent: id, text: "Hi" })
        assert.deepStrictEqual([status, body.message], [400, refusal])
        for (const name of ["/nothing", "scripted/none"]) {
          const unknown = await client.send("POST", `/api${messages}`, { parent: id, text: "Hi", models: [name] })
          assert.deepStrictEqual([unknown.status, unknown.body.message.includes(name)], [400, true])
        }
        const before = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual([before.model, before.refusal, before.messages], [undefined, refusal, []])
        const heard = await client.listen()
        await client.post(messages, { parent: id, text: "Hi", models: ["scripted/other"] })
        await heard.until(isDone)
        const after = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(textsOf(after.messages), ["Hi", "from the other"])
        heard.close()
      })
    }),
  )

  it.scopedLive("reads an answer with tools to its end, on the branch of its first message", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({
        model: Serving.scripted([
          { text: "I look.", toolCalls: [{ name: "list" }] },
          "One file.",
          "Another answer.",
          "And on.",
        ]),
        hasTools: true,
      })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const count = () => heard.events.filter(isDone).length
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        await heard.until(() => count() === 1)
        await client.post(`/conversations/${id}/answers`, { after: message.id })
        await heard.until(() => count() === 2)
        const { leaf, messages } = await client.get(`/conversations/${id}`)
        await client.post(`/conversations/${id}/messages`, { parent: leaf, text: "Go on" })
        await heard.until(() => count() === 3)
        const read = async (leaf: string) =>
          textsOf((await client.get(`/conversations/${id}?leaf=${leaf}&whole=true`)).messages)
        const [first, second] = messages[1].siblings
        assert.deepStrictEqual(
          (await read(first)).filter((text) => text !== ""),
          ["Hi", "I look.", "One file."],
        )
        assert.deepStrictEqual(await read(second), ["Hi", "Another answer."])
        assert.deepStrictEqual(await read(message.id), ["Hi"])
        // Alone it is read to itself.
        assert.strictEqual((await client.get(`/conversations/${id}?leaf=${first}`)).leaf, first)
        assert.strictEqual((await client.get(`/conversations/${id}?whole=true`)).messages.at(-1).text, "And on.")
        heard.close()
      })
    }),
  )
})
