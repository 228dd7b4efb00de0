/** The tools of a server as tools of vibe: their names, what they cost, and their results. Pure. */
import type { CallToolResult } from "@modelcontextprotocol/client"
import type * as Json from "../../message/Json.ts"
import { plural } from "../../message/Plural.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ToolCost from "../../tool/ToolCost.ts"
import * as ToolResult from "../../tool/ToolResult.ts"
import * as ServerAnswers from "./ServerAnswers.ts"

/** Gemini and OpenAI take no longer names. */
const MAX_NAME_CHARS = 64

/**
 * `{server}_{tool}` in the form that every provider takes: letters, digits, underscores and hyphens, the first one a letter
 * or an underscore.
 */
export const toolName = (server: string, tool: string): string =>
  `${server}_${tool}`
    .replaceAll(/[^a-zA-Z0-9_-]/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, MAX_NAME_CHARS)

/** What is said of a server when its tools are first needed. */
export const costNote = (server: string, tools: ReadonlyArray<Tool>): string =>
  tools.length === 0
    ? `tool server ${server}: no tools`
    : `tool server ${server}: ${plural(tools.length, "tool")}, ${ToolCost.describe(tools)} in each request`

/** The text of a result, and whether it is an error. `redact` removes secrets. */
export const toResult = (result: CallToolResult, redact: (text: string) => string): ToolResult.ToolResult => {
  // It came as JSON; the SDK's type also has what JSON has not.
  const whole = ServerAnswers.resultText(result as Json.JsonObject)
  // They are texts by their type: one NUL makes none of them binary.
  const text = redact(whole.replaceAll("\0", ""))
  return result.isError === true ? ToolResult.error(text) : ToolResult.text(text)
}
