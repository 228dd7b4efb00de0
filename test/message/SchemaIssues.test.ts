import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as SchemaIssues from "../../src/message/SchemaIssues.ts"

const issues = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  Schema.decodeUnknown(schema)(input, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.flip,
    Effect.map(SchemaIssues.fromParseError),
  )

describe("Issues.fromParseError", () => {
  it.effect("has a line for each place that is wrong", () =>
    Effect.gen(function* () {
      const Input = Schema.Struct({ user: Schema.Struct({ name: Schema.String }), tags: Schema.Array(Schema.String) })
      assert.deepStrictEqual(yield* issues(Input, { user: {}, tags: ["a", 1], more: true }), [
        'more: is unexpected, expected: "user" | "tags"',
        "user.name: is missing",
        "tags.1: Expected string, actual 1",
      ])
    }),
  )

  it.effect("does not say of an optional property that it may be left out", () =>
    Effect.gen(function* () {
      const Input = Schema.Struct({ limit: Schema.optional(Schema.Number) })
      assert.deepStrictEqual(yield* issues(Input, { limit: "3" }), ['limit: Expected number, actual "3"'])
    }),
  )

  it.effect("says on one line what the members of a union say", () =>
    Effect.gen(function* () {
      const Input = Schema.Struct({ kind: Schema.Literal("a", "b") })
      assert.deepStrictEqual(yield* issues(Input, { kind: "c" }), [
        'kind: Expected "a", actual "c"; Expected "b", actual "c"',
      ])
    }),
  )

  it.effect("needs no place to say that all of it is wrong", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* issues(Schema.String, 1), ["Expected string, actual 1"])
    }),
  )
})

describe("Issues.line", () => {
  it("stays a line whatever the message", () => {
    assert.strictEqual(SchemaIssues.line(["a", 0, "b"], "is\n  wrong"), "a.0.b: is wrong")
  })
})
