/** The answer of a model: parts as they arrive, and a `Reply` when it is complete. */
import * as Data from "effect/Data"
import * as Block from "../message/Block.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { FinishReason } from "../message/Usage.ts"
import * as Usage from "../message/Usage.ts"
import * as ThinkingInText from "./ThinkingInText.ts"

/**
 * - `Text`, `Thinking`: the next piece of text. A piece with `meta` is a block of its own, so that a signature stays
 *   with the part it arrived with.
 * - `Image`: a whole image.
 * - `ToolUse`: a whole call, with the provider's id if it has one.
 * - `Finish`: the last part, which comes once. If it is missing, the answer is incomplete. `cost` is in US dollars, if
 *   it is reported. With `mayThinkInText` the text may begin with thinking that ends in a closing tag alone; a reply
 *   separates it as thinking.
 */
export type Part = Data.TaggedEnum<{
  Text: { readonly text: string; readonly meta?: Block.Meta | undefined }
  Thinking: { readonly text: string; readonly meta?: Block.Meta | undefined }
  Image: { readonly media_type: string; readonly data: string; readonly meta?: Block.Meta | undefined }
  ToolUse: {
    readonly id?: string | undefined
    readonly name: string
    readonly parameters: Block.ToolUse["parameters"]
    readonly meta?: Block.Meta | undefined
  }
  Finish: {
    readonly reason: FinishReason
    readonly usage: Usage.Usage
    readonly cost?: number | undefined
    readonly mayThinkInText?: boolean | undefined
  }
}>

/** The constructors are destructured once: each access by name creates a constructor, and parts are many. */
const { $is, $match, Finish, Image, Text, Thinking, ToolUse } = Data.taggedEnum<Part>()
export const Part = { $is, $match, Finish, Image, Text, Thinking, ToolUse }

export interface Reply {
  /**
   * The blocks, which are never empty. Calls without an id of the provider are named `call_0`, `call_1`, …, which is
   * unique within this reply only.
   */
  readonly blocks: readonly [Block.Block, ...ReadonlyArray<Block.Block>]
  readonly finish: FinishReason
  readonly usage: Usage.Usage
  /** The model that answered. It is not the requested one if that was shut down. */
  readonly model: ModelId
  /** The cost in US dollars if it is reported. Otherwise it follows from the price of the model. */
  readonly cost?: number | undefined
}

/** The answer as received so far. */
export interface Draft {
  readonly blocks: ReadonlyArray<Block.Block>
  readonly finish: FinishReason | undefined
  readonly usage: Usage.Usage
  readonly cost?: number | undefined
}

export const empty: Draft = { blocks: [], finish: undefined, usage: Usage.none }

export const step = (draft: Draft, part: Part): Draft => {
  switch (part._tag) {
    case "Text":
      return { ...draft, blocks: say(draft.blocks, Block.text(part.text, part.meta)) }
    case "Thinking":
      return { ...draft, blocks: say(draft.blocks, Block.thinking(part.text, part.meta)) }
    case "Image":
      return { ...draft, blocks: [...draft.blocks, Block.image(part.media_type, part.data, part.meta)] }
    case "ToolUse": {
      const id = part.id ?? `call_${draft.blocks.filter(Block.isToolUse).length}`
      return { ...draft, blocks: [...draft.blocks, Block.toolUse(id, part.name, part.parameters, part.meta)] }
    }
    case "Finish":
      return {
        ...draft,
        blocks: part.mayThinkInText === true ? ThinkingInText.separate(draft.blocks) : draft.blocks,
        finish: part.reason,
        usage: part.usage,
        ...(part.cost !== undefined && { cost: part.cost }),
      }
  }
}

/** Appends text. Text without metadata continues the previous block, if that has the same type and no metadata. */
const say = (blocks: ReadonlyArray<Block.Block>, next: Block.Text | Block.Thinking): ReadonlyArray<Block.Block> => {
  const last = blocks.at(-1)
  if (next.text === "" && next.meta === undefined) return blocks
  return last !== undefined && last.type === next.type && last.meta === undefined && next.meta === undefined
    ? [...blocks.slice(0, -1), { ...last, text: last.text + next.text }]
    : [...blocks, next]
}

/**
 * Appends a part to those that arrived together, and changes their array. Adjacent text is joined as in a reply, since
 * each part costs its receivers the same, whatever its length.
 */
export const join = (parts: Array<Part>, next: Part): void => {
  const last = parts.at(-1)
  if (last !== undefined && isPlain(last) && isPlain(next) && last._tag === next._tag)
    parts[parts.length - 1] = Part[next._tag]({ ...last, text: last.text + next.text })
  else parts.push(next)
}

const isPlain = (part: Part): part is Extract<Part, { readonly _tag: "Text" | "Thinking" }> =>
  (part._tag === "Text" || part._tag === "Thinking") && part.meta === undefined
