import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as Document from "../../../src/conversation/document/Document.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import { asked, context, history, lines, made, recording, SYSTEM, unasked } from "../../utils/Managers.ts"

describe("ConversationManager: from", () => {
  /** A conversation in which the model has given a prompt. */
  const before = Effect.gen(function* () {
    const manager = yield* made()
    yield* Stream.runDrain(manager.respond("An animal"))
    return manager
  })

  const given = "Got it!\n\nPrompt: a cat"

  it.effect("continues after the node, with the system prompt of its tree, also after clear", () => {
    const { layer, requests } = recording([given, "Prompt: a dog", "Prompt: a bird"])
    return Effect.gen(function* () {
      const from = yield* (yield* before).cursor
      const manager = yield* made({ systemPrompt: "another", owner: "somebody else", from, prompt: "a cat" })
      assert.deepStrictEqual(yield* history(manager), ["[user] An animal", `[assistant] ${given}`])
      assert.deepStrictEqual((yield* context(manager))[0], `[system] ${SYSTEM}`)
      assert.isFalse(yield* manager.isPromptEdited())
      yield* Stream.runDrain(manager.respond("Another"))
      assert.deepStrictEqual(asked(requests[1] ?? assert.fail("it was not asked")), [
        `[system] ${SYSTEM}`,
        "[user] An animal",
        `[assistant] ${given}`,
        "[user] Another",
        '[system] [current prompt: "a cat"]',
      ])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a dog")
      yield* manager.clear()
      yield* Stream.runDrain(manager.respond("Anew"))
      assert.deepStrictEqual(asked(requests[2] ?? assert.fail("it was not asked")), [
        `[system] ${SYSTEM}`,
        "[user] Anew",
      ])
      const forest = yield* Forest.Forest
      assert.lengthOf(yield* forest.roots(), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("adds one notice of an edit between two sessions", () => {
    const { layer, requests } = recording([given, "Nice.", "Yes."])
    return Effect.gen(function* () {
      const from = yield* (yield* before).cursor
      const manager = yield* made({ from, prompt: "a fluffy cat" })
      assert.isTrue(yield* manager.isPromptEdited())
      yield* Stream.runDrain(manager.respond("And now?"))
      yield* Stream.runDrain(manager.respond("Really?"))
      assert.deepStrictEqual(lines(requests[2]?.messages ?? []), [
        "[user] An animal",
        `[assistant] ${given}`,
        '[system] [user edited prompt to: "a fluffy cat"]',
        "[user] And now?",
        "[assistant] Nice.",
        "[user] Really?",
        '[system] [current prompt: "a fluffy cat"]',
      ])
      const again = yield* made({ from: yield* manager.cursor, prompt: "a fluffy cat" })
      assert.isFalse(yield* again.isPromptEdited())
    }).pipe(Effect.provide(layer))
  })

  it.effect("reads the version that the model knows from the latest prompt or notice of the path", () => {
    const { layer } = recording([given])
    return Effect.gen(function* () {
      const manager = yield* before
      const known = (prompt: string) =>
        Effect.gen(function* () {
          const again = yield* made({ from: yield* manager.cursor, prompt })
          return (yield* again.document).known
        })
      assert.strictEqual(yield* known("mine"), "a cat")
      yield* manager.updatePrompt('a "cat"\nin a hat]')
      assert.strictEqual(yield* known("mine"), "a cat")
      yield* manager.notifyPromptEdited()
      assert.strictEqual(yield* known("mine"), 'a "cat"\nin a hat]')
      for (let n = 0; n < 50; n++) yield* manager.addUserMessage(`${n}\nPrompt: the user's own`)
      yield* manager.addUserMessage('[user edited prompt to: "not a notice"]')
      assert.strictEqual(yield* known("mine"), 'a "cat"\nin a hat]')
      yield* manager.updatePrompt("")
      yield* manager.notifyPromptEdited()
      assert.strictEqual(yield* known("mine"), "")
      yield* manager.addAssistantMessage("Prompt: a dog", "a dog")
      assert.strictEqual(yield* known("mine"), "a dog")
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes the given prompt as known where the path has none", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* manager.addUserMessage("one")
      const again = yield* made({ from: yield* manager.cursor, prompt: "a cat" })
      assert.deepStrictEqual(yield* again.document, Document.make("a cat"))
    }).pipe(unasked),
  )

  it.effect("ignores prompts of interrupted or truncated answers on the path", () => {
    const { layer } = recording([given, { text: "Prompt: a tabby ca", finish: "length" }])
    return Effect.gen(function* () {
      const manager = yield* before
      yield* Stream.runDrain(manager.respond("Tabby"))
      const again = yield* made({ from: yield* manager.cursor, prompt: "a cat" })
      assert.isFalse(yield* again.isPromptEdited())
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails where the node does not exist", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(made({ from: NodeId.make("nowhere") }))
      assert.strictEqual(error.message, "Node not found: nowhere")
    }).pipe(unasked),
  )
})
