import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema, TestClock } from "effect"
import * as ConversationEngine from "../../../src/conversation/engines/ConversationEngine.ts"
import * as Message from "../../../src/message/Message.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import { calls, failed, inMemory, results, session, systemPrompt, tag, toolsHeardBy } from "../../utils/Interviews.ts"

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
