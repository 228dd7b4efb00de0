import { assert, describe, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import type * as View from "../../src/conversation/View.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { counting, endless, inMemory, leaving, requestTexts, startSession } from "../utils/ChatSessions.ts"
import { texts } from "../utils/ScriptedUser.ts"

describe("SessionLoop: commands", () => {
  it.effect("says with /save that there is no message where the conversation begins", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("/undo")
      yield* user.sends("/save here")
      assert.strictEqual(texts(yield* user.waitFor("Failed")).at(-1), "Failed: there is no message yet")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("offers with /model the one in use first, with what is known of it, also if it is in no list", () =>
    Effect.gen(function* () {
      const menus: Array<View.Menu> = []
      const model = LanguageModel.make(new ModelId({ provider: "fake", name: "mine" }), () => Effect.never)
      const talking = yield* startSession({
        model: { ...model, price: { input: 0, output: 0 }, limits: { context: 32_000, output: 100 } },
        known: [counting().model],
        picks: (menu) => {
          menus.push(menu)
          return undefined
        },
      })
      yield* talking.user.sends("/model")
      yield* talking.user.waitFor("Noted")
      assert.deepStrictEqual(menus[0]?.choices, [
        { label: "fake/mine", about: "free · 32k" },
        { label: "test/counting", about: "" },
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("copies the last answer, also after a message without one, and says where there is none", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.sends("/copy")
      assert.strictEqual(texts(yield* user.waitFor("Failed")).at(-1), "Failed: there is no answer yet")
      yield* user.asks("one")
      yield* user.sends("/copy")
      assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), "Noted: copied")
      assert.strictEqual(yield* Ref.get(user.clipboard), "answer 1")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("summarises with /compact what came before the last message, and counts what that cost", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      for (const text of ["one", "two", "three"]) {
        yield* user.asks(text)
      }
      yield* user.sends("/compact the numbers")
      assert.deepStrictEqual(texts(yield* user.waitFor("Noted")), [
        "Noted: test/counting summarises 4 earlier messages...",
      ])
      assert.match(
        texts(yield* user.waitFor("Noted")).at(-1) ?? "",
        /^Noted: 4 earlier messages summarised in about \d+ tokens, as you asked; \/tree has them all$/,
      )
      assert.match(requests[3]?.system ?? "", /to keep in mind above all: the numbers$/)
      yield* user.asks("four")
      assert.deepStrictEqual(requestTexts(requests[4]), [
        "system: [Summary of 4 earlier messages of this conversation, which no longer fit:]\nanswer 4",
        "user: three",
        "assistant: answer 3",
        "user: four",
      ])
      yield* user.sends("/cost")
      assert.match(texts(yield* user.waitFor("Noted")).at(-1) ?? "", /4 answers: 50 tokens read, 10 written/)
      yield* user.sends("/undo")
      yield* user.waitFor("Noted")
      yield* user.sends("/undo")
      yield* user.waitFor("Noted")
      yield* user.asks("else")
      // Before the summary was made the messages are as they were.
      assert.deepStrictEqual(requestTexts(requests[5]), [
        "user: one",
        "assistant: answer 1",
        "user: two",
        "assistant: answer 2",
        "user: else",
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("says with /compact that there is nothing to summarise", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.sends("/compact")
      assert.match(texts(yield* user.waitFor("Failed")).at(-1) ?? "", /nothing before your last message to summarise/)
      yield* user.asks("one")
      yield* user.sends("/compact")
      assert.match(texts(yield* user.waitFor("Failed")).at(-1) ?? "", /nothing before your last message to summarise/)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("clears the screen and begins a new conversation with /clear", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("/clear")
      yield* user.sends("two")
      assert.include(texts(yield* user.waitFor("Answered")), "Cleared")
      assert.deepStrictEqual(requestTexts(requests[1]), ["user: two"])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("offers the models with /model, and goes on with the one that is picked", () =>
    Effect.gen(function* () {
      const { model } = counting()
      const menus: Array<View.Menu> = []
      const talking = yield* startSession({
        model: endless,
        others: [model],
        picks: (menu) => {
          menus.push(menu)
          return 1
        },
      })
      const { user } = talking
      yield* user.sends("/model")
      assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), "Noted: test/counting answers from here on")
      assert.deepStrictEqual(
        [menus[0]?.choices.map(({ label }) => label), menus[0]?.preselected],
        [["test/endless", "test/counting"], 0],
      )
      yield* user.sends("/model 1")
      assert.strictEqual(texts(yield* user.waitFor("Noted")).at(-1), "Noted: test/counting answers from here on")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("explains a wrong command, and points to /help", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      for (const line of [
        "/nope",
        "/model google/",
        "/retry -n 0",
        "/undo",
        "/save",
        "/export x.pdf",
        "/tree 7",
        "/search",
        "/help",
      ]) {
        yield* user.sends(line)
      }
      yield* leaving(talking)
      const told = texts(yield* user.shown)
      assert.deepStrictEqual(told.slice(1, 8), [
        "Failed: there is no /nope; /help lists the commands",
        'Failed: a model is written PROVIDER/NAME, not "google/"',
        "Failed: /retry takes -n and a number from 1 to 20",
        "Failed: there is no message yet",
        "Failed: /save takes a title",
        "Failed: there is no message yet",
        "Failed: there is no message yet",
      ])
      assert.include(told.at(-1) ?? "", "/help")
      assert.lengthOf(requests, 0)
    }).pipe(inMemory),
  )
})
