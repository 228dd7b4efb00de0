/**
 * `claude --print --output-format stream-json --verbose --include-partial-messages`: the `SDKMessage` of
 * @anthropic-ai/claude-agent-sdk 0.3.330 (sdk.d.ts), code.claude.com/docs/en/headless.
 */
import * as AgentProgram from "../../../model/AgentProgram.ts"
import {
  InvalidRequest,
  ModelNotFound,
  Overloaded,
  QuotaExhausted,
  RateLimited,
  Unauthorized,
} from "../../../model/ModelError.ts"
import * as Decoder from "./Decoder.ts"

const { arrayOf, numberOf, objectOf, stringOf } = Decoder

export const make = (): Decoder.Decoder => {
  const paragraphs = Decoder.makeParagraphs()
  /** The id of the message that is being streamed. Each streamed message follows once more as a whole. */
  let current = ""
  const streamed = new Set<string>()
  /** The kind of the error of a message that reports one in place of an answer. */
  let kind = ""
  let failure: Decoder.Failure | undefined

  const streamEvent = (event: Decoder.Event) => {
    const message = objectOf(event.message)
    const delta = objectOf(event.delta)
    if (event.type === "message_start") {
      current = stringOf(message.id)
      paragraphs.next()
    }
    if (event.type !== "content_block_delta" || delta.type !== "text_delta") return []
    streamed.add(current)
    return paragraphs.text(stringOf(delta.text))
  }

  const assistant = (event: Decoder.Event) => {
    const message = objectOf(event.message)
    if (event.error !== undefined) {
      kind = stringOf(event.error)
      return []
    }
    const id = stringOf(message.id)
    return arrayOf(message.content)
      .map(objectOf)
      .flatMap((block) => {
        if (block.type === "tool_use") return [Decoder.call(stringOf(block.name), block.input)]
        if (block.type !== "text" || streamed.has(id)) return []
        if (id !== current) paragraphs.next()
        current = id
        return paragraphs.text(stringOf(block.text))
      })
  }

  const result = (event: Decoder.Event) => {
    const words = stringOf(event.result)
    if (event.is_error === true || (event.subtype !== undefined && event.subtype !== "success")) {
      const errors = arrayOf(event.errors).map(stringOf).filter(Boolean).join("; ")
      failure = {
        message: errors || words || stringOf(event.subtype),
        toReason: Object.hasOwn(reasons, kind) ? reasons[kind] : undefined,
      }
    }
    const usage = objectOf(event.usage)
    const cached = numberOf(usage.cache_read_input_tokens)
    const spent = AgentProgram.Output.Usage({
      usage: {
        inputTokens: numberOf(usage.input_tokens) + numberOf(usage.cache_creation_input_tokens) + cached,
        outputTokens: numberOf(usage.output_tokens),
        cachedTokens: cached,
        thinkingTokens: 0,
      },
      cost: typeof event.total_cost_usd === "number" ? event.total_cost_usd : undefined,
    })
    return [...(failure === undefined && !paragraphs.hasText() ? paragraphs.text(words) : []), spent]
  }

  return {
    step: (event) => {
      // The words of a sub-agent are not the answer.
      if (typeof event.parent_tool_use_id === "string") return []
      switch (event.type) {
        case "stream_event":
          return streamEvent(objectOf(event.event))
        case "assistant":
          return assistant(event)
        case "result":
          return result(event)
        case "system":
          return event.subtype === "api_retry" ? [Decoder.status(retryText(event))] : []
        default:
          return []
      }
    },
    end: () => ({ outputs: [], failure }),
  }
}

const retryText = ({ attempt, error, max_retries }: Decoder.Event): string =>
  `retry ${numberOf(attempt)} of ${numberOf(max_retries)}: ${stringOf(error).replaceAll("_", " ")}`

/** The reasons by the names in `SDKAssistantMessageError`. */
const reasons: Readonly<Record<string, Decoder.Failure["toReason"]>> = {
  authentication_failed: (message) => new Unauthorized({ message }),
  oauth_org_not_allowed: (message) => new Unauthorized({ message }),
  cloud_credential_error: (message) => new Unauthorized({ message }),
  billing_error: (message) => new QuotaExhausted({ message }),
  rate_limit: (message) => new RateLimited({ message }),
  overloaded: (message) => new Overloaded({ message }),
  server_error: (message) => new Overloaded({ message }),
  model_not_found: (message) => new ModelNotFound({ message }),
  invalid_request: (message) => new InvalidRequest({ message }),
}
