import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck as fc } from "effect"
import { cutNames, firstSentence, splitSentences, timeOf } from "../../src/base/Prose.ts"

describe("Sentences", () => {
  it.each([
    ["Reads a file. Closes it.", ["Reads a file.", "Closes it."]],
    ["Reads files, e.g. settings. `Closes` them!", ["Reads files, e.g. settings.", "`Closes` them!"]],
    ['It says "done." Then it ends.', ['It says "done."', "Then it ends."]],
    ["Takes v1.2 of a file", ["Takes v1.2 of a file"]],
    ["", [""]],
  ])("splits %j", (prose, sentences) => {
    assert.deepStrictEqual(splitSentences(prose), sentences)
    assert.strictEqual(firstSentence(prose), sentences[0])
  })

  it.prop(
    "loses nothing but the spaces between sentences",
    [fc.string({ unit: fc.constantFrom(...'aA. !?)`"') })],
    ([prose]) => {
      assert.strictEqual(splitSentences(prose).join(" "), prose)
    },
  )
})

describe("timeOf", () => {
  it("is that of a zone, with its offset in summer and in winter", () => {
    const offsetIn = (zone: string, at: number) =>
      DateTime.zonedOffset(DateTime.unsafeMakeZoned(at, { timeZone: zone })) / 60_000
    for (const [zone, utc, text] of [
      ["Europe/Berlin", "2026-11-23T01:50:00.999Z", "2026-11-23 02:50:00+01:00"],
      ["Europe/Berlin", "2026-07-01T22:30:00Z", "2026-07-02 00:30:00+02:00"],
      ["America/St_Johns", "2026-01-01T01:00:00Z", "2025-12-31 21:30:00-03:30"],
      ["UTC", "2026-01-01T00:00:00Z", "2026-01-01 00:00:00Z"],
    ] as const) {
      const at = Date.parse(utc)
      assert.strictEqual(timeOf(at, offsetIn(zone, at)), text)
    }
  })

  it("shows the number of what is no time", () => {
    assert.strictEqual(timeOf(1e20, 0), "100000000000000000000")
  })
})

describe("cutNames", () => {
  const long = "name".repeat(2_500)

  it.each([
    ["a word", `no symbol ${long} in the index`],
    ["a quoted name", `no symbol '${long}' in the index; near it: a`],
    ["a quoted text of many words", `nothing matches '${"some words ".repeat(1_000)}' here`],
    ["a path", `${"folder/".repeat(1_000)}a.ts is no file`],
    ["several names", `${long} and ${long}`],
  ])("cuts %s, and nothing around it", (_, message) => {
    const cut = cutNames(message)
    assert.isBelow(cut.length, 700)
    assert.isTrue(cut.startsWith(message.slice(0, 50)))
    assert.isTrue(cut.endsWith(message.slice(-50)))
    assert.include(cut, "…")
  })

  it.each([
    ["a short message", "no symbol 'a' in the index"],
    ["a long sentence", "nothing is long here. ".repeat(100)],
    ["apostrophes, which are no quotes", `it isn't here. ${"Many words. ".repeat(100)} That's all.`],
    ["a link", `open https://example.org/?state=${long} to log in`],
  ])("leaves %s", (_, message) => {
    assert.strictEqual(cutNames(message), message)
  })

  it.prop("leaves each message of short words as it is", [fc.string({ maxLength: 2_000 })], ([text]) => {
    const message = text.replaceAll("'", "").replaceAll(/\S{400,}/gu, "")
    assert.strictEqual(cutNames(message), message)
  })
})
