import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type Quantized, quantize } from "../../src/embedding/Int8Matrix.ts"

const vectors = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 256, maxLength: 256 })
  .map((values) => Float32Array.from(values))
  .filter((vector) => vector.some((value) => Math.abs(value) > 1e-3))

const dot = (one: ArrayLike<number>, other: ArrayLike<number>) =>
  Array.from(one).reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

const cosine = (one: Float32Array, other: Float32Array) =>
  dot(one, other) / Math.sqrt(dot(one, one)) / Math.sqrt(dot(other, other))

const similarity = (one: Quantized, other: Quantized) => dot(one.values, other.values) * one.scale * other.scale

describe("Quantized", () => {
  it("keeps the direction alone, whatever the length", () => {
    const [short, long] = [Float32Array.of(0.3, -0.4), Float32Array.of(30, -40)].map(quantize)
    assert.deepStrictEqual(short?.values, long?.values)
    assert.approximately(short?.scale ?? 0, long?.scale ?? 1, 1e-7)
    assert.deepStrictEqual(Array.from(short?.values ?? []), [95, -127])
  })

  it("gives cosines that differ by less than .02 from those of the numbers", () => {
    fc.assert(
      fc.property(vectors, vectors, (one, other) => {
        assert.approximately(similarity(quantize(one), quantize(other)), cosine(one, other), 0.02)
      }),
    )
  })
})
