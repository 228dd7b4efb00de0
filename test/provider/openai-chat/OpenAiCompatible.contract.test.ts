import * as OpenAiCompatible from "../../../src/provider/openai-chat/OpenAiCompatible.ts"
import { contract } from "../../model/LanguageModel.contract.ts"
import { adapter } from "../../utils/ChatAdapter.ts"

const { deepseek, lmstudio, mistral, openai, openrouter } = OpenAiCompatible.servers

contract(adapter(openai), [
  adapter(openrouter, ["anthropic/claude-haiku-4.5", "openai/gpt-4o-mini"]),
  adapter(mistral, ["mistral-small-latest", "mistral-large-latest"]),
  adapter(deepseek, ["deepseek-reasoner", "deepseek-chat"]),
  adapter(lmstudio, ["qwen/qwen3-8b", "openai/gpt-oss-20b"]),
  adapter(OpenAiCompatible.custom("elsewhere", "http://127.0.0.1:1/v1", "ELSEWHERE_KEY")),
])
