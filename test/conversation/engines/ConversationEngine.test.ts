import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Ref, Schema } from "effect"
import { broadcast } from "../../../src/agent/TurnEvent.ts"
import * as ConversationEngine from "../../../src/conversation/engines/ConversationEngine.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import type * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import type * as LanguageModel from "../../../src/model/LanguageModel.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { calls, failed, inMemory, session, systemPrompt, tag, told, toolsHeardBy } from "../../utils/Interviews.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

describe("ConversationEngine with a `ToolRegistry`", () => {
  it.effect("lets a model call its tools where it is made without others", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([Scripted.calls(["file_write", { path: "a.md" }]), "Noted."])
      const { start } = yield* ConversationEngine.make({ model, systemPrompt, codebasePath: "/code" })
      assert.deepStrictEqual(yield* start("Write it down."), { text: "Noted.", files_written: ["a.md"], done: false })
    }).pipe(inMemory, Effect.provide(ToolRegistry.layer(toolsHeardBy({ requests: [], calls: [] })))),
  )
})

describe("ConversationEngine: messages", () => {
  it.effect("sends the user's messages of the meantime with the results of tools", () =>
    Effect.gen(function* () {
      const { messages, requests, start } = yield* session([calls(["file_read", { path: "a.ts" }]), "Bright, then."])
      const meanwhile = Effect.sync(() => (requests.length === 1 ? "not dark, but bright" : " "))
      yield* start("Go", { meanwhile })
      assert.deepStrictEqual(
        requests[1]?.messages.map(({ role }) => role),
        ["user", "assistant", "tool", "user"],
      )
      assert.deepStrictEqual(told(yield* messages).slice(-2), [
        ["user", "not dark, but bright"],
        ["assistant", "Bright, then."],
      ])
    }).pipe(inMemory),
  )

  it.effect("start sends the system prompt and the message, and returns the answer", () =>
    Effect.gen(function* () {
      const { messages, requests, start } = yield* session(["Hello! What problem do you want to solve?"])
      assert.deepStrictEqual(yield* start("I need logins"), {
        text: "Hello! What problem do you want to solve?",
        done: false,
      })
      assert.lengthOf(requests, 1)
      assert.strictEqual(requests[0]?.system, systemPrompt)
      assert.deepStrictEqual(told(requests[0]?.messages), [["user", "I need logins"]])
      assert.deepStrictEqual(told(yield* messages), [
        ["system", systemPrompt],
        ["user", "I need logins"],
        ["assistant", "Hello! What problem do you want to solve?"],
      ])
    }).pipe(inMemory),
  )

  it.effect("respond sends the system prompt and all messages", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session(["Go on.", "I see."])
      yield* start("I need logins")
      assert.deepStrictEqual(yield* respond("More details"), { text: "I see.", done: false })
      assert.strictEqual(requests[1]?.system, systemPrompt)
      assert.deepStrictEqual(told(requests[1]?.messages), [
        ["user", "I need logins"],
        ["assistant", "Go on."],
        ["user", "More details"],
      ])
    }).pipe(inMemory),
  )

  it.effect("has the messages of its path in the forest", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { cursor, messages, respond, start } = yield* session([calls(["file_read", { path: "a" }]), "one", "two"])
      assert.deepStrictEqual(yield* messages, [])
      assert.isTrue(Option.isNone(yield* cursor))
      yield* start("first")
      const before = yield* messages
      yield* respond("second")
      const after = yield* messages
      assert.deepStrictEqual(after.slice(0, before.length), before)
      const { nodes, root } = yield* forest.path(Option.getOrThrow(yield* cursor))
      assert.deepStrictEqual(
        after.slice(1),
        nodes.map(({ message }) => message),
      )
      assert.strictEqual(root.owner, "conversation:/code")
    }).pipe(inMemory),
  )

  it.effect("writes nothing to stdout or stderr", () =>
    Effect.gen(function* () {
      const { respond, start } = yield* session([calls(["throwing"], ["file_write", { path: "a" }]), "Done.", failed])
      const written: Array<unknown> = []
      const { stderr, stdout } = process
      yield* Effect.acquireUseRelease(
        Effect.sync(() => {
          const before = [stdout.write, stderr.write] as const
          stdout.write = stderr.write = (chunk: unknown) => written.push(chunk) > 0
          return before
        }),
        () => Effect.zipRight(start("Go"), Effect.flip(respond("and on"))),
        ([out, err]) =>
          Effect.sync(() => Object.assign(stdout, { write: out }) && Object.assign(stderr, { write: err })),
      )
      assert.deepStrictEqual(written, [])
    }).pipe(inMemory),
  )

  it.effect("reports text and tools as they come", () =>
    Effect.gen(function* () {
      const { start } = yield* session([{ text: "Let me look.", ...calls(["file_read", { path: "a" }]) }, "Found it."])
      const words: Array<string> = []
      const { text } = yield* start("Look", {
        onEvent: broadcast(
          TurnEvents.onPart((part) => Effect.sync(() => void (part._tag === "Text" && words.push(part.text)))),
          TurnEvents.onToolStarted(({ name }) => Effect.sync(() => void words.push(name))),
        ),
      })
      assert.deepStrictEqual([text, words], ["Found it.", ["Let me look.", "file_read", "Found it."]])
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: refusals", () => {
  it.effect("respond before start fails with a typed error, without a request", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session(["Hello."])
      assert.strictEqual(tag(yield* Effect.flip(respond("Hi"))), "SessionNotStarted")
      assert.lengthOf(requests, 0)
      assert.strictEqual((yield* start("Hi")).text, "Hello.")
    }).pipe(inMemory),
  )

  it.effect("a second start fails, and changes nothing", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session(["Hello.", "Yes?"])
      yield* start("Hi")
      assert.strictEqual(tag(yield* Effect.flip(start("Hi again"))), "SessionAlreadyStarted")
      yield* respond("So")
      assert.deepStrictEqual(told(requests[1]?.messages), [
        ["user", "Hi"],
        ["assistant", "Hello."],
        ["user", "So"],
      ])
    }).pipe(inMemory),
  )

  it.effect.each(["", " \n\t", "\u00a0"])("a message that is %j fails", (blank) =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session(["Hello.", "Yes?"])
      assert.strictEqual(tag(yield* Effect.flip(start(blank))), "BlankMessage")
      yield* start("Hi")
      assert.strictEqual(tag(yield* Effect.flip(respond(blank))), "BlankMessage")
      assert.strictEqual((yield* respond("So")).text, "Yes?")
      assert.lengthOf(requests, 2)
    }).pipe(inMemory),
  )

  it.effect("a message during an answer fails", () =>
    Effect.gen(function* () {
      const held = yield* Deferred.make<void>()
      const waiting = Tool.make({
        name: "waiting",
        description: "Waits.",
        parameters: Schema.Struct({}),
        run: () => Effect.as(Deferred.await(held), "waited"),
      })
      const { respond, start } = yield* session(["Hello.", calls(["waiting"]), "Yes."], () => [waiting])
      yield* start("Hi")
      const first = yield* Effect.fork(respond("one"))
      yield* Effect.yieldNow({ priority: 1 })
      assert.strictEqual(tag(yield* Effect.flip(respond("two"))), "SessionBusy")
      yield* Deferred.succeed(held, undefined)
      assert.strictEqual((yield* Fiber.join(first)).text, "Yes.")
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: from", () => {
  it.effect("continues after a node, with the system prompt of its tree", () =>
    Effect.gen(function* () {
      const first = yield* session(["Hello.", "I see."])
      yield* first.start("Hi")
      const from = Option.getOrThrow(yield* first.cursor)
      yield* first.respond("Beside")
      const second = yield* session(["Yes."], toolsHeardBy, "/elsewhere", from)
      assert.deepStrictEqual(yield* second.cursor, Option.some(from))
      assert.strictEqual(tag(yield* Effect.flip(second.start("Hi"))), "SessionAlreadyStarted")
      assert.strictEqual((yield* second.respond("So")).text, "Yes.")
      assert.strictEqual(second.requests[0]?.system, systemPrompt)
      assert.deepStrictEqual(told(yield* second.messages), [
        ["system", systemPrompt],
        ["user", "Hi"],
        ["assistant", "Hello."],
        ["user", "So"],
        ["assistant", "Yes."],
      ])
      const forest = yield* Forest.Forest
      assert.lengthOf(yield* forest.roots(), 1)
    }).pipe(inMemory),
  )

  it.effect("continues after a message without an answer, which is stored once when it is sent again", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const first = yield* session(["Hello.", failed])
      yield* first.start("Hi")
      yield* Effect.flip(first.respond("Lost?"))
      const [lost] = yield* forest.search({ text: "Lost" })
      for (const said of ["Lost?", "Something else"]) {
        const again = yield* session(["Yes."], toolsHeardBy, "/code", lost?.id)
        yield* again.respond(said)
        const added = [
          ["system", "[The message above was not answered.]"],
          ["user", said],
        ]
        assert.deepStrictEqual(told(again.requests[0]?.messages), [
          ["user", "Hi"],
          ["assistant", "Hello."],
          ["user", "Lost?"],
          ...(said === "Lost?" ? [] : added),
        ])
      }
      assert.lengthOf(yield* forest.search({ text: "Lost" }), 1)
    }).pipe(inMemory),
  )

  it.effect("continues after a root without messages, and fails in the first turn for a missing node", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "test", systemPrompt: "S" })
      const beginning = yield* session(["Hello."], toolsHeardBy, "/code", id)
      assert.strictEqual((yield* beginning.respond("Hi")).text, "Hello.")
      assert.strictEqual(beginning.requests[0]?.system, "S")
      const lost = yield* session([], toolsHeardBy, "/code", NodeId.make("nowhere"))
      assert.strictEqual((yield* Effect.flip(lost.respond("Hi"))).message, "Node not found: nowhere")
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: separate sessions", () => {
  it.effect("share nothing across folders, nor after different answers", () =>
    Effect.gen(function* () {
      const one = yield* session(["One.", "One again."])
      const other = yield* session(["Other.", "Other again."])
      const elsewhere = yield* session(["Elsewhere."], toolsHeardBy, "/elsewhere")
      yield* Effect.all([one.start("Hi"), other.start("Hi"), elsewhere.start("Hi")], { concurrency: 3 })
      yield* one.respond("So")
      yield* other.respond("So")
      const said = (messages: ReadonlyArray<Message.Message>) => told(messages).map(([, text]) => text)
      assert.deepStrictEqual(said(yield* one.messages).slice(1), ["Hi", "One.", "So", "One again."])
      assert.deepStrictEqual(said(yield* other.messages).slice(1), ["Hi", "Other.", "So", "Other again."])
      const forest = yield* Forest.Forest
      const owners = Effect.map(forest.roots(), (roots) => roots.map(({ owner }) => owner))
      assert.deepStrictEqual(yield* owners, ["conversation:/code", "conversation:/elsewhere"])
    }).pipe(inMemory),
  )

  it.effect("as a layer of its configuration: model, tools, system prompt, codebase", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const scripted = yield* Scripted.make(["Hello."])
      const model: LanguageModel.Service = {
        ...scripted,
        generate: (...given) =>
          Effect.zipRight(
            Ref.update(asked, (count) => count + 1),
            scripted.generate(...given),
          ),
      }
      const config = { model, tools: ToolRegistry.make([]), systemPrompt, codebasePath: "/code" }
      const start = Effect.flatMap(ConversationEngine.ConversationEngine, (engine) => engine.start("Hi"))
      assert.strictEqual((yield* Effect.provide(start, ConversationEngine.layer(config))).text, "Hello.")
      assert.strictEqual(yield* Ref.get(asked), 1)
    }).pipe(inMemory),
  )
})
