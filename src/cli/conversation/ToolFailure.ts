/** Why a tool has failed, in a line. */

/**
 * The first line of an error result, with the one below it where it ends with a colon, without what only the model needs: the
 * names of the tools that there are.
 */
export const reasonOf = (tool: string, text: string): string => {
  const own = `tool '${tool}' `
  const said = text.replace(/^Error: /, "").replace(`${own}failed: `, "")
  if (said.startsWith(`${own}not found`)) return "no such tool"
  const [first = "", second = ""] = said.replace(` for tool '${tool}'`, "").split("\n")
  const line = first.endsWith(":") ? `${first} ${second.trim().replace(/^- /, "")}`.trim() : first
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1).toWellFormed()}…`
}

/** In characters. */
const MAX_REASON = 160
