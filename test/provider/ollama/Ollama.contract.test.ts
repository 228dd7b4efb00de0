import { Redacted } from "effect"
import { Part } from "../../../src/model/Reply.ts"
import * as Ollama from "../../../src/provider/ollama/Ollama.ts"
import type { SentTurn, Wire } from "../../model/LanguageModel.adapter.ts"
import { contract } from "../../model/LanguageModel.contract.ts"
import { key } from "../../utils/Asking.ts"
import { bodyOf, done, lines, type Message, message, options, refusing } from "../../utils/Ollama.ts"
import { broken } from "../../utils/OllamaRules.ts"

const toMessage = Part.$match({
  Text: ({ text }) => message({ content: text }),
  Thinking: ({ text }) => message({ thinking: text }),
  Image: () => message({}),
  ToolUse: ({ name, parameters }) => message({ tool_calls: [{ function: { name, arguments: parameters } }] }),
  Finish: ({ reason, usage }) =>
    done({
      done_reason: {
        stop: "stop",
        tool_calls: "stop",
        length: "length",
        content_filter: "none",
        interrupted: "unload",
        error: "unload",
      }[reason],
      prompt_eval_count: usage.inputTokens,
      eval_count: usage.outputTokens,
    }),
})

const whole = (parts: ReadonlyArray<Part>) => {
  const chunks: ReadonlyArray<{ readonly message: Message }> = parts.map(toMessage)
  return {
    ...chunks.at(-1),
    message: {
      role: "assistant",
      content: chunks.map(({ message }) => message.content).join(""),
      thinking: chunks.map(({ message }) => message.thinking ?? "").join(""),
      tool_calls: chunks.flatMap(({ message }) => message.tool_calls ?? []),
    },
  }
}

const refusal: Wire["refusal"] = (why, message) => {
  switch (why) {
    case "key":
      return refusing(401, message)
    case "model":
      return refusing(404, `model 'qwen3' not found. ${message}`)
    case "quota":
      return refusing(429, `you have reached your weekly usage limit. ${message}`)
    case "rate":
      return refusing(429, message, { "retry-after": "5" })
    case "overload":
      return refusing(503, message)
    case "invalid":
      return refusing(400, message)
    case "overflow":
      return refusing(400, `the input length exceeds the context length. ${message}`)
  }
}

/** Adjacent messages of one role are one turn; results belong to the user's. */
const turnsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<SentTurn> => {
  const turns: Array<SentTurn> = []
  for (const { content, images = [], role, tool_calls = [] } of messages) {
    const speaker = role === "assistant" ? "assistant" : "user"
    const last = turns.at(-1)?.role === speaker ? turns.pop() : undefined
    turns.push({
      role: speaker,
      texts: [...(last?.texts ?? []), ...(role === "tool" || content === "" ? [] : [content])],
      images: [...(last?.images ?? []), ...images],
      calls: [...(last?.calls ?? []), ...tool_calls.map((call) => call.function)],
      results: [...(last?.results ?? []), ...(role === "tool" ? [content] : [])],
    })
  }
  return turns
}

contract({
  name: "ollama",
  models: ["qwen3", "llama3.2"],
  open: (model, url) => Ollama.make({ ...options(url, model), apiKey: Redacted.make(key) }),
  wire: {
    streamed: (parts) => lines(...parts.map(toMessage)),
    whole: (parts) => ({ ...lines(), body: JSON.stringify(whole(parts), null, 2) }),
    breakdown: (error) => `${JSON.stringify({ error })}\n`,
    refusal,
    sent: (request) => {
      const { format, messages, tools = [] } = bodyOf(request)
      const [first] = messages
      const isSystem = first?.role === "system"
      return {
        system: isSystem ? first.content : "",
        tools: tools.map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
        turns: turnsOf(isSystem ? messages.slice(1) : messages),
        schema: format,
      }
    },
    broken,
    lacks: ["cachedTokens", "thinkingTokens", "content_filter", "images drawn"],
  },
})
