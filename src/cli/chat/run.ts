/** Runs `vibe chat`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Chat from "../../conversation/modes/Chat.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as ConversationList from "../conversation/ConversationList.ts"
import * as Start from "../conversation/Start.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import type { Input } from "./command.ts"

const owner = "chat"
const program = "vibe chat"

/** An agent is a program of its own: it receives a prompt, and its answer is text. */
const toolless = new UsageError({
  message: "--tools are for models, an agent is given none: leave out --tools, or name a model with --model",
  command: "chat",
})

export const run = Effect.fn("cli.chat")(function* ({ document, ...input }: Input) {
  const agentRefusal = input.tools ? toolless : undefined
  if (Option.isSome(document)) {
    const { run } = yield* Effect.promise(() => import("./document.ts"))
    return yield* run({ ...input, document: document.value, agentRefusal })
  }
  const { json, list, search, system, systemFile, tools, ...typed } = input
  const listing = { owner, program, json, all: typed.all }
  if (Option.isSome(search)) return yield* ConversationList.search(listing, search.value)
  if (list) return yield* ConversationList.newest(listing)
  if (agentRefusal !== undefined && Start.asksAgent(typed)) return yield* agentRefusal
  const offered = yield* OfferedTools.OfferedTools
  const servers = yield* ToolServers.ToolServers
  const given = yield* SystemPrompt.resolve({ system, systemFile }, "chat")
  const opened = tools ? yield* offered() : undefined
  yield* Start.run(typed, {
    program,
    agentRefusal,
    mode: Chat.make({ owner, systemPrompt: Option.getOrElse(given, () => opened?.prompt(servers.prefixes) ?? "") }),
    tools: opened === undefined ? ToolRegistry.make([]) : opened.tools,
    servers: opened === undefined ? undefined : servers,
    offered: { tools: Effect.map(offered(), ({ tools }) => tools), servers },
  })
})
