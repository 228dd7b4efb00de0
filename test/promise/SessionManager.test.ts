import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { GenerationAbortedError } from "../../src/agent/GenerateError.ts"
import { SessionError } from "../../src/conversation/engines/SessionError.ts"
import * as Message from "../../src/message/Message.ts"
import { ConversationManager } from "../../src/promise/ConversationManager.ts"
import { SessionManager } from "../../src/promise/SessionManager.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"

const model = (script: Scripted.Script) => Effect.runSync(Scripted.make(script))

describe("promise/SessionManager", () => {
  it("holds conversations apart, each with a prompt", async () => {
    const sessions = await SessionManager.make({ model: model(["Prompt: a cat"]), systemPrompt: "You help." })
    const a = await sessions.getOrCreate("a")
    const types: Array<string> = []
    for await (const event of a.respond("hello")) types.push(event.type)
    assert.strictEqual(types.at(-1), "done")
    assert.strictEqual(await a.getCurrentPrompt(), "a cat")
    assert.deepStrictEqual((await a.getHistory()).map(Message.text), ["hello", "Prompt: a cat"])
    assert.lengthOf(await a.nodes(), 2)
    const again = await sessions.get("a")
    assert.strictEqual(await again?.cursor(), await a.cursor())
    assert.isUndefined(await sessions.get("b"))
    assert.deepStrictEqual(await (await sessions.getOrCreate("b")).getHistory(), [])
    assert.isTrue(await sessions.remove("a"))
    assert.isFalse(await sessions.remove("a"))
  })

  it("gives the same object for the same session, until it is removed", async () => {
    const sessions = await SessionManager.make({ model: model([]), systemPrompt: "" })
    const ids = Array.from({ length: 50 }, (_, at) => String(at % 5))
    const all = await Promise.all(ids.map((id) => sessions.getOrCreate(id)))
    assert.strictEqual(new Set(all).size, 5)
    assert.strictEqual(await sessions.getOrCreate("0"), all[0])
    assert.strictEqual(await sessions.get("0"), all[0])
    await all[0]?.dispose()
    assert.strictEqual(await sessions.getOrCreate("0"), all[0])
    await sessions.remove("0")
    assert.notStrictEqual(await sessions.getOrCreate("0"), all[0])
  })

  it("rejects with the error itself", async () => {
    const sessions = await SessionManager.make({ model: model([]), systemPrompt: "" })
    const error = await sessions.getOrCreate("").then(
      () => assert.fail("it did not reject"),
      (error: unknown) => error,
    )
    assert.strictEqual(error instanceof SessionError && error.reason._tag, "BadSessionId")
  })
})

describe("promise/SessionManager, disposed of", () => {
  it("goes on after one of its conversations, and ends all of them", async () => {
    const sessions = await SessionManager.make({ model: model([]), systemPrompt: "" })
    const [a, b] = [await sessions.getOrCreate("a"), await sessions.getOrCreate("b")]
    await a.dispose()
    assert.deepStrictEqual(await b.getHistory(), [])
    await sessions[Symbol.asyncDispose]()
    assert.instanceOf(await b.getHistory().catch((error: unknown) => error), GenerationAbortedError)
  })
})

describe("promise/ConversationManager", () => {
  it("ends an answer with the typed error, and sends nothing if the signal is aborted before", async () => {
    const manager = await ConversationManager.make({ model: model(["Asked."]), owner: "a", systemPrompt: "" })
    const errors: Array<unknown> = []
    for await (const event of manager.respond("hello", { signal: AbortSignal.abort("no") })) {
      if (event.type === "error") errors.push(event.error)
    }
    assert.deepStrictEqual(errors, [new GenerationAbortedError({ reason: "no" })])
    const types: Array<string> = []
    for await (const event of manager.respond("hello")) types.push(event.type)
    assert.strictEqual(types.at(-1), "done")
    assert.deepStrictEqual((await manager.getHistory()).map(Message.text), ["hello", "Asked."])
  })

  it("ends the loops over it when it is disposed of, and answers nothing after it", async () => {
    const manager = await ConversationManager.make({ model: model([]), owner: "a", systemPrompt: "" })
    const changes = manager.changes()[Symbol.asyncIterator]()
    assert.isFalse((await changes.next()).done)
    const next = changes.next()
    await manager[Symbol.asyncDispose]()
    assert.isTrue((await next).done)
    assert.isTrue((await changes.next()).done)
    assert.instanceOf(await manager.cursor().catch((error: unknown) => error), GenerationAbortedError)
  })

  it("merges an edit of an older version, and reports changes", async () => {
    const manager = await ConversationManager.make({
      model: model([]),
      owner: "a",
      systemPrompt: "",
      prompt: "a\nb\nc\n",
    })
    for await (const { document, status } of manager.changes()) {
      assert.deepStrictEqual([document.text, status], ["a\nb\nc\n", "idle"])
      break
    }
    await manager.addAssistantMessage("Fine.", "a\nb\nC\n")
    const { text } = await manager.updatePrompt("A\nb\nc\n", { basedOn: "a\nb\nc\n" })
    assert.strictEqual(text, "A\nb\nC\n")
    assert.isTrue(await manager.isPromptEdited())
    assert.isFalse(await manager.stop())
  })

  it("lists the versions of the prompt, and goes back to an earlier one", async () => {
    const manager = await ConversationManager.make({ model: model([]), owner: "a", systemPrompt: "" })
    await manager.addAssistantMessage("Prompt: a cat", "a cat")
    const earlier = await manager.cursor()
    await manager.addAssistantMessage("Prompt: a dog", "a dog")
    assert.deepStrictEqual(
      (await manager.versions()).map(({ text }) => text),
      ["a cat", "a dog"],
    )
    assert.strictEqual((await manager.moveTo(earlier)).text, "a cat")
    assert.strictEqual(await manager.cursor(), earlier)
    assert.lengthOf(await manager.versions(), 1)
  })
})
