/**
 * A search of the web by a program that the user configures. The program reads the query from stdin, because as an
 * argument a query that begins with a dash would be an option. It prints JSON, an array of `{ title, url, snippet }` or
 * one such object per line.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as AgentProgram from "../../model/AgentProgram.ts"
import * as Tool from "../../tool/Tool.ts"
import type { Hit, Service } from "../WebSearch.ts"

export const TIMEOUT: Duration.DurationInput = "30 seconds"

/** The most characters of the output. Ten hits with their snippets have a few thousand. */
export const MAX_CHARACTERS = 1_000_000

/**
 * Makes the search. `program` runs like an agent program: of the keys in the environment it receives only the
 * configured ones.
 */
export const make =
  (program: AgentProgram.Service): Service =>
  (query) =>
    program.ask(query, { timeout: TIMEOUT }).pipe(
      Stream.mapError(({ reason }) =>
        reason._tag === "ModelNotFound"
          ? "the web search failed: its program, the first word of command in [web_search], is not installed"
          : `the web search failed: ${reason.message}`,
      ),
      Stream.runFoldEffect("", (printed, output) => {
        const whole = output._tag === "Stdout" ? printed + output.text : printed
        return whole.length > MAX_CHARACTERS
          ? Effect.fail(`the web search failed: it printed more than ${MAX_CHARACTERS.toLocaleString("en")} characters`)
          : Effect.succeed(whole)
      }),
      Effect.flatMap(decodeHits),
      Effect.catchAll(Tool.fail),
    )

const decodeHits = (output: string): Effect.Effect<ReadonlyArray<Hit>, string> => {
  const text = output.trim()
  // If there is one object per line, blank lines are skipped.
  const found = text.startsWith("[")
    ? decodeAll(text)
    : Effect.forEach(text.split(/(?<!\s)\s*\n\s*/).filter(Boolean), (line) => decode(line))
  return Effect.mapError(found, () => "the web search failed: what it printed is not JSON of { title, url, snippet }")
}

const HitSchema = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  snippet: Schema.optionalWith(Schema.String, { default: () => "" }),
})

const decode = Schema.decode(Schema.parseJson(HitSchema))
const decodeAll = Schema.decode(Schema.parseJson(Schema.Array(HitSchema)))
