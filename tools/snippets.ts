/** The TypeScript of a Markdown document, block by block, with what the document says that each prints. */

export interface Snippet {
  readonly code: string
  /**
   * The block without a language that follows the code, which is its whole stdout; none where there is no such block.
   */
  readonly output: string | undefined
}

/** The blocks marked `ts`, in the order of the document. */
export const snippets = (markdown: string): ReadonlyArray<Snippet> =>
  Array.from(markdown.matchAll(tsBlock), ([, code = "", output]) => ({ code, output }))

/** Between the code and its output stands at most one paragraph, and no heading. */
const tsBlock = /^```ts\n(.*?)^```\n(?:\n(?:(?!#|```)[^\n]+\n)*\n?```\n(.*?)^```$)?/gms
