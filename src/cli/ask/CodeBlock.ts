/** Code in what a model says. Pure. */

/**
 * What is in the first fenced block, as CommonMark has them (0.31, section 4.5): one that is not closed goes on to the
 * end. None where there is no such block.
 */
export const first = (answer: string): string | undefined => {
  const lines = answer.split("\n")
  const start = lines.findIndex((line) => opening.test(line))
  const [, indent = "", fence = ""] = opening.exec(lines[start] ?? "") ?? []
  if (fence === "" || start === lines.length - 1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => closing.exec(line)?.[1]?.startsWith(fence))
  const code = end === -1 ? rest : [...rest.slice(0, end), ""]
  const indentation = new RegExp(`^ {0,${indent.length}}`)
  return code.map((line) => line.replace(indentation, "")).join("\n")
}

/** What stands behind backticks has none, or they are code within a line. */
const opening = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/

const closing = /^ {0,3}([`~]{3,})[ \t\r]*$/
