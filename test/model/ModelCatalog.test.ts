import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Option, Ref } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import * as ModelCatalog from "../../src/model/ModelCatalog.ts"
import * as ModelEntry from "../../src/model/ModelEntry.ts"
import * as ModelTable from "../../src/model/ModelTable.ts"

const flash = new ModelId({ provider: "google", name: "gemini-2.5-flash" })
const stranger = new ModelId({ provider: "google", name: "never-heard-of" })

const newer = { source: "https://models.dev", date: "2099-01-01" }
const older = { source: "https://models.dev", date: "2001-01-01" }

const table = (origin: ModelTable.Origin, context: number) =>
  ModelTable.make(origin, [
    { id: "google/gemini-2.5-flash", context },
    { id: "google/never-heard-of", context: 7 },
  ])

/** A catalogue with the user's `entries`, and a stored table in place of a file. */
const catalog = ({
  entries = {},
  kept,
  fetch = Effect.die("not asked"),
}: {
  readonly entries?: Readonly<Record<string, ModelEntry.ModelEntry>>
  readonly kept?: ModelTable.ModelTable
  readonly fetch?: ModelCatalog.CatalogSource["fetch"]
}) =>
  Effect.gen(function* () {
    const file = yield* Ref.make(Option.fromNullable(kept))
    const service = yield* ModelCatalog.make({
      entries: new Map(Object.entries(entries)),
      supply: { stored: Ref.get(file), store: (table) => Ref.set(file, Option.some(table)), fetch },
    })
    return { ...service, file }
  })

describe("ModelCatalog.find", () => {
  it.effect("returns limits, price, modalities and successor of the default model", () =>
    Effect.gen(function* () {
      const { find } = yield* catalog({})
      assert.deepStrictEqual(yield* find(flash), {
        context: 1_048_576,
        output: 65_536,
        price: { input: 0.3, output: 2.5, cached: 0.03 },
        modalities: { input: ["text", "image", "audio", "video", "pdf"], output: ["text"] },
        deprecation: {
          successor: "gemini-flash-latest",
          from: "2026-10-16",
          source: "https://ai.google.dev/gemini-api/docs/deprecations",
        },
      })
    }),
  )

  it.effect("finds a model of OpenAI on both of its wires, with the user's entries for either", () =>
    Effect.gen(function* () {
      const { find } = yield* catalog({
        entries: { "openai/gpt-4": { output: 10 }, "openai-responses/gpt-4": { total: 20 } },
      })
      const { context, output, total } = yield* find(new ModelId({ provider: "openai-responses", name: "gpt-4" }))
      assert.deepStrictEqual([context, output, total], [8192, 10, 20])
    }),
  )

  it.effect("prefers the user's entries, field by field", () =>
    Effect.gen(function* () {
      const { find, limits } = yield* catalog({ entries: { "google/gemini-2.5-flash": { output: 10, total: 20 } } })
      const { context, output, price } = yield* find(flash)
      assert.deepStrictEqual({ context, output, price: price?.input }, { context: 1_048_576, output: 10, price: 0.3 })
      assert.deepStrictEqual(yield* limits(flash), { context: 1_048_576, output: 10, total: 20 })
    }),
  )

  it.effect("returns small limits for an unknown model", () =>
    Effect.gen(function* () {
      const { find, limits } = yield* catalog({})
      assert.deepStrictEqual(yield* find(stranger), {})
      const assumed = { context: 8192, output: 8192, total: undefined, isAssumed: true }
      assert.deepStrictEqual(yield* limits(stranger), assumed)
    }),
  )

  it.effect("prefers the newer of the stored and the shipped table, and uses the other for missing fields", () =>
    Effect.gen(function* () {
      const fresh = yield* catalog({ kept: table(newer, 5) })
      assert.strictEqual((yield* fresh.find(flash)).context, 5)
      assert.strictEqual((yield* fresh.find(flash)).output, 65_536)
      assert.deepStrictEqual(yield* fresh.origin, newer)
      const stale = yield* catalog({ kept: table(older, 5) })
      assert.strictEqual((yield* stale.find(flash)).context, 1_048_576)
      assert.strictEqual((yield* stale.find(stranger)).context, 7)
    }),
  )

  it.effect("uses its own entries for what the tables lack, until a table has it", () =>
    Effect.gen(function* () {
      const latest = new ModelId({ provider: "google", name: "gemini-pro-latest" })
      assert.strictEqual((yield* (yield* catalog({})).find(latest)).context, 1_048_576)
      const kept = ModelTable.make(newer, [{ id: "google/gemini-pro-latest", context: 5 }])
      assert.strictEqual((yield* (yield* catalog({ kept })).find(latest)).context, 5)
    }),
  )

  it.effect("ignores an invalid stored table", () =>
    Effect.gen(function* () {
      for (const kept of ["", "<html>", '{"source":"x","date":"tomorrow"}\n']) {
        assert.strictEqual((yield* (yield* catalog({ kept })).find(flash)).context, 1_048_576)
      }
    }),
  )
})

describe("ModelCatalog.all", () => {
  it.effect("lists every model once, sorted, with the entry that find returns", () =>
    Effect.gen(function* () {
      const service = yield* catalog({ entries: { "my/own": { context: 1 }, alone: {} }, kept: table(newer, 5) })
      const all = yield* service.all
      const ids = all.map(({ id }) => String(id))
      assert.deepStrictEqual(ids, Array.from(new Set(ids)).sort())
      for (const id of ["my/own", "alone", "google/never-heard-of", "google/gemini-2.5-flash"]) assert.include(ids, id)
      for (const { entry, id } of all) assert.deepStrictEqual(entry, yield* service.find(id), String(id))
    }),
  )
})

describe("ModelCatalog.refresh", () => {
  const fetched = (catalogue: unknown): ModelCatalog.CatalogSource["fetch"] =>
    Effect.succeed({ catalogue, origin: newer })

  it.effect("stores the fetched table, and uses it at once", () =>
    Effect.gen(function* () {
      const catalogue = { google: { models: { "gemini-2.5-flash": { limit: { context: 5, output: 3 } } } } }
      const { file, limits, refresh } = yield* catalog({ fetch: fetched(catalogue) })
      assert.strictEqual((yield* limits(flash)).context, 1_048_576)
      assert.deepStrictEqual(yield* refresh, newer)
      assert.deepStrictEqual(yield* limits(flash), { context: 5, output: 3, total: undefined })
      assert.isTrue(Option.isSome(yield* Ref.get(file)))
    }),
  )

  it.effect("keeps the old table where the new one is invalid, or cannot be fetched", () =>
    Effect.gen(function* () {
      const failures: ReadonlyArray<ModelCatalog.CatalogSource["fetch"]> = [
        fetched({ error: "busy" }),
        Effect.fail(ModelCatalog.unreachable("models.dev", "cannot be reached")),
      ]
      for (const fetch of failures) {
        const kept = table(newer, 5)
        const { file, find, refresh } = yield* catalog({ kept, fetch })
        assert.include(String(yield* Effect.flip(refresh)), "models.dev")
        assert.deepStrictEqual(yield* Ref.get(file), Option.some(kept))
        assert.strictEqual((yield* find(flash)).context, 5)
      }
    }),
  )
})

const tokens = FastCheck.integer({ min: 1 })
const entry = FastCheck.record({ context: tokens, output: tokens, total: tokens }, { requiredKeys: [] })

describe("ModelEntry.over", () => {
  it.prop("prefers the first entry that has a field", [entry, entry, entry], ([a, b, c]) => {
    const merged = ModelEntry.over(a, b, c)
    for (const part of ["context", "output", "total"] as const) {
      assert.strictEqual(merged[part], a[part] ?? b[part] ?? c[part])
    }
    assert.deepStrictEqual(ModelEntry.over(ModelEntry.over(a, b), c), ModelEntry.over(a, ModelEntry.over(b, c)))
    assert.deepStrictEqual(ModelEntry.over(a, {}), a)
  })
})
