/** Recorded traffic, read through the stock layers of `@effect/ai`. */
import { Duration, Effect, Stream } from "effect"
import { RetryPolicy } from "../../../src/model/Retry.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as EffectAi from "../../utils/EffectAi.ts"
import * as Recordings from "../../utils/Recordings.ts"
import type * as Wire from "../../utils/Wire.ts"

/** Every name in the recording, including those of its tools: calls of tools that are not offered fail. */
const toolsOf = ({ response }: Wire.Exchange) => {
  const names = Array.from(response.body.matchAll(/"name":\s*"([\w-]+)"/g), ([, name = ""]) => name)
  return Array.from(new Set(names), (name) =>
    Tool.fromJsonSchema({ name, description: "", parameters: { type: "object" }, run: () => Effect.succeed("") }),
  )
}

const attempt =
  (open: typeof EffectAi.anthropic): Recordings.Recordings["attempt"] =>
  (url, exchange) =>
  (request, say) =>
    Stream.runForEach(open(url).stream({ ...request, tools: toolsOf(exchange) }), (part) => say([part])).pipe(
      Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero }),
    )

/** The layers of `@effect/ai` accept streams only. */
const unsettled =
  (spoken: string): Recordings.Recordings["unsettled"] =>
  ({ response }, { protocol }) => {
    if (protocol !== spoken) return `it speaks ${protocol}`
    if (response.body.split('"type":"response.created"').length > 2) return "it holds several answers"
    return response.status === 200 && /^\s*\{/.test(response.body) ? "it was recorded without a stream" : undefined
  }

export const recordings = (): void => {
  Recordings.decoded({
    provider: "anthropic",
    attempt: attempt(EffectAi.anthropic),
    isReadElsewhere: true,
    unsettled: unsettled("anthropic"),
    wrong: {
      "ruby_llm/chat_web_search_with_anthropic_claude-haiku-4-5_streams_search_turns_and_reconstructs_them.json[0]":
        "a search of Anthropic's own has to be in the toolkit of @effect/ai",
      "vercel-ai/spliced-message-start.chunks.json[0]": "the layer refuses a message_start without its usage",
    },
    atLeast: { ok: 25, error: 0 },
  })

  Recordings.decoded({
    provider: "openai-responses",
    attempt: attempt(EffectAi.openAi),
    isReadElsewhere: true,
    unsettled: unsettled("openai-responses"),
    atLeast: { ok: 5, error: 1 },
  })
}
