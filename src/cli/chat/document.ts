/** Runs `vibe chat --document FILE`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { UsageError } from "../../base/UsageError.ts"
import * as ReviseDocument from "../../conversation/document/ReviseDocument.ts"
import * as TextFile from "../../conversation/document/TextFile.ts"
import * as Document from "../../conversation/modes/Document.ts"
import * as OfferedTools from "../../conversation/OfferedTools.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as ToolServers from "../../tool/ToolServers.ts"
import * as ConversationList from "../conversation/ConversationList.ts"
import * as Start from "../conversation/Start.ts"
import * as SystemPrompt from "../conversation/SystemPrompt.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.chat.document")(function* (
  input: Omit<Input, "document"> & {
    readonly document: string
    readonly agentRefusal: UsageError | undefined
  },
) {
  const { agentRefusal, document, json, list, search, system, systemFile, tools, ...typed } = input
  const program = `vibe chat --document ${document}`
  const file = yield* TextFile.open(document)
  const listing = { owner: Document.owner(file), program, json, all: typed.all }
  if (Option.isSome(search)) return yield* ConversationList.search(listing, search.value)
  if (list) return yield* ConversationList.newest(listing)
  if (agentRefusal !== undefined && Start.asksAgent(typed)) return yield* agentRefusal
  const given = yield* SystemPrompt.resolve({ system, systemFile }, "chat")
  const systemPrompt = Option.getOrElse(given, () => ReviseDocument.systemPrompt)
  const offered = yield* OfferedTools.OfferedTools
  const servers = yield* ToolServers.ToolServers
  const isThere = Option.isSome(yield* file.read)
  yield* Start.run(typed, {
    program,
    agentRefusal,
    mode: Document.make({ file, systemPrompt }),
    tools: tools ? (yield* offered()).tools : ToolRegistry.make([]),
    servers: tools ? servers : undefined,
    offered: { tools: Effect.map(offered(), ({ tools }) => tools), servers },
    facts: [
      isThere
        ? `beside ${file.path}: edit it as you like; the model sees what you save`
        : `beside ${file.path}, which is not there yet: the first change makes it`,
    ],
  })
}, Effect.scoped)
