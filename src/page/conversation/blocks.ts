/** Markdown as blocks, found again only where a text that streams in can still change them. */
import { marked } from "marked"

export interface Blocks {
  readonly text: string
  /** The sources of the blocks, which together are the text. */
  readonly sources: ReadonlyArray<string>
  /** The kind of each block, by marked's name of it. */
  readonly types: ReadonlyArray<string>
  /** The definitions of links, which any block may use. */
  readonly definitions: string
}

export const none: Blocks = { text: "", sources: [], types: [], definitions: "" }

/**
 * The blocks of a text that begins with what `before` has been found in: linear in what was added and the last two
 * blocks. More text can change the last block, and make the one before it a part of it (a paragraph and the line below it
 * become a heading), but none above these.
 */
export const findBlocks = (text: string, before: Blocks = none): Blocks => {
  if (text === before.text) return before
  const kept = text.startsWith(before.text) ? countFinished(before.types) : 0
  const offset = before.sources.slice(0, kept).reduce((sum, source) => sum + source.length, 0)
  const tokens = marked.lexer(text.slice(offset))
  // The lexer turns line ends and tabs to its own: then its sources are not pieces of the text, and nothing is kept.
  const sources = [...before.sources.slice(0, kept), ...tokens.map(({ raw }) => raw)]
  const types = [...before.types.slice(0, kept), ...tokens.map(({ type }) => type)]
  const isWhole = offset + tokens.reduce((sum, { raw }) => sum + raw.length, 0) === text.length
  const definitions = sources.filter((_, index) => types[index] === "def").join("\n")
  return { text: isWhole ? text : "", sources, types, definitions }
}

/** How many blocks more text cannot change: all before the last two, and the space between blocks does not count. */
const countFinished = (types: ReadonlyArray<string>): number => {
  let open = 0
  for (let index = types.length - 1; index >= 0; index--) if (types[index] !== "space" && ++open === 2) return index
  return 0
}

/** What to draw for a block: its source, with the definitions that it may refer to. */
export const toSource = (source: string, definitions: string): string =>
  definitions !== "" && source.includes("[") ? `${source}\n\n${definitions}` : source
