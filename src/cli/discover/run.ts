/** Runs `vibe discover`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Workspace from "../../code/Workspace.ts"
import * as ChatTools from "../../conversation/ChatTools.ts"
import * as Destination from "../../conversation/Destination.ts"
import * as DiscoveryPrompt from "../../conversation/DiscoveryPrompt.ts"
import * as ConversationEngine from "../../conversation/engines/ConversationEngine.ts"
import * as Interview from "../../conversation/modes/Interview.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as ConversationList from "../conversation/ConversationList.ts"
import * as Start from "../conversation/Start.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.discover")(function* (input: Input) {
  const { codebase, json, list, output, search, system, systemFile, ...typed } = input
  const workspace = yield* Workspace.open(codebase)
  const program = codebase === "." ? "vibe discover" : `vibe discover --codebase ${codebase}`
  const listing = { owner: ConversationEngine.OWNER(workspace.root), program, json, all: false }
  if (Option.isSome(search)) return yield* ConversationList.search(listing, search.value)
  if (list) return yield* ConversationList.newest(listing)
  if (Start.asksAgent(typed)) return yield* toolless
  const destination = yield* Destination.open(output)
  const given = yield* SystemPrompt.resolve({ system, systemFile }, "discover")
  const { findSymbols, project } = yield* Effect.flatMap(OfferedTools.OfferedTools, (offered) => offered(codebase))
  const systemPrompt = Option.getOrElse(given, () => `${DiscoveryPrompt.systemPrompt}\n\n${project}`)
  const make = yield* ChatTools.ChatTools
  const own = make(workspace, destination.output, [findSymbols])
  yield* Start.run(typed, {
    program,
    agentRefusal: toolless,
    mode: Interview.make({
      codebase: workspace.root,
      systemPrompt,
      displayPath: destination.displayPath,
      read: destination.output.read,
    }),
    tools: own,
    servers: yield* ToolServers.ToolServers,
    folder: codebase,
    facts: [
      `about ${workspace.root}; files go to ${output}`,
      ...(Option.isSome(typed.resume) || typed.words.length > 0 ? [] : [opening]),
    ],
  })
})

/** Its documents are written by tools, which an agent that is a program is not given. */
const toolless = new UsageError({
  message: "discover is for models, an agent is given no tools to write files: name a model with --model",
  command: "discover",
})

const opening = "What do you want done, and what happens today without it? A sentence or two are enough to begin with."
