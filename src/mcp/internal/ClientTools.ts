/** Turns the tools of a server into tools of vibe: their names, their costs, and their results. Pure. */
import type { CallToolResult } from "@modelcontextprotocol/client"
import type * as Json from "../../base/Json.ts"
import { plural } from "../../base/Prose.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ToolResult from "../../tool/ToolResult.ts"
import { describeTokens } from "../../tool/ToolServers.ts"
import * as ServerAnswers from "./ServerAnswers.ts"

/** The most characters of a name. Gemini and OpenAI accept no longer ones. */
const MAX_NAME_CHARS = 64

/**
 * Returns `{server}_{tool}` in the form that every provider accepts: letters, digits, underscores and hyphens, the
 * first one a letter or an underscore.
 */
export const toolName = (server: string, tool: string): string =>
  `${server}_${tool}`
    .replaceAll(/[^a-zA-Z0-9_-]/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, MAX_NAME_CHARS)

/** Returns the note about a server that is shown when its tools are first needed. */
export const costNote = (server: string, tools: ReadonlyArray<Tool>): string =>
  tools.length === 0
    ? `tool server ${server}: no tools`
    : `tool server ${server}: ${plural(tools.length, "tool")}, ${describeTokens(tools)} in each request`

/** Returns the text of a result, and if it is an error. `redact` removes secrets. */
export const toResult = (result: CallToolResult, redact: (text: string) => string): ToolResult.ToolResult => {
  // The result came as JSON. The SDK's type also allows values that JSON does not have.
  const whole = ServerAnswers.resultText(result as Json.JsonObject)
  // The type says that these are texts, and one NUL does not make them binary.
  const text = redact(whole.replaceAll("\0", ""))
  return result.isError === true ? ToolResult.error(text) : ToolResult.text(text)
}
