import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Forest from "../../src/forest/Forest.ts"
import type { Draft } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Usage from "../../src/message/Usage.ts"
import { calling, draft, withForest } from "./forests.ts"

/** A draft of a caller without types: any field may be anything. */
const foreign = (value: unknown): Draft => Object.assign(draft("x"), value)

const replied = (source: object): unknown => ({
  message: { role: "assistant", content: [Block.text("x")] },
  source: { type: "model", model: "own/model", finish: "stop", usage: Usage.none, ...source },
})

/** An object that is in itself. */
const circle: Record<string, unknown> = {}
circle.circle = circle

describe("Forest, of what could not be read again", () => {
  it.effect.each<readonly [what: string, draft: unknown, issue: string]>([
    ["an unknown role", { message: { role: "robot", content: [Block.text("x")] } }, "message.role"],
    ["a call of the user", { message: { role: "user", content: [Block.toolUse("c", "f", {})] } }, "content.0.type"],
    [
      "a result without its call",
      { message: { role: "tool", name: "f", content: [Block.text("x")] } },
      "message.tool_call_id: is missing",
    ],
    ["a text in place of blocks", { message: { role: "user", content: "hello" } }, "message.content"],
    ["no blocks", { message: { role: "user", content: [] } }, "message.content.0: is missing"],
    ["no message", { message: undefined }, "message"],
    ["an unknown block", { message: { role: "assistant", content: [{ type: "sound" }] } }, "message.content.0.type"],
    ["a blank tool name", calling({ name: "" }), "message.content.0.name"],
    ["a call without an id", calling({ id: undefined }), "message.content.0.id"],
    ["parameters that are a list", calling({ parameters: [1] }), "message.content.0.parameters"],
    ["parameters that go in a circle", calling({ parameters: circle }), "message.content.0.parameters: is not JSON"],
    ["a function as a parameter", calling({ parameters: { f: () => 1 } }), "message.content.0.parameters: is not JSON"],
    [
      "metadata with a `__proto__`",
      calling({ meta: JSON.parse('{"__proto__":1}') }),
      "message.content.0.meta: is not JSON",
    ],
    ["metadata that is no JSON", calling({ meta: { count: 1n } }), "message.content.0.meta: is not JSON"],
    ["an unknown source", { source: { type: "oracle" } }, "source.type"],
    ["a source of a row that cannot be read", { source: { type: "unreadable", why: "x" } }, "source.type"],
    ["usage that is no number", replied({ usage: { ...Usage.none, inputTokens: Number.NaN } }), "usage.inputTokens"],
    ["usage that is left out", replied({ usage: undefined }), "source.usage"],
    ["half a character in the name of a model", replied({ model: "own/\ud800" }), "source.model"],
    ["a time that is none", { createdAt: Number.NaN }, "createdAt"],
    ["a time between two milliseconds", { createdAt: 1.5 }, "createdAt"],
  ])("refuses %s, says what is wrong, and adds nothing", ([, unfit, issue]) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const { reason } = yield* Effect.flip(forest.append(id, [draft("before"), foreign(unfit)]))
      if (reason._tag !== "Invalid") assert.fail(reason._tag)
      assert.include(reason.message, "The message cannot be stored: ")
      assert.include(reason.issues.join("; "), issue)
      for (const line of reason.issues) assert.isAtMost(line.length, 160)
      assert.deepStrictEqual(yield* forest.subtree(id), [])
    }).pipe(withForest),
  )

  it.effect("stores the arguments of a call without those named __proto__", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const call = calling({ parameters: JSON.parse('{"__proto__":1,"a":[{"__proto__":{"b":2},"c":3}],"d":4}') })
      const nodes = yield* forest.append(id, [foreign(call)])
      assert.deepEqual(
        nodes.map(({ message }) => message.content),
        [[Block.toolUse("c", "f", { a: [{ c: 3 }], d: 4 })]],
      )
      assert.deepStrictEqual(yield* forest.append(id, [foreign(call)]), nodes)
    }).pipe(withForest),
  )

  it.effect("stores what JSON holds, and what is left out of it", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const drafts = [calling({ parameters: { a: [null, 1.5, "\0\ud800"], b: undefined }, meta: { x: { y: {} } } })]
      assert.lengthOf(yield* forest.append(id, drafts.map(foreign)), 1)
    }).pipe(withForest),
  )

  it.effect.each<readonly [what: string, tree: object, issue: string]>([
    ["a system prompt that is no text", { systemPrompt: 5 }, "systemPrompt"],
    ["an owner that is no text", { owner: undefined }, "owner"],
    ["an owner with half a character", { owner: "\udc00" }, "owner: holds a NUL or half a character"],
  ])("refuses a tree with %s", ([, unfit, issue]) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { reason } = yield* Effect.flip(forest.root(Object.assign({ owner: "a", systemPrompt: "" }, unfit)))
      if (reason._tag !== "Invalid") assert.fail(reason._tag)
      assert.include(reason.message, `The tree cannot be stored: ${issue}`)
      assert.deepStrictEqual(yield* forest.roots(), [])
    }).pipe(withForest),
  )

  it.effect("refuses an edit that is no text", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "a", systemPrompt: "" })
      const [node] = yield* forest.append(id, [draft("x")])
      const text: string = JSON.parse("5")
      const { reason } = yield* Effect.flip(forest.edit(node?.id ?? id, text))
      assert.strictEqual(reason._tag, "Invalid")
    }).pipe(withForest),
  )
})
