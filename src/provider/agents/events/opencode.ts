/**
 * `opencode run --format json`: the events that anomalyco/opencode packages/opencode/src/cli/cmd/run.ts emits, with
 * parts of packages/opencode/src/session/message-v2.ts. A text is one event, once it is complete.
 */
import * as AgentProgram from "../../../model/AgentProgram.ts"
import * as Decoder from "./Decoder.ts"

const { numberOf, objectOf, stringOf } = Decoder

export const make = (): Decoder.Decoder => {
  const paragraphs = Decoder.makeParagraphs()
  let failure: Decoder.Failure | undefined

  return {
    step: (event) => {
      const part = objectOf(event.part)
      switch (event.type) {
        case "text":
          paragraphs.next()
          return paragraphs.text(stringOf(part.text).trim())
        case "tool_use": {
          const state = objectOf(part.state)
          const tool = stringOf(part.tool)
          return [
            state.status === "error"
              ? Decoder.callFailed(tool, stringOf(state.error))
              : Decoder.call(tool, { title: state.title, ...objectOf(state.input) }),
          ]
        }
        case "step_finish": {
          const tokens = objectOf(part.tokens)
          const cache = objectOf(tokens.cache)
          const thinking = numberOf(tokens.reasoning)
          const usage = {
            inputTokens: numberOf(tokens.input) + numberOf(cache.read) + numberOf(cache.write),
            outputTokens: numberOf(tokens.output) + thinking,
            cachedTokens: numberOf(cache.read),
            thinkingTokens: thinking,
          }
          return [AgentProgram.Output.Usage({ usage, cost: typeof part.cost === "number" ? part.cost : undefined })]
        }
        case "error": {
          const error = objectOf(event.error)
          failure = { message: stringOf(objectOf(error.data).message) || stringOf(error.name) || "it gives no reason" }
          return []
        }
        default:
          return []
      }
    },
    end: () => ({ outputs: [], failure }),
  }
}
