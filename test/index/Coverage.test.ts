import { assert, describe, it } from "@effect/vitest"
import * as Coverage from "../../src/index/Coverage.ts"

const of = (files: number, majorSymbols: number, covered: number): Coverage.ClassCoverage => ({
  files,
  symbols: majorSymbols * 2,
  majorSymbols,
  covered,
})

const mixed = Coverage.make({ code: of(4, 10, 3), test: of(3, 5, 1), example: of(1, 0, 0), vendored: of(2, 7, 0) })
const testsAlone = Coverage.make({ code: of(1, 0, 0), test: of(3, 5, 1), documentation: of(2, 1, 1) })
const codeAlone = Coverage.make({ code: of(4, 10, 3), example: of(1, 0, 0) })

describe("Coverage", () => {
  it("counts code, and names the other classes that have major symbols beside it", () => {
    assert.strictEqual(Coverage.focusOf(mixed), "code")
    assert.deepStrictEqual(Coverage.ofFocus(mixed), of(4, 10, 3))
    assert.strictEqual(Coverage.describeFocus(mixed), "10 major symbols in code")
    assert.strictEqual(Coverage.describeBeside(mixed), "; tests: 1 of 5, vendored: 0 of 7")
    assert.isUndefined(Coverage.describeLackOfCode(mixed))
  })

  it("counts all classes if no code has major symbols, and says so", () => {
    assert.strictEqual(Coverage.focusOf(testsAlone), "all")
    assert.deepStrictEqual(Coverage.ofFocus(testsAlone), of(6, 6, 2))
    assert.strictEqual(Coverage.describeFocus(testsAlone), "6 major symbols")
    assert.strictEqual(Coverage.describeBeside(testsAlone), "")
    assert.strictEqual(
      Coverage.describeLackOfCode(testsAlone),
      "no code has major symbols, so that all files count alike: tests 3, documentation 2",
    )
  })

  it("names no other class where there is nothing beside code", () => {
    assert.strictEqual(Coverage.describeFocus(codeAlone), "10 major symbols")
    assert.strictEqual(Coverage.describeBeside(codeAlone), "")
    assert.isUndefined(Coverage.describeLackOfCode(Coverage.make({})))
  })

  it("adds up several codebases class by class", () => {
    assert.deepStrictEqual(
      Coverage.sum([mixed, testsAlone]),
      Coverage.make({
        code: of(5, 10, 3),
        test: of(6, 10, 2),
        example: of(1, 0, 0),
        documentation: of(2, 1, 1),
        vendored: of(2, 7, 0),
      }),
    )
  })
})
