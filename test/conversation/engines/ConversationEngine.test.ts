import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, FastCheck, Fiber, Option, Ref, Schema, TestClock } from "effect"
import { broadcast } from "../../../src/agent/TurnEvent.ts"
import * as ConversationEngine from "../../../src/conversation/engines/ConversationEngine.ts"
import * as SessionComplete from "../../../src/conversation/engines/SessionComplete.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as Message from "../../../src/message/Message.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as History from "../../../src/model/History.ts"
import type * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, Unauthorized } from "../../../src/model/ModelError.ts"
import type { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { cases } from "../../thoroughness.ts"
import { withScript } from "../../utils/Looms.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

const systemPrompt = "You are an interviewer.\n\n  # With {{marks}} of its own\t\n"

/** What tools were called with, and what models were asked, in order. */
interface Heard {
  readonly requests: Array<Request>
  readonly calls: Array<unknown>
}

const toolsHeardBy = ({ calls }: Heard): ReadonlyArray<Tool.Tool> => {
  const note = (call: unknown) => Effect.sync(() => void calls.push(call))
  return [
    Tool.make({
      name: "file_read",
      description: "Reads.",
      parameters: Schema.Struct({ path: Schema.String }),
      readOnly: true,
      run: (args) => Effect.as(note(args), `Wrote ${args.path} by hand, long ago`),
    }),
    Tool.make({
      name: "file_write",
      description: "Writes.",
      parameters: Schema.Struct({ path: Schema.String }),
      run: ({ path }) => Effect.as(note({ wrote: path }), { text: "kept", filesWritten: [path] }),
    }),
    Tool.make({
      name: "throwing",
      description: "Throws.",
      parameters: Schema.Struct({}),
      run: () => {
        throw new Error("disk full")
      },
    }),
    SessionComplete.make,
  ]
}

/** A session over a script; what its model was asked and its tools were called with is heard. */
const session = (
  script: Scripted.Script,
  tools: (heard: Heard) => ReadonlyArray<Tool.Tool> = toolsHeardBy,
  codebasePath = "/code",
  from?: NodeId,
) =>
  Effect.gen(function* () {
    const heard: Heard = { requests: [], calls: [] }
    const scripted = yield* Scripted.make(script)
    const model: LanguageModel.Service = {
      ...scripted,
      generate: (request, observer) => {
        heard.requests.push(request)
        return scripted.generate(request, observer)
      },
    }
    const registry = ToolRegistry.make(tools(heard))
    const engine = yield* ConversationEngine.make({ model, tools: registry, systemPrompt, codebasePath, from })
    return { ...engine, ...heard }
  })

const inMemory = withScript([])

describe("ConversationEngine with a `ToolRegistry`", () => {
  it.effect("lets a model call its tools where it is made without others", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([Scripted.calls(["file_write", { path: "a.md" }]), "Noted."])
      const { start } = yield* ConversationEngine.make({ model, systemPrompt, codebasePath: "/code" })
      assert.deepStrictEqual(yield* start("Write it down."), { text: "Noted.", files_written: ["a.md"], done: false })
    }).pipe(inMemory, Effect.provide(ToolRegistry.layer(toolsHeardBy({ requests: [], calls: [] })))),
  )
})

const told = (messages: ReadonlyArray<Message.Message> | undefined) =>
  (messages ?? []).map((message) => [message.role, Message.text(message)])

const { calls } = Scripted

const failed = new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "no key" }) })

const tag = (error: ConversationEngine.ConversationError) =>
  error._tag === "SessionError" || error._tag === "ModelError" ? error.reason._tag : error._tag

/** The only tool results that a request holds, as text. */
const results = (request: Request | undefined) =>
  (request?.messages ?? []).flatMap((message) => (message.role === "tool" ? [Message.text(message)] : []))

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

describe("ConversationEngine: tools", () => {
  it.effect("a call, then the text: one execution with exactly these arguments, two requests", () =>
    Effect.gen(function* () {
      const engine = yield* session([calls(["file_read", { path: "src/a.ts" }]), "It is a loop."])
      assert.deepStrictEqual(yield* engine.start("What is it?"), { text: "It is a loop.", done: false })
      assert.deepStrictEqual(engine.calls, [{ path: "src/a.ts" }])
      assert.lengthOf(engine.requests, 2)
    }).pipe(inMemory),
  )

  it.effect("two calls of one answer: each once, and the text that follows", () =>
    Effect.gen(function* () {
      const engine = yield* session([calls(["file_read", { path: "a" }], ["file_write", { path: "b" }]), "Both."])
      assert.strictEqual((yield* engine.start("Go")).text, "Both.")
      assert.deepStrictEqual(engine.calls, [{ path: "a" }, { wrote: "b" }])
    }).pipe(inMemory),
  )

  it.effect("two rounds of calls: three requests, and no more than one answer", () =>
    Effect.gen(function* () {
      const engine = yield* session([calls(["file_read", { path: "a" }]), calls(["file_read", { path: "b" }]), "Both."])
      assert.strictEqual((yield* engine.start("Go")).text, "Both.")
      assert.lengthOf(engine.requests, 3)
    }).pipe(inMemory),
  )

  it.effect("returns an error for an unknown tool, and continues", () =>
    Effect.gen(function* () {
      const { requests, start } = yield* session([calls(["delete_all"]), "Sorry."])
      assert.strictEqual((yield* start("Go")).text, "Sorry.")
      assert.include(results(requests[1])[0], "not found")
    }).pipe(inMemory),
  )

  it.effect("returns the error of a tool that throws, and continues", () =>
    Effect.gen(function* () {
      const { requests, start } = yield* session([calls(["throwing"]), "Sorry."])
      assert.strictEqual((yield* start("Go")).text, "Sorry.")
      assert.include(results(requests[1])[0], "disk full")
    }).pipe(inMemory),
  )

  it.effect("text beside a call is not the answer", () =>
    Effect.gen(function* () {
      const { requests, start } = yield* session([
        { text: "Let me check…", ...calls(["file_read", { path: "a" }]) },
        "Checked.",
      ])
      assert.strictEqual((yield* start("Go")).text, "Checked.")
      const assistant = requests[1]?.messages.find(({ role }) => role === "assistant")
      assert.deepStrictEqual(
        assistant?.content.map((block) =>
          block.type === "tool-use" ? block.name : block.type === "text" && block.text,
        ),
        ["Let me check…", "file_read"],
      )
    }).pipe(inMemory),
  )

  it.effect("offers all tools with every request", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session([calls(["file_read", { path: "a" }]), "one", "two"])
      yield* start("first")
      yield* respond("second")
      const names = requests.map(({ tools }) => tools.map(({ name }) => name))
      const all = ["file_read", "file_write", "throwing", "session_complete"]
      assert.deepStrictEqual(names, [all, all, all])
    }).pipe(inMemory),
  )

  it.effect("stops after fifty rounds, reports the files written so far, and can continue", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session((_, index) =>
        index < 50 ? calls(["file_write", { path: `jobs/${index % 3}.md` }]) : "Here I am.",
      )
      const { done, files_written, text } = yield* start("Write")
      assert.strictEqual(ConversationEngine.MAX_ITERATIONS, 50)
      assert.lengthOf(requests, 50)
      assert.deepStrictEqual(files_written, ["jobs/0.md", "jobs/1.md", "jobs/2.md"])
      assert.include(text, "50 rounds of tool calls")
      assert.isFalse(done)
      assert.deepStrictEqual(yield* respond("Go on"), { text: "Here I am.", done: false })
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: files_written", () => {
  it.effect("has the path that the tool reports", () =>
    Effect.gen(function* () {
      const { start } = yield* session([calls(["file_write", { path: "jobs/auth/jtbd.md" }]), "Written."])
      assert.deepStrictEqual(yield* start("Go"), {
        text: "Written.",
        files_written: ["jobs/auth/jtbd.md"],
        done: false,
      })
    }).pipe(inMemory),
  )

  it.effect("has the files of all rounds of the turn, in order, each once", () =>
    Effect.gen(function* () {
      const write = (path: string) => calls(["file_write", { path }])
      const { respond, start } = yield* session([write("a"), write("b"), write("a"), "Written.", "Nothing new."])
      assert.deepStrictEqual((yield* start("Go")).files_written, ["a", "b"])
      assert.notProperty(yield* respond("And?"), "files_written")
    }).pipe(inMemory),
  )

  it.effect("is absent where nothing was written, whatever the text says", () =>
    Effect.gen(function* () {
      const { requests, start } = yield* session([calls(["file_read", { path: "a" }]), "Wrote nothing."])
      assert.isFalse("files_written" in (yield* start("Go")))
      assert.deepStrictEqual(results(requests[1]), ["Wrote a by hand, long ago"])
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: done", () => {
  it.effect("is true once session_complete is called, with the text that follows", () =>
    Effect.gen(function* () {
      const { requests, start } = yield* session([calls(["session_complete"]), "All done!"])
      assert.deepStrictEqual(yield* start("Go"), { text: "All done!", done: true })
      assert.deepStrictEqual(results(requests[1]), ["Session complete."])
    }).pipe(inMemory),
  )

  it.effect("is true in that turn only: the session can continue", () =>
    Effect.gen(function* () {
      const { respond, start } = yield* session([calls(["session_complete"]), "All done!", "One more thing, then."])
      assert.isTrue((yield* start("Go")).done)
      assert.deepStrictEqual(yield* respond("Wait"), { text: "One more thing, then.", done: false })
    }).pipe(inMemory),
  )

  it.effect("does not depend on the text", () =>
    Effect.gen(function* () {
      const { start } = yield* session(["I call session_complete now. Session complete. done: true"])
      assert.isFalse((yield* start("Go")).done)
    }).pipe(inMemory),
  )

  it.effect("is true for tools without session_complete, which the engine offers after them", () =>
    Effect.gen(function* () {
      const { requests, start } = yield* session([calls(["session_complete"]), "Bye."], () => [])
      assert.deepStrictEqual(yield* start("Go"), { text: "Bye.", done: true })
      assert.deepStrictEqual(
        requests[0]?.tools.map(({ name }) => name),
        ["session_complete"],
      )
      const other = yield* session(["Hello."], (heard) => toolsHeardBy(heard).slice(0, 1))
      yield* other.start("Go")
      assert.deepStrictEqual(
        other.requests[0]?.tools.map(({ name }) => name),
        ["file_read", "session_complete"],
      )
    }).pipe(inMemory),
  )

  it.effect("is true beside the tools of a `ToolRegistry`, and where there are none at all", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([calls(["session_complete"], ["file_read", { path: "a" }]), "Bye."])
      const { start } = yield* ConversationEngine.make({ model, systemPrompt, codebasePath: "/code" })
      assert.deepStrictEqual(yield* start("Go"), { text: "Bye.", done: true })
    }).pipe((program) =>
      Effect.zipRight(
        program.pipe(inMemory),
        program.pipe(
          inMemory,
          Effect.provide(ToolRegistry.layer(toolsHeardBy({ requests: [], calls: [] }).slice(0, 1))),
        ),
      ),
    ),
  )

  it.effect("is false where a tool of that name refuses the call", () =>
    Effect.gen(function* () {
      const refusing = Tool.make({
        name: "session_complete",
        description: "Refuses.",
        parameters: Schema.Struct({}),
        run: () => Tool.fail("not yet"),
      })
      const { requests, start } = yield* session([calls(["session_complete"]), "Oh."], () => [refusing])
      assert.deepStrictEqual(yield* start("Go"), { text: "Oh.", done: false })
      assert.lengthOf(requests[0]?.tools ?? [], 1)
    }).pipe(inMemory),
  )

  it.effect("returns the text beside the call, where the next request fails", () =>
    Effect.gen(function* () {
      const { respond, start } = yield* session([
        calls(["file_write", { path: "a" }]),
        { text: "That is all.", ...calls(["session_complete"]) },
        failed,
        "Still here.",
      ])
      assert.deepStrictEqual(yield* start("Go"), { text: "That is all.", files_written: ["a"], done: true })
      assert.strictEqual((yield* respond("Thanks")).text, "Still here.")
    }).pipe(inMemory),
  )

  it.effect("returns a default text, where the model gives none", () =>
    Effect.gen(function* () {
      const silent = yield* session((_, index) => (index === 0 ? calls(["session_complete"]) : { text: "" }))
      const fiber = yield* Effect.fork(silent.start("Go"))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* Fiber.join(fiber), { text: "Session complete.", done: true })
    }).pipe(inMemory),
  )

  it.effect(
    "fails if the model says nothing after another tool, and sends its results again with the next message",
    () =>
      Effect.gen(function* () {
        const { requests, respond, start } = yield* session([
          calls(["file_write", { path: "a" }]),
          { text: "" },
          { text: "" },
          "It is written.",
        ])
        const fiber = yield* Effect.fork(Effect.flip(start("Go")))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(tag(yield* Fiber.join(fiber)), "Empty")
        assert.strictEqual((yield* respond("And?")).text, "It is written.")
        const sent = (requests.at(-1)?.messages ?? []).map(Message.text)
        assert.include(sent, "Go")
        assert.notInclude(sent.join(), "no final answer")
      }).pipe(inMemory),
  )

  it.effect("is true also where the limit is reached after it", () =>
    Effect.gen(function* () {
      const { start } = yield* session((_, index) =>
        index === 49 ? calls(["session_complete"]) : calls(["file_write", { path: "a" }]),
      )
      assert.deepStrictEqual(yield* start("Go"), { text: "Session complete.", files_written: ["a"], done: true })
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

describe("ConversationEngine: failed turns", () => {
  it.effect("keep the message, which is stored once when it is sent again", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { messages, requests, respond, start } = yield* session([failed, "Hello."])
      assert.strictEqual(tag(yield* Effect.flip(start("Hi"))), "Unauthorized")
      assert.deepStrictEqual(told(yield* messages), [
        ["system", systemPrompt],
        ["user", "Hi"],
      ])
      assert.lengthOf(yield* forest.search({ text: "Hi" }), 1)
      assert.strictEqual((yield* respond("Hi")).text, "Hello.")
      assert.deepStrictEqual(told(requests[1]?.messages), [["user", "Hi"]])
      assert.lengthOf(yield* forest.search({ text: "Hi" }), 1)
    }).pipe(inMemory),
  )

  it.effect("send the message with the next one, behind a notice that it was not answered", () =>
    Effect.gen(function* () {
      const { messages, requests, respond, start } = yield* session([failed, failed, failed, "Both."])
      yield* Effect.flip(start("Fix the bug"))
      yield* Effect.flip(respond("Add tests"))
      yield* Effect.flip(respond("Add tests"))
      assert.strictEqual((yield* respond("try again")).text, "Both.")
      const notice = ["system", "[The message above was not answered.]"]
      const sent = [["user", "Fix the bug"], notice, ["user", "Add tests"], notice, ["user", "try again"]]
      assert.deepStrictEqual(told(requests[3]?.messages), sent)
      assert.deepStrictEqual(told(yield* messages).slice(1), [...sent, ["assistant", "Both."]])
    }).pipe(inMemory),
  )

  it.effect("keep a message whose turn is interrupted before the first text", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const asked = yield* Deferred.make<void>()
      const { messages, requests, respond, start } = yield* session([
        "Hello.",
        { thinking: "Hm.", text: "Yes?" },
        "Yes!",
      ])
      yield* start("Hi")
      const before = told(yield* messages)
      const onEvent = TurnEvents.onPart(() => Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never))
      const fiber = yield* Effect.fork(respond("Is anybody there?", { onEvent }))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(told(yield* messages), [...before, ["user", "Is anybody there?"]])
      assert.lengthOf(yield* forest.search({ text: "anybody" }), 1)
      assert.strictEqual((yield* respond("Is anybody there?")).text, "Yes!")
      assert.deepStrictEqual(told(requests[2]?.messages).slice(2), [["user", "Is anybody there?"]])
      assert.lengthOf(yield* forest.search({ text: "anybody" }), 1)
    }).pipe(inMemory),
  )

  it.effect("store the text of an interrupted answer, and continue after it", () =>
    Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      const { messages, requests, respond, start } = yield* session([
        { text: "It is a long", ...calls(["file_read", { path: "a" }]) },
        "Shorter, then.",
      ])
      const onEvent = TurnEvents.onPart(({ _tag }) =>
        _tag === "Text" ? Effect.void : Effect.zipRight(Deferred.succeed(heard, undefined), Effect.never),
      )
      const fiber = yield* Effect.fork(start("Tell me", { onEvent }))
      yield* Deferred.await(heard)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.deepStrictEqual(told(yield* messages).slice(1), [
        ["user", "Tell me"],
        ["assistant", "It is a long"],
      ])
      assert.strictEqual((yield* respond("Tell me")).text, "Shorter, then.")
      assert.deepStrictEqual(told(requests[1]?.messages), [
        ["user", "Tell me"],
        ["assistant", "It is a long"],
        ["user", "Tell me"],
      ])
    }).pipe(inMemory),
  )

  it.effect("do not share an interrupted answer with another session", () =>
    Effect.gen(function* () {
      const stopped = (at: Part["_tag"]) =>
        Effect.gen(function* () {
          const heard = yield* Deferred.make<void>()
          const engine = yield* session([{ thinking: "Hm.", text: "Half" }])
          const onEvent = TurnEvents.onPart(({ _tag }) =>
            _tag === at ? Effect.zipRight(Deferred.succeed(heard, undefined), Effect.never) : Effect.void,
          )
          const fiber = yield* Effect.fork(engine.start("Hi", { onEvent }))
          yield* Deferred.await(heard)
          yield* Fiber.interrupt(fiber)
          return told(yield* engine.messages).slice(1)
        })
      assert.deepStrictEqual(yield* stopped("Text"), [
        ["user", "Hi"],
        ["assistant", "Half"],
      ])
      assert.deepStrictEqual(yield* stopped("Thinking"), [["user", "Hi"]])
    }).pipe(inMemory),
  )

  it.effect("retry a busy provider, with one message", () =>
    Effect.gen(function* () {
      const busy = new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) })
      const { messages, requests, start } = yield* session([busy, busy, "Hello."])
      const fiber = yield* Effect.fork(start("Hi"))
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).text, "Hello.")
      assert.lengthOf(requests, 1)
      assert.lengthOf(yield* messages, 3)
    }).pipe(inMemory),
  )

  it.effect("continue after tool results where the model failed after them", () =>
    Effect.gen(function* () {
      const { requests, respond, start } = yield* session([calls(["file_write", { path: "a" }]), failed, "I wrote it."])
      assert.strictEqual(tag(yield* Effect.flip(start("Write"))), "Unauthorized")
      assert.deepStrictEqual(yield* respond("Did you?"), { text: "I wrote it.", done: false })
      assert.deepStrictEqual(told(requests[2]?.messages), [
        ["user", "Write"],
        ["assistant", ""],
        ["tool", "kept"],
        ["user", "Did you?"],
      ])
    }).pipe(inMemory),
  )

  it.effect("store the tool results of an interrupted turn for the next one", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const never = Tool.make({
        name: "never",
        description: "Never ends.",
        parameters: Schema.Struct({}),
        run: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
      })
      const { requests, respond, start } = yield* session(
        [calls(["file_write", { path: "a" }], ["never"]), "I was stopped."],
        (heard) => [...toolsHeardBy(heard), never],
      )
      const fiber = yield* Effect.fork(start("Write"))
      yield* Deferred.await(begun)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.strictEqual((yield* respond("What happened?")).text, "I was stopped.")
      const [wrote = "", stopped = ""] = results(requests[1])
      assert.deepStrictEqual([wrote, stopped.includes("was interrupted")], ["kept", true])
      const { messages = [] } = requests[1] ?? {}
      assert.deepStrictEqual(History.repair(messages), messages)
    }).pipe(inMemory),
  )
})

describe("ConversationEngine: laws", () => {
  /** What the model does next, time and again. */
  const lines = FastCheck.array(
    FastCheck.constantFrom<Scripted.Line>(
      "Words.",
      calls(["file_read", { path: "a" }]),
      calls(["file_write", { path: "b" }], ["throwing"], ["unknown"]),
      { text: "Aside.", ...calls(["file_write", { path: "c" }]) },
      { text: "Bye.", ...calls(["session_complete"]) },
      failed,
    ),
    { minLength: 1, maxLength: 30 },
  )

  it.effect("the path is valid for any provider, and each output follows from the nodes of its turn", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(lines, (script) => Effect.runPromise(conversation(script).pipe(inMemory))),
        { numRuns: cases(200) },
      ),
    ),
  )

  /** Talks until the script has run out, and looks at the path after each turn. */
  const conversation = (script: ReadonlyArray<Scripted.Line>) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { cursor, messages, requests, respond, start } = yield* session(script)
      for (let turn = 0; requests.length < script.length; turn++) {
        const before = (yield* messages).length
        const output = yield* Effect.either(turn === 0 ? start("message 0") : respond(`message ${turn}`))
        const { nodes } = yield* forest.path(Option.getOrThrow(yield* cursor))
        const path = nodes.map(({ message }) => message)
        assert.deepStrictEqual((yield* messages).slice(1), path)
        assert.deepStrictEqual(History.repair(path), path)
        const sources = nodes.slice(Math.max(0, before - 1)).map(({ source }) => source)
        const written = sources.flatMap((source) => (source.type === "tool" ? (source.filesWritten ?? []) : []))
        if (Either.isLeft(output)) continue
        assert.deepStrictEqual(output.right.files_written ?? [], [...new Set(written)])
        const isDone = sources.some((source) => source.type === "tool" && source.tool === "session_complete")
        assert.strictEqual(output.right.done, isDone)
      }
    })
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
