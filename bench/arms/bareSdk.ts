/** What one would write with the SDK of each provider and nothing else: an answer, streamed into a string. */
import type { Name } from "../Wires.ts"

/** What is sent each time: it does not grow. */
export interface Conversation {
  readonly system: string
  readonly messages: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly text: string }>
}

/** Opens the SDK once; each call is a turn. */
export type Arm = (url: string, said: Conversation) => Promise<() => Promise<string>>

export const arms: Readonly<Record<Name, Arm>> = {
  Gemini: async (baseUrl, { messages, system }) => {
    const { GoogleGenAI } = await import("@google/genai")
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl } })
    const contents = messages.map(({ role, text }) => ({
      role: role === "user" ? "user" : "model",
      parts: [{ text }],
    }))
    return async () => {
      const config = { systemInstruction: system }
      let text = ""
      const chunks = await client.models.generateContentStream({ model: "gemini-2.5-flash", contents, config })
      for await (const chunk of chunks) text += chunk.text ?? ""
      return text
    }
  },

  Anthropic: async (baseURL, { messages, system }) => {
    const { Anthropic } = await import("@anthropic-ai/sdk")
    const client = new Anthropic({ apiKey: "none", baseURL })
    const told = messages.map(({ role, text }) => ({ role, content: text }))
    return async () => {
      const body = { model: "claude-bench", max_tokens: 8192, system, messages: told, stream: true } as const
      let text = ""
      for await (const event of await client.messages.create(body)) {
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text
      }
      return text
    }
  },

  "OpenAI chat": async (url, { messages, system }) => {
    const { OpenAI } = await import("openai")
    const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1` })
    const told = messages.map(({ role, text }) => ({ role, content: text }))
    return async () => {
      let text = ""
      const chunks = await client.chat.completions.create({
        model: "gpt-4o-mini",
        messages: [{ role: "system", content: system }, ...told],
        stream: true,
        stream_options: { include_usage: true },
      })
      for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? ""
      return text
    }
  },

  "OpenAI Responses": async (url, { messages, system }) => {
    const { OpenAI } = await import("openai")
    const client = new OpenAI({ apiKey: "none", baseURL: `${url}/v1` })
    const input = messages.map(({ role, text }) => ({ role, content: text }))
    return async () => {
      let text = ""
      const events = await client.responses.create({ model: "gpt-4o-mini", instructions: system, input, stream: true })
      for await (const event of events) if (event.type === "response.output_text.delta") text += event.delta
      return text
    }
  },

  Ollama: async (host, { messages, system }) => {
    const { Ollama } = await import("ollama")
    const client = new Ollama({ host })
    const told = messages.map(({ role, text }) => ({ role, content: text }))
    return async () => {
      let text = ""
      const chunks = await client.chat({
        model: "qwen3:8b",
        messages: [{ role: "system", content: system }, ...told],
        stream: true,
      })
      for await (const chunk of chunks) text += chunk.message.content
      return text
    }
  },
}
