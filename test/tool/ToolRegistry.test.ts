import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Ref, Schema, TestClock } from "effect"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Tool from "../../src/tool/Tool.ts"
import type { Failed } from "../../src/tool/ToolError.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolResult from "../../src/tool/ToolResult.ts"

const context: Tool.ToolContext = {
  node: NodeId.make("n-1"),
  callId: "c1",
  model: new ModelId({ provider: "scripted", name: "test" }),
}

/** A tool `x` that needs no arguments. */
const tool = (run: () => Effect.Effect<ToolResult.ToolResult | string, Failed>) =>
  Tool.make({ name: "x", description: "Does something.", parameters: Schema.Struct({}), run })

const call = (tool: Tool.Tool, parameters: Block.ToolUse["parameters"] = {}) =>
  ToolRegistry.make([tool]).execute(Block.toolUse("c1", "x", parameters), context)

describe("ToolRegistry.make", () => {
  it("keeps the order of the tools", () => {
    const other = { ...tool(() => Effect.succeed("")), name: "a" }
    assert.deepStrictEqual(
      ToolRegistry.make([tool(() => Effect.succeed("")), other]).tools.map(({ name }) => name),
      ["x", "a"],
    )
  })

  it("refuses two tools of one name", () => {
    const one = tool(() => Effect.succeed(""))
    assert.throws(() => ToolRegistry.make([one, tool(() => Effect.succeed(""))]), 'Tool "x" is already registered.')
    assert.throws(() => ToolRegistry.make([one, one]), 'Tool "x" is already registered.')
  })
})

describe("ToolRegistry.join", () => {
  const answering = (name: string, text: string): ToolRegistry.Service => ({
    ...ToolRegistry.make([{ ...tool(() => Effect.succeed(text)), name }], [`about ${name}`]),
    execute: () => Effect.succeed({ text: `by the registry of ${name}` }),
  })

  it.effect("has the tools and notes of both, and each registry runs its own", () =>
    Effect.gen(function* () {
      const joined = ToolRegistry.join(answering("a", ""), answering("b", ""))
      assert.deepStrictEqual(
        joined.tools.map(({ name }) => name),
        ["a", "b"],
      )
      assert.deepStrictEqual(joined.notes, ["about a", "about b"])
      const run = (name: string) =>
        Effect.map(joined.execute(Block.toolUse("c1", name, {}), context), ({ text }) => text)
      assert.strictEqual(yield* run("a"), "by the registry of a")
      assert.strictEqual(yield* run("b"), "by the registry of b")
      assert.strictEqual(yield* run("c"), "Error: tool 'c' not found. The tools are: a, b")
    }),
  )

  it("refuses two tools of one name", () => {
    const one = answering("a", "")
    assert.throws(() => ToolRegistry.join(one, one), 'Tool "a" is already registered.')
  })
})

describe("ToolRegistry.execute", () => {
  it.effect("runs no call whose arguments are nested too deeply, and says so", () =>
    Effect.gen(function* () {
      const nested = (levels: number) => ({ a: JSON.parse("[".repeat(levels - 1) + "]".repeat(levels - 1)) })
      const any = Tool.fromJsonSchema({
        name: "x",
        description: "Does something.",
        parameters: { type: "object" },
        run: () => Effect.succeed("done"),
      })
      assert.deepStrictEqual(yield* call(any, nested(128)), { text: "done" })
      for (const levels of [129, 1_000_000]) {
        assert.deepStrictEqual(yield* call(any, nested(levels)), {
          text: "Error: invalid arguments for tool 'x':\n- they are nested more than 128 levels deep: nothing was run",
          isError: true,
        })
      }
    }),
  )

  it.effect("keeps everything that a result holds", () =>
    Effect.gen(function* () {
      const result = { text: "2 files", isError: false, filesWritten: ["a", "b"], data: { files: ["a", "b"] } }
      assert.deepStrictEqual(yield* call(tool(() => Effect.succeed(result))), result)
    }),
  )

  it.effect.each<[string, Tool.Tool["execute"], string]>([
    ["fails", tool(() => Tool.fail("no such file")).execute, "tool 'x' failed: no such file"],
    [
      "throws",
      tool(() => {
        throw new Error("disk full")
      }).execute,
      "tool 'x' failed: disk full",
    ],
    [
      "throws before it has an effect to run",
      () => {
        throw new Error("disk full")
      },
      "tool 'x' failed: disk full",
    ],
    ["dies of an error", () => Effect.die(new Error("out of luck")), "tool 'x' failed: out of luck"],
    ["dies of a word", () => Effect.die("out of luck"), "tool 'x' failed: out of luck"],
    ["dies of an object", () => Effect.die({ code: 28 }), `tool 'x' failed: {\n  "code": 28\n}`],
    ["dies of an object without a prototype", () => Effect.die(Object.create(null)), "tool 'x' failed: {}"],
    ["dies of nothing", () => Effect.die(undefined), "tool 'x' failed: undefined"],
    [
      "dies while it is cleaning up after a failure",
      tool(() => Effect.ensuring(Tool.fail("no such file"), Effect.die("and more"))).execute,
      "tool 'x' failed: no such file",
    ],
    ["interrupts itself", () => Effect.interrupt, "tool 'x' was interrupted; it may or may not have run"],
  ])("tells the model of a tool that %s", ([, execute, message]) =>
    Effect.gen(function* () {
      const result = yield* call({ ...tool(() => Effect.succeed("")), execute })
      assert.deepStrictEqual(result, { text: `Error: ${message}`, isError: true })
    }),
  )

  it.effect("tells the model which tools there are when it calls another", () =>
    Effect.gen(function* () {
      const nonexistent = Block.toolUse("c1", "nonexistent", {})
      assert.deepStrictEqual(yield* ToolRegistry.make([tool(() => Effect.succeed(""))]).execute(nonexistent, context), {
        text: "Error: tool 'nonexistent' not found. The tools are: x",
        isError: true,
      })
      assert.deepStrictEqual(yield* ToolRegistry.make([]).execute(nonexistent, context), {
        text: "Error: tool 'nonexistent' not found: there are no tools here",
        isError: true,
      })
    }),
  )

  it.effect("returns the invalid arguments to the model, and does not run the tool", () =>
    Effect.gen(function* () {
      const ran = yield* Ref.make(false)
      const reader = Tool.make({
        name: "x",
        description: "Reads lines.",
        parameters: Schema.Struct({ path: Schema.String, line: Schema.optional(Schema.Int) }),
        run: () => Effect.as(Ref.set(ran, true), ""),
      })
      assert.deepStrictEqual(yield* call(reader, { line: "three", paths: ["a"] }), {
        text: [
          "Error: invalid arguments for tool 'x':",
          '- paths: is unexpected, expected: "path" | "line"',
          "- path: is missing",
          '- line: Expected number, actual "three"',
        ].join("\n"),
        isError: true,
      })
      assert.isFalse(yield* Ref.get(ran))
    }),
  )

  it.effect("interrupts a tool that hangs after two minutes", () =>
    Effect.gen(function* () {
      const interrupted = yield* Deferred.make<void>()
      const hanging = tool(() => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)))
      const fiber = yield* Effect.fork(call(hanging))
      yield* TestClock.adjust("119 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        text: "Error: tool 'x' gave no result within 120 s",
        isError: true,
      })
      yield* Deferred.await(interrupted)
    }),
  )

  it.effect("abandons a tool that cannot be interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(call(tool(() => Effect.uninterruptible(Effect.never))))
      yield* TestClock.adjust("120 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.isTrue((yield* Fiber.join(fiber)).isError)
    }),
  )

  it.effect("waits for a tool that takes its time", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(call(tool(() => Effect.delay(Effect.succeed("done"), "119 seconds"))))
      yield* TestClock.adjust("119 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), { text: "done" })
    }),
  )

  it.effect("is interrupted from outside, and the tool with it", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const hanging = tool(() =>
        Deferred.succeed(started, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
        ),
      )
      const fiber = yield* Effect.fork(call(hanging))
      yield* Deferred.await(started)
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
      yield* Deferred.await(interrupted)
    }),
  )

  it.effect("waits for the finalizers of a tool that is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const isCleanedUp = yield* Ref.make(false)
      const careful = tool(() =>
        Deferred.succeed(started, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Effect.delay(Ref.set(isCleanedUp, true), "150 millis")),
        ),
      )
      const fiber = yield* Effect.fork(call(careful))
      yield* Deferred.await(started)
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("149 millis")
      assert.isNull(interrupting.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.join(interrupting)))
      assert.isTrue(yield* Ref.get(isCleanedUp))
    }),
  )

  it.effect("waits for the finalizers of a tool that hangs, too", () =>
    Effect.gen(function* () {
      const isCleanedUp = yield* Ref.make(false)
      const careful = tool(() =>
        Effect.onInterrupt(Effect.never, () => Effect.delay(Ref.set(isCleanedUp, true), "150 millis")),
      )
      const fiber = yield* Effect.fork(call(careful))
      yield* TestClock.adjust("120 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("150 millis")
      assert.isTrue((yield* Fiber.join(fiber)).isError)
      assert.isTrue(yield* Ref.get(isCleanedUp))
    }),
  )

  it.effect("is interrupted after a second where the tool cannot be", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const stubborn = tool(() =>
        Effect.uninterruptible(Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)),
      )
      const fiber = yield* Effect.fork(call(stubborn))
      yield* Deferred.await(started)
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("999 millis")
      assert.isNull(interrupting.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.join(interrupting)))
    }),
  )

  it.effect("makes every text fit for a model, that of a failure too", () =>
    Effect.gen(function* () {
      const huge = "😀".repeat(1_000_000)
      const shown = yield* call(tool(() => Effect.succeed({ text: huge, data: huge })))
      assert.strictEqual(shown.text, ToolResult.presentable(huge))
      assert.strictEqual(shown.data, huge)
      const failed = yield* call(tool(() => Tool.fail(huge)))
      assert.strictEqual(failed.text, ToolResult.presentable(`Error: tool 'x' failed: ${huge}`))
      assert.strictEqual((yield* call(tool(() => Effect.succeed("")))).text, "(empty result)")
    }),
  )
})
