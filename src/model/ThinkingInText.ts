/**
 * Finds thinking within the text of a complete reply, if only a closing tag in its middle shows that the beginning is
 * thinking. Pure.
 */
import * as Block from "../message/Block.ts"

/** The characters at the end of a text in which a tag may be incomplete: as many as the longest tag has. */
const TAIL_CHARS = 32

/** The findings in the text of a reply so far. */
export interface Seen {
  readonly tail: string
  readonly hasClosing: boolean
}

export const nothingSeen: Seen = { tail: "", hasClosing: false }

export const see = ({ hasClosing, tail }: Seen, text: string): Seen => {
  const recent = tail + text
  return { tail: recent.slice(-TAIL_CHARS), hasClosing: hasClosing || closing.test(recent) }
}

/** Returns whether `separate` may change the blocks. */
export const isSuspect = ({ hasClosing, tail }: Seen): boolean => hasClosing || lastTokens.test(tail)

/**
 * Makes the text before a closing tag without an opening one thinking, if no thinking came before it. Removes the
 * special tokens with which models end an answer. A tag in quotes or code, or after an opening one, belongs to the
 * subject of the answer.
 */
export const separate = (blocks: ReadonlyArray<Block.Block>): ReadonlyArray<Block.Block> => {
  const at = blocks.findIndex((block) => block.type !== "thinking" || block.text.trim() !== "")
  return blocks.flatMap((block, index): ReadonlyArray<Block.Block> => {
    if (!Block.isText(block)) return [block]
    const [thought, rest] = index === at ? split(block.text) : ["", block.text]
    const text = rest.replace(lastTokens, "")
    if (text === block.text) return [block]
    return [
      ...(thought.trim() === "" ? [] : [Block.thinking(thought.trimEnd())]),
      ...(text === "" ? [] : [{ ...block, text }]),
    ]
  })
}

const closing = /<\/(?:think|thinking|thought|seed:think)>|\[\/THINK\]|<\|channel\|>final<\|message\|>/

const opening = /<(?:think|thinking|thought|seed:think)>|\[THINK\]|<\|channel\|>analysis<\|message\|>/

const lastTokens = /(?:\s*<\|(?:return|end|im_end|eot_id|endoftext)\|>)+\s*$/

const split = (text: string): readonly [thought: string, rest: string] => {
  for (const { 0: tag, index } of text.matchAll(new RegExp(closing, "g"))) {
    const before = text.slice(0, index)
    const after = text.slice(index + tag.length)
    if (opening.test(before)) return ["", text]
    if (!isQuoted(before, after)) return [before, after.trimStart()]
  }
  return ["", text]
}

/** Returns whether a tag is between quotes or backticks, or in a fence that is open. */
const isQuoted = (before: string, after: string): boolean =>
  (before.match(/^[^\S\n]*```/gm) ?? []).length % 2 === 1 ||
  (before.slice(before.lastIndexOf("\n") + 1).match(/`+/g) ?? []).length % 2 === 1 ||
  (/["'\u201c\u2018(]$/.test(before) && /^["'\u201d\u2019).,]/.test(after))
