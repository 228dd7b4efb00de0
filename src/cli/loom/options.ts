/** Options and arguments that several commands of `vibe loom` share. */
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import type { InputOf } from "../arguments/lazy.ts"
import { forestOptions } from "../arguments/options.ts"

/** The input of commands without other options. */
export type ForestInput = InputOf<typeof forestOptions>

export const nodeHelp =
  "An id or its beginning, a bookmark, or @ (where you are); @^ is its parent, @~3 three levels up"

export const node = Args.text({ name: "NODE" }).pipe(Args.withDescription(nodeHelp))

export const nodeOrPosition = Args.text({ name: "NODE" }).pipe(
  Args.withDescription(`${nodeHelp} (default: @)`),
  Args.withDefault("@"),
)

/** With `--system` in its place, all operands are text. */
export const optionalNode = node.pipe(Args.optional)

export const words = Args.text({ name: "TEXT" }).pipe(Args.withDescription("The text of the message"), Args.atLeast(1))

export const optionalWords = words.pipe(Args.withDefault([]))

/** A number in the given range; none where the option is not given. */
export const wholeNumber = (name: string, range: { readonly from: number; readonly to?: number }) => {
  const { from, to = Number.MAX_SAFE_INTEGER } = range
  const dashes = name.length === 1 ? "-" : "--"
  return Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.filterMap(
      (text) =>
        Option.liftPredicate(Number(text), (number) => Number.isSafeInteger(number) && number >= from && number <= to),
      `option '${dashes}${name}' takes a number from ${from}${range.to === undefined ? "" : ` to ${to}`}`,
    ),
    Options.optional,
  )
}

export const limit = wholeNumber("limit", { from: 1 }).pipe(Options.withDescription("Print at most N results"))

/** For commands that print lists, trees and messages. */
export const listOptions = {
  noPager: Options.boolean("no-pager").pipe(Options.withDescription("Print long output without $PAGER or less")),
  ...forestOptions,
}
export type ListInput = InputOf<typeof listOptions>

export const system = Options.text("system").pipe(
  Options.withAlias("s"),
  Options.withPseudoName("TEXT"),
  Options.optional,
  Options.withDescription("Use the tree with this system prompt instead of NODE; create it if missing"),
)

/** For commands that remove messages. */
export const withBookmarks = Options.boolean("bookmarks").pipe(
  Options.withDescription("Also remove messages that have bookmarks, together with the bookmarks"),
)
