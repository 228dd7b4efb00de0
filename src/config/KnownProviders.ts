/** The providers that exist without any setting, and the model of each that is used if none is chosen. */
import { ModelId } from "../message/ModelId.ts"
import { servers } from "../model/CompatibleServers.ts"

/** The names of the providers, as in the ids of their models. */
export const names: ReadonlyArray<string> = [
  "google",
  "anthropic",
  ...Object.keys(servers),
  "openai-responses",
  "ollama",
  "offline",
  "scripted",
  "cli",
]

/**
 * The default model of each provider that has one, in the order in which their keys are looked for. It is neither the
 * provider's most expensive nor its smallest model (models.dev, 2026-07-02). OpenRouter chooses by itself.
 */
export const defaultModels: readonly [ModelId, ...ReadonlyArray<ModelId>] = [
  new ModelId({ provider: "google", name: "gemini-2.5-flash" }),
  new ModelId({ provider: "anthropic", name: "claude-sonnet-5" }),
  new ModelId({ provider: "openai", name: "gpt-5.4-mini" }),
  new ModelId({ provider: "openrouter", name: "openrouter/auto" }),
]

/** Returns the default model of a provider. */
export const findDefaultModel = (provider: string): ModelId | undefined =>
  defaultModels.find((id) => id.provider === provider)

/** The model that answers without a key and without a network. */
export const offline = new ModelId({ provider: "offline", name: "offline" })

/** Describes the default model, as `cli/conversation/ChosenModel` chooses it. */
export const defaultRule: string = `the first of ${defaultModels
  .map(({ provider }) => provider)
  .join(", ")} with a key, else ollama, else ${offline}`
