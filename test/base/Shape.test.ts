import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option, Schema } from "effect"
import * as Shape from "../../src/base/Shape.ts"

const shape = Shape.struct({
  text: Shape.text,
  filled: Shape.optional(Shape.filledText),
  number: Shape.nullOr(Shape.number),
  count: Shape.count,
  few: Shape.optional(Shape.integerFrom(1, 3)),
  kind: Shape.oneOf("a", "b"),
  flags: Shape.optional(Shape.list(Shape.boolean)),
  pair: Shape.pair(Shape.integer, Shape.oneOf(0, 1)),
})

const schema = Schema.Struct({
  text: Schema.String,
  filled: Schema.optional(Schema.NonEmptyString),
  number: Schema.NullOr(Schema.Number),
  count: Schema.NonNegativeInt,
  few: Schema.optional(Schema.Int.pipe(Schema.between(1, 3))),
  kind: Schema.Literal("a", "b"),
  flags: Schema.optional(Schema.Array(Schema.Boolean)),
  pair: Schema.Tuple(Schema.Int, Schema.Literal(0, 1)),
})

const decode = Schema.decodeUnknownOption(schema)

/** Values that have the shape, and values near them that do not. */
const near = FastCheck.record(
  {
    text: FastCheck.oneof(FastCheck.string(), FastCheck.integer()),
    filled: FastCheck.oneof(FastCheck.string({ minLength: 1 }), FastCheck.constant("")),
    number: FastCheck.oneof(FastCheck.double(), FastCheck.constant(null), FastCheck.constant("1")),
    count: FastCheck.oneof(FastCheck.nat(), FastCheck.constantFrom(-1, 0.5, Number.NaN)),
    few: FastCheck.constantFrom<unknown>(1, 3, 0, 4, 1.5, "1", null, undefined),
    kind: FastCheck.constantFrom("a", "b", "c"),
    flags: FastCheck.oneof(FastCheck.array(FastCheck.boolean()), FastCheck.constantFrom([1], {}, null)),
    pair: FastCheck.constantFrom([1, 0], [2, 1], [1, 2], [1], [1, 0, 1], "10"),
    other: FastCheck.anything(),
  },
  { requiredKeys: ["text", "number", "count", "kind", "pair"] },
)

describe("Shape", () => {
  it.prop("takes and refuses what effect/Schema takes and refuses", [near], ([value]) => {
    assert.deepStrictEqual(Shape.readOrUndefined(shape, value), Option.getOrUndefined(decode(value)))
  })

  it("keeps a key that is undefined, and makes none that is missing", () => {
    const value = { text: "", number: 0, count: 0, few: undefined, kind: "a", pair: [1, 0] }
    assert.deepStrictEqual(Object.keys(shape(value)), ["text", "number", "count", "few", "kind", "pair"])
    assert.deepStrictEqual(Shape.readOrUndefined(shape, value), Option.getOrUndefined(decode(value)))
  })

  it.prop("refuses any other value", [FastCheck.anything()], ([value]) => {
    assert.deepStrictEqual(Shape.readOrUndefined(shape, value), Option.getOrUndefined(decode(value)))
  })

  it("says what is wrong, and where", () => {
    const files = Shape.struct({ files: Shape.list(Shape.struct({ path: Shape.text })) })
    assert.throws(() => files({ files: [{ path: "a" }, { path: 1 }] }), Shape.Mismatch, "files: 1: path: 1 is no text")
    assert.throws(() => Shape.json(files)("{"), Shape.Mismatch, "no JSON")
    assert.throws(() => Shape.json(files)(undefined), Shape.Mismatch, "undefined is no text")
  })
})
