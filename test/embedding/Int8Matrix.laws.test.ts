import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Int8Matrix from "../../src/embedding/Int8Matrix.ts"

const byte = fc.integer({ min: -128, max: 127 })

const matrices = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 70 }))
  .chain(([rows, dimensions]) => {
    const vector = fc.array(byte, { minLength: dimensions, maxLength: dimensions })
    return fc.record({
      dimensions: fc.constant(dimensions),
      vectors: fc.array(vector, { minLength: rows, maxLength: rows }),
      questions: fc.array(vector, { minLength: 1, maxLength: 3 }),
    })
  })

const fill = (matrix: Int8Matrix.Int8Matrix, vectors: ReadonlyArray<ReadonlyArray<number>>) => {
  matrix.set(0, Int8Array.from(vectors.flat()))
  return matrix
}

describe("Int8Matrix", () => {
  it("has WebAssembly SIMD on this Node", () => {
    assert.isDefined(Int8Matrix.makeWithSimd(3, 256))
  })

  it("gives the same integers with SIMD as in plain JavaScript, which are the dot products", () => {
    fc.assert(
      fc.property(matrices, ({ dimensions, questions, vectors }) => {
        const simd = Int8Matrix.makeWithSimd(vectors.length, dimensions)
        if (simd === undefined) throw new Error("no SIMD")
        fill(simd, vectors)
        const plain = fill(Int8Matrix.makePlain(vectors.length, dimensions), vectors)
        for (const question of questions) {
          const products = vectors.map((vector) =>
            vector.reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0),
          )
          assert.deepStrictEqual(Array.from(simd.dots(Int8Array.from(question))), products)
          assert.deepStrictEqual(Array.from(plain.dots(Int8Array.from(question))), products)
        }
      }),
    )
  })

  it("sums the largest bytes of the longest vectors without overflow", () => {
    const dimensions = 8_192
    const extreme = new Int8Array(dimensions).fill(-128)
    for (const matrix of [Int8Matrix.make(1, dimensions), Int8Matrix.makePlain(1, dimensions)]) {
      matrix.set(0, extreme)
      assert.deepStrictEqual(Array.from(matrix.dots(extreme)), [128 * 128 * dimensions])
    }
  })

  it("sets rows that follow each other at once", () => {
    for (const matrix of [Int8Matrix.make(3, 2), Int8Matrix.makePlain(3, 2)]) {
      matrix.set(1, Int8Array.of(1, 2, 3, 4))
      assert.deepStrictEqual(Array.from(matrix.dots(Int8Array.of(1, 1))), [0, 3, 7])
    }
  })
})
