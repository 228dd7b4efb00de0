import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Statements from "../../../src/wiki/writing/Statements.ts"

const read = (value: unknown) => Schema.decodeUnknownSync(Statements.Written)(value)

describe("Statements.Written", () => {
  const cases: ReadonlyArray<readonly [value: unknown, text: string, numbers: ReadonlyArray<number>]> = [
    ["It fails without a name. [17, 3]", "It fails without a name.", [17, 3]],
    ["It fails without a name [17].", "It fails without a name.", [17]],
    ["It fails. [17] It starts again. [3;4]", "It fails. It starts again.", [17, 3, 4]],
    ["The default is [1, 2] for all. [5]", "The default is [1, 2] for all.", [5]],
    ["It takes `args[0]` first. [5]", "It takes `args[0]` first.", [5]],
    ["The usage line begins with `[OPTIONS]`. [8]", "The usage line begins with `[OPTIONS]`.", [8]],
    ["How long a name may be [12]", "How long a name may be", [12]],
    ["It cites nothing.", "It cites nothing.", []],
    [{ t: "It fails.", c: [17, 3] }, "It fails.", [17, 3]],
    [{ t: "It fails.", c: "[17], 3" }, "It fails.", [17, 3]],
    [{ want: "A limit", c: [2] }, "A limit", [2]],
  ]
  it.each(cases)("reads the text and the numbers of %j", (value, text, numbers) => {
    const { c, t } = read(value)
    assert.deepStrictEqual([t, c], [text, numbers])
  })

  it("reads the same of a text with numbers at its end as of an object", () => {
    const sentence = fc.stringMatching(/^[A-Z][a-z` ]{0,30}[a-z][.!?]$/)
    const numbers = fc.array(fc.nat(999), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(sentence, numbers, (t, c) => {
        assert.deepStrictEqual(read(`${t} [${c.join(", ")}]`), read({ t, c }))
      }),
    )
  })

  it.each([7, null, {}, []])("refuses %j", (value) => {
    assert.throws(() => read(value))
  })
})
