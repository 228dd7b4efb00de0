import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Ref, Schema } from "effect"
import * as SessionLoop from "../../src/conversation/SessionLoop.ts"
import type { SlashCommand } from "../../src/conversation/slash/SlashCommand.ts"
import * as View from "../../src/conversation/View.ts"
import * as Forest from "../../src/forest/Forest.ts"
import { ForestError, NotFound } from "../../src/forest/ForestError.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { counting, endless, inMemory, leaving, makeDrafts, requestTexts, startSession } from "../utils/ChatSessions.ts"
import { type Options, texts } from "../utils/ScriptedUser.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

describe("SessionLoop", () => {
  it.effect("answers each message with the history before it, and shows its tokens, its cost and that of all", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      const { user } = talking
      yield* user.asks("one")
      yield* user.sends("two")
      const last = (yield* user.waitFor("Answered")).at(-1)
      assert.deepStrictEqual(requestTexts(requests[1]), ["user: one", "assistant: answer 1", "user: two"])
      assert.ok(last?._tag === "Answered")
      assert.strictEqual(last.text, "answer 2")
      assert.deepStrictEqual([last.account.usage.inputTokens, last.account.usage.outputTokens], [10, 2])
      assert.deepStrictEqual([last.account.cost, last.account.sessionCost], [0.000_014, 0.000_028])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("ignores a blank message", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      yield* talking.user.sends("  \n ")
      yield* leaving(talking)
      assert.lengthOf(requests, 0)
    }).pipe(inMemory),
  )

  it.effect("shows a message as asked once it is stored, with its node", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const arrived = yield* Effect.makeLatch()
      const go = yield* Effect.makeLatch()
      const append: Forest.Service["append"] = (...args) =>
        arrived.open.pipe(Effect.zipRight(go.await), Effect.zipRight(forest.append(...args)))
      const talking = yield* Effect.provideService(startSession({ model: counting().model }), Forest.Forest, {
        ...forest,
        append,
      })
      const { user } = talking
      yield* user.sends("one")
      yield* arrived.await
      assert.deepStrictEqual(texts(yield* user.shown), ["Titled"])
      yield* go.open
      const asked = (yield* user.waitFor("Asked")).at(-1)
      assert.ok(asked?._tag === "Asked")
      assert.strictEqual(Message.text((yield* forest.node(asked.node)).message), "one")
      yield* user.waitFor("Answered")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("does not show a message as asked that cannot be stored, and puts it back into the input field", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const talking = yield* Effect.provideService(startSession({ model: counting().model }), Forest.Forest, {
        ...forest,
        append: () => new ForestError({ reason: new NotFound({ id: NodeId.make("gone") }) }),
      })
      const { user } = talking
      yield* user.sends("one")
      assert.deepStrictEqual(texts(yield* user.waitFor("Failed")).slice(0, 1), ["Titled"])
      assert.notInclude(texts(yield* user.shown).join(), "Asked")
      yield* leaving(talking)
      assert.strictEqual(yield* Ref.get(user.draft), "one")
    }).pipe(inMemory),
  )

  it.effect("puts a message back into the input field that is stopped before it is stored", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const arrived = yield* Effect.makeLatch()
      const talking = yield* Effect.provideService(startSession({ model: counting().model }), Forest.Forest, {
        ...forest,
        append: () => Effect.zipRight(arrived.open, Effect.interruptible(Effect.never)),
      })
      const { user } = talking
      yield* user.sends("one")
      yield* arrived.await
      yield* user.stops
      yield* user.waitFor("Stopped")
      yield* leaving(talking)
      assert.notInclude(texts(yield* user.shown).join(), "Asked")
      assert.strictEqual(yield* Ref.get(user.draft), "one")
    }).pipe(inMemory),
  )

  it.effect("queues messages sent during an answer, and answers them in order", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({
        model: {
          ...model,
          generate: (request, observer) => Effect.zipRight(Effect.yieldNow(), model.generate(request, observer)),
        },
      })
      const { user } = talking
      yield* user.sends("one")
      yield* user.waitFor("Asked")
      yield* user.sends("two")
      yield* user.sends("three")
      yield* leaving(talking)
      assert.deepStrictEqual(
        requestTexts(requests[2]).filter((text) => text.startsWith("user")),
        ["user: one", "user: two", "user: three"],
      )
      assert.includeMembers([...texts(yield* user.shown)], ["Queued: two", "Queued: three", "Answered: answer 3"])
    }).pipe(inMemory),
  )

  it.effect("passes messages sent during tool calls to the model, and queues commands", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const running = yield* Effect.makeLatch()
      const go = yield* Effect.makeLatch()
      const look = Tool.make({
        name: "look",
        description: "Looks around.",
        parameters: Schema.Struct({}),
        readOnly: true,
        run: () => Effect.as(Effect.zipRight(running.open, go.await), { text: "nothing here" }),
      })
      const model = LanguageModel.make(new ModelId({ provider: "test", name: "looking" }), (request, say) =>
        requests.push(request) === 1
          ? say([
              Part.ToolUse({ id: "c1", name: "look", parameters: {} }),
              Part.Finish({ reason: "tool_calls", usage: Usage.none }),
            ])
          : say([Part.Text({ text: "Done." }), Part.Finish({ reason: "stop", usage: Usage.none })]),
      )
      const talking = yield* startSession({ model, tools: ToolRegistry.make([look]) })
      const { user } = talking
      yield* user.sends("look around")
      yield* running.await
      yield* user.sends("behind the door, too")
      yield* user.sends("/undo")
      yield* user.waitFor("Queued")
      yield* user.waitFor("Queued")
      yield* go.open
      const told = texts(yield* user.waitFor("Answered"))
      assert.include(told, "Steered: behind the door, too")
      assert.deepStrictEqual(requestTexts(requests[1]).slice(-1), ["user: behind the door, too"])
      yield* leaving(talking)
      assert.lengthOf(requests, 2)
    }).pipe(inMemory),
  )

  it.effect("stops an answer on request, stores the part that arrived, and continues after it", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const heard = yield* Effect.makeLatch()
      const talking = yield* startSession({
        model: endless,
        others: [model],
        onEvent: TurnEvents.onPart(() => heard.open),
      })
      const { user } = talking
      yield* user.sends("tell me a story")
      yield* heard.await
      yield* user.stops
      yield* user.waitFor("Stopped")
      yield* user.sends("/model test/counting")
      yield* user.asks("go on")
      assert.deepStrictEqual(requestTexts(requests[0]), [
        "user: tell me a story",
        "assistant: Once upon",
        "user: go on",
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("puts messages that wait back into the input field when the user stops the answer, and sends none", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const talking = yield* startSession({ model: endless, onEvent: TurnEvents.onPart(() => heard.open) })
      const { user } = talking
      yield* user.sends("tell me a story")
      yield* heard.await
      for (const text of ["of a dog", "/model", "and a cat"]) {
        yield* user.sends(text)
        yield* user.waitFor("Queued")
      }
      yield* Ref.set(user.draft, "and a")
      yield* user.stops
      const told = texts(yield* user.waitFor("Stopped"))
      assert.deepStrictEqual(told.slice(0, 4), [
        "Dequeued: of a dog",
        "Dequeued: /model",
        "Dequeued: and a cat",
        "Noted: 2 messages that waited are back in the input: Enter sends them together, Ctrl-C drops them\nnot run, since the answer was stopped: /model (Up recalls it)",
      ])
      yield* leaving(talking)
      assert.lengthOf(
        texts(yield* user.shown).filter((text) => text.startsWith("Asked")),
        1,
      )
      assert.strictEqual(yield* Ref.get(user.draft), "of a dog\nand a cat\nand a")
    }).pipe(inMemory),
  )

  it.effect("exits at the second request in a row, and not with a message between them", () =>
    Effect.gen(function* () {
      const { user, running } = yield* startSession({ model: counting().model })
      yield* user.requestsExit
      yield* user.asks("hello")
      yield* user.requestsExit
      yield* user.waitFor("ExitHint")
      yield* user.requestsExit
      const exit = yield* Fiber.await(running)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
    }).pipe(inMemory),
  )

  it.effect("keeps a message whose answer failed, and answers it again on /retry", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const failing = LanguageModel.make(
        new ModelId({ provider: "test", name: "failing" }),
        () => new ModelError({ model: "test/failing", reason: new Unauthorized({ message: "the key was refused" }) }),
      )
      const talking = yield* startSession({ model: failing, others: [model] })
      const { forest, user } = talking
      yield* user.sends("hello")
      const told = texts(yield* user.waitFor("Noted"))
      assert.match(told.join("\n"), /Failed: test\/failing: the key was refused.*\n.*\/retry/s)
      yield* user.sends("/model test/counting")
      yield* user.asks("/retry")
      assert.deepStrictEqual(requestTexts(requests[0]), ["user: hello"])
      const [root] = yield* forest.roots("chat")
      assert.lengthOf(yield* forest.subtree(root?.id ?? assert.fail("there is no tree")), 2)
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("puts a message back into the input field that could not be sent", () =>
    Effect.gen(function* () {
      const talking = yield* startSession({ model: counting().model })
      const { user } = talking
      yield* user.sends("look at @picture.png please")
      const told = texts(yield* user.waitFor("Failed"))
      assert.strictEqual(told.at(-1), "Failed: picture.png: binary, 3 bytes")
      assert.strictEqual(yield* Ref.get(user.draft), "look at @picture.png please")
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("fails where the view is not interactive", () =>
    Effect.gen(function* () {
      const { running, user } = yield* startSession({ model: counting().model, isInteractive: false })
      yield* user.sends("look at @picture.png please")
      const exit = yield* Fiber.await(running)
      assert.isTrue(Exit.isFailure(exit))
    }).pipe(inMemory),
  )

  it.effect(
    "has a message that an edit has divided as one in menus, drafts and copies, and goes back before all of it",
    () =>
      Effect.gen(function* () {
        const forest = yield* Forest.Forest
        const root = yield* forest.startConversation({ owner: "chat", systemPrompt: "S" })
        const source = { type: "user" } as const
        const [poem, roses] = yield* forest.append(
          root.id,
          [
            Message.user("Write a poem"),
            { role: "assistant" as const, content: [Block.text("Roses are red")] as const },
            Message.user("Thanks"),
          ].map((message) => ({
            message,
            source,
          })),
        )
        const longer = yield* forest.edit(poem?.id ?? root.id, "Write a longer poem")
        const violets = yield* forest.edit(roses?.id ?? root.id, "Roses are blue")
        const { model, requests } = counting()
        const menus: Array<ReadonlyArray<string>> = []
        const userAfter = (line: string, from: NodeId) =>
          Effect.gen(function* () {
            const picks: Options["picks"] = ({ choices }) => {
              menus.push(choices.map(({ label }) => label))
              return choices.findIndex(({ label }) => label.includes("Write a longer poem"))
            }
            const talking = yield* startSession({ model, from, picks })
            yield* talking.user.sends(line)
            yield* talking.user.asks("Another")
            yield* leaving(talking)
            return talking.user
          })
        for (const [line, from] of [
          ["/tree", violets.id],
          ["/search longer", violets.id],
          ["/fork", longer.id],
          [`/tree ${longer.id}`, violets.id],
          ["/edit", longer.id],
          ["/undo", longer.id],
        ] as const) {
          const { draft } = yield* userAfter(line, from)
          if (line !== "/undo") assert.strictEqual(yield* Ref.get(draft), "Write a longer poem", line)
          assert.deepStrictEqual(requestTexts(requests.at(-1)), ["user: Another"], line)
        }
        assert.deepStrictEqual(menus, [
          [
            '├─ user "Write a poem"',
            '│  ├─ assistant "Roses are red"',
            '│  │  user "Thanks"',
            '│  └─ assistant "Roses are blue"',
            '└─ user "Write a longer poem"',
          ],
          ['user "Write a longer poem"'],
          ["Write a longer poem"],
        ])
        const { clipboard } = yield* userAfter("/copy", violets.id)
        assert.strictEqual(yield* Ref.get(clipboard), "Roses are blue")
        yield* userAfter("/retry", longer.id)
        assert.deepStrictEqual(requestTexts(requests.at(-2)), ["user: Write a longer poem"])
      }).pipe(inMemory),
  )

  it.effect("keeps text that was not sent, and starts the next session with it", () =>
    Effect.gen(function* () {
      const { kept, unsent } = yield* makeDrafts("left from before")
      const heard = yield* Effect.makeLatch()
      const { running, user } = yield* startSession({
        model: endless,
        unsent,
        onEvent: TurnEvents.onPart(() => heard.open),
      })
      yield* user.sends("one")
      yield* heard.await
      assert.strictEqual(yield* Ref.get(user.draft), "left from before")
      yield* user.sends("two")
      yield* user.waitFor("Queued")
      yield* Ref.set(user.draft, "half a sen")
      // As when the terminal is lost.
      yield* Fiber.interrupt(running)
      assert.strictEqual(yield* Ref.get(kept), "two\n\nhalf a sen")
      assert.include(texts(yield* user.shown), "Noted: You had not sent this when your last session here ended:")
    }).pipe(inMemory),
  )

  it.effect("takes a command that waited off the queue before it runs", () =>
    Effect.gen(function* () {
      const heard = yield* Effect.makeLatch()
      const talking = yield* startSession({ model: endless, onEvent: TurnEvents.onPart(() => heard.open) })
      const { user } = talking
      yield* user.sends("one")
      yield* heard.await
      yield* user.sends("/save here")
      yield* user.waitFor("Queued")
      yield* user.stops
      assert.deepStrictEqual(texts(yield* user.waitFor("Noted")).slice(-2), [
        "Dequeued: /save here",
        'Noted: saved: vibe chat --resume="here" continues from here',
      ])
      yield* leaving(talking)
    }).pipe(inMemory),
  )

  it.effect("treats a path as a message, not as a command", () =>
    Effect.gen(function* () {
      const { model, requests } = counting()
      const talking = yield* startSession({ model })
      yield* talking.user.sends("/usr/bin/env is what?")
      yield* leaving(talking)
      assert.deepStrictEqual(requestTexts(requests[0]), ["user: /usr/bin/env is what?"])
    }).pipe(inMemory),
  )
})

describe("SessionLoop.eventOf", () => {
  const immediate: SlashCommand = {
    name: "cost",
    aliases: ["price"],
    argument: undefined,
    summary: "",
    isImmediate: true,
    run: () => Effect.succeed("continue"),
  }
  const commands = [immediate, { ...immediate, name: "undo", aliases: [], isImmediate: false }]

  it.each([
    ["/cost", true],
    [" /price now", true],
    ["/undo", false],
    ["/unknown", false],
    ["/cost/of/files", false],
    ["What does /cost do?", false],
  ])("says whether %j is handled at once", (text, isImmediate) => {
    const event = SessionLoop.eventOf(View.Input.Sent({ text }), commands)
    assert.deepInclude(event, { _tag: "Sent", text, isImmediate })
  })

  it("closes the input of the session with that of the view", () => {
    assert.deepStrictEqual(SessionLoop.eventOf(View.Input.Closed(), commands), { _tag: "InputClosed" })
  })
})
