import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as Style from "../../../src/base/Style.ts"
import * as ModelList from "../../../src/cli/models/ModelList.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import type { ModelInfo } from "../../../src/model/ModelCatalog.ts"

const known = (provider: string, name: string, entry: ModelInfo["entry"] = {}): ModelInfo => ({
  id: new ModelId({ provider, name }),
  entry,
})

const list: ModelList.List = {
  origin: { source: "https://models.dev", date: "2026-07-02" },
  providers: [
    { name: "google", key: "missing", variable: "GOOGLE_API_KEY" },
    { name: "offline", key: "not needed", variable: undefined },
  ],
  models: [
    known("google", "gemini-x", {
      context: 1_048_576,
      output: 65_536,
      price: { input: 0.3, output: 2.5 },
      deprecation: { successor: "gemini-y", from: "2026-10-16" },
    }),
    known("my", "own\u001b[2J"),
  ],
}

describe("ModelList", () => {
  it("lists providers with their keys, and models with window, price and deprecation", () => {
    assert.deepStrictEqual(ModelList.text(list, Style.plain).split("\n"), [
      "Providers",
      "  google   GOOGLE_API_KEY is not set",
      "  offline  needs no key",
      "",
      "Models",
      "                       reads  writes  $ in  $ out",
      "  google/gemini-x  1,048,576  65,536   0.3    2.5  GOOGLE_API_KEY is not set; deprecated, may be gone from 2026-10-16 on, then gemini-y",
      "  my/own                   ?       ?     ?      ?",
      "",
      "tokens; US dollars a million tokens; by https://models.dev, 2026-07-02",
    ])
  })

  it("lists providers alone where no model is asked for that there is", () => {
    assert.notInclude(ModelList.text({ ...list, models: [] }, Style.plain), "Models")
  })

  it("shows how many models a local server has, or that none answers", () => {
    const withServer = (pulled: Option.Option<number>): ModelList.List => ({
      ...list,
      providers: [{ name: "ollama", key: "not needed", variable: undefined, pulled }],
      models: [],
    })
    for (const [pulled, text, json] of [
      [Option.some(1), "1 model pulled", 1],
      [Option.none(), "no server answers", null],
    ] as const) {
      assert.include(ModelList.text(withServer(pulled), Style.plain), `  ollama  needs no key; ${text}`)
      assert.deepInclude(ModelList.object(withServer(pulled)), {
        providers: [{ name: "ollama", key: "not needed", pulled: json }],
      })
    }
  })

  it("has null in JSON for unknown values", () => {
    assert.deepStrictEqual(ModelList.object({ ...list, models: list.models.slice(1) }), {
      source: "https://models.dev",
      date: "2026-07-02",
      providers: [
        { name: "google", key: "missing" },
        { name: "offline", key: "not needed" },
      ],
      models: [
        {
          id: "my/own\u001b[2J",
          context: null,
          output: null,
          total: null,
          price: null,
          modalities: null,
          deprecation: null,
        },
      ],
    })
  })

  it("matches every word anywhere in the id, whatever its case; without words, the providers", () => {
    const matches = (...words: ReadonlyArray<string>) =>
      list.models.filter(ModelList.matching(words, ["google"])).map(({ id }) => id.name)
    assert.deepStrictEqual(matches(), ["gemini-x"])
    assert.deepStrictEqual(matches("GEMINI", "google/"), ["gemini-x"])
    assert.deepStrictEqual(matches("gemini", "own"), [])
    assert.deepStrictEqual(matches("my/"), ["own\u001b[2J"])
  })

  it("matches the models of a provider alone where the only word is its name", () => {
    const models = [known("google", "gemini-x"), known("openrouter", "google/gemini-x")]
    const [google] = list.providers
    assert.strictEqual(ModelList.providerNamed(["Google"], list.providers), google)
    assert.isUndefined(ModelList.providerNamed(["google", "x"], list.providers))
    assert.isUndefined(ModelList.providerNamed([], list.providers))
    const matches = models.filter(ModelList.matching(["google"], [], google))
    assert.deepStrictEqual(matches, [known("google", "gemini-x")])
  })

  it("shows a provider and its models, without the others", () => {
    const [google] = list.providers
    assert.isDefined(google)
    const text = ModelList.providerText({ ...list, models: list.models.slice(0, 1) }, google, Style.plain)
    assert.deepStrictEqual(text.split("\n"), [
      "Providers",
      "  google  GOOGLE_API_KEY is not set",
      "",
      "Models",
      "                       reads  writes  $ in  $ out",
      "  google/gemini-x  1,048,576  65,536   0.3    2.5  deprecated, may be gone from 2026-10-16 on, then gemini-y",
      "",
      "tokens; US dollars a million tokens; by https://models.dev, 2026-07-02",
    ])
  })

  it("shows every fact of a model that is named, then a table of others with this in their name", () => {
    const named = known("google", "gemini-x", {
      ...list.models[0]?.entry,
      total: 1_000_000,
      price: { input: 0.3, output: 2.5, cached: 0.03 },
      modalities: { input: ["text", "image"], output: ["text"] },
    })
    const models = [named, known("google", "gemini-x-lite")]
    for (const word of ["gemini-x", "GOOGLE/gemini-x"]) {
      assert.deepStrictEqual(ModelList.foundText({ ...list, models }, [word], Style.plain).split("\n"), [
        "google/gemini-x",
        "  context         1,048,576",
        "  longest answer  65,536",
        "  both together   1,000,000",
        "  $ in            0.3",
        "  $ in, cached    0.03",
        "  $ out           2.5",
        "  input           text, image",
        "  output          text",
        "  key             GOOGLE_API_KEY is not set",
        "  note            deprecated, may be gone from 2026-10-16 on, then gemini-y",
        "",
        "Others with this in their name",
        "                        reads  writes  $ in  $ out",
        "  google/gemini-x-lite      ?       ?     ?      ?  GOOGLE_API_KEY is not set",
        "",
        "tokens; US dollars a million tokens; by https://models.dev, 2026-07-02",
      ])
    }
  })

  it("shows the facts of the only model that is found, and a table of several, without the providers", () => {
    const own = ModelList.foundText({ ...list, models: list.models.slice(1) }, ["ow"], Style.plain)
    assert.deepStrictEqual(own.split("\n").slice(0, 3), ["my/own", "  context         ?", "  longest answer  ?"])
    const several = ModelList.foundText(list, ["m"], Style.plain).split("\n")
    assert.deepStrictEqual(several.slice(0, 2), ["Models", "                       reads  writes  $ in  $ out"])
  })

  it("suggests the nearest provider, name or part of a name for a word that nothing has", () => {
    const ids = [known("anthropic", "claude-sonnet-5"), known("google", "gemini-x")].map(({ id }) => id)
    const nearest = (...words: ReadonlyArray<string>) => ModelList.nearest(words, ["google", "anthropic"], ids)
    assert.strictEqual(nearest("gogle"), "google")
    assert.strictEqual(nearest("sonet"), "sonnet")
    assert.strictEqual(nearest("claude-sonet-5"), "claude-sonnet-5")
    assert.strictEqual(nearest("claude", "sonet"), "claude sonnet")
    assert.isUndefined(nearest("zzz"))
    assert.isUndefined(nearest("claude", "zzz"))
    assert.isUndefined(nearest("claude", "gemini"), "each is known, and no model has both")
  })
})
