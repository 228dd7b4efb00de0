/** What is known of models beforehand. So far: which are on their way out, and what takes their place. */
import { ModelId } from "../message/ModelId.ts"

/** ai.google.dev/gemini-api/docs/deprecations; the 2.5 models may be shut down from 2026-10-16 on. */
const successors: Readonly<Record<string, string>> = {
  "google/gemini-2.5-flash": "gemini-flash-latest",
  "google/gemini-2.5-flash-lite": "gemini-flash-lite-latest",
  "google/gemini-2.5-pro": "gemini-pro-latest",
}

/** The model to use once this one is not found any more; only a deprecated model has one. */
export const successor = (id: ModelId): ModelId | undefined => {
  const name = successors[String(id)]
  return name === undefined ? undefined : new ModelId({ provider: id.provider, name })
}
