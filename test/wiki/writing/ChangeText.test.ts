import { assert, describe, it } from "@effect/vitest"
import * as ChangeText from "../../../src/wiki/writing/ChangeText.ts"

const lines = (count: number, changed: ReadonlyMap<number, string> = new Map()): string =>
  Array.from({ length: count }, (_, at) => changed.get(at) ?? `  step(${at})`).join("\n")

const write = (before: string, now: string, maxTokens = 999, statements: ReadonlyArray<string> = []) =>
  ChangeText.write(before, now, 101, statements, maxTokens)

describe("ChangeText.write", () => {
  it("shows changes that are far apart, and not what is between them", () => {
    const now = lines(
      60,
      new Map([
        [5, "  first()"],
        [50, "  last()"],
      ]),
    )
    const { isAllOfNow, lines: written } = write(lines(60), now)
    const [, text = ""] = written
    assert.include(text, "-   step(5)\n106 +   first()\n107   step(6)")
    assert.include(text, "-   step(50)\n151 +   last()")
    assert.include(text, "(unchanged lines)")
    assert.notInclude(text, "step(30)")
    assert.isFalse(isAllOfNow)
  })

  it("says that nothing of the present source is left out if all of it is near the change", () => {
    const { isAllOfNow, lines: written } = write("a = 1\nb = 2", "a = 1\nb = 3")
    assert.isTrue(isAllOfNow)
    assert.deepStrictEqual(written, ['"""', "101 a = 1\n- b = 2\n102 + b = 3", '"""'])
  })

  it("leaves out unchanged lines before changed ones if there is no room, and says so if it cuts those", () => {
    const changed = new Map<number, string>(Array.from({ length: 30 }, (_, at) => [at * 2, `  call_number_${at}()`]))
    changed.set(14, "  deliverMail()")
    const roomy = write(lines(60), lines(60, changed))
    const tight = write(lines(60), lines(60, changed), 150, ["Mail is delivered."])
    const [, text = ""] = tight.lines
    assert.notInclude(roomy.lines.join("\n"), "lines cut")
    assert.include(text, "deliverMail()")
    assert.include(text, "lines cut")
    assert.isFalse(tight.isAllOfNow)
  })

  it("changes nothing in a source that ends a quotation", () => {
    const [begin, text = "", end] = write('a = """', 'b = """').lines
    assert.deepStrictEqual([begin, end], ['"""', '"""'])
    assert.notInclude(text, '"""')
  })
})
