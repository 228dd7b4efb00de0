/** The tools of a discovery interview. They read the codebase, and write only in the output folder. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ChatTools from "../conversation/ChatTools.ts"
import * as SessionComplete from "../conversation/engines/SessionComplete.ts"
import * as WebSearch from "../conversation/WebSearch.ts"
import * as Tool from "../tool/Tool.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as OutputTools from "./OutputTools.ts"
import * as ReadFile from "./ReadFile.ts"
import * as SearchText from "./SearchText.ts"

/** Makes the tools. `web_search` is among them only if there is a search engine. */
export const make =
  (search: Option.Option<WebSearch.Service>): ChatTools.Service =>
  (codebase, output, more = []) =>
    ToolRegistry.make([
      ...more,
      ReadFile.makeFileRead(codebase),
      SearchText.makeFileSearch(codebase),
      ...Option.toArray(Option.map(search, webSearch)),
      OutputTools.fileWrite(output),
      OutputTools.writeJtbd(output),
      OutputTools.writeSpec(output),
      SessionComplete.make,
    ])

/** Searches the web with the `WebSearch` of the context, if there is one. */
export const layer: Layer.Layer<ChatTools.ChatTools> = Layer.effect(
  ChatTools.ChatTools,
  Effect.map(Effect.serviceOption(WebSearch.WebSearch), make),
)

/** The most pages in one result. */
const MAX_HITS = 10

/** `web_search`: searches the web by the `WebSearch` service. */
const webSearch = (search: WebSearch.Service): Tool.Tool =>
  Tool.make({
    name: "web_search",
    description: `Searches the web. Shows title, a few words and address of ${MAX_HITS} pages at the most.`,
    parameters: Schema.Struct({
      query: Schema.NonEmptyTrimmedString.annotations({ description: "What to look for" }),
    }),
    readOnly: true,
    run: ({ query }) =>
      Effect.map(search(query), (hits) =>
        hits.length === 0 ? `no results for ${query}` : hits.slice(0, MAX_HITS).map(formatHit).join("\n\n"),
      ),
  })

const formatHit = ({ snippet, title, url }: WebSearch.Hit, index: number): string =>
  [`${index + 1}. ${title}`, ...(snippet === "" ? [] : [`   ${snippet}`]), `   ${url}`].join("\n")
