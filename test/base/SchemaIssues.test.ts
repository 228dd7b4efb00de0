import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as SchemaIssues from "../../src/base/SchemaIssues.ts"

const issues = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  Schema.decodeUnknown(schema)(input, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.flip,
    Effect.map(SchemaIssues.fromParseError),
  )

describe("SchemaIssues.fromParseError", () => {
  it.effect("has a line for each path with an error", () =>
    Effect.gen(function* () {
      const Input = Schema.Struct({ user: Schema.Struct({ name: Schema.String }), tags: Schema.Array(Schema.String) })
      assert.deepStrictEqual(yield* issues(Input, { user: {}, tags: ["a", 1], more: true }), [
        'more: is unexpected, expected: "user" | "tags"',
        "user.name: is missing",
        "tags.1: Expected string, actual 1",
      ])
    }),
  )

  it.effect("omits the alternative undefined of optional properties", () =>
    Effect.gen(function* () {
      const Input = Schema.Struct({ limit: Schema.optional(Schema.Number) })
      assert.deepStrictEqual(yield* issues(Input, { limit: "3" }), ['limit: Expected number, actual "3"'])
    }),
  )

  it.effect("joins the errors of the members of a union on one line", () =>
    Effect.gen(function* () {
      const Input = Schema.Struct({ kind: Schema.Literal("a", "b") })
      assert.deepStrictEqual(yield* issues(Input, { kind: "c" }), [
        'kind: Expected "a", actual "c"; Expected "b", actual "c"',
      ])
    }),
  )

  it.effect("has no path for an error of the whole value", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* issues(Schema.String, 1), ["Expected string, actual 1"])
    }),
  )
})

describe("SchemaIssues.line", () => {
  it("is one line for any message", () => {
    assert.strictEqual(SchemaIssues.line(["a", 0, "b"], "is\n  wrong"), "a.0.b: is wrong")
  })
})
