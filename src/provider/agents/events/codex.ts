/**
 * `codex exec --json`: the `ThreadEvent` of openai/codex codex-rs/exec/src/exec_events.rs. A message is one event,
 * without deltas, and the last message of the turn is the answer: those before it say what the agent is about to do.
 */
import * as AgentProgram from "../../../model/AgentProgram.ts"
import * as Decoder from "./Decoder.ts"

const { arrayOf, numberOf, objectOf, stringOf } = Decoder

export const make = (): Decoder.Decoder => {
  let answer: string | undefined
  /** The message of an `error` event, after which the agent may go on. */
  let lastError: string | undefined
  let hasEnded = false
  let failure: Decoder.Failure | undefined

  const completed = (item: Decoder.Event) => {
    switch (item.type) {
      case "agent_message": {
        const before = answer
        answer = stringOf(item.text)
        return before === undefined ? [] : [Decoder.status(before)]
      }
      case "command_execution": {
        const code = item.exit_code
        return item.status === "failed" && typeof code === "number"
          ? [Decoder.callFailed(stringOf(item.command), `exit code ${code}`)]
          : []
      }
      case "file_change": {
        const paths = arrayOf(item.changes).map((change) => stringOf(objectOf(change).path))
        return [Decoder.call("changes", { paths: paths.join(", ") })]
      }
      case "mcp_tool_call": {
        const { message } = objectOf(item.error)
        return message === undefined ? [] : [Decoder.callFailed(stringOf(item.tool), stringOf(message))]
      }
      case "web_search":
        return [Decoder.call("searches the web:", { query: item.query })]
      case "error":
        return [Decoder.call("error:", { message: item.message })]
      default:
        return []
    }
  }

  const started = (item: Decoder.Event) => {
    if (item.type === "command_execution") return [Decoder.call("$", { command: item.command })]
    return item.type === "mcp_tool_call" ? [Decoder.call(stringOf(item.tool), item.arguments)] : []
  }

  return {
    step: (event) => {
      switch (event.type) {
        case "item.started":
          return started(objectOf(event.item))
        case "item.completed":
          return completed(objectOf(event.item))
        case "turn.completed": {
          hasEnded = true
          const usage = objectOf(event.usage)
          return [
            AgentProgram.Output.Usage({
              usage: {
                inputTokens: numberOf(usage.input_tokens),
                outputTokens: numberOf(usage.output_tokens),
                cachedTokens: numberOf(usage.cached_input_tokens),
                thinkingTokens: numberOf(usage.reasoning_output_tokens),
              },
              cost: undefined,
            }),
          ]
        }
        case "turn.failed":
          failure = { message: stringOf(objectOf(event.error).message) || lastError || "the turn has failed" }
          return []
        case "error":
          lastError = stringOf(event.message)
          return [Decoder.call("error:", { message: event.message })]
        default:
          return []
      }
    },
    end: () => ({
      outputs: answer === undefined ? [] : [Decoder.text(answer)],
      failure: failure ?? (hasEnded || lastError === undefined ? undefined : { message: lastError }),
    }),
  }
}
