import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Vocabulary from "../../../src/indexing/IndexStore/internal/Vocabulary.ts"
import { runsOf, terms } from "../../../src/indexing/Search.ts"

const text = FastCheck.array(FastCheck.constantFrom("read", "readFile", "files", "HTTPServer", "the", "Äpfel"), {
  maxLength: 8,
}).map((words) => words.join(" "))

describe("Vocabulary", () => {
  it.prop("tells the terms of a text, whatever was seen before", [text, text], ([before, text]) => {
    const vocabulary = Vocabulary.make()
    for (const run of runsOf(before)) vocabulary.of(run)
    assert.deepStrictEqual(runsOf(text).flatMap(vocabulary.of).map(vocabulary.term), terms(text))
  })

  it("is full some time, and not before there was much to know", () => {
    const vocabulary = Vocabulary.make()
    vocabulary.of("apple")
    assert.isFalse(vocabulary.isFull())
    for (let n = 0; n < 50_000; n++) vocabulary.of(`apple${n}`)
    assert.isTrue(vocabulary.isFull())
  })
})
