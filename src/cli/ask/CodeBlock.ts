/** Finds the code in the answer of a model. Pure. */

/**
 * Returns the content of the first fenced code block (CommonMark 0.31, section 4.5); undefined if there is none. A
 * block that is not closed extends to the end.
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

/** The rest of a line after opening backticks contains no backtick; otherwise they are code within the line. */
const opening = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/

const closing = /^ {0,3}([`~]{3,})[ \t\r]*$/
