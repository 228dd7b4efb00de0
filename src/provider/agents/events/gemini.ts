/**
 * `gemini --output-format stream-json`: the `JsonStreamEvent` of google-gemini/gemini-cli
 * packages/core/src/output/types.ts, emitted by packages/cli/src/nonInteractiveCli.ts.
 */
import * as AgentProgram from "../../../model/AgentProgram.ts"
import * as Decoder from "./Decoder.ts"

const { numberOf, objectOf, stringOf } = Decoder

export const make = (): Decoder.Decoder => {
  const paragraphs = Decoder.makeParagraphs()
  const tools = new Map<string, string>()
  /** The message of an `error` event whose severity is `error`. The result that follows it gives no reason. */
  let lastError: string | undefined
  let failure: Decoder.Failure | undefined

  const result = (event: Decoder.Event) => {
    if (event.status === "error") {
      failure = { message: stringOf(objectOf(event.error).message) || lastError || "it gives no reason" }
    }
    if (event.stats === undefined) return []
    const stats = objectOf(event.stats)
    const usage = {
      inputTokens: numberOf(stats.input_tokens),
      outputTokens: numberOf(stats.output_tokens),
      cachedTokens: numberOf(stats.cached),
      thinkingTokens: 0,
    }
    return [AgentProgram.Output.Usage({ usage, cost: undefined })]
  }

  return {
    step: (event) => {
      switch (event.type) {
        case "message":
          // The prompt is repeated as a message of the user.
          return event.role === "assistant" ? paragraphs.text(stringOf(event.content)) : []
        case "tool_use":
          paragraphs.next()
          tools.set(stringOf(event.tool_id), stringOf(event.tool_name))
          return [Decoder.call(stringOf(event.tool_name), event.parameters)]
        case "tool_result": {
          const tool = tools.get(stringOf(event.tool_id)) ?? "a tool"
          const why = stringOf(objectOf(event.error).message) || stringOf(event.output)
          return event.status === "error" ? [Decoder.callFailed(tool, why)] : []
        }
        case "error":
          if (event.severity === "error") lastError = stringOf(event.message)
          return [Decoder.call(`${stringOf(event.severity) || "error"}:`, { message: event.message })]
        case "result":
          return result(event)
        default:
          return []
      }
    },
    end: () => ({ outputs: [], failure }),
  }
}
