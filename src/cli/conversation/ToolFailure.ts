/** Why a tool has failed, in a line. */

/**
 * The first line of an error result, with the next one if it ends with a colon. It omits the names of the available
 * tools, which only the model needs.
 */
export const reasonOf = (tool: string, text: string): string => {
  const own = `tool '${tool}' `
  const said = text.replace(/^Error: /, "").replace(`${own}failed: `, "")
  if (said.startsWith(`${own}not found`)) return "no such tool"
  const [first = "", second = ""] = said.replace(` for tool '${tool}'`, "").split("\n")
  const line = first.endsWith(":") ? `${first} ${second.trim().replace(/^- /, "")}`.trim() : first
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1).toWellFormed()}…`
}

/** The most characters of a reason. */
const MAX_REASON = 160
