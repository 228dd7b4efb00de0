/** A text beside the conversation that is a file, over HTTP. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue, Stream } from "effect"
import * as NodeFiles from "../../src/code/Files/Node.ts"
import * as TextFile from "../../src/conversation/document/TextFile.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Serving from "../utils/Serving.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-serve-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })),
)

describe("a file beside the conversation", () => {
  it.scopedLive("is one text for the page, the editor and the model", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const name = path.join(folder, "plan.md")
      fs.writeFileSync(name, "# Plan\n\none\n\ntwo\n")
      const file = yield* TextFile.open(name)
      const revise = {
        toolCalls: [{ name: "revise_document", arguments: { edits: [{ find: "two", replace: "three" }] } }],
      }
      const client = yield* Serving.serve({ model: Serving.scripted([revise, "Done."]), file })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const first = (await client.get(`/conversations/${id}`)).document
        assert.strictEqual(first.text, "# Plan\n\none\n\ntwo\n")
        const edited = await client.put(`/conversations/${id}/document`, {
          text: "# My plan\n\none\n\ntwo\n",
          version: first.version,
        })
        assert.strictEqual(fs.readFileSync(name, "utf8"), "# My plan\n\none\n\ntwo\n")
        // In an editor.
        fs.writeFileSync(name, "# My plan\n\nONE\n\ntwo\n")
        const outdated = await client.send("PUT", `/api/conversations/${id}/document`, {
          text: "lost",
          version: edited.version,
        })
        assert.strictEqual(outdated.status, 409)
        assert.strictEqual(outdated.body.document.text, "# My plan\n\nONE\n\ntwo\n")
        const heard = await client.listen()
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Three, not two" })
        await heard.until((event) => event.type === "answer" && event.answer.state !== "running")
        heard.close()
        assert.strictEqual(fs.readFileSync(name, "utf8"), "# My plan\n\nONE\n\nthree\n")
        const { document } = await client.get(`/conversations/${id}`)
        assert.strictEqual(document.text, "# My plan\n\nONE\n\nthree\n")
        assert.strictEqual(document.file, name)
      })
    }).pipe(Effect.provide(NodeFiles.layer)),
  )

  it.scopedLive("is sent to pages when another program has saved it", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const name = path.join(folder, "plan.md")
      fs.writeFileSync(name, "one\n")
      const file = yield* TextFile.open(name)
      const saved = yield* Queue.unbounded<void>()
      const client = yield* Serving.serve({
        model: Serving.scripted([]),
        file,
        saves: () => Stream.fromQueue(saved),
      })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        await client.get(`/conversations/${id}`)
        const heard = await client.listen()
        fs.writeFileSync(name, "two\n")
        Queue.unsafeOffer(saved, undefined)
        const event = await heard.until(({ type }) => type === "document")
        assert.strictEqual(event.type === "document" && event.document.text, "two\n")
        heard.close()
      })
    }).pipe(Effect.provide(NodeFiles.layer)),
  )

  it.scopedLive("is changed by no model while several answer beside each other", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const name = path.join(folder, "plan.md")
      fs.writeFileSync(name, "one\n")
      const file = yield* TextFile.open(name)
      const [first, second] = ["first", "second"].map((model) =>
        Serving.scripted([`Mine:\n<document>\n${model}\n</document>\n`], model),
      )
      if (first === undefined || second === undefined) assert.fail()
      const client = yield* Serving.serve({ model: first, others: [first, second], file })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const models = ["scripted/first", "scripted/second"]
        const { message } = await client.post(`/conversations/${id}/messages`, { parent: id, text: "Write", models })
        const isDone = (event: { readonly type: string; readonly answer?: unknown }) =>
          event.type === "answer" && (event.answer as { state: string }).state === "done"
        await heard.until(() => heard.events.filter(isDone).length === 2)
        heard.close()
        const { document, leaf } = await client.get(`/conversations/${id}`)
        assert.deepStrictEqual([document.text, leaf], ["one\n", message.id])
        assert.strictEqual(fs.readFileSync(name, "utf8"), "one\n")
      })
    }).pipe(Effect.provide(NodeFiles.layer)),
  )

  it.scopedLive("acknowledges no edit that the file does not have", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const name = path.join(folder, "plan.md")
      fs.writeFileSync(name, "one\n")
      const file = yield* TextFile.open(name)
      const client = yield* Serving.serve({ model: Serving.scripted([]), file })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const { document } = await client.get(`/conversations/${id}`)
        // A folder in its place cannot be written.
        fs.rmSync(name)
        fs.mkdirSync(name)
        const { body, status } = await client.send("PUT", `/api/conversations/${id}/document`, {
          text: "two\n",
          version: document.version,
        })
        assert.strictEqual(status, 507)
        assert.match(body.message, /plan\.md cannot be written/)
      })
    }).pipe(Effect.provide(NodeFiles.layer)),
  )

  it.scopedLive("takes a text from an answer that is complete alone", () =>
    Effect.gen(function* () {
      for (const [reason, text] of [
        ["stop", "two\n"],
        ["length", "one\n"],
      ] as const) {
        const folder = yield* temporary
        const name = path.join(folder, "plan.md")
        fs.writeFileSync(name, "one\n")
        const file = yield* TextFile.open(name)
        const model = LanguageModel.make(new ModelId({ provider: "scripted", name: "cut" }), (_, emit) =>
          emit([
            Part.Text({ text: "Mine:\n<document>\ntwo\n</document>\n" }),
            Part.Finish({ reason, usage: Usage.none }),
          ]),
        )
        const client = yield* Serving.serve({ model, file })
        yield* Effect.promise(async () => {
          const id = await Serving.begin(client)
          const heard = await client.listen()
          await client.post(`/conversations/${id}/messages`, { parent: id, text: "Write" })
          await heard.until((event) => event.type === "answer" && event.answer.state !== "running")
          assert.strictEqual((await client.get(`/conversations/${id}`)).document.text, text, reason)
          heard.close()
        })
      }
    }).pipe(Effect.provide(NodeFiles.layer)),
  )

  it.scopedLive("tells pages when the model has read an edit, without a new version", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const name = path.join(folder, "plan.md")
      fs.writeFileSync(name, "one\n")
      const file = yield* TextFile.open(name)
      const client = yield* Serving.serve({ model: Serving.scripted(["Fine.", "Good."]), file })
      yield* Effect.promise(async () => {
        const id = await Serving.begin(client)
        const heard = await client.listen()
        const done = (count: number) =>
          heard.until(
            () =>
              heard.events.filter((event) => event.type === "answer" && event.answer.state === "done").length === count,
          )
        await client.post(`/conversations/${id}/messages`, { parent: id, text: "Read" })
        await done(1)
        const { document, leaf } = await client.get(`/conversations/${id}`)
        const edited = await client.put(`/conversations/${id}/document`, { text: "two\n", version: document.version })
        assert.deepStrictEqual(edited, { ...document, text: "two\n", version: document.version + 1, edited: true })
        await client.post(`/conversations/${id}/messages`, { parent: leaf, text: "Again" })
        await done(2)
        const shown = heard.events.flatMap((event) => (event.type === "document" ? [event.document] : []))
        assert.deepStrictEqual(shown.slice(-2), [edited, { ...edited, edited: false }])
        heard.close()
      })
    }).pipe(Effect.provide(NodeFiles.layer)),
  )
})
