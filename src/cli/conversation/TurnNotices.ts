/** Notices on stderr about a turn: retries, replaced models, compaction and tool calls. */
import * as Duration from "effect/Duration"
import type { TurnObserver } from "../../loom/TurnObserver.ts"
import { plural } from "../../message/Plural.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import * as Screen from "../terminal/Screen.ts"

export const observer = (err: Screen.Stream) => {
  const print = (text: string) => Screen.line(err, sanitizeLine(text))
  return {
    retry: ({ attempt, delay, error }) => print(`retry ${attempt} in ${Duration.format(delay)}: ${error.message}`),
    replaced: (by, error) => print(`${by} answers instead: ${error.message}`),
    compacted: (leftOut, error) => print(`${plural(leftOut, "older tool result")} left out: ${error.message}`),
    toolStarted: (call) => print(`calls ${call.name}`),
  } satisfies TurnObserver
}
