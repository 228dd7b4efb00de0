/** `web_search`: searches the web by the `WebSearch` service. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as WebSearch from "../conversation/WebSearch.ts"
import * as Tool from "../tool/Tool.ts"

/** The most pages in one result. */
const MAX_HITS = 10

export const make = (search: WebSearch.Service): Tool.Tool =>
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
