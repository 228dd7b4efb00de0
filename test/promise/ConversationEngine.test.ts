import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schema } from "effect"
import { SessionError } from "../../src/chat/SessionError.ts"
import * as Message from "../../src/message/Message.ts"
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

describe("ConversationEngine, as promises", () => {
  it("starts, responds, and shows its messages", async () => {
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

  it("stops a turn that is aborted, and goes on with the next", async () => {
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
    controller.abort()
    await turn
    assert.deepStrictEqual(await engine.respond("What happened?"), { text: "I was stopped.", done: false })
  })
})
