/** The layer of `vibe discover`: that of every chat, and tools that read a codebase and write files. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import { processEnvironment } from "../../app/OwnProcess.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as ChatTools from "../../conversation/ChatTools.ts"
import type * as WebSearch from "../../conversation/WebSearch.ts"
import * as Toolbox from "../../toolbox/ChatTools.ts"
import * as ChatLayer from "../chat/layer.ts"

/** The program that the user has configured for searching the web, if any. */
const webSearch: Effect.Effect<
  Option.Option<WebSearch.Service>,
  Effect.Effect.Error<typeof AppConfig.webSearch>
> = Effect.flatMap(
  AppConfig.webSearch,
  Effect.transposeMapOption(({ args, command, env: variables }) =>
    Effect.map(
      Effect.promise(() =>
        Promise.all([import("../../conversation/WebSearch/Program.ts"), import("../../provider/agents/CliAgent.ts")]),
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
            needs: variables,
            timeout: Duration.zero,
            environment: processEnvironment(),
          }),
        ),
    ),
  ),
)

const tools = Layer.effect(ChatTools.ChatTools, Effect.map(webSearch, Toolbox.make))

export const layer = (options: ChatLayer.Options) => Layer.provideMerge(tools, ChatLayer.layer(options))
