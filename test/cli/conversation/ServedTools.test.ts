import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref, TestClock } from "effect"
import * as ServedTools from "../../../src/cli/conversation/ServedTools.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../../src/tool/ToolServers.ts"

const toolOf = (name: string) =>
  Tool.fromJsonSchema({ name, description: "", parameters: { type: "object" }, run: () => Effect.succeed("") })

const offered = {
  tools: ToolRegistry.make([toolOf("find_symbols")]),
  findSymbols: toolOf("find_symbols"),
  project: "A folder.",
  prompt: "A folder and tools.",
}

const session = (opened: Effect.Effect<ToolServers.Opened>) =>
  Effect.map(Ref.make<ReadonlyArray<Screen.Written>>([]), (written) => ({
    written: Effect.map(Ref.get(written), (all) => all.map(({ text }) => text).join("")),
    layer: Screen.layerMemory(written).pipe(Layer.provideMerge(Layer.succeed(ToolServers.ToolServers, opened))),
  }))

describe("ServedTools", () => {
  it.effect("says after a second that servers are waited for, and prints their notes", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<ToolServers.Opened>()
      const { layer, written } = yield* session(Deferred.await(started))
      const fiber = yield* Effect.fork(Effect.provide(ServedTools.addTo(offered.tools), layer))
      yield* TestClock.adjust("900 millis")
      assert.strictEqual(yield* written, "")
      yield* TestClock.adjust("200 millis")
      assert.match(yield* written, /^vibe: waiting for your tool servers; .* 30 s is left out\n$/)
      yield* Deferred.succeed(started, { tools: [], notes: ["tool server slow is not used"] })
      yield* Fiber.join(fiber)
      assert.match(yield* written, /left out\nvibe: tool server slow is not used\n$/)
    }),
  )

  it.effect("says nothing where they are there at once", () =>
    Effect.gen(function* () {
      const { layer, written } = yield* session(Effect.succeed(ToolServers.none))
      yield* Effect.provide(ServedTools.addTo(offered.tools), layer)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* written, "")
    }),
  )

  it.effect("tells the model of tools that may change things, where there are some", () =>
    Effect.gen(function* () {
      const server = { tools: [{ tool: toolOf("disk_write"), origin: "write of disk" }], notes: [] }
      const some = yield* session(Effect.succeed(server))
      const { prompt, tools } = yield* Effect.provide(ServedTools.addToOffered(offered), some.layer)
      assert.deepStrictEqual(
        tools.tools.map(({ name }) => name),
        ["find_symbols", "disk_write"],
      )
      assert.match(prompt, /^A folder and tools\.\n.*may change things/)
      const none = yield* session(Effect.succeed(ToolServers.none))
      assert.strictEqual(
        (yield* Effect.provide(ServedTools.addToOffered(offered), none.layer)).prompt,
        "A folder and tools.",
      )
    }),
  )
})
