import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Document from "../../../src/conversation/document/Document.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import { context, EXAMPLE, history, lines, made, recording, SYSTEM, unasked } from "../../utils/Managers.ts"

describe("ConversationManager: edits", () => {
  it.effect("is edited where the prompt differs from that of the model", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.updatePrompt("a cat")
      assert.isTrue(yield* manager.isPromptEdited())
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a cat")
      yield* manager.notifyPromptEdited()
      yield* manager.updatePrompt("a cat")
      assert.isFalse(yield* manager.isPromptEdited())
      yield* manager.addAssistantMessage("Got it!", "a dog")
      assert.isFalse(yield* manager.isPromptEdited())
      yield* manager.updatePrompt("a dog")
      assert.isFalse(yield* manager.isPromptEdited())
      yield* manager.updatePrompt("a fluffy dog")
      assert.isTrue(yield* manager.isPromptEdited())
    }).pipe(unasked),
  )

  it.effect("adds one system message with the edited text", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const forest = yield* Forest.Forest
      yield* manager.addUserMessage("a cat, please")
      yield* manager.addAssistantMessage("Got it!", "a cat")
      yield* manager.notifyPromptEdited()
      assert.lengthOf(yield* manager.getHistory(), 2)
      yield* manager.updatePrompt("a fluffy cat")
      assert.lengthOf(yield* manager.getHistory(), 2)
      yield* manager.notifyPromptEdited()
      assert.deepStrictEqual((yield* manager.getHistory())[2], {
        role: "system",
        content: [{ type: "text", text: '[user edited prompt to: "a fluffy cat"]' }],
      })
      assert.isFalse(yield* manager.isPromptEdited())
      yield* manager.notifyPromptEdited()
      assert.lengthOf(yield* manager.getHistory(), 3)
      assert.deepStrictEqual((yield* forest.node(yield* manager.cursor)).source, { type: "notice" })
    }).pipe(unasked),
  )

  it.effect("adds one notice for several edits, with the last text", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      for (const prompt of ["first", "second", "third"]) yield* manager.updatePrompt(prompt)
      yield* manager.notifyPromptEdited()
      assert.deepStrictEqual(yield* history(manager), ['[system] [user edited prompt to: "third"]'])
    }).pipe(unasked),
  )

  it.effect("adds no notice for a reverted edit", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addAssistantMessage("Got it!", "A")
      yield* manager.updatePrompt("B")
      yield* manager.updatePrompt("A")
      assert.isFalse(yield* manager.isPromptEdited())
      yield* manager.notifyPromptEdited()
      assert.lengthOf(yield* manager.getHistory(), 1)
    }).pipe(unasked),
  )

  it.effect("does not escape quotes and line breaks", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const prompt = 'a "cat"\r\n  in a \\hat\\"]\n'
      yield* manager.updatePrompt(prompt)
      yield* manager.notifyPromptEdited()
      assert.deepStrictEqual(yield* context(manager), [
        `[system] ${SYSTEM}`,
        `[system] [user edited prompt to: "${prompt}"]`,
        `[system] [current prompt: "${prompt}"]`,
      ])
    }).pipe(unasked),
  )

  it.effect("adds a notice of an emptied prompt, and sends no prompt line", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addAssistantMessage("Got it!", "a cat")
      yield* manager.updatePrompt("")
      yield* manager.notifyPromptEdited()
      assert.deepStrictEqual(yield* context(manager), [
        `[system] ${SYSTEM}`,
        "[assistant] Got it!",
        '[system] [user edited prompt to: ""]',
      ])
    }).pipe(unasked),
  )

  it.effect("does not mistake a message for a notice", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage('[user edited prompt to: "x"]')
      assert.deepStrictEqual(yield* history(manager), ['[user] [user edited prompt to: "x"]'])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "")
    }).pipe(unasked),
  )

  it.effect("goes from the model's prompt to the user's to the model's next", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addAssistantMessage("Got it!", "v1")
      yield* manager.updatePrompt("v2-user")
      yield* manager.notifyPromptEdited()
      yield* manager.addAssistantMessage("Fine!", "v3")
      assert.strictEqual(yield* manager.getCurrentPrompt(), "v3")
      assert.isFalse(yield* manager.isPromptEdited())
    }).pipe(unasked),
  )

  it.effect("merges an edit that the model did not know when it gave its next prompt", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addAssistantMessage("Got it!", "a cat")
      yield* manager.updatePrompt("a fluffy cat")
      yield* manager.addAssistantMessage("Here you are: a blue cat", "a blue cat")
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a fluffy cat")
      assert.isTrue(yield* manager.isPromptEdited())
      assert.deepStrictEqual(Document.conflicts(yield* manager.document), [
        { type: "conflict", base: "a cat", user: "a fluffy cat", model: "a blue cat" },
      ])
      yield* manager.notifyPromptEdited()
      assert.deepStrictEqual(yield* history(manager), [
        "[assistant] Got it!",
        "[assistant] Here you are: a blue cat",
        '[system] [user edited prompt to: "a fluffy cat"]',
      ])
    }).pipe(unasked),
  )
})

describe("ConversationManager.buildLLMContext", () => {
  it.effect("has only what exists", () =>
    Effect.gen(function* () {
      const manager = yield* made({ systemPrompt: "" })
      assert.deepStrictEqual(yield* manager.buildLLMContext(), [])
      assert.deepStrictEqual(lines(yield* manager.buildLLMContext("Be kind.")), ["[system] Be kind."])
      yield* manager.addUserMessage("hello")
      assert.deepStrictEqual(yield* context(manager), ["[user] hello"])
      assert.deepStrictEqual(yield* history(manager), ["[user] hello"])
    }).pipe(unasked),
  )

  it.effect("puts the system prompt first and the current prompt last", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("a cat")
      yield* manager.addAssistantMessage("Got it!", "a cat")
      yield* manager.addUserMessage("blue")
      const full = [`[system] ${SYSTEM}`, "[user] a cat", "[assistant] Got it!", "[user] blue"]
      assert.deepStrictEqual(yield* context(manager), [...full, '[system] [current prompt: "a cat"]'])
      yield* manager.updatePrompt("a blue cat")
      yield* manager.notifyPromptEdited()
      assert.deepStrictEqual(yield* context(manager), [
        ...full,
        '[system] [user edited prompt to: "a blue cat"]',
        '[system] [current prompt: "a blue cat"]',
      ])
    }).pipe(unasked),
  )

  it.effect("changes nothing", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("a cat")
      yield* manager.updatePrompt("a cat")
      const before = yield* manager.getHistory()
      assert.deepStrictEqual(yield* context(manager), yield* context(manager))
      assert.deepStrictEqual(yield* manager.getHistory(), before)
      assert.isTrue(yield* manager.isPromptEdited())
    }).pipe(unasked),
  )

  it.effect("reads as the example of the specification", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("I want a cat in a hat")
      yield* manager.addAssistantMessage("A cat in a hat! Let me ask...")
      yield* manager.addUserMessage("Make it a tabby cat with a wizard hat")
      const prompt = "a tabby cat wearing a wizard hat, fantasy style"
      yield* manager.addAssistantMessage(`Got it! Here's what I have:\n\nPrompt: ${prompt}`, prompt)
      yield* manager.updatePrompt("a tabby cat wearing a sparkly wizard hat, fantasy style")
      yield* manager.notifyPromptEdited()
      yield* manager.addUserMessage("Now make the background purple")
      assert.deepStrictEqual(yield* context(manager), EXAMPLE)
    }).pipe(unasked),
  )

  it.effect("sends the newest prompt turns after the edit, while its notice stays in place", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.updatePrompt("mine")
      yield* manager.notifyPromptEdited()
      yield* manager.addUserMessage("one")
      yield* manager.addAssistantMessage("two", "its")
      yield* manager.addUserMessage("three")
      yield* manager.addAssistantMessage("four")
      assert.deepStrictEqual(yield* context(manager), [
        `[system] ${SYSTEM}`,
        '[system] [user edited prompt to: "mine"]',
        "[user] one",
        "[assistant] two",
        "[user] three",
        "[assistant] four",
        '[system] [current prompt: "its"]',
      ])
    }).pipe(unasked),
  )
})

describe("ConversationManager: a long prompt", () => {
  const LONG = Array.from({ length: 2000 }, (_, index) => `line ${index} of a file that is edited now and then\n`)

  it.effect("is sent once in each request, however often it was saved, and is read again from the path", () => {
    const { layer, requests } = recording(Array.from({ length: 12 }, () => "Fine."))
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: LONG.join("") })
      yield* Stream.runDrain(manager.respond("begin"))
      const edited = [...LONG]
      for (const turn of [1, 2, 3, 4, 5]) {
        edited[turn * 300] = `edit ${turn}\n`
        yield* manager.updatePrompt(edited.join(""))
        yield* Stream.runDrain(manager.respond(`question ${turn}`))
        const again = yield* made({ prompt: edited.join(""), from: yield* manager.cursor })
        assert.isFalse(yield* again.isPromptEdited())
      }
      const sizes = requests.map(({ messages }) => lines(messages).join("").length)
      for (const size of sizes) assert.isBelow(size, LONG.join("").length + 3000)
      const sent = lines(requests.at(-1)?.messages ?? []).join("\n")
      for (const turn of [1, 2, 3, 4, 5]) assert.include(sent, `\n+edit ${turn}\n`)
      // The tree has the text once, and what changed.
      const kept = (yield* history(manager)).join("").length
      assert.isBelow(kept, LONG.join("").length + 5000)
      assert.isBelow((yield* context(manager)).join("").length, LONG.join("").length + 3000)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is left out of what another process has written about edits", () => {
    const { layer, requests } = recording(["Fine.", "Fine."])
    const text = LONG.join("")
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "" })
      yield* manager.updatePrompt(text)
      yield* Stream.runDrain(manager.respond("one"))
      const again = yield* made({ prompt: text, from: yield* manager.cursor })
      yield* Stream.runDrain(again.respond("two"))
      assert.deepStrictEqual(lines(requests[1]?.messages ?? []), [
        "[system] [user edited prompt; its current text is at the end]",
        "[user] one",
        "[assistant] Fine.",
        "[user] two",
        `[system] [current prompt: "${text}"]`,
      ])
    }).pipe(Effect.provide(layer))
  })
})
