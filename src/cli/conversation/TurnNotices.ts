/** What is said on stderr of the way to an answer that takes its time. */
import * as Duration from "effect/Duration"
import type { TurnObserver } from "../../loom/TurnObserver.ts"
import { plural } from "../../message/Plural.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import * as Screen from "../terminal/Screen.ts"

export const observer = (err: Screen.Stream) => {
  const tell = (text: string) => Screen.line(err, sanitizeLine(text))
  return {
    retry: ({ attempt, delay, error }) => tell(`retry ${attempt} in ${Duration.format(delay)}: ${error.message}`),
    replaced: (by, error) => tell(`${by} answers instead: ${error.message}`),
    compacted: (leftOut, error) => tell(`${plural(leftOut, "older tool result")} left out: ${error.message}`),
    toolStarted: (call) => tell(`calls ${call.name}`),
  } satisfies TurnObserver
}
