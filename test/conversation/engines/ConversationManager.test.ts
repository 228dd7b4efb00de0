import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import * as Forest from "../../../src/forest/Forest.ts"
import * as MessageParts from "../../../src/forest/MessageParts.ts"
import * as Message from "../../../src/message/Message.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { withScript } from "../../utils/Looms.ts"
import { history, lines, made, SYSTEM, unasked } from "../../utils/Managers.ts"

describe("ConversationManager: messages", () => {
  it.effect("sends the user's messages of the meantime, then a notice of an edit", () => {
    const requests: Array<Request> = []
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      const reading = Tool.make({
        name: "look",
        description: "Looks.",
        parameters: Schema.Struct({}),
        run: () => Effect.as(manager.updatePrompt("a fluffy cat"), "seen"),
      })
      const meanwhile = Effect.sync(() => (requests.length === 1 ? "with a hat" : ""))
      yield* Stream.runDrain(manager.respond("Go", { tools: ToolRegistry.make([reading]), meanwhile }))
      assert.deepStrictEqual(lines(requests[1]?.messages ?? []).slice(2), [
        "[tool] seen",
        "[user] with a hat",
        '[system] [user edited prompt to: "a fluffy cat"]',
        '[system] [current prompt: "a fluffy cat"]',
      ])
      assert.deepStrictEqual((yield* history(manager)).slice(-3), [
        "[user] with a hat",
        '[system] [user edited prompt to: "a fluffy cat"]',
        "[assistant] Done.",
      ])
    }).pipe(withScript((request) => (requests.push(request) === 1 ? Scripted.calls(["look"]) : "Done.")))
  })

  it.effect("begins without messages, without a prompt, and not edited", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      assert.deepStrictEqual(yield* manager.getHistory(), [])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "")
      assert.isFalse(yield* manager.isPromptEdited())
    }).pipe(unasked),
  )

  it.effect("has a message that an edit has divided as one", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("Paint a cat")
      yield* manager.addAssistantMessage("A cat.")
      const forest = yield* Forest.Forest
      const [root = assert.fail()] = yield* forest.roots()
      const [first = assert.fail()] = yield* forest.children(root.id)
      yield* forest.edit(first.id, "Paint a dog")
      assert.deepStrictEqual(yield* history(manager), ["[user] Paint a cat", "[assistant] A cat."])
      const messages = yield* MessageParts.children(forest, root.id)
      assert.sameMembers(
        messages.map(({ message }) => Message.text(message)),
        ["Paint a cat", "Paint a dog"],
      )
    }).pipe(unasked),
  )

  it.effect("keeps messages in order, with their roles and texts", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("one")
      yield* manager.addAssistantMessage("two")
      assert.deepStrictEqual(yield* history(manager), ["[user] one", "[assistant] two"])
      yield* manager.addUserMessage("three")
      yield* manager.addAssistantMessage("four")
      assert.deepStrictEqual(yield* history(manager), [
        "[user] one",
        "[assistant] two",
        "[user] three",
        "[assistant] four",
      ])
    }).pipe(unasked),
  )

  it.effect("keeps equal messages apart", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      for (const said of ["again", "again"]) {
        yield* manager.addUserMessage(said)
        yield* manager.addAssistantMessage("yes")
      }
      assert.lengthOf(yield* manager.getHistory(), 4)
    }).pipe(unasked),
  )

  it.effect("takes the prompt of an answer, and keeps it where there is none", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const prompts: Array<string> = []
      for (const prompt of ["a cat", "a dog", "", "  ", undefined]) {
        yield* manager.addAssistantMessage("Got it!", prompt)
        prompts.push(yield* manager.getCurrentPrompt())
      }
      assert.deepStrictEqual(prompts, ["a cat", "a dog", "a dog", "a dog", "a dog"])
      assert.isFalse(yield* manager.isPromptEdited())
    }).pipe(unasked),
  )

  it.effect("does not read the prompt from added messages", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("Prompt: a cat")
      yield* manager.addAssistantMessage("Prompt: a dog")
      assert.strictEqual(yield* manager.getCurrentPrompt(), "")
      yield* manager.updatePrompt("a bird")
      assert.lengthOf(yield* manager.getHistory(), 2)
    }).pipe(unasked),
  )

  it.effect("returns a new array for each call", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("one")
      const before = yield* manager.getHistory()
      yield* manager.addUserMessage("two")
      assert.lengthOf(before, 1)
      assert.notStrictEqual(yield* manager.getHistory(), yield* manager.getHistory())
    }).pipe(unasked),
  )

  it.effect("is the path of the tree", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const forest = yield* Forest.Forest
      yield* manager.addUserMessage("one")
      yield* manager.addAssistantMessage("two", "a cat")
      yield* manager.updatePrompt("a dog")
      yield* manager.notifyPromptEdited()
      const { nodes, root } = yield* forest.path(yield* manager.cursor)
      assert.deepStrictEqual(
        yield* manager.getHistory(),
        nodes.map(({ message }) => message),
      )
      assert.strictEqual(root.systemPrompt, SYSTEM)
    }).pipe(unasked),
  )
})

describe("ConversationManager: operations of the forest", () => {
  it.effect("has no methods to undo, edit, delete, count or shorten messages", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      assert.sameMembers(Object.keys(manager), [
        "addUserMessage",
        "addAssistantMessage",
        "getHistory",
        "getCurrentPrompt",
        "isPromptEdited",
        "updatePrompt",
        "revisePrompt",
        "notifyPromptEdited",
        "buildLLMContext",
        "clear",
        "respond",
        "document",
        "cursor",
        "moveTo",
        "nodes",
        "versions",
        "status",
        "changes",
        "stop",
      ])
      for (let n = 0; n < 150; n++) yield* manager.addUserMessage(`message ${n}`)
      assert.lengthOf(yield* manager.getHistory(), 150)
    }).pipe(unasked),
  )
})

describe("ConversationManager.clear", () => {
  it.effect("resets messages, prompt and flag, and continues", () =>
    Effect.gen(function* () {
      const manager = yield* made({ prompt: "to begin with" })
      yield* manager.addUserMessage("one")
      yield* manager.addAssistantMessage("two", "a cat")
      yield* manager.updatePrompt("a dog")
      yield* manager.clear()
      assert.deepStrictEqual(yield* manager.getHistory(), [])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "")
      assert.isFalse(yield* manager.isPromptEdited())
      yield* manager.addUserMessage("one")
      yield* manager.addAssistantMessage("other", "a bird")
      assert.deepStrictEqual(yield* history(manager), ["[user] one", "[assistant] other"])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a bird")
    }).pipe(unasked),
  )

  it.effect("keeps messages and a notice of an edit on the tree", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const forest = yield* Forest.Forest
      const root = yield* manager.cursor
      yield* manager.addUserMessage("one")
      yield* manager.updatePrompt("my own words")
      yield* manager.clear()
      assert.deepStrictEqual(lines((yield* forest.subtree(root)).map(({ message }) => message)), [
        "[user] one",
        '[system] [user edited prompt to: "my own words"]',
      ])
    }).pipe(unasked),
  )
})
