/** Follows the progress of a run by its events. */
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { RunProgress } from "../index/RunProgress.ts"
import type { IndexEvent } from "./IndexEvent.ts"

/** Returns the changes that an event makes. Pure. */
export const followRun = (progress: RunProgress, event: IndexEvent): Partial<RunProgress> => {
  switch (event._tag) {
    case "Waiting":
      return { activity: `waits for another run${event.process === undefined ? "" : ` (process ${event.process})`}` }
    case "Refreshing":
      return { activity: `reads the files: ${event.done} of ${event.total}` }
    case "Structured":
      return { activity: `has read ${plural(event.files, "file")} with ${plural(event.symbols, "symbol")}` }
    case "Mapped":
      return { activity: "has a map of the project" }
    case "Planned":
      return { planned: event.symbols }
    case "Expected":
      return { expected: event.requests }
    case "Asked": {
      const requests = progress.requests + 1
      return { requests, expected: Math.max(progress.expected, requests) }
    }
    case "BatchSent":
      return { activity: sanitizeLine(`asks for ${plural(event.symbols, "symbol")} of ${event.area}`) }
    case "Answered": {
      const { cost, total } = event
      return {
        tokens: { input: total.inputTokens, output: total.outputTokens },
        ...(cost !== undefined && { cost }),
      }
    }
    case "Recorded":
      return { written: event.purposesWritten }
    case "Retrying":
      return { activity: sanitizeLine(`tries again: ${event.reason}`) }
    case "Finished": {
      const { cost, usage } = event.report
      return {
        tokens: { input: usage.inputTokens, output: usage.outputTokens },
        ...(cost !== null && { cost }),
      }
    }
    default:
      return {}
  }
}
