import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Layer, Schema, Stream, TestClock } from "effect"
import * as Document from "../../../src/conversation/document/Document.ts"
import * as ConversationManager from "../../../src/conversation/engines/ConversationManager.ts"
import * as Message from "../../../src/message/Message.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, Unauthorized } from "../../../src/model/ModelError.ts"
import type { Part } from "../../../src/model/Reply.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { layerOf, withScript } from "../../utils/Looms.ts"
import { asked, EXAMPLE, history, lines, made, recording, SYSTEM, unasked } from "../../utils/Managers.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

/** Has one tool, which does this before it answers. */
const looking = (doing: Effect.Effect<unknown>) =>
  ToolRegistry.make([
    Tool.make({
      name: "look",
      description: "Looks.",
      parameters: Schema.Struct({}),
      run: () => Effect.as(doing, "seen"),
    }),
  ])

/** Never answers; reports when it is asked. */
const hanging = Effect.map(Deferred.make<void>(), (asked) => ({
  asked,
  layer: layerOf(
    Layer.succeed(
      LanguageModel.LanguageModel,
      LanguageModel.make(new ModelId({ provider: "hanging", name: "test" }), () =>
        Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never),
      ),
    ),
  ),
}))

const overloaded = new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) })

describe("ConversationManager.respond", () => {
  it.effect("sends the context of the specified example, and takes the prompt from the answer", () => {
    const { layer, requests } = recording([
      "A cat in a hat! Let me ask...",
      "Got it! Here's what I have:\n\nPrompt: a tabby cat wearing a wizard hat, fantasy style",
      "Purple it is.\n\nPrompt: a tabby cat wearing a sparkly wizard hat, purple background",
    ])
    return Effect.gen(function* () {
      const manager = yield* made()
      yield* Stream.runDrain(manager.respond("I want a cat in a hat"))
      assert.strictEqual(yield* manager.getCurrentPrompt(), "")
      yield* Stream.runDrain(manager.respond("Make it a tabby cat with a wizard hat"))
      yield* manager.updatePrompt("a tabby cat wearing a sparkly wizard hat, fantasy style")
      yield* Stream.runDrain(manager.respond("Now make the background purple"))
      assert.deepStrictEqual(asked(requests[2] ?? assert.fail("it was not asked")), EXAMPLE)
      assert.strictEqual(
        yield* manager.getCurrentPrompt(),
        "a tabby cat wearing a sparkly wizard hat, purple background",
      )
      assert.isFalse(yield* manager.isPromptEdited())
      assert.lengthOf(yield* manager.getHistory(), 7)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends every request with the current prompt, and stores none of these lines", () => {
    const { layer, requests } = recording([Scripted.calls(["look"]), Scripted.calls(["look"]), "Done."])
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      yield* Stream.runDrain(manager.respond("Go", { tools: looking(Effect.void) }))
      assert.deepStrictEqual(
        requests.map(({ messages }) => lines(messages).at(-1)),
        Array.from({ length: 3 }, () => '[system] [current prompt: "a cat"]'),
      )
      assert.deepStrictEqual(
        requests.map(({ messages }) => messages.filter(({ role }) => role === "system").length),
        [1, 1, 1],
      )
      assert.deepStrictEqual(
        (yield* manager.getHistory()).map(({ role }) => role),
        ["user", "assistant", "tool", "assistant", "tool", "assistant"],
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("adds a notice of an edit before the next request, in the middle of a turn", () => {
    const { layer, requests } = recording([Scripted.calls(["look"]), "Done.\n\nPrompt: a purple dog"])
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      yield* Stream.runDrain(manager.respond("Go", { tools: looking(manager.updatePrompt("a dog")) }))
      assert.deepStrictEqual(asked(requests[1] ?? assert.fail("it was not asked")), [
        `[system] ${SYSTEM}`,
        "[user] Go",
        "[assistant] ",
        "[tool] seen",
        '[system] [user edited prompt to: "a dog"]',
        '[system] [current prompt: "a dog"]',
      ])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a purple dog")
      assert.isFalse(yield* manager.isPromptEdited())
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps an edit during an answer, with both texts on the tree", () => {
    const { layer } = recording(["Done.\n\nPrompt: a purple cat", "I see."])
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      yield* manager
        .respond("Make it purple")
        .pipe(
          Stream.runForEach((event) =>
            event.type === "provider_response" ? manager.updatePrompt("a cat of my own") : Effect.void,
          ),
        )
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a cat of my own")
      assert.isTrue(yield* manager.isPromptEdited())
      assert.strictEqual(
        Document.withConflictMarks(yield* manager.document),
        "<<<<<<< user\na cat of my own\n||||||| before\na cat\n=======\na purple cat\n>>>>>>> model\n",
      )
      yield* Stream.runDrain(manager.respond("And now?"))
      assert.deepStrictEqual(yield* history(manager), [
        "[user] Make it purple",
        "[assistant] Done.\n\nPrompt: a purple cat",
        '[system] [user edited prompt to: "a cat of my own"]',
        "[user] And now?",
        "[assistant] I see.",
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("merges a revision by a tool with an edit of the user, and sends the result to the model", () => {
    const { layer, requests } = recording([Scripted.calls(["look"]), "Done."])
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat\n\na hat\n" })
      const both = Effect.zipRight(manager.updatePrompt("a dog\n\na hat\n"), manager.revisePrompt("a cat\n\na crown\n"))
      yield* Stream.runDrain(manager.respond("Go", { tools: looking(both) }))
      assert.deepStrictEqual(lines(requests[1]?.messages ?? []).slice(-2), [
        '[system] [user edited prompt to: "a dog\n\na crown\n"]',
        '[system] [current prompt: "a dog\n\na crown\n"]',
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("ignores the prompt of an answer that was cut off", () => {
    const { layer } = recording([{ text: "Prompt: a tabby ca", finish: "content_filter" }])
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      yield* Stream.runDrain(manager.respond("Go"))
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a cat")
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps the user's message where the model fails, and stores it once when it is sent again", () => {
    const failure = new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "no" }) })
    const { layer } = recording([failure, "Here I am."])
    return Effect.gen(function* () {
      const manager = yield* made()
      const events = Chunk.toReadonlyArray(yield* Stream.runCollect(manager.respond("Hello?")))
      assert.strictEqual(events.at(-1)?.type, "error")
      assert.deepStrictEqual(yield* history(manager), ["[user] Hello?"])
      yield* Stream.runDrain(manager.respond("Hello?"))
      assert.deepStrictEqual(yield* history(manager), ["[user] Hello?", "[assistant] Here I am."])
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "tells the model of a message without an answer, so that it does not read it as the beginning of the next",
    () => {
      const failure = new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "no" }) })
      const { layer, requests } = recording([failure, failure, "Yes."])
      return Effect.gen(function* () {
        const manager = yield* made({ prompt: "a cat" })
        yield* Stream.runDrain(manager.respond("one"))
        yield* manager.updatePrompt("a dog")
        for (const text of ["two", "three"]) yield* Stream.runDrain(manager.respond(text))
        const notAnswered = "[system] [The message above was not answered.]"
        const told = yield* history(manager)
        assert.deepStrictEqual(told, [
          "[user] one",
          notAnswered,
          '[system] [user edited prompt to: "a dog"]',
          "[user] two",
          notAnswered,
          "[user] three",
          "[assistant] Yes.",
        ])
        const sent = requests.at(-1)?.messages ?? []
        assert.deepStrictEqual(sent.filter(({ role }) => role === "user").map(Message.text), ["one", "two", "three"])
      }).pipe(Effect.provide(layer))
    },
  )

  it.effect("refuses a blank message", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      const error = yield* Effect.flip(Stream.runDrain(manager.respond(" \n")))
      assert.strictEqual(error._tag === "SessionError" && error.reason._tag, "BlankMessage")
      assert.deepStrictEqual(yield* manager.getHistory(), [])
    }).pipe(unasked),
  )

  it.effect("has one turn at a time, accepts edits during it, and ends it when its stream is cancelled", () =>
    Effect.gen(function* () {
      const { asked, layer } = yield* hanging
      yield* Effect.gen(function* () {
        const manager = yield* made({ prompt: "a cat" })
        const turn = yield* Effect.fork(Stream.runDrain(manager.respond("one")))
        yield* Deferred.await(asked)
        for (const refused of [Stream.runDrain(manager.respond("two")), manager.addUserMessage("two")]) {
          const error = yield* Effect.flip(refused)
          assert.strictEqual(error._tag === "SessionError" && error.reason._tag, "SessionBusy")
        }
        yield* manager.updatePrompt("a dog")
        yield* manager.notifyPromptEdited()
        assert.isTrue(yield* manager.isPromptEdited())
        yield* Fiber.interrupt(turn)
        yield* manager.addUserMessage("two")
        assert.deepStrictEqual(yield* history(manager), ["[user] one", "[user] two"])
      }).pipe(Effect.provide(layer))
    }),
  )

  it.effect("ends a turn by clear, and ignores its late events", () =>
    Effect.gen(function* () {
      const { asked, layer } = yield* hanging
      yield* Effect.gen(function* () {
        const manager = yield* made()
        const turn = yield* Effect.fork(Stream.runLast(manager.respond("one")))
        yield* Deferred.await(asked)
        yield* manager.clear()
        const last = yield* Fiber.join(turn)
        assert.strictEqual(
          last._tag === "Some" && last.value.type === "error" && last.value.error.message,
          "Generation aborted: the conversation was cleared",
        )
        assert.deepStrictEqual(yield* manager.getHistory(), [])
        yield* manager.addUserMessage("two")
        assert.deepStrictEqual(yield* history(manager), ["[user] two"])
      }).pipe(Effect.provide(layer))
    }),
  )

  it.effect("continues after tool results that were stored at the cancellation", () => {
    const { layer } = recording([Scripted.calls(["look"]), "Fine."])
    return Effect.gen(function* () {
      const manager = yield* made()
      const started = yield* Deferred.make<void>()
      const tools = looking(Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))
      const turn = yield* Effect.fork(Stream.runDrain(manager.respond("Go", { tools })))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(turn)
      yield* Stream.runDrain(manager.respond("What was that?"))
      assert.deepStrictEqual(
        (yield* manager.getHistory()).map(({ role }) => role),
        ["user", "assistant", "tool", "user", "assistant"],
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("stores the text of a cancelled answer, ignores a prompt in it, and continues after it", () => {
    const { layer, requests } = recording(["Prompt: a tab", "Prompt: a dog"])
    return Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      const heard = yield* Deferred.make<void>()
      const part = ({ _tag }: Part) =>
        _tag === "Finish" ? Effect.zipRight(Deferred.succeed(heard, undefined), Effect.never) : Effect.void
      const turn = yield* Effect.fork(Stream.runDrain(manager.respond("Go", { onEvent: TurnEvents.onPart(part) })))
      yield* Deferred.await(heard)
      yield* Fiber.interrupt(turn)
      assert.deepStrictEqual(yield* history(manager), ["[user] Go", "[assistant] Prompt: a tab"])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a cat")
      yield* manager.updatePrompt("a bird")
      yield* Stream.runDrain(manager.respond("Go"))
      assert.deepStrictEqual(asked(requests[1] ?? assert.fail("it was not asked")).slice(1), [
        "[user] Go",
        "[assistant] Prompt: a tab",
        '[system] [user edited prompt to: "a bird"]',
        "[user] Go",
        '[system] [current prompt: "a bird"]',
      ])
      assert.strictEqual(yield* manager.getCurrentPrompt(), "a dog")
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not continue after an interrupted answer from before clear", () => {
    const { layer } = recording(["Half", { thinking: "Hm.", text: "Never said" }])
    return Effect.gen(function* () {
      const manager = yield* made()
      const stopped = (at: Part["_tag"]) =>
        Effect.gen(function* () {
          const heard = yield* Deferred.make<void>()
          const part = ({ _tag }: Part) =>
            _tag === at ? Effect.zipRight(Deferred.succeed(heard, undefined), Effect.never) : Effect.void
          const turn = yield* Effect.fork(Stream.runDrain(manager.respond("Go", { onEvent: TurnEvents.onPart(part) })))
          yield* Deferred.await(heard)
          yield* Fiber.interrupt(turn)
        })
      yield* stopped("Text")
      yield* manager.clear()
      yield* stopped("Thinking")
      assert.deepStrictEqual(yield* history(manager), ["[user] Go"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends by the caller's signal", () =>
    Effect.gen(function* () {
      const { asked, layer } = yield* hanging
      yield* Effect.gen(function* () {
        const manager = yield* made()
        const controller = new AbortController()
        const turn = yield* Effect.fork(Stream.runLast(manager.respond("one", { signal: controller.signal })))
        yield* Deferred.await(asked)
        controller.abort("enough")
        const last = yield* Fiber.join(turn)
        assert.strictEqual(
          last._tag === "Some" && last.value.type === "error" && last.value.error.message,
          "Generation aborted: enough",
        )
      }).pipe(Effect.provide(layer))
    }),
  )

  it.effect("retries a busy provider, and sends edits with the next request", () =>
    Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      const turn = yield* Effect.fork(Stream.runDrain(manager.respond("Go")))
      yield* TestClock.adjust("1 second")
      yield* manager.updatePrompt("a dog")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(turn)
      assert.deepStrictEqual(yield* history(manager), ["[user] Go", "[assistant] Here."])
      assert.isTrue(yield* manager.isPromptEdited())
    }).pipe(withScript([overloaded, "Here."])),
  )

  it.effect("is available as a layer", () =>
    Effect.gen(function* () {
      const manager = yield* ConversationManager.ConversationManager
      yield* Stream.runDrain(manager.respond("Hello"))
      assert.lengthOf(yield* manager.getHistory(), 2)
    }).pipe(
      Effect.provide(
        ConversationManager.layer({ owner: "test", systemPrompt: SYSTEM }).pipe(
          Layer.provide(layerOf(Scripted.layer(["Hi"]))),
        ),
      ),
    ),
  )
})

describe("ConversationManager: for a page", () => {
  it.effect("has the nodes of its history, with ids, times and usage", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      yield* Stream.runDrain(manager.respond("hello"))
      const nodes = yield* manager.nodes
      assert.deepStrictEqual(
        nodes.map(({ source }) => source.type),
        ["user", "model"],
      )
      assert.strictEqual(nodes.at(-1)?.id, yield* manager.cursor)
      assert.deepStrictEqual(
        nodes.map(({ message }) => message),
        yield* manager.getHistory(),
      )
    }).pipe(withScript(["Hello."])),
  )

  it.effect("reports each change of prompt, history and status", () =>
    Effect.gen(function* () {
      const manager = yield* made({ prompt: "a cat" })
      const begun = yield* Deferred.make<void>()
      const seen = yield* manager.changes.pipe(
        Stream.tap(() => Deferred.succeed(begun, undefined)),
        Stream.map(({ document, status }) => `${status}: ${document.text}`),
        Stream.takeUntil((line) => line === "idle: a dog"),
        Stream.changes,
        Stream.runCollect,
        Effect.fork,
      )
      yield* Deferred.await(begun)
      yield* manager.updatePrompt("a bird")
      yield* Stream.runDrain(manager.respond("Go"))
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Fiber.join(seen)), [
        "idle: a cat",
        "idle: a bird",
        "responding: a bird",
        "responding: a dog",
        "idle: a dog",
      ])
    }).pipe(withScript(["Prompt: a dog"])),
  )

  it.effect("stops the turn in progress, and only then", () =>
    Effect.gen(function* () {
      const manager = yield* made()
      assert.isFalse(yield* manager.stop)
      const asked = yield* Deferred.make<void>()
      const waiting = Tool.make({
        name: "wait",
        description: "Waits.",
        parameters: Schema.Struct({}),
        run: () => Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never),
      })
      const turn = yield* Effect.fork(Stream.runCollect(manager.respond("Go", { tools: ToolRegistry.make([waiting]) })))
      yield* Deferred.await(asked)
      assert.strictEqual(yield* manager.status, "responding")
      assert.isTrue(yield* manager.stop)
      const last = Chunk.toReadonlyArray(yield* Fiber.join(turn)).at(-1)
      assert.strictEqual(last?.type === "error" && last.error._tag, "GenerationAbortedError")
      assert.strictEqual(yield* manager.status, "idle")
    }).pipe(withScript([Scripted.calls(["wait"])])),
  )
})
