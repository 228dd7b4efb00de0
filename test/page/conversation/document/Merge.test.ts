import { Text } from "@codemirror/state"
import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { receive } from "../../../../src/page/conversation/document/Merge.ts"
import { cases } from "../../../thoroughness.ts"
import { Simulation } from "./editors.ts"

/** What becomes of `now`, which was made of `base`, when the server has `theirs`. */
const merge = (base: string, now: string, theirs: string): string => {
  const { changes } = receive({ base: { text: base, version: 0 }, sent: undefined }, now, { text: theirs, version: 1 })
  return changes === undefined ? now : changes.apply(Text.of(now.split("\n"))).toString()
}

describe("receive", () => {
  it("puts no word into one that the other side wrote, unless both have edited the same", () => {
    const word = fc.stringMatching(/^[deilmo]{1,8}$/)
    const words = fc.array(word, { minLength: 1, maxLength: 6 })
    const edits = fc.record({ words, at: fc.nat(5), phrase: words, typed: word, place: fc.nat(60) })
    fc.assert(
      fc.property(edits, ({ at, phrase, place, typed, words }) => {
        const replaced = at % words.length
        const base = words.join(" ")
        const from = words.slice(0, replaced).reduce((sum, { length }) => sum + length + 1, 0)
        const to = from + (words[replaced]?.length ?? 0)
        const where = place % (base.length + 1)
        // Within the word, or as a part of it.
        fc.pre(where < from || where > to)
        const now = `${base.slice(0, where)} [${typed}] ${base.slice(where)}`
        const theirs = `${base.slice(0, from)}<${phrase.join(" ")}>${base.slice(to)}`
        const merged = merge(base, now, theirs)
        assert.include(merged, `[${typed}]`)
        for (const each of `<${phrase.join(" ")}>`.split(" ")) assert.include(merged, each)
        assert.strictEqual(merged.length, now.length + theirs.length - base.length)
      }),
      { numRuns: cases(2000), seed: 11 },
    )
  })

  it("keeps what is typed behind a word that the model replaces", () => {
    const base = "start\nmiddle\nend"
    const end = "\nend\n- a line of the model"
    const theirs = base.replace("middle", "MIDDLE by model").replace("\nend", end)
    for (let count = 1; count < 30; count++) {
      const typed = ` ${"A".repeat(count)}`
      const now = base.replace("middle", `middle${typed}`)
      const merged = `start\nMIDDLE by model${typed}${end}`
      assert.strictEqual(merge(base, now, theirs), merged)
      assert.strictEqual(merge(base, theirs, now), merged)
    }
  })

  it("loses no character and doubles none, in any order of two editors, a model, and lost connections", () => {
    const step = fc.record({
      what: fc.constantFrom("type", "type", "model", "save", "save", "event", "lose", "reload"),
      who: fc.nat(1),
      at: fc.nat(60),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const simulation = new Simulation()
        for (const { at, what, who } of steps) {
          const editor = simulation.editors[who] ?? assert.fail()
          if (what === "type") simulation.type(editor, at)
          else if (what === "model") simulation.model(at)
          else if (what === "event") simulation.event(editor)
          else if (what === "reload") simulation.reload(editor)
          else simulation.save(editor, what === "lose")
        }
        simulation.settle()
        const [one, other] = simulation.editors
        const { document, written } = simulation
        assert.strictEqual(one?.now, document.text)
        assert.strictEqual(other?.now, document.text)
        for (const character of written) assert.strictEqual(document.text.split(character).length, 2, document.text)
        assert.strictEqual(document.text.length, "start\nmiddle\nend\n".length + written.length)
      }),
      { numRuns: cases(2000), seed: 11 },
    )
  })
})
