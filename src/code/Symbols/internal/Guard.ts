/** Which texts are not worth parsing, and why: generated, minified or binary. */

/** UTF-16 units. A parse takes about 150 ms for each million; an 8 MB line over a minute (TOOLCHAIN). */
const most = 1_000_000

/** Lines longer than this, in a text this large, were not written by people. */
const longLine = 20_000
const largeText = 200_000

/** Nodes of a tree. Source has up to 300,000 in a million characters; to list a million takes half a second. */
const mostNodes = 500_000

/** Why a tree is not walked, in words; none where it may be. */
export const overgrown = (nodes: number): string | undefined =>
  nodes > mostNodes ? `too dense to outline (${nodes.toLocaleString("en-US")} nodes)` : undefined

/** Why a text is not parsed, in words; none where it may be. */
export const refusal = (text: string): string | undefined => {
  if (text.length > most) return `too large to outline (${(text.length / 1e6).toFixed(1)} MB)`
  if (text.includes("\0")) return "binary content"
  if (text.length <= largeText) return undefined
  const longest = longestLine(text)
  return longest > longLine ? `a line of ${longest.toLocaleString("en-US")} characters` : undefined
}

const longestLine = (text: string): number => {
  let longest = 0
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start)
    const stop = end === -1 ? text.length : end
    longest = Math.max(longest, stop - start)
    start = stop + 1
  }
  return longest
}
