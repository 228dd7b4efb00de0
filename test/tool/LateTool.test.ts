/** That a tool with a schema that is loaded late does what one with the schema does. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Schema } from "effect"
import * as Shape from "../../src/base/Shape.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as LateTool from "../../src/tool/LateTool.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

const parameters = Schema.Struct({ text: Schema.String, count: Schema.optional(Schema.Int) })
const shape = Shape.struct({ text: Shape.text, count: Shape.optional(Shape.integer) })

const run = ({ count = 1, text }: typeof parameters.Type) =>
  text === "fail" ? Tool.fail("there is no such thing") : Effect.succeed(text.repeat(count))

const whole = Tool.make({ name: "repeat", description: "Repeats", parameters, readOnly: true, run })

const open = () => {
  let loads = 0
  const late = LateTool.make({
    definition: { name: "repeat", description: "Repeats", parameters: whole.parameters },
    read: (input) =>
      Object.keys(input ?? {}).every((name) => name === "text" || name === "count")
        ? Shape.readOrUndefined(shape, input)
        : undefined,
    loadSchema: async () => {
      loads += 1
      return parameters
    },
    run,
  })
  return { late, loads: () => loads }
}

const context = { node: NodeId.make("n"), callId: "c", model: new ModelId({ provider: "scripted", name: "test" }) }

const call = (tool: Tool.Tool, parameters: Readonly<Record<string, unknown>>) =>
  ToolRegistry.make([tool]).execute({ type: "tool-use", id: "c", name: "repeat", parameters }, context)

const value = FastCheck.constantFrom<unknown>("a", "fail", "2", 2, 1.5, null, true, [], {})
const input = FastCheck.record({ text: value, count: value, other: value }, { requiredKeys: [] })

describe("a tool whose schema is loaded late", () => {
  it.effect.prop("has the results of one with the schema, whatever its arguments are", [input], ([input]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* call(open().late, input), yield* call(whole, input))
    }),
  )

  it.effect("loads the schema for arguments that are not plainly valid, and for no others", () =>
    Effect.gen(function* () {
      const { late, loads } = open()
      assert.deepStrictEqual({ ...late, execute: whole.execute }, whole)
      assert.strictEqual((yield* call(late, { text: "a", count: 3 })).text, "aaa")
      assert.strictEqual(
        (yield* call(late, { text: "fail" })).text,
        "Error: tool 'repeat' failed: there is no such thing",
      )
      assert.strictEqual(loads(), 0)
      assert.strictEqual((yield* call(late, { text: "a", count: "3" })).text, "aaa")
      assert.include((yield* call(late, {})).text, "text: is missing")
      assert.strictEqual(loads(), 2)
    }),
  )
})
