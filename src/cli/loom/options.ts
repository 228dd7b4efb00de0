/** Options and arguments that several commands of `vibe loom` share. */
import type * as Option from "effect/Option"
import { forestOptions } from "../arguments/options.ts"
import {
  atLeastOne,
  flag,
  number,
  operand,
  optional,
  repeated,
  type TypeOf,
  text,
  whole,
  withAlias,
  withDefault,
} from "../arguments/Parameter.ts"

/** The input of commands without other options. */
export interface ForestInput {
  readonly forest: Option.Option<string>
  readonly ephemeral: boolean
  readonly json: boolean
}

export const nodeHelp =
  "An id or its beginning, a bookmark, or @ (where you are); @^ is its parent, @~3 three levels up"

export const node = operand("NODE", nodeHelp)

export const nodeOrPosition = withDefault(operand("NODE", `${nodeHelp} (default: @)`), "@")

/** The node is optional: with `--system` in its place, all operands are text. */
export const optionalNode = optional(node)

const word = operand("TEXT", "The text of the message")

export const words = atLeastOne(word)

export const optionalWords = repeated(word)

export const limit = number("limit", whole(1), "Print at most N results")

/** The options of commands that print lists, trees and messages. */
export const listOptions = {
  noPager: flag("no-pager", "Print long output without $PAGER or less"),
  ...forestOptions,
}

export interface ListInput extends ForestInput {
  readonly noPager: TypeOf<typeof listOptions.noPager>
}

export const system = optional(
  withAlias(text("system", "TEXT", "Use the tree with this system prompt instead of NODE; create it if missing"), "s"),
)

/** An option of commands that remove messages. */
export const withBookmarks = flag("bookmarks", "Also remove messages that have bookmarks, together with the bookmarks")
