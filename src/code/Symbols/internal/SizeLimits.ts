/** The limits beyond which texts and trees are refused, with the reasons: generated, minified or binary files. */

/** A parse takes about 150 ms for a million characters of most languages, and over a minute for a line of 8 MB. */
const MAX_TEXT_CHARS = 1_000_000

/** Longer lines in large texts are generated or minified. */
const MAX_LINE_CHARS = 20_000
const LARGE_TEXT_CHARS = 200_000

/** Source has up to 300,000 nodes in a million characters; listing a million nodes takes half a second. */
const MAX_TREE_NODES = 500_000

/** Returns why a tree of so many nodes is not walked, in words; `undefined` if it may be walked. */
export const refuseTree = (nodes: number): string | undefined =>
  nodes > MAX_TREE_NODES ? `too dense to outline (${nodes.toLocaleString("en-US")} nodes)` : undefined

/** Returns why a text is not parsed, in words; `undefined` if it may be parsed. */
export const refuseText = (text: string): string | undefined => {
  if (text.length > MAX_TEXT_CHARS) return `too large to outline (${(text.length / 1e6).toFixed(1)} MB)`
  if (text.includes("\0")) return "binary content"
  if (text.length <= LARGE_TEXT_CHARS) return undefined
  const longest = longestLine(text)
  return longest > MAX_LINE_CHARS ? `a line of ${longest.toLocaleString("en-US")} characters` : undefined
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
