import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Ref, TestClock } from "effect"
import type { Request } from "../../src/model/Request.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import type * as ToolServers from "../../src/tool/ToolServers.ts"
import { counting, inMemory, leaving, startSession } from "../utils/ChatSessions.ts"
import { texts } from "../utils/ScriptedUser.ts"

describe("SessionLoop: tools", () => {
  describe("with tool servers", () => {
    const served: ToolServers.Opened = {
      tools: [
        {
          server: "web",
          origin: "the tool get of web",
          tool: Tool.fromJsonSchema({
            name: "web_get",
            description: "Gets it.",
            parameters: { type: "object" },
            run: () => Effect.succeed("got"),
          }),
        },
      ],
      costs: ["tool server web: 1 tool"],
      notes: ["tool server old is not used: it ended"],
    }

    /** Servers that answer when the latch opens, and how often they were ended. */
    const slow = Effect.map(Effect.makeLatch(), (latch) => {
      let isOpen = false
      const closed = { times: 0 }
      const servers: ToolServers.Service = {
        prefixes: ["web_"],
        open: Effect.as(latch.await, served),
        starting: Effect.sync(() => (isOpen ? [] : ["web"])),
        close: Effect.sync(() => {
          closed.times += 1
        }),
      }
      const answer = Effect.suspend(() => {
        isOpen = true
        return latch.open
      })
      return { servers, answer, closed }
    })

    const toolsOf = (request: Request | undefined) => request?.tools.map(({ name }) => name)

    it.effect(
      "shows itself at once, says after a second which of them it waits for, and sends a message with their tools",
      () =>
        Effect.gen(function* () {
          const { model, requests } = counting()
          const { answer, servers } = yield* slow
          const talking = yield* startSession({ model, servers })
          const { user } = talking
          yield* user.waitFor("Titled")
          yield* user.sends("hello")
          yield* Effect.yieldNow()
          yield* TestClock.adjust("1 second")
          assert.include(texts(yield* user.waitFor("Noted")), "Noted: starting tool server web…")
          assert.lengthOf(requests, 0)
          yield* answer
          assert.include(
            texts(yield* user.waitFor("Noted")),
            "Noted: tool server web: 1 tool\ntool server old is not used: it ended",
          )
          yield* user.waitFor("Answered")
          assert.deepStrictEqual(toolsOf(requests[0]), ["web_get"])
          yield* leaving(talking)
        }).pipe(inMemory),
    )

    it.effect("offers both tools if one of theirs has the name of another", () =>
      Effect.gen(function* () {
        const { answer, servers } = yield* slow
        yield* answer
        const { model, requests } = counting()
        const [own] = served.tools.map(({ tool }) => tool)
        const tools = ToolRegistry.make(own === undefined ? [] : [own])
        const talking = yield* startSession({ model, servers, tools })
        yield* talking.user.asks("hello")
        const [first = "", second = ""] = toolsOf(requests[0]) ?? []
        assert.strictEqual(first, "web_get")
        assert.match(second, /^web_get_\w+$/)
        yield* leaving(talking)
      }).pipe(inMemory),
    )

    it.effect("lets the user stop a message that waits for them, and then sends it without", () =>
      Effect.gen(function* () {
        const { model, requests } = counting()
        const { servers } = yield* slow
        const talking = yield* startSession({ model, servers })
        const { user } = talking
        yield* user.sends("hello")
        yield* Effect.yieldNow()
        yield* TestClock.adjust("1 second")
        yield* user.waitFor("Noted")
        yield* user.stops
        yield* user.waitFor("Stopped")
        assert.include(texts(yield* user.waitFor("Noted")).at(-1) ?? "", "messages no longer wait for tool server web")
        assert.strictEqual(yield* Ref.get(user.draft), "hello")
        yield* Ref.set(user.draft, "")
        yield* user.asks("hello")
        assert.deepStrictEqual(toolsOf(requests[0]), [])
        yield* leaving(talking)
      }).pipe(inMemory),
    )

    it.effect("ends at /quit while a message waits for them", () =>
      Effect.gen(function* () {
        const { servers } = yield* slow
        const { running, user } = yield* startSession({ model: counting().model, servers })
        yield* user.sends("hello")
        yield* user.sends("/quit")
        assert.isTrue(Exit.isSuccess(yield* Fiber.await(running)))
      }).pipe(inMemory),
    )

    it.effect("counts tools on /tools on, names a failed server once, and ends the servers on /tools off", () =>
      Effect.gen(function* () {
        const { answer, closed, servers } = yield* slow
        yield* answer
        const talking = yield* startSession({ model: counting().model, offeredServers: servers })
        const { user } = talking
        yield* user.sends("/tools on")
        const [, summary] = texts(yield* user.waitFor("Noted"))
        assert.match(
          summary ?? "",
          /^Noted: tools are on: 0 of vibe, 1 of web \(about \d+ tokens a request\)\ntool server old is not used: it ended$/,
        )
        yield* user.sends("/tools")
        assert.deepStrictEqual(texts(yield* user.waitFor("Noted")), ["Noted: web_get: Gets it."])
        yield* user.sends("/tools off")
        assert.match(texts(yield* user.waitFor("Noted"))[0] ?? "", /the model has no tools/)
        assert.strictEqual(closed.times, 1)
        yield* leaving(talking)
      }).pipe(inMemory),
    )
  })
})
