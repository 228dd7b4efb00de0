/** Tests of where functions without a name stand in others. */
import { assert, describe, it } from "@effect/vitest"
import * as Closures from "../../../src/wiki/flows/Closures.ts"

/** The lines on which `late` is called in a closure, and those on which it is called at once. */
const linesOf = (language: string, source: string) => {
  const isWithin = Closures.within({ startLine: 1 }, source, language)
  if (isWithin === undefined) return assert.fail(`${language} is not read`)
  const lines = source.split("\n").flatMap((line, at) => (/\blate\b/.test(line) ? [at + 1] : []))
  return [lines.filter((line) => isWithin("late", [line])), lines.filter((line) => !isWithin("late", [line]))]
}

describe("Closures.within", () => {
  it("finds calls in functions without a name, in PHP", () => {
    const source = `public function run($x) {
    late();
    $y = fn($z) => late($z);
    $this->on('x', static function () use ($x) {
        return late($x);
    });
    late("function () {");
}`
    assert.deepStrictEqual(linesOf("php", source), [
      [3, 5],
      [2, 7],
    ])
  })

  it("finds calls in arrow functions and function expressions, but not in the function itself", () => {
    const source = `export const run = async (x: { y: number }) => {
  late(x)
  items.map((item) => late(item))
  emitter.on("x", function () {
    late()
  })
  return () => {
    late()
  }
}`
    assert.deepStrictEqual(linesOf("typescript", source), [[3, 5, 8], [2]])
    const wrapped = 'export const run = wrap("run", function* () {\n  yield late()\n  then(() => late())\n})'
    assert.deepStrictEqual(linesOf("javascript", wrapped), [[3], [2]])
    const curried = "const run: (a: A) => (b: B) => C = (a) => (b) => {\n  late()\n}"
    assert.deepStrictEqual(linesOf("typescript", curried), [[2], []])
    const typed = "const run: (a: () => void) => void = (a) => {\n  late()\n}"
    assert.deepStrictEqual(linesOf("typescript", typed), [[], [2]])
  })

  it("finds calls in lambdas and inner functions, in Python", () => {
    const source = `@decorated
def run(x):
    late()
    def inner():
        return late()
    y = lambda: late()
    return late(inner)`
    assert.deepStrictEqual(linesOf("python", source), [
      [5, 6],
      [3, 7],
    ])
  })

  it("takes a line with a call inside and one outside for no closure", () => {
    assert.deepStrictEqual(linesOf("javascript", "function run() {\n  late(() => late())\n}"), [[], [2]])
  })

  it("says nothing of languages that are not read", () => {
    assert.isUndefined(Closures.within({ startLine: 1 }, "late()", "cobol"))
    assert.isUndefined(Closures.within({ startLine: 1 }, "late()", undefined))
  })
})
