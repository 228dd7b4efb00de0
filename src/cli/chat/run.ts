/** Runs `vibe chat`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Chat from "../../session/modes/Chat.ts"
import * as OfferedTools from "../../session/OfferedTools.ts"
import * as ToolRegistry from "../../tool/ToolRegistry.ts"
import * as Listing from "../session/Listing.ts"
import * as Start from "../session/Start.ts"
import * as SystemPrompt from "../session/SystemPrompt.ts"
import type { Input } from "./command.ts"

const owner = "chat"
const program = "vibe chat"

export const run = Effect.fn("cli.chat")(function* ({ document, ...input }: Input) {
  if (Option.isSome(document)) {
    const { run } = yield* Effect.promise(() => import("./document.ts"))
    return yield* run({ ...input, document: document.value })
  }
  const { json, list, search, system, tools, ...typed } = input
  const listing = { owner, program, json }
  if (Option.isSome(search)) return yield* Listing.search(listing, search.value)
  if (list) return yield* Listing.newest(listing)
  const offered = yield* OfferedTools.OfferedTools
  yield* Start.run(typed, {
    program,
    mode: Chat.make({ owner, systemPrompt: yield* SystemPrompt.readOr(system, "") }),
    tools: tools ? yield* offered : ToolRegistry.make([]),
    offered,
  })
})
