import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Block from "../../src/message/Block.ts"
import { counting, files, inMemory, leaving, picture, requestTexts, startSession } from "../utils/ChatSessions.ts"
import { texts } from "../utils/ScriptedUser.ts"

describe("SessionLoop: files and pictures", () => {
  it.effect("sends a mentioned file to the model, and shows the message without it", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.sends("What is in @a.ts?")
      const told = texts(yield* user.waitFor("Answered"))
      assert.deepStrictEqual(requestTexts(requests[0]), [
        'user: <file path="a.ts">\nconst a = 1\n</file>\n\nWhat is in @a.ts?',
      ])
      assert.include(told, "Asked: What is in @a.ts?")
      yield* user.asks("/edit And @nobody?")
      assert.deepStrictEqual(requestTexts(requests[1]), ["user: And @nobody?"])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says that a mentioned path is no file, and sends the words", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.sends("What is in @src/b.ts?")
      assert.deepStrictEqual(texts(yield* user.waitFor("Answered")).slice(-3, -1), [
        "Asked: What is in @src/b.ts?",
        "Noted: @src/b.ts: no such file here; sent as plain words",
      ])
      assert.deepStrictEqual(requestTexts(requests[0]), ["user: What is in @src/b.ts?"])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("exports to the path that the user types, outside the folder and into new folders, too", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.asks("one")
      for (const file of ["/elsewhere/new/x.html", "../y.md", "notes/z.md"]) {
        yield* user.sends(`/export ${file}`)
        assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), `Noted: wrote ${file}`)
      }
      for (const file of ["/elsewhere/new/x.html", "/y.md", "/here/notes/z.md"]) yield* files.stat(file)
      yield* user.sends("/export /y.md")
      assert.include(texts(yield* user.waitFor("Failed")).at(-1), "/y.md is there already")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("sends pictures that were pasted or mentioned before the words, and shows what they are", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.sends("Is [picture 1] like @shot.png?", [picture])
      const entries = yield* user.waitFor("Answered")
      const asked = entries.find((entry) => entry._tag === "Asked")
      assert.deepStrictEqual(asked?._tag === "Asked" && asked.pictures, ["image/png, 1 kB", "image/png, 1 kB"])
      const text = Block.text("Is [picture 1] like @shot.png?")
      assert.deepStrictEqual(requests[0]?.messages, [{ role: "user", content: [picture, picture, text] }])
      yield* user.asks("/edit And now?")
      assert.deepStrictEqual(requests[1]?.messages[0]?.content.length, 3)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("refuses pictures before they are sent to a model that reads none, and leaves the words in the field", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model: { ...model, modalities: { input: [], output: [] } } })
      const { user } = talking
      yield* user.sends("What is @shot.png?")
      assert.strictEqual(
        texts(yield* user.waitFor("Failed")).at(-1),
        "Failed: test/counting reads no pictures: choose another model with /model, or leave them out",
      )
      assert.strictEqual(yield* Ref.get(user.draft), "What is @shot.png?")
      assert.lengthOf(requests, 0)
      yield* leaving(talking)
    }).pipe(inMemory),
  )
})
