/** Notices on stderr about a turn: retries, replaced models, compaction and tool calls. */
import * as Effect from "effect/Effect"
import * as Summary from "../../agent/Summary.ts"
import type { Sink, TurnEvent } from "../../agent/TurnEvent.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as Block from "../../message/Block.ts"
import type { Reply } from "../../model/Reply.ts"
import * as Retry from "../../model/Retry.ts"
import * as WrittenCalls from "../../tool/WrittenCalls.ts"
import * as Screen from "../terminal/Screen.ts"

export const print =
  (err: Screen.Stream): Sink =>
  (event) => {
    const text = lineOf(event)
    return text === undefined ? Effect.void : Screen.line(err, sanitizeLine(text))
  }

/** The notice of an event; undefined for most events. */
export const lineOf = (event: TurnEvent): string | undefined => {
  switch (event._tag) {
    case "RetryScheduled":
      return `${Retry.describe(event.attempt, event.delay)}: ${event.error.message}`
    case "ModelReplaced":
      return `${event.by} answers instead: ${event.error.message}`
    case "HistoryCompacted":
      return `${plural(event.leftOut, "older tool result")} left out: ${event.error.message}`
    case "SummaryRequested":
      return Summary.progress(event.messages)
    case "HistorySummarized":
      return Summary.notice(event)
    case "AgentReported":
      return event.isDiagnostic ? undefined : event.text
    case "ReplyReceived":
      return writtenCall(event.reply)
    case "ToolStarted":
      return `calls ${event.call.name}${shortenArguments(event.call.parameters)}`
    case "ToolFinished":
      return event.result.isError === true
        ? `${event.call.name} failed: ${failureOf(event.call.name, event.result.text)}`
        : undefined
    default:
      return undefined
  }
}

/** A call that the model has written into its text: it is not run if there is no such tool, or it cannot be read. */
const writtenCall = ({ blocks }: Reply): string | undefined => {
  if (blocks.some(Block.isToolUse)) return undefined
  const written = WrittenCalls.describe(blocks.flatMap((block) => (Block.isText(block) ? [block.text] : [])).join(""))
  return written === undefined ? undefined : `the model wrote ${written} as text, which is not run`
}

/** Shortens the arguments of a call to what fits beside its name; empty if there are none. */
const shortenArguments = (parameters: unknown): string => {
  const text = JSON.stringify(parameters) ?? ""
  if (text === "{}" || text === "") return ""
  return ` ${text.length <= MAX_ARGUMENTS ? text : `${text.slice(0, MAX_ARGUMENTS - 1).toWellFormed()}…`}`
}

/** The most characters of arguments: with the name of a tool they take about a line of a terminal. */
const MAX_ARGUMENTS = 60

/**
 * The first line of an error result, with the next one if it ends with a colon. It omits the names of the available
 * tools, which only the model needs.
 */
export const failureOf = (tool: string, text: string): string => {
  const own = `tool '${tool}' `
  const said = text.replace(/^Error: /, "").replace(`${own}failed: `, "")
  if (said.startsWith(`${own}not found`)) return "no such tool"
  const [first = "", second = ""] = said.replace(` for tool '${tool}'`, "").split("\n")
  const line = first.endsWith(":") ? `${first} ${second.trim().replace(/^- /, "")}`.trim() : first
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1).toWellFormed()}…`
}

/** The most characters of a reason. */
const MAX_REASON = 160
