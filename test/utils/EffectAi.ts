/** The stock models of `@effect/ai` pointed at a server of the test's own, as ours. */
import { AnthropicClient, AnthropicLanguageModel } from "@effect/ai-anthropic"
import { OpenAiClient, OpenAiLanguageModel } from "@effect/ai-openai"
import { FetchHttpClient } from "@effect/platform"
import { Context, Effect, Layer, Redacted } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import * as EffectAi from "../../src/provider/effect-ai/EffectAi.ts"
import { key } from "./Asking.ts"

const apiKey = Redacted.make(key)

/** The model of a layer: these are built at once, and hold nothing that would have to be let go. */
const service = (layer: Layer.Layer<LanguageModel.LanguageModel>): LanguageModel.Service =>
  Context.get(Effect.runSync(Effect.scoped(Layer.build(layer))), LanguageModel.LanguageModel)

export const anthropic = (url: string, model = "claude-sonnet-4-5") =>
  EffectAi.layer(new ModelId({ provider: "mine", name: model })).pipe(
    Layer.provide(AnthropicLanguageModel.layer({ model, config: { max_tokens: 1000 } })),
    Layer.provide(AnthropicClient.layer({ apiKey, apiUrl: url })),
    Layer.provide(FetchHttpClient.layer),
    service,
  )

export const openAi = (url: string, model = "gpt-5-mini") =>
  EffectAi.layer(new ModelId({ provider: "mine", name: model })).pipe(
    Layer.provide(OpenAiLanguageModel.layer({ model, config: { strict: false } })),
    Layer.provide(OpenAiClient.layer({ apiKey, apiUrl: `${url}/v1` })),
    Layer.provide(FetchHttpClient.layer),
    service,
  )
