import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Layer, Schema, Stream, TestClock } from "effect"
import * as Document from "../../../src/conversation/document/Document.ts"
import * as ConversationManager from "../../../src/conversation/engines/ConversationManager.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as MessageParts from "../../../src/forest/MessageParts.ts"
import * as Message from "../../../src/message/Message.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, Unauthorized } from "../../../src/model/ModelError.ts"
import type { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { layerOf, withScript } from "../../utils/Looms.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

const SYSTEM = "You help users create images..."

const made = (options: Partial<ConversationManager.Options> = {}) =>
  ConversationManager.make({ owner: "test", systemPrompt: SYSTEM, ...options })

/** A message as the specification writes it. */
const line = (message: Message.Message) => `[${message.role}] ${Message.text(message)}`

const lines = (messages: ReadonlyArray<Message.Message>) => messages.map(line)

const history = (manager: ConversationManager.Service) => Effect.map(manager.getHistory(), lines)

const context = (manager: ConversationManager.Service) => Effect.map(manager.buildLLMContext(), lines)

const unasked = withScript([])

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

const EXAMPLE = [
  "[system] You help users create images...",
  "[user] I want a cat in a hat",
  "[assistant] A cat in a hat! Let me ask...",
  "[user] Make it a tabby cat with a wizard hat",
  "[assistant] Got it! Here's what I have:\n\nPrompt: a tabby cat wearing a wizard hat, fantasy style",
  '[system] [user edited prompt to: "a tabby cat wearing a sparkly wizard hat, fantasy style"]',
  "[user] Now make the background purple",
  '[system] [current prompt: "a tabby cat wearing a sparkly wizard hat, fantasy style"]',
]

/** Answers in order, and remembers what it was asked. */
const recording = (script: ReadonlyArray<Scripted.Line>) => {
  const requests: Array<Request> = []
  const model = Scripted.make((request, index) => {
    requests.push(request)
    return script[index] ?? "nothing more"
  })
  return { requests, layer: layerOf(Layer.effect(LanguageModel.LanguageModel, model)) }
}

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

const asked = ({ messages, system }: Request) => [`[system] ${system}`, ...lines(messages)]

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
