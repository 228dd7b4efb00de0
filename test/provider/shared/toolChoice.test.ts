import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Message from "../../../src/message/Message.ts"
import { servers } from "../../../src/model/CompatibleServers.ts"
import type { Request, ToolChoice } from "../../../src/model/Request.ts"
import * as Anthropic from "../../../src/provider/anthropic/request.ts"
import * as Gemini from "../../../src/provider/gemini/request.ts"
import * as Ollama from "../../../src/provider/ollama/request.ts"
import * as Chat from "../../../src/provider/openai-chat/request.ts"
import * as Responses from "../../../src/provider/openai-responses/request.ts"
import { toWireName } from "../../../src/provider/shared/toolNames.ts"
import * as Tool from "../../../src/tool/Tool.ts"

const tool = (name: string) =>
  Tool.make({ name, description: "", parameters: Schema.Struct({}), run: () => Effect.succeed("") })

/** A name that no provider accepts unchanged. */
const odd = "files.read!"

const request = (toolChoice?: ToolChoice): Request => ({
  system: "",
  messages: [Message.user("Go")],
  tools: [tool("look"), tool(odd)],
  toolChoice,
})

const wires = {
  Gemini: (request: Request) => Gemini.makeEncoder("gemini-2.5-flash")(request, "signed").config.toolConfig,
  Anthropic: (request: Request) => Anthropic.makeEncoder("claude-sonnet-4-5", 8192)(request, "signed").tool_choice,
  "chat completions": (request: Request) => Chat.makeEncoder(servers.openai, "gpt-4.1")(request, "full").tool_choice,
  Responses: (request: Request) => Responses.makeEncoder("gpt-4.1", false)(request, "full").tool_choice,
  Ollama: (request: Request) => Ollama.makeEncoder("qwen3")(request).tools.map(({ function: { name } }) => name),
}

describe("tool choice", () => {
  for (const [name, wire, usual, none, chosen] of [
    [
      "Gemini",
      wires.Gemini,
      undefined,
      { functionCallingConfig: { mode: "NONE" } },
      { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [toWireName(odd)] } },
    ],
    ["Anthropic", wires.Anthropic, undefined, { type: "none" }, { type: "tool", name: toWireName(odd) }],
    [
      "chat completions",
      wires["chat completions"],
      undefined,
      "none",
      { type: "function", function: { name: toWireName(odd) } },
    ],
    ["Responses", wires.Responses, undefined, "none", { type: "function", name: toWireName(odd) }],
    ["Ollama, which has none", wires.Ollama, ["look", toWireName(odd)], [], [toWireName(odd)]],
  ] as const) {
    it(`${name}: is encoded, where it is not the model's choice`, () => {
      assert.deepStrictEqual<unknown>(wire(request()), usual)
      assert.deepStrictEqual<unknown>(wire(request("auto")), usual)
      assert.deepStrictEqual<unknown>(wire(request("none")), none)
      assert.deepStrictEqual<unknown>(wire(request({ tool: odd })), chosen)
    })
  }
})
