/** Gemini under the contract of all adapters: the answers of Google's API, and the requests. */
import { Redacted } from "effect"
import { Part } from "../../src/model/Reply.ts"
import * as Gemini from "../../src/provider/gemini/Gemini.ts"
import type { Adapter, Refusal, SentTurn } from "../model/LanguageModel.adapter.ts"
import { key } from "./Asking.ts"
import * as FakeServer from "./FakeServer.ts"
import { google, refusing } from "./Gemini.ts"
import * as GeminiRules from "./GeminiRules.ts"

const finishes = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
  interrupted: "NEW_REASON",
  error: "NEW_REASON",
}

/** A chunk of the stream, or what a whole answer is made of. */
const chunk = Part.$match({
  Text: ({ text }): object => content([{ text }]),
  Thinking: ({ text }) => content([{ text, thought: true }]),
  Image: ({ data, media_type }) => content([{ inlineData: { mimeType: media_type, data } }]),
  ToolUse: ({ name, parameters }) => content([{ functionCall: { name, args: parameters } }]),
  Finish: ({ reason, usage }) => ({
    candidates: [{ finishReason: finishes[reason] }],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens - usage.thinkingTokens,
      thoughtsTokenCount: usage.thinkingTokens,
      cachedContentTokenCount: usage.cachedTokens,
    },
  }),
})

const content = (parts: ReadonlyArray<object>) => ({ candidates: [{ content: { role: "model", parts } }] })

const refusals: Record<Refusal, (message: string) => FakeServer.Answer> = {
  key: (message) => refusing(400, google(400, message, [{ reason: "API_KEY_INVALID" }])),
  model: (message) => refusing(404, google(404, message)),
  quota: (message) => refusing(429, google(429, message, [{ violations: [{ quotaId: "RequestsPerDay" }] }])),
  rate: (message) => refusing(429, google(429, message, [{ retryDelay: "5s" }])),
  overload: (message) => refusing(503, google(503, message)),
  invalid: (message) => refusing(400, google(400, message)),
  overflow: (message) =>
    refusing(
      400,
      google(400, `The input token count (9) exceeds the maximum number of tokens allowed (8). ${message}`),
    ),
}

/** A request, as far as it is looked at. */
interface Body {
  readonly generationConfig?: { readonly responseMimeType?: string; readonly responseJsonSchema?: unknown }
  readonly systemInstruction?: { readonly parts: ReadonlyArray<{ readonly text: string }> }
}

const turn = ({ parts, role }: GeminiRules.Content): SentTurn => ({
  role: role === "model" ? "assistant" : "user",
  texts: parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
  images: parts.flatMap(({ inlineData }) => (inlineData === undefined ? [] : [inlineData.data])),
  calls: parts.flatMap(({ functionCall }) =>
    functionCall === undefined ? [] : [{ name: functionCall.name, arguments: functionCall.args }],
  ),
  results: parts.flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
  ),
})

export const gemini: Adapter = {
  name: "google",
  models: ["gemini-2.5-flash", "gemini-3-pro-preview"],
  open: (model, url) => Gemini.make({ apiKey: Redacted.make(key), model, baseUrl: url }),
  wire: {
    streamed: (parts) => ({ body: FakeServer.events(...parts.map(chunk)) }),
    // Some back ends send the chunks of a stream as the items of an array.
    whole: (parts) => ({
      body: JSON.stringify(parts.map(chunk), null, 2),
      headers: { "content-type": "application/json" },
    }),
    breakdown: (message) => `data: ${google(503, message)}\n\n`,
    refusal: (why, message) => refusals[why](message),
    sent: (request) => {
      // What the adapter has just sent, in the wire shape of Google's API.
      const { generationConfig, systemInstruction } = request.body as Body
      return {
        system: systemInstruction?.parts.map(({ text }) => text).join("") ?? "",
        tools: GeminiRules.declarationsOf(request).map(({ name, parametersJsonSchema }) => ({
          name,
          schema: parametersJsonSchema,
        })),
        turns: GeminiRules.contentsOf(request).map(turn),
        schema: generationConfig?.responseJsonSchema,
      }
    },
    broken: (request) =>
      GeminiRules.declarationsOf(request)
        .map(GeminiRules.refusesTool)
        .find((rule) => rule !== undefined) ?? GeminiRules.broken(request.path, GeminiRules.contentsOf(request)),
    lacks: [],
  },
}
