/** Runs `vibe mcp`. */
import * as Effect from "effect/Effect"
import * as Server from "../../mcp/Server.ts"
import * as ServerStdio from "../../mcp/ServerStdio.ts"
import { Version } from "../Version.ts"
import * as CurrentProject from "./CurrentProject.ts"
import type { Input } from "./command.ts"
import { instructions } from "./instructions.ts"
import * as Offered from "./Offered.ts"

export const run = Effect.fn("cli.mcp")(function* ({ root }: Input) {
  const current = yield* CurrentProject.make(root)
  const tools = yield* Offered.make(current, root)
  const factory = yield* Server.makeFactory({ name: "vibe", version: yield* Version, instructions, tools })
  yield* ServerStdio.serve(factory)
}, Effect.scoped)
