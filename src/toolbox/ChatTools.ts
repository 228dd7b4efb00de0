/** The toolbox of a discovery interview: it reads the codebase, and writes in the output folder, nothing else. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ChatTools from "../chat/ChatTools.ts"
import * as Search from "../chat/WebSearch.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as FileRead from "./FileRead.ts"
import * as FileSearch from "./FileSearch.ts"
import * as FileWrite from "./FileWrite.ts"
import * as SessionComplete from "./SessionComplete.ts"
import * as WebSearch from "./WebSearch.ts"
import * as WriteJtbd from "./WriteJtbd.ts"
import * as WriteSpec from "./WriteSpec.ts"

/** The web is searched where there is an engine; a model is not offered what cannot work. */
export const make =
  (search: Option.Option<Search.Service>): ChatTools.Service =>
  (codebase, output) =>
    ToolRegistry.make([
      FileRead.make(codebase),
      FileSearch.make(codebase),
      ...Option.toArray(Option.map(search, WebSearch.make)),
      FileWrite.make(output),
      WriteJtbd.make(output),
      WriteSpec.make(output),
      SessionComplete.make,
    ])

/** Searches the web with the `WebSearch` of the context, if there is one. */
export const layer: Layer.Layer<ChatTools.ChatTools> = Layer.effect(
  ChatTools.ChatTools,
  Effect.map(Effect.serviceOption(Search.WebSearch), make),
)
