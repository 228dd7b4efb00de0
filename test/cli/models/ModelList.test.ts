import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as ModelList from "../../../src/cli/models/ModelList.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import * as Style from "../../../src/message/Style.ts"
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
})
