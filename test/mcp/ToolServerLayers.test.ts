/** Tool servers as programs that embed vibe have them: a real process, and a server of HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import * as ToolServerLayers from "../../src/mcp/ToolServerLayers.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"
import { behaving, environment, key, namesOf, shop, textOf } from "./toolServers.ts"

const registryOf = (...servers: Parameters<typeof ToolServerLayers.layerRegistry>[0]) =>
  Effect.map(Layer.build(ToolServerLayers.layerRegistry(servers, { environment })), (context) =>
    Context.get(context, ToolRegistry.ToolRegistry),
  )

describe("ToolServerLayers", () => {
  it.scopedLive("gives the tools of a server of HTTP, which receives its headers", () =>
    Effect.gen(function* () {
      const { calls, url } = yield* shop("x-key", key)
      const registry = yield* registryOf(ToolServerLayers.remote("shop", url, { headers: { "X-Key": key } }))
      assert.deepStrictEqual(namesOf(registry), ["shop_price", "shop_stock"])
      // The value of the variable SERVER_KEY is a secret, whoever prints it.
      assert.strictEqual(yield* textOf(registry, "shop_price", { fruit: "apple" }), "One apple is 40 cents ([key]).")
      assert.include(calls, "tools/call")
    }),
  )

  it.scopedLive("gives only the tools that are named, and a note in place of a server that refuses", () =>
    Effect.gen(function* () {
      const { url } = yield* shop("authorization", "Bearer 1")
      const headers = { Authorization: "Bearer 1" }
      const registry = yield* registryOf(
        ToolServerLayers.remote("one", url, { headers, only: ["stock"] }),
        ToolServerLayers.remote("closed", url),
      )
      assert.deepStrictEqual(namesOf(registry), ["one_stock"])
      assert.lengthOf(registry.notes, 2)
      assert.match(registry.notes[1] ?? "", /^tool server closed is not used: it refuses the key, or requires one/)
    }),
  )

  it.scopedLive("starts a program that has ended once more, and hides the secrets that it receives", () =>
    Effect.gen(function* () {
      const registry = yield* registryOf(behaving("crashes"), behaving("works"))
      assert.strictEqual(yield* textOf(registry, "crashes_count"), "1")
      const crash = yield* textOf(registry, "crashes_crash")
      assert.include(crash, "out of memory")
      assert.notInclude(crash, key)
      // It counts from the beginning: it is another process.
      assert.strictEqual(yield* textOf(registry, "crashes_count"), "1")
      assert.strictEqual(yield* textOf(registry, "crashes_count"), "2")
      assert.include(yield* textOf(registry, "crashes_crash"), "out of memory")
      assert.include(yield* textOf(registry, "crashes_count"), "it is started only twice")
      // The other one goes on.
      assert.strictEqual(yield* textOf(registry, "works_echo", { words: "hello" }), "hello")
    }),
  )

  it.live("ends the programs with the layer: a later call fails, and starts none", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const registry = yield* Scope.extend(registryOf(behaving("works")), scope)
      assert.notInclude(yield* textOf(registry, "works_environment"), "SERVER_KEY")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(
        yield* textOf(registry, "works_echo", { words: "hello" }),
        "Error: tool 'works_echo' failed: tool server works has ended with the conversation that has started it",
      )
    }),
  )

  it.scopedLive("is the port, too, whose tools are joined with others", () =>
    Effect.gen(function* () {
      const own = Tool.make({
        name: "works_echo",
        description: "Another one of this name",
        parameters: Schema.Struct({}),
        readOnly: true,
        run: () => Effect.succeed("own"),
      })
      const servers = yield* Effect.provide(
        ToolServers.ToolServers,
        ToolServerLayers.layer([behaving("works")], { environment, redact: (text) => text }),
      )
      assert.deepStrictEqual(servers.prefixes, ["works_"])
      const registry = ToolServers.join(ToolRegistry.make([own]), yield* servers.open)
      const [first, second, ...others] = namesOf(registry).filter((name) => name.startsWith("works_echo"))
      assert.deepStrictEqual([first, others], ["works_echo", []])
      assert.match(second ?? "", /^works_echo_\w+$/)
    }),
  )
})
