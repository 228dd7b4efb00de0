import { DatabaseSync } from "node:sqlite"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { Effect, ManagedRuntime } from "effect"
import * as AgentPlugin from "../../../src/promise/AgentPlugin.ts"
import { ChatEngine } from "../../../src/promise/ChatEngine.ts"
import { ConversationEngine } from "../../../src/promise/ConversationEngine.ts"
import { ConversationManager } from "../../../src/promise/ConversationManager.ts"
import { makeKernel, type Runtime } from "../../../src/promise/internal/EngineRuntime.ts"
import { SessionManager } from "../../../src/promise/SessionManager.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"

const model = Effect.runSync(Scripted.make(() => "Hello."))
const tools = ToolRegistry.make([])

/** Each with a forest that has been used, in memory or in the given runtime. */
const makers: ReadonlyArray<readonly [name: string, make: (runtime?: Runtime) => Promise<AsyncDisposable>]> = [
  [
    "ConversationEngine",
    async (runtime) => {
      const engine = new ConversationEngine({ model, tools, systemPrompt: "", codebasePath: "/code", runtime })
      await engine.start("Hi")
      return engine
    },
  ],
  [
    "ChatEngine",
    async (runtime) => {
      const engine = new ChatEngine({ agent: AgentPlugin.fromModel(model), systemPrompt: "", runtime })
      await engine.sendMessage("Hi")
      return engine
    },
  ],
  [
    "ConversationManager",
    async (runtime) => {
      const manager = await ConversationManager.make({ model, owner: "a", systemPrompt: "", runtime })
      await manager.addUserMessage("Hi")
      return manager
    },
  ],
  [
    "SessionManager",
    async (runtime) => {
      const sessions = await SessionManager.make({ model, systemPrompt: "", runtime })
      await sessions.getOrCreate("a")
      return sessions
    },
  ],
]

describe("promise/EngineRuntime", () => {
  afterEach(() => void vi.restoreAllMocks())

  it.each(makers)("closes the forest that a %s has made, and not one that it was passed", async (_, make) => {
    const close = vi.spyOn(DatabaseSync.prototype, "close")
    const own = await make()
    assert.lengthOf(close.mock.calls, 0)
    await own[Symbol.asyncDispose]()
    await own[Symbol.asyncDispose]()
    assert.lengthOf(close.mock.calls, 1)

    const runtime = ManagedRuntime.make(makeKernel(model))
    await (await make(runtime))[Symbol.asyncDispose]()
    assert.lengthOf(close.mock.calls, 1)
    await runtime.dispose()
    assert.lengthOf(close.mock.calls, 2)
  })
})
