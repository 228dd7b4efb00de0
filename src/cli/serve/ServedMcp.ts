/** The tools of `vibe mcp` over HTTP, which `vibe serve` offers to coding agents. Loaded with their first request. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import * as ServedTools from "../../mcp/ServedTools.ts"
import * as Server from "../../mcp/Server.ts"
import * as CurrentProject from "../mcp/CurrentProject.ts"
import { Conversations } from "../mcp/CurrentProject.ts"
import * as Offered from "../mcp/Offered.ts"
import { Version } from "../Table.ts"

/** `folder` is the one that is served. */
export const open = Effect.fnUntraced(function* (folder: string) {
  const root = Option.some(folder)
  const forest = yield* Forest.Forest
  const current = yield* CurrentProject.make(root)
  const tools = yield* Effect.provideService(Offered.make(current, root), Conversations, {
    open: Effect.succeed(forest),
  })
  const served = yield* ServedTools.make({
    name: "vibe",
    version: yield* Version,
    instructions: Offered.instructions,
    tools,
  })
  return yield* Server.makeHttpHandler(Server.makeFactory(served))
})
