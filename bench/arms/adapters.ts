/**
 * The same through vibe: an answer of `LanguageModel.generate`, with an observer that puts a
 * string together, as the loop does.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Name } from "../Wires.ts"
import type { Arm, Conversation } from "./bareSdk.ts"

const apiKey = Redacted.make("none")

const models: Readonly<Record<Name, (url: string) => Promise<LanguageModel.Service>>> = {
  Gemini: async (baseUrl) => {
    const Gemini = await import("../../src/provider/gemini/Gemini.ts")
    return Gemini.make({ apiKey, model: "gemini-2.5-flash", baseUrl })
  },
  Anthropic: async (baseUrl) => {
    const Anthropic = await import("../../src/provider/anthropic/Anthropic.ts")
    return Anthropic.make({ apiKey, model: "claude-bench", baseUrl })
  },
  "OpenAI chat": async (url) => {
    const { make, servers } = await import("../../src/provider/openai-chat/OpenAiCompatible.ts")
    return make({ server: servers.openai, apiKey, model: "gpt-4o-mini", baseUrl: `${url}/v1` })
  },
  "OpenAI Responses": async (url) => {
    const OpenAiResponses = await import("../../src/provider/openai-responses/OpenAiResponses.ts")
    return OpenAiResponses.make({ apiKey, model: "gpt-4o-mini", baseUrl: `${url}/v1` })
  },
  Ollama: async (host) => {
    const Ollama = await import("../../src/provider/ollama/Ollama.ts")
    return Ollama.make({ host, model: "qwen3:8b" })
  },
}

const requestOf = ({ messages, system }: Conversation) => ({
  system,
  messages: messages.map(
    ({ role, text }): Message.Message =>
      role === "user" ? Message.user(text) : { role: "assistant", content: [Block.text(text)] },
  ),
  tools: [],
})

export const open =
  (name: Name): Arm =>
  async (url, conversation) => {
    const model = await models[name](url)
    const request = requestOf(conversation)
    return async () => {
      let text = ""
      const observer: LanguageModel.Observer = {
        part: (part) =>
          Effect.sync(() => {
            if (part._tag === "Text") text += part.text
          }),
      }
      await Effect.runPromise(model.generate(request, observer))
      return text
    }
  }
