/** Pictures that a page sends with a message, over HTTP. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Picture from "../../src/message/Picture.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as DraftStore from "../../src/server/DraftStore/Sqlite.ts"
import * as DraftStorePort from "../../src/server/DraftStore.ts"
import * as SentPictures from "../../src/server/internal/sentPictures.ts"
import * as Serving from "../utils/Serving.ts"

const base64 = (bytes: string) => Buffer.from(bytes, "latin1").toString("base64")
const png = base64("\x89PNG\r\n\x1a\n and more")
const gif = base64("GIF89a and more")

/** Answers each request at once, or after `gate`. */
const recording = (options: {
  readonly name?: string
  readonly modalities?: LanguageModel.Service["modalities"]
  readonly gate?: Deferred.Deferred<void>
}) => {
  const requests: Array<Request> = []
  const { gate, modalities, name = "test" } = options
  const model = LanguageModel.make(new ModelId({ provider: "scripted", name }), (request, emit) => {
    requests.push(request)
    const text = Part.Text({ text: `answer ${requests.length}` })
    return Effect.gen(function* () {
      if (gate !== undefined) yield* Deferred.await(gate)
      yield* emit([text, Part.Finish({ reason: "stop", usage: Usage.none })])
    })
  })
  return { model: modalities === undefined ? model : { ...model, modalities }, requests }
}

/** Returns the pictures and texts of the last user message of a request. */
const shownIn = (request: Request | undefined) =>
  request?.messages
    .findLast(({ role }) => role === "user")
    ?.content.map((block: Block.Block) =>
      block.type === "image" ? `${block.media_type} ${block.data}` : block.type === "text" ? block.text : block.type,
    )

const isDone = (event: { readonly type: string; readonly answer?: unknown }) =>
  event.type === "answer" && (event.answer as { state: string }).state === "done"

/** Sends a message and waits until it is answered. */
const say = async (client: Serving.Client, id: string, payload: object) => {
  const heard = await client.listen()
  const said = await client.post(`/conversations/${id}/messages`, payload)
  await heard.until(isDone)
  heard.close()
  return said
}

describe("pictures that a page sends", () => {
  it.scopedLive("reach the model before the text, also again, in another version and by several models", () =>
    Effect.gen(function* () {
      const { model, requests } = recording({})
      const other = recording({ name: "other" })
      const client = yield* Serving.serve({ model, others: [other.model] })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const pictures = [{ data: png }, { data: gif }]
        const { message } = await say(client, id, { parent: id, text: "Look", pictures })
        assert.deepStrictEqual(message.pictures, ["image/png, 1 kB", "image/gif, 1 kB"])
        const shown = [`image/png ${png}`, `image/gif ${gif}`]
        assert.deepStrictEqual(shownIn(requests[0]), [...shown, "Look"])

        const again = await client.listen()
        await client.post(`/conversations/${id}/answers`, { after: message.id })
        await again.until(isDone)
        again.close()
        assert.deepStrictEqual(shownIn(requests[1]), [...shown, "Look"])

        const beside = await client.listen()
        await client.post(`/conversations/${id}/answers`, { after: message.id, models: ["scripted/other"], n: 2 })
        await beside.until(() => beside.events.filter(isDone).length === 2)
        beside.close()
        assert.deepStrictEqual(other.requests.map(shownIn), [
          [...shown, "Look"],
          [...shown, "Look"],
        ])

        const version = await say(client, id, {
          parent: id,
          text: "Look twice",
          pictures: [{ message: message.id, number: 1 }],
        })
        assert.deepStrictEqual(version.message.siblings, [message.id, version.message.id])
        assert.deepStrictEqual(shownIn(requests[2]), [`image/gif ${gif}`, "Look twice"])
      })
    }),
  )

  it.scopedLive("may come without a text, be answered again, and be shown", () =>
    Effect.gen(function* () {
      const { model, requests } = recording({})
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const { message } = await say(client, id, { parent: id, text: "", pictures: [{ data: png }] })
        assert.deepStrictEqual([message.text, message.pictures], ["", ["image/png, 1 kB"]])
        const again = await client.listen()
        await client.post(`/conversations/${id}/answers`, { after: message.id })
        await again.until(isDone)
        again.close()
        assert.deepStrictEqual(requests.map(shownIn), [[`image/png ${png}`], [`image/png ${png}`]])
        const path = `/api/conversations/${id}/pictures?message=${message.id}&number=0`
        assert.strictEqual((await client.send("GET", path)).headers["content-type"], "image/png")
      })
    }),
  )

  it.scopedLive("are told from others by their first bytes, and refused with a sentence; nothing is stored", () =>
    Effect.gen(function* () {
      const client = yield* Serving.serve({ model: recording({}).model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const refuse = async (pictures: ReadonlyArray<object>, text = "Look") => {
          const path = `/api/conversations/${id}/messages`
          const { body, status } = await client.send("POST", path, { parent: id, text, pictures })
          assert.strictEqual(status, 400)
          return body.message
        }
        const noPicture = (number: number) => `picture ${number} cannot be sent: PNG, JPEG, GIF and WebP in base64 can`
        const svg = base64("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
        assert.strictEqual(await refuse([{ data: png }, { data: svg }]), noPicture(2))
        assert.strictEqual(await refuse([{ data: base64("%PDF-1.7") }]), noPicture(1))
        assert.strictEqual(await refuse([{ data: `${png.replace(/=+$/, "")}*` }]), noPicture(1))
        assert.strictEqual(await refuse([{ data: `data:image/png;base64,${png}` }]), noPicture(1))
        assert.strictEqual(await refuse([{ data: "" }]), noPicture(1))
        assert.strictEqual(await refuse([], " "), "text: a message must not be blank.")
        assert.strictEqual(
          await refuse(Array.from({ length: 21 }, () => ({ data: png }))),
          "pictures: a message has at most 20 pictures.",
        )
        const half = Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(Picture.MAX_BYTES / 2)]).toString("base64")
        // It is read without HTTP, over which this much takes a second.
        const read = SentPictures.read(NodeId.make(id), [{ data: half }, { data: half }])
        const refusal = read.pipe(
          Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "none" }),
          Effect.provideService(Forest.Forest, client.forest),
        )
        assert.strictEqual(
          await Effect.runPromise(refusal),
          "the pictures of a message have at most 20 MB together, and these have 20.1 MB",
        )
        const elsewhere = await Serving.begin(client)
        const stored = await say(client, elsewhere, { parent: elsewhere, text: "Look", pictures: [{ data: png }] })
        const foreign = { message: stored.message.id, number: 0 }
        assert.strictEqual(await refuse([foreign]), `message ${foreign.message} has no picture 0`)
        assert.deepStrictEqual((await client.get(`/conversations/${id}`)).messages, [])
      })
    }),
  )

  it.scopedLive("are refused if a model reads none, also for an answer again, before anything is stored", () =>
    Effect.gen(function* () {
      const blind = recording({ name: "blind", modalities: { input: ["text"], output: ["text"] } })
      const client = yield* Serving.serve({
        model: recording({}).model,
        others: [blind.model],
      })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const payload = { parent: id, text: "Look", pictures: [{ data: png }] }
        const why = "scripted/blind reads no pictures: choose another model, or leave them out"
        const path = `/api/conversations/${id}`
        const models = ["scripted/blind"]
        const refused = await client.send("POST", `${path}/messages`, { ...payload, models })
        assert.deepStrictEqual([refused.status, refused.body.message], [400, why])
        assert.deepStrictEqual((await client.get(`/conversations/${id}`)).messages, [])
        const { message } = await say(client, id, payload)
        const again = await client.send("POST", `${path}/answers`, { after: message.id, models })
        assert.deepStrictEqual([again.status, again.body.message], [400, why])
        assert.deepStrictEqual(blind.requests, [])
      })
    }),
  )

  it.scopedLive("wait with their message, can be read while they wait, and are sent with it", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { model, requests } = recording({ gate })
      const client = yield* Serving.serve({ model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "First" })
        const payload = { parent: id, text: "Look", pictures: [{ data: png }], key: "a key of a page" }
        const { waiting } = await client.post(`/conversations/${id}/messages`, payload)
        assert.deepStrictEqual(waiting.pictures, ["image/png, 1 kB"])
        assert.deepStrictEqual(await client.post(`/conversations/${id}/messages`, payload), { waiting })
        assert.deepStrictEqual((await client.get(`/conversations/${id}`)).waiting, [waiting])
        const path = `/api/conversations/${id}/pictures?number=0&waiting=`
        assert.strictEqual((await client.send("GET", path + waiting.id)).headers["content-type"], "image/png")
        assert.strictEqual((await client.send("GET", `${path}another`)).status, 404)
        await Effect.runPromise(Deferred.succeed(gate, undefined))
        await heard.until(() => heard.events.filter(isDone).length === 2)
        heard.close()
        assert.deepStrictEqual(shownIn(requests[1]), [`image/png ${png}`, "Look"])
      })
    }),
  )

  it.scopedLive("stay with a message that waits when the server is started again", () =>
    Effect.gen(function* () {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-pictures-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true })))
      const root = NodeId.make("root")
      const picture = { type: "image", media_type: "image/png", data: png } as const
      const row = { id: "a", text: "Look", pictures: [picture], parent: undefined, models: [] }
      const open = <A, E>(use: (store: DraftStorePort.Service) => Effect.Effect<A, E>) =>
        Effect.flatMap(DraftStorePort.DraftStore, use).pipe(
          Effect.provide(DraftStore.layer(path.join(folder, "forest.db.drafts"))),
          Effect.scoped,
        )
      yield* open((store) => store.wait(root, row))
      assert.deepStrictEqual(yield* open((store) => store.waiting(root)), [row])
    }),
  )

  it.scopedLive("are asked of no model in a message without any, also for an answer again", () =>
    Effect.gen(function* () {
      const blind = recording({ modalities: { input: ["text"], output: ["text"] } })
      const client = yield* Serving.serve({ model: blind.model })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const { message } = await say(client, id, { parent: id, text: "Hi" })
        const heard = await client.listen()
        await client.post(`/conversations/${id}/answers`, { after: message.id })
        await heard.until(isDone)
        heard.close()
        assert.deepStrictEqual(blind.requests.map(shownIn), [["Hi"], ["Hi"]])
      })
    }),
  )
})
