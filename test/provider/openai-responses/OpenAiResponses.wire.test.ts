import { Redacted } from "effect"
import * as OpenAiResponses from "../../../src/provider/openai-responses/OpenAiResponses.ts"
import * as Recordings from "../../utils/Recordings.ts"

for (const [provider, ok, error] of [
  ["openai-responses", 20, 3],
  ["openai-chat", 8, 1],
  ["openai-compatible", 1, 0],
] as const) {
  Recordings.decoded({
    provider,
    attempt: (url) => OpenAiResponses.attempt({ apiKey: Redacted.make("test-key"), model: "gpt-5", baseUrl: url }),
    unsettled: ({ response }, { protocol }) => {
      if (protocol !== "openai-responses") return `it speaks ${protocol}`
      return response.body.split('"type":"response.created"').length > 2 ? "it holds several responses" : undefined
    },
    atLeast: { ok, error },
  })
}
