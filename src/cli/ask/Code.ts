/** Code in what a model says. Pure. */

/**
 * What is in the first fenced block, as CommonMark has them (0.31, section 4.5): one that is not closed goes on to the
 * end. None where there is no such block.
 */
export const first = (answer: string): string | undefined => {
  const { code, indent = "" } = fenced.exec(answer)?.groups ?? {}
  return code?.replaceAll(new RegExp(`^ {0,${indent.length}}`, "gm"), "")
}

const fenced =
  /^(?<indent> {0,3})(?<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n(?<code>[\s\S]*?)(?:^ {0,3}\k<fence>[`~]*[ \t\r]*$|(?![\s\S]))/m
