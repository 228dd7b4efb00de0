import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as z from "zod"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { Failed, ToolError } from "../../src/tool/ToolError.ts"

const context: Tool.ToolContext = {
  node: NodeId.make("n-1"),
  callId: "c1",
  model: new ModelId({ provider: "scripted", name: "test" }),
}

const described = { name: "details", description: "Shows a symbol." }

const run = ({ path, symbolName }: { readonly path: string; readonly symbolName: string }) =>
  Effect.succeed(`${symbolName} in ${path}`)

const Arguments = Schema.Struct({ path: Schema.String, symbolName: Schema.String })

/** One tool, with its arguments described in three ways. */
const tools: ReadonlyArray<[string, Tool.Tool]> = [
  ["make", Tool.make({ ...described, parameters: Arguments, run })],
  [
    "fromStandard",
    Tool.fromStandard({ ...described, parameters: z.object({ path: z.string(), symbolName: z.string() }), run }),
  ],
  [
    "fromJsonSchema",
    Tool.fromJsonSchema({
      ...described,
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, symbolName: { type: "string" } },
        required: ["path", "symbolName"],
      },
      run: (args) => Effect.flatMap(Schema.decodeUnknown(Arguments)(args), run).pipe(Effect.orDie),
    }),
  ],
]

describe.each(tools)("Tool.%s", (_, tool) => {
  it("shows its name, its description and what it takes", () => {
    assert.deepInclude(tool, { ...described, readOnly: false })
    assert.deepInclude(tool.parameters, {
      type: "object",
      properties: { path: { type: "string" }, symbolName: { type: "string" } },
      required: ["path", "symbolName"],
    })
  })

  it.effect("takes its arguments by name, in whatever order they come", () =>
    Effect.gen(function* () {
      const expected = { text: "main in a.ts" }
      assert.deepStrictEqual(yield* tool.execute({ path: "a.ts", symbolName: "main" }, context), expected)
      assert.deepStrictEqual(yield* tool.execute({ symbolName: "main", path: "a.ts" }, context), expected)
    }),
  )

  it.effect("names itself and the field when an argument is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(tool.execute({ path: "a.ts" }, context))
      assert.strictEqual(error.reason._tag, "InvalidArguments")
      assert.match(error.message, /^invalid arguments for tool 'details':\n- .*symbolName/)
    }),
  )
})

describe("Tool", () => {
  it.effect("keeps the files and the data of a result", () =>
    Effect.gen(function* () {
      const result = { text: "done", filesWritten: ["a.md"], data: { bytes: 3 }, isError: false }
      const tool = Tool.make({ ...described, parameters: Schema.Struct({}), run: () => Effect.succeed(result) })
      assert.deepStrictEqual(yield* tool.execute({}, context), result)
    }),
  )

  it.effect("passes the context of the call to the tool", () =>
    Effect.gen(function* () {
      const tool = Tool.make({
        ...described,
        parameters: Schema.Struct({}),
        run: (_, { callId, model, node }) => Effect.succeed([node, callId, String(model)].join(" ")),
      })
      assert.deepStrictEqual(yield* tool.execute({}, context), { text: "n-1 c1 scripted/test" })
    }),
  )

  it.effect("fails in its own words", () =>
    Effect.gen(function* () {
      const tool = Tool.make({ ...described, parameters: Schema.Struct({}), run: () => Tool.fail("no such symbol") })
      const error = yield* Effect.flip(tool.execute({}, context))
      assert.deepStrictEqual(
        error,
        new ToolError({ tool: "details", reason: new Failed({ message: "no such symbol" }) }),
      )
      assert.strictEqual(error.message, "tool 'details' failed: no such symbol")
    }),
  )

  it.effect("fails in the words of an error it meets", () =>
    Effect.gen(function* () {
      const met = Effect.fail({ message: "disk full", code: 28 })
      assert.deepStrictEqual(yield* Effect.flip(Tool.orFail(met)), new Failed({ message: "disk full" }))
    }),
  )

  it("names the tool whose parameters are not those of an object", () => {
    assert.throws(
      () =>
        Tool.fromStandard({
          ...described,
          parameters: z.object({ at: z.date() }),
          run: () => Effect.succeed(""),
        }),
      'The parameters of tool "details" cannot be used: Date cannot be represented in JSON Schema',
    )
    assert.throws(
      () => Tool.make({ ...described, parameters: Schema.Array(Schema.String), run: () => Effect.succeed("") }),
      'The parameters of tool "details" cannot be used: they are not an object',
    )
  })
})

describe("Tool.withNotice", () => {
  const tool = Tool.make({ ...described, parameters: Arguments, run })
  const input = { path: "a.ts", symbolName: "one" }

  it.effect("puts a line before the result, where there is one to put", () =>
    Effect.gen(function* () {
      const notices = ["being read", undefined]
      const noticed = Tool.withNotice(
        Effect.sync(() => notices.shift()),
        tool,
      )
      assert.strictEqual((yield* noticed.execute(input, context)).text, "(being read)\none in a.ts")
      assert.strictEqual((yield* noticed.execute(input, context)).text, "one in a.ts")
    }),
  )

  it.effect("puts the line before the message of a tool that fails, and not before what is wrong with arguments", () =>
    Effect.gen(function* () {
      const failing = Tool.make({ ...described, parameters: Arguments, run: () => Tool.fail("no such symbol") })
      const noticed = Tool.withNotice(Effect.succeed("being read"), failing)
      const error = yield* Effect.flip(noticed.execute(input, context))
      assert.strictEqual(error.message, "tool 'details' failed: (being read)\nno such symbol")
      assert.notInclude((yield* Effect.flip(noticed.execute({}, context))).message, "being read")
    }),
  )

  it.effect("fails as the tool does where what comes before fails, and does not run the tool", () =>
    Effect.gen(function* () {
      const calls: Array<string> = []
      const counted = Tool.make({
        ...described,
        parameters: Arguments,
        run: ({ path }) => Effect.sync(() => String(calls.push(path))),
      })
      const error = yield* Effect.flip(Tool.withNotice(Tool.fail("no disk"), counted).execute(input, context))
      assert.deepStrictEqual([error.message, calls], ["tool 'details' failed: no disk", []])
    }),
  )
})

describe("arguments of another JSON type", () => {
  const Lenient = Schema.Struct({ count: Schema.optional(Schema.Int), name: Schema.optional(Schema.String) })
  const print = (args: unknown) => Effect.succeed(JSON.stringify(args))
  const lenient: ReadonlyArray<[string, Tool.Tool]> = [
    ["make", Tool.make({ ...described, parameters: Lenient, run: print })],
    [
      "fromStandard",
      Tool.fromStandard({
        ...described,
        parameters: z.strictObject({ count: z.int().optional(), name: z.string().optional() }),
        run: print,
      }),
    ],
    [
      "fromJsonSchema",
      Tool.fromJsonSchema({
        ...described,
        parameters: { type: "object", properties: { count: { type: "integer" }, name: { type: "string" } } },
        run: print,
      }),
    ],
  ]

  it.effect.each(lenient)("are taken if they can mean one value only, by Tool.%s", ([, tool]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tool.execute({ count: "3", name: "3" }, context), {
        text: '{"count":3,"name":"3"}',
      })
      assert.deepStrictEqual(yield* tool.execute({ count: "4", name: null }, context), { text: '{"count":4}' })
      const error = yield* Effect.flip(tool.execute({ count: "three" }, context))
      assert.strictEqual(error.reason._tag, "InvalidArguments")
    }),
  )
})
