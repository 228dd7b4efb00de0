/** What a model says back: parts while it speaks, a `Reply` when it is done. */
import * as Data from "effect/Data"
import * as Block from "../message/Block.ts"
import type { FinishReason } from "../message/FinishReason.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Usage from "../message/Usage.ts"

/**
 * - `Text`, `Thinking`: the next words. Words that carry `meta` are a block of their own, so that a signature stays
 *   on the very part it came with.
 * - `Image`: a whole picture.
 * - `ToolUse`: a whole call, with the provider's id where it gives one.
 * - `Finish`: last and once; without it the answer is incomplete.
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
  Finish: { readonly reason: FinishReason; readonly usage: Usage.Usage }
}>

/** Taken out once: asked for by name, each is made anew, and parts are many. */
const { $is, $match, Finish, Image, Text, Thinking, ToolUse } = Data.taggedEnum<Part>()
export const Part = { $is, $match, Finish, Image, Text, Thinking, ToolUse }

export interface Reply {
  /** Never empty. Calls without an id of the provider's are named `call_0`, `call_1`, …: unique in this reply only. */
  readonly blocks: readonly [Block.Block, ...ReadonlyArray<Block.Block>]
  readonly finish: FinishReason
  readonly usage: Usage.Usage
  /** The model that answered: another than was asked for, where that one is no more. */
  readonly model: ModelId
}

/** An answer as far as it has come. */
export interface Draft {
  readonly blocks: ReadonlyArray<Block.Block>
  readonly finish: FinishReason | undefined
  readonly usage: Usage.Usage
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
      return { ...draft, finish: part.reason, usage: part.usage }
  }
}

/** Words without metadata continue the block before them, if that is of their kind and carries none either. */
const say = (blocks: ReadonlyArray<Block.Block>, next: Block.Text | Block.Thinking): ReadonlyArray<Block.Block> => {
  const last = blocks.at(-1)
  if (next.text === "" && next.meta === undefined) return blocks
  return last !== undefined && last.type === next.type && last.meta === undefined && next.meta === undefined
    ? [...blocks.slice(0, -1), { ...last, text: last.text + next.text }]
    : [...blocks, next]
}

/**
 * Puts a part behind those that came with it, which it changes: words continue words as in a reply, since whoever hears
 * them has the same to do for few as for many.
 */
export const join = (parts: Array<Part>, next: Part): void => {
  const last = parts.at(-1)
  if (last !== undefined && isPlain(last) && isPlain(next) && last._tag === next._tag)
    parts[parts.length - 1] = Part[next._tag]({ ...last, text: last.text + next.text })
  else parts.push(next)
}

const isPlain = (part: Part): part is Extract<Part, { readonly _tag: "Text" | "Thinking" }> =>
  (part._tag === "Text" || part._tag === "Thinking") && part.meta === undefined
