/** What `vibe discover` runs on: what all conversations do, and tools that read a codebase and write what comes of it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as ChatTools from "../chat/ChatTools.ts"
import type * as WebSearch from "../chat/WebSearch.ts"
import * as AppConfig from "../config/AppConfig.ts"
import * as Toolbox from "../toolbox/ChatTools.ts"
import * as Chatting from "./Chatting.ts"
import { inherited } from "./inherited.ts"

/** The web is searched by the command that the user has configured; without one, it is not. */
const search: Effect.Effect<
  Option.Option<WebSearch.Service>,
  Effect.Effect.Error<typeof AppConfig.webSearch>
> = Effect.flatMap(
  AppConfig.webSearch,
  Effect.transposeMapOption(({ args, command, env: needs }) =>
    Effect.map(
      Effect.promise(() =>
        Promise.all([import("../chat/WebSearch/Program.ts"), import("../provider/agents/CliAgent.ts")]),
      ),
      ([Program, CliAgent]) =>
        Program.make(
          CliAgent.make({
            name: "web_search",
            command,
            args,
            format: "xml",
            abilities: { streams: true, readsFiles: false },
            env: {},
            needs,
            timeout: Duration.zero,
            environment: inherited(),
          }),
        ),
    ),
  ),
)

const tools = Layer.effect(ChatTools.ChatTools, Effect.map(search, Toolbox.make))

export const layer = (options: Chatting.Options) => Layer.provideMerge(tools, Chatting.layer(options))
