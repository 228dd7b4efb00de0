import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as IndirectCalls from "../../../src/wiki/flows/IndirectCalls.ts"
import type { Family } from "../../../src/wiki/flows/MaskedText.ts"

const textsOf = (text: string, all: ReadonlyArray<IndirectCalls.Expression>) =>
  all.map(({ end, start }) => text.slice(start, end).trim())

describe("IndirectCalls.assignmentsTo", () => {
  const cases: ReadonlyArray<readonly [family: Family, text: string, expected: ReadonlyArray<string>]> = [
    ["ecma", "run = first; run ??= second; run ||= third", ["first", "second", "third"]],
    ["ecma", "const run: () => void = first", []],
    ["ecma", "const run: Handler<A> = first", ["first"]],
    ["ecma", "if (run == first || run === second) run => third", []],
    ["ecma", "runs = first; $run = second; a.run = third; rerun = fourth", []],
    ["ecma", "run = run = first", ["run = first", "first"]],
    ["ecma", "for (const run of [first, second]) {\n  run()\n}", ["[first, second]"]],
    ["ecma", "for (const other of [first]) {\n  run(other)\n}", []],
    ["ecma", "for await (const run of all()) {\n}", ["all()"]],
    ["php", "$run = first(); $run['a'] = second(); $run ??= third();", ["first()", "second()", "third()"]],
    ["php", "$runs = first(); run = second(); $a->run = third(); $run == fourth();", []],
    ["php", "foreach ($all as $key => $run) { }", ["$all"]],
    ["python", "run = first\n  run: Handler = second\n", ["first", "second"]],
    ["python", "runs = first\nself.run = second\nother, run = third\nrun == fourth", []],
    ["python", "for run in all:\n  pass", ["all"]],
    ["python", "for key, run in items():\n  pass", ["items()"]],
  ]
  for (const [family, text, expected] of cases) {
    it(`finds ${expected.length} in ${JSON.stringify(text)} of ${family}`, () => {
      assert.deepStrictEqual(textsOf(text, IndirectCalls.assignmentsTo(text, "run", family)), expected)
    })
  }
})

describe("IndirectCalls.assignmentsToProperty", () => {
  const cases: ReadonlyArray<readonly [family: Family, text: string, expected: ReadonlyArray<string>]> = [
    ["ecma", "this.run = first; this.run.push(second); this.runs = third", ["first", "second"]],
    ["ecma", "run = first; other.run = second", []],
    ["php", "$this->run = first(); array_push($this->run, second());", ["first()", "second()"]],
    ["python", "self.run = first\nself.run.append(second)\nself.other = third", ["first", "second"]],
  ]
  for (const [family, text, expected] of cases) {
    it(`finds ${expected.length} in ${JSON.stringify(text)} of ${family}`, () => {
      assert.deepStrictEqual(textsOf(text, IndirectCalls.assignmentsToProperty(text, "run", family)), expected)
    })
  }
})

describe("IndirectCalls.isAssigned", () => {
  it("is true wherever something is assigned to a variable", () => {
    const words = "f|$f|other| |\n|=|==|=>|:|for (const |for (|foreach (|for | of | in | as |(|)|{|list".split("|")
    const texts = FastCheck.array(FastCheck.constantFrom(...words), { maxLength: 25 })
    const family = FastCheck.constantFrom<Family>("php", "ecma", "python")
    FastCheck.assert(
      FastCheck.property(texts, family, (parts, family) => {
        const text = parts.join("")
        if (IndirectCalls.isAssigned(text, "f", family)) return
        assert.deepStrictEqual(IndirectCalls.assignmentsTo(text, "f", family), [], text)
      }),
      { numRuns: 2_000 },
    )
  })
})
