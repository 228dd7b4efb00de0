/**
 * `pi --mode json`: the `JsonAgentSessionEvent` of earendil-works/pi packages/coding-agent/docs/json.md, with the
 * messages of packages/ai/src/types.ts. The program exits with code 0 even if its last message is an error.
 */
import * as AgentProgram from "../../../model/AgentProgram.ts"
import * as Decoder from "./Decoder.ts"

const { arrayOf, numberOf, objectOf, stringOf } = Decoder

export const make = (): Decoder.Decoder => {
  const paragraphs = Decoder.makeParagraphs()
  let isStreamed = false
  let failure: Decoder.Failure | undefined

  const messageEnd = (message: Decoder.Event) => {
    if (message.role !== "assistant") return []
    const isError = message.stopReason === "error" || message.stopReason === "aborted"
    failure = isError
      ? { message: stringOf(message.errorMessage) || `the request was ${stringOf(message.stopReason)}` }
      : undefined
    const whole = arrayOf(message.content)
      .map(objectOf)
      .filter(({ type }) => type === "text")
      .map(({ text }) => stringOf(text))
    const usage = objectOf(message.usage)
    const cached = numberOf(usage.cacheRead)
    const { total } = objectOf(usage.cost)
    return [
      ...(isStreamed || isError ? [] : paragraphs.text(whole.join("\n\n"))),
      AgentProgram.Output.Usage({
        usage: {
          inputTokens: numberOf(usage.input) + cached + numberOf(usage.cacheWrite),
          outputTokens: numberOf(usage.output),
          cachedTokens: cached,
          thinkingTokens: 0,
        },
        cost: typeof total === "number" ? total : undefined,
      }),
    ]
  }

  return {
    step: (event) => {
      switch (event.type) {
        case "message_start":
          if (objectOf(event.message).role === "assistant") {
            paragraphs.next()
            isStreamed = false
          }
          return []
        case "message_update": {
          const update = objectOf(event.assistantMessageEvent)
          if (update.type === "text_start") paragraphs.next()
          if (update.type !== "text_delta") return []
          isStreamed = true
          return paragraphs.text(stringOf(update.delta))
        }
        case "message_end":
          return messageEnd(objectOf(event.message))
        case "tool_execution_start":
          return [Decoder.call(stringOf(event.toolName), event.args)]
        case "tool_execution_end":
          return event.isError === true ? [Decoder.callFailed(stringOf(event.toolName), "see its answer")] : []
        case "auto_retry_start":
          return [
            Decoder.call(`retry ${numberOf(event.attempt)} of ${numberOf(event.maxAttempts)}:`, {
              message: event.errorMessage,
            }),
          ]
        default:
          return []
      }
    },
    end: () => ({ outputs: [], failure }),
  }
}
