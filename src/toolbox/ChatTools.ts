/** The tools of a discovery interview. They read the codebase, and write only in the output folder. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ChatTools from "../conversation/ChatTools.ts"
import * as Search from "../conversation/WebSearch.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as OutputTools from "./OutputTools.ts"
import * as ReadFile from "./ReadFile.ts"
import * as SearchText from "./SearchText.ts"
import * as SessionComplete from "./SessionComplete.ts"
import * as WebSearch from "./WebSearch.ts"

/** Makes the tools. `web_search` is among them only if there is a search engine. */
export const make =
  (search: Option.Option<Search.Service>): ChatTools.Service =>
  (codebase, output, more = []) =>
    ToolRegistry.make([
      ...more,
      ReadFile.makeFileRead(codebase),
      SearchText.makeFileSearch(codebase),
      ...Option.toArray(Option.map(search, WebSearch.make)),
      OutputTools.fileWrite(output),
      OutputTools.writeJtbd(output),
      OutputTools.writeSpec(output),
      SessionComplete.make,
    ])

/** Searches the web with the `WebSearch` of the context, if there is one. */
export const layer: Layer.Layer<ChatTools.ChatTools> = Layer.effect(
  ChatTools.ChatTools,
  Effect.map(Effect.serviceOption(Search.WebSearch), make),
)
