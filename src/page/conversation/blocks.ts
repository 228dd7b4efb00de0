/** Splits Markdown into blocks. While a text streams in, only the blocks that it can still change are found again. */
import { marked } from "marked"

export interface Blocks {
  readonly text: string
  /** The sources of the blocks, which add up to the text. */
  readonly sources: ReadonlyArray<string>
  /** The type of each block, as marked names it. */
  readonly types: ReadonlyArray<string>
  /** The definitions of links, which any block may use. */
  readonly definitions: string
}

export const none: Blocks = { text: "", sources: [], types: [], definitions: "" }

/**
 * Returns the blocks of a text, reusing those of `before` if the text begins with its text. Takes time linear in the
 * length of the addition and the last two blocks. More text can change the last block, and make the one before it a
 * part of it (a paragraph and the line below it become a heading), but none above these.
 */
export const findBlocks = (text: string, before: Blocks = none): Blocks => {
  if (text === before.text) return before
  const kept = text.startsWith(before.text) ? countFinished(before.types) : 0
  const offset = before.sources.slice(0, kept).reduce((sum, source) => sum + source.length, 0)
  const tokens = marked.lexer(text.slice(offset))
  // The lexer normalizes line ends and tabs. If it changes any, its sources are not pieces of the text, and nothing can
  // be reused.
  const sources = [...before.sources.slice(0, kept), ...tokens.map(({ raw }) => raw)]
  const types = [...before.types.slice(0, kept), ...tokens.map(({ type }) => type)]
  const isWhole = offset + tokens.reduce((sum, { raw }) => sum + raw.length, 0) === text.length
  const definitions = sources.filter((_, index) => types[index] === "def").join("\n")
  return { text: isWhole ? text : "", sources, types, definitions }
}

/** Returns how many blocks more text cannot change: all before the last two, not counting the space between blocks. */
const countFinished = (types: ReadonlyArray<string>): number => {
  let open = 0
  for (let index = types.length - 1; index >= 0; index--) if (types[index] !== "space" && ++open === 2) return index
  return 0
}

/** Returns the source to draw for a block, with the definitions that it may refer to. */
export const toSource = (source: string, definitions: string): string =>
  definitions !== "" && source.includes("[") ? `${source}\n\n${definitions}` : source
