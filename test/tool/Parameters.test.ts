import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Schema } from "effect"
import * as z from "zod"
import type { JsonObject } from "../../src/base/Json.ts"
import * as Parameters from "../../src/tool/Parameters.ts"
import { some } from "../thoroughness.ts"

const issues = <A>(parameters: Parameters.Parameters<A>, input: unknown) =>
  Effect.map(Effect.flip(parameters.decode(input)), (error) => error.issues)

/** The three ways to describe `{ message: string, count?: number }`. */
const messages = {
  "Effect Schema": Parameters.fromSchema(
    Schema.Struct({
      message: Schema.String.annotations({ description: "Test message" }),
      count: Schema.optional(Schema.Number.annotations({ description: "How often" })),
    }),
  ),
  zod: Parameters.fromStandard(
    z.strictObject({
      message: z.string().describe("Test message"),
      count: z.number().describe("How often").optional(),
    }),
  ),
  "JSON Schema": Parameters.fromJsonSchema({
    type: "object",
    properties: {
      message: { type: "string", description: "Test message" },
      count: { type: "number", description: "How often" },
    },
    required: ["message"],
    additionalProperties: false,
  }),
} satisfies Record<string, Parameters.Parameters<unknown>>

describe.each(Object.entries<Parameters.Parameters<unknown>>(messages))("Parameters from %s", (_, parameters) => {
  it("tell types, descriptions and what is required", () => {
    assert.deepInclude(parameters.jsonSchema, {
      type: "object",
      properties: {
        message: { type: "string", description: "Test message" },
        count: { type: "number", description: "How often" },
      },
      required: ["message"],
    })
  })

  it.effect("take what fits, in any order of keys, with or without the optional", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* parameters.decode({ count: 2, message: "a" }), { message: "a", count: 2 })
      assert.deepStrictEqual(yield* parameters.decode({ message: "a" }), { message: "a" })
    }),
  )

  it.effect.each([
    ["a string for a number", { message: "a", count: "2" }, /^count: .*number/i],
    ["null for an optional", { message: "a", count: null }, /^count: .*null/],
    ["a missing field", { count: 2 }, /message/],
    ["an unknown key", { message: "a", mesage: "b" }, /mesage/],
    ["a string for the object", "a", /object|message/],
    ["an array for the object", [], /object|message/],
  ] as const)("answer %s with one line", ([, input, expected]) =>
    Effect.gen(function* () {
      const lines = yield* issues(parameters, input)
      assert.lengthOf(lines, 1)
      assert.match(lines[0], expected)
    }),
  )

  it.effect("have a line for each issue", () =>
    Effect.gen(function* () {
      const lines = yield* issues(parameters, { message: 1, count: "2" })
      assert.deepStrictEqual(lines.map((line) => line.split(":")[0]).toSorted(), ["count", "message"])
    }),
  )

  it.effect("have twenty lines at most, none of them longer than a thousand characters", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, 1]))
      // zod has one issue for all unknown keys.
      const lines = yield* issues(parameters, { message: "hi", ...many })
      if (lines.length > 1) assert.deepStrictEqual([lines.length, lines.at(-1)], [21, "and 10 more"])
      for (const input of [{ message: "hi", ["k".repeat(5000)]: 1 }, { message: ["m".repeat(5000)] }]) {
        for (const line of yield* issues(parameters, input)) assert.isAtMost(line.length, 1000)
      }
    }),
  )

  it.effect.prop("decode whatever JSON a model sends, or say why not", [FastCheck.jsonValue()], ([input]) =>
    Effect.gen(function* () {
      const outcome = yield* Effect.either(parameters.decode(input))
      if (outcome._tag === "Left") for (const line of outcome.left.issues) assert.match(line, /^[^\n]+$/)
    }),
  )
})

describe("Parameters.fromSchema", () => {
  it("inlines named schemas, because Gemini refuses a reference with keywords beside it", () => {
    const { jsonSchema } = Parameters.fromSchema(
      Schema.Struct({
        line: Schema.Int.pipe(Schema.positive()).annotations({ description: "From 1" }),
        name: Schema.NonEmptyString.pipe(Schema.maxLength(9)),
        depth: Schema.optionalWith(Schema.Int, { default: () => 3 }),
      }),
    )
    assert.deepStrictEqual(jsonSchema, {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        line: { type: "integer", description: "From 1", exclusiveMinimum: 0 },
        name: { type: "string", minLength: 1, maxLength: 9 },
        depth: { type: "integer" },
      },
      required: ["line", "name"],
      additionalProperties: false,
    })
  })

  it("leaves out the titles and descriptions that Effect generates for its filters", () => {
    const text = Schema.String
    const number = Schema.Number
    const list = Schema.Array(text)
    const filtered = {
      minLength: text.pipe(Schema.minLength(1)),
      length: text.pipe(Schema.length(2)),
      lengths: text.pipe(Schema.length({ min: 1, max: 2 })),
      character: Schema.Char,
      pattern: text.pipe(Schema.pattern(/^a$/)),
      startsWith: text.pipe(Schema.startsWith("a")),
      endsWith: text.pipe(Schema.endsWith("a")),
      includes: text.pipe(Schema.includes("a")),
      trimmed: Schema.Trimmed,
      lowercased: Schema.Lowercased,
      capitalized: Schema.Capitalized,
      finite: Schema.Finite,
      greaterThan: number.pipe(Schema.greaterThan(-1)),
      lessThanOrEqualTo: number.pipe(Schema.lessThanOrEqualTo(1)),
      between: number.pipe(Schema.between(1, 2)),
      multipleOf: number.pipe(Schema.multipleOf(2)),
      negative: Schema.Negative,
      nonNegative: Schema.NonNegative,
      minItems: list.pipe(Schema.minItems(1)),
      itemsCount: list.pipe(Schema.itemsCount(1)),
    }
    const written = JSON.stringify(Parameters.fromSchema(Schema.Struct(filtered)).jsonSchema)
    assert.notMatch(written, /"(?:title|description)":/)
  })

  it("keeps the titles and descriptions of the schema's author", () => {
    const { jsonSchema } = Parameters.fromSchema(
      Schema.Struct({
        title: Schema.NonEmptyString.annotations({ title: "Title", description: "a string matching the mood" }),
        count: Schema.Int.annotations({ description: "an integer above all" }),
      }),
    )
    assert.deepStrictEqual(jsonSchema.properties, {
      title: { type: "string", title: "Title", description: "a string matching the mood", minLength: 1 },
      count: { type: "integer", description: "an integer above all" },
    })
  })

  it("keeps the references of recursive schemas", () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({
      children: Schema.Array(Schema.suspend(() => Tree).annotations({ identifier: "Tree" })),
    })
    const { jsonSchema } = Parameters.fromSchema(Tree)
    assert.strictEqual(jsonSchema.type, "object")
    assert.deepStrictEqual(jsonSchema.properties, { children: { type: "array", items: { $ref: "#/$defs/Tree" } } })
    assert.containsAllKeys(jsonSchema.$defs, ["Tree"])
  })

  it("makes an object of a named schema", () => {
    class Place extends Schema.Class<Place>("Place")({ path: Schema.String }) {}
    assert.deepInclude(Parameters.fromSchema(Place).jsonSchema, {
      type: "object",
      properties: { path: { type: "string" } },
    })
  })

  it("writes a tool without parameters as an object without properties", () => {
    assert.deepInclude(Parameters.fromSchema(Schema.Struct({})).jsonSchema, { type: "object", properties: {} })
  })

  it("gives no two parts the same id", () => {
    const { jsonSchema } = Parameters.fromSchema(Schema.Struct({ a: Schema.Unknown, b: Schema.Unknown }))
    assert.notInclude(JSON.stringify(jsonSchema), "$id")
  })

  it.effect("transforms, and fills in what was left out", () =>
    Effect.gen(function* () {
      const parameters = Parameters.fromSchema(
        Schema.Struct({ name: Schema.Trim, depth: Schema.optionalWith(Schema.Int, { default: () => 3 }) }),
      )
      assert.deepStrictEqual(yield* parameters.decode({ name: " a " }), { name: "a", depth: 3 })
    }),
  )

  it.effect("says where in a nested value the issue is", () =>
    Effect.gen(function* () {
      const parameters = Parameters.fromSchema(
        Schema.Struct({
          entries: Schema.Array(Schema.Struct({ path: Schema.String, line: Schema.optional(Schema.Int) })),
        }),
      )
      assert.deepStrictEqual(yield* issues(parameters, { entries: [{ path: "a" }, { path: 1, line: 1.5 }] }), [
        "entries.1.path: Expected string, actual 1",
        "entries.1.line: Expected an integer, actual 1.5",
      ])
    }),
  )

  it.each([
    ["dates", Schema.Struct({ at: Schema.DateFromSelf }), "Missing annotation"],
    ["texts", Schema.String, "they are not an object"],
  ])("throws at %s, which no model can send", (_, schema: Schema.Schema.AnyNoContext, message) => {
    assert.throws(() => Parameters.fromSchema(schema), message)
  })
})

describe("Parameters.fromStandard", () => {
  const parameters = Parameters.fromStandard(
    z.object({
      user: z
        .object({
          name: z.string().describe("Full name"),
          age: z.number().min(0).describe("In years"),
        })
        .describe("Who asks"),
      options: z.array(z.string()).describe("Flags"),
      metadata: z.record(z.string(), z.unknown()),
    }),
  )

  it("writes nested objects, arrays and records, with their descriptions", () => {
    assert.deepStrictEqual(parameters.jsonSchema, {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        user: {
          type: "object",
          description: "Who asks",
          properties: {
            name: { type: "string", description: "Full name" },
            age: { type: "number", minimum: 0, description: "In years" },
          },
          required: ["name", "age"],
        },
        options: { type: "array", description: "Flags", items: { type: "string" } },
        metadata: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} },
      },
      required: ["user", "options", "metadata"],
    })
  })

  it.effect("says where in a nested value the issue is", () =>
    Effect.gen(function* () {
      const lines = yield* issues(parameters, { user: { name: "a", age: -1 }, options: ["a", 1], metadata: {} })
      assert.deepStrictEqual(lines, [
        "user.age: Too small: expected number to be >=0",
        "options.1: Invalid input: expected string, received number",
      ])
    }),
  )

  it.effect("transforms, fills in what was left out, and asks the model for what comes in", () =>
    Effect.gen(function* () {
      const parameters = Parameters.fromStandard(
        z.object({
          length: z.string().transform((text) => text.length),
          depth: z.number().default(3),
        }),
      )
      assert.deepStrictEqual(yield* parameters.decode({ length: "four" }), { length: 4, depth: 3 })
      assert.deepInclude(parameters.jsonSchema, {
        properties: { length: { type: "string" }, depth: { type: "number", default: 3 } },
        required: ["length"],
      })
    }),
  )

  it.effect("waits for a schema that decides later", () =>
    Effect.gen(function* () {
      const parameters = Parameters.fromStandard(
        z.object({ path: z.string().refine(async (path) => path === "known", "is not known") }),
      )
      assert.deepStrictEqual(yield* parameters.decode({ path: "known" }), { path: "known" })
      assert.deepStrictEqual(yield* issues(parameters, { path: "other" }), ["path: is not known"])
    }),
  )

  it.effect("leaves unknown keys to the schema: zod's own object drops them", () =>
    Effect.gen(function* () {
      const parameters = Parameters.fromStandard(z.object({ a: z.string() }))
      assert.deepStrictEqual(yield* parameters.decode({ a: "a", b: "b" }), { a: "a" })
    }),
  )

  it.each([
    ["dates", z.object({ at: z.date() }), "Date cannot be represented in JSON Schema"],
    ["texts", z.string(), "they are not an object"],
  ])("throws at %s, which no model can send", (_, schema: Parameters.Standard<unknown>, message) => {
    assert.throws(() => Parameters.fromStandard(schema), message)
  })
})

/** A schema whose check takes twice as long with each level. */
const doubling = (levels: number): JsonObject => ({
  type: "object",
  properties: { a: { $ref: `#/$defs/level${levels}` } },
  $defs: Object.fromEntries([
    ["level0", { type: "string" }],
    ...Array.from({ length: levels }, (_, n) => {
      const below = { $ref: `#/$defs/level${n}` }
      return [`level${n + 1}`, { allOf: [below, below] }]
    }),
  ]),
})

describe("Parameters.fromJsonSchema", () => {
  const endless: ReadonlyArray<readonly [what: string, schema: JsonObject]> = [
    ["references", doubling(60)],
    ["a pattern", { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } }],
  ]

  // Each takes the whole second. The limit itself is tested with patterns, too, and a shorter time.
  it.live.each(some(endless))("gives up a check by %s that would take years, and goes on", ([, schema]) =>
    Effect.gen(function* () {
      const parameters = Parameters.fromJsonSchema(schema)
      const given = { a: `${"a".repeat(60)}!` }
      assert.deepStrictEqual(yield* issues(parameters, given), [
        "they could not be checked within 1 s by the schema of the tool: nothing was run",
      ])
      const next = Parameters.fromJsonSchema(doubling(2))
      assert.deepStrictEqual(yield* next.decode(given), given)
    }),
  )

  const schema: JsonObject = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      path: { type: "string" },
      lines: { type: "array", items: { type: "integer" } },
      place: { $ref: "#/$defs/place" },
      kind: { anyOf: [{ const: "file" }, { type: "null" }] },
      "a/b~c": { type: "string" },
    },
    $defs: { place: { type: "object", properties: { line: { type: "integer" } }, required: ["line"] } },
    required: ["path"],
    additionalProperties: false,
  }

  it("passes the schema on unchanged", () => {
    assert.strictEqual(Parameters.fromJsonSchema(schema).jsonSchema, schema)
  })

  it.effect("says what is wrong with each part, and nothing of the parts around it", () =>
    Effect.gen(function* () {
      const lines = yield* issues(Parameters.fromJsonSchema(schema), {
        lines: [1, 2.5],
        place: {},
        kind: "folder",
        "a/b~c": 1,
        more: true,
      })
      assert.deepStrictEqual(lines, [
        'Instance does not have required property "path".',
        'lines.1: Instance type "number" is invalid. Expected "integer".',
        'place: Instance does not have required property "line".',
        "kind: Instance does not match any subschemas.",
        'kind: Instance does not match "file".',
        'kind: Instance type "string" is invalid. Expected "null".',
        'a/b~c: Instance type "number" is invalid. Expected "string".',
        "more: is unexpected",
      ])
    }),
  )

  it.effect("understands the draft that the schema names", () =>
    Effect.gen(function* () {
      // Up to draft-07 a `$ref` silences what stands beside it.
      const silenced: JsonObject = {
        properties: { line: { $ref: "#/definitions/line", minimum: 5 } },
        definitions: { line: { type: "integer" } },
      }
      const older = Parameters.fromJsonSchema({ $schema: "http://json-schema.org/draft-07/schema#", ...silenced })
      assert.deepStrictEqual(yield* older.decode({ line: 1 }), { line: 1 })
      assert.deepStrictEqual(yield* issues(Parameters.fromJsonSchema(silenced), { line: 1 }), [
        "line: 1 is less than 5.",
      ])
    }),
  )
})
