import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import * as ModelTable from "../../src/model/ModelTable.ts"

const origin = { source: "https://models.dev", date: "2026-07-02" }

const catalogue = {
  google: {
    id: "google",
    models: {
      "gemini-x": {
        limit: { context: 1000, output: 100 },
        cost: { input: 0.3, output: 2.5, cache_read: 0.03, input_audio: 1 },
        modalities: { input: ["text", "image"], output: ["text"] },
        status: "deprecated",
      },
      "gemini-pictures": { limit: { context: 0, output: 0 } },
      broken: { limit: { context: "many" } },
    },
  },
  reseller: { models: { "google/gemini-x": { limit: { context: 500, output: 50 }, cost: { input: 0, output: 0 } } } },
}

const table = Either.getOrThrow(ModelTable.fromModelsDev(catalogue, origin))

const id = FastCheck.string({ minLength: 1, maxLength: 12 })
const lines = FastCheck.uniqueArray(
  FastCheck.record({ id, context: FastCheck.integer({ min: 1 }) }, { requiredKeys: ["id"] }),
  { selector: ({ id }) => id },
)

describe("ModelTable", () => {
  it("converts the table of models.dev, and leaves out malformed models", () => {
    assert.deepStrictEqual(ModelTable.all(table), [
      {
        id: "google/gemini-x",
        context: 1000,
        output: 100,
        price: { input: 0.3, output: 2.5, cached: 0.03 },
        modalities: { input: ["text", "image"], output: ["text"] },
        deprecation: {},
      },
      { id: "google/gemini-pictures" },
      { id: "reseller/google/gemini-x", context: 500, output: 50, price: { input: 0, output: 0 } },
    ])
    assert.deepStrictEqual(ModelTable.origin(table), Option.some(origin))
  })

  it.each([
    ["nothing", null],
    ["an array", []],
    ["an error of a proxy", { error: "no" }],
    ["no model", { google: { models: {} } }],
  ])("rejects %s as a catalogue", (_, catalogue) => {
    assert.isTrue(Either.isLeft(ModelTable.fromModelsDev(catalogue, origin)))
  })

  it("finds the model with exactly this name", () => {
    const found = ModelTable.find(table, "reseller/google/gemini-x")
    assert.deepStrictEqual(found, Option.some({ context: 500, output: 50, price: { input: 0, output: 0 } }))
    assert.deepStrictEqual(ModelTable.find(table, "google/gemini"), Option.none())
    assert.deepStrictEqual(ModelTable.find(table, "gemini-x"), Option.none())
  })

  it.prop("finds every model that it lists, whatever its name", [lines], ([lines]) => {
    const table = ModelTable.make(origin, lines)
    assert.deepStrictEqual(ModelTable.all(table), lines)
    for (const { id, ...entry } of lines) {
      assert.deepStrictEqual(ModelTable.find(table, id), Option.some(entry))
    }
  })

  it.prop("accepts any text, and returns no origin for what is not a table", [FastCheck.string()], ([text]) => {
    assert.deepStrictEqual(ModelTable.all(text), [])
    assert.deepStrictEqual(ModelTable.find(text, "google/x"), Option.none())
    assert.deepStrictEqual(ModelTable.origin(text), Option.none())
  })

  it("reads the lines after a damaged one", () => {
    const damaged = table.replace('"context":1000', '"context":')
    assert.lengthOf(ModelTable.all(damaged), 2)
    assert.deepStrictEqual(ModelTable.find(damaged, "google/gemini-x"), Option.none())
  })
})
