import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Section from "../../src/install/Section.ts"

const { array, boolean, constantFrom, tuple } = FastCheck

/** With the digest of a single line `a`. */
const begin = "<!-- vibe install: begin (ca978112ca1bbdca) -->"
const end = "<!-- vibe install: end -->"

describe("Section", () => {
  it("takes back exactly what it has put in, and puts it in once", () => {
    const lines = constantFrom("", "# Engine", "  ", begin, "a <!-- vibe install: end -->", "```")
    const texts = tuple(array(lines, { maxLength: 6 }), constantFrom("\n", "\r\n"), boolean(), boolean()).map(
      ([all, lineEnd, isEnded, hasMark]) =>
        (hasMark ? "\ufeff" : "") + all.join(lineEnd) + (isEnded && all.length > 0 ? lineEnd : ""),
    )
    FastCheck.assert(
      FastCheck.property(
        texts,
        array(constantFrom("## Find", "", "text"), { minLength: 1, maxLength: 3 }),
        (text, lines) => {
          const installed = Section.put(text, lines)
          assert.isTrue(installed.startsWith(text))
          assert.strictEqual(Section.put(installed, lines), installed)
          assert.strictEqual(Section.remove(installed), text)
        },
      ),
    )
  })

  it("changes nothing of a section that is not ended but adds its own", () => {
    const text = `${begin}\nmine\n`
    assert.strictEqual(Section.remove(text), text)
    const installed = Section.put(text, ["a"])
    assert.strictEqual(installed, `${text}\n${begin}\na\n${end}\n`)
    assert.strictEqual(Section.remove(installed), text)
  })

  it("removes a file that has nothing else", () => {
    assert.isUndefined(Section.remove(Section.create(["a"])))
    assert.strictEqual(Section.remove(`${Section.create(["a"])}b\n`), "b\n")
  })

  it("reads a text with a hundred thousand beginnings in linear time", () => {
    const text = `${begin}\n`.repeat(100_000)
    assert.strictEqual(Section.remove(text), text)
  })
})
