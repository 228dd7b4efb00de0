import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schema } from "effect"
import { GenerationAbortedError } from "../../src/agent/GenerateError.ts"
import { SessionError } from "../../src/conversation/engines/SessionError.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import { ConversationEngine } from "../../src/promise/ConversationEngine.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

const session = (script: Scripted.Script, tools: ReadonlyArray<Tool.Tool> = []) =>
  new ConversationEngine({
    model: Effect.runSync(Scripted.make(script)),
    tools: ToolRegistry.make(tools),
    systemPrompt: "You are an interviewer.",
    codebasePath: "/code",
  })

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it did not reject"),
    (error: unknown) => error,
  )

describe("promise/ConversationEngine", () => {
  it("starts, responds, and returns its messages", async () => {
    const engine = session(["Hello.", "I see."])
    assert.deepStrictEqual(await engine.messages(), [])
    assert.deepStrictEqual(await engine.start("Hi"), { text: "Hello.", done: false })
    assert.deepStrictEqual(await engine.respond("So"), { text: "I see.", done: false })
    assert.deepStrictEqual((await engine.messages()).map(Message.text), [
      "You are an interviewer.",
      "Hi",
      "Hello.",
      "So",
      "I see.",
    ])
  })

  it("rejects with the error itself", async () => {
    const failed = new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "no key" }) })
    const engine = session([failed])
    const early = await rejection(engine.respond("Hi"))
    assert.strictEqual(early instanceof SessionError && early.reason._tag, "SessionNotStarted")
    const refused = await rejection(engine.start("Hi"))
    assert.strictEqual(refused instanceof ModelError && refused.reason._tag, "Unauthorized")
    const late = await rejection(engine.start("Hi"))
    assert.strictEqual(late instanceof SessionError && late.reason._tag, "SessionAlreadyStarted")
  })

  it("stops an aborted turn, and continues with the next", async () => {
    const begun = Effect.runSync(Deferred.make<void>())
    const never = Tool.make({
      name: "never",
      description: "Never ends.",
      parameters: Schema.Struct({}),
      run: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
    })
    const engine = session([Scripted.calls(["never"]), "I was stopped."], [never])
    const controller = new AbortController()
    const turn = rejection(engine.start("Hi", { signal: controller.signal }))
    await Effect.runPromise(Deferred.await(begun))
    controller.abort("enough")
    const aborted = await turn
    assert.instanceOf(aborted, GenerationAbortedError)
    assert.strictEqual(aborted.message, "Generation aborted: enough")
    assert.deepStrictEqual(await engine.respond("What happened?"), { text: "I was stopped.", done: false })
  })

  it("sends no request if the signal is aborted before", async () => {
    const engine = session(["The first."])
    const aborted = await rejection(engine.start("Hi", { signal: AbortSignal.abort() }))
    assert.strictEqual(aborted instanceof GenerationAbortedError && aborted.message, "Generation aborted")
    assert.deepStrictEqual(await engine.messages(), [])
    assert.deepStrictEqual(await engine.start("Hi"), { text: "The first.", done: false })
  })

  it("stops its turn when it is disposed of, and answers nothing after it", async () => {
    const begun = Effect.runSync(Deferred.make<void>())
    const never = LanguageModel.make(new ModelId({ provider: "test", name: "never" }), () =>
      Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
    )
    const engine = new ConversationEngine({
      model: never,
      tools: ToolRegistry.make([]),
      systemPrompt: "",
      codebasePath: "/code",
    })
    const turn = rejection(engine.start("Hi"))
    await Effect.runPromise(Deferred.await(begun))
    await engine[Symbol.asyncDispose]()
    assert.instanceOf(await turn, GenerationAbortedError)
    assert.instanceOf(await rejection(engine.messages()), GenerationAbortedError)
    await engine.dispose()
  })
})
