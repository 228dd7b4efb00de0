/** What a server keeps where its files are removed, and what the next one goes on with. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as TextFile from "../../src/conversation/document/TextFile.ts"
import * as Text from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Sqlite from "../../src/server/DraftStore/Sqlite.ts"
import * as DraftStore from "../../src/server/DraftStore.ts"
import * as Serving from "../utils/Serving.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-restart-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })),
)

/** Begins to answer, and does not go on. */
const endless = LanguageModel.make(new ModelId({ provider: "scripted", name: "endless" }), (_, emit) =>
  Effect.zipRight(emit([Part.Text({ text: "and so on" })]), Effect.never),
)

const withStore = <A, E>(file: string, use: (store: DraftStore.Service) => Effect.Effect<A, E>) =>
  Effect.scoped(
    Effect.flatMap(Layer.build(Sqlite.layer(file)), (context) => use(Context.get(context, DraftStore.DraftStore))),
  )

describe("a server", () => {
  it.scopedLive("keeps the texts of pages where their file is removed", () =>
    Effect.gen(function* () {
      const forest = path.join(yield* temporary, "forest.db")
      const client = yield* Serving.serve({ model: Serving.scripted(["Hello!"]), forest })
      const id = yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await client.put(`/conversations/${id}/document`, { text: "one", version: 0 })
        for (const end of ["", "-wal", "-shm"]) fs.rmSync(`${forest}.drafts${end}`, { force: true })
        const { version } = await client.put(`/conversations/${id}/document`, { text: "two", version: 1 })
        assert.strictEqual(version, 2)
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Hi" })
        return id
      })
      const stored = yield* withStore(`${forest}.drafts`, (store) => store.draft(NodeId.make(id)))
      assert.strictEqual(Option.getOrThrow(stored).text, "two")
    }),
  )

  it.scopedLive("finds a message that is sent again after the server was killed between storing it and its key", () =>
    Effect.gen(function* () {
      const forest = path.join(yield* temporary, "forest.db")
      const key = "0123456789abcdef"
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Serving.serve({ model: Serving.scripted([]), forest })
          const id = NodeId.make(yield* Effect.promise(() => Serving.begin(client)))
          const stored = yield* client.forest.append(id, [
            { message: Text.user("Hi"), source: { type: "user" } },
            { message: Text.user("Hello?"), source: { type: "user" } },
          ])
          return { id, said: stored[0]?.id }
        }),
      )
      yield* withStore(`${forest}.drafts`, (store) => store.begin(`${first.id} ${key}`, 0))
      const client = yield* Serving.serve({ model: Serving.scripted(["Hello!"]), forest })
      yield* Effect.promise(async () => {
        const again = { parent: first.id, text: "Hi", key }
        const { message } = await client.post(`/conversations/${first.id}/messages`, again)
        assert.deepStrictEqual([message.id, message.text], [first.said, "Hi"])
        // With the key of a message that was not stored it is sent.
        const other = { parent: first.id, text: "Other", key }
        const sent = await client.post(`/conversations/${first.id}/messages`, other)
        assert.strictEqual(sent.message.text, "Other")
      })
    }),
  )

  it.scopedLive.skipIf(process.platform === "win32")("makes a file of texts that only its owner can read", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const file = path.join(folder, "new", "forest.db.drafts")
      yield* withStore(file, () => Effect.void)
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(fs.statSync(path.dirname(file)).mode & 0o777, 0o700)
    }),
  )

  it.scopedLive("has a message that waited answered by the model that was chosen for it", () =>
    Effect.gen(function* () {
      const forest = path.join(yield* temporary, "forest.db")
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const second = Serving.scripted([], "second")
          const client = yield* Serving.serve({ model: endless, others: [second], forest })
          return yield* Effect.promise(async () => {
            const id = await Serving.begin(client)
            const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
            const payload = { parent: message.id, text: "two", models: ["scripted/second"] }
            assert.strictEqual((await client.post(`/conversations/${id}/messages`, payload)).waiting.text, "two")
            return id
          })
        }),
      )
      const second = Serving.scripted(["from the second"], "second")
      const client = yield* Serving.serve({ model: Serving.scripted(["from the first"]), others: [second], forest })
      yield* Effect.promise(async () => {
        const heard = await client.listen()
        await client.get(`/conversations/${id}`)
        await heard.until((event) => event.type === "answer" && event.answer.state === "done")
        const { messages } = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(
          messages.slice(-2).map(({ text }: { text: string }) => text),
          ["two", "from the second"],
        )
        heard.close()
      })
    }),
  )

  it.scopedLive("keeps a message waiting that no model answers now, and goes on once it is taken back", () =>
    Effect.gen(function* () {
      const forest = path.join(yield* temporary, "forest.db")
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Serving.serve({ model: endless, forest })
          return yield* Effect.promise(async () => {
            const id = await Serving.begin(client)
            const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "one" })
            await client.post(`/conversations/${id}/messages`, { parent: message.id, text: "two" })
            return id
          })
        }),
      )
      const others = [Serving.scripted(["from the other"], "other")]
      const client = yield* Serving.serve({ model: endless, refusal: "no key is set", others, forest })
      yield* Effect.promise(async () => {
        const heard = await client.listen()
        const { leaf, waiting } = await client.get(`/conversations/${id}`)
        const payload = { parent: leaf, text: "three", models: ["scripted/other"] }
        assert.strictEqual((await client.post(`/conversations/${id}/messages`, payload)).waiting.text, "three")
        const removed = await client.send("DELETE", `/api/conversations/${id}/waiting/${waiting[0].id}`)
        assert.strictEqual(removed.status, 200)
        await heard.until((event) => event.type === "answer" && event.answer.state === "done")
        const { messages } = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual(
          messages.slice(-2).map(({ text }: { text: string }) => text),
          ["three", "from the other"],
        )
        heard.close()
      })
    }),
  )

  it.scopedLive("has the conversation that a browser was in last", () =>
    Effect.gen(function* () {
      const forest = path.join(yield* temporary, "forest.db")
      const begun = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Serving.serve({ model: Serving.scripted([]), forest })
          return yield* Effect.promise(async () => {
            const { id } = await client.post("/conversations", {})
            const { headers } = await client.send("PUT", "/api/session", { conversation: id })
            const [, session = ""] = /=([^;]+)/.exec(headers["set-cookie"]?.[0] ?? "") ?? []
            return { id, session }
          })
        }),
      )
      const client = yield* Serving.serve({ model: Serving.scripted([]), forest })
      yield* Effect.promise(async () => {
        const cookie = `vibe_session_${client.port}=${begun.session}`
        const { body } = await client.send("GET", "/api/session", undefined, { cookie })
        assert.strictEqual(body.conversation, begun.id)
      })
    }),
  )

  it.scopedLive("reads the messages that wait in a file of an earlier version", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporary, "forest.db.drafts")
      const root = NodeId.make("root")
      yield* withStore(file, (store) => store.leave(root, root))
      const database = new DatabaseSync(file)
      database.exec("alter table waiting drop column models; alter table waiting drop column pictures")
      database.exec("drop table visit; pragma user_version = 1")
      database.exec("insert into waiting (id, root, text) values ('a', 'root', 'Hi')")
      database.close()
      const waiting = yield* withStore(file, (store) => store.waiting(root))
      assert.deepStrictEqual(waiting, [{ id: "a", text: "Hi", parent: undefined, models: [] }])
    }),
  )

  it.scopedLive("makes one tree for a file, however often its page is opened before anything is said", () =>
    Effect.gen(function* () {
      const name = path.join(yield* temporary, "plan.md")
      fs.writeFileSync(name, "# Plan\n")
      const client = yield* Serving.serve({ model: Serving.scripted([]), file: yield* TextFile.open(name) })
      yield* Effect.promise(async () => {
        const first = await Serving.begin(client)
        assert.strictEqual(await Serving.begin(client), first)
      })
      assert.strictEqual((yield* client.forest.roots()).length, 1)
    }).pipe(Effect.provide(NodeFiles.layer)),
  )

  it.scopedLive("opens each conversation at the message at which it was left", () =>
    Effect.gen(function* () {
      const forest = path.join(yield* temporary, "forest.db")
      const isDone = (event: { readonly type: string; readonly answer?: unknown }) =>
        event.type === "answer" && (event.answer as { state: string }).state !== "running"
      const left = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Serving.serve({ model: Serving.scripted(() => "yes"), forest })
          return yield* Effect.promise(async () => {
            const heard = await client.listen()
            let answers = 0
            const say = async (id: string, parent: string, n: number) => {
              const { message } = await client.post(`/conversations/${id}/messages`, { parent, text: "Hi", n })
              answers += n
              await heard.until(() => heard.events.filter(isDone).length === answers)
              return message.id as string
            }
            const begin = async () => (await client.post("/conversations", {})).id as string
            const [beside, moved, answered] = [await begin(), await begin(), await begin()]
            const several = await say(beside, beside, 2)
            const first = await say(moved, moved, 1)
            await client.put(`/conversations/${moved}/leaf`, { leaf: first })
            const { leaf } = await say(answered, answered, 1).then(() => client.get(`/conversations/${answered}`))
            heard.close()
            return [
              [beside, several],
              [moved, first],
              [answered, leaf],
            ] as const
          })
        }),
      )
      const client = yield* Serving.serve({ model: Serving.scripted([]), forest })
      yield* Effect.promise(async () => {
        for (const [id, leaf] of left) assert.strictEqual((await client.get(`/conversations/${id}`)).leaf, leaf)
      })
    }),
  )
})
