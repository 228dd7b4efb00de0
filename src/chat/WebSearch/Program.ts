/**
 * A search of the web by a program of the user's. It reads what is looked for on its stdin, not among its arguments: a
 * model chose the words, and one that begins with a dash would be an option. It prints what it found as JSON: an array
 * of `{ title, url, snippet }`, or an object a line.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Agent from "../../model/Agent.ts"
import * as Tool from "../../tool/Tool.ts"
import type { Hit, Service } from "../WebSearch.ts"

/** Whoever waits for the answer waits for the search. */
export const timeout: Duration.DurationInput = "30 seconds"

/** In characters: ten pages with a few words each are some thousands. */
export const longest = 1_000_000

/** `program`: run as agents are that are programs, with nobody's keys but those it is configured to need. */
export const make =
  (program: Agent.Service): Service =>
  (query) =>
    program.ask(query, { timeout }).pipe(
      Stream.mapError(({ reason }) =>
        reason._tag === "ModelNotFound"
          ? "the web search failed: its program, the first word of command in [web_search], is not installed"
          : `the web search failed: ${reason.message}`,
      ),
      Stream.runFoldEffect("", (said, output) => {
        const whole = output._tag === "Stdout" ? said + output.text : said
        return whole.length > longest
          ? Effect.fail(`the web search failed: it printed more than ${longest.toLocaleString("en")} characters`)
          : Effect.succeed(whole)
      }),
      Effect.flatMap(hits),
      Effect.catchAll(Tool.fail),
    )

const hits = (said: string): Effect.Effect<ReadonlyArray<Hit>, string> => {
  const text = said.trim()
  // White space between them is no line.
  const found = text.startsWith("[")
    ? decodeAll(text)
    : Effect.forEach(text.split(/(?<!\s)\s*\n\s*/).filter(Boolean), (line) => decode(line))
  return Effect.mapError(found, () => "the web search failed: what it printed is not JSON of { title, url, snippet }")
}

const Found = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  snippet: Schema.optionalWith(Schema.String, { default: () => "" }),
})

const decode = Schema.decode(Schema.parseJson(Found))
const decodeAll = Schema.decode(Schema.parseJson(Schema.Array(Found)))
